"""Weighted reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""

from collections.abc import Sequence
from typing import NamedTuple

RRF_CONSTANT = 60  # the paper's k: how little the very first ranks stand out


class Ranking(NamedTuple):
    """Ids, best first, and the weight (0 or more) that this ranking has among others."""

    ids: Sequence[str]
    weight: float = 1.0


def fuse(rankings: Sequence[Ranking], constant: float = RRF_CONSTANT) -> list[tuple[str, float]]:
    """All ids with the sum of weight / (constant + rank) over the rankings, best first; ranks count from 1.

    Equal scores are ordered by id, so that equal input gives equal output. Of an id that stands twice in one
    ranking the better rank counts.
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        if ranking.weight <= 0:
            continue
        for rank, value in enumerate(dict.fromkeys(ranking.ids), 1):
            scores[value] = scores.get(value, 0.0) + ranking.weight / (constant + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
