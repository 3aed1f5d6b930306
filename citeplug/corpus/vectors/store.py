"""Protocol of a store of vectors, such as Chroma: approximate nearest neighbours."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from citeplug.protocols import Vectors


class StoreDamaged(Exception):
    """A vector store cannot be read; it has to be cleared and filled again from the catalogue."""


class StoreWriter(Protocol):
    """A vector store opened for writing, alone."""

    def put(self, ids: Sequence[str], keys: Sequence[str], vectors: Vectors) -> None:
        """Insert or replace rows; `keys` are digests of the texts, `vectors` (n, d) of unit length."""
        ...

    def count(self) -> int:
        """Rows in the store."""
        ...


class VectorStore(Protocol):
    """Approximate nearest neighbours over the rows given to it: one store per model, derived from the catalogue.

    Every method may raise StoreDamaged; `writing`, `nearest` and `clear` may raise StoreBusy and StoreAway.
    """

    @property
    def name(self) -> str:
        """Names the store in the catalogue."""
        ...

    @property
    def shared(self) -> bool:
        """True if other users write to it too, so that it may have rows that this catalogue lacks."""
        ...

    def prepare(self) -> None:
        """Start loading in the background."""
        ...

    def writing(self, wait: float | None = None) -> AbstractContextManager[StoreWriter]:
        """Exclusive use, across processes, after at most `wait` seconds."""
        ...

    def nearest(self, vector: Vectors, k: int, version: str, rows: int) -> list[tuple[str, str | None, float]]:
        """At most `k` (id, key, cosine), best first. Another `version` than the last call's: reopen the store.

        The key may be None if the store is not shared: it takes as long to read as the rest. Raises StoreDamaged if the
        store has fewer than `rows` rows.
        """
        ...

    def clear(self) -> None:
        """Forget all rows."""
        ...

    def close(self) -> None: ...
