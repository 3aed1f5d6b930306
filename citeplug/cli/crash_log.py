"""Tracebacks of errors that nobody foresaw, kept in files for a report."""

import os
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from citeplug.errors import UsageError
from citeplug.settings.environment import read_home

_KEPT = 10
_PREFIX, _SUFFIX = "citeplug-crash-", ".log"


def keep_traceback(error: BaseException) -> Path | None:
    """Write the traceback to a new file below CITEPLUG_HOME, else in the temporary directory; None if neither takes it.

    Each place keeps the last ten.
    """
    text = "".join(traceback.format_exception(error))
    for folder in _folders():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            for old in _by_age(folder)[: 1 - _KEPT]:
                with suppress(OSError):  # another user's, in the temporary directory
                    old.unlink()
            # A name that nobody can foresee: others may write to the temporary directory.
            handle, name = tempfile.mkstemp(_SUFFIX, _PREFIX, folder)
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as stream:
                stream.write(text)
            return Path(name)
    return None


def _folders() -> Iterator[Path]:
    with suppress(UsageError):
        yield read_home(os.environ) / "logs"
    yield Path(tempfile.gettempdir())


def _by_age(folder: Path) -> list[Path]:
    """The logs in a folder, the oldest first."""
    with os.scandir(folder) as entries:
        logs = [e for e in entries if e.name.startswith(_PREFIX) and e.name.endswith(_SUFFIX)]
        return [Path(e.path) for e in sorted(logs, key=lambda e: e.stat(follow_symlinks=False).st_mtime_ns)]
