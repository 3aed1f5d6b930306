"""Comments by which an author says that a finding is known and stays.

    Text on the finding. % citeplug: ignore uncited_claim
    % citeplug: ignore undefined_key, uncited_claim -- the entry comes with the next version
    % citeplug: ignore-file key_case

At the end of a line: of that line. On a line of its own: of the next line that is neither blank nor a comment, in a
.bib file of the entry that begins there. Behind ` -- ` is a reason, for people.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from citeplug.records.rules import RULES
from citeplug.text.scanning import LineIndex

_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*(%+[ \t]*citeplug[ \t]*:[ \t]*ignore(-file)?(?![\w-])[ \t]*:?([^\r\n]*))")
_REASON = re.compile(r"(?:^|\s)--(?:\s|$)")
_LINE_END = re.compile(r"\r\n|\r|\n")
_ENTRY = re.compile(r"[ \t]*@")
_MOST = 10_000  # comments of one file that are read


@dataclass(frozen=True, slots=True)
class Suppression:
    """One code of one comment. `line` and `column` are those of the comment; `first` to `last` are the lines that it
    is on, both inclusive; all count from 1. `code` is None where the comment names none."""

    code: str | None
    line: int
    column: int
    first: int
    last: int

    @property
    def known(self) -> bool:
        return self.code in RULES


def read_suppressions(text: str, *, bib: bool = False) -> list[Suppression]:
    """Return what the comments of a file say, in their order; `bib`: it is a .bib file."""
    suppressions: list[Suppression] = []
    if "citeplug" not in text:
        return suppressions
    places, lines = LineIndex(text), _LINE_END.split(text)
    for match, _ in zip(_COMMENT.finditer(text), range(_MOST), strict=False):
        number, column = places.number(match.start(1)), places.column(match.start(1))
        before = lines[number - 1][: column - 1].strip()
        if match[2]:
            first, last = 1, len(lines)
        elif before and not before.startswith("%"):
            first = last = number
        else:
            first = next((n for n, line in enumerate(lines[number:], number + 1) if _has_text(line)), number)
            last = _end_of_entry(lines, first) if bib else first
        codes = re.split(r"[\s,;]+", _REASON.split(match[3])[0].strip(" \t,;.")) or [""]
        suppressions += [Suppression(code.lower()[:60] or None, number, column, first, last) for code in codes]
    return suppressions


def is_suppressed(code: str, lines: Iterable[int | None], suppressions: Iterable[Suppression]) -> bool:
    """Return True if a comment is on a finding with this code in one of the lines, from 1 (without any the first)."""
    wanted = [line for line in lines if line is not None] or [1]
    return any(
        suppression.code == code and any(suppression.first <= line <= suppression.last for line in wanted)
        for suppression in suppressions
    )


def _has_text(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("%")


def _end_of_entry(lines: list[str], first: int) -> int:
    """Return the last line before the next entry, given the first one of an entry, from 1."""
    return next((n for n, line in enumerate(lines[first:], first) if _ENTRY.match(line)), len(lines))
