"""The chat-completions protocol, by OpenAI's client: OpenAI itself, and the servers that speak it on one's own machine.

Ollama, llama.cpp, vLLM and LM Studio each understand a part of it; what one refuses is left out from then on.
"""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from citeplug.adapters.language.answers import instruction
from citeplug.adapters.language.client import Lacks, connection
from citeplug.adapters.language.failures import connection_failure, cut_off, error_event, refusal, words_of
from citeplug.adapters.language.hosts import on_loopback, shown
from citeplug.adapters.language.keys import VARIABLES, Key
from citeplug.adapters.language.known import FREE, KNOWN, THINKING_TOKENS, Price, Usage
from citeplug.adapters.language.provider import AskAgain, NoUse, Said, Size, most_tokens, sendable
from citeplug.errors import ModelUnavailable
from citeplug.records.dialogue import Request
from citeplug.settings import OPENAI_URL

if TYPE_CHECKING:
    import openai

_OVERHEAD = 500  # tokens of a chat template, and of what the service adds for itself
_STOPS = {"length": "max_tokens", "content_filter": "refusal"}
_SILENCE = 180.0  # seconds
# What servers say when they do not know a part of the protocol, by the part.
_SIGNS = {
    "format": ("response_format", "json_schema", "grammar", "structured output", "guided"),
    "system": ("system role", "system message", "roles must alternate"),
    "usage": ("stream_options",),
    "temperature": ("temperature",),
}


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
        return Size(most_tokens(text) + schema + _OVERHEAD, self._room(request))

    def form(self, model: str, request: Request) -> str:
        parts = (model, request.system, request.shared, request.prompt, request.schema, request.max_tokens)
        return json.dumps([self.name, *parts], sort_keys=True)

    async def count(self, model: str, request: Request) -> int | None:
        return None

    async def ask(self, model: str, request: Request, on_text: Callable[[str], None]) -> Said:
        import httpx2
        import openai

        so_far = _SoFar(self.size(model, request))
        sent_without = self._without.of(model)
        try:
            create = cast(Any, self._open().chat.completions.create)
            async with await create(**self._body(model, request)) as stream:
                async for chunk in stream:
                    so_far.take(chunk, on_text)
        except openai.APIStatusError as error:
            raise self._refusal(error, model, sent_without) from None
        except openai.APIConnectionError as error:
            raise connection_failure(error, self.place, so_far.most(), here=self._here) from None
        except openai.APIError as error:
            words = words_of(error.message, self._key.value)
            raise error_event(error.code or error.type, words, so_far.most()) from None
        except (httpx2.TransportError, httpx2.StreamError, ValueError):
            raise cut_off(so_far.most()) from None
        return so_far.said()

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

    def _body(self, model: str, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {"model": model, "messages": self._messages(model, request), "stream": True}
        if (model, "usage") not in self._without:
            body["stream_options"] = {"include_usage": True}
        if self._official:
            body |= {"max_completion_tokens": self._room(request), "store": False}
        else:
            # The old name is the one that every server knows.
            body["max_tokens"] = self._room(request)
        if self._here and (model, "temperature") not in self._without:
            # Small models wander; hosted ones that think first refuse the setting.
            body["temperature"] = 0
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
            return [{"role": "user", "content": sendable(f"{request.system}\n\n{prompt}".strip())}]
        system = [{"role": "system", "content": sendable(request.system)}] if request.system else []
        return [*system, {"role": "user", "content": sendable(prompt)}]

    def _room(self, request: Request) -> int:
        """What the answer may take, thinking included; a server on this machine is given no more than was asked."""
        return request.max_tokens + (THINKING_TOKENS if self._official else 0)

    def _refusal(self, error: "openai.APIStatusError", model: str, sent_without: frozenset[str]) -> AskAgain | NoUse:
        words = words_of(_message(error), self._key.value)
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


def need_client() -> None:
    """Raises ModelUnavailable if OpenAI's client, which is an extra, is not installed."""
    try:
        import openai  # noqa: F401
    except ImportError as error:
        raise ModelUnavailable(
            "the client for OpenAI's protocol is not installed", "install it with: pip install 'citeplug[openai]'"
        ) from error


def is_strict(schema: Mapping[str, Any]) -> bool:
    """Whether OpenAI's strict mode takes this schema: every object closed, every property required."""
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


class _SoFar:
    """An answer as it comes, chunk by chunk. Nothing is taken on trust: a server may send anything."""

    def __init__(self, size: Size) -> None:
        self.begun = False
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
        for piece in (text, refused, getattr(delta, "reasoning_content", None), getattr(delta, "reasoning", None)):
            self._bytes += most_tokens(piece) if isinstance(piece, str) else 0
        self._refused = self._refused or bool(refused)
        if isinstance(text, str) and text:
            self._texts.append(text)
            on_text(text)
        self._stop = getattr(choices[0], "finish_reason", None) or self._stop

    def said(self) -> Said:
        """Raises AskAgain if the end is missing: a stream may be closed as if all of it had been sent."""
        if not self.begun:
            raise AskAgain("it answered with something else than a message", tries=2)
        if self._stop is None:
            raise cut_off(self.most())
        stop = "refusal" if self._refused else _STOPS.get(self._stop, "end")
        return Said("".join(self._texts), cast(Any, stop), self._counted() or self._seen())

    def most(self) -> Usage:
        """The most that a lost answer can be charged with: more of it was written than ever arrived."""
        return Usage(self._size.tokens_in, self._size.tokens_out)

    def _seen(self) -> Usage:
        """What an answer took at the most whose tokens were not told."""
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
