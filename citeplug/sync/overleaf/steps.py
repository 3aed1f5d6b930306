"""One sync of a clone at a time, and what a sync that was killed left behind.

Before a step that writes the clone it is written down, in the user's data directory, and struck out afterwards. What
is still there at the next sync was interrupted: the lock files that it left are taken away, and what git had begun
to write to the work tree is finished. Lock files of anybody else's stay.
"""

import contextlib
import json
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from citeplug.errors import AlreadyWatched
from citeplug.files.atomic import name_for, write_at_home
from citeplug.project.author_files import locked
from citeplug.sync.overleaf.repository import Repository

FOLDER = "overleaf"
_PATIENCE = 3.0  # seconds in which a git that outlived its citeplug comes to its end
_LONGEST = 150.0  # seconds that a step may take


class Steps:
    """The steps of one clone; only within `alone`."""

    def __init__(self, home: Path, top: Path) -> None:
        folder = home / FOLDER
        self._lock = folder / f"{name_for(top)}.lock"
        self._file = folder / f"{name_for(top)}.json"
        self._dotless = folder / f"{name_for(top)}.dotless"

    def alone(self) -> AbstractContextManager[None]:
        """Raises AlreadyWatched while another process syncs the clone."""
        busy = AlreadyWatched("this clone is already being synced", "wait for that, or stop it first")
        return locked(self._lock, lambda: busy)

    @property
    def hidden(self) -> bool:
        """True if the remote keeps files whose names begin with a dot."""
        return not self._dotless.exists()

    def drops_hidden(self) -> None:
        """Remember that the remote does not: they are not pushed again."""
        write_at_home(self._dotless, b"")

    @contextmanager
    def step(self, name: str, before: str = "", after: str = "") -> Iterator[None]:
        """A step that writes the clone; `before` and `after` are commits."""
        step = {"step": name, "before": before, "after": after, "time": time.time()}
        write_at_home(self._file, json.dumps(step).encode())
        try:
            yield
        finally:
            # Not reached by a kill, which is what the file tells of.
            self._file.unlink(missing_ok=True)

    def recover(self, repository: Repository) -> bool:
        """Finish what a sync that was killed had begun; False if there is nothing."""
        try:
            step = json.loads(self._file.read_bytes())
            before, after, began = str(step["before"]), str(step["after"]), float(step["time"])
        except FileNotFoundError:
            return False
        except (OSError, ValueError, TypeError, KeyError):
            before, after, began = "", "", 0.0
        self._unlock(repository, began)
        if before and after:
            repository.settle(before, after)
            if repository.head() == before:
                repository.advance(after)
        self._file.unlink(missing_ok=True)
        return True

    def _unlock(self, repository: Repository, began: float) -> None:
        end = time.monotonic() + _PATIENCE
        while (left := self._left(repository, began)) and time.monotonic() < end:
            time.sleep(0.1)
        for file in left:
            with contextlib.suppress(OSError):
                file.unlink()

    def _left(self, repository: Repository, began: float) -> list[Path]:
        """Lock files that came while the step ran."""
        files = []
        for file in repository.lock_files():
            with contextlib.suppress(OSError):
                if began - 2 <= file.stat().st_mtime <= began + _LONGEST:
                    files.append(file)
        return files
