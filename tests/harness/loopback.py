"""What the loopback servers share: listening, faults that queue up, and the count of requests in hand."""

import os
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Generic, TypeVar

F = TypeVar("F")


class Loopback(Generic[F]):
    """A server on 127.0.0.1 with faults of type `F`.

    `most_at_once` is the largest number of requests that were being answered at one time.
    """

    def __init__(self) -> None:
        self.most_at_once = 0
        self._in_hand = 0
        self._faults: deque[F] = deque()
        self._for_ever: F | None = None
        self._lock = threading.Lock()
        self._stopping = threading.Event()

    def fail(self, fault: F, times: int = 1) -> None:
        """Answer the next `times` requests so; several calls queue up."""
        self._faults.extend([fault] * times)

    def fail_always(self, fault: F | None) -> None:
        """Answer every request so, once the queue of `fail` is empty; None ends it."""
        self._for_ever = fault

    def next_fault(self) -> F | None:
        with self._lock:
            return self._faults.popleft() if self._faults else self._for_ever

    @contextmanager
    def listening(self, handler: type["LoopbackHandler"]) -> Iterator[str]:
        """Listen on a free port while the block runs; yields the address."""
        listener = _Listener(("127.0.0.1", 0), handler)
        thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        self._stopping.clear()
        try:
            yield f"http://127.0.0.1:{listener.server_address[1]}"
        finally:
            self._stopping.set()
            listener.shutdown()
            listener.server_close()
            thread.join(5)

    @contextmanager
    def counting(self) -> Iterator[Callable[[], None]]:
        """Count a request as in hand, until what is yielded is called or else until the block ends."""
        with self._lock:
            self._in_hand += 1
            self.most_at_once = max(self.most_at_once, self._in_hand)
        in_hand = True

        def answered() -> None:
            nonlocal in_hand
            with self._lock:
                self._in_hand -= in_hand
                in_hand = False

        try:
            yield answered
        finally:
            answered()

    def pause(self, seconds: float) -> None:
        """Sleep, but no longer than the server runs."""
        if seconds:
            self._stopping.wait(seconds)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is part of the tests, and needs no traceback."""


class LoopbackHandler(BaseHTTPRequestHandler):
    """`answered` is to be called before the last of a reply is sent: with that the client may ask again."""

    protocol_version = "HTTP/1.1"
    answered: Callable[[], None]

    def drop(self) -> None:
        """Reset the connection instead of closing it."""
        self.close_connection = True
        self.answered()
        self.wfile.flush()
        self.connection.setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("hh" if os.name == "nt" else "ii", 1, 0)
        )
        self.connection.close()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass
