"""The server of the review page: a free port on loopback, until nobody uses it any more."""

import asyncio
import os
import socket
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from citeplug.faces.web.guard import START, Guard, Secrets

ADDRESS = "127.0.0.1"
_LOOK = 0.2  # seconds
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
            http="h11",
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,  # loggers belong to the program, not to a server in it
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=64,
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
