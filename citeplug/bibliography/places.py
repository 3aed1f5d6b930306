"""Where the parts of an entry stand in the text of its file, read as BibTeX reads it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citeplug.bibliography.delimiters import BRACES, after_brace, after_quote

Span = tuple[int, int]

_SPACE = re.compile(r"[ \t\r\n\f\v]*")
_HEAD = re.compile(r"@[ \t\r\n\f\v]*([A-Za-z]+)[ \t\r\n\f\v]*([{(])[ \t\r\n\f\v]*")
_KEY = re.compile(r"[^\s,{}]*")
_NAME = re.compile(r"[^\s\d\"#%'(),={}@][^\s\"#%'(),={}@]*")
_BARE = re.compile(r"\d+|[^\s\d\"#%'(),={}@][^\s\"#%'(),={}@]*")
_CLOSING = {"{": "}", "(": ")"}


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """One field: `name` as written, from `start`, its `=` at `equals`.

    `value` is the whole value without the white space around it, `parts` are its pieces between `#`, with
    their delimiters.
    """

    name: str
    start: int
    equals: int
    value: Span
    parts: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """One entry from its `@` at `start` to its closing delimiter at `close`; all are code points of the text."""

    start: int
    kind: Span
    key: Span
    fields: tuple[FieldPlace, ...]
    close: int

    def gap(self, number: int) -> Span:
        """What stands before the name of a field since the end of the value, or the key, before it."""
        return (self.fields[number - 1].value[1] if number else self.key[1]), self.fields[number].start


def locate_entry(text: str, start: int) -> EntryPlace | None:
    """The parts of the entry whose `@` is at `start`; None if BibTeX would stumble over it.

    As in BibTeX a backslash hides no brace.
    """
    head = _HEAD.match(text, start)
    if head is None:
        return None
    closing = _CLOSING[head[2]]
    key = _KEY.match(text, head.end())
    if key is None or not key[0]:
        return None
    fields: list[FieldPlace] = []
    position = _skip(text, key.end())
    while text.startswith(",", position):
        position = _skip(text, position + 1)
        if text.startswith(closing, position):
            break
        field = _locate_field(text, position)
        if field is None:
            return None
        fields.append(field)
        position = _skip(text, field.value[1])
    if not text.startswith(closing, position):
        return None
    return EntryPlace(start, head.span(1), key.span(), tuple(fields), position)


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _locate_field(text: str, start: int) -> FieldPlace | None:
    name = _NAME.match(text, start)
    if name is None:
        return None
    equals = _skip(text, name.end())
    if not text.startswith("=", equals):
        return None
    parts: list[Span] = []
    position = _skip(text, equals + 1)
    while True:
        end = _end_of_part(text, position)
        if end is None:
            return None
        parts.append((position, end))
        following = _skip(text, end)
        if not text.startswith("#", following):
            return FieldPlace(name[0], start, equals, (parts[0][0], end), tuple(parts))
        position = _skip(text, following + 1)


def _end_of_part(text: str, start: int) -> int | None:
    opening = text[start : start + 1]
    if opening == "{":
        return after_brace(text, start)
    if opening == '"':
        return after_quote(text, start)
    bare = _BARE.match(text, start)
    return bare.end() if bare else None


def is_balanced(value: str) -> bool:
    """Whether the braces of a value pair up as BibTeX counts them."""
    depth = 0
    for match in BRACES.finditer(value):
        depth += 1 if match[0] == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def closes_a_quote(value: str) -> bool:
    """Whether the value has a straight quote outside of braces, which would end it between quotes."""
    return any(letter == '"' and depth == 0 for letter, depth in _depths(value))


def _depths(value: str) -> Iterator[tuple[str, int]]:
    depth = 0
    for letter in value:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        yield letter, depth
