"""Reordering of the first papers of a search by a larger embedding model, if the user chose one."""

from collections.abc import Callable, Mapping, Sequence

from citeplug.corpus.fusion import Scores, best_first, combine
from citeplug.protocols import Rescorer
from citeplug.records.paper import Paper
from citeplug.related.retrieve.space import Progress

RESCORED = 200  # papers of the first order that are scored again
WEIGHT = 0.75  # of the larger model beside the first order: benchmarks/larger_model.py


def rescore(
    scores: Mapping[str, float],
    text: str,
    rescorer: Rescorer | None,
    records: Callable[[Sequence[str]], Mapping[str, Paper]],
    seconds: float | None,
    on_progress: Progress | None = None,
    weight: float = WEIGHT,
) -> dict[str, float]:
    """Reorder the first 200 papers by a weighted sum of `scores` and the model's; return scores by id.

    The papers that the model has scored exchange their places, and the scores of these places, among themselves; a
    paper that it did not score within `seconds`, or that has no record, keeps its own.
    """
    if rescorer is None:
        return dict(scores)
    first = best_first(scores)[:RESCORED]
    papers = records(first)
    cosines = rescorer.cosines(text, [papers[value] for value in first if value in papers], seconds, on_progress)
    judged = [value for value in first if value in cosines]
    if len(judged) < 2:
        return dict(scores)
    ours = Scores({value: scores[value] for value in judged})
    theirs = Scores({value: cosines[value] for value in judged}, weight)
    places = [scores[value] for value in judged]
    return {**scores, **dict(zip(best_first(combine([ours, theirs])), places, strict=True))}
