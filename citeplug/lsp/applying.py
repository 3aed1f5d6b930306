"""Asking the editor to make edits, and putting right what was done beside them if it will not."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from citeplug.errors import UsageError
from citeplug.lsp.documents import Documents, scheme_of
from citeplug.lsp.edits import Planned, still_fits, workspace_edit
from citeplug.tex.decode import decode

if TYPE_CHECKING:
    from citeplug.lsp.session import Session

_ASSUMED = ("utf-8", "utf-8-sig", "utf-16", "utf-32")  # of the last two, the mark at the beginning
_REPLACEMENT = "\ufffd"


async def apply_edits(
    session: "Session",
    label: str,
    planned: Mapping[Path, Planned],
    before_answer: Callable[[], Callable[[], None]] | None = None,
) -> bool:
    """Let the client make the edits. Raises UsageError if it will not, or if the author typed meanwhile.

    `before_answer` is done together with the question: there is no moment to cancel the one without the other. What
    it gives back is called if the client refuses.
    """
    if not any(each.edits for each in planned.values()):
        return False
    if session.can("workspace", "applyEdit") is not True:
        raise UsageError("this editor takes no edits from a server", "use the command line: 'citeplug cite', 'fix'")
    if not still_fits(planned, session.documents):
        raise UsageError("the text was changed meanwhile; nothing was done", "try again")
    check_encodings(planned, session.documents)
    versioned = session.can("workspace", "workspaceEdit", "documentChanges") is True
    creates = session.can("workspace", "workspaceEdit", "resourceOperations")
    can_create = versioned and isinstance(creates, list) and "create" in creates
    # Without that, an edit needs a file that is there.
    absent = [path for path in planned if session.documents.at(path) is None and not path.exists()]
    new = [path for path in absent if scheme_of(path) is None]
    # First, so that no edit is made of which there can be no record.
    undo = before_answer() if before_answer is not None else None
    try:
        for path in new if not can_create else ():
            path.touch()
    except OSError:
        if undo is not None:
            undo()
        raise
    edit = workspace_edit(planned, session.documents, versioned=versioned)
    answer = await session.server.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(edit=edit, label=label))
    if not answer.applied:
        if undo is not None:
            undo()
        for path in new:
            if path.is_file() and not path.stat().st_size:
                path.unlink()
        raise UsageError(answer.failure_reason or "the editor did not take the edit", "try again")
    return True


def check_encodings(planned: Mapping[Path, Planned], documents: Documents) -> None:
    """Raises UsageError for a file whose letters an editor would lose when it saves it.

    Editors take a file for UTF-8 unless the author has opened it as what it is; what they cannot read is a
    replacement character to them.
    """
    for path, each in planned.items():
        document = documents.at(path)
        if not each.edits or scheme_of(path) is not None or not path.is_file():
            continue
        if document is not None and _REPLACEMENT not in document.lined.text:
            continue
        encoding = decode(path.read_bytes()).encoding
        if encoding not in _ASSUMED:
            raise UsageError(
                f"{path.name} is saved as {encoding}, and the editor would save it as another; nothing was done",
                f"open {path.name} in the editor with its encoding, and try again",
            )
