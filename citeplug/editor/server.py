"""The server: registers the protocol's methods, which call the session, and runs until the editor ends."""

import asyncio
import contextlib
import json
import logging
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping
from inspect import isawaitable
from io import BufferedWriter
from typing import Any, BinaryIO

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.io_ import StdoutWriter

from citeplug import __version__
from citeplug.editor import navigation, renaming
from citeplug.editor.actions import actions
from citeplug.editor.documents import path_of
from citeplug.editor.greeting import read_message
from citeplug.editor.lenses import hints, lenses, verdicts
from citeplug.editor.messages import bind_logs, send_logs
from citeplug.editor.protocol import Protocol, Server
from citeplug.editor.session import Session
from citeplug.editor.state import Cursor
from citeplug.settings.environment import Settings

log = logging.getLogger(__name__)

_SENTENCES = "citeplug/sentences"
_PARENT_SECONDS = 2.0  # between two checks of the editor's process
_WATCHED = "**/*.{tex,ltx,bib,sty,cls,bbl,toml}"
_SWITCH = 0.001  # seconds; a reading thread yields to answers after that


def make_server(settings: Settings) -> Server:
    """Return a server with all its methods."""
    server = Server("citeplug", __version__, protocol_cls=Protocol)
    session = server.session = Session(server, settings)
    _documents(server, session)
    _answers(server, session)
    return server


def serve_stdio(settings: Settings, greeted: Mapping[str, Any], reader: BinaryIO, writer: BufferedWriter) -> int:
    """Serve an editor whose `initialize` was answered, until it ends; return the exit code."""
    sys.setswitchinterval(_SWITCH)
    server = make_server(settings)
    protocol = server.protocol
    assert isinstance(protocol, Protocol)
    send_logs(server)
    protocol.begin(greeted)
    _converse(server, reader, writer)
    server.session.close()
    return 0 if protocol.has_shut_down else 1


def serve_tcp(settings: Settings, port: int) -> None:
    """Serve one editor on loopback."""
    server = make_server(settings)
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
        session.saved(params.text_document.uri)

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
    """Register requests."""

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION)
    async def completion(params: lsp.CompletionParams) -> lsp.CompletionList:
        return await session.complete(params)

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    async def resolve(item: lsp.CompletionItem) -> lsp.CompletionItem:
        return await session.resolve(item)

    @server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC)
    async def diagnostic(params: lsp.DocumentDiagnosticParams) -> lsp.RelatedFullDocumentDiagnosticReport:
        items = await session.telling.diagnose(params.text_document.uri)
        return lsp.RelatedFullDocumentDiagnosticReport(items=list(items))

    @server.feature(lsp.WORKSPACE_DIAGNOSTIC)
    async def workspace_diagnostic(params: lsp.WorkspaceDiagnosticParams) -> lsp.WorkspaceDiagnosticReport:
        known = {result.uri: result.value for result in params.previous_result_ids}
        return lsp.WorkspaceDiagnosticReport(items=await session.telling.diagnose_closed(known))

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

    @server.feature(_SENTENCES)
    async def sentences(params: Any) -> dict[str, Any]:
        document = session.documents.get(str(getattr(params, "uri", "")))
        snapshot = await session.projects.current(document.path) if document is not None else None
        return verdicts(session, snapshot) if snapshot is not None else {}

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def workspace_symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        if not session.switches.symbols:
            return []
        return navigation.workspace_symbols(params.query, session.projects.snapshots, session.documents)

    for method, (switch, answer) in _AT_CURSOR.items():
        server.feature(method)(_at_cursor(session, method, switch, answer))


async def _actions(session: Session, cursor: Cursor, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Return the code actions. Right after the start they wait for the check, of which the editor does not know yet."""
    context = params.context
    lacking = await session.telling.checked(cursor, params.range)
    if lacking and not context.diagnostics:
        context = lsp.CodeActionContext(lacking, context.only, context.trigger_kind)
    return await actions(session, cursor, context)


# Requests on a position or a document, by their switches.
_AT_CURSOR: Mapping[str, tuple[str, Callable[[Session, Cursor, Any], Any]]] = {
    lsp.TEXT_DOCUMENT_HOVER: ("hover", lambda session, cursor, _: session.hover(cursor)),
    lsp.TEXT_DOCUMENT_DEFINITION: ("definition", lambda session, cursor, _: navigation.definitions(session, cursor)),
    lsp.TEXT_DOCUMENT_REFERENCES: (
        "references",
        lambda session, cursor, params: navigation.references(
            session, cursor, declaration=params.context.include_declaration
        ),
    ),
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (
        "highlight",
        lambda session, cursor, _: renaming.highlights(session, cursor),
    ),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: ("rename", lambda session, cursor, _: renaming.renamable(session, cursor)),
    lsp.TEXT_DOCUMENT_RENAME: (
        "rename",
        lambda session, cursor, params: renaming.rename(session, cursor, params.new_name),
    ),
    lsp.TEXT_DOCUMENT_CODE_ACTION: (
        "code_actions",
        lambda session, cursor, params: _actions(session, cursor, params),
    ),
    lsp.TEXT_DOCUMENT_CODE_LENS: ("code_lens", lambda session, cursor, _: list(lenses(session, cursor))),
    lsp.TEXT_DOCUMENT_INLAY_HINT: (
        "inlay_hints",
        lambda session, cursor, params: hints(session, cursor, params.range.end),
    ),
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (
        "symbols",
        lambda session, cursor, _: navigation.document_symbols(session, cursor),
    ),
}
_ONE_ANSWER = (lsp.TEXT_DOCUMENT_HOVER, lsp.TEXT_DOCUMENT_PREPARE_RENAME, lsp.TEXT_DOCUMENT_RENAME)
# Requests that editors make where the cursor is; a hover is where the mouse is.
_AT_CARET = (lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
_BEGINNING = lsp.Position(line=0, character=0)


def _at_cursor(
    session: Session, method: str, switch: str, answer: Callable[[Session, Cursor, Any], Any]
) -> Callable[[Any], Awaitable[Any]]:
    async def handle(params: Any) -> Any:
        place = params.range.start if hasattr(params, "range") else getattr(params, "position", _BEGINNING)
        cursor = await session.cursor(params.text_document.uri, place) if getattr(session.switches, switch) else None
        if cursor is None:
            return None if method in _ONE_ANSWER else []
        if method in _AT_CARET:
            session.moved(cursor)
        result = answer(session, cursor, params)
        return await result if isawaitable(result) else result

    return handle


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


def _converse(server: Server, reader: BinaryIO, writer: BinaryIO) -> None:
    """Handle the editor's messages until it closes the pipe.

    pygls switches threads for each line of a message, and each time waits for a computing thread. Here one thread reads
    whole messages.
    """
    server.protocol.set_writer(StdoutWriter(writer))
    try:
        asyncio.run(_answer_all(server, reader))
    except BrokenPipeError:
        log.error("the editor has closed the connection")
    except (KeyboardInterrupt, SystemExit):
        pass
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]


async def _answer_all(server: Server, reader: BinaryIO) -> None:
    heard: asyncio.Queue[bytes | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    threading.Thread(target=_listen, args=(reader, heard, loop), name="citeplug-listen", daemon=True).start()
    protocol = server.protocol
    while (body := await heard.get()) is not None:
        try:
            protocol.handle_message(json.loads(body, object_hook=protocol.structure_message))
        except Exception as error:
            log.exception("a message could not be handled")
            server.report_server_error(error, JsonRpcException)


def _listen(reader: BinaryIO, heard: "asyncio.Queue[bytes | None]", loop: asyncio.AbstractEventLoop) -> None:
    body: bytes | None = b""
    while body is not None:
        try:
            body = read_message(reader)
        except (OSError, ValueError):  # the pipe is closed
            body = None
        try:
            loop.call_soon_threadsafe(heard.put_nowait, body)
        except RuntimeError:  # the loop has ended
            return
