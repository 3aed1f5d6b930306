"""The run of a review that takes longer than a page: its stages are shown, and it can be cancelled."""

import asyncio
import json
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Literal

from citeplug.errors import Cancelled, CiteplugError, UsageError
from citeplug.files.atomic import unexpected
from citeplug.jobs.process import JobProcess, Listener
from citeplug.records.finding import Finding
from citeplug.records.json_form import fields_of
from citeplug.related.stage_words import stage_words

WAIT = 1.0  # seconds for which a run is waited for before its progress is shown
_LOOK = 0.2  # seconds between two looks at a run
State = Literal["on", "done", "failed", "stopped"]


@dataclass(slots=True)
class Run:
    """A run. `page` is the page on which its result is, `done` and `total` count the parts of its stage.

    `said` and `findings` are what it gave in the end, `error` why it did not come there. While there is a `question`,
    it waits for the author's answer. One that `gives_way` is stopped where another begins.
    """

    what: str
    page: str
    stage: str = "beginning"
    done: int = 0
    total: int | None = None
    state: State = "on"
    said: str = ""
    findings: Sequence[Finding] = ()
    error: CiteplugError | None = None
    stopping: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    stop: Callable[[], None] = lambda: None
    question: str = ""
    gives_way: bool = False
    told: bool = False  # a page has said how it ended
    _answer: Future[bool] = field(default_factory=Future)
    usual: float = 0.0  # seconds that the last one of its kind took; 0 if it is the first
    _began: float = field(default_factory=time.monotonic)  # of the stage
    _started: float = field(default_factory=time.monotonic)

    @property
    def words(self) -> str:
        """The state of the run in words."""
        if self.state == "on":
            return f"{self.what}: {'stopping' if self.stopping.is_set() else stage_words(self.stage)}"
        if self.state == "done":
            return self.said
        return f"{self.what}: stopped, nothing was changed" if self.state == "stopped" else ""

    def is_of(self, page: str) -> bool:
        """True if its result is on the page of this name, which its address has, too."""
        return (self.page.partition("?")[0].strip("/") or "section") == page

    @property
    def left(self) -> str:
        """How many of the stage's parts are done, and for how long it still takes, or the run by the last of its kind.

        Without an estimate it is how long the run took so far.
        """
        seconds, whole = time.monotonic() - self._began, self.took
        counted = f"{self.done:,} of {self.total:,}" if self.total and self.total > 1 else ""
        if self.total and self.done and seconds >= 1:
            left = seconds * max(self.total - self.done, 0) / self.done
        elif self.usual > whole:
            left = self.usual - whole
        else:
            return " · ".join(filter(None, (counted, f"{whole:.0f} s so far" if whole >= 1 else "")))
        return " · ".join(
            filter(None, (counted, f"about {left:.0f} s left" if left < 90 else f"about {left / 60:.0f} min left"))
        )

    @property
    def took(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._started

    def ask(self, question: object) -> "Future[bool]":
        """Ask the author, in the page."""
        self._answer, self.question = Future(), str(question)
        return self._answer

    def answer(self, agreed: bool) -> None:
        """Give the author's answer. Raises UsageError if nothing is asked."""
        question, self.question = self.question, ""
        if not question or not self._answer.set_running_or_notify_cancel():
            raise UsageError("nothing is asked any more", "look at the page again")
        self._answer.set_result(agreed)

    def in_process(self, task: str, **arguments: Any) -> Any:
        """Do a task of `tasks.py` in a process, which is killed where the run is stopped; return its result."""
        job = JobProcess(f"citeplug.web.tasks:{task}", arguments, Listener(self._note, consent=self.ask))
        self.stop = job.cancel
        if self.stopping.is_set():
            job.cancel()
        return job.run()

    def report(self, stage: str, done: int, total: int | None) -> None:
        """Note a stage. Raises Cancelled once the run is to stop."""
        if self.stopping.is_set():
            raise Cancelled("stopped")
        self._note(stage, done, total)

    def _note(self, stage: str, done: int, total: int | None) -> None:
        if stage != self.stage:
            self._began = time.monotonic()
        self.stage, self.done, self.total = stage, done, total


Work = Callable[[Run], tuple[str, Sequence[Finding]]]


class Runs:
    """The runs of a server, one at a time; the last one stays until it is dismissed."""

    def __init__(self) -> None:
        self.last: Run | None = None
        self._worker = ThreadPoolExecutor(1, "citeplug-run")
        self._lock = threading.Lock()
        self._took: dict[str, float] = {}  # seconds, by what was done

    @property
    def is_on(self) -> bool:
        """True while a run has not ended that others wait for."""
        return self.last is not None and self.last.state == "on" and not self.last.gives_way

    def begin(self, what: str, page: str, work: Work, wait: float, *, gives_way: bool = False) -> Run:
        """Begin a run, and wait so many seconds for its end. Raises UsageError while there is another one."""
        with self._lock:
            if self.last is not None and self.is_on:
                raise UsageError(f"{self.last.what} is not finished yet", "wait for it, or cancel it")
            self.cancel()
            run = self.last = Run(what, page, gives_way=gives_way, usual=self._took.get(what, 0.0))
            self._worker.submit(_carry_out, run, work, self._took)
        run.ended.wait(wait)
        return run

    def cancel(self) -> None:
        """Stop the run, which then changes nothing: its process at once, what runs here at its next step."""
        run = self.last
        if run is not None and run.state == "on":
            run.stopping.set()
            run.stop()

    def dismiss(self) -> None:
        """Forget a run that has ended."""
        with self._lock:
            if self.last is not None and self.last.state != "on":
                self.last = None

    def close(self, last: Callable[[], None] = lambda: None) -> None:
        """Stop, wait for the end, and call `last` in the thread of the runs."""
        self.cancel()
        self._worker.submit(last)
        self._worker.shutdown()


async def events_of(runs: Runs, base: str) -> AsyncIterator[str]:
    """An event for each change of the last run, the last one at its end; its page begins with `base`."""
    before = None
    while True:
        run = runs.last
        now = _as_json(run, base)
        if now != before:
            yield f"data: {now}\n\n"
            before = now
        if run is None or run.state != "on":
            return
        await asyncio.sleep(_LOOK)


def _as_json(run: Run | None, base: str) -> str:
    if run is None:
        return json.dumps({"state": "none"})
    return json.dumps(
        {**fields_of(run, "state words done total left"), "asks": bool(run.question), "page": base + run.page}
    )


def _carry_out(run: Run, work: Work, took: dict[str, float]) -> None:
    try:
        run.said, run.findings = work(run)
        run.state = "done"
        took[run.what] = run.took
    except Cancelled:
        run.state = "stopped"
    except CiteplugError as error:
        run.error, run.state = error, "failed"
    except OSError as error:
        run.error, run.state = unexpected(error), "failed"
    except Exception:  # a defect: the page says so, the terminal shows where
        logging.getLogger(__name__).exception(run.what)
        run.error, run.state = (
            CiteplugError("this failed, by a defect of citeplug", "its terminal shows more"),
            "failed",
        )
    finally:
        run.ended.set()
