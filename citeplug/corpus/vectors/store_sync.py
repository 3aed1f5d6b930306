"""Keeping a vector store as the catalogue has it: missing rows are written, a damaged store is filled again."""

import logging
import secrets
import threading
from dataclasses import replace

import numpy as np

from citeplug.corpus.catalogue import Catalogue, Derived
from citeplug.corpus.database import Database
from citeplug.corpus.vectors.store import StoreDamaged, VectorStore
from citeplug.corpus.vectors.table import VectorTable, is_own
from citeplug.errors import StoreBroken, StoreBusy

CHUNK = 1000  # rows in one write of the store, about 2 s
_log = logging.getLogger(__name__)


class StoreSync:
    """What `store` has of the vectors of `table`, by the state of the store that the catalogue keeps.

    `using` is held while the store is used: it has one reader or writer at a time.
    """

    def __init__(self, database: Database, table: VectorTable, store: VectorStore) -> None:
        self._database = database
        self._catalogue = Catalogue(database)
        self._table = table
        self._store = store
        self.using = threading.RLock()

    @property
    def state(self) -> Derived | None:
        """State of the store; None if nothing was ever written to it."""
        return self._catalogue.derived(self._store.name)

    def join(self) -> None:
        """Count the rows of a shared store: other users may have filled it."""
        try:
            with self.using, self._store.writing() as writer:
                rows = writer.count()
        except (StoreBroken, StoreBusy, StoreDamaged) as error:
            _log.warning("%s: vectors are compared one by one", error)
            return
        state = self.state
        if state is None or state.rows != rows:
            known = Derived(secrets.token_hex(4), state.generation if state else 0, rows)
            # Rows that this catalogue had written and the store has lost are written again.
            again = state is not None and rows < state.rows
            self._catalogue.set_derived(self._store.name, replace(known, generation=0) if again else known)

    def pending(self, state: Derived | None, most: int) -> list[tuple[str, bytes, int]]:
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

    def problem(self) -> tuple[str, int, str] | None:
        """Return (kind, count, message) if the store cannot be read, or has not the rows that it should have."""
        state = self.state
        if state is None:
            return None
        try:
            with self.using, self._store.writing() as writer:
                state = self.state or state
                rows = writer.count()
        except StoreDamaged as error:
            return "damaged", 1, f"the vector store cannot be read ({error})"[:200]
        if rows < state.rows:
            return "missing", state.rows - rows, "vectors that were missing from the vector store"
        surplus = rows - self._table.embedded_papers()
        # Rows of a shared store are also those of users whose catalogues have other records.
        if surplus > 0 and not self._store.shared:
            return "extra", surplus, "rows of the vector store without a record or a vector"
        return None

    def bring_up_to_date(self, wait: float | None = None, most: int | None = None) -> None:
        """Write missing rows to the store, at most about `most`, in chunks; progress is recorded after each.

        Raises StoreBusy if another process is writing for longer than `wait` seconds.
        """
        written, rebuilt = 0, False
        while most is None or written < most:
            if not self.pending(self.state, 1):
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
                self.clear()
                rebuilt = True

    def _write_chunk(self, wait: float | None) -> int:
        with self.using, self._store.writing(wait) as writer:
            # Read again inside the lock: another process may have written meanwhile.
            state = self.state
            if state is not None and writer.count() < state.rows:
                raise StoreDamaged(f"it has {writer.count()} of {state.rows} rows")
            changed = self.pending(state, CHUNK)
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

    def hand_over(self, wait: float, most: int | None = None, least: int = 1) -> None:
        """Update the store if possible and at least `least` rows are missing; the catalogue has them in any case."""
        if least > 1 and len(self.pending(self.state, least)) < least:
            return
        try:
            self.bring_up_to_date(wait, most)
        except StoreBusy as error:
            _log.info("%s: the vector store will be updated next time", error)
        except StoreBroken as error:
            _log.warning("%s: vectors are compared one by one (%s)", error, error.hint)

    def rebuild(self, seen: Derived | None, damage: StoreDamaged) -> None:
        """Fill a damaged store again, unless another process has written or cleared it since `seen` was read."""
        now = self.state
        if now is None or seen is None or now.build != seen.build:
            return
        _log.warning("the vector store is damaged (%s); every vector is compared, and the store is rebuilt", damage)
        try:
            self.clear()
        except (StoreBroken, StoreBusy) as error:
            _log.warning("%s: it stays as it is for now (%s)", error, error.hint)
            return
        self.hand_over(wait=5.0, most=2 * CHUNK)

    def clear(self) -> None:
        """Take all rows out; the next update writes them again."""
        with self.using:
            self._store.clear()
            self._catalogue.set_derived(self._store.name, Derived(secrets.token_hex(4), 0, 0))
