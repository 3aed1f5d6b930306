"""Edits for the editor: each can be undone, and applies only to the text that it was computed from."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types as lsp

from citeplug.editor.documents import Documents, range_in
from citeplug.editor.lines import Lined, common_ends
from citeplug.records.finding import TextEdit


@dataclass(frozen=True, slots=True)
class Planned:
    """Edits of one file; `lined` is the text that they apply to."""

    lined: Lined
    edits: tuple[TextEdit, ...]

    @property
    def after(self) -> str:
        """Return the text with the edits made."""
        text = self.lined.text
        for edit in sorted(self.edits, key=lambda edit: -edit.start):
            text = text[: edit.start] + edit.new_text + text[edit.end :]
        return text


def difference(path: Path, lined: Lined, after: str) -> Planned:
    """Return the single edit that turns a text into another; common text at both ends stays."""
    before = lined.text
    start, end = common_ends(before, after)
    if start and before[start - 1] == "\r":
        start -= 1  # a position must not be within a line end
    if end and before[len(before) - end] == "\n":
        end -= 1
    new = after[start : len(after) - end]
    return Planned(lined, (TextEdit(path, start, len(before) - end, new),) if before != after else ())


def workspace_edit(
    planned: Mapping[Path, Planned], documents: Documents, absent: Collection[Path], *, versioned: bool
) -> lsp.WorkspaceEdit:
    """Return the edits for the client; `versioned` if it supports document versions, so that it refuses outdated edits.

    For such a client, `absent` files are created.
    """
    changes = {
        path: [
            lsp.TextEdit(range=range_in(change.lined, edit.start, edit.end, documents), new_text=edit.new_text)
            for edit in change.edits
        ]
        for path, change in planned.items()
        if change.edits
    }
    if not versioned:
        return lsp.WorkspaceEdit(changes={documents.uri_of(path): edits for path, edits in changes.items()})
    document_changes: list[lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile] = []
    for path, edits in changes.items():
        document = documents.at(path)
        version = document.version if document is not None else None
        if path in absent:
            options = lsp.CreateFileOptions(ignore_if_exists=True)
            document_changes.append(lsp.CreateFile(uri=documents.uri_of(path), options=options))
        identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri=documents.uri_of(path), version=version)
        document_changes.append(lsp.TextDocumentEdit(text_document=identifier, edits=list(edits)))
    return lsp.WorkspaceEdit(document_changes=document_changes)
