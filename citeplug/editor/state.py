"""What the parts of an editor's session share: its documents, its projects, and what the client can do."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Coroutine, Mapping
from typing import Any

from lsprotocol import types as lsp

from citeplug.editor.capabilities import pulls
from citeplug.editor.completion import Offered
from citeplug.editor.documents import Document, Documents
from citeplug.editor.library import Library
from citeplug.editor.projects import Projects
from citeplug.editor.protocol import Server
from citeplug.editor.snapshot import Snapshot
from citeplug.editor.switches import Switches

log = logging.getLogger(__name__)


class SessionState:
    """The state of a session; all but the reading of projects runs on the event loop."""

    def __init__(self, server: Server, documents: Documents, projects: Projects, library: Library) -> None:
        self.server = server
        self.documents = documents
        self.projects = projects
        self.library = library
        self.switches = Switches()
        self.client: Mapping[str, Any] = {}
        self._editing = asyncio.Lock()
        self._offered: Offered | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def later(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a background task."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("internal error: %s", error, exc_info=error)

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Serialise edits in the order of their requests: each sees the result of the one before."""
        async with self._editing:
            await self.projects.untold.settled()
            yield

    def can(self, *names: str) -> Any:
        """Return a capability of the client; None without it."""
        value: Any = self.client
        for name in names:
            value = value.get(name) if isinstance(value, Mapping) else None
        return value

    @property
    def pulled(self) -> bool:
        return pulls(self.client)

    def offered(self, snapshot: Snapshot) -> Offered:
        """Return what the completions of a snapshot share."""
        if self._offered is None or self._offered.snapshot is not snapshot:
            self._offered = Offered(snapshot, self._offered)
        return self._offered

    async def place(self, uri: str, position: lsp.Position) -> tuple[Document, int, Snapshot] | None:
        """Return an open document, an offset in it, and its project as it is now."""
        document = self.documents.get(uri)
        snapshot = await self.projects.current(document.path) if document is not None else None
        if document is None or snapshot is None:
            return None
        return document, self.offset(document, position), snapshot

    async def look_again(self) -> None:
        """Have the editor ask again for lenses and hints, which changed without an edit."""
        for name, ask in (
            ("codeLens", self.server.workspace_code_lens_refresh_async),
            ("inlayHint", self.server.workspace_inlay_hint_refresh_async),
        ):
            if self.can("workspace", name, "refreshSupport") is True:
                with contextlib.suppress(Exception):  # the client may ask by itself
                    await ask(None)

    def offset(self, document: Document, position: lsp.Position) -> int:
        return document.lined.offset(position.line, position.character, self.documents.encoding)
