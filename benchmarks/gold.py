"""The gold queries, a corpus of the records they are asked of, and how a search is scored on them."""

import argparse
import gzip
import json
import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import open_corpus
from citeplug.evaluate.gold import Gold as Gold
from citeplug.evaluate.gold import read_gold as read_queries
from citeplug.evaluate.measures.retrieval import recall_at_k
from citeplug.files.json_lines import JsonLines
from citeplug.settings.environment import read_settings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
GOLD, SAMPLE = "gold_dev.jsonl", "arxiv_sample.jsonl.gz"
CUTS = (20, 50, 100)
POOL = 5000  # records: what two cores embed in some two minutes


class Query(Protocol):
    """A query with the papers that the real paper cites."""

    @property
    def query_id(self) -> str: ...

    @property
    def cited(self) -> frozenset[str]: ...


def read_gold(data: Path) -> list[Gold]:
    """The queries. Their cut-off dates are not used: dates of some cited records are made up, and would tell."""
    return read_queries(JsonLines(data / GOLD).lines(), GOLD)


def read_lines(data: Path) -> Iterator[tuple[str, str]]:
    """(id, line) of every record of the sample."""
    with gzip.open(data / SAMPLE, "rt", encoding="utf-8") as stream:
        yield from id_and_line(stream)


def id_and_line(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The same of lines that were read already."""
    for line in lines:
        yield json.loads(line)["id"], line


def fixed_pool(data: Path, gold: Sequence[Gold], size: int) -> list[str]:
    """Lines of all cited records and, up to `size`, of others drawn with a fixed seed."""
    lines = dict(read_lines(data))
    cited = {value for query in gold for value in query.cited}
    others = sorted(lines.keys() - cited)
    drawn = random.Random(2025).sample(others, max(0, size - len(cited)))
    return [lines[value] for value in sorted({*cited & lines.keys(), *drawn})]


def read_arguments(description: str) -> argparse.Namespace:
    """`data`, `full` and `home` from the command line; ends with 2 if the data is not there."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder of {GOLD} and {SAMPLE}")
    parser.add_argument("--full", action="store_true", help="search the whole sample and not the fixed pool")
    parser.add_argument(
        "--home",
        type=Path,
        default=read_settings().home / "benchmarks",
        help="where catalogue and vectors are kept (default: %(default)s)",
    )
    chosen = parser.parse_args()
    missing = [name for name in (GOLD, SAMPLE) if not (chosen.data / name).is_file()]
    if missing:
        parser.error(f"{chosen.data} has no {' and no '.join(missing)}: give their folder with --data")
    return chosen


@contextmanager
def gold_corpus(data: Path, home: Path, gold: Sequence[Gold], *, full: bool) -> Iterator[tuple[Corpus, list[str]]]:
    """A corpus of the fixed pool, or of the whole sample, and the ids that are in it."""
    lines = None if full else fixed_pool(data, gold, POOL)
    start = time.perf_counter()
    place = home / ("full" if full else f"pool-{POOL}")
    with (
        open_corpus(replace(read_settings(), home=home, corpus=place)) as corpus,
        tempfile.TemporaryDirectory() as folder,
    ):
        file = data / SAMPLE
        if lines is not None:
            file = Path(folder) / "pool.jsonl"
            file.write_text("".join(lines), encoding="utf-8")
        report = corpus.add([file])
        print(f"took in {report.added:,} new of {corpus.records:,} records in {time.perf_counter() - start:.1f} s")
        yield corpus, [value for value, _ in (read_lines(data) if lines is None else id_and_line(lines))]


def mean_recall(
    runs: Mapping[str, Sequence[str]], gold: Iterable[Query], cuts: Sequence[int] = CUTS
) -> tuple[float, ...]:
    """Mean over the queries at each of `cuts`; `runs` holds the results by query id."""
    rows = [[recall_at_k(runs[query.query_id], query.cited, cut) or 0.0 for cut in cuts] for query in gold]
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


def machine() -> str:
    """The machine and the libraries that the numbers depend on."""
    names = ("numpy", "onnxruntime", "chromadb", "tantivy", "bm25s")
    libraries = ", ".join(f"{name} {version(name)}" for name in names)
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores{load},"
        f" Python {sys.version.split()[0]}, {libraries}"
    )
