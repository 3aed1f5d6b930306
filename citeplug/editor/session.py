"""One editor's session: its documents, its projects, and the results of checks."""

import asyncio
import gc
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from citeplug.editor.cards import Card, key_card, paper_card, sentence_card
from citeplug.editor.citing import sentence_at, typing_at
from citeplug.editor.commands import Commands
from citeplug.editor.completion import in_order, own_items, paper_items
from citeplug.editor.documents import Documents, path_of, range_of
from citeplug.editor.examine import Examiner, Online
from citeplug.editor.library import Library
from citeplug.editor.lines import Encoding
from citeplug.editor.navigation import key_at
from citeplug.editor.projects import Projects
from citeplug.editor.remote import READ_FILE, Remote, is_remote
from citeplug.editor.snapshot import Snapshot, Stretch
from citeplug.editor.state import Cursor, SessionState
from citeplug.editor.switches import read_switches
from citeplug.editor.telling import Telling
from citeplug.records.paper import Paper
from citeplug.settings.environment import Settings
from citeplug.settings.project_toml import FILE

log = logging.getLogger(__name__)

_WAIT = 0.1  # seconds that a completion waits for the catalogue
_MOST_PROMISED = 5_000
_REST = 10.0  # seconds without a reading before garbage collection


class Session(SessionState):
    """Session behind the protocol: what the editor tells and asks goes through here."""

    def __init__(self, server: LanguageServer, settings: Settings) -> None:
        documents = Documents()
        projects = Projects(documents, self._was_read, settings.home, self._were_settled)
        super().__init__(server, documents, projects, Library(settings, "search"))
        self._workspace = Path.cwd()
        self.examiner = Examiner(Library(settings, "check"), Online(settings), self.projects.is_late)
        self.telling = Telling(self, self.examiner)
        self.commands = Commands(self, self.telling)
        self._rest: asyncio.TimerHandle | None = None
        self._warmed = False

    # Notifications from the editor

    def begin(self, params: lsp.InitializeParams, raw: Mapping[str, Any], encoding: str) -> None:
        client = raw.get("capabilities")
        self.client = client if isinstance(client, dict) else {}
        if self.can("experimental", "citeplug", "readFile") is True:
            self.projects.remote = Remote(self._read_file, partial(self.projects.changed, structure=True))
        self.documents.encoding = _encoding(encoding)
        folders = [folder.uri for folder in params.workspace_folders or ()]
        self._workspace = path_of(next(iter(folders), params.root_uri or Path.cwd().as_uri()))
        self.take_settings(raw.get("initializationOptions"), first=True)

    def take_settings(self, sent: Any, *, first: bool = False) -> None:
        before, self.switches = self.switches, read_switches(sent, self.switches, first=first)
        if before != self.switches:
            for snapshot in self.projects.snapshots:
                self.later(self.telling.read(snapshot))
        named = self.switches.root_file
        self.projects.root_file = self._workspace / named if named else None

    def opened(self, uri: str, version: int, text: str) -> None:
        document = self.documents.open(uri, version, text)
        self._forget(document.path, project=True)
        self.projects.changed(document.path, structure=True)

    def edited(self, uri: str, version: int, changes: Sequence[lsp.TextDocumentContentChangeEvent]) -> None:
        document = self.documents.change(uri, version, changes)
        if document is not None:
            self.projects.changed(document.path, structure=document.path.name == FILE)
            self.telling.edited(uri)
            if not self._warmed and document.path.suffix != ".bib" and self.switches.completion_arxiv:
                self._warmed = True
                self.later(self.library.warm())

    def saved(self, uri: str) -> None:
        self.documents.leave(uri)
        self.files_changed(path_of(uri))

    def moved(self, cursor: Cursor) -> None:
        """Show what was withheld of a key while it was typed, once the cursor has left it."""
        document, offset, snapshot = cursor
        if document.typed is None:
            return
        key = typing_at(document.lined, document.typed, snapshot.own_commands)
        if key is None or not key.start <= offset <= key.end:
            self.documents.leave(document.uri)
            if key is not None:
                self.telling.publish(snapshot)

    def closed(self, uri: str) -> None:
        document = self.documents.close(uri)
        if document is not None:
            self.gone(document.path)

    def gone(self, path: Path) -> None:
        """Handle a closed document or a deleted file: drop the editor's text of it."""
        self.projects.untold.forget(path)
        self.files_changed(path)

    def _forget(self, path: Path, *, project: bool = False) -> None:
        if self.projects.remote is not None and is_remote(path):
            self.projects.remote.forget(path, project=project)

    async def _read_file(self, path: Path) -> str | None:
        """Request the text of a file that only the client can read; None if there is none."""
        answer = await self.server.protocol.send_request_async(READ_FILE, {"uri": self.documents.uri_of(path)})
        text = getattr(answer, "text", None)  # pygls makes objects of answers without a type
        return text if isinstance(text, str) else None

    def files_changed(self, path: Path) -> None:
        self._forget(path)
        self.projects.changed(path, structure=True)

    def cancel(self, token: Any) -> None:
        """Cancel the run with this token."""
        task = self.commands.generation.cancellable.get(token)
        if task is not None:
            task.cancel()

    # Requests of the editor

    async def complete(self, params: lsp.CompletionParams) -> lsp.CompletionList:
        """Complete the key at the cursor from the last snapshot, without waiting for a reading."""
        nothing = lsp.CompletionList(is_incomplete=True, items=[])
        document = self.documents.get(params.text_document.uri)
        if document is None or not self.switches.completion:
            return nothing
        snapshot = self.projects.latest(document.path) or await self.projects.current(document.path)
        if snapshot is None:
            return nothing
        typing = typing_at(document.lined, self.offset(document, params.position), snapshot.own_commands)
        if typing is None:
            return nothing
        offered = self.offered(snapshot)
        sentence = sentence_at(document.lined, typing)
        items = own_items(typing, document, offered, self.documents)
        near: Sequence[Paper] = ()
        papers: list[lsp.CompletionItem] = []
        if self.switches.completion_arxiv and self.can("workspace", "applyEdit") and snapshot.draft.bib_files:
            near, named = await asyncio.gather(
                self.library.related(sentence, _WAIT),
                self.library.search(typing.typed, _WAIT),
            )
            if near or named:
                await asyncio.to_thread(lambda: (offered.style, offered.own))
            papers = paper_items(typing, document, offered, near, named, self.documents, self.library.own)
            self._promise(papers)
        items = in_order(items, papers, typing, sentence, offered, near)
        return lsp.CompletionList(is_incomplete=True, items=items)

    async def resolve(self, item: lsp.CompletionItem) -> lsp.CompletionItem:
        """Add the card to a completion item."""
        data = item.data if isinstance(item.data, dict) else {}
        card: Card | None = None
        if isinstance(data.get("arxiv_id"), str):
            papers = await self.library.papers([data["arxiv_id"]])
            card = next((paper_card(paper) for paper in papers.values()), None)
        elif isinstance(data.get("key"), str) and (document := self.documents.get(str(data.get("uri")))):
            snapshot = self.projects.latest(document.path)
            entry = snapshot.entry(data["key"]) if snapshot is not None else None
            if snapshot is not None and entry is not None:
                card = await self._card(entry.key, snapshot, Stretch(document.path, -1, -1))
        if card is not None:
            item.documentation = self._shown(card, "completion", "completionItem", "documentationFormat")
        return item

    async def hover(self, cursor: Cursor) -> lsp.Hover | None:
        """Return the cards of the generated sentence and of the key under the cursor."""
        document, offset, snapshot = cursor
        key = key_at(cursor)
        cards: list[Card | None] = []
        place = None
        section = snapshot.section
        if section is not None and (hit := section.sentence_at(document.path, offset)):
            runs_commands = self.can("experimental", "citeplug", "hoverCommands") is True
            sources = await self.library.papers(
                list(dict.fromkeys(source.arxiv_id for source in hit[0].sources if source.arxiv_id))
            )
            cards.append(sentence_card(hit[0], snapshot, document.uri if runs_commands else None, sources))
            place = hit[1]
        if key is not None:
            card = await self._card(key[0], snapshot, key[1])
            cards.append(card and card.in_brief())
            place = key[1]
        shown = [self._shown(card, "hover", "contentFormat") for card in cards if card is not None]
        if not shown or place is None:
            return None
        between = "\n\n---\n\n" if shown[0].kind == lsp.MarkupKind.Markdown else "\n\n"
        contents = lsp.MarkupContent(kind=shown[0].kind, value=between.join(card.value for card in shown))
        return lsp.Hover(contents=contents, range=range_of(place, snapshot, self.documents))

    async def _card(self, key: str, snapshot: Snapshot, here: Stretch) -> Card | None:
        entry = snapshot.entry(key)
        if entry is None:
            return None
        papers = await self.library.papers([entry.arxiv_id] if entry.arxiv_id else [])
        examined = self.examined.get(snapshot.root)
        check = examined.checks.get(entry.key) if examined is not None else None
        return key_card(entry, here, snapshot, next(iter(papers.values()), None), check)

    def _promise(self, items: Sequence[lsp.CompletionItem]) -> None:
        """Remember the papers of offered keys."""
        for item in items:
            data = item.data if isinstance(item.data, dict) else {}
            if "arxiv_id" in data and isinstance(item.text_edit, lsp.TextEdit):
                self.promised[item.text_edit.new_text] = data["arxiv_id"]
        while len(self.promised) > _MOST_PROMISED:
            del self.promised[next(iter(self.promised))]

    async def _was_read(self, snapshot: Snapshot) -> None:
        self._keep_still()
        self.later(self.telling.read(snapshot))

    def _were_settled(self) -> None:
        self.telling.tell_configurations(self.projects.configurations.wrong)

    def _keep_still(self) -> None:
        """Run the garbage collector while nothing is typed: with thousands of entries it takes a tenth of a second."""
        gc.freeze()
        if self._rest is not None:
            self._rest.cancel()
        self._rest = asyncio.get_running_loop().call_later(_REST, _tidy)

    def _shown(self, card: Card, *capability: str) -> lsp.MarkupContent:
        formats = self.can("textDocument", *capability)
        if isinstance(formats, list) and "markdown" in formats:
            return lsp.MarkupContent(kind=lsp.MarkupKind.Markdown, value=card.markdown())
        return lsp.MarkupContent(kind=lsp.MarkupKind.PlainText, value=card.plain())

    def close(self) -> None:
        self.commands.generation.close()
        self.commands.asking.close()
        self.projects.close()
        self.library.close()
        self.examiner.close()


def _tidy() -> None:
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _encoding(name: str) -> Encoding:
    return "utf-8" if name == "utf-8" else "utf-32" if name == "utf-32" else "utf-16"
