"""How sure the mark of `citeplug news` is that a newer paper claims what a draft does.

    python -m benchmarks.concurrent_work [--data ../shared/data] [--home DIR] [--show N]

The papers of `citations/cs_edges.jsonl.gz`, NeurIPS and ICML, are drafts of title and abstract, each beside the 30
nearest to it that came within a year after it. A pair passes where a sentence of the newer abstract is near one
by which the draft states its contribution, and the abstracts are as near as the bar asks. Printed for each bar: pairs,
in how many of them one paper cites the other (what is known of their lists: some such pairs are on one problem and
do not), in how many one does or both cite two papers of the set; and the share that passes of pairs of one year of
which each cites the other, and of others of one category that do not cite each other. With --show N pairs to read.
"""

import argparse
import gzip
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.gold import DATA, SAMPLE, machine
from benchmarks.selection import HERE
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import open_corpus
from citeplug.prepare.statements import NEAR, claims_of_draft, own_sentences
from citeplug.protocols import Vectors
from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId
from citeplug.related.news import SAME_MATTER
from citeplug.settings.environment import read_settings

EDGES, RECORDS = "citations/cs_edges.jsonl.gz", "citations/cs_records.jsonl.gz"
BARS = (0.0, 0.6, 0.7, 0.74, SAME_MATTER, 0.8)
NEAREST, MONTHS, NEGATIVES, AT_ONCE = 30, 12, 20_000, 128


class Papers:
    """Titles, abstracts, categories, months and known citations of the papers, by row."""

    def __init__(self, data: Path, corpus: Corpus) -> None:
        lists = {row["id"]: frozenset(row["cited"]) for row in _rows(data / EDGES)}
        rows = {row["id"]: row for name in (SAMPLE, RECORDS) for row in _rows(data / name) if row["id"] in lists}
        self.ids = sorted(rows)
        self.cited = [lists[value] for value in self.ids]
        self.categories = [(rows[value]["categories"] or "?").split()[0] for value in self.ids]
        months = (ArxivId.parse(value).month for value in self.ids)
        self.months = np.array([12 * month.year + month.month for month in months])
        self.titles = [" ".join(rows[value]["title"].split()) for value in self.ids]
        abstracts = [" ".join(rows[value]["abstract"].split()) for value in self.ids]
        told = zip(self.titles, abstracts, strict=True)
        drafts = [Draft(HERE.file, (HERE.file,), title, abstract) for title, abstract in told]
        self.said = [claims_of_draft(draft) for draft in drafts]
        self.own = [[text[start:end] for start, end in own_sentences(text)] for text in abstracts]
        sentences = sorted({text for some in (*self.said, *self.own) for text in some})
        self.place = {text: row for row, text in enumerate(sentences)}
        self.vectors = _embed(sentences, corpus)
        self.whole = _embed([f"{each.title}. {each.abstract}" for each in drafts], corpus)

    def nearest_sentences(self, draft: int, paper: int) -> tuple[float, str, str]:
        said, own = self.said[draft], self.own[paper]
        if not said or not own:
            return 0.0, "", ""
        rows = [[self.place[text] for text in texts] for texts in (said, own)]
        cosines = self.vectors[rows[0]] @ self.vectors[rows[1]].T
        one, other = divmod(int(np.argmax(cosines)), len(own))
        return float(cosines[one, other]), said[one], own[other]

    def cites(self, one: int, other: int) -> bool:
        return self.ids[one] in self.cited[other] or self.ids[other] in self.cited[one]

    def passes(self, draft: int, paper: int, bar: float) -> bool:
        near = float(self.whole[draft] @ self.whole[paper]) >= bar
        return near and self.nearest_sentences(draft, paper)[0] >= NEAR


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def _embed(texts: Sequence[str], corpus: Corpus) -> Vectors:
    return np.concatenate([corpus.embed(texts[start : start + AT_ONCE]) for start in range(0, len(texts), AT_ONCE)])


def found_pairs(papers: Papers) -> list[tuple[int, int]]:
    """Each paper with those of the year after it whose abstracts are nearest, and that have a near sentence."""
    pairs = []
    for draft, month in enumerate(papers.months):
        later = np.flatnonzero((papers.months >= month) & (papers.months <= month + MONTHS))
        later = later[later != draft]
        order = later[np.argsort(-(papers.whole[later] @ papers.whole[draft]))][:NEAREST]
        pairs += [(draft, int(paper)) for paper in order if papers.passes(draft, int(paper), 0.0)]
    return pairs


def other_pairs(papers: Papers) -> list[tuple[int, int]]:
    drawn = random.Random(5)
    pairs: list[tuple[int, int]] = []
    while len(pairs) < NEGATIVES:
        one, other = drawn.randrange(len(papers.ids)), drawn.randrange(len(papers.ids))
        near = 0 <= papers.months[other] - papers.months[one] <= MONTHS
        if (
            one != other
            and near
            and papers.categories[one] == papers.categories[other]
            and not papers.cites(one, other)
        ):
            pairs.append((one, other))
    return pairs


def mutual_pairs(papers: Papers) -> list[tuple[int, int]]:
    row = {value: number for number, value in enumerate(papers.ids)}
    pairs = [
        (row[cited], number)
        for number, value in enumerate(papers.ids)
        for cited in papers.cited[number]
        if cited in row and value in papers.cited[row[cited]]
    ]
    return [(one, other) for one, other in pairs if 0 <= papers.months[other] - papers.months[one] <= MONTHS]


def main() -> int:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    parser.add_argument("--show", type=int, default=0, metavar="N")
    chosen = parser.parse_args()
    print("python -m benchmarks.concurrent_work " + " ".join(sys.argv[1:]))
    print(machine())
    with open_corpus(replace(read_settings(), home=chosen.home)) as corpus:
        papers = Papers(chosen.data, corpus)
    found, mutual, others = found_pairs(papers), mutual_pairs(papers), other_pairs(papers)
    print(f"{len(papers.ids):,} papers; {len(mutual)} pairs of one year cite each other, {len(others):,} do not")
    print(f"{'abstracts from':>15}{'pairs':>8}{'cite':>8}{'or 2 alike':>12}{'mutual':>10}{'others':>10}")
    for bar in BARS:
        some = [pair for pair in found if papers.passes(*pair, bar)]
        cite = [papers.cites(*pair) for pair in some]
        alike = [papers.cites(*pair) or len(papers.cited[pair[0]] & papers.cited[pair[1]]) > 1 for pair in some]
        rest = [np.mean([papers.passes(*pair, bar) for pair in pairs]) for pairs in (mutual, others)]
        print(f"{bar:15}{len(some):8,}{np.mean(cite):8.2f}{np.mean(alike):12.2f}{rest[0]:10.3f}{rest[1]:10.5f}")
    some = [pair for pair in found if papers.passes(*pair, SAME_MATTER)]
    for one, other in random.Random(11).sample(some, min(chosen.show, len(some))):
        _, said, own = papers.nearest_sentences(one, other)
        print(f"\n{papers.titles[one]}\n{papers.titles[other]}\n  you: {said}\n  there: {own}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
