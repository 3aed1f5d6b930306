"""All places of a citation key in a project: highlighted in a document, and renamed over .tex and .bib."""

import re
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from citeplug.editor.applying import check_encodings
from citeplug.editor.documents import Documents, range_in, range_of
from citeplug.editor.edits import Planned, workspace_edit
from citeplug.editor.lenses import papers_in_plans
from citeplug.editor.navigation import key_at
from citeplug.editor.snapshot import Snapshot, Stretch
from citeplug.editor.state import Cursor, SessionState
from citeplug.errors import UsageError
from citeplug.records.finding import TextEdit

# Signs that BibTeX or \cite takes for something else.
_NO_KEY = re.compile(r"[\s,{}\"#%~\\'()=^$&]")
_INHERITS = r"\b(?:crossref|xdata|xref|entryset|related)\s*=\s*[{\"]([^{}\"]*)[}\"]"


def highlights(session: SessionState, cursor: Cursor) -> list[lsp.DocumentHighlight]:
    """Return the places in the document of the key under the cursor: its citations, and its entry."""
    document, _, snapshot = cursor
    key = key_at(cursor)
    if key is None:
        return []
    return [
        lsp.DocumentHighlight(
            range=range_in(document.lined, place.start, place.end, session.documents),
            kind=lsp.DocumentHighlightKind.Write if defined else lsp.DocumentHighlightKind.Read,
        )
        for place, defined in _places(key[0], snapshot)
        if place.file == document.path
    ]


def renamable(session: SessionState, cursor: Cursor) -> lsp.PrepareRenamePlaceholder | None:
    """Return the key under the cursor and its place if it has an entry in the project, else None."""
    key = key_at(cursor)
    if key is None or cursor.snapshot.entry(key[0]) is None:
        return None
    place = range_of(key[1], cursor.snapshot, session.documents)
    return lsp.PrepareRenamePlaceholder(range=place, placeholder=key[0])


def rename(session: SessionState, cursor: Cursor, new: str) -> lsp.WorkspaceEdit | None:
    """Return the edit by which the key under the cursor is named `new`; None if there is none that has an entry.

    Raises JsonRpcInvalidParams with the reason why it cannot be renamed.
    """
    key = renamable(session, cursor)
    if key is None:
        return None
    try:
        planned = _rename(key.placeholder, new.strip(), cursor.snapshot, session.documents)
    except UsageError as error:
        raise JsonRpcInvalidParams(f"{error}: {error.hint}") from None
    versioned = session.can("workspace", "workspaceEdit", "documentChanges") is True
    return workspace_edit(planned, session.documents, (), versioned=versioned)


def _rename(key: str, new: str, snapshot: Snapshot, documents: Documents) -> dict[Path, Planned]:
    """Return the edits by which the entry of `key`, its citations and the plans that name it get the key `new`.

    Raises UsageError for a name that cannot be a key or is another entry's, and if a citation of the key cannot be
    edited: it is made by a macro, or its file is not UTF-8.
    """
    entry = snapshot.entry(key)
    if entry is None:
        raise UsageError(f"{key} is not defined", "rename a key that has an entry")
    if not new or _NO_KEY.search(new):
        raise UsageError(f"{new!r} cannot be a key", "use letters, digits, and signs such as : - _ . /")
    other = snapshot.entries.get(new) or [snapshot.lower[new.lower()]] if new.lower() in snapshot.lower else []
    if any(twin is not entry and twin.key != entry.key for twin in other):
        raise UsageError(f"{new} is the key of another entry", "choose another one")
    made = [m for name, some in snapshot.mentions.items() if snapshot.entry(name) is entry for m in some if not m.exact]
    if made:
        lined = snapshot.texts.get(made[0].place.file)
        line = lined.line_of(made[0].place.start) + 1 if lined is not None else 1
        raise UsageError(
            f"{made[0].place.file.name}:{line} cites {key} through a macro, so the key is not in the text",
            "rename it there by hand",
        )
    edits: dict[Path, list[TextEdit]] = {}
    planned = {}
    for place in dict.fromkeys(place for place, _ in _places(key, snapshot)):
        edits.setdefault(place.file, []).append(TextEdit(place.file, place.start, place.end, new))
    for path, some in edits.items():
        planned[path] = Planned(snapshot.texts[path], tuple(sorted(some, key=lambda edit: edit.start)))
    check_encodings(planned, documents)
    return planned


def _places(key: str, snapshot: Snapshot) -> Iterator[tuple[Stretch, bool]]:
    """Yield the places of a key, and whether it is defined there."""
    entry = snapshot.entry(key)
    keys = {key} if entry is None else {name for name in snapshot.mentions if snapshot.entry(name) is entry}
    if entry is not None:
        for twin in snapshot.entries[entry.key]:
            place = snapshot.key_place(twin)
            if place.end - place.start == len(twin.key):
                yield place, True
        keys.add(entry.key)
    for name in sorted(keys):
        for mention in snapshot.mentions.get(name, ()):
            if mention.exact:
                yield mention.place, False
    for path, lined in snapshot.texts.items():
        for start, end, name in _inherited(lined.text) if path.suffix.lower() == ".bib" else _planned(lined.text):
            if name in keys:
                yield Stretch(path, start, end), False


def _inherited(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the keys from which entries inherit."""
    for match in re.finditer(_INHERITS, text, re.IGNORECASE):
        for name in re.finditer(r"[^,\s]+", match[1]):
            yield match.start(1) + name.start(), match.start(1) + name.end(), name[0]


def _planned(text: str) -> Iterator[tuple[int, int, str]]:
    for named in papers_in_plans(text, 0, len(text)):
        yield named.start, named.end, named.name
