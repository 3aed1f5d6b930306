"""Vectors of papers, computed when they are first needed and kept, and nearest neighbours among them."""

import logging
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from citeplug.corpus.catalogue import Catalogue, Derived
from citeplug.corpus.database import Database
from citeplug.corpus.vectors.store import StoreDamaged, VectorStore
from citeplug.corpus.vectors.table import VectorTable, is_own
from citeplug.corpus.vectors.text_vectors import TextVectors
from citeplug.errors import StoreBroken, StoreBusy
from citeplug.protocols import Embedder, Vectors
from citeplug.records.paper import Filter, Paper

_UNBOUNDED_CHUNK = 128  # texts embedded between two commits, without a time limit
_FIRST_CHUNK = 4  # texts, with a time limit: until the speed is known
_STORE_CHUNK = 1000  # rows in one write of the store, about 2 s
_FEW = 500  # rows of the store that are compared one by one, in 5 ms; to load Chroma takes a second
_MOST_PENDING = 2000  # missing rows of the store that are compared one by one; above, all rows are
_EXACT = 50_000  # rows of the store up to which every one that passes a narrow filter is compared, in half a second
_MOST_ASKED = 5000  # rows of one answer of the store; above, comparing all that pass is better
_log = logging.getLogger(__name__)


class PaperVectors:
    """The vectors of one model, over a catalogue and a store."""

    def __init__(self, database: Database, embedder: Embedder, store: VectorStore) -> None:
        self._database = database
        self._catalogue = Catalogue(database)
        self._table = VectorTable(database, embedder.name)
        self._texts = TextVectors(self._table, embedder, chunk=_UNBOUNDED_CHUNK, first=_FIRST_CHUNK)
        self._store = store
        self._using_store = threading.RLock()
        self._joined = not store.shared
        self._away = False  # already logged

    def by_id(self, ids: Sequence[str], seconds: float | None) -> dict[str, Vectors]:
        """`protocols.PaperIndex.vectors`."""
        deadline = None if seconds is None else time.monotonic() + seconds
        found = self._table.by_id(ids)
        missing = [value for value in dict.fromkeys(ids) if value not in found]
        if missing and (seconds is None or seconds > 0):
            papers = self._catalogue.papers(missing)
            new = self._texts.compute([papers[value] for value in missing if value in papers], deadline)
            found.update(new)
            if new and deadline is None:
                self.hand_over(wait=5.0)
        return {value: found[value] for value in ids if value in found}

    def prepare(self) -> None:
        """Begin to load the store if it will be asked for neighbours."""
        if self._worth_asking() is not None:
            self._store.prepare()

    def missing(self) -> list[str]:
        """Ids of the papers of the catalogue that have no vector yet, newest first."""
        return self._table.missing()

    def missing_in(self, categories: Sequence[str], size: int) -> Iterator[list[str]]:
        """Ids of the papers listed in one of `categories` (none: of all) that have no vector yet, in parts."""
        return self._table.missing_in(categories, size)

    def count_missing(self, categories: Sequence[str]) -> int:
        """Count such papers."""
        return self._table.count_missing(categories)

    def categories(self) -> dict[str, int]:
        """Count the papers that have a vector, by primary category."""
        return self._table.categories()

    def by_paper(
        self, papers: Sequence[Paper], seconds: float | None, *, must_keep: bool = False
    ) -> dict[str, Vectors]:
        """Vectors by id of papers that need not be in the catalogue; kept by the digest of their text.

        On a full disk they are computed all the same; with `must_keep` StoreBroken is raised.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        found = self._texts.known(papers)
        missing = [paper for paper in papers if paper.id.value not in found]
        found.update(self._texts.compute(missing, deadline, must_keep=must_keep))
        return found

    def nearest(self, vector: Vectors, k: int, where: Filter) -> list[tuple[str, float]]:
        """Implement `protocols.PaperIndex.nearest`.

        The store is asked if it has many rows; outdated rows and those that `where` excludes are dropped, and more are
        asked for. Rows that it does not have yet are compared one by one. If the filter admits too few rows of a small
        store, or the store cannot be read, all admitted rows are compared.
        """
        if k < 1:
            return []
        self._table.check(vector.shape[0])
        if where.among is not None and len(where.among) <= _EXACT:
            return _best(self._scored(sorted(where.among), vector, where), k)
        state = self._worth_asking()
        pending = self._changed(state, _MOST_PENDING)
        if len(pending) >= _MOST_PENDING:
            return self._compare_all(vector, k, where)
        try:
            stored = [] if state is None else self._stored(vector, k, where, state, {row[0] for row in pending})
        except StoreDamaged as error:
            self._rebuild(state, error)
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
        own = self._table.own() if self._store.shared else []
        return _best({**dict(stored), **self._scored([*own, *(row[0] for row in pending)], vector, where)}, k)

    def _rebuild(self, seen: Derived | None, damage: StoreDamaged) -> None:
        """Rebuild the store, unless another process has written or cleared it since `seen` was read."""
        now = self._catalogue.derived(self._store.name)
        if now is None or seen is None or now.build != seen.build:
            return
        _log.warning("the vector store is damaged (%s); every vector is compared, and the store is rebuilt", damage)
        try:
            self._clear()
        except (StoreBroken, StoreBusy) as error:
            _log.warning("%s: it stays as it is for now (%s)", error, error.hint)
            return
        self.hand_over(wait=5.0, most=2 * _STORE_CHUNK)

    def _worth_asking(self) -> Derived | None:
        """Return the state of the store; None if it has so few rows that they are compared one by one."""
        if not self._joined:
            self._join()
        state = self._catalogue.derived(self._store.name)
        return None if state is None or state.rows <= _FEW else state

    def _join(self) -> None:
        """Count the rows of a shared store, once: other users may have filled it."""
        self._joined = True
        try:
            with self._using_store, self._store.writing() as writer:
                rows = writer.count()
        except (StoreBroken, StoreBusy, StoreDamaged) as error:
            _log.warning("%s: vectors are compared one by one", error)
            return
        state = self._catalogue.derived(self._store.name)
        if state is None or state.rows != rows:
            known = Derived(secrets.token_hex(4), state.generation if state else 0, rows)
            # Rows that this catalogue had written and the store has lost are written again.
            again = state is not None and rows < state.rows
            self._catalogue.set_derived(self._store.name, replace(known, generation=0) if again else known)

    def _stored(
        self, vector: Vectors, k: int, where: Filter, state: Derived, pending: set[str]
    ) -> list[tuple[str, float]] | None:
        """The store's nearest rows, `pending` left out; None if too few of its rows pass the filter to be found so.

        In a large store only the nearest few thousand rows are filtered.
        """
        many = state.rows > _EXACT
        passes_all = where.before is None and where.among is None and not where.categories
        asked = min(state.rows, (k if passes_all else 2 * k) + len(where.exclude) + len(pending))
        while 0 < asked <= _MOST_ASKED:
            with self._using_store:
                answer = self._store.nearest(vector, asked, state.build, state.rows)
            if len(answer) < asked:
                # Some rows cannot be reached in the store's HNSW graph.
                return None
            admitted = self._catalogue.admitted([value for value, _, _ in answer], where)
            kept = self._table.have([admitted[value] for value, key, _ in answer if key is None and value in admitted])
            found = [
                (value, cosine)
                for value, key, cosine in answer
                if value not in pending
                and value in admitted
                and (admitted[value] in kept if key is None else admitted[value].hex() == key)
            ]
            if len(found) >= k or asked == state.rows or (many and asked == _MOST_ASKED):
                return found
            # As many as are needed if the filter admits the same share of the next rows, and some more.
            asked = min(state.rows, max(2 * asked, int(1.5 * asked * k / max(len(found), 1))))
            asked = min(asked, _MOST_ASKED) if many else asked
        return None if asked else []

    def _scored(self, ids: Sequence[str], vector: Vectors, where: Filter) -> dict[str, float]:
        vectors = self._table.by_id(list(self._catalogue.admitted(ids, where)))
        return {value: float(known @ vector) for value, known in vectors.items()}

    def _changed(self, state: Derived | None, most: int) -> list[tuple[str, bytes, int]]:
        """Return (id, text digest, generation) of rows that the store lacks, or has from an older text."""
        if state is None:
            return self._table.changed(0, most)
        newest = self._database.generation
        if newest == state.generation:
            return []
        changed = self._table.changed(state.generation, most)
        if not changed:
            self._catalogue.advance_derived(self._store.name, state, newest)
        return changed

    def _compare_all(self, vector: Vectors, k: int, where: Filter) -> list[tuple[str, float]]:
        admitted = self._table.admitted(where) if self._table.are_few() else self._catalogue.all_admitted(where)
        # Two papers may have the same text, such as one that was withdrawn and submitted again.
        keys, vectors = self._table.matrix(list({key for _, key in admitted}))
        if not keys:
            return []
        scores = dict(zip(keys, (vectors @ vector).tolist(), strict=True))
        return _best({value: scores[key] for value, key in admitted if key in scores}, k)

    def bring_store_up_to_date(self, wait: float | None = None, most: int | None = None) -> None:
        """Write missing rows to the store, at most about `most`, in chunks; progress is recorded after each.

        Raises StoreBusy if another process is writing for longer than `wait` seconds.
        """
        written, rebuilt = 0, False
        while most is None or written < most:
            if not self._changed(self._catalogue.derived(self._store.name), 1):
                return
            try:
                written += self._write_chunk(wait)
            except StoreDamaged as error:
                if rebuilt:
                    raise StoreBroken(
                        f"the vector store cannot be written ({error})",
                        "check the space and the permissions of the disk, then run the same command again",
                    ) from error
                _log.warning("the vector store is damaged (%s) and is rebuilt", error)
                self._clear()
                rebuilt = True

    def _write_chunk(self, wait: float | None) -> int:
        with self._using_store, self._store.writing(wait) as writer:
            # Read again inside the lock: another process may have written meanwhile.
            state = self._catalogue.derived(self._store.name)
            if state is not None and writer.count() < state.rows:
                raise StoreDamaged(f"it has {writer.count()} of {state.rows} rows")
            changed = self._changed(state, _STORE_CHUNK)
            if not changed:
                return 0
            keys = {value: key for value, key, _ in changed}
            vectors = self._table.by_id(list(keys))
            # Works of the author's library are private: they are not written to a server that others read.
            ids = [value for value in keys if value in vectors and not (self._store.shared and is_own(value))]
            if ids:
                writer.put(ids, [keys[value].hex() for value in ids], np.stack([vectors[value] for value in ids]))
            # Whole writes of the catalogue only, so that the recorded generation is exact.
            done = Derived(secrets.token_hex(4), changed[-1][2], writer.count())
            self._catalogue.set_derived(self._store.name, done)
            return len(changed)

    def hand_over(self, wait: float, most: int | None = None) -> None:
        """Update the store if possible; the catalogue has the vectors in any case."""
        try:
            self.bring_store_up_to_date(wait, most)
        except StoreBusy as error:
            _log.info("%s: the vector store will be updated next time", error)
        except StoreBroken as error:
            _log.warning("%s: vectors are compared one by one (%s)", error, error.hint)

    def _clear(self) -> None:
        with self._using_store:
            self._store.clear()
            self._catalogue.set_derived(self._store.name, Derived(secrets.token_hex(4), 0, 0))

    def close(self) -> None:
        """Write new vectors to the store, if there are few, and close it."""
        with self._using_store:
            self.hand_over(wait=1.0, most=_STORE_CHUNK)
            self._store.close()


def _best(scored: dict[str, float], k: int) -> list[tuple[str, float]]:
    return sorted(scored.items(), key=lambda item: (-item[1], item[0]))[:k]
