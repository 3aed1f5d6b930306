"""Papers saved to Zotero from the editor, which asks for the collection."""

import asyncio
from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from citeplug.bib.zotero_save import save_papers
from citeplug.bib.zotero_sync import read_state
from citeplug.corpus.stores import settings
from citeplug.editor.messages import harmless, tell
from citeplug.editor.state import SessionState, text_of
from citeplug.records.paper import shown_id

_MOST = 12  # collections to choose among: a message has little room
_NONE = "No collection"


def is_synced(session: SessionState) -> bool:
    """Return True if the author's library has taken Zotero's in."""
    return bool(read_state(session.library.settings.home).collections)


async def save_to_zotero(session: SessionState, argument: Mapping[str, Any]) -> dict[str, Any]:
    """Save a paper to the `collection` of the argument, or to one that the author is asked for."""
    value, collection = text_of(argument, "arxiv_id"), argument.get("collection")
    if not isinstance(collection, str):
        paths = sorted(read_state(session.library.settings.home).collections.get("users/0", {}).values())
        actions = [lsp.MessageActionItem(title=title) for title in (*paths[:_MOST], _NONE)]
        message = harmless(f"Save {shown_id(value)} to which collection of Zotero?")
        params = lsp.ShowMessageRequestParams(type=lsp.MessageType.Info, message=message, actions=actions)
        try:
            answer = await session.server.window_show_message_request_async(params)
        except JsonRpcException:
            answer = None
        if answer is None:
            return {"done": False}
        collection = answer.title
    into = None if collection in ("", _NONE) else collection
    (saved,) = await asyncio.to_thread(save_papers, settings(), [value], into, (), lambda *_: None)
    if saved.message:
        tell(session, saved.message, lsp.MessageType.Warning)
    return {"done": saved.status != "failed", "status": saved.status, "item": saved.item, "collection": into}
