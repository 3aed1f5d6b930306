"""One run of a watcher, in a thread of its own: it can be cancelled, and ends in a result whatever happens."""

import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from citeplug.errors import Cancelled
from citeplug.files.atomic import unexpected
from citeplug.files.project_files import read_bytes
from citeplug.project.find_project import Project
from citeplug.related.job import Written, write_related
from citeplug.related.tools import Job
from citeplug.sync.watch.assess import Assessment
from citeplug.sync.watch.context import WatchContext

if TYPE_CHECKING:
    from citeplug.llm.guarded import CarefulModel

# Seconds for embedding papers where a section is updated: the author waits, most of them have vectors, and 40 more
# are worth nearly as much as all (docs/background.md). A first section takes the time that it needs.
HURRY = 0.5


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a run: what was `written`, or an `error`. `files` are those whose content changed."""

    assessment: Assessment
    seconds: float
    written: Written | None = None
    files: tuple[Path, ...] = ()
    error: BaseException | None = None


class Refresh:
    """A run for an assessment. `done` is called from its thread, once, when it has ended."""

    def __init__(
        self,
        project: Project,
        assessment: Assessment,
        context: WatchContext,
        done: Callable[[Ended], None],
    ) -> None:
        self.assessment = assessment
        self._project = project
        self._context = context
        self._done = done
        self._model: CarefulModel | None = None
        self._cancelled = threading.Event()
        # As a daemon: a process that is asked to stop does not wait for a model.
        self._thread = threading.Thread(target=self._run, name="citeplug-refresh", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def cancel(self) -> None:
        """Let it end at the next step, with nothing written; a run that is already writing finishes that."""
        self._cancelled.set()
        model = self._model
        if model is not None:
            model.cancel()

    def wait(self, seconds: float) -> None:
        """Wait for the end, no longer than that."""
        self._thread.join(seconds)

    def _run(self) -> None:
        start = time.perf_counter()
        where, context = self._project.where, self._context
        # Beside what a model takes, the time for embedding is nothing.
        hurry = HURRY if where.tex.exists() and context.allowance is None else None
        job = Job(
            self._project.root,
            self.assessment.options,
            where.tex,
            where.bib,
            embed_seconds=hurry,
            wholly_by_model=context.allowance is not None,
        )
        watched = (where.tex, where.bib, where.provenance)
        before = [_content(path) for path in watched]
        written: Written | None = None
        error: BaseException | None = None
        try:
            with nullcontext() if context.allowance is None else context.allowance.model() as model:
                self._model = model
                written = write_related(
                    job,
                    context.settings,
                    online=context.overrides.online,
                    report=self._report,
                    announce=context.announce,
                    model=model,
                    corpus=context.corpus,
                )
        except OSError as raised:
            error = unexpected(raised)
        except BaseException as raised:  # reported to whoever waits: nothing may end the loop
            error = raised
        changed = tuple(p for p, old in zip(watched[:2], before, strict=False) if _content(p) != old)
        self._done(Ended(self.assessment, time.perf_counter() - start, written, changed, error))

    def _report(self, stage: str, done: int, total: int | None) -> None:
        if self._cancelled.is_set():
            raise Cancelled("the draft changed while the section was being written")


def _content(path: Path) -> bytes | None:
    try:
        return read_bytes(path)
    except OSError:
        return None
