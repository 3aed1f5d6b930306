"""Reading JSON out of what a model said, and telling whether it fits what was asked for."""

import json
from collections.abc import Mapping
from typing import Any

_STARTS = 200  # places at which a value may begin; a million brackets must not take a minute
_LONGEST = 1_000_000  # characters


def read_answer(text: str, schema: Mapping[str, Any] | None) -> Any:
    """The first JSON value in `text` that fits `schema`, None if there is none or no schema.

    Models put prose around it, or a fence of Markdown; what comes after the value is passed over.
    """
    if schema is None:
        return None
    validator = _validator(schema)
    decoder = json.JSONDecoder(strict=False, parse_constant=_no_constant)
    text = text[:_LONGEST]
    position, tried = 0, 0
    while tried < _STARTS and (position := _next_start(text, position)) >= 0:
        tried += 1
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            position += 1
            continue
        if validator.is_valid(value):
            return value
        # A part of a value that does not fit is no answer either.
        position = end
    return None


def instruction(schema: Mapping[str, Any]) -> str:
    """Instruction in words to answer by this schema, for servers that take no schema."""
    return (
        "\n\nAnswer with one JSON value that fits this JSON schema, and with nothing else:\n"
        f"{json.dumps(schema, ensure_ascii=False)}\n"
    )


def _next_start(text: str, position: int) -> int:
    found = [at for at in (text.find("{", position), text.find("[", position)) if at >= 0]
    return min(found, default=-1)


def _no_constant(name: str) -> Any:
    """NaN and the infinities are no JSON, and no probability either."""
    raise ValueError(name)


def _validator(schema: Mapping[str, Any]) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema)
