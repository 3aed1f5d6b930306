"""Roles in a relation: "A outperforms B" must not become "B outperforms A"."""

from collections.abc import Iterator, Sequence

from citeplug.attribute.claims.evidence import Doubt, Evidence, Word, words_of
from citeplug.text.stems import stem

_VERBS = frozenset(
    stem(verb)
    for verb in """outperform surpass exceed beat dominate extend generalize replace imply cause precede follow
    subsume contain lead depend induce drive explain predict determine inspire teach supervise encode
    convert translate transform map improve underperform require produce generate affect influence trigger""".split()
)
_RELATIONS = frozenset("than over versus instead rather into from unlike".split())
_BE = frozenset("is are was were be been being".split())
_SAYS_LITTLE = frozenset(
    "that this those these which with from into have been being were they them their also more most less much even very such some many other both".split()
)
_PAIRS = {"rather": "than", "instead": "of"}
_PARTICIPLES = ("ed", "en")
_REACH = 6


def swapped_roles(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    """Doubts on relations whose two sides are the other way round in the quotations."""
    said, given = words_of(segment), words_of(evidence.said)
    for index, word in enumerate(said):
        if (word.stem not in _VERBS or word.lower.endswith(("ment", "ments"))) and word.lower not in _RELATIONS:
            continue
        if index and said[index - 1].lower == "to":
            continue  # a purpose may stand before or behind what serves it
        places = [i for i, g in enumerate(given) if g.stem == word.stem]
        if places and _turned_round(said, index, given, places):
            yield Doubt("reversed", f"the word beside “{word.text}” stands on its other side in the quotation")
            continue
        left, right = _sides(said, index)
        if not places or not left or not right:
            continue
        straight = crossed = 0
        beside = _beside(said, index)
        swapped = [_beside(given, place) == beside[::-1] for place in places]
        if (
            beside[0] != beside[1]
            and all(beside)
            and any(swapped)
            and not any(_beside(given, p) == beside for p in places)
        ):
            yield Doubt("reversed", f"what stands on either side of “{word.text}” is swapped in the quotation")
            continue
        for place in places:
            before, after = _sides(given, place)
            both = before & after
            before, after = before - both, after - both
            straight = max(straight, len(left & before) + len(right & after))
            crossed = max(crossed, len(left & after) + len(right & before))
        if crossed > straight and crossed >= 2:
            yield Doubt(
                "reversed", f"what stands before and after “{word.text}” is the other way round in the quotation"
            )


def _turned_round(said: Sequence[Word], index: int, given: Sequence[Word], places: Sequence[int]) -> bool:
    """True if the very next word on one side is next to the relation on its other side in the quotations.

    "A outperforms B" has A before it; where the quotations have A behind it, and nowhere before it, one of the two
    has changed its place, however the rest is worded.
    """
    # "Driving" and "prediction" are rather things than what is done.
    if said[index].lower.endswith(("ing", "ion", "ions")):
        return False
    before, after = _next(said, index)
    lefts, rights = zip(*(_next(given, place) for place in places), strict=True)
    if (before and before in lefts) or (after and after in rights):
        return False
    return bool((before and before in rights) or (after and after in lefts))


def _next(words: Sequence[Word], index: int) -> tuple[str, str]:
    """The stems of the words next to a relation, "" for one that says too little; a passive is turned round.

    "Rather than", "instead of" and "extended by" are one relation.
    """
    first, last = index, index
    if words[index].lower == "than" and index and words[index - 1].lower == "rather":
        first -= 1
    following = [word.lower for word in words[index + 1 : index + 3]]
    passive = "by" in following and words[index].lower.endswith(_PARTICIPLES)
    if passive:
        last += 1 + following.index("by")
    elif following[:1] == [_PAIRS.get(words[index].lower)]:
        last += 1
    left = _named(words[first - 1]) if first else ""
    right = _named(words[last + 1]) if last + 1 < len(words) else ""
    return (right, "" if left in _BE else left) if passive else (left, right)


def _named(word: Word) -> str:
    return word.stem if word.is_word and len(word.lower) >= 4 and word.lower not in _SAYS_LITTLE else ""


def _beside(words: Sequence[Word], index: int) -> tuple[str, str]:
    """The nearest telling word on either side, as stems; a passive is turned round."""
    left = next((word.stem for word in reversed(words[max(0, index - 3) : index]) if word.tells), "")
    right = next((word.stem for word in words[index + 1 : index + 4] if word.tells), "")
    return (right, left) if is_passive(words, index) else (left, right)


def _sides(words: Sequence[Word], index: int) -> tuple[frozenset[str], frozenset[str]]:
    """Words for the agent and for the object, as stems; a passive is turned round."""
    left = _telling(reversed(words[max(0, index - 2 * _REACH) : index]))
    right = _telling(iter(words[index + 1 : index + 1 + 2 * _REACH]))
    common = left & right
    left, right = left - common, right - common
    return (right, left) if is_passive(words, index) else (left, right)


def is_passive(words: Sequence[Word], index: int) -> bool:
    """True for a verb as in "is extended by" or "extended by", whose agent comes behind it."""
    following = [word.lower for word in words[index + 1 : index + 3]]
    if "by" not in following:
        return False
    been = any(word.lower in _BE for word in words[max(0, index - 2) : index])
    return been or words[index].lower.endswith(_PARTICIPLES)


def _telling(words: Iterator[Word]) -> frozenset[str]:
    found: list[str] = []
    for word in words:
        if word.text in ".;:" or len(found) == _REACH:
            break
        if word.tells:
            found.append(word.stem)
    return frozenset(found)
