"""How many references of real papers are resolved to the right record, to another one, and how fast.

    python -m benchmarks.reference_resolution [--data DIR] [--home DIR]

Of entries that print an arXiv id whose record is known the id is hidden, and the rest has to tell: DOI, title, authors
and year. The records are the sample and the papers of the graph, 97,053 in all; they are taken in once. Nothing was
tuned on dates or missing fields of the records.
"""

import argparse
import gzip
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.gold import DATA, SAMPLE, machine
from citeplug.bibtex.reference_list import read_bbl
from citeplug.corpus.stores import open_corpus
from citeplug.records.passage import Reference, Resolved
from citeplug.settings.environment import read_settings

LISTS, RECORDS = "citations/bbl_dev.jsonl.gz", "citations/cs_records.jsonl.gz"
RIGHT, WRONG, MANY = 0.93, 0.002, 300_000  # the aims: shares, and entries in a minute of one core


def read_files(data: Path) -> Iterator[str]:
    """The texts of all .bbl files."""
    with gzip.open(data / LISTS, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield from json.loads(line)["files"].values()


def judge(resolved: list[Resolved], known: set[str]) -> Counter[str]:
    """How many of the entries with a known printed id were resolved `right`, `wrong` and to `none`."""
    counts: Counter[str] = Counter()
    for each in resolved:
        if each.reference.arxiv_id in known:
            right = "right" if each.paper == each.reference.arxiv_id else "wrong"
            counts["none" if each.paper is None else right] += 1
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder of {SAMPLE} and {LISTS}")
    home = read_settings().home / "benchmarks" / "graph"
    parser.add_argument("--home", type=Path, default=home, help="where the catalogue is kept (default: %(default)s)")
    chosen = parser.parse_args()
    missing = [name for name in (SAMPLE, LISTS, RECORDS) if not (chosen.data / name).is_file()]
    if missing:
        parser.error(f"{chosen.data} has no {' and no '.join(missing)}: give their folder with --data")
    print(f"{chosen.data / LISTS}\n{machine()}")
    with open_corpus(replace(read_settings(), home=chosen.home)) as corpus:
        corpus.add([chosen.data / SAMPLE, chosen.data / RECORDS])
        began = time.process_time()
        corpus.graph.catch_up()
        print(f"{corpus.records:,} records, their names made in {time.process_time() - began:.1f} s")
        texts = list(read_files(chosen.data))
        began = time.process_time()
        lists: list[list[Reference]] = [read_bbl(text) for text in texts]
        read = time.process_time()
        resolved = [each for one in lists for each in corpus.graph.resolve(one, printed_ids=False)]
        seconds = time.process_time() - began
        known = set(corpus.papers([each.reference.arxiv_id for each in resolved if each.reference.arxiv_id]))
    counts, entries = judge(resolved, known), len(resolved)
    hidden = sum(counts.values())
    print(f"{entries:,} entries of {len(texts)} files: read {(read - began) / entries * 1e6:.0f} µs, in all", end=" ")
    print(f"{seconds / entries * 1e6:.0f} µs each; {MANY:,} would take {MANY * seconds / entries:.0f} s (aim 60 s)")
    how = Counter(each.how for each in resolved)
    print(f"by DOI {how['doi']:,}, by title {how['title']:,}, to no record {how['none']:,}")
    right, wrong = counts["right"] / hidden, counts["wrong"] / hidden
    print(f"of {hidden:,} whose hidden id is known: right {right:.1%} (aim {RIGHT:.0%}),", end=" ")
    print(f"another paper {wrong:.2%} (aim {WRONG:.1%} at most), none {counts['none'] / hidden:.1%}")


if __name__ == "__main__":
    main()
