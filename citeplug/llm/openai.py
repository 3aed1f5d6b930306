"""The chat-completions protocol, by OpenAI's client: OpenAI itself, and the servers that speak it on one's own machine.

Ollama, llama.cpp, vLLM and LM Studio each understand a part of it; what one refuses is left out from then on.
The models of such a server are listed, so that the only one need not be named.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING, Any, cast

from citeplug.errors import ModelUnavailable
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
from citeplug.llm.known_models import FREE, KNOWN, THINKING_TOKENS, Price
from citeplug.llm.openai_stream import AnswerSoFar
from citeplug.llm.provider import AskAgain, NoUse, Said, Size, most_tokens
from citeplug.records.dialogue import Request
from citeplug.settings.environment import OPENAI_URL
from citeplug.settings.hosts import on_loopback, shown
from citeplug.text.cleaning import encodable

if TYPE_CHECKING:
    import openai

if TYPE_CHECKING:
    from openai.types import Model


_OVERHEAD = 500  # tokens of a chat template, and of what the service adds for itself
_SILENCE = 180.0  # seconds
# What servers say when they do not know a part of the protocol, by the part.
_SIGNS = {
    "format": ("response_format", "json_schema", "json schema", "grammar", "structured output", "guided"),
    "system": ("system role", "system message", "roles must alternate"),
    "usage": ("stream_options",),
    "temperature": ("temperature",),
    "effort": ("reasoning_effort", "reasoning effort", "does not support thinking"),
}
_PATIENCE = 10.0  # seconds, for the whole list: time-outs of sockets hold between two bytes


class OpenAIProvider:
    """The service at `url`, asked with `key`. Raises ModelUnavailable if its client is not installed."""

    name = "openai"

    def __init__(self, url: str, key: Key) -> None:
        need_client()
        self._url = url
        self._key = key
        self._here = on_loopback(url)
        self._official = url == OPENAI_URL
        self._client: openai.AsyncOpenAI | None = None
        self._without = Lacks(_SIGNS)
        self._thinkers: set[str] = set()
        self._under_way = 0
        self._crowded = False
        self._alone = asyncio.Lock()

    @property
    def place(self) -> str:
        return shown(self._url)

    def prices(self, model: str) -> tuple[Price, ...]:
        if self._here:
            return (FREE,)
        return KNOWN[model].prices if model in KNOWN and self._official else ()

    def size(self, model: str, request: Request) -> Size:
        schema = 2 * most_tokens(json.dumps(request.schema)) if request.schema else 0
        text = request.system + request.shared + request.prompt
        return Size(most_tokens(text) + schema + _OVERHEAD, self._room(model, request))

    def form(self, model: str, request: Request) -> str:
        parts = (model, request.system, request.shared, request.prompt, request.schema, request.max_tokens)
        return json.dumps([self.name, *parts], sort_keys=True)

    async def count(self, model: str, request: Request) -> int | None:
        return None

    async def ask(self, model: str, request: Request, size: Size, on_text: Callable[[str], None]) -> Said:
        async with self._turn():
            self._under_way += 1
            alone = self._crowded and self._under_way == 1
            try:
                return await self._ask(model, request, size, on_text, alone)
            finally:
                self._under_way -= 1

    async def _ask(self, model: str, request: Request, size: Size, on_text: Callable[[str], None], alone: bool) -> Said:
        import httpx2
        import openai

        so_far = AnswerSoFar(size)
        sent_without, thinker = self._without.of(model), model in self._thinkers
        try:
            await self._hear(model, request, size.tokens_out, so_far, on_text)
        except openai.APIStatusError as error:
            raise self._refusal(error, model, sent_without, alone) from None
        except openai.APIConnectionError as error:
            raise connection_failure(error, self.place, so_far.most(), here=self._here) from None
        except openai.APIError as error:
            raise self._broken_off(error, so_far, alone) from None
        except TimeoutError:
            raise in_vain(so_far.most(), here=self._here) from None
        except (httpx2.TransportError, httpx2.StreamError, ValueError):
            raise cut_off(so_far.most()) from None
        said = so_far.said()
        if (
            said.stop == "max_tokens"
            and so_far.thought
            and not thinker
            and not so_far.ear.endless
            and not self._official
        ):
            self._thinkers.add(model)
            raise AskAgain("it thought until there was no room for the answer", wait=0.0, usage=said.usage)
        return said

    async def _hear(
        self, model: str, request: Request, room: int, so_far: AnswerSoFar, on_text: Callable[[str], None]
    ) -> None:
        """Take in the stream. Raises TimeoutError on silence, which signs of life without words do not end."""
        create = cast(Any, self._open().chat.completions.create)
        silence = SILENCE_HERE if self._here else _SILENCE
        async with (
            hearing(so_far.ear, silence, here=self._here) as heard,
            await create(**self._body(model, request, room)) as stream,
        ):
            async for chunk in stream:
                so_far.take(chunk, on_text)
                if heard():
                    return

    def _turn(self) -> AbstractAsyncContextManager[object]:
        """All at once, until a context turned out to be full that they may share."""
        return self._alone if self._crowded else nullcontext()

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    def _open(self) -> "openai.AsyncOpenAI":
        if self._client is None:
            import openai

            self._client = openai.AsyncOpenAI(
                api_key=self._key.value,
                base_url=self._url,
                # Tries are counted, paid for and spaced out elsewhere.
                max_retries=0,
                http_client=openai.DefaultAsyncHttpxClient(**connection(_SILENCE, here=self._here)),
            )
        return self._client

    def _body(self, model: str, request: Request, room: int) -> dict[str, Any]:
        body: dict[str, Any] = {"model": model, "messages": self._messages(model, request), "stream": True}
        if (model, "usage") not in self._without:
            body["stream_options"] = {"include_usage": True}
        if self._official:
            body |= {"max_completion_tokens": room, "store": False}
        else:
            # The old name is the one that every server knows.
            body["max_tokens"] = room
        if self._here and (model, "temperature") not in self._without:
            # Small models wander; hosted ones that think first refuse the setting.
            body["temperature"] = 0
        if model in self._thinkers and (model, "effort") not in self._without:
            body["reasoning_effort"] = "none"
        if request.schema is not None and (model, "format") not in self._without:
            schema = {"name": "answer", "strict": is_strict(request.schema), "schema": dict(request.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    def _messages(self, model: str, request: Request) -> list[dict[str, str]]:
        """One message of each role: many chat templates want them to alternate."""
        prompt = "\n\n".join(text for text in (request.shared, request.prompt) if text)
        # Other servers take no notice of a schema, without a word.
        if request.schema is not None and (not self._official or (model, "format") in self._without):
            prompt += instruction(request.schema)
        if (model, "system") in self._without:
            return [{"role": "user", "content": encodable(f"{request.system}\n\n{prompt}".strip())}]
        system = [{"role": "system", "content": encodable(request.system)}] if request.system else []
        return [*system, {"role": "user", "content": encodable(prompt)}]

    def _room(self, model: str, request: Request) -> int:
        """Tokens that the answer may take, thinking included, once a model of another server was seen to think."""
        return request.max_tokens + (THINKING_TOKENS if self._official or model in self._thinkers else 0)

    def _refusal(
        self, error: "openai.APIStatusError", model: str, sent_without: frozenset[str], alone: bool
    ) -> AskAgain | NoUse:
        words = words_of(_message(error), self._key.value)
        if full := self._full(words, alone or error.status_code < 500):
            return full
        part = self._without.learn(model, words, sent_without) if error.status_code in (400, 422, 500, 501) else None
        if part is not None:
            return AskAgain(f"it does not take {part}", wait=0.0)
        return refusal(
            error.status_code,
            error.code if error.code in ("insufficient_quota",) else error.type,
            words,
            error.response.headers,
            variable=VARIABLES["openai"][0],
            model=model,
        )

    def _broken_off(self, error: "openai.APIError", so_far: AnswerSoFar, alone: bool) -> AskAgain | NoUse:
        """The failure for an error in the midst of a stream; llama.cpp puts a status there, as a number."""
        words = words_of(error.message, self._key.value)
        names = [name for name in (error.code, error.type) if isinstance(name, str) and not name.isdecimal()]
        full = self._full(words, alone or "exceed_context_size_error" in names)
        return full or error_event(names[0] if names else None, words, so_far.most())

    def _full(self, words: str, for_itself: bool) -> AskAgain | NoUse | None:
        """The failure if the words are of a full context; asking again is in vain only if it was full `for_itself`."""
        if not is_of_context(words):
            return None
        if for_itself:
            return no_room(words, here=self._here)
        self._crowded = True
        return AskAgain("its context does not hold so many requests at once", wait=0.0)


def need_client() -> None:
    """Raises ModelUnavailable if OpenAI's client, which is an extra, is not installed."""
    try:
        import openai  # noqa: F401
    except ImportError as error:
        raise ModelUnavailable(
            "the client for OpenAI's protocol is not installed", "install it with: pip install 'citeplug[openai]'"
        ) from error


def is_strict(schema: Mapping[str, Any]) -> bool:
    """True if OpenAI's strict mode takes this schema: every object closed, every property required."""
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(properties):
            return False
    parts = [*schema.get("properties", {}).values(), *schema.get("anyOf", ()), *schema.get("$defs", {}).values()]
    if isinstance(schema.get("items"), Mapping):
        parts.append(schema["items"])
    return all(is_strict(part) for part in parts)


def _message(error: "openai.APIStatusError") -> object:
    """The server's own words, where it sends them in the usual place or in that of vLLM and Ollama."""
    body = error.body
    if isinstance(body, Mapping):
        inner = body.get("error")
        inner = inner.get("message") if isinstance(inner, Mapping) else inner
        return body.get("message") or inner or body.get("detail")
    return body


def models_at(url: str, key: Key) -> list[str]:
    """The names of the models of the server at `url`, in its order. Raises ModelUnavailable if it cannot be asked."""
    need_client()
    import openai

    try:
        listed = asyncio.run(_listed(url, key))
    except (openai.OpenAIError, TimeoutError, ValueError, TypeError, AttributeError):
        raise ModelUnavailable(
            f"the server at {shown(url)} does not list its models",
            "see that it is running, and name a model with --model",
        ) from None
    return [model.id for model in listed or () if isinstance(getattr(model, "id", None), str)]


async def _listed(url: str, key: Key) -> "list[Model]":
    import openai

    http = openai.DefaultAsyncHttpxClient(timeout=_PATIENCE, follow_redirects=False, trust_env=not on_loopback(url))
    async with openai.AsyncOpenAI(api_key=key.value, base_url=url, max_retries=0, http_client=http) as client:
        async with asyncio.timeout(_PATIENCE):
            return (await client.models.list()).data
