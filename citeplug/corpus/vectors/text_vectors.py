"""Vectors of papers and other texts by digest, computed with one model when they are first needed, and kept.

Vectors of any texts are kept beside full texts, in their file.
"""

import hashlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from citeplug.corpus.database import Database
from citeplug.corpus.record_rows import embedded_text, text_digest
from citeplug.corpus.vectors.table import VectorTable, as_kept
from citeplug.errors import StoreBroken
from citeplug.protocols import Embedder, Vectors
from citeplug.records.paper import Paper

_log = logging.getLogger(__name__)
# Called with (texts done, texts in all).
Tell = Callable[[int, int], None]
_QUERIES_KEPT = 16


class TextVectors:
    """Vectors of one model.

    `chunk` texts are embedded between two commits without a time limit; with one, `first` until the speed is known.
    """

    def __init__(self, table: VectorTable, embedder: Embedder, *, chunk: int, first: int) -> None:
        self._table = table
        self._embedder = embedder
        self._chunk = chunk
        self._first = first
        self._rate = 0.0  # texts a second, once measured

    def known(self, papers: Sequence[Paper]) -> dict[str, Vectors]:
        """Unit vectors (d,) by id of those that have one."""
        keys = {paper.id.value: text_digest(paper) for paper in papers}
        known = self._table.by_text(list(keys.values()))
        return {value: known[key] for value, key in keys.items() if key in known}

    def compute(
        self, papers: Sequence[Paper], deadline: float | None, *, must_keep: bool = False, tell: Tell | None = None
    ) -> dict[str, Vectors]:
        """Embed papers as `compute_texts` does; vectors by id."""
        keys, texts = [text_digest(paper) for paper in papers], [embedded_text(paper) for paper in papers]
        done = self.compute_texts(keys, texts, deadline, must_keep=must_keep, tell=tell)
        return dict(zip((paper.id.value for paper in papers), done, strict=False))

    def compute_texts(
        self,
        keys: Sequence[bytes],
        texts: Sequence[str],
        deadline: float | None,
        *,
        must_keep: bool = False,
        tell: Tell | None = None,
    ) -> list[Vectors]:
        """Embed and keep under their keys, chunk by chunk in this order, while there is time until `deadline`
        (`time.monotonic`); return the vectors of the first texts, as many as there was time for.

        On a full disk they are computed all the same; with `must_keep` StoreBroken is raised.
        """
        done: list[Vectors] = []
        while len(done) < len(texts):
            if tell is not None:
                tell(len(done), len(texts))
            start, count = len(done), self._next_chunk(deadline)
            if count == 0:
                break
            began = time.monotonic()
            vectors = self._embedder.embed(texts[start : start + count])
            try:
                stored = self._table.put(keys[start : start + count], vectors)
            except StoreBroken as error:
                if must_keep:
                    raise
                _log.warning("%s: new vectors are not kept (%s)", error, error.hint)
                stored = as_kept(vectors)
            self._rate = len(stored) / max(time.monotonic() - began, 1e-6)
            done += list(stored)
        if tell is not None:
            tell(len(done), len(texts))
        return done

    def _next_chunk(self, deadline: float | None) -> int:
        """Return the number of texts to embed next: as many as fit the time left."""
        if deadline is None:
            return self._chunk
        left = deadline - time.monotonic()
        if left <= 0:
            return 0
        return min(self._first if not self._rate else int(left * self._rate), self._chunk // 2)


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


class SecondModel:
    """A second, larger model for rescoring: an implementation of `protocols.Rescorer`.

    Its vectors are in the catalogue beside the first model's, without a vector store, since it only scores given
    papers. `unscored` counts those that the last call had no time for.
    """

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self.unscored = 0
        self._table = VectorTable(database, embedder.name)
        self._embedder = embedder
        # A section that is made again asks what it asked before.
        self._query = lru_cache(_QUERIES_KEPT)(self._embedded)
        self._texts = TextVectors(self._table, embedder, chunk=16, first=1)

    def cosines(
        self, text: str, papers: Sequence[Paper], seconds: float | None = None, tell: Tell | None = None
    ) -> Mapping[str, float]:
        """`protocols.Rescorer.cosines`. To load the model takes seconds of its own: that is not done for nothing."""
        vectors = self._texts.known(papers)
        missing = [paper for paper in papers if paper.id.value not in vectors]
        if seconds is not None and seconds <= 0:
            missing = []
        self.unscored = len(papers) - len(vectors)
        if not vectors and not missing:
            return {}
        query = self._query(text)
        if seconds is None:
            # Texts of similar length together, so that little padding is computed.
            missing.sort(key=lambda paper: len(embedded_text(paper)))
        deadline = None if seconds is None else time.monotonic() + seconds
        vectors.update(self._texts.compute(missing, deadline, tell=tell))
        self.unscored = len(papers) - len(vectors)
        return {value: float(vector @ query) for value, vector in vectors.items()}

    def _embedded(self, text: str) -> Vectors:
        vector: Vectors = self._embedder.embed_queries([text])[0]
        self._table.check(vector.shape[0])
        return vector
