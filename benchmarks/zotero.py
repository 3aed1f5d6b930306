"""How long a large Zotero takes to come into the library, and the completion of its keys after that.

    python -m benchmarks.zotero [FILE] [--items N]

FILE is a snapshot (default: the sample beside the project), of which 20,000 records make the catalogue. Half of
Zotero's items are works of that catalogue without their ids, the others are not in it. Times are of the
processor, also of Zotero's double, which runs in this process.
"""

import argparse
import asyncio
import gzip
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.ingest import SAMPLE
from citeplug.bib.zotero_sync import sync_zotero
from citeplug.corpus.stores import open_corpus
from citeplug.editor.library import Library
from citeplug.settings.environment import Settings
from tests.harness.zotero_server import ZoteroServer

_CATALOGUE = 20_000
_SYNC, _COMPLETION = 60.0, 0.1  # aims, in seconds
_ALPHABET = "23456789ABCDEFGHIJKLMNPQRSTUVWXYZ"


def main() -> int:
    """Print what was measured beside what is aimed at; 1 if an aim is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.zotero", description=main.__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--items", type=int, default=20_000)
    chosen = parser.parse_args()
    with gzip.open(chosen.file, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in islice(lines, _CATALOGUE + chosen.items)]
    with tempfile.TemporaryDirectory() as name, ZoteroServer().serve() as server:
        folder = Path(name)
        settings = replace(Settings(folder / "home"), zotero_url=server.url)
        snapshot = folder / "snapshot.jsonl"
        snapshot.write_text("".join(json.dumps(record) + "\n" for record in records[:_CATALOGUE]), "utf-8")
        with open_corpus(settings) as corpus:
            corpus.add([snapshot], complete=False)
        server.collection("COLL2222", "Thesis")
        half = chosen.items // 2
        for number, record in enumerate([*records[:half], *records[_CATALOGUE : _CATALOGUE + half]]):
            _put(server, number, record)
        missed = [
            _tell("first sync", _seconds(lambda: _sync(settings)), _SYNC),
            _tell("sync without a change", _seconds(lambda: _sync(settings)), None),
        ]
        _put(server, 0, {**records[0], "title": "Another title for the first of them"})
        missed.append(_tell("sync of one change", _seconds(lambda: _sync(settings)), None))
        missed.append(asyncio.run(_completion(settings, records)))
    return int(any(missed))


def _put(server: ZoteroServer, number: int, record: dict[str, Any]) -> None:
    key = "".join(_ALPHABET[number // 33**place % 33] for place in range(8))
    people = tuple(
        f"{name.split()[-1]}, {' '.join(name.split()[:-1])}" for name in record["authors"].split(", ") if name
    )
    server.add(
        key, "journalArticle", authors=people, title=record["title"], abstractNote=record["abstract"],
        date="2015", collections=["COLL2222"] if number % 3 else [], publicationTitle="Journal of Tests",
    )  # fmt: skip


def _sync(settings: Settings) -> None:
    done = sync_zotero(settings, lambda *_: None)
    print(f"  {done.works:,} works, {done.on_arxiv:,} known from arXiv, {done.added:,} added")


async def _completion(settings: Settings, records: list[dict[str, Any]]) -> bool:
    """What an author types in `\\cite{`: the beginning of a surname, or words of a title."""
    chance, times = random.Random(1), []
    library = Library(settings, "benchmark")
    await library.search("graph", None)
    for record in chance.sample(records, 200):
        surname = record["authors"].split(",")[0].split()[-1].lower()
        words = record["title"].split()[:2]
        for typed in (surname[:4], " ".join(words)):
            began = time.process_time()
            await library.search(typed, None)
            times.append(time.process_time() - began)
    library.close()
    slow = statistics.quantiles(times, n=20)[-1]
    return _tell(
        f"completion, p95 of {len(times)} (median {statistics.median(times) * 1000:.0f} ms)", slow, _COMPLETION
    )


def _seconds(run: Callable[[], None]) -> float:
    began = time.process_time()
    run()
    return time.process_time() - began


def _tell(what: str, seconds: float, aim: float | None) -> bool:
    print(f"{what}: {seconds:.3f} s" + (f" (aim: {aim:g} s)" if aim else ""))
    return aim is not None and seconds > aim


if __name__ == "__main__":
    raise SystemExit(main())
