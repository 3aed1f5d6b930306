"""Recall of the papers that real papers cite: citeplug beside plain BM25 and plain MiniLM cosine, in one run.

    python -m benchmarks.retrieval [--data ../shared/data] [--full] [--home DIR]

A query is title, full stop and abstract of a real paper; its own ids are removed, no date is used. All three
search the same records: a fixed pool (every cited record, and others drawn with a fixed seed), or with
--full the whole sample. Vectors are kept in the catalogue under --home (by default `benchmarks` in
CITEPLUG_HOME or the user's data directory), so that a second run takes seconds. Ends with 1 unless citeplug
is above both at every cut-off.
"""

import statistics
import sys
import time
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from benchmarks.gold import (
    CUTS,
    GOLD,
    SAMPLE,
    Gold,
    gold_corpus,
    machine,
    mean_recall,
    read_arguments,
    read_gold,
)
from citeplug.corpus.index import Corpus
from citeplug.protocols import PaperIndex, Vectors
from citeplug.records.paper import Filter
from citeplug.related.retrieve.candidates import search

DEPTH = max(CUTS)
CHUNK = 512

Runs = dict[str, list[str]]


class Lazily:
    """A corpus of which only those vectors are used that a query's own words call for, whatever was asked before."""

    def __init__(self, corpus: Corpus) -> None:
        self.records = corpus.records
        self.papers = corpus.papers
        self.rescorer = corpus.rescorer
        self.unembedded = corpus.unembedded
        self.lexical = corpus.lexical
        self.keywords = corpus.keywords
        self.records_with = corpus.records_with
        self.vectors = corpus.vectors
        self.vectors_of = corpus.vectors_of
        self.embed = corpus.embed

    def nearest(self, vector: Vectors, k: int, where: Filter) -> list[tuple[str, float]]:
        return []


def bm25(gold: Sequence[Gold], ids: Sequence[str], texts: Sequence[str]) -> Runs:
    """Plain BM25 as bm25s has it: English stop words, k1 1.5, b 0.75, nothing else."""
    import bm25s

    index = bm25s.BM25(k1=1.5, b=0.75)
    index.index(bm25s.tokenize(list(texts), stopwords="en", show_progress=False), show_progress=False)
    queries = bm25s.tokenize([query.text for query in gold], stopwords="en", show_progress=False)
    most = min(len(ids), DEPTH + max(len(query.exclude) for query in gold))
    found, _ = index.retrieve(queries, k=most, show_progress=False)
    return {q.query_id: _without_own(q, (ids[row] for row in rows)) for q, rows in zip(gold, found, strict=True)}


def cosine(gold: Sequence[Gold], ids: Sequence[str], vectors: Vectors, asked: Vectors) -> Runs:
    """Plain cosine over all records, exactly. `vectors` is (n, d), `asked` (queries, d), unit rows."""
    runs = {}
    for query, vector in zip(gold, asked, strict=True):
        rows = np.argsort(-(vectors @ vector), kind="stable")[: DEPTH + len(query.exclude)]
        runs[query.query_id] = _without_own(query, (ids[row] for row in rows))
    return runs


def citeplug(gold: Sequence[Gold], index: PaperIndex) -> tuple[Runs, float]:
    """What `citeplug search --wait` gives, and the median seconds of a query."""
    runs, seconds = {}, []
    for query in gold:
        start = time.perf_counter()
        found = search(query.text, index, Filter(exclude=query.exclude), DEPTH, seconds=None)
        seconds.append(time.perf_counter() - start)
        runs[query.query_id] = [candidate.paper.id.value for candidate in found]
    return runs, statistics.median(seconds)


def _without_own(query: Gold, found: Iterable[str]) -> list[str]:
    return [value for value in found if value not in query.exclude][:DEPTH]


def all_vectors(corpus: Corpus, ids: Sequence[str]) -> Vectors:
    """(n, d) vectors of all records, computed where there are none yet."""
    start, before = time.perf_counter(), corpus.info()["embedded"]
    vectors: dict[str, Vectors] = {}
    for place in range(0, len(ids), CHUNK):
        vectors.update(corpus.vectors(ids[place : place + CHUNK]))
        progress(place, len(ids), start)
    new = len(ids) - before
    seconds = time.perf_counter() - start
    print(f"embedded {new:,} records in {seconds:.0f} s" + (f", {new / seconds:.0f} a second" if new else ""))
    return np.stack([vectors[value] for value in ids])


def progress(done: int, total: int, start: float) -> None:
    """A line that is written over, on a terminal alone."""
    if sys.stderr.isatty():
        left = (time.perf_counter() - start) / done * (total - done) if done else 0
        print(f"\r{done:,} of {total:,} embedded, {left:.0f} s left   ", end="", file=sys.stderr, flush=True)


def report(gold: Sequence[Gold], runs: Mapping[str, Runs]) -> None:
    """A table: all queries together, then each gold source by itself."""
    sources = [("all", list(gold))]
    sources += [(s, [q for q in gold if q.source == s]) for s in dict.fromkeys(query.source for query in gold)]
    print(f"\n{'recall of the cited papers':34}" + "".join(f"{f'@{cut}':>8}" for cut in CUTS))
    for source, queries in sources:
        print(f"{source}, {len(queries)} queries")
        for name, results in runs.items():
            print(f"  {name:32}" + "".join(f"{value:8.3f}" for value in mean_recall(results, queries)))


def main() -> int:
    """Print the numbers; 1 unless citeplug is above both baselines at every cut-off."""
    chosen = read_arguments(__doc__ or "")
    print("python -m benchmarks.retrieval " + " ".join(sys.argv[1:]))
    print(machine())
    print(f"read {chosen.data / GOLD} and {chosen.data / SAMPLE}")

    gold = read_gold(chosen.data)
    with gold_corpus(chosen.data, chosen.home, gold, full=chosen.full) as (corpus, ids):
        vectors = all_vectors(corpus, ids)
        papers = corpus.papers(ids)
        texts = [f"{papers[value].title}. {papers[value].abstract}" for value in ids]
        ours, seconds = citeplug(gold, corpus)
        runs = {
            "BM25 (bm25s)": bm25(gold, ids, texts),
            "MiniLM, cosine": cosine(gold, ids, vectors, corpus.embed([query.text for query in gold])),
            "citeplug": ours,
        }
        if chosen.full:
            runs["citeplug, its own candidates only"] = citeplug(gold, Lazily(corpus))[0]
    report(gold, runs)
    print(f"\nciteplug: {1000 * seconds:.0f} ms a query (median), with every record embedded")
    ours_at, *others = (mean_recall(runs[name], gold) for name in ("citeplug", "BM25 (bm25s)", "MiniLM, cosine"))
    best = [max(values) for values in zip(*others, strict=True)]
    print(
        "citeplug / the better of the two: "
        + ", ".join(f"{mine / theirs:.2f} @{cut}" for mine, theirs, cut in zip(ours_at, best, CUTS, strict=True))
    )
    if all(mine > theirs for mine, theirs in zip(ours_at, best, strict=True)):
        return 0
    print("citeplug is not above both at every cut-off", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
