"""Capabilities of the server in its answer to `initialize`: plain data, so that no library has to be imported."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from citeplug import __version__

_ENCODINGS = ("utf-32", "utf-16", "utf-8")
_INCREMENTAL = 2


class ServerCommand(StrEnum):
    """The commands of the server, in the order in which it offers them."""

    GENERATE = "citeplug.server.generate"
    REFRESH = "citeplug.server.refreshParagraph"
    REPLAN = "citeplug.server.replan"
    APPLY_PREVIEW = "citeplug.server.applyPreview"
    DISCARD_PREVIEW = "citeplug.server.discardPreview"
    NEAR = "citeplug.server.nearPapers"
    SHORTLIST = "citeplug.server.shortlist"
    CHOOSE = "citeplug.server.choose"
    CHOICES = "citeplug.server.choices"
    ASK = "citeplug.server.ask"
    CONVERSATION = "citeplug.server.conversation"
    PASSAGE = "citeplug.server.passage"
    INSERT_ANSWER = "citeplug.server.insertAnswer"
    SEARCH = "citeplug.server.search"
    ADD_ENTRY = "citeplug.server.addEntry"
    CITE = "citeplug.server.insertCitation"
    BIBTEX = "citeplug.server.bibtex"
    SAVE_TO_ZOTERO = "citeplug.server.saveToZotero"
    CHECK = "citeplug.server.checkBibliography"
    AUDIT = "citeplug.server.audit"
    FIX = "citeplug.server.applyFix"
    REPLACE_KEY = "citeplug.server.replaceKey"
    ACCEPT = "citeplug.server.accept"
    REJECT = "citeplug.server.reject"
    PROVENANCE = "citeplug.server.showProvenance"
    INSERT = "citeplug.server.insertSection"


def chosen_encoding(client: Mapping[str, Any]) -> str:
    """Return the position encoding: the first of the client's that we support, else UTF-16."""
    offered = _at(client, "general", "positionEncodings")
    known = [encoding for encoding in offered if encoding in _ENCODINGS] if isinstance(offered, list) else []
    return str(known[0]) if known else "utf-16"


def pulls(client: Mapping[str, Any]) -> bool:
    """Return True if the client pulls diagnostics and supports `workspace/diagnostic/refresh`."""
    asks = _at(client, "textDocument", "diagnostic")
    return isinstance(asks, dict) and _at(client, "workspace", "diagnostics", "refreshSupport") is True


def initialize_result(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of `initialize`, as JSON."""
    client = params.get("capabilities")
    client = client if isinstance(client, dict) else {}
    offered: dict[str, Any] = {
        "positionEncoding": chosen_encoding(client),
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": {"includeText": False}},
        "completionProvider": {"triggerCharacters": ["{", ",", " "], "resolveProvider": True},
        "hoverProvider": True,
        "definitionProvider": True,
        "referencesProvider": True,
        "documentHighlightProvider": True,
        "renameProvider": {"prepareProvider": True},
        "documentLinkProvider": {"resolveProvider": False},
        "documentSymbolProvider": True,
        "workspaceSymbolProvider": True,
        "foldingRangeProvider": True,
        "codeActionProvider": {"codeActionKinds": ["quickfix", "source"]},
        "codeLensProvider": {"resolveProvider": False},
        "inlayHintProvider": {"resolveProvider": False},
        "executeCommandProvider": {"commands": list(ServerCommand)},
    }
    if pulls(client):
        offered["diagnosticProvider"] = {
            "identifier": "citeplug",
            "interFileDependencies": True,
            "workspaceDiagnostics": True,
        }
    return {"capabilities": offered, "serverInfo": {"name": "citeplug", "version": __version__}}


def _at(value: Any, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value
