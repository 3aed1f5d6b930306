"""Reading of the JSON that a language model was asked for, as far as it goes."""

import json
import re
from typing import Any


def number_of(value: Any) -> int | None:
    """A handle or a line number as a model may write it: 3, "3", "[3]", "paper 3"; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and (match := re.fullmatch(r"\D{0,12}(\d{1,4})\D{0,3}", value)):
        return int(match[1])
    return None


def parse_json(text: str) -> Any:
    """The first JSON object or list in a text, None if there is none: models put prose and fences around it."""
    decoder = json.JSONDecoder()
    for match in list(re.finditer(r"[\[{]", text[:200_000]))[:50]:
        try:
            value, _ = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict | list):
            return value
    return None
