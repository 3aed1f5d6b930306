"""The author's word on a paper of the shortlist, as an edit of the project's `citeplug.toml`."""

from typing import TYPE_CHECKING, Any

from citeplug.errors import UsageError
from citeplug.faces.lsp.applying import apply_edits
from citeplug.faces.lsp.edits import difference
from citeplug.faces.lsp.lines import Lined
from citeplug.faces.lsp.snapshot import Snapshot
from citeplug.files.decode import read_text
from citeplug.records.paper import ArxivId
from citeplug.settings.project_toml import FILE, find_configuration, read_configuration
from citeplug.usecases.choose import CHOSEN, with_choice

if TYPE_CHECKING:
    from citeplug.faces.lsp.session import Session


async def choose(session: "Session", snapshot: Snapshot, arxiv_id: str, choice: str) -> dict[str, Any]:
    """Pin or exclude a paper, or take back either. Raises UsageError for what is no paper, or no choice,
    WrongConfiguration for a `citeplug.toml` that no run could heed.
    """
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
    held = session.projects.held()
    texts = {each: lined.text for each, lined in held.items()}
    path = find_configuration(folder, texts) or folder / FILE
    read_configuration(folder, texts)  # a choice is made in what a run can heed
    lined = held.get(path) or Lined(read_text(path).text if path.is_file() else "")
    after = with_choice(lined.text, value, choice)  # type: ignore[arg-type]
    planned = {path: difference(path, lined, after)}
    edited = await apply_edits(session, f"{choice} {value}", planned)
    return {"done": True, "changed": bool(edited.files), "file": str(path), "told": edited}
