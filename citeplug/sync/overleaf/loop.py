"""`citeplug overleaf sync --watch`: a sync whenever the remote or the clone has changed."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from citeplug.errors import CiteplugError, RemoteUnavailable
from citeplug.sync.overleaf.sync import Sync
from citeplug.sync.watch.context import WatchEvent

EVERY = 30.0  # seconds between two questions to the remote
_LONGEST = 600.0
_BEAT = 1.0  # seconds between two looks at the clone
_QUIET = 0.6  # seconds without a further change before anything is done
_MOST_FILES = 3000
_SOURCES = (".tex", ".ltx", ".bib", ".sty", ".cls", ".rnw", ".toml")


class Watching:
    """Calls `sync` when the clone's sources or commits changed, and every `every` seconds for the remote's sake.

    An unreachable remote is asked again after twice the time, up to ten minutes.
    """

    def __init__(self, sync: Sync, tell: Callable[[WatchEvent], None], every: float = EVERY) -> None:
        self._sync = sync
        self._tell = tell
        self._every = every
        self._ended = threading.Event()
        self._failures = 0
        self._said: tuple[str, str] | None = None

    def end(self) -> None:
        """Let `run` return; called from any thread."""
        self._ended.set()

    def run(self) -> None:
        """Until `end` is called, or an exception of the caller's, such as an interrupt, ends it."""
        first = self._sync.repository
        self._tell(WatchEvent("watching", f"{first.top} and {first.address.shown}, every {self._every:g} s"))
        while not self._ended.is_set():
            self._pass()
            # Whoever sits at the terminal was asked in the first pass.
            self._sync.interactive = False
            self._wait()

    def _pass(self) -> None:
        try:
            self._sync.once()
        except RemoteUnavailable as error:
            self._failures += 1
            pause = self._pause()
            self._stand("failed", str(error), f"{error.hint}; next try in {pause:.0f} s" if error.hint else "")
            return
        except CiteplugError as error:
            self._stand("waiting", str(error), error.hint)
        else:
            self._said = None
        self._failures = 0

    def _pause(self) -> float:
        return min(self._every * 2.0**self._failures, max(_LONGEST, self._every))

    def _stand(self, kind: str, message: str, hint: str) -> None:
        if (kind, message) != self._said:
            self._said = (kind, message)
            self._tell(WatchEvent("failed" if kind == "failed" else "waiting", message, hint=hint))

    def _wait(self) -> None:
        """Until the remote is to be asked again, or something was saved or committed here."""
        due = time.monotonic() + self._pause()
        files = self._files()
        before = _looks(files)
        while time.monotonic() < due and not self._ended.wait(min(_BEAT, max(0.0, due - time.monotonic()))):
            now = _looks(files)
            if now != before:
                while not self._ended.wait(_QUIET) and (later := _looks(files)) != now:
                    now = later
                return

    def _files(self) -> list[Path]:
        """The sources, and what git writes at a commit or a checkout."""
        repository = self._sync.repository
        names = [name for name in repository.tracked([]) if name.lower().endswith(_SOURCES)]
        files = [repository.top / name for name in names[:_MOST_FILES]]
        return [*files, repository.git_folder / "HEAD", repository.git_folder / "logs" / "HEAD"]


def _looks(files: list[Path]) -> dict[Path, tuple[int, int]]:
    """The stamps of those that are there."""
    stamps = {}
    for file in files:
        try:
            stamp = os.stat(file)  # noqa: PTH116 - thousands of them, every second
        except OSError:
            continue
        stamps[file] = (stamp.st_mtime_ns, stamp.st_size)
    return stamps
