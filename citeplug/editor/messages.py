"""What editors show: messages, the question before anything is sent, the progress of a run; and the log."""

import asyncio
import logging
import uuid
from dataclasses import asdict
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from citeplug.editor.state import SessionState
from citeplug.editor.wishes import as_dollars
from citeplug.llm.chosen_model import Sending
from citeplug.related.stage_words import stage_words
from citeplug.text.cleaning import plain

_WORD_JOINER = "\u2060"
_SEND = "Send"
_MAY_SEND = "citeplug/maySend"
_TYPES = {
    logging.ERROR: lsp.MessageType.Error,
    logging.WARNING: lsp.MessageType.Warning,
    logging.INFO: lsp.MessageType.Info,
}


def harmless(text: str) -> str:
    """Return a message on one line in which no text of drafts and papers becomes a link.

    VS Code turns `[text](command:...)` in messages and progress into a link that runs the command.
    """
    return plain(text).replace("](", f"]{_WORD_JOINER}(")


def tell(session: SessionState, message: str, kind: lsp.MessageType = lsp.MessageType.Info) -> None:
    """Show a message to the author."""
    params = lsp.ShowMessageParams(type=kind, message=harmless(f"citeplug: {message}"))
    session.server.window_show_message(params)


async def may_send(session: SessionState, sending: Sending) -> float:
    """True if the author agrees; the limit in dollars under which they do, if they set one.

    A client that has `experimental.citeplug.asksToSend` gets the fields, and answers with {send, limit}.
    """
    if session.can("experimental", "citeplug", "asksToSend") is True:
        told = await session.server.protocol.send_request_async(_MAY_SEND, asdict(sending))
        agrees = getattr(told, "send", False) is True
        return agrees and (as_dollars(getattr(told, "limit", None)) or True)
    actions = [lsp.MessageActionItem(title=_SEND), lsp.MessageActionItem(title="Do not send")]
    params = lsp.ShowMessageRequestParams(type=lsp.MessageType.Info, message=harmless(str(sending)), actions=actions)
    answer = await session.server.window_show_message_request_async(params)
    return answer is not None and answer.title == _SEND


class Progress:
    """Reporter of a run's progress, with the client's token or one of the server's."""

    def __init__(self, session: SessionState, token: Any) -> None:
        self._session = session
        self.token = token
        self._sent: tuple[str, int] | None = None

    @classmethod
    async def begin(cls, session: SessionState, token: Any, title: str) -> "Progress":
        if token is None and session.can("window", "workDoneProgress") is True:
            token = str(uuid.uuid4())
            params = lsp.WorkDoneProgressCreateParams(token=token)
            await session.server.window_work_done_progress_create_async(params)
        progress = cls(session, token)
        progress._send(lsp.WorkDoneProgressBegin(title=title, cancellable=True, percentage=0))
        return progress

    def report(self, stage: str, done: int, total: int | None) -> None:
        """Report a stage, the amount done and the whole amount."""
        share = int(100 * done / total) if total else 0
        if (stage, share) != self._sent:
            self._sent = (stage, share)
            count = f" {done} of {total}" if total else ""
            self._send(lsp.WorkDoneProgressReport(message=harmless(f"{stage_words(stage)}{count}"), percentage=share))

    def end(self, message: str) -> None:
        self._send(lsp.WorkDoneProgressEnd(message=message))

    def _send(self, value: Any) -> None:
        if self.token is not None:
            self._session.server.protocol.notify(lsp.PROGRESS, lsp.ProgressParams(token=self.token, value=value))


class _ToEditor(logging.Handler):
    """Handler that sends records by `window/logMessage`, from the event loop alone, so that messages are not mixed."""

    def __init__(self, server: LanguageServer) -> None:
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


def send_logs(server: LanguageServer) -> None:
    """Send all log records to the editor, and none to standard error, which editors show in red."""
    root = logging.getLogger()
    root.handlers[:] = [_ToEditor(server)]
    root.setLevel(logging.WARNING)
    logging.getLogger("citeplug").setLevel(logging.INFO)
    # pygls logs each message that it sends, also a log message.
    logging.getLogger("pygls").setLevel(logging.ERROR)
    logging.raiseExceptions = False
    logging.captureWarnings(True)
