"""What a provider returns for one request, or raises where there is none; sizes in tokens, and JSON in answers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from citeplug.llm.known_models import Usage
from citeplug.text.json_text import json_values

# Seconds that a provider may ask to wait; beyond it, the run goes on without a model.
LONGEST_WAIT = 120.0
LATER = "try again later, or run with --llm none"


@dataclass(frozen=True, slots=True)
class Completion:
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


class TryAgain(Exception):
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


def rough_tokens(text: str) -> int:
    """An estimate for a reader: between three and four bytes make a token in English and in LaTeX."""
    return most_tokens(text) * 2 // 7 + 1


def most_tokens(text: str) -> int:
    """No tokeniser in use makes more tokens than there are bytes."""
    return len(text.encode("utf-8", "replace"))


def read_answer(text: str, schema: Mapping[str, Any] | None) -> Any:
    """The first JSON value in `text` that fits `schema`, None if there is none or no schema.

    What comes after the value is passed over, and a part of a value that does not fit is no answer either.
    """
    if schema is None:
        return None
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(schema)
    return next((value for value in json_values(text) if validator.is_valid(value)), None)


def instruction(schema: Mapping[str, Any]) -> str:
    """Instruction in words to answer by this schema, for servers that take no schema."""
    return (
        "\n\nAnswer with one JSON value that fits this JSON schema, and with nothing else:\n"
        f"{json.dumps(schema, ensure_ascii=False)}\n"
    )
