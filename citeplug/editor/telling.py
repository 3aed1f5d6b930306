"""Publication of diagnostics: right after a keystroke, a reading, a check; pushed, or pulled by the editor."""

import asyncio
import contextlib
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from lsprotocol import types as lsp

from citeplug.editor.configurations import finding_of, marked
from citeplug.editor.diagnostics import diagnostics_of, shown
from citeplug.editor.documents import Document
from citeplug.editor.examine import Audited, Examined, Examiner
from citeplug.editor.quick import at_once
from citeplug.editor.snapshot import Snapshot
from citeplug.editor.state import Cursor, SessionState
from citeplug.settings.project_toml import FILE, WrongConfiguration

_SOON = 0.015  # seconds after a keystroke until certain diagnostics are published
_PATIENCE = 0.03  # seconds that an answer waits for a reading; after that it has certain diagnostics alone
_IDLE = 0.3  # seconds without a change before entries are checked: it takes a second for thousands of them
_FIRST = 3.0  # seconds that an answer waits for the first check of a project
_LONG_IDLE = 1.0  # seconds more before arXiv is asked, where that is allowed


class Telling:
    """Diagnostics of a session."""

    def __init__(self, session: SessionState, examiner: Examiner) -> None:
        self._session = session
        self._examiner = examiner
        self._known: dict[Path, tuple[Snapshot, Mapping[Path, Sequence[lsp.Diagnostic]]]] = {}
        self._published: dict[Path, Sequence[lsp.Diagnostic]] = {}
        self._answered: dict[Path, Sequence[lsp.Diagnostic]] = {}
        self._asked_again: dict[Path, Sequence[lsp.Diagnostic]] = {}
        self._asking: Counter[Path] = Counter()
        self._soon: asyncio.TimerHandle | None = None
        self._news = asyncio.Event()
        self._closed_are_pulled = False
        self._first: dict[Path, asyncio.Task[Examined | None]] = {}

    async def show_audit(self, audited: Audited, snapshot: Snapshot) -> None:
        """Show the findings of an audit as diagnostics, and their number in the lens."""
        self._session.audited[snapshot.root] = audited
        self.publish(self._session.projects.of_root(snapshot.root) or snapshot)
        self._session.later(self._session.look_again())

    async def settle(self, snapshot: Snapshot, arxiv_id: str) -> None:
        """Take back what the last audit says of a paper: the author has cited it, or chosen."""
        audited = self._session.audited.get(snapshot.root)
        if audited is not None and any(finding.arxiv_id == arxiv_id for finding, _ in audited.findings):
            await self.show_audit(audited.without(arxiv_id), snapshot)

    async def diagnose(self, uri: str) -> Sequence[lsp.Diagnostic]:
        """Return the diagnostics of an open document; certain ones alone if its project takes long to read."""
        document = self._session.documents.get(uri)
        if document is None or not self._session.switches.diagnostics:
            return []
        self._asking[document.path] += 1
        try:
            reading = asyncio.ensure_future(self._session.projects.current(document.path))
            await asyncio.wait({reading}, timeout=_PATIENCE)
            diagnostics = self._at_once(document) if not reading.done() else None
            if diagnostics is None:
                snapshot = await reading
                diagnostics = self._all(snapshot).get(document.path, []) if snapshot is not None else []
        finally:
            self._asking[document.path] -= 1
        self._answered[document.path] = diagnostics
        return diagnostics

    async def diagnose_closed(
        self, known: Mapping[str, str]
    ) -> Sequence[lsp.WorkspaceFullDocumentDiagnosticReport | lsp.WorkspaceUnchangedDocumentDiagnosticReport]:
        """Return the diagnostics of files that are not open, as soon as they differ from `known`, result ids by URI.

        From the first request on they are not pushed any more: an editor would show them twice.
        """
        if not self._closed_are_pulled:
            self._closed_are_pulled = True
            for snapshot, _ in list(self._known.values()):
                self.publish(snapshot)
        while True:
            self._news.clear()
            current = self._closed()
            ids = {uri: _id_of(diagnostics) for uri, diagnostics in current.items()}
            news = {
                uri: current.get(uri, ()) for uri in {*current, *known} if ids.get(uri, _id_of(())) != known.get(uri)
            }
            news = {uri: diagnostics for uri, diagnostics in news.items() if diagnostics or uri in known}
            if news:
                return [
                    lsp.WorkspaceFullDocumentDiagnosticReport(
                        uri=uri, items=list(diagnostics), result_id=_id_of(diagnostics)
                    )
                    for uri, diagnostics in sorted(news.items())
                ]
            await self._news.wait()

    def _closed(self) -> dict[str, Sequence[lsp.Diagnostic]]:
        documents = self._session.documents
        return {
            documents.uri_of(path): diagnostics
            for _, by_file in self._known.values()
            for path, diagnostics in by_file.items()
            if documents.at(path) is None and self._session.switches.diagnostics
        }

    def edited(self, uri: str) -> None:
        """Publish certain diagnostics soon after an edit."""
        if self._soon is None and not self._session.pulled and self._session.switches.diagnostics:
            self._soon = asyncio.get_running_loop().call_later(_SOON, self._tell_at_once, uri)

    async def read(self, snapshot: Snapshot) -> None:
        """Publish the diagnostics of a project that was read, and those of its check when it is done."""
        self.publish(snapshot)
        await asyncio.sleep(_IDLE)
        if not self._session.switches.diagnostics or self._session.projects.of_root(snapshot.root) is not snapshot:
            return
        examined = await self.examine(snapshot)
        if examined is not None and any(entry.left_out for entry in examined.report.entries):
            examined = await self.examine(snapshot, uncited=True)
        if examined is not None and self._session.switches.network:
            await asyncio.sleep(_LONG_IDLE)
            latest = self._session.projects.of_root(snapshot.root)
            if latest is snapshot and await self._examiner.ask_online(examined):
                await self.examine(snapshot)

    async def checked(self, cursor: Cursor, at: lsp.Range) -> Sequence[lsp.Diagnostic]:
        """Wait, but not for long, for the first check of a project; return the diagnostics that the editor lacks."""
        root, examined = cursor.snapshot.root, self._session.examined
        if root in examined or not self._session.switches.diagnostics:
            return ()
        if (task := self._first.get(root)) is None or task.done():
            task = self._first[root] = asyncio.ensure_future(self.examine(cursor.snapshot))
        await asyncio.wait({task}, timeout=_FIRST)
        first, last = (at.start.line, at.start.character), (at.end.line, at.end.character)
        return [
            diagnostic
            for diagnostic in self._all(cursor.snapshot).get(cursor.document.path, ())
            if (diagnostic.range.start.line, diagnostic.range.start.character) <= last
            and first <= (diagnostic.range.end.line, diagnostic.range.end.character)
        ]

    async def look_up(self, examined: Examined) -> Examined | None:
        """Check a project's entries at arXiv too, which the author has asked for; None if nothing new is known."""
        return await self.examine(examined.snapshot) if await self._examiner.ask_online(examined) else None

    async def examine(self, snapshot: Snapshot, *, uncited: bool = False) -> Examined | None:
        """Check a project, publish and return the result; None if the project was changed meanwhile."""
        projects = self._session.projects
        examined = await self._examiner.examine(snapshot, uncited=uncited)
        latest = projects.of_root(snapshot.root)
        if examined is None or latest is None:
            return None
        before = self._session.examined.get(snapshot.root)
        self._session.examined[snapshot.root] = examined
        self.publish(latest)
        if before is None or before.checks != examined.checks:
            self._session.later(self._session.look_again())
        return examined

    def publish(self, snapshot: Snapshot) -> None:
        """Push the diagnostics of the project's files, except files whose diagnostics the editor pulls."""
        diagnostics = self._all(snapshot)
        before, _ = self._known.get(snapshot.root, (snapshot, diagnostics))
        self._known[snapshot.root] = (snapshot, diagnostics)
        self._news.set()
        if _is_inserted(before) != _is_inserted(snapshot):
            self._session.later(self._session.look_again())  # the change may be in another file than its lens
        again = False
        for path in {*snapshot.files, *diagnostics, *(p for p in self._published if p in snapshot.texts)}:
            current = diagnostics.get(path, [])
            if self._session.pulled and self._session.documents.at(path) is not None:
                news = current != self._answered.get(path, []) and current != self._asked_again.get(path, [])
                if news and not self._asking[path]:
                    self._asked_again[path] = current
                    again = True
                current = []
            if self._closed_are_pulled and self._session.documents.at(path) is None:
                current = []
            if list(current) != list(self._published.get(path, [])):
                self._push(path, current)
        if again:
            self._session.later(self._refresh())

    def tell_configurations(self, wrong: Mapping[Path, WrongConfiguration]) -> None:
        """Push the errors of each citeplug.toml, also to editors that pull diagnostics: not of this file."""
        documents, on = self._session.documents, self._session.switches.diagnostics
        diagnostics = {
            path: [shown(finding_of(error), marked(path, error.line, documents))]
            for path, error in (wrong.items() if on else ())
        }
        for path in {*diagnostics, *(path for path in self._published if path.name == FILE)}:
            if diagnostics.get(path, []) != list(self._published.get(path, [])):
                self._push(path, diagnostics.get(path, []))

    def _all(self, snapshot: Snapshot) -> Mapping[Path, Sequence[lsp.Diagnostic]]:
        session = self._session
        if not session.switches.diagnostics:
            return {}
        examined, audited = session.examined.get(snapshot.root), session.audited.get(snapshot.root)
        return diagnostics_of(snapshot, examined, session.switches, session.documents, audited)

    def _at_once(self, document: Document) -> Sequence[lsp.Diagnostic] | None:
        """Return the certain diagnostics of a document that is newer than its snapshot."""
        latest = self._session.projects.latest(document.path)
        known = self._known.get(latest.root) if latest is not None else None
        if known is None or known[0].texts.get(document.path) is document.lined:
            return None  # the change was in another file
        return at_once(known[0], document, known[1].get(document.path, []), self._session.documents)

    def _tell_at_once(self, uri: str) -> None:
        self._soon = None
        document = self._session.documents.get(uri)
        diagnostics = self._at_once(document) if document is not None and self._session.switches.diagnostics else None
        if document is not None and diagnostics is not None:
            before = self._published.get(document.path, [])
            if sorted(diagnostic.message for diagnostic in diagnostics) != sorted(
                diagnostic.message for diagnostic in before
            ):
                self._push(document.path, diagnostics)

    def _push(self, path: Path, current: Sequence[lsp.Diagnostic]) -> None:
        self._published[path] = current
        document = self._session.documents.at(path)
        self._session.server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                uri=self._session.documents.uri_of(path),
                diagnostics=list(current),
                version=document.version if document is not None else None,
            )
        )

    async def _refresh(self) -> None:
        with contextlib.suppress(Exception):  # the client asks when it wants to
            await self._session.server.workspace_diagnostic_refresh_async(None)


def _is_inserted(snapshot: Snapshot) -> bool:
    return snapshot.section is None or snapshot.section.inserted


def _id_of(diagnostics: Sequence[lsp.Diagnostic]) -> str:
    return hashlib.sha256(repr(list(diagnostics)).encode()).hexdigest()[:16]
