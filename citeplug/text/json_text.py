"""The JSON that a language model is asked for, and the reading of its reply, as far as it goes."""

import json
import re
from collections.abc import Container, Iterator, Mapping
from typing import Any

from citeplug.records.dialogue import Reply

_BRACKET = re.compile(r"[\[{]")
_STARTS = 200  # places at which a value may begin; a million brackets must not take a minute
_LONGEST = 1_000_000  # characters


def object_of(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """The JSON schema of an object that has these properties and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def list_of(items: Mapping[str, Any]) -> Mapping[str, Any]:
    """The JSON schema of a list."""
    return {"type": "array", "items": items}


def replied(reply: Reply) -> Any:
    """The JSON of a reply; None if there is none."""
    return reply.data if reply.data is not None else parse_json(reply.text)


def replied_object(reply: Reply) -> Mapping[str, Any]:
    """The object of a reply; empty where it is none."""
    data = replied(reply)
    return data if isinstance(data, dict) else {}


def replied_list(reply: Reply, name: str) -> list[Any]:
    """The list that a reply has under a name, or that it is; empty where it is none."""
    data = replied(reply)
    items = data.get(name) if isinstance(data, dict) else data
    return items if isinstance(items, list) else []


def number_of(value: Any) -> int | None:
    """A handle or a line number as a model may write it: 3, "3", "[3]", "paper 3"; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and (match := re.fullmatch(r"\D{0,12}(\d{1,4})\D{0,3}", value)):
        return int(match[1])
    return None


def numbered_items(items: Any, name: str, numbers: Container[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a list in a reply that have one of `numbers` under a name, with it; none where it is no list."""
    for item in items if isinstance(items, list) else []:
        number = number_of(item.get(name)) if isinstance(item, dict) else None
        if number is not None and number in numbers:
            yield number, item


def quotes_in(items: Any, name: str, most: int) -> tuple[tuple[int, str], ...]:
    """Pairs of the number under a name, and its quotation, in a list of a reply."""
    quoted = numbered_items(items, name, range(10_000))
    return tuple((number, item["quote"]) for number, item in quoted if isinstance(item.get("quote"), str))[:most]


def parse_json(text: str) -> Any:
    """The first JSON object or list in a text, None if there is none: models put prose and fences around it."""
    return next(json_values(text), None)


def json_values(text: str) -> Iterator[Any]:
    """The JSON objects and lists in a text, without those within others."""
    decoder = json.JSONDecoder(strict=False, parse_constant=_no_constant)
    text, position = text[:_LONGEST], 0
    for _ in range(_STARTS):
        start = _BRACKET.search(text, position)
        if start is None:
            return
        try:
            value, position = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            position = start.end()
            continue
        yield value


def _no_constant(name: str) -> Any:
    """NaN and the infinities are no JSON, and no probability either."""
    raise ValueError(name)
