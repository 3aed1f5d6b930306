"""The papers that the author pins and excludes: in the project's `citeplug.toml`, which is edited, and the document."""

from typing import Any

from citeplug.editor.applying import apply_edits
from citeplug.editor.edits import difference
from citeplug.editor.lines import Lined
from citeplug.editor.snapshot import Snapshot
from citeplug.editor.state import SessionState
from citeplug.files.decode import read_text
from citeplug.related.section.choose import checked_choice, with_choice
from citeplug.settings.project_toml import FILE, find_configuration, read_configuration


async def choose(session: SessionState, snapshot: Snapshot, arxiv_id: str, choice: str) -> dict[str, Any]:
    """Pin or exclude a paper, or undo either. Raises UsageError for an invalid paper or choice, WrongConfiguration for
    an invalid `citeplug.toml`.
    """
    value, wanted = checked_choice(snapshot.draft, arxiv_id, choice)
    folder = snapshot.root.parent
    held = session.projects.held()
    texts = {each: lined.text for each, lined in held.items()}
    path = find_configuration(folder, texts) or folder / FILE
    read_configuration(folder, texts)  # refuse to edit an invalid file
    lined = held.get(path) or Lined(read_text(path).text if path.is_file() else "")
    after = with_choice(lined.text, value, wanted)
    planned = {path: difference(path, lined, after)}
    edited = await apply_edits(session, f"{choice} {value}", planned)
    return {"done": True, "changed": bool(edited.files), "file": str(path), "edited": edited}


def choices(session: SessionState, snapshot: Snapshot) -> dict[str, Any]:
    """The ids of the papers that are pinned and excluded now. Raises WrongConfiguration for an invalid file."""
    texts = {each: lined.text for each, lined in session.projects.held().items()}
    in_file = read_configuration(snapshot.root.parent, texts).values
    in_document = snapshot.draft.options.values
    named = {name: (*in_file.get(name, ()), *in_document.get(name, ())) for name in ("pin", "exclude")}
    return {"done": True, **{name: list(dict.fromkeys(ids)) for name, ids in named.items()}}
