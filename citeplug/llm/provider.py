"""Protocol of a provider's adapter: send one request, once, and return its answer or raise why there is none."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

from citeplug.llm.known_models import Price, Usage
from citeplug.records.dialogue import Request

# Seconds that a provider may ask to wait; beyond it, the run goes on without a model.
LONGEST_WAIT = 120.0
LATER = "try again later, or run with --llm none"


@dataclass(frozen=True, slots=True)
class Said:
    """One complete answer."""

    text: str
    stop: Literal["end", "max_tokens", "refusal"]
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Size:
    """The most that a request can cost in tokens, its answer included."""

    tokens_in: int
    tokens_out: int

    @property
    def total(self) -> int:
        return self.tokens_in + self.tokens_out


class AskAgain(Exception):
    """This was no answer; another try may bring one.

    `wait` is what the provider asked for, in seconds. `tries` bounds the tries. `usage` is what the failed try may
    be charged at the most.
    """

    def __init__(self, reason: str, *, wait: float | None = None, tries: int = 100, usage: Usage | None = None) -> None:
        super().__init__(reason)
        self.wait = wait
        self.tries = tries
        self.usage = usage or Usage()


class NoUse(Exception):
    """The provider will not answer this, however often it is asked; `everything` if it will not answer anything."""

    def __init__(self, reason: str, hint: str, *, everything: bool = False) -> None:
        super().__init__(reason)
        self.hint = hint
        self.everything = everything


class Provider(Protocol):
    """One service. Its methods run in one event loop; what they raise is AskAgain or NoUse."""

    @property
    def name(self) -> str:
        """As in `--llm`."""
        ...

    @property
    def place(self) -> str:
        """The URL to which requests go, without credentials."""
        ...

    def prices(self, model: str) -> tuple[Price, ...]:
        """Prices of the model, free on this machine; empty if they are not known."""
        ...

    def size(self, model: str, request: Request) -> Size:
        """The most that it can take: never less than what the provider will count."""
        ...

    def form(self, model: str, request: Request) -> str:
        """All that decides the answer, for the cache's key: model, text, schema and settings."""
        ...

    async def count(self, model: str, request: Request) -> int | None:
        """Tokens of the request as the provider counts them, None if it does not tell."""
        ...

    async def ask(self, model: str, request: Request, size: Size, on_text: Callable[[str], None]) -> Said:
        """Send it once, for an answer within `size`; `on_text` is given the text as it comes."""
        ...

    async def close(self) -> None: ...


def rough_tokens(text: str) -> int:
    """An estimate for a reader: between three and four bytes make a token in English and in LaTeX."""
    return len(text.encode("utf-8", "replace")) * 2 // 7 + 1


def most_tokens(text: str) -> int:
    """No tokeniser in use makes more tokens than there are bytes."""
    return len(text.encode("utf-8", "replace"))
