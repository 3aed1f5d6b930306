"""The loop of `citeplug watch`: hints of changes in, at most one run at a time, the newest state wins."""

import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from datetime import time as clock
from pathlib import Path
from typing import TYPE_CHECKING

from citeplug.adapters.folder_events import FolderEvents
from citeplug.corpus.index import Corpus
from citeplug.errors import (
    BudgetReached,
    Cancelled,
    CannotWrite,
    CiteplugError,
    ModelUnavailable,
    SourceUnavailable,
    StoreBusy,
)
from citeplug.faces.watch.assess import (
    CATALOGUE,
    CONFIGURATION,
    OPTIONS,
    SECTION,
    WHY,
    Assessment,
    Wish,
    assess,
    files_of,
    inputs_after,
)
from citeplug.faces.watch.files import KnownFiles, Look
from citeplug.faces.watch.git import git_folder, git_is_busy
from citeplug.faces.watch.happenings import Happening, Kind
from citeplug.files.atomic import unexpected
from citeplug.pipeline.input_digests import PARTS
from citeplug.project import section_files
from citeplug.project.last_run import End, Finished, Journal
from citeplug.records.paper import Filter
from citeplug.settings.choices import OUT
from citeplug.settings.environment import Settings
from citeplug.usecases.find_project import Project, find_project
from citeplug.usecases.stores import Announce

if TYPE_CHECKING:
    from citeplug.usecases.allowance import Allowance
from citeplug.faces.watch.refresh import Ended, Refresh

QUIET = 0.4  # seconds without a further change before anything is done
LONGEST_QUIET = 3.0  # a program that saves all the time does not put it off for ever
# Seconds between two looks at the times of the files, where events do come (a wait is deaf to Ctrl-C on Windows), and
# where they do not.
BEAT = 0.9 if os.name == "nt" else 3.0
POLLING_BEAT = 0.9
GIT_PATIENCE = 60.0  # an index.lock that stays longer was left by a git that was killed
AGAIN = 300.0  # seconds until what could not be reached is tried again
_TRANSIENT = (SourceUnavailable, StoreBusy, ModelUnavailable, CannotWrite)
_SOURCES = (".tex", ".ltx", ".bib", ".sty", ".cls", ".rnw", ".toml")
# These are the author's to change; all else in an assessment is another after a run because of the run itself.
_DRAFT = (*PARTS, OPTIONS)


class Watcher:
    """Keeps the section of one project current.

    `start` is what the user named: a folder, or a file of the draft. `tell` is given every happening, in the thread
    that calls `run` or `once`. `corpus` stays open, so that nothing is loaded twice. `announce` is given each query
    before it is sent. `allowed` is a language model that may be asked. Raises UnreadableInput if no project can be
    told.
    """

    def __init__(
        self,
        start: Path | None,
        wish: Wish,
        chosen: Settings,
        corpus: Corpus,
        tell: Callable[[Happening], None],
        *,
        out: Path | None = None,
        bib: Path | None = None,
        poll: bool = False,
        announce: Announce | None = None,
        allowed: "Allowance | None" = None,
    ) -> None:
        self._allowed = allowed
        self._announce = announce
        self._named = start, out, bib
        self._wish = wish
        self._chosen = chosen
        self._corpus = corpus
        self._tell = tell
        self._poll = poll
        self._section_named: str | None = None
        self._use(find_project(start, out, bib))
        self._known = KnownFiles()
        self._signals: queue.Queue[Path | Ended | None] = queue.Queue()  # None: the end
        self._events = FolderEvents(self._signals.put)
        self._running: Refresh | None = None
        self._open: frozenset[Path] = frozenset()  # folders in which a file may come that the draft lacks
        self._standing: Kind = "watching"
        self._said = ""
        self._stirred_at: float | None = None
        self._look_at: float | None = None
        self._again_at: float | None = None
        self._started = False
        self._code = 0  # the exit code of the last run, or of what kept it from being remembered
        self._owed = False  # a look whose findings were passed over

    def once(self) -> int:
        """Bring the section up to date, and return the exit code of the command line."""
        self._look(force=True)
        while self._running is not None:
            signal = self._signals.get()
            if isinstance(signal, Ended):
                self._finish(signal)
        return self._code or int(self._standing in ("due", "waiting", "failed"))

    def run(self) -> None:
        """Watch until `end` is called, or an exception of the caller's, such as an interrupt, ends it."""
        if not self._poll:
            self._events.start()
        self._look(force=True)
        how = "looking every second" if self._poll else "by the system's events"
        if self._events.trouble:
            how = f"looking every second, since the system tells of no changes: {self._events.trouble}"
        self._tell(Happening("watching", f"{self.project.root} ({how})", tuple(sorted(self._known))))
        if self._running is None:
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
            elif self._matters(signal):
                self._stir()

    def end(self) -> None:
        """Let `run` return; called from any thread."""
        self._signals.put(None)

    def stop(self) -> None:
        """Begin nothing more, and give what runs half a second to end."""
        self._events.stop()
        if self._running is not None:
            self._running.cancel()
            self._running.wait(0.5)

    # Waiting for the right moment

    def _pause(self) -> float:
        if self._look_at is not None:
            return max(0.0, self._look_at - time.monotonic())
        return POLLING_BEAT if self._poll or self._events.trouble else BEAT

    def _beat(self, now: float) -> None:
        if self._look_at is not None:
            if now < self._look_at:
                return
            if git_is_busy(self._git) and now - (self._stirred_at or now) < GIT_PATIENCE:
                self._look_at = now + QUIET
            else:
                self._look()
        elif self._known.stirred():
            self._stir()
        elif self._again_at is not None and now >= self._again_at:
            self._look(force=True)

    def _stir(self) -> None:
        now = time.monotonic()
        if self._stirred_at is None:
            self._stirred_at = now
        self._look_at = min(now + QUIET, self._stirred_at + LONGEST_QUIET)

    def _matters(self, path: Path) -> bool:
        """Whether what happened to this path may count; editors write much beside a file."""
        if path in self._known:
            return True
        return path.parent in self._open and (path.suffix.lower() in _SOURCES or path.is_dir())

    # Looking, and what follows from it

    def _look(self, *, force: bool = False) -> None:
        """See what changed, then begin, cancel or tell what follows. Nothing that goes wrong ends the loop."""
        self._stirred_at = self._look_at = self._again_at = None
        start = time.perf_counter()
        try:
            look = self._known.look()
            came = self._open.intersection(look.saved)
            look = replace(look, saved=tuple(path for path in look.saved if path not in self._open))
            owed, self._owed = self._owed, False
            if force or owed or look.telling or came:
                assessment = self._assess(look)
                if self._known.stirred():
                    # A file was saved while it was read: it is read again when it rests.
                    self._owed = True
                    self._stir()
                    return
                # After a run, what was saved is citeplug's own.
                self._follow(assessment, Look() if force else look, start)
            else:
                self._tell_unchanged(look, start)
        except (CannotWrite, OSError) as error:
            told = error if isinstance(error, CannotWrite) else unexpected(error)
            self._code = told.exit_code
            self._stand("failed", str(told), hint=told.hint)
            self._again_at = time.monotonic() + AGAIN
        except CiteplugError as error:
            self._open_folders([self.project.root.parent])
            self._stand("waiting", str(error), hint=error.hint)
        except Exception as error:
            self._stand("failed", f"{type(error).__name__}: {error}", hint=_OUR_FAULT)

    def _assess(self, look: Look) -> Assessment:
        if not self.project.root.is_file() or any(path.name in CONFIGURATION for path in look.telling):
            self._use(find_project(*self._named))
        while True:
            last = self._journal.last(SECTION)
            assessment = assess(self.project, self._wish, last, self._corpus.last_change)
            named = assessment.draft.options.values.get(OUT.name)
            if named != self._section_named:
                # The document names another file for its section now.
                self._section_named = named
                self._use(find_project(*self._named))
                continue
            # A file that was read for the first time may have been saved meanwhile.
            files, exact = files_of(self.project, assessment.draft)
            self._open = frozenset(assessment.open_folders)
            if not self._known.know([*files, *self._open], exact):
                break
        self._events.watch(self._known.folders | self._open)
        return assessment

    def _open_folders(self, folders: list[Path]) -> None:
        """The draft cannot be read: a new file in these folders may change that."""
        self._open = frozenset(folders)
        self._known.know([*self._known, *folders], self._known.exact)
        self._events.watch(self._known.folders | self._open)

    def _use(self, project: Project) -> None:
        self.project = project
        self._journal = Journal(self._chosen.home, project.root)
        self._git = git_folder(project.root.parent)

    def _follow(self, assessment: Assessment, look: Look, start: float) -> None:
        if self._running is not None:
            if any(self._running.assessment.inputs[name] != assessment.inputs[name] for name in _DRAFT):
                self._running.cancel()
            return
        first, self._started = not self._started, True
        last = self._journal.last(SECTION)
        if assessment.verdict == "run" and not _is_done(assessment, last, first):
            used_up = self._allowed.used_up() if self._allowed is not None else ""
            if used_up:
                message = ": ".join(filter(None, [_why(assessment.changed), used_up]))
                self._stand("due", message, look=look, start=start, hint=_TOMORROW, changed=assessment.changed)
                self._again_at = time.monotonic() + _until_tomorrow()
            else:
                self._begin(assessment)
        elif assessment.verdict == "run" and last is not None and last.end == "refused":
            self._stand("failed", last.note, look=look, start=start)
        elif assessment.verdict in ("run", "current"):
            if last is None or last.inputs.get(CATALOGUE) != assessment.inputs[CATALOGUE]:
                self._journal.finish(SECTION, Finished(assessment.inputs, "unchanged"))
            self._stand("current", f"{self.project.where.tex.name} is current", look=look, start=start)
        else:
            if assessment.verdict == "due":
                self._journal.finish(SECTION, Finished(assessment.inputs, "due", assessment.note))
            kind: Kind = "due" if assessment.verdict == "due" else "waiting"
            message = ": ".join(filter(None, [_why(assessment.changed), assessment.note]))
            self._stand(kind, message, look=look, start=start, hint=assessment.hint, changed=assessment.changed)

    def _begin(self, assessment: Assessment) -> None:
        message = _why(assessment.changed) or assessment.note
        self._tell(Happening("running", message, changed=assessment.changed))
        self._running = Refresh(
            self.project,
            assessment,
            self._chosen,
            self._corpus,
            journal=self._journal,
            allowed=self._allowed,
            online=self._wish.online,
            announce=self._announce,
            done=self._signals.put,
        )
        self._running.start()

    def _finish(self, ended: Ended) -> None:
        """Tell how a run ended and remember it, then see whether more is to be done by now."""
        self._running = None
        assessment, error = ended.assessment, ended.error
        try:
            if error is None:
                self._remember(self._with_what_was_written(ended), "written" if ended.files else "unchanged")
                self._told_written(ended)
            elif isinstance(error, Cancelled):
                self._tell(Happening("cancelled", str(error), seconds=ended.seconds))
            elif isinstance(error, BudgetReached):
                self._stand("due", str(error), hint=_TOMORROW, changed=assessment.changed)
            elif isinstance(error, CiteplugError):
                if not isinstance(error, _TRANSIENT):
                    self._remember(assessment, "refused", str(error))
                self._stand("failed", str(error), hint=error.hint)
            else:
                self._remember(assessment, "refused", repr(error))
                self._stand("failed", f"{type(error).__name__}: {error}", hint=_OUR_FAULT)
        except CiteplugError as trouble:
            error = trouble
            self._stand("failed", str(trouble), hint=trouble.hint)
        self._code = getattr(error, "exit_code", int(error is not None))
        if isinstance(error, BudgetReached):
            self._again_at = time.monotonic() + _until_tomorrow()
        elif isinstance(error, _TRANSIENT):
            self._again_at = time.monotonic() + AGAIN
        else:
            self._look(force=True)

    def _with_what_was_written(self, ended: Ended) -> Assessment:
        """The state that a run left: one that is put back to that before it is due once more."""
        assert ended.written is not None
        provenance = section_files.read_provenance(self.project.where.provenance)
        inputs = inputs_after(ended.assessment, ended.written.outcome.tex_content, provenance)
        return replace(ended.assessment, inputs=inputs)

    def _remember(self, assessment: Assessment, end: End, note: str = "") -> None:
        # A run may have taken records in itself: they are no reason for another.
        inputs = {**assessment.inputs, CATALOGUE: str(self._corpus.last_change)}
        self._journal.finish(SECTION, Finished(inputs, end, note))

    # Telling

    def _told_written(self, ended: Ended) -> None:
        assert ended.written is not None
        name = self.project.where.tex.name
        message = f"{name} is brought up to date" if ended.files else f"{name} was made anew, and is as it was"
        findings = tuple(f for f in ended.written.outcome.findings if f.severity in ("warning", "error"))
        kind: Kind = "written" if ended.files else "current"
        changed = ended.assessment.changed
        self._standing, self._said = "current", f"{name} is current"
        self._tell(Happening(kind, message, ended.files, changed, ended.seconds, findings=findings))

    def _tell_unchanged(self, look: Look, start: float) -> None:
        if look.saved:
            message = "nothing changed that the section is made from"
            self._tell(Happening("unchanged", message, look.saved, seconds=time.perf_counter() - start))

    def _stand(
        self,
        kind: Kind,
        message: str,
        *,
        look: Look | None = None,
        start: float | None = None,
        hint: str = "",
        changed: tuple[str, ...] = (),
    ) -> None:
        """Tell where the section stands, unless that was told already; then only that something was saved."""
        if (kind, message) == (self._standing, self._said):
            if look is not None and start is not None:
                self._tell_unchanged(look, start)
            return
        self._standing, self._said = kind, message
        seconds = None if start is None else time.perf_counter() - start
        self._tell(Happening(kind, message, look.saved if look is not None else (), changed, seconds, hint))

    def _warm_up(self) -> None:
        """Load what the first run needs, so that it takes no longer than the later ones."""
        with contextlib.suppress(CiteplugError):
            if self._corpus.records:
                vector = self._corpus.embed(["related work"])[0]
                self._corpus.nearest(vector, 1, Filter())
                self._corpus.lexical("related work", 1, Filter())


_TOMORROW = "run 'citeplug related', or raise the bound under [watch] in config.toml; it goes on tomorrow by itself"
_OUR_FAULT = "this is a mistake of citeplug's: please report it"


def _is_done(assessment: Assessment, last: Finished | None, first: bool) -> bool:
    """Whether a run came to its end with exactly these inputs; what was refused is tried once more by a new process."""
    if last is None or last.inputs != assessment.inputs or last.end == "due":
        return False
    return not (first and last.end == "refused")


def _until_tomorrow() -> float:
    """Seconds until the user's clock begins another day."""
    now = datetime.now()
    return (datetime.combine(now.date() + timedelta(days=1), clock()) - now).total_seconds() + 1


def _why(changed: tuple[str, ...]) -> str:
    names = [WHY[name] for name in changed]
    if not names:
        return ""
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{listed} changed"
