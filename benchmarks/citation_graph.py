"""How fast citations are taken in, how much memory that takes, and how fast neighbours are found.

    python -m benchmarks.citation_graph [--lines 10000000] [--each 2] [--shuffled]

Lines are made up, as a snapshot of all of arXiv would give them; everything goes into a temporary folder.
"""

import argparse
import random
import statistics
import tempfile
import time
from datetime import date
from pathlib import Path

from benchmarks.gold import machine
from benchmarks.ingest import corpus_size, open_corpus, peak_memory

_PAPERS = 2_200_000
_SEEDS = 20


def made_up_id(number: int) -> str:
    """The id of paper `number` of `_PAPERS`, ten thousand a month from 2007 on."""
    month, within = divmod(number, 10_000)
    year, month = divmod(month, 12)
    return f"{7 + year:02d}{month + 1:02d}.{within:0{5 if year >= 8 else 4}d}"


def write_lines(file: Path, lines: int, each: int, shuffled: bool) -> None:
    draw = random.Random(1)
    with file.open("w", encoding="ascii") as stream:
        for number in range(lines):
            citing = draw.randrange(_PAPERS) if shuffled else number * _PAPERS // lines
            cited = ", ".join(f'"{made_up_id(draw.randrange(_PAPERS))}"' for _ in range(each))
            stream.write(f'{{"id": "{made_up_id(citing)}", "cited": [{cited}]}}\n')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=10_000_000)
    parser.add_argument("--each", type=int, default=2, help="citations in a line")
    parser.add_argument("--shuffled", action="store_true", help="lines in no order")
    chosen = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "edges.jsonl"
        write_lines(file, chosen.lines, chosen.each, chosen.shuffled)
        corpus = open_corpus(Path(folder) / "home")
        clock, work = time.perf_counter(), time.process_time()
        done = corpus.add_edges([file], date(2026, 1, 1))
        clock, work = time.perf_counter() - clock, time.process_time() - work
        print(f"{chosen.lines:,} lines, {done.edges:,} citations: {clock:.0f} s, {work:.0f} s of a core,", end=" ")
        disk = corpus_size(Path(folder) / "home") / 1e6
        print(f"{chosen.lines / clock:,.0f} lines/s, peak {peak_memory()}, {disk:,.0f} MB")
        draw, taken = random.Random(2), []
        for _ in range(50):
            seeds = [made_up_id(draw.randrange(_PAPERS)) for _ in range(_SEEDS)]
            clock = time.perf_counter()
            corpus.graph.references(seeds)
            corpus.graph.citers(seeds)
            taken.append(1000 * (time.perf_counter() - clock))
        print(f"references and citers of {_SEEDS} papers: {statistics.median(taken):.1f} ms")
        clock = time.perf_counter()
        print(f"graph info {corpus.graph.counts().papers:,} papers, {time.perf_counter() - clock:.1f} s")
        corpus.close()


if __name__ == "__main__":
    main()
