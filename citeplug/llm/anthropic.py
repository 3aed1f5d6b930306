"""Anthropic's Messages API, by its own client: streamed, with structured output and its prompt cache."""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from citeplug.llm.api_keys import VARIABLES
from citeplug.llm.completion import NoUse, Size, TryAgain, instruction, most_tokens
from citeplug.llm.failures import error_event, is_of_context, no_room, refusal, words_of
from citeplug.llm.known_models import FREE, KNOWN, THINKING_TOKENS, Price, Usage
from citeplug.llm.provider import Provider
from citeplug.llm.streaming import StreamedAnswer
from citeplug.records.dialogue import Request, Stage
from citeplug.settings.environment import ANTHROPIC_URL
from citeplug.text.cleaning import encodable

if TYPE_CHECKING:
    from anthropic.types import MessageParam, TextBlockParam

# Lists and short answers want little thought; what is read wants more.
_EFFORT: dict[Stage, str] = {
    "queries": "low",
    "ranking": "low",
    "summaries": "low",
    "plan": "medium",
    "prose": "medium",
    "judge": "medium",
}
_COUNTING = 30.0  # seconds
_COUNTED = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


class AnthropicProvider(Provider):
    """Anthropic. The service sends signs of life while a model thinks."""

    name = "anthropic"
    parts: ClassVar = {"format": ("output_config.format", "structured output"), "effort": ("effort",)}
    overhead = 1000  # above all where a schema is asked for
    silence = 120.0
    wordless = 300.0

    def prices(self, model: str) -> tuple[Price, ...]:
        return (FREE,) if self._here else KNOWN[model].prices if model in KNOWN else ()

    def room(self, model: str, request: Request) -> int:
        return request.max_tokens + (0 if model in KNOWN and not KNOWN[model].thinks else THINKING_TOKENS)

    def settings(self, model: str, request: Request) -> Sequence[Any]:
        return (self._effort(model, request),)

    async def count(self, model: str, request: Request) -> int | None:
        sdk = self.sdk()
        system, messages = self._texts(model, request)
        try:
            async with asyncio.timeout(_COUNTING):
                counted = await self.client().messages.count_tokens(
                    model=model, system=system or sdk.omit, messages=messages
                )
        except (sdk.APIError, TimeoutError):
            return None
        schema = most_tokens(json.dumps(request.schema)) if request.schema else 0
        return int(counted.input_tokens) + schema + self.overhead

    def sdk(self) -> Any:
        import anthropic

        return anthropic

    def new_answer(self, size: Size) -> StreamedAnswer:
        return _MessagesAnswer(size)

    async def stream(self, model: str, request: Request, room: int) -> AbstractAsyncContextManager[Any]:
        omit = self.sdk().omit
        system, messages = self._texts(model, request)
        stream: AbstractAsyncContextManager[Any] = await self.client().messages.create(
            model=model,
            max_tokens=room,
            system=system or omit,
            messages=messages,
            output_config=self._config(model, request) or omit,
            stream=True,
        )
        return stream

    def new_client(self) -> Any:
        options = self.options(
            api_key=None if self._key.bearer else self._key.value,
            auth_token=self._key.value if self._key.bearer else None,
            open_telemetry=False,
        )
        return self.sdk().AsyncAnthropic(**options)

    def _texts(self, model: str, request: Request) -> "tuple[list[TextBlockParam], list[MessageParam]]":
        """System and user message; the end of what many requests share is marked for the service's cache."""
        prompt = request.prompt
        # Other servers take no notice of a schema, without a word.
        if request.schema is not None and (self._url != ANTHROPIC_URL or self.lacks(model, "format")):
            prompt += instruction(request.schema)
        system = [_block(request.system)] if request.system else []
        content = [_block(text) for text in (request.shared, prompt) if text]
        last_shared = content[0] if request.shared else system[-1] if system else None
        if last_shared is not None:
            last_shared["cache_control"] = {"type": "ephemeral"}
        return system, [{"role": "user", "content": content}]

    def _config(self, model: str, request: Request) -> dict[str, Any]:
        config: dict[str, Any] = {}
        effort = self._effort(model, request)
        if effort is not None:
            config["effort"] = effort
        if request.schema is not None and not self.lacks(model, "format"):
            config["format"] = {"type": "json_schema", "schema": self.sdk().transform_schema(dict(request.schema))}
        return config

    def _effort(self, model: str, request: Request) -> str | None:
        able = model in KNOWN and KNOWN[model].effort and not self.lacks(model, "effort")
        return _EFFORT[request.stage] if able else None

    def refused(self, error: Any, model: str, answer: StreamedAnswer, sent_without: frozenset[str]) -> TryAgain | NoUse:
        words = words_of(error.api_message, self._key.value)
        if error.status_code == 200:
            return error_event(error.type, words, answer.most())
        if error.status_code == 400:
            if is_of_context(words):
                return no_room(words, here=self._here)
            if learnt := self.learn(model, words, sent_without):
                return learnt
        variable = VARIABLES["anthropic"][0]
        return refusal(error.status_code, error.type, words, error.response.headers, variable=variable, model=model)


def _block(text: str) -> "TextBlockParam":
    return {"type": "text", "text": encodable(text)}


class _MessagesAnswer(StreamedAnswer):
    """An answer of the Messages API."""

    stops: ClassVar = {"max_tokens": "max_tokens", "model_context_window_exceeded": "max_tokens", "refusal": "refusal"}

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self._usage: dict[str, int] = {}

    def take(self, event: Any, on_text: Callable[[str], None]) -> None:
        kind, delta = getattr(event, "type", None), getattr(event, "delta", None)
        if kind == "message_start":
            self.begun = True
            self._count(getattr(getattr(event, "message", None), "usage", None))
        elif kind == "content_block_delta":
            self.say(getattr(delta, "text", None), on_text)
            self.hear(getattr(delta, "thinking", None))
        elif kind == "message_delta":
            self.stop = getattr(delta, "stop_reason", None) or self.stop
            self._count(getattr(event, "usage", None))

    def most(self) -> Usage:
        return replace(self.usage(), tokens_out=self.size.tokens_out) if self.begun else super().most()

    def usage(self) -> Usage:
        tokens_in, tokens_out, cached, stored = (self._usage.get(name, 0) for name in _COUNTED)
        return Usage(tokens_in + cached + stored, tokens_out, cached, stored)

    def _count(self, usage: Any) -> None:
        for name in _COUNTED:
            value = getattr(usage, name, None)
            if isinstance(value, int) and value >= 0:
                self._usage[name] = value
