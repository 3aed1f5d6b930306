"""A .bib file read entry by entry, so that a change to one of five thousand costs no more than that one."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from citeplug.lsp.lines import Lined
from citeplug.records.draft import BibEntry, Span
from citeplug.tex.entries import read_bib

_HEAD = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]", re.MULTILINE)
_USES_MACRO = re.compile(r"[=#]\s*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class _Part:
    """What was read of a part: entries with offsets and lines from its own beginning, and the macros it defines."""

    entries: tuple[BibEntry, ...]
    strings: Mapping[str, str]


# The macros that are known before a part, and by them what it was read to be; whether the part uses any.
_Macros = tuple[tuple[str, str], ...]
_Kept = tuple[bool, dict[_Macros, _Part]]


class BibReader:
    """Reads one file again and again.

    The text is cut before each `@type{` at the beginning of a line, where reading starts anew whatever stood before.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._parts: dict[str, _Kept] = {}
        self._last: tuple[str, _Macros, list[BibEntry], dict[str, str]] | None = None

    def read(self, lined: Lined, strings: dict[str, str]) -> list[BibEntry]:
        """The entries; `strings` as in `entries.read_bib`."""
        before = tuple(sorted(strings.items()))
        if self._last is not None and self._last[0] == lined.text and self._last[1] == before:
            strings.update(self._last[3])
            return self._last[2]
        kept: dict[str, _Kept] = {}
        entries: list[BibEntry] = []
        macros = before
        for start, text in _parts(lined.text):
            uses, versions = self._parts.get(text) or (_USES_MACRO.search(text) is not None, {})
            known = macros if uses else ()
            part = versions.get(known)
            if part is None:
                part = self._read(text, strings)
                versions = {**versions, known: part}
            kept[text] = (uses, versions)
            if part.strings:
                strings.update(part.strings)
                macros = tuple(sorted(strings.items()))
            line = lined.line_of(start)
            entries += [_moved(entry, start, line) for entry in part.entries]
        self._parts = kept
        self._last = (lined.text, before, entries, dict(strings))
        return entries

    def _read(self, text: str, strings: Mapping[str, str]) -> _Part:
        known = _Noting(strings)
        found = read_bib(text, self._path, strings=known)
        return _Part(tuple(found.entries), known.noted)


class _Noting(dict[str, str]):
    """Macros, and those of them that were defined again, as they were before or not."""

    def __init__(self, known: Mapping[str, str]) -> None:
        super().__init__(known)
        self.noted: dict[str, str] = {}

    def update(self, more: Mapping[str, str]) -> None:  # type: ignore[override]
        super().update(more)
        self.noted |= more


def _moved(entry: BibEntry, start: int, line: int) -> BibEntry:
    # dataclasses.replace takes five times as long, and there are thousands.
    span = entry.span
    place = Span(span.file, span.start + start, span.end + start, span.line + line)
    return BibEntry(entry.key, entry.kind, entry.fields, place, entry.arxiv_id, entry.doi)


def _parts(text: str) -> Iterator[tuple[int, str]]:
    starts = [match.start() for match in _HEAD.finditer(text)]
    if not starts or starts[0] > 0:
        starts.insert(0, 0)
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if start < end:
            yield start, text[start:end]
