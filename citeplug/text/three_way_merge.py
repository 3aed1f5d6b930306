"""Two versions of a text: their difference, and both merged so that nothing which only one of them says is dropped.

git and merge3 merge by lines, and a paragraph is one line, or is broken into lines anew.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher, unified_diff
from typing import TypeVar

T = TypeVar("T")


def merge_sequences(
    base: Sequence[T],
    ours: Sequence[T],
    theirs: Sequence[T],
    key: Callable[[T], Hashable],
    meet: Callable[[Sequence[T]], Sequence[T]] = lambda items: items,
) -> list[T]:
    """Merge by equality of `key`. Where both changed the same stretch, ours comes before theirs.

    `meet` is given the items of theirs in such a stretch that ours lacks, and says what is for them.
    """
    keys = [[key(item) for item in version] for version in (base, ours, theirs)]
    out: list[T] = []
    b = o = t = 0
    for b_at, o_at, t_at, length in _common(*keys):
        out += _stretch(
            base[b:b_at], ours[o:o_at], theirs[t:t_at], [keys[0][b:b_at], keys[1][o:o_at], keys[2][t:t_at]], meet
        )
        out += ours[o_at : o_at + length]
        b, o, t = b_at + length, o_at + length, t_at + length
    return out


def _common(base: list[Hashable], ours: list[Hashable], theirs: list[Hashable]) -> list[tuple[int, int, int, int]]:
    """The stretches of the base that both kept: their places in all three, and their lengths; an empty one at last."""
    to_ours = SequenceMatcher(None, base, ours, autojunk=False).get_matching_blocks()
    to_theirs = SequenceMatcher(None, base, theirs, autojunk=False).get_matching_blocks()
    matches = []
    one = other = 0
    while one < len(to_ours) and other < len(to_theirs):
        a, b = to_ours[one], to_theirs[other]
        start, end = max(a.a, b.a), min(a.a + a.size, b.a + b.size)
        if start < end:
            matches.append((start, a.b + start - a.a, b.b + start - b.a, end - start))
        if a.a + a.size < b.a + b.size:
            one += 1
        else:
            other += 1
    return [*matches, (len(base), len(ours), len(theirs), 0)]


def _stretch(
    base: Sequence[T],
    ours: Sequence[T],
    theirs: Sequence[T],
    keys: Sequence[Sequence[Hashable]],
    meet: Callable[[Sequence[T]], Sequence[T]],
) -> Sequence[T]:
    of_base, of_ours, of_theirs = (list(key) for key in keys)
    if of_theirs in (of_base, of_ours):
        return ours
    if of_ours == of_base:
        return theirs
    if len(base) == len(ours) == len(theirs) > 1:
        # Each side put something else in the place of every item: one by one fewer are changed by both.
        parts = zip(base, ours, theirs, of_base, of_ours, of_theirs, strict=True)
        return [
            item
            for b, o, t, b_key, o_key, t_key in parts
            for item in _stretch([b], [o], [t], [[b_key], [o_key], [t_key]], meet)
        ]
    known = {*of_base, *of_ours}
    return [*ours, *meet([item for item, name in zip(theirs, of_theirs, strict=True) if name not in known])]


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text cut into named pieces and what is before each; all joined, and `tail`, are the text again."""

    names: tuple[str, ...] = ()
    leads: Mapping[str, str] = field(default_factory=dict)
    raws: Mapping[str, str] = field(default_factory=dict)
    tail: str = ""

    @classmethod
    def cut(cls, text: str, places: Sequence[tuple[str, int, int]]) -> "Pieces":
        """`places` are names and code points, half-open, in the order of the text; a name that comes twice is
        numbered."""
        leads, raws, position = {}, {}, 0
        for name, start, end in places:
            unique, number = name, 2
            while unique in raws:
                unique, number = f"{name}#{number}", number + 1
            leads[unique], raws[unique] = text[position:start], text[start:end]
            position = end
        return cls(tuple(raws), leads, raws, text[position:])


def merge_pieces(
    base: Pieces,
    ours: Pieces,
    theirs: Pieces,
    *,
    ours_free: frozenset[str],
    theirs_free: frozenset[str],
    meet: Callable[[str, str, str], str],
) -> str:
    """Merge by name, in the order of ours; what only theirs has comes behind the piece that precedes it there.

    A free piece holds nothing of a person's: it gives way to the other version, and to a deletion. Where neither is
    free, `meet(base, ours, theirs)` is the piece. What is between the pieces is merged by lines.
    """
    out: dict[str, str] = {}
    for name in _order(ours.names, theirs.names):
        b, o, t = base.raws.get(name), ours.raws.get(name), theirs.raws.get(name)
        raw = _piece(b, o, t, name in ours_free, name in theirs_free, meet)
        lead = _lines(base.leads.get(name, ""), ours.leads.get(name), theirs.leads.get(name))
        if raw is not None or lead.strip():
            out[name] = lead + (raw or "")
    return "".join(out.values()) + _lines(base.tail, ours.tail, theirs.tail)


def _order(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    order = list(ours)
    for number, name in enumerate(theirs):
        if name not in order:
            before = next((other for other in reversed(theirs[:number]) if other in order), None)
            order.insert(order.index(before) + 1 if before is not None else 0, name)
    return order


def _piece(
    base: str | None,
    ours: str | None,
    theirs: str | None,
    ours_free: bool,
    theirs_free: bool,
    meet: Callable[[str, str, str], str],
) -> str | None:
    if ours is None or theirs is None:
        there, free = (theirs, theirs_free) if ours is None else (ours, ours_free)
        # Taken out on one side: it comes back only with words that a person wrote since.
        return None if base is not None and (free or _flat(there) == _flat(base)) else there
    if _flat(ours) == _flat(theirs) or _flat(theirs) == _flat(base):
        return ours
    if _flat(ours) == _flat(base) or ours_free:
        return theirs
    return ours if theirs_free else meet(base or "", ours, theirs)


def _lines(base: str, ours: str | None, theirs: str | None) -> str:
    if ours is None or theirs is None:
        return ours if ours is not None else theirs or ""
    if _flat(ours) == _flat(theirs):
        return ours
    cut = [text.splitlines(keepends=True) for text in (base, ours, theirs)]
    merged = merge_sequences(cut[0], cut[1], cut[2], lambda line: line.strip())
    return "".join(line if line.endswith(("\n", "\r")) else line + "\n" for line in merged[:-1]) + "".join(merged[-1:])


def _flat(text: str | None) -> str | None:
    return None if text is None else " ".join(text.split())


def unified(before: str, after: str, name: str) -> str:
    """Return a unified diff of two texts, with their line ends; empty if they are equal."""
    lines = unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), name, name)
    end = "\n\\ No newline at end of file\n"
    return "".join(line if line.endswith(("\n", "\r")) else line + end for line in lines)
