"""Message loop over two pipes, after `initialize`.

pygls switches threads for each line of a message, and each time waits for a computing thread. Here one thread reads
whole messages.
"""

import asyncio
import json
import logging
import threading
from typing import BinaryIO

from pygls.exceptions import JsonRpcException
from pygls.io_ import StdoutWriter

from citeplug.editor.greeting import read_message
from citeplug.editor.protocol import Server

log = logging.getLogger(__name__)


def converse(server: Server, reader: BinaryIO, writer: BinaryIO) -> None:
    """Handle the editor's messages until it closes the pipe."""
    server.protocol.set_writer(StdoutWriter(writer))
    try:
        asyncio.run(_answer(server, reader))
    except BrokenPipeError:
        log.error("the editor has closed the connection")
    except (KeyboardInterrupt, SystemExit):
        pass
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]


async def _answer(server: Server, reader: BinaryIO) -> None:
    heard: asyncio.Queue[bytes | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    threading.Thread(target=_listen, args=(reader, heard, loop), name="citeplug-listen", daemon=True).start()
    protocol = server.protocol
    while (body := await heard.get()) is not None:
        try:
            protocol.handle_message(json.loads(body, object_hook=protocol.structure_message))
        except Exception as error:
            log.exception("a message could not be handled")
            server.report_server_error(error, JsonRpcException)


def _listen(reader: BinaryIO, heard: "asyncio.Queue[bytes | None]", loop: asyncio.AbstractEventLoop) -> None:
    body: bytes | None = b""
    while body is not None:
        try:
            body = read_message(reader)
        except (OSError, ValueError):  # the pipe is closed
            body = None
        try:
            loop.call_soon_threadsafe(heard.put_nowait, body)
        except RuntimeError:  # the loop has ended
            return
