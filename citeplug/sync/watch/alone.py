"""One watcher for a project: a second would do everything twice."""

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from citeplug.errors import AlreadyWatched
from citeplug.files.atomic import name_for, telling_of

FOLDER = "watchers"


@contextmanager
def only_watcher(home: Path, root: Path) -> Iterator[None]:
    """Be the only watcher of the project with this root document.

    Raises AlreadyWatched, with the number of the other process, and CannotWrite. The system lets the lock of a process
    go with the process, so that one which was killed is in nobody's way.
    """
    from filelock import FileLock, Timeout

    name = name_for(root)
    folder = home / FOLDER
    holder = folder / f"{name}.pid"
    lock = FileLock(folder / f"{name}.lock", timeout=0)
    try:
        with telling_of(folder, at_home=True):
            folder.mkdir(parents=True, exist_ok=True)
            lock.acquire()
    except Timeout:
        who = ""
        with contextlib.suppress(OSError, ValueError):
            who = f" (process {int(holder.read_text(encoding='ascii'))})"
        raise AlreadyWatched(
            f"{root} is watched already{who}", "stop that watcher first, or run one pass with --once"
        ) from None
    try:
        with contextlib.suppress(OSError):
            holder.write_text(f"{os.getpid()}\n", encoding="ascii")
        yield
    finally:
        with contextlib.suppress(OSError):
            holder.unlink()
        lock.release()
