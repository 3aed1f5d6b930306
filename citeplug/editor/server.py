"""The server: registers the protocol's methods, which call the session, and runs until the editor ends."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Mapping
from io import BufferedWriter
from typing import Any, BinaryIO

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from citeplug import __version__
from citeplug.editor import navigation, renaming
from citeplug.editor.actions import actions
from citeplug.editor.documents import path_of, range_of
from citeplug.editor.edits import workspace_edit
from citeplug.editor.inlay import hints, named_in_plans
from citeplug.editor.lenses import lenses
from citeplug.editor.logs import bind_logs, send_logs
from citeplug.editor.pipes import converse
from citeplug.editor.protocol import Protocol, Server
from citeplug.editor.session import Session
from citeplug.errors import UsageError
from citeplug.settings.environment import Settings

_PARENT_SECONDS = 2.0  # between two checks of the editor's process
_WATCHED = "**/*.{tex,ltx,bib,sty,cls,bbl,toml}"
_SWITCH = 0.001  # seconds; a reading thread yields to answers after that


def make_server(chosen: Settings) -> Server:
    """Return a server with all its methods."""
    server = Server("citeplug", __version__, protocol_cls=Protocol)
    session = server.session = Session(server, chosen)
    _documents(server, session)
    _answers(server, session)
    _positions(server, session)
    return server


def serve_stdio(chosen: Settings, greeted: Mapping[str, Any], reader: BinaryIO, writer: BufferedWriter) -> int:
    """Serve an editor whose `initialize` was answered, until it ends; return the exit code."""
    sys.setswitchinterval(_SWITCH)
    server = make_server(chosen)
    protocol = server.protocol
    assert isinstance(protocol, Protocol)
    send_logs(server)
    protocol.begin(greeted)
    converse(server, reader, writer)
    server.session.close()
    return 0 if protocol.has_shut_down else 1


def serve_tcp(chosen: Settings, port: int) -> None:
    """Serve one editor on loopback."""
    server = make_server(chosen)
    send_logs(server)
    server.start_tcp("127.0.0.1", port)


def _documents(server: Server, session: Session) -> None:
    """Register notifications from the editor."""

    @server.feature(lsp.INITIALIZED)
    async def initialized(_: lsp.InitializedParams) -> None:
        bind_logs()
        if server.process_id:
            session.later(_leave_with(server.process_id))
        await _register(server, session)
        await fetch_settings()

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        session.files_changed(path_of(params.text_document.uri))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(params: lsp.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            notify = session.gone if change.type == lsp.FileChangeType.Deleted else session.files_changed
            notify(path_of(change.uri))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(params: lsp.DidChangeConfigurationParams) -> None:
        session.take_settings(params.settings)
        await fetch_settings()

    async def fetch_settings() -> None:
        if session.can("workspace", "configuration") is not True:
            return
        item = lsp.ConfigurationItem(section="citeplug")
        with contextlib.suppress(Exception):  # without an answer the former settings stay
            sent = await server.workspace_configuration_async(lsp.ConfigurationParams(items=[item]))
            session.take_settings(sent[0] if sent else None)


def _answers(server: Server, session: Session) -> None:
    """Register requests on a document."""

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION)
    async def completion(params: lsp.CompletionParams) -> lsp.CompletionList:
        return await session.complete(params)

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    async def resolve(item: lsp.CompletionItem) -> lsp.CompletionItem:
        return await session.resolve(item)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        return await session.hover(params)

    @server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC)
    async def diagnostic(params: lsp.DocumentDiagnosticParams) -> lsp.RelatedFullDocumentDiagnosticReport:
        return lsp.RelatedFullDocumentDiagnosticReport(items=list(await session.diagnose(params.text_document.uri)))

    @server.feature(lsp.WORKSPACE_DIAGNOSTIC)
    async def workspace_diagnostic(params: lsp.WorkspaceDiagnosticParams) -> lsp.WorkspaceDiagnosticReport:
        known = {each.uri: each.value for each in params.previous_result_ids}
        return lsp.WorkspaceDiagnosticReport(items=await session.diagnose_closed(known))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def links(params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        document = session.documents.get(params.text_document.uri)
        if document is None or not session.switches.links:
            return []
        return navigation.links(document, await session.projects.current(document.path), session.documents)

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        document = session.documents.get(params.text_document.uri)
        return navigation.folding(document) if document is not None and session.switches.folding else []

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document = session.documents.get(params.text_document.uri)
        snapshot = await session.projects.current(document.path) if document is not None else None
        if document is None or snapshot is None or not session.switches.symbols:
            return []
        return navigation.document_symbols(document, snapshot, session.documents)

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def workspace_symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        if not session.switches.symbols:
            return []
        return navigation.workspace_symbols(params.query, session.projects.snapshots, session.documents)


def _positions(server: Server, session: Session) -> None:
    """Register requests on a position."""

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        found = await session.place(params.text_document.uri, params.position)
        if found is None or not session.switches.definition:
            return []
        document, offset, snapshot = found
        return navigation.definitions(document, offset, snapshot, session.documents)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        found = await session.place(params.text_document.uri, params.position)
        if found is None or not session.switches.references:
            return []
        document, offset, snapshot = found
        declaration = params.context.include_declaration
        return navigation.references(document, offset, snapshot, session.documents, declaration=declaration)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        found = await session.place(params.text_document.uri, params.position)
        if found is None or not session.switches.highlight:
            return []
        document, offset, snapshot = found
        return renaming.highlights(document, offset, snapshot, session.documents)

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
        found = await session.place(params.text_document.uri, params.position)
        key = renaming.renamable(*found) if found is not None and session.switches.rename else None
        if found is None or key is None:
            return None
        return lsp.PrepareRenamePlaceholder(range=range_of(key[1], found[2], session.documents), placeholder=key[0])

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        found = await session.place(params.text_document.uri, params.position)
        key = renaming.renamable(*found) if found is not None and session.switches.rename else None
        if found is None or key is None:
            return None
        try:
            planned = renaming.rename(key[0], params.new_name.strip(), found[2], session.documents)
        except UsageError as error:
            raise JsonRpcInvalidParams(f"{error}: {error.hint}") from None
        versioned = session.can("workspace", "workspaceEdit", "documentChanges") is True
        return workspace_edit(planned, session.documents, (), versioned=versioned)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
    async def code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        found = await session.place(params.text_document.uri, params.range.start)
        if found is None or not session.switches.code_actions:
            return []
        document, offset, snapshot = found
        examined, section = session.examined(snapshot), session.projects.section(snapshot)
        promised, can = session.commands.promised, session.can("workspace", "applyEdit") is True
        return actions(document, offset, snapshot, examined, section, promised, params.context, takes_edits=can)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    async def code_lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        found = await session.place(params.text_document.uri, lsp.Position(line=0, character=0))
        if found is None or not session.switches.code_lens:
            return []
        document, _, snapshot = found
        examined, section = session.examined(snapshot), session.projects.section(snapshot)
        return lenses(document, snapshot, examined, section, session.documents, session.audited(snapshot))

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hint(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        found = await session.place(params.text_document.uri, params.range.start)
        if found is None or not session.switches.inlay_hints:
            return []
        document, start, snapshot = found
        until = params.range.end
        end = document.lined.offset(until.line, until.character, session.documents.encoding)
        ids = [named.arxiv_id for named in named_in_plans(document, start, end) if named.arxiv_id]
        papers = await session.library.papers(list(dict.fromkeys(ids)))
        examined, section = session.examined(snapshot), session.projects.section(snapshot)
        return hints(document, start, end, snapshot, section, examined, papers, session.documents)


async def _register(server: Server, session: Session) -> None:
    """Ask the client to report files changed by other programs."""
    if session.can("workspace", "didChangeWatchedFiles", "dynamicRegistration") is not True:
        return
    watcher = lsp.FileSystemWatcher(glob_pattern=_WATCHED)
    options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers=[watcher])
    registration = lsp.Registration(
        id="citeplug-files", method=lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, register_options=options
    )
    with contextlib.suppress(Exception):
        await server.client_register_capability_async(lsp.RegistrationParams(registrations=[registration]))
        session.projects.watched = True


async def _leave_with(process: int) -> None:
    """End when the editor's process has ended, even if the pipe is still open."""
    while _is_alive(process):
        await asyncio.sleep(_PARENT_SECONDS)
    os._exit(1)


def _is_alive(process: int) -> bool:
    if sys.platform == "win32":
        return True  # on Windows the pipe is closed with the process
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # another user's process: it exists
    return True
