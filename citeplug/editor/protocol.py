"""pygls's protocol with our own documents, cancellable commands, and internal errors in the log only."""

from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method
from pygls.workspace import Workspace

from citeplug.editor.capabilities import chosen_encoding, initialize_result
from citeplug.editor.session import Session


class Server(LanguageServer):
    """The pygls server with its `session`."""

    session: Session

    def report_server_error(self, error: Exception, source: Any) -> None:
        self.protocol.notify(
            lsp.WINDOW_LOG_MESSAGE,
            lsp.LogMessageParams(type=lsp.MessageType.Error, message=f"citeplug: {error}"),
        )


class Protocol(LanguageServerProtocol):
    """Protocol with our own documents: pygls's split lines at characters that are no line ends in LSP."""

    _server: Server

    @property
    def has_shut_down(self) -> bool:
        return self._shutdown

    def begin(self, raw: Mapping[str, Any]) -> None:
        """Set up the session from the parameters of `initialize`, which may have been answered already."""
        params = self._converter.structure(raw, lsp.InitializeParams)
        self._server.process_id = params.process_id
        self.client_capabilities = params.capabilities
        self._workspace = Workspace(None, lsp.TextDocumentSyncKind.Incremental, [], lsp.PositionEncodingKind.Utf16)
        client = raw.get("capabilities")
        encoding = chosen_encoding(client if isinstance(client, dict) else {})
        self._server.session.begin(params, raw, encoding)

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(self, params: lsp.InitializeParams) -> lsp.InitializeResult:  # type: ignore[override]
        raw = self._converter.unstructure(params)
        self.begin(raw)
        return self._converter.structure(initialize_result(raw), lsp.InitializeResult)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        self._server.session.opened(item.uri, item.version, item.text)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        identifier = params.text_document
        self._server.session.edited(identifier.uri, identifier.version, params.content_changes)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self._server.session.closed(params.text_document.uri)

    @lsp_method(lsp.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(self, params: lsp.ExecuteCommandParams) -> Any:  # type: ignore[override]
        # A coroutine, so that `$/cancelRequest` cancels the command and not just the wait for it.
        return await self._server.session.commands.run(params.command, params.arguments or [], params.work_done_token)

    @lsp_method(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: lsp.WorkDoneProgressCancelParams) -> None:
        self._server.session.cancel(params.token)
