"""Logging to the editor's log, never to standard error, which editors show in red."""

import asyncio
import logging
from typing import Any

from lsprotocol import types as lsp

from citeplug.editor.protocol import Server
from citeplug.text.cleaning import plain

_TYPES = {
    logging.ERROR: lsp.MessageType.Error,
    logging.WARNING: lsp.MessageType.Warning,
    logging.INFO: lsp.MessageType.Info,
}


class _ToEditor(logging.Handler):
    """Handler that sends records by `window/logMessage`, from the event loop alone, so that messages are not mixed."""

    def __init__(self, server: Server) -> None:
        super().__init__(logging.INFO)
        self._server = server
        self._loop: asyncio.AbstractEventLoop | None = None

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Set the event loop that sends the records of other threads."""
        self._loop = loop

    def emit(self, record: logging.LogRecord) -> None:
        try:
            message = "\n".join(plain(line) for line in self.format(record).splitlines())
            level = lsp.MessageType.Error if record.levelno >= logging.ERROR else _TYPES.get(record.levelno)
            params = lsp.LogMessageParams(type=level or lsp.MessageType.Log, message=message)
            self._send(params)
        except Exception:
            self.handleError(record)

    def _send(self, params: lsp.LogMessageParams) -> None:
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            if self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._notify, params)
            return
        self._notify(params)

    def _notify(self, params: Any) -> None:
        self._server.protocol.notify(lsp.WINDOW_LOG_MESSAGE, params)


def bind_logs() -> None:
    """Send the records of other threads too; called from the event loop."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, _ToEditor):
            handler.bind(asyncio.get_running_loop())


def send_logs(server: Server) -> None:
    """Send all log records to the editor, and none to standard error."""
    root = logging.getLogger()
    root.handlers[:] = [_ToEditor(server)]
    root.setLevel(logging.WARNING)
    logging.getLogger("citeplug").setLevel(logging.INFO)
    # pygls logs each message that it sends, also a log message.
    logging.getLogger("pygls").setLevel(logging.ERROR)
    logging.raiseExceptions = False
    logging.captureWarnings(True)
