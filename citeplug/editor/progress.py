"""Progress of a run, reported to the client."""

import uuid
from typing import Any

from lsprotocol import types as lsp

from citeplug.editor.saying import harmless
from citeplug.editor.state import SessionState
from citeplug.related.stage_words import stage_words


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
