"""The question before a section is read beside the author's own related work."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from citeplug.editor import capabilities
from citeplug.editor.saying import harmless
from citeplug.editor.snapshot import Snapshot
from citeplug.editor.state import SessionState
from citeplug.project.author_files import as_tex_path
from citeplug.project.insert import own_related_work

Answer = Literal["beside", "missing", "leave"]
_BUTTONS: Mapping[str, Answer] = {"Insert Beside It": "beside", "List What It Misses": "missing", "Leave It": "leave"}


def inserts(command: str, argument: Mapping[str, Any]) -> bool:
    """Return True if the command makes the draft read its section, and the author was not asked about that yet."""
    wanted = command == capabilities.INSERT or (command == capabilities.GENERATE and argument.get("insert") is True)
    return wanted and argument.get("beside") is not True


async def ask_about_own_text(session: SessionState, snapshot: Snapshot) -> Answer:
    """Ask what is to be done where the draft has a related work of its own, beside which the section would be read.

    `beside` without a question where it has none or reads the section already, and where the editor cannot ask.
    """
    texts = {file: snapshot.texts[file].text for file in snapshot.draft.files if file in snapshot.texts}
    where = session.projects.project(snapshot.root).where
    own = own_related_work(snapshot.draft, texts, as_tex_path(where.tex, snapshot.root.parent))
    if own is None:
        return "beside"
    actions = [lsp.MessageActionItem(title=title) for title in _BUTTONS]
    params = lsp.ShowMessageRequestParams(
        type=lsp.MessageType.Info, message=harmless(f"citeplug: {own.message}."), actions=actions
    )
    try:
        answer = await session.server.window_show_message_request_async(params)
    except JsonRpcException:
        return "beside"  # the finding says it after the run
    return "leave" if answer is None else _BUTTONS.get(answer.title, "leave")


def missing_answer(session: SessionState, root: Path) -> dict[str, Any]:
    """The answer of a command where the author wants to complete the own text: the editor lists the papers, or the
    author is told how to."""
    if session.can("experimental", "citeplug", "listsMissing") is not True:
        message = f"citeplug: run 'citeplug papers {root.name} --missing' to list what the draft does not cite"
        session.server.window_show_message(lsp.ShowMessageParams(type=lsp.MessageType.Info, message=harmless(message)))
    return {"done": False, "missing": True}
