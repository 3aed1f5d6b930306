"""The loop of `citeplug watch`: waits for changes to come to rest, with at most one run at a time."""

import contextlib
import os
import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from citeplug.errors import AlreadyWatched, CiteplugError
from citeplug.files.atomic import name_for
from citeplug.project.author_files import locked
from citeplug.project.find_project import Project
from citeplug.records.paper import Filter
from citeplug.sync.watch.context import WatchContext, WatchEvent
from citeplug.sync.watch.files import git_is_busy
from citeplug.sync.watch.folder_events import FolderEvents
from citeplug.sync.watch.news import NewsDesk
from citeplug.sync.watch.refresh import Ended
from citeplug.sync.watch.upkeep import AT_REST, Upkeep

QUIET = 0.4  # seconds without a further change before anything is done
LONGEST_QUIET = 3.0  # a program that saves all the time does not put it off for ever
# Seconds between two looks at the times of the files, where events do come (a wait is deaf to Ctrl-C on Windows), and
# where they do not.
BEAT = 0.9 if os.name == "nt" else 3.0
POLLING_BEAT = 0.9
GIT_PATIENCE = 60.0  # an index.lock that stays longer was left by a git that was killed


@contextlib.contextmanager
def only_watcher(home: Path, root: Path) -> Iterator[None]:
    """Be the only watcher of the project with this root document: a second would do everything twice.

    Raises AlreadyWatched, with the number of the other process, and CannotWrite.
    """
    holder = home / "watchers" / f"{name_for(root)}.pid"

    def busy() -> AlreadyWatched:
        who = ""
        with contextlib.suppress(OSError, ValueError):
            who = f" (process {int(holder.read_text(encoding='ascii'))})"
        return AlreadyWatched(
            f"{root} is already being watched{who}", "stop that watcher first, or run one pass with --once"
        )

    with locked(holder.with_suffix(".lock"), busy), contextlib.ExitStack() as cleanup:
        cleanup.callback(holder.unlink, missing_ok=True)
        with contextlib.suppress(OSError):
            holder.write_text(f"{os.getpid()}\n", encoding="ascii")
        yield


class Watcher:
    """Keeps the section of one project current.

    `start` is what the user named: a folder, or a file of the draft. Events are told in the thread that calls `run` or
    `once`. With `news`, new papers are reported. Raises UnreadableInput if no project is found.
    """

    def __init__(
        self,
        start: Path | None,
        context: WatchContext,
        *,
        out: Path | None = None,
        bib: Path | None = None,
        poll: bool = False,
        news: bool = False,
    ) -> None:
        self._corpus = context.corpus
        self._tell = context.tell
        self._poll = poll
        self._signals: queue.Queue[Path | Ended | WatchEvent | None] = queue.Queue()  # None: the end
        self._events = FolderEvents(self._signals.put)
        self._upkeep = Upkeep((start, out, bib), context, self._signals.put, self._events.watch)
        self._news = NewsDesk(self.project, context) if news else None
        self._stirred_at: float | None = None
        self._look_at: float | None = None
        self._again_at: float | None = None

    @property
    def project(self) -> Project:
        return self._upkeep.project

    def once(self) -> int:
        """Update the section, and return the exit code of the command line."""
        self._look(force=True)
        while self._upkeep.running or self._look_at is not None:
            try:
                signal = self._signals.get(timeout=self._pause())
            except queue.Empty:
                if self._look_at is not None:
                    self._beat(time.monotonic())
                continue
            if isinstance(signal, Ended):
                self._finish(signal)
        if self._news is not None and self._news.is_due() and (event := self._news.look()) is not None:
            self._tell(event)
        return self._upkeep.exit_code

    def run(self) -> None:
        """Watch until `end` is called, or an exception of the caller's, such as an interrupt, ends it."""
        if not self._poll:
            self._events.start()
        self._look(force=True)
        how = "files are checked every second" if self._poll else "the system reports changes"
        if self._events.trouble:
            how = f"files are checked every second: no changes are reported here ({self._events.trouble})"
        self._tell(WatchEvent("watching", f"{self.project.root} ({how})", self._upkeep.files))
        if not self._upkeep.running:
            threading.Thread(target=self._warm_up, name="citeplug-warm-up", daemon=True).start()
        while True:
            try:
                signal = self._signals.get(timeout=self._pause())
            except queue.Empty:
                self._beat(time.monotonic())
                continue
            if signal is None:
                return
            if isinstance(signal, Ended):
                self._finish(signal)
            elif isinstance(signal, WatchEvent):
                self._tell(signal)
            elif self._upkeep.concerns(signal):
                self._stir()

    def end(self) -> None:
        """Let `run` return; called from any thread."""
        self._signals.put(None)

    def stop(self) -> None:
        """Begin nothing more, and give what runs half a second to end."""
        self._events.stop()
        self._upkeep.stop(0.5)

    def _pause(self) -> float:
        """Seconds to wait for a signal."""
        if self._look_at is not None:
            return max(0.0, self._look_at - time.monotonic())
        return POLLING_BEAT if self._poll or self._events.trouble else BEAT

    def _beat(self, now: float) -> None:
        """Do what is due `now`, after a pause without a signal."""
        if self._look_at is not None:
            if now < self._look_at:
                return
            if git_is_busy(self._upkeep.git) and now - (self._stirred_at or now) < GIT_PATIENCE:
                self._look_at = now + QUIET
            else:
                self._look()
        elif self._upkeep.stirred():
            self._stir()
        elif self._again_at is not None and now >= self._again_at:
            self._look(force=True)
        elif self._news is not None and not self._upkeep.running:
            self._news.begin(lambda event: None if event is None else self._signals.put(event))

    def _stir(self) -> None:
        """Put the next look off until the files have been at rest for a while."""
        now = time.monotonic()
        if self._stirred_at is None:
            self._stirred_at = now
        self._look_at = min(now + QUIET, self._stirred_at + LONGEST_QUIET)

    def _look(self, *, force: bool = False) -> None:
        self._stirred_at = self._look_at = self._again_at = None
        wait = self._upkeep.look(force=force)
        if wait == AT_REST:
            self._stir()
        elif wait is not None:
            self._again_at = time.monotonic() + wait

    def _finish(self, ended: Ended) -> None:
        wait = self._upkeep.finish(ended)
        if wait is None:
            self._look(force=True)
        else:
            self._again_at = time.monotonic() + wait

    def _warm_up(self) -> None:
        """Load what the first run needs, so that it takes no longer than the later ones."""
        with contextlib.suppress(CiteplugError):
            if self._corpus.records:
                vector = self._corpus.embed(["related work"])[0]
                self._corpus.nearest(vector, 1, Filter())
                self._corpus.lexical("related work", 1, Filter())
