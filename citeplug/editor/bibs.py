"""Incremental reading of a .bib file: after a change only the changed entries are read again."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from citeplug.bibtex.entries import read_bib
from citeplug.editor.lines import Lined
from citeplug.records.draft import BibEntry, Span

_HEAD = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]", re.MULTILINE)
_USES_MACRO = re.compile(r"[=#]\s*[A-Za-z]")

_Macros = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the file from `start`, in `line` from 0: its entries with their positions, and the macros it defines.

    `known` are the macros defined before it if it `uses` any, else none. `around` are the macros before and after a
    part that defines some.
    """

    text: str
    start: int
    line: int
    uses: bool
    known: _Macros
    entries: tuple[BibEntry, ...]
    strings: Mapping[str, str]
    around: tuple[_Macros, _Macros] | None = None


class BibReader:
    """Incremental reader of one file.

    The text is split before each `@type{` at the beginning of a line, where reading does not depend on the text before.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._parts: list[_Part] = []
        self._last: tuple[str, _Macros, list[BibEntry], dict[str, str]] | None = None

    def read(self, lined: Lined, strings: dict[str, str]) -> list[BibEntry]:
        """Return the entries; `strings` as in `entries.read_bib`."""
        before = tuple(sorted(strings.items()))
        if self._last is not None and self._last[1] == before:
            before = self._last[1]
            if self._last[0] == lined.text:
                strings.update(self._last[3])
                return self._last[2]
        text, old = lined.text, self._parts
        front = _alike(old, text)
        # A part depends on the text after it (its end) and before it (beginning of a line).
        first = max(front - 1, 0)
        behind = _alike_behind(old[front:], text, old[front - 1] if front else None)
        last = min(len(old) - behind + 1, len(old))
        start = old[first].start if first < len(old) else 0
        stop = len(text) - sum(len(part.text) for part in old[last:])
        same = {part.text: part for part in old[first:last]}
        parts: list[_Part] = []
        macros = before
        for part in old[:first]:
            macros = self._take(part, part.start, part.line, macros, strings, parts)
        for at, piece in _pieces(text, start, stop):
            known = same.get(piece) or _Part(piece, 0, 0, _USES_MACRO.search(piece) is not None, (("", ""),), (), {})
            macros = self._take(known, at, lined.line_of(at), macros, strings, parts)
        if last < len(old):
            shift, lines = stop - old[last].start, lined.line_of(stop) - old[last].line
            for part in old[last:]:
                macros = self._take(part, part.start + shift, part.line + lines, macros, strings, parts)
        self._parts = parts
        entries = [entry for part in parts for entry in part.entries]
        self._last = (text, before, entries, dict(strings))
        return entries

    def _take(
        self, part: _Part, start: int, line: int, macros: _Macros, strings: dict[str, str], parts: list[_Part]
    ) -> _Macros:
        """Move a part to its place, read it again if macros that it uses have changed; return the macros after it."""
        known = macros if part.uses else ()
        if part.known is not known and part.known != known:
            noting = _Noting(strings)
            entries = tuple(read_bib(part.text, self._path, strings=noting).entries)
            part = _Part(part.text, 0, 0, part.uses, known, entries, noting.noted)
        if part.start != start or part.line != line:
            shift, lines = start - part.start, line - part.line
            moved = tuple(_moved(entry, shift, lines) for entry in part.entries)
            part = _Part(part.text, start, line, part.uses, known, moved, part.strings, part.around)
        if not part.strings:
            parts.append(part)
            return macros
        strings.update(part.strings)
        if part.around is None or part.around[0] is not macros:
            part = replace(part, around=(macros, tuple(sorted(strings.items()))))
        parts.append(part)
        assert part.around is not None
        return part.around[1]


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


def _alike(parts: list[_Part], text: str) -> int:
    """Return the number of leading parts that the text still begins with."""
    for number, part in enumerate(parts):
        if not text.startswith(part.text, part.start):
            return number
    return len(parts)


def _alike_behind(parts: list[_Part], text: str, before: _Part | None) -> int:
    """Return the number of trailing parts that the text still ends with, after the part `before`."""
    floor = before.start + len(before.text) if before is not None else 0
    stop = len(text)
    for number, part in enumerate(reversed(parts)):
        if stop - len(part.text) < floor or not text.endswith(part.text, 0, stop):
            return number
        stop -= len(part.text)
    return len(parts)


def _pieces(text: str, start: int, stop: int) -> Iterator[tuple[int, str]]:
    """Split the text from `start` to `stop` before each entry's head; `stop` is the start of a part or the end."""
    starts = []
    for match in _HEAD.finditer(text, start):
        if match.start() >= stop:
            break
        starts.append(match.start())
    if not starts or starts[0] > start:
        starts.insert(0, start)
    for begin, end in zip(starts, [*starts[1:], stop], strict=True):
        if begin < end:
            yield begin, text[begin:end]
