"""The author's word on a paper of the shortlist, as an edit of the project's `citeplug.toml`."""

from typing import TYPE_CHECKING, Any

from citeplug.build.choosing import CHOSEN, with_choice
from citeplug.configuration import FILE, find_configuration
from citeplug.errors import UsageError
from citeplug.lsp.applying import apply_edits
from citeplug.lsp.documents import scheme_of
from citeplug.lsp.edits import difference
from citeplug.lsp.lines import Lined
from citeplug.lsp.snapshot import Snapshot
from citeplug.records.paper import ArxivId
from citeplug.tex.decode import read_text

if TYPE_CHECKING:
    from citeplug.lsp.session import Session


async def choose(session: "Session", snapshot: Snapshot, arxiv_id: str, choice: str) -> dict[str, Any]:
    """Pin or exclude a paper, or take back either. Raises UsageError for what is no paper, or no choice."""
    if choice not in CHOSEN:
        raise UsageError(f"{choice!r} is no choice", f"one of {', '.join(CHOSEN)}")
    try:
        value = ArxivId.parse(arxiv_id).value
    except ValueError as error:
        raise UsageError(f"{arxiv_id!r} is no arXiv id", "name one, such as 1706.03762") from error
    said = snapshot.draft.options.values
    for name, command in (("pin", "\\citeplugpin"), ("exclude", "\\citeplugexclude")):
        if choice != name and value in said.get(name, ()):
            raise UsageError(f"{command}{{{value}}} stands in the document", "take it out there")
    folder = snapshot.root.parent
    path = (find_configuration(folder) if scheme_of(folder) is None else None) or folder / FILE
    held = session.projects.held()
    lined = held.get(path) or Lined(read_text(path).text if path.is_file() else "")
    after = with_choice(lined.text, value, choice)  # type: ignore[arg-type]
    planned = {path: difference(path, lined, after)}
    changed = await apply_edits(session, f"{choice} {value}", planned)
    session.projects.changed(snapshot.root)
    return {"done": True, "changed": changed, "file": str(path)}
