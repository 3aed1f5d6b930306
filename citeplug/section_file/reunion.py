"""Two versions of a section's file made one: the blocks of each, and every word that a person wrote in either."""

import re

from citeplug.section_file.grammar import read_related
from citeplug.section_file.units import Unit, split_units
from citeplug.text.three_way_merge import Pieces, merge_pieces, merge_sequences

_PLAIN_MARK = re.compile(r"(?:begin|end) (\S+)(?: sentences=\d+)?(?: words=\d+)?(?: sha256=[0-9a-f]+)?")


def reunite_sections(
    base: str, ours: str, theirs: str, *, ours_free: frozenset[str], theirs_free: frozenset[str]
) -> str:
    """Merge `ours` and `theirs`, which both come from `base`, block by block.

    The free blocks, given by their ids, are as they were generated: of two versions the one with an author's words
    stays, and a new run makes the rest current. Where both authors changed a block, a sentence that both changed
    stands there twice, ours first.
    """
    newline = "\r\n" if ours.count("\r\n") * 2 > ours.count("\n") else "\n"
    base, theirs = (text.replace("\r\n", "\n").replace("\n", newline) for text in (base, theirs))
    return merge_pieces(_cut(base), _cut(ours), _cut(theirs), ours_free=ours_free, theirs_free=theirs_free, meet=_meet)


def _cut(text: str) -> Pieces:
    return Pieces.cut(text, [(block.id, block.start, block.end) for block in read_related(text).blocks])


def _meet(base: str, ours: str, theirs: str) -> str:
    """Both authors changed a block: merged by sentence and by line of the plan."""
    cut = [split_units(text) for text in (base, ours, theirs)]
    begin, end = _marks(cut[1])
    inside = [_inside(units) for units in cut]
    merged = merge_sequences(inside[0], inside[1], inside[2], lambda unit: (unit.kind, unit.key))
    kept = [unit.raw for unit in (*begin, *merged)] + _typed_into_marks(cut[2], cut[1]) + [unit.raw for unit in end]
    out = ""
    for raw in kept:
        # A sentence that stood at the end of its text may come before others now.
        out += "\n" * (bool(out) and not out.endswith(("\n", "\r"))) + raw
    return out


def _typed_into_marks(theirs: list[Unit], ours: list[Unit]) -> list[str]:
    """What somebody wrote into the first or last line of theirs, as comments: those lines are taken from ours."""
    known = {unit.key for unit in ours}
    names = {match[1] for unit in ours if (match := _PLAIN_MARK.match(unit.key))}
    marks = [unit.key for found in _marks(theirs) for unit in found if unit.key not in known]
    return [f"% {key}\n" for key in marks if not ((plain := _PLAIN_MARK.fullmatch(key)) and plain[1] in names)]


def _marks(units: list[Unit]) -> tuple[list[Unit], list[Unit]]:
    begin = [unit for unit in units[:1] if _is(unit, "begin")]
    return begin, [unit for unit in units[1:][-1:] if _is(unit, "end")]


def _inside(units: list[Unit]) -> list[Unit]:
    begin, end = _marks(units)
    return units[len(begin) : len(units) - len(end)]


def _is(unit: Unit, word: str) -> bool:
    return unit.kind == "directive" and unit.key.partition(" ")[0] == word
