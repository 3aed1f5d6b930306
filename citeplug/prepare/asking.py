"""Requests to a model whose answers must be readable JSON: one that is not is asked for once more."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from citeplug.errors import CiteplugError
from citeplug.protocols import LanguageModel, ask_all
from citeplug.records.dialogue import Reply, Request
from citeplug.records.finding import Finding
from citeplug.text.cleaning import plain
from citeplug.text.json_text import parse_json

T = TypeVar("T")
AT_ONCE = 4  # requests
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
_LONGEST = 3_000  # characters of what is read of one value


def ask_readable(
    model: LanguageModel, requests: Sequence[Request], read: Callable[[int, dict[str, Any], Reply], T | None]
) -> list[T | CiteplugError | None]:
    """What `read` makes of each request's answer, given its number from 0, the JSON object in it, and all of it.

    In the place of one stands an error, or None where there is no object or `read` returns None. An unreadable answer
    of an earlier run may be cached: without asking again, a second run would get the same. Raises Cancelled.
    """

    def result(number: int, reply: Reply | CiteplugError) -> T | CiteplugError | None:
        if not isinstance(reply, Reply):
            return reply
        data = reply.data if reply.data is not None else parse_json(reply.text)
        return read(number, data, reply) if isinstance(data, dict) else None

    results = [result(number, reply) for number, reply in enumerate(ask_all(model, requests))]
    again = [number for number, readable in enumerate(results) if readable is None]
    for number, reply in zip(again, ask_all(model, [requests[number] for number in again]), strict=True):
        results[number] = result(number, reply)
    return results


def text_of(value: Any) -> str:
    """A string in an answer as plain text; empty for anything else."""
    return plain(value[:_LONGEST]) if isinstance(value, str) else ""


def items_of(value: Any, most: int) -> list[Any]:
    """The first items of a list in an answer; none for anything else."""
    return value[:most] if isinstance(value, list) else []


def unreadable(message: str) -> Finding:
    """The finding on answers that could not be read."""
    fix = "run the same command again, or choose another model"
    return Finding("answer_unreadable", "warning", message, fix=fix)
