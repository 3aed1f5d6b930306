"""Translation of disk and SQLite errors to those of errors.py."""

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from citeplug.errors import StoreBroken, StoreBusy, StoreReadOnly

_LEAST_ROOM = 1_000_000  # bytes
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def telling_disk_trouble(place: Path) -> Iterator[None]:
    """Raise StoreBroken or StoreBusy in place of errors of SQLite and the system on the store at `place`."""
    try:
        yield
    except sqlite3.Error as error:
        raise _from_sqlite(place, error) from error
    except OSError as error:
        raise _from_system(place, error) from error


def _from_sqlite(place: Path, error: sqlite3.Error) -> StoreBroken | StoreBusy:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(
            f"another program has locked {place}", "wait until it is done, then run the same command again"
        )
    # If SQLite cannot enlarge its shared-memory file, it reports an I/O error.
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _has_no_room(place)):
        return _full(place)
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return forbidden(place)
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreBroken(
            f"{place} is damaged ({error})", "move the folder away and add the records again with 'citeplug index add'"
        )
    return StoreBroken(f"{place} cannot be used ({error})", "check the disk and CITEPLUG_HOME")


def _from_system(place: Path, error: OSError) -> StoreBroken:
    if error.errno in _FULL:
        return _full(place)
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return forbidden(place)
    return StoreBroken(f"{place} cannot be used ({error.strerror or error})", "check the disk and CITEPLUG_HOME")


def _has_no_room(place: Path) -> bool:
    try:
        return shutil.disk_usage(place if place.is_dir() else place.parent).free < _LEAST_ROOM
    except OSError:
        return False


def _full(place: Path) -> StoreBroken:
    return StoreBroken(f"the disk that holds {place} is full", "free some space and run the same command again")


def full_disk(place: Path) -> StoreBroken | None:
    """Return the error for the disk of `place` if it is full."""
    return _full(place) if _has_no_room(place) else None


def forbidden(place: Path) -> StoreReadOnly:
    """Return the error for a place without permission to write."""
    return StoreReadOnly(
        f"{place} cannot be written", "check its permissions, or set the variable CITEPLUG_HOME to another folder"
    )
