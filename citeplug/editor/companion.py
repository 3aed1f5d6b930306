"""The companion of the browser extension: the language server for documents that lie in a page, over a WebSocket.

Every page that a browser has open can reach a port on loopback. So: the exact host, the origin of an extension, and in
the first message the token that a one-time code gave. There is nothing to fetch here, so no other page is ever told
that it may. Behind it each connection has a language server of its own, in a process of its own, which gets documents
of `overleaf:` alone: no file of this machine can be named.
"""

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from citeplug.editor.pairing import Pairing
from citeplug.errors import UsageError
from citeplug.settings.environment import Settings

log = logging.getLogger(__name__)

ADDRESS = "127.0.0.1"
SCHEME = "overleaf://"
REFUSED = 4401  # the code with which a connection is closed whose token or pairing code is wrong
_GREETING = 10.0  # seconds until the first message
_LONGEST_GREETING = 1_000  # characters
_LONGEST = 32_000_000  # bytes of a message: a document, or the answer to a request for one
_MOST = 8  # connections
_ENDING = 5.0  # seconds in which a server ends by itself
# What an extension may ask. Settings are not among it: those that allow the network are no page's to change.
_METHODS = frozenset(
    (
        "initialize",
        "initialized",
        "shutdown",
        "exit",
        "$/cancelRequest",
        "window/workDoneProgress/cancel",
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "textDocument/completion",
        "completionItem/resolve",
        "textDocument/hover",
        "textDocument/codeAction",
        "workspace/didChangeWatchedFiles",
        "workspace/executeCommand",
    )
)


class NotAllowed(Exception):
    """A message that no extension of ours sends."""


async def companion(settings: Settings, pairing: Pairing, port: int, paired: Callable[[str], None]) -> Server:
    """Listen on loopback; `paired` is called with the origin of a browser that was let in by the code.

    Raises UsageError if the port is taken.
    """
    try:
        listening = await serve(
            lambda connection: _serve(connection, settings, pairing, paired),
            ADDRESS,
            port,
            process_request=lambda connection, request: _refusal(connection, request, pairing),
            compression=None,
            max_size=_LONGEST,
            server_header=None,
            open_timeout=_GREETING,
        )
    except OSError as error:
        raise UsageError(
            f"port {port} is in use: {error.strerror}",
            "end the other 'citeplug overleaf serve', or name another port with --port",
        ) from error
    return listening


def _refusal(connection: ServerConnection, request: Request, pairing: Pairing) -> Response | None:
    host = f"{ADDRESS}:{connection.local_address[1]}"
    origins = request.headers.get_all("Origin")
    if request.headers.get_all("Host") != [host]:
        return connection.respond(HTTPStatus.MISDIRECTED_REQUEST, "this server has another name\n")
    if len(origins) != 1 or not pairing.may_ask(origins[0]):
        return connection.respond(HTTPStatus.FORBIDDEN, "this server is for the extension that was paired with it\n")
    if request.path != "/":
        return connection.respond(HTTPStatus.NOT_FOUND, "there is nothing here\n")
    if len(connection.server.connections) >= _MOST:
        return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")
    return None


async def _serve(
    connection: ServerConnection, settings: Settings, pairing: Pairing, paired: Callable[[str], None]
) -> None:
    assert connection.request is not None
    origin = connection.request.headers["Origin"]
    with contextlib.suppress(ConnectionClosed):
        try:
            greeting = _greeting(await asyncio.wait_for(connection.recv(), _GREETING))
        except TimeoutError:
            greeting = {}
        code, token = greeting.get("code"), greeting.get("token")
        answer: dict[str, Any] = {}
        if isinstance(code, str) and (new := pairing.redeem(origin, code)) is not None:
            answer = {"token": new}
            paired(origin)
        elif not (isinstance(token, str) and pairing.knows(origin, token)):
            await connection.close(REFUSED, "wrong code" if isinstance(code, str) else "wrong token")
            return
        await connection.send(json.dumps(answer))
        await _converse(connection, settings)


def _greeting(message: str | bytes) -> dict[str, Any]:
    if isinstance(message, bytes) or len(message) > _LONGEST_GREETING:
        return {}
    with contextlib.suppress(ValueError):
        greeting = json.loads(message)
        return greeting if isinstance(greeting, dict) else {}
    return {}


async def _converse(connection: ServerConnection, settings: Settings) -> None:
    """Carry messages between the connection and a language server until either ends."""
    settings.home.mkdir(parents=True, exist_ok=True)
    process = await asyncio.create_subprocess_exec(
        # -P, and the folder: no project of the author's is where the server is.
        *(sys.executable, "-P", "-m", "citeplug", "lsp"),
        cwd=settings.home,
        env={**os.environ, "CITEPLUG_HOME": str(settings.home.absolute())},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None and process.stdout is not None
    ways = (
        asyncio.create_task(_to_server(connection, process.stdin)),
        asyncio.create_task(_to_browser(process.stdout, connection)),
    )
    try:
        done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in done:
            if isinstance(way.exception(), NotAllowed):
                await connection.close(1008, str(way.exception()))
    finally:
        for way in ways:
            way.cancel()
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), _ENDING)
        except (TimeoutError, asyncio.CancelledError):
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _to_server(connection: ServerConnection, pipe: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionClosed, ConnectionError):
        async for message in connection:
            if not message:
                continue  # a browser ends an extension's worker that says nothing for 30 seconds
            body = json.dumps(_allowed(message)).encode()
            pipe.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            await pipe.drain()


async def _to_browser(pipe: asyncio.StreamReader, connection: ServerConnection) -> None:
    with contextlib.suppress(ConnectionClosed, asyncio.IncompleteReadError):
        while header := await pipe.readline():
            name, _, value = header.partition(b":")
            if name.lower() != b"content-length":
                continue
            while (await pipe.readline()).strip():
                pass
            await connection.send((await pipe.readexactly(int(value))).decode("utf-8", "replace"))


def _allowed(message: str | bytes) -> dict[str, Any]:
    """Return a message as the server is to get it. Raises NotAllowed."""
    try:
        read = json.loads(message)
    except (ValueError, RecursionError):
        raise NotAllowed("this is not JSON") from None
    if not isinstance(read, dict) or ("method" in read and read["method"] not in _METHODS):
        raise NotAllowed("this method is not for an extension")
    if "method" in read:
        _check_params(read.get("params"))
    if read.get("method") == "initialize":
        params = read.get("params")
        capabilities = params.get("capabilities") if isinstance(params, dict) else None
        read["params"] = {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities or {}}
    return read


def _check_params(value: Any) -> None:
    """Raise NotAllowed if a document outside `overleaf:` is named."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            waiting += part.values()
            uri = part.get("uri", SCHEME)
            if not (isinstance(uri, str) and uri.startswith(SCHEME)):
                raise NotAllowed("only documents of Overleaf are read here")
