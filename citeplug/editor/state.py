"""What the parts of an editor's session share: its documents, its projects, and what the client can do."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Coroutine, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from citeplug.bib.compare.duplicates import OwnEntries
from citeplug.bib.write.keystyle import DEFAULT, KeyStyle, learn_style
from citeplug.editor.capabilities import pulls
from citeplug.editor.documents import Document, Documents
from citeplug.editor.examine import Audited, Examined
from citeplug.editor.library import Library
from citeplug.editor.projects import Projects
from citeplug.editor.snapshot import Snapshot
from citeplug.editor.switches import Switches
from citeplug.editor.wishes import ARGUMENTS_HINT
from citeplug.errors import UsageError

log = logging.getLogger(__name__)


class Cursor(NamedTuple):
    """A place in an open document: `offset` in code points, in `snapshot`, its project as it is now."""

    document: Document
    offset: int
    snapshot: Snapshot


class Offered:
    """Data shared by completions of one snapshot: its entries and its key style."""

    def __init__(self, snapshot: Snapshot, before: "Offered | None" = None) -> None:
        self.snapshot = snapshot
        self.entries = snapshot.index.entries
        # Learning a key style takes longer than a completion may, and entries seldom change.
        same = before if before is not None and [*map(id, before.entries)] == [*map(id, self.entries)] else None
        self._style: KeyStyle | None = None if same is None else same._style
        self._own: OwnEntries | None = None if same is None else same._own

    @property
    def style(self) -> KeyStyle:
        """Key style of the entries; slow on first use."""
        if self._style is None:
            self._style = learn_style(self.entries) or DEFAULT
        return self._style

    @property
    def own(self) -> OwnEntries:
        """The project's entries, to search for papers; slow on first use."""
        if self._own is None:
            self._own = OwnEntries(self.entries)
        return self._own


class SessionState:
    """The state of a session; all but the reading of projects runs on the event loop.

    `examined` and `audited` are the last checks and audits, by root; `promised` are the papers whose keys were offered
    in completions, by key.
    """

    def __init__(self, server: LanguageServer, documents: Documents, projects: Projects, library: Library) -> None:
        self.server = server
        self.documents = documents
        self.projects = projects
        self.library = library
        self.switches = Switches()
        self.client: Mapping[str, Any] = {}
        self.examined: dict[Path, Examined] = {}
        self.audited: dict[Path, Audited] = {}
        self.promised: dict[str, str] = {}
        self._editing = asyncio.Lock()
        self._offered: Offered | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def later(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Start a background task."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

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

    async def cursor(self, uri: str, position: lsp.Position) -> Cursor | None:
        """Return a position in an open document and its project; None if there is none."""
        document = self.documents.get(uri)
        snapshot = await self.projects.current(document.path) if document is not None else None
        if document is None or snapshot is None:
            return None
        return Cursor(document, self.offset(document, position), snapshot)

    async def snapshot(self, argument: Mapping[str, Any]) -> Snapshot:
        """Return the project of a command's document. Raises UsageError if it cannot be read."""
        document = self.documents.get(text_of(argument, "uri"))
        snapshot = await self.projects.current(document.path, repaired=True) if document is not None else None
        if snapshot is None:
            raise UsageError("the document is not open, or its project cannot be read", "open it and try again")
        return snapshot

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


def text_of(argument: Mapping[str, Any], name: str) -> str:
    """Return a text in the argument of a command. Raises UsageError without it."""
    value = argument.get(name)
    if not isinstance(value, str) or not value:
        raise UsageError(f"the command needs {name!r}", ARGUMENTS_HINT)
    return value
