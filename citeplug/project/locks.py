"""Locks: one citeplug process at a time writes a project's files, or one .bib file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from citeplug.errors import StoreBusy
from citeplug.files.atomic import name_for, telling_of


@contextmanager
def one_at_a_time(home: Path, path: Path, wait: float = 10.0) -> Iterator[None]:
    """Let one process at a time change `path`, a file or the main file of a project; the lock is in `home`.

    Raises StoreBusy after `wait` seconds, CannotWrite if no lock can be made there.
    """
    from filelock import FileLock, Timeout

    # Not in the project, so that no lock file appears beside the author's files.
    name = name_for(path)
    lock = home / "locks" / f"{name}.lock"
    try:
        with telling_of(lock, at_home=True):
            lock.parent.mkdir(parents=True, exist_ok=True)
            held = FileLock(lock, timeout=wait)
            held.acquire()
    except Timeout as error:
        raise StoreBusy(f"another citeplug process is changing {path}", "try again when it has finished") from error
    try:
        yield
    finally:
        held.release()
