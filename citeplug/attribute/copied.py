"""Runs of a source's words in a model's sentence: short ones get quotation marks, longer ones are refused."""

import re
from collections.abc import Sequence
from dataclasses import replace

from citeplug.attribute.claims import Doubt
from citeplug.attribute.handles import Piece
from citeplug.text.cited_text import WORD, copied_runs

LEAST = 8  # words in a row, names, numbers and the draft's own words not counted
SHORT = 16  # words that may be put in quotation marks
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")


def mark_copied(pieces: tuple[Piece, ...], texts: Sequence[str], own: str) -> tuple[tuple[Piece, ...], list[Doubt]]:
    """The sentence with quotation marks around its short runs of words of `texts`, and doubts on the longer ones.

    Names, numbers with their units and what the author's `own` text says are nobody's wording and do not count.
    """
    doubts: list[Doubt] = []
    marked = tuple(
        replace(piece, text=_mark(piece.text, texts, own, doubts)) if piece.text else piece for piece in pieces
    )
    return marked, doubts


def _mark(text: str, texts: Sequence[str], own: str, doubts: list[Doubt]) -> str:
    out, position = "", 0
    for quoted in [*_QUOTED.finditer(text), None]:
        end = quoted.start() if quoted is not None else len(text)
        out += _mark_outside(text[position:end], texts, own, doubts) + (quoted[0] if quoted is not None else "")
        position = quoted.end() if quoted is not None else end
    return out


def _mark_outside(text: str, texts: Sequence[str], own: str, doubts: list[Doubt]) -> str:
    out, position = "", 0
    for start, end in sorted({run for source in texts for run in copied_runs(text, source)}):
        if start < position:
            continue
        run = text[start:end]
        if _counted(run, own) < LEAST:
            continue
        if len(WORD.findall(run)) > SHORT:
            doubts.append(Doubt("copied", f"eight words in a row are the source's: say “{run[:80]}” in other words"))
            continue
        out += f"{text[position:start]}“{run}”"
        position = end
    return out + text[position:]


def _counted(run: str, own: str) -> int:
    """The words of a run that somebody chose."""
    return len(WORD.findall(run))
