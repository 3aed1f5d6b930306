"""One request at a time, and not too soon after the last, over all of a user's processes (arxiv-api.md, Manners)."""

import math
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

LONGEST_HOLD = 600.0  # seconds; a server that asks for more is asked again after these


class Clock:
    """The wall clock, in seconds since the epoch: the only one that processes share. Tests pass another."""

    def now(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class NotYet(Exception):
    """No turn within the time allowed. `seconds` is how long it would still take, None if nobody knows."""

    def __init__(self, seconds: float | None) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Pace:
    """Turns to speak with one service.

    `folder` holds a lock and the time before which nobody may ask; processes that share the folder share the
    turns. `delay` is in seconds, from the end of one request to the start of the next. Threads may share it.
    """

    def __init__(self, folder: Path, service: str, delay: float, clock: Clock) -> None:
        self.delay = delay
        self._clock = clock
        self._folder = folder
        self._next = folder / f"{service}.next"
        self._lock = FileLock(folder / f"{service}.lock")

    @contextmanager
    def turn(self, until: float) -> Iterator["Turn"]:
        """Wait for a turn and hold it. Raises NotYet if it would come after `until`, OSError if no lock can be had."""
        while True:
            self._folder.mkdir(parents=True, exist_ok=True)
            with self._locked(until):
                wait = self._wait()
                if wait <= 0:
                    turn = Turn()
                    # Noted before the request too: the pace is kept even if this process is killed in it.
                    self._note(self.delay)
                    try:
                        yield turn
                    finally:
                        with suppress(OSError):  # a disk that filled up meanwhile; the note from before holds
                            self._note(max(self.delay, turn.hold))
                    return
            if self._clock.now() + wait > until:
                raise NotYet(wait)
            # Slept without the lock and a little unevenly, so that no process starves the others.
            self._clock.sleep(min(wait + random.uniform(0, 0.05), until - self._clock.now()))

    @contextmanager
    def _locked(self, until: float) -> Iterator[None]:
        try:
            self._lock.acquire(timeout=max(0.0, until - self._clock.now()), poll_interval=0.05)
        except Timeout:
            raise NotYet(None) from None
        try:
            yield
        finally:
            self._lock.release()

    def _wait(self) -> float:
        """Seconds until somebody may ask."""
        try:
            wait = float(self._next.read_text(encoding="ascii")) - self._clock.now()
        except FileNotFoundError:
            return 0.0
        except ValueError:  # also UnicodeDecodeError: a writer was killed, so somebody asked lately
            wait = math.inf
        if wait <= max(self.delay, LONGEST_HOLD):
            return wait
        # Further ahead than anybody may set it: the clock was put back.
        self._note(self.delay)
        return self.delay

    def _note(self, seconds: float) -> None:
        if seconds > 0 or self._next.exists():
            self._next.write_text(repr(self._clock.now() + seconds), encoding="ascii")


class Turn:
    """A turn that is being held. `hold` is how many seconds everybody has to wait after it, at least."""

    def __init__(self) -> None:
        self.hold = 0.0

    def hold_back(self, seconds: float) -> None:
        self.hold = min(max(self.hold, seconds), LONGEST_HOLD)
