r"""Entries of printed lists of references, cut apart: `\bibitem`, biblatex's `\entry`, amsrefs' `\bib`.

Brackets are counted by hand, each character once: a regular expression for nested labels ran for minutes without end
on real files.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from citeplug.bibtex.entries import entries_of
from citeplug.bibtex.syntax import read_blocks

LONGEST_PRINTED = 20_000  # characters of one entry that are read
_START = re.compile(
    r"\\(?:bibitem(?![A-Za-z])|entry\s*\{|bib\s*\{|(?:section|chapter|appendix|endentry)(?![A-Za-z])"
    r"|end\s*\{thebibliography\})"
)
_DELIMITERS = re.compile(r"\\.|[{}\]]", re.DOTALL)
_SPACE = re.compile(r"(?:\s|%[^\n]*(?:\n|$))*")
_FIELD = re.compile(r"\\field\{(?!label|sort|extra)(\w+)\}\{")  # not those for biblatex itself
_VERB = re.compile(r"\\verb\{(\w+)\}\s*\\verb\s+(\S+)")
_NAMES = re.compile(r"\\name\{(author|editor)\}")
_FAMILY = re.compile(r"family=\{|\{\{[^{}]*hash=[^{}]*\}\{(?!%|\s)|^\s*\{\{\}\{", re.MULTILINE)
_LASTLY = re.compile(r"\\(?:field|strng|list|verb|warn|keyw)\b")


@dataclass(frozen=True, slots=True)
class PrintedEntry:
    r"""An entry of a list; `start` and `end` are those of the command and the arguments that name it, in code points.

    `key` is "" where it cannot be read. A `\bibitem` has its LaTeX in `text`; another kind has `fields`, by their names
    in BibTeX, and biblatex's the `families` of its authors.
    """

    key: str
    kind: str
    start: int
    end: int
    text: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    families: tuple[str, ...] = ()


def printed_entries(text: str) -> Iterator[PrintedEntry]:
    """The entries in the order of `text`, those that are printed twice as well. Never raises."""
    starts = list(_START.finditer(text))
    for number, start in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        end = min(end, start.end() + LONGEST_PRINTED)
        command = start[0]
        if command.startswith("\\bibitem"):
            yield _bibitem(text, start, end)
        elif command.startswith("\\entry"):
            yield _entry(text, start, end)
        elif command.startswith("\\bib"):
            yield from _amsrefs(text, start, end)


def _amsrefs_fields(fields: str) -> dict[str, str]:
    r"""The fields of amsrefs' `\bib{key}{kind}{fields}`; authors, one field each there, are joined as in BibTeX."""
    text = f"@bib{{k,{fields}}}"
    block = read_blocks(text)[0]
    values = entries_of(text, [block], Path())[0].fields
    people = [
        " ".join(text[start + 1 : end - 1].split())
        for field in block.fields
        if field.name == "author"
        for start, end in field.pieces
    ]
    if people:
        values["author"] = " and ".join(people)
    return values


def _bibitem(text: str, command: re.Match[str], end: int) -> PrintedEntry:
    position = _skip(text, command.end())
    if text.startswith("[", position):
        closed = _closing(text, position + 1, end, "]")
        position = position if closed is None else _skip(text, closed + 1)
    key, position = _group(text, position, end)
    return PrintedEntry(" ".join(key.split()), "bibitem", command.start(), position, text[position:end])


def _entry(text: str, command: re.Match[str], end: int) -> PrintedEntry:
    key, position = _group(text, command.end() - 1, end)
    kind, position = _group(text, _skip(text, position), end)
    fields: dict[str, str] = {}
    for match in _FIELD.finditer(text, position, end):
        fields.setdefault(match[1], _group(text, match.end() - 1, end)[0])
    for match in _VERB.finditer(text, position, end):
        fields.setdefault(match[1], match[2])
    return PrintedEntry(
        key, kind.lower(), command.start(), position, fields=fields, families=tuple(_families(text, position, end))
    )


def _families(text: str, position: int, end: int) -> Iterator[str]:
    names = _NAMES.search(text, position, end)
    if names is None:
        return
    after = _LASTLY.search(text, names.end(), end)
    for match in _FAMILY.finditer(text, names.end(), after.start() if after else end):
        yield _group(text, match.end() - 1, end)[0]


def _amsrefs(text: str, command: re.Match[str], end: int) -> Iterator[PrintedEntry]:
    key, position = _group(text, command.end() - 1, end)
    kind, position = _group(text, _skip(text, position), end)
    fields, position = _group(text, _skip(text, position), end)
    if kind.isalpha() and fields:
        yield PrintedEntry(key, kind.lower(), command.start(), position, fields=_amsrefs_fields(fields))


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _group(text: str, position: int, end: int) -> tuple[str, int]:
    """Text between the brace at `position` and its partner, and the position behind it; "" without a partner."""
    if not text.startswith("{", position):
        return "", position
    closed = _closing(text, position + 1, end, "}")
    return ("", position) if closed is None else (text[position + 1 : closed], closed + 1)


def braced(text: str, position: int) -> str:
    """Text in the brace at `position`; without its partner, all that follows."""
    return text[position + 1 : _closing(text, position + 1, len(text), "}")]


def _closing(text: str, position: int, end: int, partner: str) -> int | None:
    """Where the first `partner` outside of braces is, as TeX looks for it; None before `end`."""
    depth = 0
    for match in _DELIMITERS.finditer(text, position, end):
        sign = match[0]
        if depth == 0 and sign == partner:
            return match.start()
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return None
    return None
