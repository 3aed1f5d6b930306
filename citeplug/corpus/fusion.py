"""Fusion of rankings, by ranks or by scores.

By ranks: weighted reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). By scores: each brought to mean 0
and variance 1 (Montague and Aslam, CIKM 2001), summed, and smoothed over similar papers (Diaz,
"Regularizing ad hoc retrieval scores", CIKM 2005).
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from citeplug.protocols import Vectors

RRF_CONSTANT = 60  # the paper's k: the larger, the less the very first ranks stand out
STANDARD = 1000  # best scores of a ranking that give its mean and variance
# Any of 0.5 to 0.6, 200 to 600, 1 to 1.5 and 0.5 to 2 does within 0.01 as well: benchmarks/tune_retrieval.py.
NEAR = 0.6  # cosine from which papers are neighbours
NEIGHBOURHOOD = 400  # best papers whose scores are smoothed
EVENING = 1.0  # weight of the neighbours' mean beside a paper's own score
LONELINESS = 0.5  # squared cosines of a neighbour without a score, for papers that have hardly any


class Ranking(NamedTuple):
    """Ids, best first, with the weight (0 or more) of this ranking."""

    ids: Sequence[str]
    weight: float = 1.0


def fuse(rankings: Sequence[Ranking]) -> list[tuple[str, float]]:
    """Return all ids with the sum of weight / (RRF_CONSTANT + rank) over the rankings, best first; ranks count from 1.

    Equal scores are ordered by id, so that equal input gives equal output. If an id is twice in a ranking, the better
    rank is used.
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        if ranking.weight <= 0:
            continue
        for rank, value in enumerate(dict.fromkeys(ranking.ids), 1):
            scores[value] = scores.get(value, 0.0) + ranking.weight / (RRF_CONSTANT + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


class Scores(NamedTuple):
    """Scores by id, higher is better, with the weight (0 or more) of this list."""

    by_id: Mapping[str, float]
    weight: float = 1.0


def combine(lists: Sequence[Scores]) -> dict[str, float]:
    """Return the weighted sum of standardised scores by id; an id that is not in a list gets its worst score."""
    ids = list(dict.fromkeys(chain.from_iterable(ranking.by_id for ranking in lists)))
    place = dict(zip(ids, range(len(ids)), strict=True))
    total = np.zeros(len(ids))
    for scores, weight in lists:
        if weight <= 0 or not scores:
            continue
        values = np.fromiter(scores.values(), np.float64, len(scores))
        best = np.sort(values)[-STANDARD:]
        standard = (values - best.mean()) / (best.std() + 1e-6)
        column = np.full(len(ids), standard.min())
        column[[*map(place.__getitem__, scores)]] = standard
        total += weight * column
    return dict(zip(ids, total.tolist(), strict=True))


def even_out(
    scores: Mapping[str, float],
    vectors: Mapping[str, Vectors],
    near: float = NEAR,
    evening: float = EVENING,
    loneliness: float = LONELINESS,
) -> dict[str, float]:
    """Smooth scores: raise each of the best by the mean of its neighbours' scores, as far as they are above 0.

    Papers that are cited together are similar: a paper near relevant ones is likelier to be relevant.
    `vectors` are unit vectors (d,) by id; a paper without one keeps its score.
    """
    best = [value for value in best_first(scores)[:NEIGHBOURHOOD] if value in vectors]
    if len(best) < 2:
        return dict(scores)
    rows = np.concatenate([vectors[value] for value in best]).reshape(len(best), -1)
    weights = rows @ rows.T
    np.fill_diagonal(weights, 0)
    weights *= weights > near
    weights *= weights
    own = np.array([scores[value] for value in best])
    raised = own + evening * (weights @ np.maximum(own, 0)) / (weights.sum(axis=1) + loneliness)
    return {**scores, **dict(zip(best, raised.tolist(), strict=True))}


def lift(scores: Mapping[str, float], by: Mapping[str, float], weight: float) -> dict[str, float]:
    """Raise each score that is in `by` by that many times `weight` of their standard deviation.

    For evidence that few papers have: brought to variance 1, it would count the more the fewer there are.
    """
    spread = float(np.std([scores[value] for value in by])) if by else 0.0
    return {**scores, **{value: scores[value] + weight * spread * boost for value, boost in by.items()}}


def best_first(scores: Mapping[str, float]) -> list[str]:
    """Return the ids by score; equal ones by id, so that equal input gives equal output."""
    return sorted(sorted(scores), key=scores.__getitem__, reverse=True)
