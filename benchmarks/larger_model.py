"""What a larger embedding model finds, alone and as `--rescorer` of the papers that citeplug finds.

    python -m benchmarks.larger_model FOLDER [--data ../shared/data] [--home DIR]

FOLDER holds a sentence-transformers model such as all-mpnet-base-v2; nothing is downloaded. The pool is every paper
that a gold query cites and 500 others: as many as such a model can take in. Its vectors are kept under --home, by
the name FOLDER. Its cosine alone is Citegeist's retrieval; the last row is a search with `--rescorer FOLDER`, those
before it are what other weights would give.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from benchmarks.gold import DATA, Gold, fixed_pool, id_and_line, machine, mean_recall, read_gold
from benchmarks.tune_retrieval import halves
from citeplug.corpus.fusion import best_first
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import open_corpus
from citeplug.protocols import Vectors
from citeplug.records.paper import ArxivId, Filter, Paper
from citeplug.related.retrieve.candidates import rescore, search
from citeplug.settings.environment import read_settings

OTHERS = 500
CUTS = (10, 20, 50)
WEIGHTS = (0.25, 0.5, 1.0, 1.5)

Rank = Callable[[Gold], list[str]]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, metavar="FOLDER")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    chosen = parser.parse_args()
    print("python -m benchmarks.larger_model " + " ".join(sys.argv[1:]))
    print(machine())
    gold = read_gold(chosen.data)
    lines = fixed_pool(chosen.data, gold, len({value for query in gold for value in query.cited}) + OTHERS)
    ids = [value for value, _ in id_and_line(lines)]
    settings, place = replace(read_settings(), home=chosen.home), chosen.home / "closed-pool"
    with (
        tempfile.TemporaryDirectory() as folder,
        open_corpus(replace(settings, corpus=place)) as corpus,
        open_corpus(replace(settings, rescorer=str(chosen.model.resolve()), corpus=place)) as larger,
    ):
        file = Path(folder) / "pool.jsonl"
        file.write_text("".join(lines), encoding="utf-8")
        corpus.add([file])
        print(f"{len(gold)} queries, {len(ids):,} records; recall of the cited papers")
        both, large = _found(gold, larger, ids)
        compare(gold, _cosines(gold, corpus, ids), large, _found(gold, corpus, ids)[0], both)
    return 0


Scored = dict[str, dict[str, float]]


def compare(gold: Sequence[Gold], small: Scored, large: Scored, ours: Scored, both: Scored) -> None:
    """A row for each way: all queries, the half that nothing was chosen on, those that are not from Paperscape."""
    second = halves(gold)[1]
    groups = {
        f"all, {len(gold)}": gold,
        f"one half, {len(second)}": second,
        "not physics": [query for query in gold if query.source != "paperscape"],
    }
    rows: dict[str, Rank] = {
        "MiniLM, cosine": lambda query: best_first(small[query.query_id]),
        "the larger model, cosine: Citegeist's way": lambda query: best_first(large[query.query_id]),
        "citeplug": lambda query: best_first(ours[query.query_id]),
    }
    for weight in WEIGHTS:
        rows[f"citeplug, with the larger model x {weight}"] = _blend(ours, large, weight)
    rows["citeplug --rescorer"] = lambda query: best_first(both[query.query_id])
    print(f"{'':44}" + "".join(f"{name:>24}" for name in groups))
    print(f"{'':44}" + "".join(f"{' '.join(f'@{cut}' for cut in CUTS):>24}" for _ in groups))
    for name, rank in rows.items():
        runs = {query.query_id: [value for value in rank(query) if value not in query.exclude] for query in gold}
        cells = (" ".join(f"{value:.3f}" for value in mean_recall(runs, part, CUTS)) for part in groups.values())
        print(f"{name:44}" + "".join(f"{cell:>24}" for cell in cells), flush=True)


class Known:
    """A `Rescorer` whose cosines are known."""

    def __init__(self, scores: Mapping[str, float]) -> None:
        self._scores = scores

    def cosines(
        self,
        text: str,
        papers: Sequence[Paper],
        seconds: float | None = None,
        tell: Callable[[int, int], None] | None = None,
    ) -> Mapping[str, float]:
        return {paper.id.value: self._scores[paper.id.value] for paper in papers}


def _blend(ours: Scored, large: Scored, weight: float) -> Rank:
    def rank(query: Gold) -> list[str]:
        known = Known(large[query.query_id])
        return best_first(rescore(ours[query.query_id], "", known, _bare, None, weight=weight))

    return rank


def _bare(ids: Sequence[str]) -> dict[str, Paper]:
    return {value: Paper(ArxivId(value), "", "", (), date.min, date.min) for value in ids}


def _cosines(gold: Sequence[Gold], corpus: Corpus, ids: Sequence[str]) -> Scored:
    vectors = corpus.vectors(ids)
    asked: Vectors = corpus.embed([query.text for query in gold])
    return {
        query.query_id: {value: float(vectors[value] @ vector) for value in ids}
        for query, vector in zip(gold, asked, strict=True)
    }


def _found(gold: Sequence[Gold], corpus: Corpus, ids: Sequence[str]) -> tuple[Scored, Scored]:
    """What a search finds, and the cosines of the second model where there is one."""
    papers = list(corpus.papers(ids).values())
    found, cosines = {}, {}
    for query in gold:
        if corpus.rescorer is not None:
            cosines[query.query_id] = dict(corpus.rescorer.cosines(query.text, papers))
        candidates = search(query.text, corpus, Filter(exclude=query.exclude), len(ids), seconds=None)
        found[query.query_id] = {candidate.paper.id.value: candidate.score for candidate in candidates}
    return found, cosines


if __name__ == "__main__":
    raise SystemExit(main())
