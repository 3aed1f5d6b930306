"""Opening of SQLite and tantivy files in a read-only folder, such as another user's or a snapshot.

SQLite and tantivy both create files beside those that they read.
"""

import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from citeplug.corpus.locking import WAIT

_FORBIDDEN = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


def connect(path: Path) -> tuple[sqlite3.Connection, bool]:
    """Open the SQLite file, created if it does not exist; return the connection, and True if it is read-only.

    Raises sqlite3.Error if it cannot be read either.
    """
    db = _open(str(path))
    try:
        _keep_a_log(db)
        return db, False
    except sqlite3.OperationalError as error:
        db.close()
        # Without the content of its log, the file may be in the middle of a write.
        log = path.with_name(f"{path.name}-wal")
        if error.sqlite_errorcode & 0xFF not in _FORBIDDEN or not path.is_file() or (log.exists() and _size(log)):
            raise
    return _open(f"{path.absolute().as_uri()}?immutable=1"), True


def _keep_a_log(db: sqlite3.Connection) -> None:
    """Switch to WAL, with retries: SQLite's timeout does not apply if several processes do so at the same time."""
    end = time.monotonic() + WAIT
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return


def _open(name: str) -> sqlite3.Connection:
    uri = name.startswith("file:")
    return sqlite3.connect(name, timeout=WAIT, isolation_level=None, check_same_thread=False, uri=uri)


def _size(path: Path) -> int:
    return path.stat().st_size


@contextmanager
def readable(place: Path) -> Iterator[Path]:
    """Yield a writable folder with the files of `place`: itself, or a temporary one of links."""
    if os.access(place, os.W_OK) or not place.is_dir():
        yield place
        return
    with tempfile.TemporaryDirectory(prefix="citeplug-", ignore_cleanup_errors=True) as folder:
        for file in place.iterdir():
            # Lock files of other users are not linked.
            if not file.name.endswith(".lock"):
                (Path(folder) / file.name).symlink_to(file.absolute())
        yield Path(folder)
