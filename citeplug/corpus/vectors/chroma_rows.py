"""The rows of a Chroma collection, wherever it lies: one collection for each embedding model."""

import contextlib
import hashlib
import importlib
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import numpy as np

from citeplug.protocols import Vectors

_AT_ONCE = 1000  # rows in one call; the largest that Chroma takes is 5,461
# The space cannot be changed later. A search looks at 200 rows or as many as are asked for.
_METADATA = {"hnsw:space": "cosine", "hnsw:construction_ef": 200, "hnsw:search_ef": 200}

_LOADING = threading.Lock()

# Turns what Chroma raises into what is meant by it.
Telling = Callable[[], AbstractContextManager[None]]


class ChromaWriter:
    """Implements `corpus.vectors.store.StoreWriter` over an open collection."""

    def __init__(self, collection: Any, telling: Telling) -> None:
        self._collection = collection
        self._telling = telling

    def put(self, ids: Sequence[str], keys: Sequence[str], vectors: Vectors) -> None:
        for start in range(0, len(ids), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            self._put(list(ids[part]), list(keys[part]), vectors[part])

    def _put(self, ids: list[str], keys: list[str], vectors: Vectors) -> None:
        with self._telling():
            there = self._collection.get(ids=ids, include=["metadatas"])
            have = {
                value: (meta or {}).get("text") for value, meta in zip(there["ids"], there["metadatas"], strict=True)
            }
            # `add` ignores ids that are there, and `upsert` is slower than deleting first.
            if stale := [value for value, key in zip(ids, keys, strict=True) if have.get(value, key) != key]:
                self._collection.delete(ids=stale)
            new = [row for row, (value, key) in enumerate(zip(ids, keys, strict=True)) if have.get(value) != key]
            if new:
                self._collection.add(
                    ids=[ids[row] for row in new],
                    embeddings=np.ascontiguousarray(vectors[new]),
                    metadatas=[{"text": keys[row]} for row in new],
                )

    def count(self) -> int:
        with self._telling():
            return int(self._collection.count())


def digest_of_model(model: str) -> str:
    """Stands for a model in names of folders and collections."""
    return hashlib.sha256(model.encode("utf-8")).hexdigest()[:12]


def open_collection(client: Any, model: str) -> Any:
    """The model's collection; it is made if it is not there."""
    name = f"citeplug-{digest_of_model(model)}"
    # Without this None, Chroma would try to download a model.
    return client.get_or_create_collection(name, metadata={**_METADATA, "model": model}, embedding_function=None)


def query(collection: Any, vector: Vectors, k: int, *, with_keys: bool = True) -> list[tuple[str, str | None, float]]:
    """At most `k` (id, key, cosine), best first; raises what Chroma raises. Keys take as long as all the rest."""
    include = ["metadatas", "distances"] if with_keys else ["distances"]
    nearest = collection.query(query_embeddings=vector[None, :], n_results=k, include=include)
    ids, distances = nearest["ids"][0], nearest["distances"][0]
    keys = [str((meta or {}).get("text", "")) for meta in nearest["metadatas"][0]] if with_keys else [None] * len(ids)
    return [(value, key, 1.0 - float(far)) for value, key, far in zip(ids, keys, distances, strict=True)]


def load_chroma() -> Any:
    """The module `chromadb`, with settings that come from citeplug alone.

    Chroma's `Settings` reads the environment and a file `.env` in the current folder, the author's, when it is imported
    and whenever a client is made: whoever wrote that file would choose the server that gets the vectors, and a module
    to import. Made a plain model, `Settings` has its defaults and what it is given.
    """
    with _LOADING:
        if "chromadb" in sys.modules:
            return sys.modules["chromadb"]
        import pydantic
        import pydantic_settings

        reading = pydantic_settings.BaseSettings
        pydantic_settings.BaseSettings = pydantic.BaseModel  # type: ignore[assignment,misc]
        try:
            return importlib.import_module("chromadb")
        finally:
            pydantic_settings.BaseSettings = reading  # type: ignore[misc]


def chroma_settings() -> Any:
    """Chroma's settings: its engine on this machine, unless a client names a server, and no telemetry."""
    engine = "chromadb.api.rust.RustBindingsAPI"
    return load_chroma().Settings(chroma_api_impl=engine, anonymized_telemetry=False)


@cache
def load_aside() -> None:
    """Begin to load it, in a thread, once. A failure comes again, and is reported, when a store is used."""

    def load() -> None:
        with contextlib.suppress(Exception):
            load_chroma()

    threading.Thread(target=load, name="chroma").start()
