"""`python -m citeplug.jobs.worker`: one piece of work, in a process that can be killed at any moment.

Reads the name of a function, MODULE:FUNCTION, and its keyword arguments from standard input, calls it with a `Channel`
before them, and sends what it returns. Messages and their answers are pickles. Ends when standard input is closed.
"""

import os
import pickle
import pkgutil
import queue
import signal
import sys
import threading
from typing import Any, BinaryIO

from citeplug.errors import Cancelled, CiteplugError
from citeplug.files.atomic import unexpected


class Channel:
    """What work tells the process that began it, and what it asks."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._lock = threading.Lock()
        self._answers: queue.SimpleQueue[float] = queue.SimpleQueue()

    def report(self, stage: str, done: int, total: int | None) -> None:
        """Report a stage, the amount done and the whole amount."""
        self._send("report", stage, done, total)

    def text(self, line: str) -> None:
        """Show a line of the text that is being written."""
        self._send("text", line)

    def log(self, message: str) -> None:
        self._send("log", message)

    def consent(self, question: object) -> float:
        """Wait until the user has answered; True if they agree, a number if they do for at most so many dollars."""
        self._send("consent", question)
        return self._answers.get()

    def commit(self) -> None:
        """Forbid that the process is killed from now on: files of the author's are written.

        Raises Cancelled if it is to end already.
        """
        self._send("commit")
        if not self._answers.get():
            raise Cancelled("stopped")

    def _send(self, kind: str, *values: Any) -> None:
        message = pickle.dumps((kind, *values))
        with self._lock:
            self._out.write(message)
            self._out.flush()

    def _listen(self) -> None:
        while True:
            try:
                self._answers.put(pickle.load(sys.stdin.buffer))
            except EOFError:
                os._exit(1)

    def main(self) -> None:
        """Do the work. An unexpected exception ends the process without a result."""
        name, arguments = pickle.load(sys.stdin.buffer)
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            self._send("result", pkgutil.resolve_name(name)(self, **arguments))
        except CiteplugError as error:
            self._send("error", str(error), error.hint)
        except OSError as error:
            self._send("error", str(unexpected(error)), unexpected(error).hint)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that began this one
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of libraries must not mix with the messages
    Channel(out).main()
    os._exit(0)  # without waiting for threads: files are written whole
