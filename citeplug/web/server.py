"""The server of the review page: a free port on loopback, until nobody uses it any more."""

import asyncio
import os
import socket
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from citeplug.web.guard import START, Guard, Secrets

ADDRESS = "127.0.0.1"
_LOOK = 0.2  # seconds
_WHOLE_REQUEST = 10.0  # seconds from the connection to a first byte, and from there for each part of a request
_PART = 1 << 20  # bytes
_LATE = 1.0  # seconds after its time in which a timer is called where the process has its turns
# Connections, of which a browser opens a few for each tab; fewer than the files that a process may commonly open.
_MOST = 512
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>citeplug</title>
<meta http-equiv="refresh" content="0; url={address}"></head>
<body><p><a href="{address}">Open the review page</a></p></body></html>
"""


def page_to_open(address: str, folder: Path) -> Path:
    """A page for the author's eyes alone that leads to the address, as Jupyter has it.

    A browser is opened with it, since every user of a machine sees the arguments of its processes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(".html", "open-", folder)  # of mode 0600
    os.close(handle)
    page = Path(name)
    page.write_text(_PAGE.format(address=address), "utf-8")
    return page


def serve(
    app: Callable[[Secrets], ASGIApp],
    *,
    idle: float,
    ready: Callable[[str], None],
    busy: Callable[[], bool] = lambda: False,
    end: Callable[[], bool] = lambda: False,
) -> None:
    """Serve the application until it was not used for `idle` seconds, `end` says so, or the process is interrupted.

    While it is `busy` it counts as used. `app` is made with the secrets of its forms. `ready` is called with the
    one-time address once requests are answered.
    """
    with socket.socket() as listening:
        listening.bind((ADDRESS, 0))
        host = f"{ADDRESS}:{listening.getsockname()[1]}"
        known = Secrets()
        last = [time.monotonic()]

        def used() -> None:
            last[0] = time.monotonic()

        def is_idle() -> bool:
            if busy():
                used()
                return False
            return time.monotonic() - last[0] > idle

        config = uvicorn.Config(
            Guard(app(known), host, known, used),
            http=_Prompt,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,  # loggers belong to the program, not to a server in it
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_MOST,
            timeout_graceful_shutdown=5,
        )
        server = uvicorn.Server(config)

        async def run() -> None:
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            while not server.started and not serving.done():
                await asyncio.sleep(_LOOK / 10)
            if not serving.done():
                ready(f"http://{host}{START}?token={known.token}")
            while not serving.done():
                server.should_exit = server.should_exit or end() or is_idle()
                await asyncio.wait([serving], timeout=_LOOK)
            await serving

        asyncio.run(run())


class _Prompt(H11Protocol):
    """Closes a connection whose request does not come to its end: uvicorn would wait for ever.

    What holds a request up on this side does not count: bytes that are not read yet, and a process that has no turn.
    """

    _limit: asyncio.TimerHandle | None = None
    _came = 0  # bytes of the request
    _part = 0  # of it that the clock was last set for

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        self._came += len(data)
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Set the clock for the connection, the first byte, and each further part, until the request is whole."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._forget()
            self._came = self._part = 0
            return
        part = -(-self._came // _PART)
        if self._limit is None or part > self._part:
            self._part = part
            self._set()

    def _set(self) -> None:
        self._forget()
        self._limit = self.loop.call_later(_WHOLE_REQUEST, self._expire, self.loop.time() + _WHOLE_REQUEST)

    def _expire(self, due: float) -> None:
        if self.flow.read_paused or self.loop.time() > due + _LATE:
            self._set()
        else:
            self.transport.abort()

    def _forget(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
