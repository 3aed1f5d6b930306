"""Paired bootstrap: how sure the difference of two runs is (Efron and Tibshirani, 1993, chapter 13)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

RESAMPLES, CONFIDENCE, SEED = 10_000, 0.95, 2025
_AT_ONCE = 1_000_000  # drawn places, 8 bytes each


@dataclass(frozen=True, slots=True)
class Interval:
    """Mean of second minus first over `queries`, and its percentile interval."""

    difference: float
    low: float
    high: float
    queries: int


def paired_bootstrap(
    first: Mapping[str, float],
    second: Mapping[str, float],
    *,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> Interval | None:
    """Compare two runs on the queries that both have a value for; None without one.

    Queries are drawn with replacement, both runs' values together. The same values and seed give the same interval,
    whatever the order of the mappings.
    """
    both = sorted(first.keys() & second.keys())
    if not both:
        return None
    differences = np.array([second[query] - first[query] for query in both])
    means = np.concatenate(list(_means(differences, resamples, np.random.default_rng(seed))))
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(differences.mean()), float(low), float(high), len(both))


def _means(
    differences: np.ndarray[tuple[int], np.dtype[np.float64]], resamples: int, draw: np.random.Generator
) -> Iterator[np.ndarray[tuple[int], np.dtype[np.float64]]]:
    size = len(differences)
    step = max(1, _AT_ONCE // size)
    for done in range(0, resamples, step):
        places = draw.integers(0, size, size=(min(step, resamples - done), size))
        yield differences[places].mean(axis=1)
