"""Disk trouble in words."""

import errno
import sqlite3
from pathlib import Path

import pytest

from citeplug.corpus.trouble import telling_disk_trouble
from citeplug.errors import CiteplugError, StoreBroken, StoreBusy


def sqlite_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("as SQLite says it")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("raised", "kind", "word"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), StoreBroken, "full"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), StoreBroken, "full"),
        (PermissionError(errno.EACCES, "Permission denied"), StoreBroken, "cannot be written"),
        (OSError(errno.EROFS, "Read-only file system"), StoreBroken, "cannot be written"),
        (OSError(errno.EIO, "Input/output error"), StoreBroken, "Input/output error"),
        (sqlite_error(sqlite3.SQLITE_FULL), StoreBroken, "full"),
        (sqlite_error(sqlite3.SQLITE_READONLY), StoreBroken, "cannot be written"),
        (sqlite_error(sqlite3.SQLITE_CANTOPEN), StoreBroken, "cannot be written"),
        (sqlite_error(sqlite3.SQLITE_CORRUPT), StoreBroken, "damaged"),
        (sqlite_error(sqlite3.SQLITE_NOTADB), StoreBroken, "damaged"),
        (sqlite_error(sqlite3.SQLITE_BUSY_SNAPSHOT), StoreBusy, "another program"),
        (sqlite_error(sqlite3.SQLITE_IOERR), StoreBroken, "as SQLite says it"),
    ],
)
def test_each_trouble_is_named_with_a_way_out(raised: Exception, kind: type[CiteplugError], word: str) -> None:
    with pytest.raises(kind, match=word) as caught, telling_disk_trouble(Path("store")):
        raise raised
    assert caught.value.hint
    assert "store" in str(caught.value)


def test_other_errors_pass() -> None:
    with pytest.raises(KeyError), telling_disk_trouble(Path("store")):
        raise KeyError
