"""Anthropic's Messages API, by its own client: streamed, with structured output and its prompt cache."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from citeplug.llm.api_keys import VARIABLES, Key
from citeplug.llm.connections import SILENCE_HERE, Lacks, connection, hearing
from citeplug.llm.failures import (
    connection_failure,
    cut_off,
    error_event,
    in_vain,
    is_of_context,
    no_room,
    refusal,
    words_of,
)
from citeplug.llm.json_answers import instruction
from citeplug.llm.known_models import FREE, KNOWN, THINKING_TOKENS, Price, Usage
from citeplug.llm.listening import Ear
from citeplug.llm.provider import AskAgain, NoUse, Said, Size, most_tokens
from citeplug.records.dialogue import Request, Stage
from citeplug.settings.environment import ANTHROPIC_URL
from citeplug.settings.hosts import on_loopback, shown
from citeplug.text.cleaning import encodable

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import MessageParam, OutputConfigParam, TextBlockParam

# Lists and short answers want little thought; what is read wants more.
_EFFORT: dict[Stage, str] = {
    "queries": "low",
    "ranking": "low",
    "summaries": "low",
    "plan": "medium",
    "prose": "medium",
    "judge": "medium",
}
# What servers say when they do not know a part of the protocol, by the part.
_SIGNS = {"format": ("output_config.format", "structured output"), "effort": ("effort",)}
_OVERHEAD = 1000  # tokens that the service adds for itself, above all where a schema is asked for
_STOPS = {"max_tokens": "max_tokens", "model_context_window_exceeded": "max_tokens", "refusal": "refusal"}
# Seconds without a byte, and without a word: the service sends signs of life while a model thinks.
_SILENCE, _WORDLESS = 120.0, 300.0
_COUNTING = 30.0  # seconds


class AnthropicProvider:
    """The service at `url`, or a server on this machine that speaks its protocol, asked with `key`."""

    name = "anthropic"

    def __init__(self, url: str, key: Key) -> None:
        self._url = url
        self._key = key
        self._here = on_loopback(url)
        self._client: anthropic.AsyncAnthropic | None = None
        self._without = Lacks(_SIGNS)

    @property
    def place(self) -> str:
        return shown(self._url)

    def prices(self, model: str) -> tuple[Price, ...]:
        return (FREE,) if self._here else KNOWN[model].prices if model in KNOWN else ()

    def size(self, model: str, request: Request) -> Size:
        text = request.system + request.shared + request.prompt
        # Twice for the schema: as such, and as an instruction.
        schema = 2 * most_tokens(json.dumps(request.schema)) if request.schema else 0
        return Size(most_tokens(text) + schema + _OVERHEAD, self._room(model, request))

    def form(self, model: str, request: Request) -> str:
        parts = (model, request.system, request.shared, request.prompt, request.schema, request.max_tokens)
        return json.dumps([self.name, *parts, self._effort(model, request)], sort_keys=True)

    async def count(self, model: str, request: Request) -> int | None:
        import anthropic

        system, messages = self._texts(model, request)
        try:
            async with asyncio.timeout(_COUNTING):
                counted = await self._open().messages.count_tokens(
                    model=model, system=system or anthropic.omit, messages=messages
                )
        except (anthropic.APIError, TimeoutError):
            return None
        schema = most_tokens(json.dumps(request.schema)) if request.schema else 0
        return counted.input_tokens + schema + _OVERHEAD

    async def ask(self, model: str, request: Request, size: Size, on_text: Callable[[str], None]) -> Said:
        import anthropic
        import httpx2

        so_far = _SoFar(size)
        sent_without = self._without.of(model)
        try:
            await self._hear(model, request, size.tokens_out, so_far, on_text)
        except anthropic.APIStatusError as error:
            raise self._refusal(error, model, so_far, sent_without) from None
        except httpx2.TimeoutException as error:
            raise connection_failure(error, self.place, so_far.most(), here=self._here) from None
        except anthropic.APIConnectionError as error:
            raise connection_failure(error, self.place, so_far.most(), here=self._here) from None
        except TimeoutError:
            raise in_vain(so_far.most(), here=self._here) from None
        except (anthropic.APIError, httpx2.TransportError, httpx2.StreamError, ValueError):
            raise cut_off(so_far.most()) from None
        return so_far.said()

    async def _hear(
        self, model: str, request: Request, room: int, so_far: "_SoFar", on_text: Callable[[str], None]
    ) -> None:
        """Take in the stream. Raises TimeoutError on silence, which signs of life without words do not end."""
        import anthropic

        system, messages = self._texts(model, request)
        silence = SILENCE_HERE if self._here else _WORDLESS
        async with hearing(so_far.ear, silence, here=self._here) as heard:
            stream = await self._open().messages.create(
                model=model,
                max_tokens=room,
                system=system or anthropic.omit,
                messages=messages,
                output_config=self._config(model, request) or anthropic.omit,
                stream=True,
            )
            async with stream:
                async for event in stream:
                    so_far.take(event, on_text)
                    if heard():
                        return

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    def _open(self) -> "anthropic.AsyncAnthropic":
        if self._client is None:
            import anthropic

            self._client = anthropic.AsyncAnthropic(
                api_key=None if self._key.bearer else self._key.value,
                auth_token=self._key.value if self._key.bearer else None,
                base_url=self._url,
                # Tries are counted, paid for and spaced out elsewhere.
                max_retries=0,
                open_telemetry=False,
                http_client=anthropic.DefaultAsyncHttpxClient(**connection(_SILENCE, here=self._here)),
            )
        return self._client

    def _texts(self, model: str, request: Request) -> "tuple[list[TextBlockParam], list[MessageParam]]":
        """System and user message; the end of what many requests share is marked for the service's cache."""
        prompt = request.prompt
        # Other servers take no notice of a schema, without a word.
        if request.schema is not None and (self._url != ANTHROPIC_URL or (model, "format") in self._without):
            prompt += instruction(request.schema)
        system = [_block(request.system)] if request.system else []
        content = [_block(text) for text in (request.shared, prompt) if text]
        last_shared = content[0] if request.shared else system[-1] if system else None
        if last_shared is not None:
            last_shared["cache_control"] = {"type": "ephemeral"}
        return system, [{"role": "user", "content": content}]

    def _config(self, model: str, request: Request) -> "OutputConfigParam":
        import anthropic

        config: dict[str, Any] = {}
        effort = self._effort(model, request)
        if effort is not None:
            config["effort"] = effort
        if request.schema is not None and (model, "format") not in self._without:
            config["format"] = {"type": "json_schema", "schema": anthropic.transform_schema(dict(request.schema))}
        return cast("OutputConfigParam", config)

    def _effort(self, model: str, request: Request) -> str | None:
        able = model in KNOWN and KNOWN[model].effort and (model, "effort") not in self._without
        return _EFFORT[request.stage] if able else None

    def _room(self, model: str, request: Request) -> int:
        """`max_tokens` of the service, in which thinking counts."""
        return request.max_tokens + (0 if model in KNOWN and not KNOWN[model].thinks else THINKING_TOKENS)

    def _refusal(
        self, error: "anthropic.APIStatusError", model: str, so_far: "_SoFar", sent_without: frozenset[str]
    ) -> AskAgain | NoUse:
        words = words_of(error.api_message, self._key.value)
        if error.status_code == 200:
            return error_event(error.type, words, so_far.most())
        if error.status_code == 400 and is_of_context(words):
            return no_room(words, here=self._here)
        part = self._without.learn(model, words, sent_without) if error.status_code == 400 else None
        if part is not None:
            return AskAgain(f"it does not take {part}", wait=0.0)
        return refusal(
            error.status_code,
            error.type,
            words,
            error.response.headers,
            variable=VARIABLES["anthropic"][0],
            model=model,
        )


def _block(text: str) -> "TextBlockParam":
    return {"type": "text", "text": encodable(text)}


class _SoFar:
    """An answer as it comes, event by event; `ear` has heard all of it, thoughts too.

    Nothing is taken on trust: a server may send anything.
    """

    def __init__(self, size: Size) -> None:
        self.ear = Ear()
        self._size = size
        self._begun = False
        self._texts: list[str] = []
        self._stop: str | None = None
        self._usage: dict[str, int] = {}

    def take(self, event: Any, on_text: Callable[[str], None]) -> None:
        kind = getattr(event, "type", None)
        if kind == "message_start":
            self._begun = True
            self._count(getattr(getattr(event, "message", None), "usage", None))
        elif kind == "content_block_delta":
            delta = getattr(event, "delta", None)
            text, thought = getattr(delta, "text", None), getattr(delta, "thinking", None)
            for piece in (text, thought):
                if isinstance(piece, str):
                    self.ear.hear(piece, self._size.tokens_out)
            if isinstance(text, str):
                self._texts.append(text)
                on_text(text)
        elif kind == "message_delta":
            self._stop = getattr(getattr(event, "delta", None), "stop_reason", None) or self._stop
            self._count(getattr(event, "usage", None))

    def said(self) -> Said:
        """Raises AskAgain if the end is missing: a stream may be closed as if all of it had been sent."""
        if not self._begun:
            raise AskAgain("its answer is not a message", tries=2)
        text = "".join(self._texts)
        if self._stop is None and self.ear.endless:
            return Said(text, "max_tokens", self.most())
        if self._stop is None:
            raise cut_off(self.most())
        stop = cast(Any, _STOPS.get(self._stop, "end"))
        return Said(text, stop, self._counted())

    def most(self) -> Usage:
        """The most that a lost answer can be charged with: more of it was written than ever arrived."""
        counted = self._counted() if self._begun else Usage(self._size.tokens_in)
        return replace(counted, tokens_out=self._size.tokens_out)

    def _count(self, usage: Any) -> None:
        names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        for name in names:
            value = getattr(usage, name, None)
            if isinstance(value, int) and value >= 0:
                self._usage[name] = value

    def _counted(self) -> Usage:
        kept = self._usage.get("cache_read_input_tokens", 0)
        stored = self._usage.get("cache_creation_input_tokens", 0)
        total = self._usage.get("input_tokens", 0) + kept + stored
        return Usage(total, self._usage.get("output_tokens", 0), kept, stored)
