"""An event loop in a thread of its own, so that what waits for the network can be stopped at any moment."""

import asyncio
import queue
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

from citeplug.errors import Cancelled

_T = TypeVar("_T")
_S = TypeVar("_S")
# Seconds between two looks at the keyboard: on Windows, a wait without end cannot be interrupted.
_LOOK = 0.1


class Background:
    """Runs coroutines for callers in any thread. `cancel` stops all of them, now and for good."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._running: set[Future[Any]] = set()
        self._cancelled = False

    def run(
        self, work: Coroutine[Any, Any, _T], said: "queue.SimpleQueue[_S | None]", on_text: Callable[[_S], None]
    ) -> _T:
        """The result of `work`; what it puts into `said` meanwhile goes to `on_text`, in the caller's own thread.

        Raises Cancelled after `cancel`. Whatever interrupts the caller, such as Ctrl-C, stops the work.
        """
        future = self._start(work)
        future.add_done_callback(lambda _: said.put(None))
        try:
            while not future.done():
                _pass_on(said, on_text, _LOOK)
            while not said.empty():
                _pass_on(said, on_text, 0)
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

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """End the loop; `last` runs in it once everything else has stopped."""
        self.cancel()
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        try:
            asyncio.run_coroutine_threadsafe(_finish(last), loop).result(5)
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join(5)

    def _start(self, work: Coroutine[Any, Any, _T]) -> "Future[_T]":
        with self._lock:
            if self._cancelled:
                work.close()
                raise Cancelled("the language model was stopped", "run it again")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                # A daemon: a server that never answers must not keep the process alive.
                self._thread = threading.Thread(target=_serve, args=(self._loop,), name="citeplug-llm", daemon=True)
                self._thread.start()
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
            self._running.add(future)
        return future


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


async def _finish(last: Callable[[], Coroutine[Any, Any, None]]) -> None:
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await last()


def _pass_on(said: "queue.SimpleQueue[_S | None]", on_text: Callable[[_S], None], seconds: float) -> None:
    try:
        text = said.get(timeout=seconds) if seconds else said.get_nowait()
    except queue.Empty:
        return
    if text is not None:
        on_text(text)
