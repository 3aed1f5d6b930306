"""A piece of work in a process of its own: its events, its questions, and its end, also when it is cancelled."""

import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from citeplug.errors import Cancelled, CiteplugError


class JobFailed(CiteplugError):
    """The work raised an error, or its process ended without a result."""


def _ignore(_: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Listener:
    """Callbacks for the events of a job, called in the thread that runs it.

    `report` gets a stage, the amount done and the whole amount; `text` a line of the text being written; `log` a
    request over the network. `consent` gets a question; its answer may come later, from any thread.
    """

    report: Callable[[str, int, int | None], object]
    text: Callable[[str], None] = _ignore
    log: Callable[[str], None] = _ignore
    consent: Callable[[Any], "Future[bool] | Future[float]"] | None = None


class JobProcess:
    """One process that calls a function, `work`, given as MODULE:FUNCTION, with a `worker.Channel` and `arguments`.

    By its name, so that what it needs is not loaded into this process.
    """

    def __init__(self, work: str, arguments: Mapping[str, Any], listener: Listener) -> None:
        self._task = (work, dict(arguments))
        self._listener = listener
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._cancelled = False
        self._committed = False
        self._question: Future[bool] | Future[float] | None = None

    def run(self, *, quiet: bool = False) -> Any:
        """Run the process to its end, and return what the work returned; `quiet`: standard error is not shown.

        Raises Cancelled if it was cancelled, JobFailed with the error of the work or if it ended without a result.
        """
        with self._lock:
            if self._cancelled:
                raise Cancelled("stopped")
            self._process = subprocess.Popen(
                # -P: nothing is imported from the current folder, which is the author's project
                [sys.executable, "-P", "-m", "citeplug.jobs.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if quiet else None,
            )
        try:
            with self._process as process:
                try:
                    self._send(self._task)
                    return self._listen(process)
                finally:
                    if self._question is not None:
                        self._question.cancel()
                    process.kill()
        except (EOFError, OSError, pickle.UnpicklingError):
            if self._cancelled:
                raise Cancelled("stopped") from None
            raise JobFailed("the process of this run ended unexpectedly", "run 'citeplug doctor'") from None

    def cancel(self) -> None:
        """Kill the process, at once; unless it writes files of the author's already, which it then finishes."""
        with self._lock:
            if not self._committed:
                self._cancelled = True
                if self._process is not None:
                    self._process.kill()

    def _listen(self, process: "subprocess.Popen[bytes]") -> Any:
        assert process.stdout is not None
        while True:
            kind, *values = pickle.load(process.stdout)
            if kind == "result":
                return values[0]
            if kind == "error":
                raise JobFailed(*values)
            if kind == "commit":
                with self._lock:
                    self._committed = not self._cancelled
                self._send(self._committed)
            elif kind == "consent":
                assert self._listener.consent is not None
                self._question = self._listener.consent(*values)
                self._question.add_done_callback(self._answer)
            else:
                getattr(self._listener, kind)(*values)

    def _answer(self, question: "Future[bool] | Future[float]") -> None:
        self._send(not question.cancelled() and question.exception() is None and question.result())

    def _send(self, message: Any) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(pickle.dumps(message))
            self._process.stdin.flush()
        except (OSError, ValueError):  # it has ended; reading says how
            pass
