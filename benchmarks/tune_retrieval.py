"""Choose the constants of retrieval on one half of the gold queries, and report on the other half.

    python -m benchmarks.tune_retrieval [--data ../shared/data] [--full] [--home DIR]

Prints what each ingredient adds, by leaving it out; then recall for every setting on the half to tune on, then the
best setting and the one in use on the half that had no part in it. What it is worth that a draft already cites:
benchmarks.selection.
No date, category or missing field takes part. Catalogue and vectors are those of benchmarks.retrieval.
"""

import random
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from types import ModuleType

from benchmarks.gold import CUTS, GOLD, SAMPLE, Gold, gold_corpus, machine, mean_recall, read_arguments, read_gold
from citeplug.corpus import fusion
from citeplug.corpus.fusion import Ranking, fuse
from citeplug.corpus.lexical import index as lexical
from citeplug.protocols import PaperIndex
from citeplug.records.paper import Filter, Query
from citeplug.related.retrieve import candidates

DEPTH = max(CUTS)
# What is tried, one table after the other; the others stay as they are in use.
GRIDS: tuple[dict[str, tuple[float, ...]], ...] = (
    {"FEEDBACK_PAPERS": (3, 5, 8), "FEEDBACK_SHARE": (0.3, 0.5), "FEEDBACK_WEIGHT": (0.3, 0.5, 0.8)},
    {"PAIRS_WEIGHT": (0.5, 1.0, 1.5), "TITLE_WEIGHT": (0.0, 0.3, 0.6), "FEEDBACK_PAIRS_WEIGHT": (0.0, 0.5, 0.75)},
    {"EVENING": (0.5, 1.0, 1.5), "NEAR": (0.45, 0.55, 0.6)},
)
MODULES = (candidates, fusion, lexical)  # where the constants are
# What is left out to see what it adds, with what it is then.
INGREDIENTS: dict[str, dict[str, float]] = {
    "feedback": {"FEEDBACK_WEIGHT": 0.0, "FEEDBACK_PAIRS_WEIGHT": 0.0},
    "  its words and vectors": {"FEEDBACK_WEIGHT": 0.0},
    "  its word pairs": {"FEEDBACK_PAIRS_WEIGHT": 0.0},
    "word pairs of the query": {"PAIRS_WEIGHT": 0.0},
    "words of the title": {"TITLE_WEIGHT": 0.0},
    "all of the wording": {"PAIRS_WEIGHT": 0.0, "TITLE_WEIGHT": 0.0, "FEEDBACK_PAIRS_WEIGHT": 0.0},
    "evening out": {"EVENING": 0.0},
    "square roots of counts in the query": {"QUERY_POWER": 1.0},
    "the title as a field": {"TITLE_BOOST": 0.0},
}

Results = dict[str, list[str]]


def halves(gold: Sequence[Gold]) -> tuple[list[Gold], list[Gold]]:
    """Two halves with the same share of every source, drawn with a fixed seed."""
    draw = random.Random(11)
    first: list[Gold] = []
    for source in sorted({query.source for query in gold}):
        same = sorted((query for query in gold if query.source == source), key=lambda query: query.query_id)
        first += draw.sample(same, len(same) // 2)
    return first, [query for query in gold if query not in first]


def retrieve(gold: Iterable[Gold], index: PaperIndex, ask: Callable[[Gold], list[Query]]) -> Results:
    """Ids of the first candidates for each query."""
    runs = {}
    for query in gold:
        found = candidates.retrieve_candidates(ask(query), index, Filter(exclude=query.exclude), DEPTH)
        runs[query.query_id] = [candidate.paper.id.value for candidate in found]
    return runs


def plainly(query: Gold) -> list[Query]:
    """The query as `citeplug search` asks it."""
    return [Query(query.text, "text")]


def show(name: str, runs: Results, gold: Sequence[Gold]) -> None:
    print(f"  {name:52}" + "".join(f"{value:8.3f}" for value in mean_recall(runs, gold)), flush=True)


def ingredients(gold: Sequence[Gold], index: PaperIndex) -> None:
    """Lexical and dense rankings alone and both by ranks; then all that is in use, and each ingredient left out."""
    runs: dict[str, Results] = {"lexical alone": {}, "dense alone": {}, "both, by ranks": {}}
    for query in gold:
        where = Filter(exclude=query.exclude)
        words = [value for value, _ in index.lexical(query.text, candidates.LEXICAL_DEPTH, where)]
        near = [value for value, _ in index.nearest(index.embed([query.text])[0], candidates.LEXICAL_DEPTH, where)]
        runs["lexical alone"][query.query_id] = words
        runs["dense alone"][query.query_id] = near
        runs["both, by ranks"][query.query_id] = [value for value, _ in fuse([Ranking(words), Ranking(near)])]
    nothing = {name: value for setting in INGREDIENTS.values() for name, value in setting.items() if value == 0}
    runs["both, by scores"] = _with({**nothing, "TITLE_BOOST": lexical.TITLE_BOOST}, gold, index)
    runs["all, as in use"] = _with({}, gold, index)
    for name, results in runs.items():
        show(name, results, gold)
    for name, setting in INGREDIENTS.items():
        show(f"  without {name}", _with(setting, gold, index), gold)


def tune(first: Sequence[Gold], second: Sequence[Gold], index: PaperIndex) -> None:
    """Try each grid on `first`; show the best by the mean over all cut-offs on `second`, beside the one in use."""
    found: dict[str, float] = {}
    for grid in GRIDS:
        scored = []
        for values in product(*grid.values()):
            setting = dict(zip(grid, values, strict=True))
            runs = _with(setting, first, index)
            show(_said(setting), runs, first)
            scored.append((sum(mean_recall(runs, first)), setting))
        found |= max(scored, key=lambda item: item[0])[1]
        print(f"  in use: {_said({name: getattr(_place(name), name) for name in grid})}")
    print("\non the other half")
    show(f"best: {_said(found)}", _with(found, second, index), second)
    show("in use", _with({}, second, index), second)


def _with(setting: dict[str, float], gold: Sequence[Gold], index: PaperIndex) -> Results:
    before = {name: getattr(_place(name), name) for name in setting}
    try:
        for name, value in setting.items():
            setattr(_place(name), name, value)
        return retrieve(gold, index, plainly)
    finally:
        for name, value in before.items():
            setattr(_place(name), name, value)


def _place(name: str) -> ModuleType:
    return next(module for module in MODULES if hasattr(module, name))


def _said(setting: dict[str, float]) -> str:
    return ", ".join(f"{name.removeprefix('FEEDBACK_').lower()} {value}" for name, value in setting.items())


def main() -> int:
    """Print the tables."""
    chosen = read_arguments(__doc__ or "")
    print("python -m benchmarks.tune_retrieval " + " ".join(sys.argv[1:]))
    print(machine())
    print(f"read {chosen.data / GOLD} and {chosen.data / SAMPLE}")
    gold = read_gold(chosen.data)
    first, second = halves(gold)
    with gold_corpus(chosen.data, chosen.home, gold, full=chosen.full) as (corpus, ids):
        for place in range(0, len(ids), 512):
            corpus.vectors(ids[place : place + 512])
        print(f"\n{'recall of the cited papers':54}" + "".join(f"{f'@{cut}':>8}" for cut in CUTS))
        print(f"the half to report on, {len(second)} queries")
        ingredients(second, corpus)
        print(f"\nthe half to tune on, {len(first)} queries")
        tune(first, second, corpus)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
