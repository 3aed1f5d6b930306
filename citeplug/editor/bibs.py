"""Incremental reading of a .bib file: after a change only the changed entries are read again."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from citeplug.bibtex.entries import read_bib
from citeplug.editor.lines import Lined
from citeplug.records.draft import BibEntry, Span

_HEAD = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]", re.MULTILINE)
_USES_MACRO = re.compile(r"[=#]\s*[A-Za-z]")

_Macros = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Piece:
    """The entries of a part of the file, from `start`, in `line` from 0, and the macros it defines.

    `known` are the macros that were defined before it if it uses any, else None.
    """

    known: _Macros | None
    entries: tuple[BibEntry, ...]
    strings: _Macros
    start: int = 0
    line: int = 0

    def at(self, start: int, line: int) -> "_Piece":
        if (self.start, self.line) == (start, line):
            return self
        shift, lines = start - self.start, line - self.line
        return replace(
            self, entries=tuple(_moved(entry, shift, lines) for entry in self.entries), start=start, line=line
        )


class BibReader:
    """Incremental reader of one file.

    The text is split before each `@type{` at the beginning of a line, where reading does not depend on the text before.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._parts: dict[tuple[str, int], _Piece] = {}  # by text, and number among equal ones
        self._last: tuple[str, _Macros, list[BibEntry], _Macros] | None = None

    def read(self, lined: Lined, strings: dict[str, str]) -> list[BibEntry]:
        """Return the entries; `strings` as in `entries.read_bib`."""
        if self._last is not None and (lined.text, strings) == self._last[:2]:
            strings.update(self._last[3])
            return self._last[2]
        before = macros = dict(strings)
        parts: dict[tuple[str, int], _Piece] = {}
        times: Counter[str] = Counter()
        for start, text in _pieces(lined.text):
            times[text] += 1
            part = self._parts.get((text, times[text]))
            if part is None or part.known not in (None, macros):
                part = self._read(text, macros)
            parts[text, times[text]] = part = part.at(start, lined.line_of(start))
            if part.strings:
                strings.update(part.strings)
                macros = dict(strings)
        self._parts = parts
        entries = [entry for part in parts.values() for entry in part.entries]
        self._last = (lined.text, before, entries, dict(strings))
        return entries

    def _read(self, text: str, macros: _Macros) -> _Piece:
        noting = _Noting(macros)
        entries = tuple(read_bib(text, self._path, strings=noting).entries)
        return _Piece(macros if _USES_MACRO.search(text) else None, entries, noting.noted)


class _Noting(dict[str, str]):
    """Macros, with a record of those that were defined again."""

    def __init__(self, known: Mapping[str, str]) -> None:
        super().__init__(known)
        self.noted: dict[str, str] = {}

    def update(self, more: Mapping[str, str]) -> None:  # type: ignore[override]
        super().update(more)
        self.noted |= more


def _moved(entry: BibEntry, shift: int, lines: int) -> BibEntry:
    # dataclasses.replace takes five times as long, and there are thousands.
    span = entry.span
    place = Span(span.file, span.start + shift, span.end + shift, span.line + lines)
    return BibEntry(entry.key, entry.kind, entry.fields, place, entry.arxiv_id, entry.doi)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Split the text before each entry's head."""
    starts = [0, *(match.start() for match in _HEAD.finditer(text)), len(text)]
    for start, end in pairwise(starts):
        if start < end:
            yield start, text[start:end]
