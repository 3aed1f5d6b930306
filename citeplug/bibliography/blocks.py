"""The blocks of a `.bib` file as BibTeX reads them, and the entries that they make."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from citeplug.records.draft import BibEntry, Span
from citeplug.text.expansion import LONGEST_VALUE, Expansion
from citeplug.text.identifiers import find_arxiv_id, find_doi

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Mend:
    """Text that surely belongs in the place of the code points `start` to `end` (half-open)."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Stumble:
    """A place, in code points, where the run of the bibliography goes wrong; `message` ends a sentence."""

    code: str
    at: int
    message: str
    fix: str
    mend: Mend | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its name in lower case, where the name stands, and the pieces of its value between `#`.

    Pieces are spans with their delimiters; one that begins with neither brace, quote nor digit is a macro.
    """

    name: str
    start: int
    pieces: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Block:
    """An entry, `@string` or `@preamble`, from its `@` to the position after its closing delimiter.

    `kind` is in lower case, `key` None for what has none; it begins at `key_at`.
    """

    kind: str
    start: int
    end: int
    key: str | None = None
    key_at: int = 0
    fields: tuple[Field, ...] = ()
    stumbles: tuple[Stumble, ...] = ()

    @property
    def is_entry(self) -> bool:
        return self.kind not in ("string", "preamble")


class Lines:
    """Lines and columns of a text, from 1. LF, CRLF and lone CR end lines."""

    def __init__(self, text: str) -> None:
        self._starts = array("I", [0])
        self._starts.extend(match.end() for match in _LINE_END.finditer(text))

    def number(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def column(self, offset: int) -> int:
        return offset - self._starts[self.number(offset) - 1] + 1


def entries_of(text: str, blocks: Iterable[Block], file: Path, strings: dict[str, str] | None = None) -> list[BibEntry]:
    """The entries among `blocks`, also those whose key is empty or occurs twice.

    `strings` are the macros, lower case, of the files before, to which those of this one are added. Values have
    their white space collapsed; of a field that stands there twice the first counts, as for BibTeX.
    """
    lines = Lines(text)
    macros = {} if strings is None else strings
    expansion = Expansion()
    entries = []
    for block in blocks:
        if block.kind == "string":
            macros.update((each.name, value_of(text, each, macros, expansion)) for each in block.fields)
        elif block.is_entry and block.key is not None:
            fields: dict[str, str] = {}
            for each in block.fields:
                fields.setdefault(each.name, value_of(text, each, macros, expansion))
            span = Span(file, block.start, block.end, lines.number(block.start))
            entries.append(BibEntry(block.key, block.kind, fields, span, find_arxiv_id(fields), find_doi(fields)))
    return entries


def value_of(text: str, given: Field, macros: Mapping[str, str], expansion: Expansion) -> str:
    """A field's value without delimiters, its pieces joined; an unknown macro stands for its own name.

    A macro stands for nothing where the value, or all that counts in `expansion`, becomes too long.
    """
    here = Expansion(LONGEST_VALUE, within=expansion)
    parts = []
    for start, end in given.pieces:
        piece = text[start:end]
        if piece[0] in '{"':
            parts.append(piece[1:-1] if len(piece) > 1 and piece[-1] in '}"' else piece[1:])
        else:
            macro = None if piece[0].isdigit() else macros.get(piece.lower())
            parts.append(piece if macro is None else macro if here.take(len(macro)) else "")
    return " ".join("".join(parts).split())
