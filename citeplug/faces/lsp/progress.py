"""How far a run is, told to the client."""

import uuid
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from citeplug.faces.lsp.saying import harmless

if TYPE_CHECKING:
    from citeplug.faces.lsp.session import Session


class Progress:
    """Tells the client how far a run is, under its own token or one that it is told of."""

    def __init__(self, session: "Session", token: Any) -> None:
        self._session = session
        self.token = token
        self._told: tuple[str, int] | None = None

    @classmethod
    async def begin(cls, session: "Session", token: Any, title: str) -> "Progress":
        if token is None and session.can("window", "workDoneProgress") is True:
            token = str(uuid.uuid4())
            params = lsp.WorkDoneProgressCreateParams(token=token)
            await session.server.window_work_done_progress_create_async(params)
        progress = cls(session, token)
        progress._tell(lsp.WorkDoneProgressBegin(title=title, cancellable=True, percentage=0))
        return progress

    def report(self, stage: str, done: int, total: int | None) -> None:
        """A step, how much of it is done, and how much there is."""
        share = int(100 * done / total) if total else 0
        if (stage, share) != self._told:
            self._told = (stage, share)
            count = f" {done}/{total}" if total else ""
            self._tell(lsp.WorkDoneProgressReport(message=harmless(f"{stage}{count}"), percentage=share))

    def end(self, message: str) -> None:
        self._tell(lsp.WorkDoneProgressEnd(message=message))

    def _tell(self, value: Any) -> None:
        if self.token is not None:
            self._session.server.protocol.notify(lsp.PROGRESS, lsp.ProgressParams(token=self.token, value=value))
