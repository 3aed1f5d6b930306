"""Vectors of papers, computed when they are first needed and kept, and nearest neighbours among them."""

import logging
import time
from collections.abc import Sequence

from citeplug.corpus.catalogue import Catalogue, Derived
from citeplug.corpus.database import Database
from citeplug.corpus.vectors.store import StoreDamaged, VectorStore
from citeplug.corpus.vectors.store_sync import CHUNK, StoreSync
from citeplug.corpus.vectors.table import VectorTable
from citeplug.corpus.vectors.text_vectors import TextVectors
from citeplug.errors import StoreBroken, StoreBusy
from citeplug.protocols import Embedder, Vectors
from citeplug.records.paper import Filter, Paper

_UNBOUNDED_CHUNK = 32  # texts embedded between two commits and two reports, without a time limit
_FIRST_CHUNK = 4  # texts, with a time limit: until the speed is known
_FEW = 500  # rows of the store that are compared one by one, in 5 ms; to load Chroma takes a second
_MOST_PENDING = 2000  # missing rows of the store that are compared one by one; above, all rows are
_EXACT = 50_000  # rows of the store up to which every one that passes a narrow filter is compared, in half a second
_MOST_ASKED = 5000  # rows of one answer of the store; above, comparing all that pass is better
_log = logging.getLogger(__name__)


class PaperVectors:
    """The vectors of one model, over a catalogue and a store: `table` has them all, `sync` keeps the store current."""

    def __init__(self, database: Database, embedder: Embedder, store: VectorStore) -> None:
        self._catalogue = Catalogue(database)
        self.table = VectorTable(database, embedder.name)
        self._texts = TextVectors(self.table, embedder, chunk=_UNBOUNDED_CHUNK, first=_FIRST_CHUNK)
        self._store = store
        self.sync = StoreSync(database, self.table, store)
        self._joined = not store.shared
        self._away = False  # already logged

    def by_id(self, ids: Sequence[str], seconds: float | None) -> dict[str, Vectors]:
        """`protocols.PaperIndex.vectors`."""
        deadline = None if seconds is None else time.monotonic() + seconds
        rows = self.table.by_id(ids)
        missing = [value for value in dict.fromkeys(ids) if value not in rows]
        if missing and (seconds is None or seconds > 0):
            papers = self._catalogue.papers(missing)
            new = self._texts.compute([papers[value] for value in missing if value in papers], deadline)
            rows.update(new)
            if new and deadline is None:
                self.sync.hand_over(wait=5.0, least=self._least)
        return {value: rows[value] for value in ids if value in rows}

    @property
    def _least(self) -> int:
        """Missing rows that are written to the store; fewer are compared one by one, unless others wait for them."""
        return 1 if self._store.shared else _FEW

    def prepare(self) -> None:
        """Begin to load the store if it will be asked for neighbours."""
        if self._worth_asking() is not None:
            self._store.prepare()

    def by_paper(
        self, papers: Sequence[Paper], seconds: float | None, *, must_keep: bool = False
    ) -> dict[str, Vectors]:
        """Vectors by id of papers that need not be in the catalogue; kept by the digest of their text.

        On a full disk they are computed all the same; with `must_keep` StoreBroken is raised.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        known = self._texts.known(papers)
        missing = [paper for paper in papers if paper.id.value not in known]
        known.update(self._texts.compute(missing, deadline, must_keep=must_keep))
        return known

    def nearest(self, vector: Vectors, k: int, where: Filter) -> list[tuple[str, float]]:
        """Implement `protocols.PaperIndex.nearest`.

        The store is asked if it has many rows; outdated rows and those that `where` excludes are dropped, and more are
        asked for. Rows that it does not have yet are compared one by one. If the filter admits too few rows of a small
        store, or the store cannot be read, all admitted rows are compared.
        """
        if k < 1:
            return []
        self.table.check(vector.shape[0])
        if where.among is not None and len(where.among) <= _EXACT:
            return _best(self._scored(sorted(where.among), vector, where), k)
        state = self._worth_asking()
        pending = self.sync.pending(state, _MOST_PENDING)
        if len(pending) >= _MOST_PENDING:
            return self._compare_all(vector, k, where)
        try:
            stored = [] if state is None else self._stored(vector, k, where, state, {row[0] for row in pending})
        except StoreDamaged as error:
            self.sync.rebuild(state, error)
            stored = None
        except StoreBusy:
            stored = None
        except StoreBroken as error:
            # A server that cannot be reached, or a read-only folder.
            if not self._away:
                _log.warning("%s: vectors are compared one by one", error)
            self._away = True
            stored = None
        if stored is None:
            return self._compare_all(vector, k, where)
        own = self.table.own() if self._store.shared else []
        return _best({**dict(stored), **self._scored([*own, *(row[0] for row in pending)], vector, where)}, k)

    def _worth_asking(self) -> Derived | None:
        """Return the state of the store; None if it has so few rows that they are compared one by one."""
        if not self._joined:
            self._joined = True
            self.sync.join()
        state = self.sync.state
        return None if state is None or state.rows <= _FEW else state

    def _stored(
        self, vector: Vectors, k: int, where: Filter, state: Derived, pending: set[str]
    ) -> list[tuple[str, float]] | None:
        """The store's nearest rows, `pending` left out; None if too few of its rows pass the filter to be found so.

        In a large store only the nearest few thousand rows are filtered.
        """
        many = state.rows > _EXACT
        passes_all = where == Filter(exclude=where.exclude)
        asked = min(state.rows, (k if passes_all else 2 * k) + len(where.exclude) + len(pending))
        while 0 < asked <= _MOST_ASKED:
            with self.sync.using:
                answer = self._store.nearest(vector, asked, state.build, state.rows)
            if len(answer) < asked:
                # Some rows cannot be reached in the store's HNSW graph.
                return None
            admitted = self._catalogue.admitted([value for value, _, _ in answer], where)
            present = self.table.have(
                [admitted[value] for value, key, _ in answer if key is None and value in admitted]
            )
            nearest = [
                (value, cosine)
                for value, key, cosine in answer
                if value not in pending
                and value in admitted
                and (admitted[value] in present if key is None else admitted[value].hex() == key)
            ]
            if len(nearest) >= k or asked == state.rows or (many and asked == _MOST_ASKED):
                return nearest
            # As many as are needed if the filter admits the same share of the next rows, and some more.
            asked = min(state.rows, max(2 * asked, int(1.5 * asked * k / max(len(nearest), 1))))
            asked = min(asked, _MOST_ASKED) if many else asked
        return None if asked else []

    def _scored(self, ids: Sequence[str], vector: Vectors, where: Filter) -> dict[str, float]:
        vectors = self.table.by_id(list(self._catalogue.admitted(ids, where)))
        return {value: float(known @ vector) for value, known in vectors.items()}

    def _compare_all(self, vector: Vectors, k: int, where: Filter) -> list[tuple[str, float]]:
        admitted = self.table.admitted(where) if self.table.are_few() else self._catalogue.all_admitted(where)
        # Two papers may have the same text, such as one that was withdrawn and submitted again.
        keys, vectors = self.table.matrix(list({key for _, key in admitted}))
        if not keys:
            return []
        scores = dict(zip(keys, (vectors @ vector).tolist(), strict=True))
        return _best({value: scores[key] for value, key in admitted if key in scores}, k)

    def close(self) -> None:
        """Write new vectors to the store, if they are worth loading it for and no more than a few, and close it."""
        with self.sync.using:
            self.sync.hand_over(wait=1.0, most=CHUNK, least=self._least)
            self._store.close()


def _best(scored: dict[str, float], k: int) -> list[tuple[str, float]]:
    return sorted(scored.items(), key=lambda item: (-item[1], item[0]))[:k]
