"""An event loop in a thread of its own, so that what waits for the network can be stopped at any moment.

`anyio`'s blocking portal is no help here: it cancels a task again and again until it has ended, which breaks off the
closing of connections, too.
"""

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

from citeplug.errors import Cancelled

_T = TypeVar("_T")
_S = TypeVar("_S")
# Seconds between two looks at the keyboard: on Windows, a wait without end cannot be interrupted.
_LOOK = 0.1


class Background:
    """Runs coroutines for callers in any thread, and `last` at the end. `cancel` stops them, now and for good."""

    def __init__(self, last: Callable[[], Awaitable[None]]) -> None:
        self._last = last
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._running: set[Future[Any]] = set()
        self._cancelled = False

    def run(
        self, work: Coroutine[Any, Any, _T], pieces: "queue.SimpleQueue[_S | None]", on_piece: Callable[[_S], None]
    ) -> _T:
        """The result of `work`; what it puts into `pieces` meanwhile goes to `on_piece`, in the caller's own thread.

        Raises Cancelled after `cancel`. Whatever interrupts the caller, such as Ctrl-C, stops the work.
        """
        future = self._start(work)
        future.add_done_callback(lambda _: pieces.put(None))
        try:
            while not (future.done() and pieces.empty()):
                try:
                    piece = pieces.get(timeout=_LOOK)
                except queue.Empty:
                    continue
                if piece is not None:
                    on_piece(piece)
            return future.result()
        except CancelledError:
            raise Cancelled("the language model was stopped", "run it again: the answers so far are kept") from None
        finally:
            future.cancel()
            with self._lock:
                self._running.discard(future)

    def cancel(self) -> None:
        """Stop everything; what is asked afterwards is cancelled too. Any thread may call it."""
        with self._lock:
            self._cancelled = True
            running = list(self._running)
        for future in running:
            future.cancel()

    def close(self) -> None:
        """End everything, and the loop."""
        self.cancel()
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(self._end.set)
        thread.join(10)

    def _start(self, work: Coroutine[Any, Any, _T]) -> "Future[_T]":
        with self._lock:
            if self._cancelled:
                work.close()
                raise Cancelled("the language model was stopped", "run it again")
            if self._loop is None:
                self._loop = self._new_loop()
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
            self._running.add(future)
        return future

    def _new_loop(self) -> asyncio.AbstractEventLoop:
        started: Future[asyncio.AbstractEventLoop] = Future()

        async def serve() -> None:
            self._end = asyncio.Event()
            started.set_result(asyncio.get_running_loop())
            try:
                await self._end.wait()
            finally:
                await self._last()

        # A daemon: a server that never answers must not keep the process alive.
        self._thread = threading.Thread(target=asyncio.run, args=(serve(),), name="citeplug-llm", daemon=True)
        self._thread.start()
        return started.result()
