"""Fields of one line of JSON, checked: what is wrong with it is said with the file and the number of the line."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from citeplug.errors import UnreadableInput
from citeplug.files.json_lines import read_json


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name[:80]!r} is there twice")
        found[name] = value
    return found


def parse_line(text: bytes, where: str) -> "Row":
    """Return the object of a line.

    Raises UnreadableInput for what is none, for NaN and infinite numbers, and for a name twice in an object.
    """
    try:
        value = read_json(text, _once)
    except ValueError as error:
        raise UnreadableInput(f"{where} is not JSON: {error}", "write one JSON object a line") from error
    if not isinstance(value, dict):
        raise UnreadableInput(f"{where} is not a JSON object", "write one JSON object a line")
    return Row(value, where)


@dataclass(frozen=True, slots=True)
class Row:
    """An object of a line, or within one; `where` names it in messages. Every method raises UnreadableInput."""

    values: dict[str, Any]
    where: str

    def wrong(self, name: str, should: str) -> UnreadableInput:
        return UnreadableInput(f"{self.where}: {name} is not {should}", "see docs/evaluation.md for the form")

    def string(self, name: str) -> str:
        """Return the text of a field, empty where it is absent or null."""
        value = self.values.get(name)
        if not isinstance(value, str | None):
            raise self.wrong(name, "a string")
        return value or ""

    def flag(self, name: str) -> bool | None:
        value = self.values.get(name)
        if not isinstance(value, bool | None):
            raise self.wrong(name, "true or false")
        return value

    def number(self, name: str) -> float | None:
        """Return the finite number of a field."""
        value = self.values.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
            raise self.wrong(name, "a finite number")
        return float(value)

    def items(self, name: str) -> Sequence[Any]:
        value = self.values.get(name)
        if not isinstance(value, list | None):
            raise self.wrong(name, "a list")
        return value or []

    def strings(self, name: str) -> tuple[str, ...]:
        values = self.items(name)
        if not all(isinstance(each, str) for each in values):
            raise self.wrong(name, "a list of strings")
        return tuple(values)

    def rows(self, name: str) -> list["Row"]:
        """Return the objects of a list."""
        values = self.items(name)
        if not all(isinstance(each, dict) for each in values):
            raise self.wrong(name, "a list of objects")
        return [Row(each, f"{self.where}, {name} {number}") for number, each in enumerate(values, 1)]

    def row(self, name: str) -> "Row":
        """Return the object of a field, empty where it is absent or null."""
        value = self.values.get(name)
        if not isinstance(value, dict | None):
            raise self.wrong(name, "an object")
        return Row(value or {}, f"{self.where}, {name}")

    def texts(self, name: str) -> dict[str, str]:
        values = self.row(name).values
        if not all(isinstance(each, str) for each in values.values()):
            raise self.wrong(name, "an object of strings")
        return values

    def one_of(self, name: str, allowed: Sequence[str]) -> str:
        value = self.string(name)
        if value not in allowed:
            raise self.wrong(name, f"one of {', '.join(allowed)}")
        return value
