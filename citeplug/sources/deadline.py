"""A bound on the whole of one exchange with a web server: handshake, headers and body.

Time-outs of sockets hold between two bytes: a server that sends one now and then is never silent, and never done.
"""

import socket
import threading
from contextlib import suppress
from typing import Any

from requests.adapters import HTTPAdapter


class Deadline(HTTPAdapter):
    """Transport for one `requests.Session`, whose connections are cut `seconds` from now; `over` tells if they were.

    Closing the session ends the count.
    """

    def __init__(self, seconds: float) -> None:
        self.over = False
        self._lines: list[socket.socket] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True
        super().__init__()
        self._timer.start()

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, **options)
        self._watch(self.poolmanager)

    def proxy_manager_for(self, *args: Any, **options: Any) -> Any:
        manager = super().proxy_manager_for(*args, **options)
        self._watch(manager)
        return manager

    def close(self) -> None:
        self._timer.cancel()
        super().close()
        with self._lock:
            for line in self._lines:
                line.close()
            self._lines.clear()

    def _watch(self, manager: Any) -> None:
        pools = manager.pool_classes_by_scheme
        manager.pool_classes_by_scheme = {scheme: self._watched(pool) for scheme, pool in pools.items()}

    def _watched(self, pool: Any) -> type:
        opened, connection = self._opened, pool.ConnectionCls

        class Connection(connection):  # type: ignore[misc, valid-type]
            def _new_conn(self) -> socket.socket:
                made: socket.socket = super()._new_conn()
                opened(made)
                return made

        class Pool(pool):  # type: ignore[misc]
            ConnectionCls = Connection

        return Pool

    def _opened(self, made: socket.socket) -> None:
        """Keep a second handle: the first is taken over where the connection is encrypted."""
        with self._lock:
            self._lines.append(made.dup())
            if self.over:
                _shut(made)

    def _cut(self) -> None:
        with self._lock:
            self.over = True
            for line in self._lines:
                _shut(line)


def _shut(line: socket.socket) -> None:
    with suppress(OSError):  # it has ended by itself
        line.shutdown(socket.SHUT_RDWR)
