"""A small model and a small store, whole and in memory, for tests of what stands on them."""

import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from citeplug.protocols import Vectors


class WordModel:
    """Embeds a text by its words, hashed; `texts` collects what was embedded."""

    dimensions = 512

    def __init__(self, name: str = "words") -> None:
        self.name = name
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return self.embed_queries(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        rows = np.full((len(texts), self.dimensions), 1e-3, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                row[zlib.crc32(word.encode()) % self.dimensions] += 1
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


class DirectionModel:
    """Embeds a text as the sum of its words, each a direction of its own in 16 dimensions.

    For tests that ask Chroma: texts that differ in one word are all equally far from each other by `WordModel`, and
    an HNSW graph of more than 33 such rows has rows that no search reaches. Real texts are not so.
    """

    name, dimensions = "directions", 16

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self.embed_queries(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                row += np.random.default_rng(zlib.crc32(word.encode())).standard_normal(self.dimensions)
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


class MemoryStore:
    """A vector store that is exact; `opened` counts how often a reader had to open it anew."""

    name = "memory"
    shared = False

    def __init__(self) -> None:
        self.kept: dict[str, tuple[str, Vectors]] = {}
        self.opened = 0
        self.asked: list[int] = []
        self._seen: dict[str, tuple[str, Vectors]] = {}
        self._version = ""

    def prepare(self) -> None:
        pass

    @contextmanager
    def writing(self, wait: float | None = None) -> Iterator["MemoryStore"]:
        yield self

    def put(self, ids: Sequence[str], keys: Sequence[str], vectors: Vectors) -> None:
        self.kept.update({value: (key, vector) for value, key, vector in zip(ids, keys, vectors, strict=True)})

    def count(self) -> int:
        return len(self.kept)

    def nearest(self, vector: Vectors, k: int, version: str, rows: int) -> list[tuple[str, str | None, float]]:
        if version != self._version:
            self._version, self._seen = version, dict(self.kept)
            self.opened += 1
        self.asked.append(k)
        found = [(value, key if self.shared else None, float(row @ vector)) for value, (key, row) in self._seen.items()]
        return sorted(found, key=lambda row: -row[2])[:k]

    def clear(self) -> None:
        self.kept.clear()

    def close(self) -> None:
        self._version = ""
