"""The author's consent before anything is sent to a service for the first time."""

from lsprotocol import types as lsp

from citeplug.editor.saying import harmless
from citeplug.editor.state import SessionState

_SEND = "Send"


async def may_send(session: SessionState, message: str) -> bool:
    """True if the author agrees to what `message` says."""
    actions = [lsp.MessageActionItem(title=_SEND), lsp.MessageActionItem(title="Do not send")]
    params = lsp.ShowMessageRequestParams(type=lsp.MessageType.Info, message=harmless(message), actions=actions)
    answer = await session.server.window_show_message_request_async(params)
    return answer is not None and answer.title == _SEND
