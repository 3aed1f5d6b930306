"""Edits applied by the editor (`workspace/applyEdit`), and undoing of what belongs to them if it refuses."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types as lsp

from citeplug.bib.exported import need_own
from citeplug.editor.documents import Documents, saved_text, scheme_of
from citeplug.editor.edits import Planned, workspace_edit
from citeplug.editor.state import SessionState
from citeplug.errors import UsageError
from citeplug.files.decode import read_text

_ASSUMED = ("utf-8", "utf-8-sig", "utf-16", "utf-32")  # UTF-16 and UTF-32 are recognised by their byte order mark
_REPLACEMENT = "\ufffd"


@dataclass(frozen=True, slots=True)
class Edited:
    """Files that the editor has edited, and those of them that are not saved yet."""

    files: tuple[Path, ...] = ()
    unsaved: tuple[Path, ...] = ()

    @property
    def as_json(self) -> dict[str, list[str]]:
        """Return the keys for a command's answer."""
        return {"edited": [str(path) for path in self.files], "unsaved": [str(path) for path in self.unsaved]}

    def __str__(self) -> str:
        names = ", ".join(_short(self.files))
        if not self.unsaved:
            return f"edited and saved {names}"
        return f"edited {names} (not saved{_which(self.files, self.unsaved)})"


async def apply_edits(
    session: SessionState,
    label: str,
    planned: Mapping[Path, Planned],
    before_answer: Callable[[], Callable[[], None]] | None = None,
    fits: Callable[[Mapping[Path, Planned]], bool] | None = None,
) -> Edited:
    """Have the client make the edits. Raises UsageError if it refuses, or if a file was changed meanwhile.

    `fits` says whether the edits can still be made; without it, only if no file was changed.

    The caller holds the session's turn to edit, since before the texts were read. `before_answer` is called before the
    request; it returns a function that undoes it, called if the client refuses. A cancellation comes too late from then
    on: what the client does is what the command answers.
    """
    planned = {path: change for path, change in planned.items() if change.edits}
    if not planned:
        return Edited()
    if session.can("workspace", "applyEdit") is not True:
        raise UsageError(
            "this editor accepts no edits from a language server",
            "use the command line: 'citeplug cite', 'citeplug fix'",
        )
    for path in planned:
        if path.suffix.lower() == ".bib":
            need_own(path)
    if not (fits or session.projects.fits)(planned):
        raise UsageError("the text was changed in the meantime; nothing was edited", "try again")
    check_encodings(planned, session.documents)
    versioned = session.can("workspace", "workspaceEdit", "documentChanges") is True
    creates = session.can("workspace", "workspaceEdit", "resourceOperations")
    can_create = versioned and isinstance(creates, list) and "create" in creates
    held = session.projects.held()
    absent = [path for path in planned if path not in held and not path.exists()]
    edit = workspace_edit(planned, session.documents, absent, versioned=versioned)
    params = lsp.ApplyWorkspaceEditParams(edit=edit, label=label)
    # Without this capability, an edit needs an existing file.
    new = [path for path in absent if scheme_of(path) is None]
    applying = asyncio.ensure_future(_apply(session, params, planned, new, before_answer, touch=not can_create))
    try:
        return await asyncio.shield(applying)
    except asyncio.CancelledError:
        return await applying


async def _apply(
    session: SessionState,
    params: lsp.ApplyWorkspaceEditParams,
    planned: Mapping[Path, Planned],
    new: Sequence[Path],
    before_answer: Callable[[], Callable[[], None]] | None,
    *,
    touch: bool,
) -> Edited:
    # First, so that no edit is made whose record cannot be written.
    undo = before_answer() if before_answer is not None else None
    try:
        for path in new if touch else ():
            path.touch()
    except OSError:
        if undo is not None:
            undo()
        raise
    answer = await session.server.workspace_apply_edit_async(params)
    if not answer.applied:
        if undo is not None:
            undo()
        for path in new:
            if path.is_file() and not path.stat().st_size:
                path.unlink()
        raise UsageError(answer.failure_reason or "the editor refused the edit", "try again")
    session.projects.applied(planned)
    on_disk = [path for path in planned if scheme_of(path) is None]
    return Edited(tuple(planned), tuple(path for path in on_disk if saved_text(path) != planned[path].after))


def _short(paths: Sequence[Path]) -> list[str]:
    """Return the names of files, with their folder if two have the same name."""
    names = Counter(path.name for path in paths)
    return [path.name if names[path.name] == 1 else f"{path.parent.name}/{path.name}" for path in paths]


def _which(files: Sequence[Path], unsaved: Sequence[Path]) -> str:
    short = dict(zip(files, _short(files), strict=True))
    return "" if len(files) == len(unsaved) else ": " + ", ".join(short[path] for path in unsaved)


def check_encodings(planned: Mapping[Path, Planned], documents: Documents) -> None:
    """Raise UsageError for a file of which an editor would lose characters when it saves it.

    Editors assume UTF-8 unless the author has opened the file with its encoding; bytes that they cannot read become
    replacement characters.
    """
    for path, change in planned.items():
        document = documents.at(path)
        if not change.edits or scheme_of(path) is not None or not path.is_file():
            continue
        if document is not None and _REPLACEMENT not in document.lined.text:
            continue
        encoding = read_text(path).encoding
        if encoding not in _ASSUMED:
            raise UsageError(
                f"{path.name} is saved as {encoding}, but the editor would use another; nothing was edited",
                f"open {path.name} in the editor with its encoding, and try again",
            )
