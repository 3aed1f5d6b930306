"""Upkeep of one section: compares the draft with the last run, begins and cancels runs, and reports how they end.

One file: these are the moves of one state machine.
"""

import time
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime, timedelta
from datetime import time as clock
from pathlib import Path

from citeplug.errors import (
    BudgetReached,
    Cancelled,
    CannotWrite,
    CiteplugError,
    ModelUnavailable,
    SourceUnavailable,
    StoreBusy,
)
from citeplug.files.atomic import unexpected
from citeplug.project.find_project import Project, find_project
from citeplug.project.last_run import End, Finished, Journal
from citeplug.project.provenance import read_provenance
from citeplug.related.input_digests import PARTS
from citeplug.related.section.status import OPTIONS
from citeplug.settings.known_settings import OUT
from citeplug.sync.watch.assess import (
    CATALOGUE,
    CONFIGURATION,
    SECTION,
    Assessment,
    assess,
    files_of,
    inputs_after,
    is_done,
    reason,
)
from citeplug.sync.watch.context import Kind, WatchContext, WatchEvent
from citeplug.sync.watch.files import KnownFiles, Look, git_folder
from citeplug.sync.watch.refresh import Ended, Refresh

AT_REST = 0.0  # instead of seconds: as soon as no file changes any more
AGAIN = 300.0  # seconds until what could not be reached is tried again
_TRANSIENT = (SourceUnavailable, StoreBusy, ModelUnavailable, CannotWrite)
_SOURCES = (".tex", ".ltx", ".bib", ".sty", ".cls", ".rnw", ".toml")
# These are the author's to change; all else in an assessment is another after a run because of the run itself.
_DRAFT = (*PARTS, OPTIONS)
_TOMORROW = "run 'citeplug related', or raise the limit under [watch] in config.toml; watch goes on tomorrow"
_BUG = "this is a bug in citeplug: please report it"


class Upkeep:
    """The section of the project that `named` leads to: what the user named, and where section and entries lie.

    `ended` is given the end of a run, in the run's thread, `watch` the folders in which something may change.
    """

    def __init__(
        self,
        named: tuple[Path | None, Path | None, Path | None],
        context: WatchContext,
        ended: Callable[[Ended], None],
        watch: Callable[[Collection[Path]], None],
    ) -> None:
        self._named = named
        self._context = context
        self._tell = context.tell
        self._ended = ended
        self._watch = watch
        self._section_named: str | None = None
        self._use(find_project(*named))
        self._known = KnownFiles()
        self._open: frozenset[Path] = frozenset()  # folders in which a file may come that the draft lacks
        self._run: Refresh | None = None
        self._reported: tuple[Kind, str] = ("watching", "")
        self._started = False
        self._code = 0  # the exit code of the last run, or of what kept it from being remembered
        self._owed = False  # a look whose findings were passed over

    @property
    def running(self) -> bool:
        return self._run is not None

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that the section depends on."""
        return tuple(sorted(self._known))

    @property
    def exit_code(self) -> int:
        """Of the command line, for the state that was reported last."""
        return self._code or int(self._reported[0] in ("due", "waiting", "failed"))

    @property
    def _written(self) -> tuple[Path, ...]:
        """The files that a run writes."""
        where = self.project.where
        return where.tex, where.bib, where.provenance

    def concerns(self, path: Path) -> bool:
        """True if a change of this path may count; editors write much beside a file."""
        if path in self._known:
            return True
        return path.parent in self._open and (path.suffix.lower() in _SOURCES or path.is_dir())

    def stirred(self) -> bool:
        """True if a look may find something; reads no file."""
        return self._known.stirred()

    def stop(self, seconds: float) -> None:
        """Cancel what runs, and wait for its end no longer than that."""
        if self._run is not None:
            self._run.cancel()
            self._run.wait(seconds)

    def look(self, *, force: bool = False) -> float | None:
        """See what changed, then begin, cancel or report what follows; nothing that goes wrong is raised.

        Returns the seconds after which to look again by `force`, AT_REST if a file was saved meanwhile, None if that
        may wait for a change.
        """
        start = time.perf_counter()
        try:
            look = self._known.look()
            came = self._open.intersection(look.saved)
            look = replace(look, saved=tuple(path for path in look.saved if path not in self._open))
            owed, self._owed = self._owed, False
            if force and set(look.telling) - set(self._written):
                # No change of a file led here: a save may be under way, and its file be half there.
                self._owed = True
                return AT_REST
            if not (force or owed or look.telling or came):
                self._report_unchanged(look, start)
                return None
            assessment = self._assess(look)
            if self._known.stirred():
                # A file was saved while it was read: it is read again when it rests.
                self._owed = True
                return AT_REST
            # After a run, what was saved is citeplug's own.
            return self._follow(assessment, Look() if force else look, start)
        except (CannotWrite, OSError) as error:
            failure = error if isinstance(error, CannotWrite) else unexpected(error)
            self._code = failure.exit_code
            self._report("failed", str(failure), hint=failure.hint)
            return AGAIN
        except CiteplugError as error:
            self._open_folders([self.project.root.parent])
            self._report("waiting", str(error), hint=error.hint)
        except Exception as error:
            self._report("failed", f"{type(error).__name__}: {error}", hint=_BUG)
        return None

    def finish(self, ended: Ended) -> float | None:
        """Report how a run ended, and remember it.

        Returns the seconds after which to try again, None if a look at the draft is due at once.
        """
        self._run = None
        assessment, error = ended.assessment, ended.error
        try:
            if error is None:
                self._remember(self._with_what_was_written(ended), "written" if ended.files else "unchanged")
                self._report_written(ended)
            elif isinstance(error, Cancelled):
                self._tell(WatchEvent("cancelled", str(error), seconds=ended.seconds))
            elif isinstance(error, BudgetReached):
                self._report("due", str(error), hint=_TOMORROW, changed=assessment.changed)
            elif isinstance(error, CiteplugError):
                if not isinstance(error, _TRANSIENT):
                    self._remember(assessment, "refused", str(error))
                self._report("failed", str(error), hint=error.hint)
            else:
                self._remember(assessment, "refused", repr(error))
                self._report("failed", f"{type(error).__name__}: {error}", hint=_BUG)
        except CiteplugError as trouble:
            error = trouble
            self._report("failed", str(trouble), hint=trouble.hint)
        self._code = getattr(error, "exit_code", int(error is not None))
        if isinstance(error, BudgetReached):
            return _until_tomorrow()
        return AGAIN if isinstance(error, _TRANSIENT) else None

    def _assess(self, look: Look) -> Assessment:
        if not self.project.root.is_file() or any(path.name in CONFIGURATION for path in look.telling):
            self._use(find_project(*self._named))
        while True:
            last = self._journal.last(SECTION)
            assessment = assess(self.project, self._context.overrides, last, self._context.corpus.last_change)
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
        self._watch(self._known.folders | self._open)
        return assessment

    def _open_folders(self, folders: list[Path]) -> None:
        """Watch these too: the draft cannot be read, and a new file in them may change that."""
        self._open = frozenset(folders)
        self._known.know([*self._known, *folders], self._known.exact)
        self._watch(self._known.folders | self._open)

    def _use(self, project: Project) -> None:
        self.project = project
        self.git = git_folder(project.root.parent)
        self._journal = Journal(self._context.settings.home, project.root)

    def _follow(self, assessment: Assessment, look: Look, start: float) -> float | None:
        if self._run is not None:
            if any(self._run.assessment.inputs[name] != assessment.inputs[name] for name in _DRAFT):
                self._run.cancel()
            return None
        first, self._started = not self._started, True
        last = self._journal.last(SECTION)
        if assessment.verdict == "run" and not is_done(assessment, last, first):
            allowance = self._context.allowance
            used_up = allowance.used_up() if allowance is not None else ""
            if used_up:
                message = ": ".join(filter(None, [reason(assessment.changed), used_up]))
                self._report("due", message, look=look, start=start, hint=_TOMORROW, changed=assessment.changed)
                return _until_tomorrow()
            self._begin(assessment)
        elif assessment.verdict == "run" and last is not None and last.end == "refused":
            self._report("failed", last.note, look=look, start=start)
        elif assessment.verdict in ("run", "current"):
            if last is None or last.inputs.get(CATALOGUE) != assessment.inputs[CATALOGUE]:
                self._journal.finish(SECTION, Finished(assessment.inputs, "unchanged"))
            self._report("current", f"{self.project.where.tex.name} is current", look=look, start=start)
        else:
            if assessment.verdict == "due":
                self._journal.finish(SECTION, Finished(assessment.inputs, "due", assessment.note))
            kind: Kind = "due" if assessment.verdict == "due" else "waiting"
            message = ": ".join(filter(None, [reason(assessment.changed), assessment.note]))
            self._report(kind, message, look=look, start=start, hint=assessment.hint, changed=assessment.changed)
        return None

    def _begin(self, assessment: Assessment) -> None:
        message = reason(assessment.changed) or assessment.note
        self._tell(WatchEvent("running", message, changed=assessment.changed))
        self._run = Refresh(self.project, assessment, self._context, self._ended)
        self._run.start()

    def _with_what_was_written(self, ended: Ended) -> Assessment:
        """The state that a run left: a project that is put back to that before it is due once more."""
        assert ended.written is not None
        provenance = read_provenance(self.project.where.provenance)
        inputs = inputs_after(ended.assessment, ended.written.outcome.tex_content, provenance)
        return replace(ended.assessment, inputs=inputs)

    def _remember(self, assessment: Assessment, end: End, note: str = "") -> None:
        # A run may have taken records in itself: they are no reason for another.
        inputs = {**assessment.inputs, CATALOGUE: str(self._context.corpus.last_change)}
        self._journal.finish(SECTION, Finished(inputs, end, note))

    def _report_written(self, ended: Ended) -> None:
        assert ended.written is not None
        name = self.project.where.tex.name
        message = f"{name} was updated" if ended.files else f"{name} was written again, unchanged"
        findings = tuple(f for f in ended.written.outcome.findings if f.severity in ("warning", "error"))
        kind: Kind = "written" if ended.files else "current"
        self._reported = "current", f"{name} is current"
        self._tell(WatchEvent(kind, message, ended.files, ended.assessment.changed, ended.seconds, findings=findings))

    def _report_unchanged(self, look: Look, start: float) -> None:
        if look.saved:
            message = "nothing that the section depends on has changed"
            self._tell(WatchEvent("unchanged", message, look.saved, seconds=time.perf_counter() - start))

    def _report(
        self,
        kind: Kind,
        message: str,
        *,
        look: Look | None = None,
        start: float | None = None,
        hint: str = "",
        changed: tuple[str, ...] = (),
    ) -> None:
        """Report a state of the section; the same state a second time only as a save that changed nothing."""
        if (kind, message) == self._reported:
            if look is not None and start is not None:
                self._report_unchanged(look, start)
            return
        self._reported = kind, message
        seconds = None if start is None else time.perf_counter() - start
        self._tell(WatchEvent(kind, message, look.saved if look is not None else (), changed, seconds, hint))


def _until_tomorrow() -> float:
    """Seconds until the user's clock begins another day."""
    now = datetime.now()
    return (datetime.combine(now.date() + timedelta(days=1), clock()) - now).total_seconds() + 1
