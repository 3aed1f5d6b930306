"""Document importance: how often the cited papers are cited themselves (DeepScholar-Bench, arXiv:2508.20033)."""

from collections.abc import Collection
from statistics import median


def document_importance(
    cited: Collection[int | None], gold: Collection[int | None], *, as_published: bool = False
) -> float | None:
    """Return the median count of citations of the `cited` papers, divided by that of the `gold` ones, at most 1.

    None stands for a paper whose count is not known, which is left out. Without a median on either side, or with one of
    0 for the gold papers, the result is None; as published (`document_importance.py`) it is 0 and enters the mean.
    """
    ours, theirs = ([each for each in side if each is not None] for side in (cited, gold))
    if not ours or not theirs or not median(theirs):
        return 0.0 if as_published else None
    return min(median(ours) / median(theirs), 1.0)
