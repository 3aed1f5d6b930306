"""An answer of the chat-completions protocol as it comes, chunk by chunk. Nothing is taken on trust."""

from collections.abc import Callable
from typing import Any, cast

from citeplug.llm.failures import cut_off
from citeplug.llm.known_models import THINKING_TOKENS, Usage
from citeplug.llm.listening import Ear
from citeplug.llm.provider import AskAgain, Said, Size, most_tokens

_STOPS = {"length": "max_tokens", "content_filter": "refusal"}


class AnswerSoFar:
    """The part of an answer of at most `size` that has come.

    `thought` is whether the model thought aloud before it; `ear` has heard all of it.
    """

    def __init__(self, size: Size) -> None:
        self.begun = False
        self.thought = False
        self.ear = Ear()
        self._size = size
        self._texts: list[str] = []
        self._bytes = 0
        self._stop: str | None = None
        self._refused = False
        self._usage: Any = None

    def take(self, chunk: Any, on_text: Callable[[str], None]) -> None:
        self._usage = getattr(chunk, "usage", None) or self._usage
        choices = getattr(chunk, "choices", None)
        if not isinstance(choices, list) or not choices:
            return
        self.begun = True
        delta = getattr(choices[0], "delta", None)
        text, refused = getattr(delta, "content", None), getattr(delta, "refusal", None)
        thoughts = getattr(delta, "reasoning_content", None), getattr(delta, "reasoning", None)
        self.thought = self.thought or any(isinstance(piece, str) and piece for piece in thoughts)
        self._refused = self._refused or bool(refused)
        if isinstance(text, str) and text:
            self._texts.append(text)
            on_text(text)
        for piece in (text, refused, *thoughts):
            if isinstance(piece, str):
                self._weigh(piece)
        self._stop = getattr(choices[0], "finish_reason", None) or self._stop

    def _weigh(self, piece: str) -> None:
        self._bytes += most_tokens(piece)
        self.ear.hear(piece, self._size.tokens_out + (THINKING_TOKENS if self.thought else 0))

    def said(self) -> Said:
        """Raises AskAgain if the end is missing: a stream may be closed as if all of it had been sent."""
        if not self.begun:
            raise AskAgain("its answer is not a message", tries=2)
        if self._stop is None and not self.ear.endless:
            raise cut_off(self.most())
        stop = "max_tokens" if self._stop is None else _STOPS.get(self._stop, "end")
        stop = "refusal" if self._refused else stop
        return Said("".join(self._texts), cast(Any, stop), self._counted() or self._seen())

    def most(self) -> Usage:
        """The most that a lost answer can be charged with: more of it was written than ever arrived."""
        return Usage(self._size.tokens_in, self._size.tokens_out)

    def _seen(self) -> Usage:
        """The most that an answer took whose tokens were not counted by the server."""
        return Usage(self._size.tokens_in, min(self._bytes, self._size.tokens_out))

    def _counted(self) -> Usage | None:
        tokens_in, tokens_out = (getattr(self._usage, name, None) for name in ("prompt_tokens", "completion_tokens"))
        if not isinstance(tokens_in, int) or not isinstance(tokens_out, int) or tokens_in < 0 or tokens_out < 0:
            return None
        details = getattr(self._usage, "prompt_tokens_details", None)
        kept, stored = (getattr(details, name, None) for name in ("cached_tokens", "cache_write_tokens"))
        kept = min(kept, tokens_in) if isinstance(kept, int) and kept > 0 else 0
        stored = min(stored, tokens_in - kept) if isinstance(stored, int) and stored > 0 else 0
        return Usage(tokens_in, tokens_out, kept, stored)
