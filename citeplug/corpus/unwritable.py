"""Opening what SQLite and tantivy keep, in a folder that cannot be written too: another person's, or a snapshot's.

SQLite and tantivy both want to make files beside those that they read.
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
    """The SQLite file, made if it is not there, and whether it can only be read.

    Raises sqlite3.Error if it cannot be read either.
    """
    db = _open(str(path))
    try:
        _keep_a_log(db)
        return db, False
    except sqlite3.OperationalError as error:
        db.close()
        # Without what stands in the log beside it, the file may be in the middle of a write.
        log = path.with_name(f"{path.name}-wal")
        if error.sqlite_errorcode & 0xFF not in _FORBIDDEN or not path.is_file() or (log.exists() and _size(log)):
            raise
    return _open(f"{path.absolute().as_uri()}?immutable=1"), True


def _keep_a_log(db: sqlite3.Connection) -> None:
    """Set the write-ahead log. The wait is here: SQLite has none where several processes make one file at once."""
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
    """A folder with the files of `place`, in which files can be made: itself, or one of links for so long."""
    if os.access(place, os.W_OK) or not place.is_dir():
        yield place
        return
    with tempfile.TemporaryDirectory(prefix="citeplug-", ignore_cleanup_errors=True) as folder:
        for file in place.iterdir():
            # Locks of others are not ours to take.
            if not file.name.endswith(".lock"):
                (Path(folder) / file.name).symlink_to(file.absolute())
        yield Path(folder)
