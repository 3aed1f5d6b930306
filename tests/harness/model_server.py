"""What the loopback servers of language models share: a script of answers, faults, and the log of what was asked.

    with AnthropicServer(lambda request: {"sentences": []}).serve() as server:
        ... run citeplug with server.environment() ...
        assert server.requests[0].body["model"] == "claude-..."

A script is given the request as citeplug made it (stage apart, which is not sent) and returns the answer: text, a
JSON value, an `Answer`, or a `Fault`. `ScriptedModel.script` and the like fit after `read_prompt`.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from citeplug.records.dialogue import Request
from tests.harness.loopback import Loopback, LoopbackHandler


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model says. Tokens are counted roughly where they are not given.

    `tokens_kept` of the input are declared as read from the provider's cache, `tokens_stored` as written to it.
    `thinking` comes before the text, `pause` is in seconds between two pieces of it.
    """

    text: str
    stop: Literal["end", "max_tokens", "refusal"] = "end"
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_kept: int = 0
    tokens_stored: int = 0
    thinking: str = ""
    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class Fault:
    """A reply that is none, or not all of one.

    With a `status`, that and `message` in the provider's own form, or `body` word for word. With `cut`, the right
    answer up to so many events of its stream: the connection is then dropped, or with `quiet` closed as if all had
    been sent, or an `error` event of that type is sent. `wait` is in seconds before anything is sent, `drip` between
    two bytes of `body`.
    """

    status: int = 200
    message: str = "it is broken"
    error: str | None = None
    body: bytes | None = None
    headers: tuple[tuple[str, str], ...] = ()
    wait: float = 0.0
    cut: int | None = None
    quiet: bool = False
    drip: float = 0.0

    @classmethod
    def http(cls, status: int, message: str = "it is broken", error: str | None = None) -> "Fault":
        return cls(status, message, error)

    @classmethod
    def too_many(cls, retry_after: str | None = None) -> "Fault":
        """429, with `Retry-After` in either of its forms."""
        headers = () if retry_after is None else (("Retry-After", retry_after),)
        return cls(429, "too many requests", "rate_limit_error", headers=headers)

    @classmethod
    def overloaded(cls) -> "Fault":
        return cls(529, "Overloaded", "overloaded_error")

    @classmethod
    def slow(cls, seconds: float) -> "Fault":
        return cls(wait=seconds)

    @classmethod
    def cut_off(cls, events: int = 3, *, quiet: bool = False) -> "Fault":
        return cls(cut=events, quiet=quiet)

    @classmethod
    def error_event(cls, error: str, events: int = 3, message: str = "it is broken") -> "Fault":
        """An error in the middle of a stream that began with status 200."""
        return cls(cut=events, error=error, message=message)

    @classmethod
    def page(cls, html: str = "<!DOCTYPE html><html><body>Log in to this network</body></html>") -> "Fault":
        """A web page with status 200, as captive portals send."""
        return cls(body=html.encode(), headers=(("Content-Type", "text/html"),))


Said = str | Answer | Fault | Mapping[str, Any] | list[Any]
Script = Callable[[Request], Said]


@dataclass(slots=True)
class Asked:
    """One request as it came. `at` and `done` are in seconds of `time.monotonic()`; `done` 0 means not yet."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at: float
    done: float = 0.0


class ModelServer(Loopback[Fault]):
    """`script` answers; `requests` is the log, `counts` that of requests to count tokens.

    `schemas` False stands for a server that takes no notice of a wish for structured output; "refuse" answers 400.
    """

    def __init__(self, script: Script | Said = "All is well.", *, schemas: bool | Literal["refuse"] = True) -> None:
        super().__init__()
        self.script: Script = script if callable(script) else lambda _: script
        self.schemas = schemas
        self.root = ""
        self.requests: list[Asked] = []
        self.counts: list[Asked] = []

    def environment(self, key: str = "test-key") -> dict[str, str]:
        """What makes citeplug ask this server."""
        raise NotImplementedError

    def respond(self, handler: "Handler", asked: Asked) -> None:
        """Answer one request. Each protocol has its own way."""
        raise NotImplementedError

    @contextmanager
    def serve(self) -> Iterator[Self]:
        """Listen on a free port of 127.0.0.1 while the block runs."""
        mine: ModelServer = self

        class Bound(Handler):
            server_of_models = mine

        with self.listening(Bound) as self.root:
            yield self

    def say(self, request: Request) -> tuple[Answer, Fault]:
        """The answer to a request, and what goes wrong with it."""
        fault = self.next_fault()
        if fault is not None and fault.status != 200:
            return Answer(""), fault
        said = self.script(request)
        if isinstance(said, Fault):
            return Answer("All is well, or would have been if all of this had been sent."), said
        if not isinstance(said, str | Answer):
            said = json.dumps(said)
        answer = Answer(said) if isinstance(said, str) else said
        sent = request.system + request.shared + request.prompt
        answer = replace(
            answer,
            tokens_in=rough_tokens(sent) if answer.tokens_in is None else answer.tokens_in,
            tokens_out=rough_tokens(answer.text + answer.thinking) if answer.tokens_out is None else answer.tokens_out,
        )
        return answer, fault or Fault()


class Handler(LoopbackHandler):
    server_of_models: ModelServer

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {}
        asked = Asked(self.command, self.path, headers, body, time.monotonic())
        server = self.server_of_models
        log = server.counts if self.path.endswith("/count_tokens") else server.requests
        log.append(asked)
        with server.counting() as counted:

            def answered() -> None:
                counted()
                asked.done = asked.done or time.monotonic()

            self.answered = answered
            server.respond(self, asked)
            answered()

    do_GET = do_POST  # noqa: N815

    def send_json(self, status: int, document: Any, headers: tuple[tuple[str, str], ...] = ()) -> None:
        self.send_body(status, json.dumps(document).encode(), (("Content-Type", "application/json"), *headers))

    def send_body(self, status: int, body: bytes, headers: tuple[tuple[str, str], ...], drip: float = 0.0) -> None:
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if drip:
            for at in range(len(body)):
                self.wfile.write(body[at : at + 1])
                self.server_of_models.pause(drip)
            return
        self.wfile.write(body[:-1])
        self.answered()
        self.wfile.write(body[-1:])

    def send_stream(self, events: list[bytes], answer: Answer, fault: Fault, last: bytes = b"") -> None:
        """Send events as they are made; `last` is what stands for an error in their midst."""
        self.send_response_only(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        sent = events if fault.cut is None else events[: fault.cut]
        for number, event in enumerate(sent, 1):
            if number == len(sent) and fault.error is None:
                self.answered()  # a client need not wait for the end behind the last event
            self._chunk(event)
            self.server_of_models.pause(answer.pause)
        if fault.cut is not None and not fault.quiet and fault.error is None:
            self.drop()
            return
        self.answered()
        if fault.error is not None:
            self._chunk(last)
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def rough_tokens(text: str) -> int:
    """About four characters a token, as a rule of thumb."""
    return max(1, len(text) // 4)


def pieces(text: str, size: int = 20) -> list[str]:
    """The pieces in which a text is streamed; an empty text is one empty piece."""
    return [text[at : at + size] for at in range(0, len(text), size)] or [""]
