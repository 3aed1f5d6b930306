"""Writing a section: in a process of its own, with its progress told, until it is done or nobody wants it any more."""

import asyncio
import json
import logging
import sys
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from citeplug.errors import CiteplugError, UsageError

if TYPE_CHECKING:
    from citeplug.lsp.session import Session

log = logging.getLogger(__name__)


class WriterFailed(CiteplugError):
    """The process that writes ended without a word."""


async def write(root: Path, given: Mapping[str, Any], insert: bool, progress: "Progress") -> dict[str, Any]:
    """What the writer says at its end. Cancelled, it is killed, and has written nothing but its copy."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "citeplug.lsp.writer",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=10_000_000,
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(json.dumps({"root": str(root), "given": dict(given), "insert": insert}).encode() + b"\n")
        while line := await process.stdout.readline():
            said = json.loads(line)
            if "stage" in said:
                progress.report(said["stage"], said["done"], said["total"])
            elif "error" in said:
                raise UsageError(said["error"], said["hint"])
            else:
                return dict(said)
    finally:
        if process.returncode is None:
            process.kill()
    raise WriterFailed("the section could not be written: the process that writes ended", "run 'citeplug doctor'")


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
            self._tell(lsp.WorkDoneProgressReport(message=f"{stage}{count}", percentage=share))

    def end(self, message: str) -> None:
        self._tell(lsp.WorkDoneProgressEnd(message=message))

    def _tell(self, value: Any) -> None:
        if self.token is not None:
            self._session.server.protocol.notify(lsp.PROGRESS, lsp.ProgressParams(token=self.token, value=value))
