"""The chat-completions protocol, by OpenAI's client: OpenAI itself, and the servers that speak it on one's own machine.

Ollama, llama.cpp, vLLM and LM Studio each understand a part of it; what one refuses is left out from then on.
The models of such a server are listed, so that the only one need not be named.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING, Any, ClassVar

from citeplug.errors import ModelUnavailable
from citeplug.llm.api_keys import VARIABLES, Key
from citeplug.llm.completion import Completion, NoUse, Size, TryAgain, instruction, most_tokens
from citeplug.llm.failures import error_event, is_of_context, no_room, refusal, words_of
from citeplug.llm.known_models import FREE, KNOWN, THINKING_TOKENS, Price, Usage
from citeplug.llm.provider import Provider
from citeplug.llm.streaming import StreamedAnswer
from citeplug.records.dialogue import Request
from citeplug.settings.environment import OPENAI_URL
from citeplug.settings.hosts import on_loopback, shown
from citeplug.text.cleaning import encodable

if TYPE_CHECKING:
    from openai.types import Model

_LISTING = 10.0  # seconds, for the whole list: time-outs of sockets hold between two bytes


class OpenAIProvider(Provider):
    """OpenAI, or a server that speaks its protocol. Raises ModelUnavailable if its client is not installed."""

    name = "openai"
    parts: ClassVar = {
        "format": ("response_format", "json_schema", "json schema", "grammar", "structured output", "guided"),
        "system": ("system role", "system message", "roles must alternate"),
        "usage": ("stream_options",),
        "temperature": ("temperature",),
        "effort": ("reasoning_effort", "reasoning effort", "does not support thinking"),
    }
    overhead = 500  # and those of a chat template
    silence = wordless = 180.0

    def __init__(self, url: str, key: Key) -> None:
        need_client()
        super().__init__(url, key)
        self._official = url == OPENAI_URL
        self._thinkers: set[str] = set()
        self._under_way = 0
        self._crowded = False  # a context turned out to be full that requests may share
        self._alone = asyncio.Lock()

    def prices(self, model: str) -> tuple[Price, ...]:
        if self._here:
            return (FREE,)
        return KNOWN[model].prices if model in KNOWN and self._official else ()

    def room(self, model: str, request: Request) -> int:
        """With room for thinking once a model of another server was seen to think."""
        return request.max_tokens + (THINKING_TOKENS if self._official or model in self._thinkers else 0)

    async def ask(self, model: str, request: Request, size: Size, on_text: Callable[[str], None]) -> Completion:
        async with self._alone if self._crowded else nullcontext():
            self._under_way += 1
            try:
                return await super().ask(model, request, size, on_text)
            finally:
                self._under_way -= 1

    def sdk(self) -> Any:
        import openai

        return openai

    def new_answer(self, size: Size) -> StreamedAnswer:
        return _ChatAnswer(size, alone=self._crowded and self._under_way == 1)

    async def stream(self, model: str, request: Request, room: int) -> AbstractAsyncContextManager[Any]:
        create = self.client().chat.completions.create
        stream: AbstractAsyncContextManager[Any] = await create(**self._body(model, request, room))
        return stream

    def new_client(self) -> Any:
        return self.sdk().AsyncOpenAI(**self.options(api_key=self._key.value))

    def _body(self, model: str, request: Request, room: int) -> dict[str, Any]:
        body: dict[str, Any] = {"model": model, "messages": self._messages(model, request), "stream": True}
        if not self.lacks(model, "usage"):
            body["stream_options"] = {"include_usage": True}
        if self._official:
            body |= {"max_completion_tokens": room, "store": False}
        else:
            # The old name is the one that every server knows.
            body["max_tokens"] = room
        if self._here and not self.lacks(model, "temperature"):
            # Small models wander; hosted ones that think first refuse the setting.
            body["temperature"] = 0
        if model in self._thinkers and not self.lacks(model, "effort"):
            body["reasoning_effort"] = "none"
        if request.schema is not None and not self.lacks(model, "format"):
            # Each schema of citeplug is one that strict mode takes: objects are closed, properties required.
            schema = {"name": "answer", "strict": True, "schema": dict(request.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    def _messages(self, model: str, request: Request) -> list[dict[str, str]]:
        """One message of each role: many chat templates want them to alternate."""
        prompt = "\n\n".join(text for text in (request.shared, request.prompt) if text)
        # Other servers take no notice of a schema, without a word.
        if request.schema is not None and (not self._official or self.lacks(model, "format")):
            prompt += instruction(request.schema)
        if self.lacks(model, "system"):
            return [{"role": "user", "content": encodable(f"{request.system}\n\n{prompt}".strip())}]
        system = [{"role": "system", "content": encodable(request.system)}] if request.system else []
        return [*system, {"role": "user", "content": encodable(prompt)}]

    def completed(self, answer: StreamedAnswer, model: str) -> Completion:
        completion = answer.completion()
        cut = completion.stop == "max_tokens" and not answer.endless
        if cut and answer.thought and model not in self._thinkers and not self._official:
            self._thinkers.add(model)
            raise TryAgain("its thinking left no room for the answer", wait=0.0, usage=completion.usage)
        return completion

    def refused(self, error: Any, model: str, answer: StreamedAnswer, sent_without: frozenset[str]) -> TryAgain | NoUse:
        status, words = error.status_code, words_of(_message(error), self._key.value)
        if full := self._full(words, answer, for_itself=status < 500):
            return full
        if status in (400, 422, 500, 501) and (learnt := self.learn(model, words, sent_without)):
            return learnt
        kind = error.code if error.code == "insufficient_quota" else error.type
        variable = VARIABLES["openai"][0]
        return refusal(status, kind, words, error.response.headers, variable=variable, model=model)

    def broken_off(self, error: Any, answer: StreamedAnswer) -> TryAgain | NoUse:
        """The failure for an error in the midst of a stream; llama.cpp puts a status there, as a number."""
        words = words_of(error.message, self._key.value)
        names = [name for name in (error.code, error.type) if isinstance(name, str) and not name.isdecimal()]
        full = self._full(words, answer, for_itself="exceed_context_size_error" in names)
        return full or error_event(names[0] if names else None, words, answer.most())

    def _full(self, words: str, answer: StreamedAnswer, *, for_itself: bool) -> TryAgain | NoUse | None:
        """The failure if the words are of a full context; asking again is in vain only if it was full `for_itself`."""
        if not is_of_context(words):
            return None
        if for_itself or (isinstance(answer, _ChatAnswer) and answer.alone):
            return no_room(words, here=self._here)
        self._crowded = True
        return TryAgain("its context is too small for so many requests at once", wait=0.0)


class _ChatAnswer(StreamedAnswer):
    """An answer of the chat-completions protocol. `alone` is whether no other request was under way by intention."""

    stops: ClassVar = {"length": "max_tokens", "content_filter": "refusal", "refusal": "refusal"}

    def __init__(self, size: Size, *, alone: bool) -> None:
        super().__init__(size)
        self.alone = alone
        self._bytes = 0
        self._refused = False
        self._usage: Any = None

    def take(self, event: Any, on_text: Callable[[str], None]) -> None:
        self._usage = getattr(event, "usage", None) or self._usage
        choices = getattr(event, "choices", None)
        if not isinstance(choices, list) or not choices:
            return
        self.begun = True
        delta = getattr(choices[0], "delta", None)
        refused = getattr(delta, "refusal", None)
        thoughts = getattr(delta, "reasoning_content", None), getattr(delta, "reasoning", None)
        self.thought = self.thought or any(isinstance(piece, str) and piece for piece in thoughts)
        self._refused = self._refused or bool(refused)
        self.say(getattr(delta, "content", None), on_text)
        for piece in (refused, *thoughts):
            self.hear(piece)
        self.stop = getattr(choices[0], "finish_reason", None) or self.stop
        if self.stop is not None and self._refused:
            self.stop = "refusal"

    def hear(self, piece: Any) -> None:
        self._bytes += most_tokens(piece) if isinstance(piece, str) else 0
        super().hear(piece)

    def usage(self) -> Usage:
        """The tokens, as counted by the server; else the most that the answer took."""
        tokens_in, tokens_out = (getattr(self._usage, name, None) for name in ("prompt_tokens", "completion_tokens"))
        if not isinstance(tokens_in, int) or not isinstance(tokens_out, int) or tokens_in < 0 or tokens_out < 0:
            return Usage(self.size.tokens_in, min(self._bytes, self.size.tokens_out))
        details = getattr(self._usage, "prompt_tokens_details", None)
        cached, stored = (getattr(details, name, None) for name in ("cached_tokens", "cache_write_tokens"))
        cached = min(cached, tokens_in) if isinstance(cached, int) and cached > 0 else 0
        stored = min(stored, tokens_in - cached) if isinstance(stored, int) and stored > 0 else 0
        return Usage(tokens_in, tokens_out, cached, stored)


def need_client() -> None:
    """Raises ModelUnavailable if OpenAI's client, which is an extra, is not installed."""
    try:
        import openai  # noqa: F401
    except ImportError as error:
        raise ModelUnavailable(
            "the client for OpenAI's protocol is not installed", "install it with: pip install 'citeplug[openai]'"
        ) from error


def _message(error: Any) -> object:
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

    async def models() -> "list[Model]":
        http = openai.DefaultAsyncHttpxClient(timeout=_LISTING, follow_redirects=False, trust_env=not on_loopback(url))
        async with openai.AsyncOpenAI(api_key=key.value, base_url=url, max_retries=0, http_client=http) as client:
            async with asyncio.timeout(_LISTING):
                return (await client.models.list()).data

    try:
        listed = asyncio.run(models())
    except (openai.OpenAIError, TimeoutError, ValueError, TypeError, AttributeError):
        raise ModelUnavailable(
            f"the server at {shown(url)} does not list its models",
            "check that it is running, and name a model with --model",
        ) from None
    return [model.id for model in listed or () if isinstance(getattr(model, "id", None), str)]
