"""Merge of two versions of a section's file: all blocks of both, and every word that an author wrote in either."""

import re

from citeplug.section_file.grammar import read_related
from citeplug.section_file.units import Unit, split_units
from citeplug.text.scanning import newline_of
from citeplug.text.three_way_merge import Pieces, merge_pieces, merge_sequences

_PLAIN_MARK = re.compile(r"(?:begin|end) (\S+)(?: sentences=\d+)?(?: words=\d+)?(?: sha256=[0-9a-f]+)?")


def merge_sections(base: str, ours: str, theirs: str, *, ours_free: frozenset[str], theirs_free: frozenset[str]) -> str:
    """Merge `ours` and `theirs`, which both come from `base`, block by block.

    The free blocks, given by their ids, are unchanged since they were generated: of two versions the one with an
    author's words wins, and the next run updates the rest. If both authors changed a sentence, both versions are kept,
    ours first.
    """
    newline = newline_of(ours)
    base, theirs = (text.replace("\r\n", "\n").replace("\n", newline) for text in (base, theirs))
    old, one, other = _cut(base), _cut(ours), _cut(theirs)
    merged = merge_pieces(old, one, other, ours_free=ours_free, theirs_free=theirs_free, meet=_merge_block)
    # A block whose text is as generated may still have a heading that an author wrote, and gives way with its text.
    for name, raw in _cut(merged).raws.items():
        if name not in one.raws or name not in other.raws:
            continue
        there = _headings(raw)
        before, here, away = (_headings(version.raws.get(name, "")) for version in (old, one, other))
        headings = merge_sequences(before, here, away, lambda line: line.strip())
        if headings != there:
            at = raw.find(there[0]) if there else raw.find(newline) + len(newline)
            rest = raw
            for line in there:
                rest = rest.replace(line, "", 1)
            merged = merged.replace(raw, rest[:at] + "".join(headings) + rest[at:], 1)
    return merged


def _headings(block: str) -> list[str]:
    """The lines of a block that say its heading, with their ends."""
    return [unit.raw for unit in split_units(block) if _is(unit, "heading")]


def _cut(text: str) -> Pieces:
    return Pieces.cut(text, [(block.id, block.start, block.end) for block in read_related(text).blocks])


def _merge_block(base: str, ours: str, theirs: str) -> str:
    """Merge a block that both authors changed, by sentence and by line of the plan."""
    cut = [split_units(text) for text in (base, ours, theirs)]
    begin, end = _marks(cut[1])
    inside = [_inside(units) for units in cut]
    merged = merge_sequences(inside[0], inside[1], inside[2], lambda unit: (unit.kind, unit.key))
    pieces = [unit.raw for unit in (*begin, *merged)] + _typed_into_marks(cut[2], cut[1]) + [unit.raw for unit in end]
    out = ""
    for raw in pieces:
        # The last sentence of a text may have no line end, and come before others now.
        out += "\n" * (bool(out) and not out.endswith(("\n", "\r"))) + raw
    return out


def _typed_into_marks(theirs: list[Unit], ours: list[Unit]) -> list[str]:
    """Return text that an author added to the begin or end mark of theirs, as comments; the marks are those of ours."""
    known = {unit.key for unit in ours}
    names = {match[1] for unit in ours if (match := _PLAIN_MARK.match(unit.key))}
    marks = [unit.key for units in _marks(theirs) for unit in units if unit.key not in known]
    return [f"% {key}\n" for key in marks if not ((plain := _PLAIN_MARK.fullmatch(key)) and plain[1] in names)]


def _marks(units: list[Unit]) -> tuple[list[Unit], list[Unit]]:
    begin = [unit for unit in units[:1] if _is(unit, "begin")]
    return begin, [unit for unit in units[1:][-1:] if _is(unit, "end")]


def _inside(units: list[Unit]) -> list[Unit]:
    begin, end = _marks(units)
    return units[len(begin) : len(units) - len(end)]


def _is(unit: Unit, word: str) -> bool:
    return unit.kind == "directive" and unit.key.partition(" ")[0] == word
