"""Answers in JSON, kept on this machine for a time.

A cache may always be lost: no damage to it stops a run, it only means that a service is asked again.
"""

import json
import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

from citeplug.sources.pace import Clock

FOR_EVER = -1.0
_BUSY = 5.0  # seconds to wait for another process's write

_SCHEMA = """
CREATE TABLE IF NOT EXISTS reply (
    source TEXT NOT NULL, key TEXT NOT NULL, stored REAL NOT NULL, lasts REAL NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (source, key)
) WITHOUT ROWID
"""

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class JsonCache:
    """Answers of the service at `source` (its URL), in the SQLite file `path`.

    Every method opens the file anew and waits for other processes, so that threads and processes may share
    it. Nothing is ever raised for the file's sake: what cannot be read counts as not there, what cannot be
    written is not kept, and a damaged file is begun anew.
    """

    def __init__(self, path: Path, source: str, clock: Clock | None = None) -> None:
        self.path = path
        self._source = source
        self._clock = clock or Clock()

    def read(self, keys: Sequence[str], made_of: Callable[[str, Any], _T]) -> dict[str, _T]:
        """The bodies under `keys` that still hold, as `made_of` reads them; one that it cannot read is left out."""

        def read(database: sqlite3.Connection) -> dict[str, Any]:
            now, bodies = self._clock.now(), {}
            for key in keys:
                row = database.execute(
                    "SELECT stored, lasts, body FROM reply WHERE source = ? AND key = ?", (self._source, key)
                ).fetchone()
                # A time of storing ahead of ours means that the clock was put back: its age is not known.
                if row and (row[1] == FOR_EVER or 0 <= now - row[0] < row[1]):
                    bodies[key] = row[2]
            return bodies

        read_back = {}
        for key, body in (self._open(read) or {}).items() if keys and self.path.exists() else ():
            try:
                read_back[key] = made_of(key, json.loads(body))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                _log.info("an unreadable reply in %s is not used: %s", self.path, key)
        return read_back

    def write(self, rows: Mapping[str, tuple[float, Any]]) -> None:
        """Keep bodies under their keys, each with the seconds for which it holds, or FOR_EVER."""
        now = self._clock.now()

        def write(database: sqlite3.Connection) -> None:
            with database:
                database.execute("DELETE FROM reply WHERE lasts >= 0 AND stored + lasts < ?", (now,))
                database.executemany(
                    "INSERT OR REPLACE INTO reply VALUES (?, ?, ?, ?, ?)",
                    [
                        (self._source, key, now, lasts, json.dumps(body, ensure_ascii=False))
                        for key, (lasts, body) in rows.items()
                    ],
                )

        if rows:
            self._open(write)

    def shrink(self, most: int, dry_run: bool) -> tuple[int, int]:
        """Drop the oldest replies, of every source, until those left take at most `most` bytes.

        Returns how many go and their bytes; with `dry_run` they stay.
        """

        def measure(database: sqlite3.Connection) -> tuple[int, int]:
            rows = database.execute("SELECT source, key, length(body) FROM reply ORDER BY stored DESC").fetchall()
            total, going = 0, []
            for source, key, size in rows:
                total += size
                if total > most:
                    going.append((source, key, size))
            if going and not dry_run:
                with database:
                    database.executemany(
                        "DELETE FROM reply WHERE source = ? AND key = ?", [(row[0], row[1]) for row in going]
                    )
                database.execute("VACUUM")
            return len(going), sum(row[2] for row in going)

        return (self._open(measure) or (0, 0)) if self.path.exists() else (0, 0)

    def _open(self, use: Callable[[sqlite3.Connection], _T]) -> _T | None:
        for _ in range(2):
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with closing(sqlite3.connect(self.path, timeout=_BUSY)) as database:
                    database.execute(_SCHEMA)
                    return use(database)
            except (sqlite3.OperationalError, OSError) as error:
                _log.info("the cache of replies %s is not used this time: %s", self.path, error)
                return None
            except sqlite3.DatabaseError as error:
                _log.warning("the cache of replies %s was damaged and was started again: %s", self.path, error)
                # The journal first: left behind, it would be played into the new file.
                with suppress(OSError):
                    Path(f"{self.path}-journal").unlink(missing_ok=True)
                    self.path.unlink(missing_ok=True)
        return None
