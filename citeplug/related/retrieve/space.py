"""Vectors of one retrieval, and their products on one core."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from citeplug.protocols import PaperIndex, Vectors
from citeplug.records.paper import Filter, Paper

_CHUNK = 256  # papers embedded between two reports of progress
Progress = Callable[[int, int], None]
P = ParamSpec("P")
R = TypeVar("R")


class Space:
    """Vectors by id: of the papers added, and of the nearest neighbours that the index found for queries.

    `known` are vectors that were got already, `absent` papers that had none then: these are not looked up again when no
    time is left to compute any. `reach` nearest neighbours of a query are taken in, of all that the index
    has embedded so far; with 0 there are the papers taken in alone. From the making of it on, `seconds` bound the time
    for computing others; None: no bound.
    """

    def __init__(
        self,
        index: PaperIndex,
        where: Filter,
        seconds: float | None,
        known: Mapping[str, Vectors] | None = None,
        reach: int = 0,
        absent: Collection[str] = (),
    ) -> None:
        self._index = index
        self._where = where
        self._reach = reach
        self._absent = frozenset(absent)
        self._end = None if seconds is None else time.monotonic() + seconds
        self._vectors = dict(known or {})
        self._matrix: Vectors | None = None

    def __contains__(self, value: str) -> bool:
        return value in self._vectors

    def take_in(self, ids: Sequence[str], on_progress: Progress | None = None) -> None:
        """Add vectors of papers of the catalogue, in this order while there is time."""
        missing = [value for value in ids if value not in self._vectors]
        if self.seconds_left == 0:
            missing = [value for value in missing if value not in self._absent]
        for start in range(0, len(missing), _CHUNK):
            if on_progress is not None:
                on_progress(start, len(missing))
            self._add(self._index.vectors(missing[start : start + _CHUNK], self.seconds_left))
        if on_progress is not None:
            on_progress(len(missing), len(missing))

    def embed(self, ids: Sequence[str], on_progress: Progress | None = None) -> None:
        """Have the index compute vectors of these papers, while there is time; they are not added here."""
        for start in range(0, len(ids), _CHUNK):
            if on_progress is not None:
                on_progress(start, len(ids))
            self._index.vectors(ids[start : start + _CHUNK], self.seconds_left)

    def take_in_live(self, papers: Sequence[Paper]) -> None:
        """Add vectors of papers from a source, while there is time."""
        self._add(self._index.vectors_of(papers, self.seconds_left) if papers else {})

    def _add(self, vectors: Mapping[str, Vectors]) -> None:
        if vectors:
            self._vectors.update(vectors)
            self._matrix = None

    @property
    def seconds_left(self) -> float | None:
        """Seconds left for computing vectors; None: no bound."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def near(self, vector: Vectors) -> dict[str, float]:
        """Cosine to `vector` of the papers taken in, and of its nearest neighbours."""
        if not self._reach:
            return self.cosines(vector)
        neighbours = [value for value, _ in self._index.nearest(vector, self._reach, self._where)]
        new = [value for value in neighbours if value not in self._vectors]
        # These have vectors already: nothing is computed.
        self._add(self._index.vectors(new, 0.0) if new else {})
        return self.cosines(vector)

    def cosines(self, vector: Vectors) -> dict[str, float]:
        """Return the cosines to `vector` (d,), of unit length, by id."""
        if not self._vectors:
            return {}
        rows = self._rows()
        return dict(zip(self._vectors, np.clip(rows @ vector, -1, 1).tolist(), strict=True))

    def _rows(self) -> Vectors:
        """(n, d), in the order of the vectors."""
        if self._matrix is None:
            # In one order, whatever was known before and what is computed now: the last bits of a product depend on it.
            self._vectors = dict(sorted(self._vectors.items()))
            self._matrix = np.concatenate(list(self._vectors.values())).reshape(len(self._vectors), -1)
        return self._matrix

    def vectors_for(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """Vectors of papers of the catalogue by id, computed while there is time; they are not added."""
        return dict(self._index.vectors(ids, self.seconds_left)) if ids else {}

    def nearness(self, others: Mapping[str, Vectors]) -> dict[str, float]:
        """For each of the papers taken in the mean of its cosines to the two nearest of `others`.

        A paper that is one of these is compared with the rest of them: else each would be near for being itself. The
        only one is as near as papers are on average.
        """
        if not others or not self._vectors:
            return {}
        names = sorted(others)
        cosines = self._rows() @ np.stack([others[value] for value in names]).T
        column = {value: number for number, value in enumerate(names)}
        for row, value in enumerate(self._vectors):
            if value in column:
                cosines[row, column[value]] = -np.inf
        two = np.sort(cosines, axis=1)[:, -2:]
        counted = np.isfinite(two)
        means = np.where(counted, two, 0.0).sum(axis=1) / np.maximum(counted.sum(axis=1), 1)
        alone = ~counted.any(axis=1)
        means[alone] = means[~alone].mean() if not alone.all() else 0.0
        return dict(zip(self._vectors, means.tolist(), strict=True))

    def by_id(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors of these papers by id, papers without one left out."""
        return {value: self._vectors[value] for value in ids if value in self._vectors}

    def vectors_of(self, ids: Sequence[str]) -> list[Vectors]:
        """Return the vectors of these papers, papers without one left out."""
        return [self._vectors[value] for value in ids if value in self._vectors]


def mean_direction(vectors: Sequence[Vectors], weights: Sequence[float] | None = None) -> Vectors:
    """Return the weighted mean of unit vectors (d,), scaled to unit length."""
    mean = np.average(np.stack(vectors), axis=0, weights=weights)
    length = float(np.linalg.norm(mean))
    return np.asarray(mean / length if length else mean, dtype=np.float32)


def on_one_core(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function so that numpy's matrix products in it use one thread.

    For some hundred vectors more threads gain nothing, and OpenBLAS lets them spin for longer than the product takes:
    a third of a search's processor time.
    """

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with _libraries().limit(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return limited


@cache
def _libraries() -> Any:
    import numpy  # noqa: F401 (the controller finds only loaded libraries)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
