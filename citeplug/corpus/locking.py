"""File locks: one writer at a time across processes, with an error after a long wait."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from citeplug.corpus.trouble import telling_disk_trouble
from citeplug.errors import StoreBusy

WAIT = 30.0  # seconds; a batch holds the lock for about one


@contextmanager
def exclusive(path: Path, wait: float | None = None) -> Iterator[None]:
    """Hold the lock file `path`; it is released when the process ends, however it ends.

    Raises StoreBusy if another process holds it for `wait` seconds (default: `WAIT`).
    """
    from filelock import FileLock, Timeout

    limit = WAIT if wait is None else wait
    with telling_disk_trouble(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path, timeout=limit, poll_interval=0.02)
        try:
            lock.acquire()
        except Timeout as error:
            raise StoreBusy(
                f"another citeplug process has been writing to {path.parent} for more than {limit:g} seconds",
                "wait until it is done, or stop it, then run the same command again",
            ) from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def one_job(
    folder: Path, doing: str, name: str = "job.lock", others: str = "updating, repairing or pruning the catalogue"
) -> Iterator[None]:
    """Hold the lock for long jobs that change the whole catalogue. Raises StoreBusy at once if one is running.

    Jobs with locks of other names may run at the same time; `others` describes the jobs with this lock.
    """
    lock = folder / name
    with ExitStack() as stack:
        try:
            stack.enter_context(exclusive(lock, 0))
        except StoreBusy:
            raise StoreBusy(
                f"{doing} has to wait: another citeplug process is {others} in {folder}",
                "run the same command again when it is done; searches work meanwhile",
            ) from None
        yield
