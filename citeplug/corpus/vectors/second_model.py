"""A second, larger embedding model for rescoring, beside the one for retrieval."""

import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from citeplug.corpus.database import Database
from citeplug.corpus.record_rows import embedded_text
from citeplug.corpus.vectors.table import VectorTable
from citeplug.corpus.vectors.text_vectors import Tell, TextVectors
from citeplug.protocols import Embedder, Vectors
from citeplug.records.paper import Paper

_CHUNK = 16  # texts embedded between two commits: some ten seconds
_FIRST_CHUNK = 1
_QUERIES_KEPT = 16


class SecondModel:
    """Implementation of `protocols.Rescorer`. Its vectors are in the catalogue beside the first model's, without a
    vector store, since it only scores given papers. `unscored` counts those that the last call had no time for."""

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self.unscored = 0
        self._table = VectorTable(database, embedder.name)
        self._embedder = embedder
        self._asked: OrderedDict[str, Vectors] = OrderedDict()
        self._texts = TextVectors(self._table, embedder, chunk=_CHUNK, first=_FIRST_CHUNK)

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

    def _query(self, text: str) -> Vectors:
        """The vector (d,) of a query; a section that is made again asks what it asked before."""
        if text not in self._asked:
            vector = self._embedder.embed_queries([text])[0]
            self._table.check(vector.shape[0])
            self._asked[text] = vector
            while len(self._asked) > _QUERIES_KEPT:
                self._asked.popitem(last=False)
        return self._asked[text]
