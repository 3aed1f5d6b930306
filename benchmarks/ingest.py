"""How fast records are taken in, and how fast they are found again.

    python -m benchmarks.ingest [FILE]

FILE is a snapshot (default: the sample beside the project). Everything goes into a temporary folder. Nothing is
embedded: that is lazy, and measured by `python -m benchmarks.ingest --embed`, on 256 of the records.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from citeplug.corpus.index import Corpus
from citeplug.corpus.record_rows import embedded_text
from citeplug.corpus.vectors.chroma import ChromaStore
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.corpus.vectors.minilm import MiniLM
from citeplug.records.paper import Filter, Paper
from citeplug.sources.snapshot import SnapshotReader

SAMPLE = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "arxiv_sample.jsonl.gz"
LIMIT = 180.0  # seconds for the sample, catalogue and lexical index


def peak_memory() -> str:
    """The most memory this process has held so far, in words."""
    try:
        import resource
    except ImportError:
        return "not measured on this system"
    unit = 1 if sys.platform == "darwin" else 1024
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6:.0f} MB"


def milliseconds(run: Callable[[], object], times: int = 20) -> float:
    """Median over some runs, after one that is not counted."""
    taken = []
    for _ in range(times + 1):
        start = time.perf_counter()
        run()
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken[1:])


def open_corpus(home: Path) -> Corpus:
    return Corpus(home, lambda: open_embedder(None), lambda model: ChromaStore(home, model))


def take_in(file: Path, home: Path) -> float:
    """Print what adding the file costs, the first time and again; returns the seconds of the first time."""
    for name in ("new", "again"):
        corpus = open_corpus(home)
        report = corpus.add([file])
        corpus.close()
        records = report.added + report.changed + report.unchanged
        print(
            f"{name:10} {report.seconds:7.1f} s  {records / report.seconds:9,.0f} records/s"
            f"  peak {peak_memory()}"
            f"  (added {report.added:,}, unchanged {report.unchanged:,}, skipped {report.skipped:,})"
        )
        if name == "new":
            seconds = report.seconds
            print(f"on disk    {corpus_size(home) / 1e6:7.1f} MB")
    return seconds


def corpus_size(home: Path) -> int:
    return sum(file.stat().st_size for file in home.rglob("*") if file.is_file())


def look_up(papers: list[Paper], home: Path) -> None:
    """Print how long an open corpus takes to answer."""
    start = time.perf_counter()
    corpus = open_corpus(home)
    corpus.lexical("graph attention networks", 20, Filter())
    print(f"open, first query        {1000 * (time.perf_counter() - start):7.1f} ms")
    abstract, ids = papers[0].abstract, [paper.id.value for paper in papers]
    print(
        f"three words, 20 results  {milliseconds(lambda: corpus.lexical('graph attention net', 20, Filter())):7.1f} ms"
    )
    print(f"abstract, 1,000 results  {milliseconds(lambda: corpus.lexical(abstract, 1000, Filter())):7.1f} ms")
    print(f"{len(ids):,} records by id     {milliseconds(lambda: corpus.papers(ids)):7.1f} ms")
    corpus.close()


def embed(papers: list[Paper], home: Path) -> None:
    """Print how long the built-in model takes to be made, to load, and to embed."""
    texts = [embedded_text(paper) for paper in papers[:256]]
    for precision in ("int8", "fp32"):
        for name in ("made and loaded", "loaded"):
            start = time.perf_counter()
            model = MiniLM(precision)
            model.embed(texts[:1])
            print(f"{precision} {name:16} {time.perf_counter() - start:7.2f} s")
        start = time.perf_counter()
        model.embed(texts)
        print(f"{precision} embeds           {len(texts) / (time.perf_counter() - start):7.1f} records/s")


def main() -> int:
    """Print all of it; 1 if the sample took longer than its limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ingest")
    parser.add_argument("file", type=Path, nargs="?", default=SAMPLE)
    parser.add_argument("--embed", action="store_true", help="measure embedding as well")
    asked = parser.parse_args()
    if not asked.file.exists():
        print(f"{asked.file} is not there: name a snapshot")
        return 0
    print(f"python -m benchmarks.ingest {asked.file}")
    papers = list(islice(SnapshotReader(asked.file), 1000))
    # A reader of the lexical index may hold a file for a moment longer, on Windows.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        seconds = take_in(asked.file, home)
        look_up(papers, home)
        if asked.embed:
            embed(papers, home)
    if asked.file != SAMPLE:
        return 0
    print(f"limit {LIMIT:.0f} s: {'kept' if seconds <= LIMIT else 'missed'}")
    return int(seconds > LIMIT)


if __name__ == "__main__":
    raise SystemExit(main())
