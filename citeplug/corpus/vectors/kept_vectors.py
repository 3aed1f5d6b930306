"""Vectors of any texts, computed once and kept beside full texts."""

import hashlib
from collections.abc import Sequence

import numpy as np

from citeplug.corpus.database import Database
from citeplug.corpus.vectors.table import VectorTable
from citeplug.corpus.vectors.text_vectors import TextVectors
from citeplug.protocols import Embedder, Vectors


class KeptVectors:
    """Vectors of texts by their digest, in a file of full texts; a passage has the same one as in its index."""

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self._table = VectorTable(database, embedder.name)
        self._texts = TextVectors(self._table, embedder, chunk=32, first=4)

    def of(self, texts: Sequence[str]) -> Vectors:
        """(n, d), unit rows in the order given; missing ones are computed and kept."""
        keys = [hashlib.sha256(text.encode("utf-8", "replace")).digest()[:16] for text in texts]
        known = self._table.by_text(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        known |= dict(zip(missing, self._texts.compute_texts(list(missing), list(missing.values()), None), strict=True))
        return np.stack([known[key] for key in keys]) if keys else np.zeros((0, 0), np.float32)
