r"""Alignment of the sentences of two versions of a text."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from citeplug.section_file.cite_style import cited_keys

_CITED = re.compile(r"\\[A-Za-z]*cite[A-Za-z]*\*?(?:\[[^\]]*\])*\{([^{}]*)\}", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_HEADING = re.compile(r"\\(?:(?:sub){0,2}section|(?:sub)?paragraph)\b")
_MOST = 250_000  # pairs; two versions with more are compared by equality alone
_SAME = 1000.0
_ALIKE = 0.5  # share of words in common


@dataclass(frozen=True, slots=True)
class _Features:
    """Features by which a sentence is recognised as a version of another: its text, citations and words.

    `opening`: it is before the first citation of its paragraph.
    """

    key: str
    opening: bool = False
    cites: frozenset[str] = field(init=False)
    words: Counter[str] = field(init=False)
    heading: bool = field(init=False)

    def __post_init__(self) -> None:
        cites = {name.strip() for match in _CITED.finditer(self.key) for name in match[1].split(",")}
        object.__setattr__(self, "cites", frozenset(cites - {""}))
        object.__setattr__(self, "words", Counter(_WORD.findall(_CITED.sub(" ", self.key).lower())))
        object.__setattr__(self, "heading", _HEADING.match(self.key) is not None)


@dataclass(frozen=True, slots=True)
class Succession:
    """The new sentences that come after those of the base, and the author's.

    `of_base` maps the author's sentences to those of the base, `to_new` those of the base to new ones. `offers` are
    further new sentences for one of the base that the author changed. Those in `dropped` say only what the author
    deleted. All by position.
    """

    of_base: dict[int, int]
    to_new: dict[int, int]
    offers: dict[int, tuple[int, ...]]
    dropped: frozenset[int]


def succession(before: Sequence[str], ours: Sequence[str], new: Sequence[str]) -> Succession:
    """Pair the base with both versions.

    A new sentence may stand for several of the base, or several for one: they have papers in common. It comes in place
    of one that the author left alone, else it is offered for one that the author changed, else it is dropped.
    """
    of_base = align(before, ours, generated=False)
    to_new = {b: t for t, b in align(before, new, generated=True).items()}
    alone = {b for place, b in of_base.items() if ours[place] == before[b]}
    changed = set(of_base.values()) - alone
    papers = [cited_keys(key) for key in before]
    papers_of_new = [cited_keys(key) for key in new]
    left = set(range(len(new))) - set(to_new.values())
    for b in (*sorted(alone - to_new.keys()), *sorted(changed - to_new.keys())):
        if b in alone and (matches := [t for t in sorted(left) if papers[b] & papers_of_new[t]]):
            to_new[b] = matches[0]
            left.remove(matches[0])
            continue
        # Joined with one that the author changed or deleted: what was left alone is not to go for that.
        weaker = {n for n in to_new if n not in of_base.values() or (b in alone and n in changed)}
        former = next((n for n in sorted(weaker) if papers[b] & papers_of_new[to_new[n]]), None)
        if former is not None:
            to_new[b] = to_new.pop(former)
    offers: dict[int, tuple[int, ...]] = {}
    dropped: set[int] = set()
    for t in sorted(left):
        akin = [b for b in range(len(before)) if papers[b] & papers_of_new[t]]
        if akin and alone.isdisjoint(akin):
            first = next((b for b in akin if b in changed), None)
            if first is None:
                dropped.add(t)
            else:
                offers[first] = (*offers.get(first, ()), t)
    return Succession(of_base, to_new, offers, frozenset(dropped))


def align(before: Sequence[str], after: Sequence[str], *, generated: bool) -> dict[int, int]:
    """Pair sentences of two versions: map positions in `after` to positions in `before`.

    Equal sentences are paired first, moved or not; then, in order, those with the same citations, headings, and those
    that share half of their words. With `generated` both are citeplug's, and sentences without citations match too:
    those that open a paragraph, and the others.
    """
    pairs = _in_order(_features(before), _features(after), generated)
    taken = set(pairs.values())
    for place, key in enumerate(after):
        # A sentence found unchanged elsewhere has moved; this takes precedence over a similar one in order.
        if place in pairs and before[pairs[place]] == key:
            continue
        moved = next((n for n, other in enumerate(before) if other == key and n not in taken), None)
        if moved is not None:
            taken.discard(pairs.get(place, -1))
            pairs[place] = moved
            taken.add(moved)
    return pairs


def _features(keys: Sequence[str]) -> list[_Features]:
    cited = [bool(cited_keys(key)) for key in keys]
    return [_Features(key, any(cited) and not any(cited[: place + 1])) for place, key in enumerate(keys)]


def _in_order(before: Sequence[_Features], after: Sequence[_Features], generated: bool) -> dict[int, int]:
    rows, columns = len(before), len(after)
    only_equal = rows * columns > _MOST
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    score = [[0.0] * columns for _ in range(rows)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            one, other = before[row], after[column]
            score[row][column] = alike = _SAME if one.key == other.key else 0.0
            if not alike and not only_equal:
                score[row][column] = alike = _likeness(one, other, generated)
            both = alike + best[row + 1][column + 1] if alike else 0.0
            best[row][column] = max(both, best[row + 1][column], best[row][column + 1])
    pairs: dict[int, int] = {}
    row = column = 0
    while row < rows and column < columns:
        alike = score[row][column]
        if alike and best[row][column] == alike + best[row + 1][column + 1]:
            pairs[column] = row
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return pairs


def _likeness(one: _Features, other: _Features, generated: bool) -> float:
    """Return 0 for unrelated sentences, else 1 to 3."""
    if one.heading or other.heading:
        return 3.0 if one.heading and other.heading else 0.0
    total = one.words.total() + other.words.total()
    shared = 2 * (one.words & other.words).total() / total if total else 0.0
    if one.cites and one.cites == other.cites:
        return 2.0 + shared
    if shared >= _ALIKE or (generated and not one.cites and not other.cites and one.opening == other.opening):
        return 1.0 + shared
    return 0.0
