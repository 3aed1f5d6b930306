"""A service, asked by the client that it publishes: one request, once, for its answer or the reason why there is none.

Both clients are generated from one template, so that their errors, streams and options have the same names.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, ClassVar

from citeplug.llm.api_keys import Key
from citeplug.llm.completion import Completion, NoUse, Size, TryAgain, most_tokens
from citeplug.llm.failures import connection_failure, cut_off, in_vain
from citeplug.llm.known_models import Price
from citeplug.llm.streaming import StreamedAnswer, time_limit
from citeplug.records.dialogue import Request
from citeplug.settings.hosts import on_loopback, shown

# Seconds; a server on this machine reads the whole prompt before it says anything.
_CONNECT, SILENCE_HERE = 10.0, 900.0


class Provider(ABC):
    """The service at `url`, or a server on this machine that speaks its protocol, asked with `key`.

    Its methods run in one event loop; what they raise is TryAgain or NoUse. `name` is as in `--llm`; `parts` is what
    servers say, in lower case, when they do not know a part of the protocol, by the part; `overhead` are tokens that
    the service adds for itself; `silence` and `wordless` are seconds without a byte, and without a word.
    """

    name: ClassVar[str]
    parts: ClassVar[Mapping[str, Sequence[str]]]
    overhead: ClassVar[int]
    silence: ClassVar[float]
    wordless: ClassVar[float]

    def __init__(self, url: str, key: Key) -> None:
        self._url = url
        self._key = key
        self._here = on_loopback(url)
        self._client: Any = None
        self._lacks: set[tuple[str, str]] = set()

    @property
    def place(self) -> str:
        """The URL to which requests go, without credentials."""
        return shown(self._url)

    @abstractmethod
    def prices(self, model: str) -> tuple[Price, ...]:
        """Prices of the model, free on this machine; empty if they are not known."""

    @abstractmethod
    def room(self, model: str, request: Request) -> int:
        """Tokens that the answer may take, thinking included."""

    def size(self, model: str, request: Request) -> Size:
        """The most that it can take: never less than what the provider will count."""
        text = request.system + request.shared + request.prompt
        # Twice for the schema: as such, and as an instruction.
        schema = 2 * most_tokens(json.dumps(request.schema)) if request.schema else 0
        return Size(most_tokens(text) + schema + self.overhead, self.room(model, request))

    def form(self, model: str, request: Request) -> str:
        """All that decides the answer, for the cache's key: model, text, schema and settings."""
        parts = (model, request.system, request.shared, request.prompt, request.schema, request.max_tokens)
        return json.dumps([self.name, *parts, *self.settings(model, request)], sort_keys=True)

    def settings(self, model: str, request: Request) -> Sequence[Any]:
        """Further settings that decide the answer."""
        return ()

    async def count(self, model: str, request: Request) -> int | None:
        """Tokens of the request as the provider counts them, None if it does not tell."""
        return None

    async def ask(self, model: str, request: Request, size: Size, on_text: Callable[[str], None]) -> Completion:
        """Send it once, for an answer within `size`; `on_text` is given the text as it comes."""
        import httpx2

        sdk = self.sdk()
        answer = self.new_answer(size)
        sent_without = self.lacking(model)
        self.client()  # takes a while for the first time, which is no silence of the service
        try:
            await self._hear(model, request, answer, on_text)
        except sdk.APIStatusError as error:
            raise self.refused(error, model, answer, sent_without) from None
        except (httpx2.TimeoutException, sdk.APIConnectionError) as error:
            raise connection_failure(error, self.place, answer.most(), here=self._here) from None
        except sdk.APIError as error:
            raise self.broken_off(error, answer) from None
        except TimeoutError:
            raise in_vain(answer.most(), here=self._here) from None
        except (httpx2.TransportError, httpx2.StreamError, ValueError):
            raise cut_off(answer.most()) from None
        return self.completed(answer, model)

    async def _hear(self, model: str, request: Request, answer: StreamedAnswer, on_text: Callable[[str], None]) -> None:
        """Take in the stream. Raises TimeoutError on silence, which signs of life without words do not end."""
        silence = SILENCE_HERE if self._here else self.wordless
        async with (
            time_limit(answer, silence, here=self._here) as go_on,
            await self.stream(model, request, answer.size.tokens_out) as events,
        ):
            async for event in events:
                answer.take(event, on_text)
                go_on()
                if answer.endless:
                    return

    def client(self) -> Any:
        if self._client is None:
            self._client = self.new_client()
        return self._client

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    @abstractmethod
    def sdk(self) -> Any:
        """The module of the client."""

    @abstractmethod
    def new_client(self) -> Any: ...

    @abstractmethod
    def new_answer(self, size: Size) -> StreamedAnswer: ...

    @abstractmethod
    async def stream(self, model: str, request: Request, room: int) -> AbstractAsyncContextManager[Any]:
        """Send a request, and return its stream of events."""

    @abstractmethod
    def refused(self, error: Any, model: str, answer: StreamedAnswer, sent_without: frozenset[str]) -> TryAgain | NoUse:
        """The failure for an HTTP status that is no answer."""

    def completed(self, answer: StreamedAnswer, model: str) -> Completion:
        """The answer at the end of its stream."""
        return answer.completion()

    def broken_off(self, error: Any, answer: StreamedAnswer) -> TryAgain | NoUse:
        """The failure for an error in the midst of a stream."""
        return cut_off(answer.most())

    def options(self, **more: Any) -> dict[str, Any]:
        """Options of the client."""
        import httpx2

        timeout = httpx2.Timeout(SILENCE_HERE if self._here else self.silence, connect=_CONNECT)
        http = self.sdk().DefaultAsyncHttpxClient(
            timeout=timeout,
            # A redirect would carry the draft to another host.
            follow_redirects=False,
            # No proxy for a server on this machine.
            trust_env=not self._here,
        )
        # Tries are counted, paid for and spaced out elsewhere.
        return {"base_url": self._url, "max_retries": 0, "http_client": http, **more}

    def lacks(self, model: str, part: str) -> bool:
        """True if a model turned out not to know a part of the protocol."""
        return (model, part) in self._lacks

    def lacking(self, model: str) -> frozenset[str]:
        return frozenset(part for part in self.parts if self.lacks(model, part))

    def learn(self, model: str, words: str, sent_without: frozenset[str]) -> TryAgain | None:
        """The failure if a refusal is about a part that was sent; from then on the model lacks it."""
        for part, signs in self.parts.items():
            if part not in sent_without and any(sign in words.lower() for sign in signs):
                self._lacks.add((model, part))
                return TryAgain(f"it does not accept {part}", wait=0.0)
        return None
