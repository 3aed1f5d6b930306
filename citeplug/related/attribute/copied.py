"""Runs of a source's words in a model's sentence: short ones get quotation marks, longer ones are refused."""

import re
from collections.abc import Sequence
from dataclasses import replace

from citeplug.related.attribute.claims import Doubt
from citeplug.related.attribute.handles import Piece
from citeplug.text.cited_text import WORD, copied_runs
from citeplug.text.material import Material
from citeplug.text.stop_words import STOPWORDS

LEAST = 8  # words in a row, names, numbers and the draft's own words not counted
SHORT = 16  # words that may be put in quotation marks
_NUMERALS = frozenset(
    "two three four five six seven eight nine ten eleven twelve hundred thousand million billion".split()
)
_COMPOUND = re.compile(r"\d+(?:[.,]\d+)*%?|[^\W_]+(?:[-'’][^\W_]+)*")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")


def mark_copied(
    pieces: tuple[Piece, ...], sources: Sequence[Material], own: str, longest: int = SHORT
) -> tuple[tuple[Piece, ...], list[Doubt]]:
    """The sentence with quotation marks around its short runs of the sources' words, up to `longest`, and doubts on the longer ones.

    Names, terms of a title, numbers with their nouns, what the author's `own` text says, and function words at the
    ends of a run are nobody's wording and do not count.
    """
    doubts: list[Doubt] = []
    marked = tuple(
        replace(piece, text=_mark(piece.text, sources, own, longest, doubts)) if piece.text else piece
        for piece in pieces
    )
    return marked, doubts


def _mark(text: str, sources: Sequence[Material], own: str, longest: int, doubts: list[Doubt]) -> str:
    out, position = "", 0
    for quoted in [*_QUOTED.finditer(text), None]:
        end = quoted.start() if quoted is not None else len(text)
        out += _mark_outside(text[position:end], sources, own, longest, doubts)
        out += quoted[0] if quoted is not None else ""
        position = quoted.end() if quoted is not None else end
    return out


def _mark_outside(text: str, sources: Sequence[Material], own: str, longest: int, doubts: list[Doubt]) -> str:
    out, position = "", 0
    found = (
        (*_core(text, *run), source.title)
        for source in sources
        for said in source.wordings
        for run in copied_runs(text, said)
    )
    for start, end, title in sorted(found):
        run = text[start:end]
        if start < position or _chosen(run, title, own) < LEAST:
            continue
        if len(WORD.findall(run)) > longest:
            doubts.append(Doubt("copied", f"eight words in a row are the source's: say “{run[:80]}” in other words"))
            continue
        out += f"{text[position:start]}“{run}”"
        position = end
    return out + text[position:]


def _core(text: str, start: int, end: int) -> tuple[int, int]:
    """The run without function words at its ends: a quotation does not begin with "that", nor end with "than"."""
    content = [m for m in WORD.finditer(text, start, end) if m[0].lower() not in STOPWORDS]
    return (content[0].start(), content[-1].end()) if content else (start, start)


def _chosen(run: str, title: str, own: str) -> int:
    """The words of a run that its author chose; a hyphenated compound is one."""
    free = [*copied_runs(run, title, 2), *copied_runs(run, own, 4)]
    count, after_number = 0, False
    for match in _COMPOUND.finditer(run):
        word = match[0]
        number = word[0].isdigit() or word.lower() in _NUMERALS
        name = word != word.lower() and (match.start() > 0 or word[1:] != word[1:].lower())
        known = any(start <= match.start() and match.end() <= end for start, end in free)
        count += not (number or after_number or name or known)
        after_number = number
    return count
