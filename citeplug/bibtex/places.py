"""The places of the parts of an entry in the text of its file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citeplug.bibtex.syntax import read_blocks
from citeplug.bibtex.values import Field

Span = tuple[int, int]

_KIND = re.compile(r"@\s*([^\s{(]+)")


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
        """The range between the end of the value, or key, before a field and the field's name."""
        return (self.fields[number - 1].value[1] if number else self.key[1]), self.fields[number].start


def locate_entry(text: str, span: Span) -> EntryPlace | None:
    """The parts of the entry that covers `span`; None if BibTeX would stop in it."""
    start, end = span
    blocks = read_blocks(text[start:end])
    if len(blocks) != 1 or blocks[0].stumbles or not blocks[0].key or blocks[0].end != end - start:
        return None
    block = blocks[0]
    kind = _KIND.match(text, start)
    assert kind is not None
    key = start + block.key_at
    fields = tuple(_locate_field(text, start, field) for field in block.fields)
    return EntryPlace(start, kind.span(1), (key, key + len(blocks[0].key)), fields, end - 1)


def _locate_field(text: str, start: int, bib_field: Field) -> FieldPlace:
    name = text[start + bib_field.start : start + bib_field.start + len(bib_field.name)]
    parts = tuple((start + one, start + end) for one, end in bib_field.pieces)
    equals = text.index("=", start + bib_field.start + len(name))
    return FieldPlace(name, start + bib_field.start, equals, (parts[0][0], parts[-1][1]), parts)


def is_balanced(value: str) -> bool:
    """True if the braces of a value pair up as BibTeX counts them."""
    depths = [depth for _, depth in _depths(value)] or [0]
    return min(depths) >= 0 and depths[-1] == 0


def closes_a_quote(value: str) -> bool:
    """True if the value has a straight quote outside of braces, which would end it between quotes."""
    return any(letter == '"' and depth == 0 for letter, depth in _depths(value))


def _depths(value: str) -> Iterator[tuple[str, int]]:
    depth = 0
    for letter in value:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        yield letter, depth
