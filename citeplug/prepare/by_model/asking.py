"""Requests to a model whose answers must be readable: one that is not is asked for once more."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from citeplug.errors import CiteplugError
from citeplug.protocols import LanguageModel, ask_all
from citeplug.records.dialogue import Reply, Request

T = TypeVar("T")
AT_ONCE = 4  # requests


def ask_readable(
    model: LanguageModel, requests: Sequence[Request], read: Callable[[int, Reply], T | None]
) -> list[T | CiteplugError | None]:
    """What `read` makes of each request's answer, given its number from 0; an error, or None for what cannot be read.

    An unreadable answer of an earlier run may be kept: without asking again, a second run would get the same.
    Raises Cancelled.
    """
    replies = ask_all(model, requests)
    found = [_read(number, reply, read) for number, reply in enumerate(replies)]
    again = [number for number, each in enumerate(found) if each is None]
    for number, reply in zip(again, ask_all(model, [requests[number] for number in again]), strict=True):
        found[number] = _read(number, reply, read)
    return found


def _read(
    number: int, reply: Reply | CiteplugError, read: Callable[[int, Reply], T | None]
) -> T | CiteplugError | None:
    return read(number, reply) if isinstance(reply, Reply) else reply
