"""Claims of a German sentence against quotations that are in English, or in German where it speaks of the draft.

What words mean is not compared. What is: numbers, names, denials, directions ("erhöht", "increases"), who is said to
outperform whom, strong words and reservations, and that the sentence shares a word with its sources at all.
"""

import re
from collections.abc import Iterator, Sequence

from citeplug.attribute.claims.across import anchors, is_anchored, key_of, unknown_names
from citeplug.attribute.claims.evidence import Doubt, Evidence, Word, words_of
from citeplug.attribute.claims.german_numbers import unknown_numbers
from citeplug.attribute.claims.german_words import (
    DENIALS,
    DIRECTIONS,
    GLOSSARY,
    NO_DENIAL,
    RELATIONS,
    RESERVATIONS,
    SOFT_DENIALS,
    STRONG,
    Direction,
)
from citeplug.attribute.claims.polarity import denies, polarities
from citeplug.attribute.claims.roles import is_passive
from citeplug.attribute.claims.strength import LESS_THAN_DONE

_SOFT_ENGLISH = re.compile(
    r"\b(?:un(?!der|i|til|to)\w{4,}|non[- ]?\w+|\w+[- ]free|\w{3,}less|few|little|instead|rather|hard|difficult|limited"
    r"|insufficient|avoid\w*|prevent\w*|only)\b",
    re.IGNORECASE,
)
_REACH = 6  # words
_LEAST_OF_THE_DRAFT = 0.4


def doubts(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    """Doubts that a German `segment` is borne out by `evidence`; none if every rule lets it pass."""
    yield from unknown_numbers(segment, evidence)
    yield from unknown_names(segment, evidence)
    yield from _turned_negations(segment, evidence)
    yield from _turned_directions(segment, evidence)
    yield from _swapped_roles(segment, evidence)
    yield from _inflations(segment, evidence)
    yield from _unsupported(segment, evidence)


def _turned_negations(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    bare = NO_DENIAL.sub(" ", segment)
    said = DENIALS.findall(bare)
    given = [word.text for word in words_of(evidence.said) if denies(word)] + DENIALS.findall(evidence.said)
    soft = _SOFT_ENGLISH.findall(evidence.said) + SOFT_DENIALS.findall(evidence.said)
    if len(said) > len(given) + len(soft):
        yield Doubt("negation", f"the quotation does not deny what the sentence denies with “{said[-1]}”")
    if said or SOFT_DENIALS.search(bare):
        return
    around = polarities(evidence.around)
    quoted = {word.stem for quote in evidence.quotes for word in words_of(quote) if word.tells}
    real = any(denies(word) for word in words_of(evidence.around))
    if (real and any(around.get(word) == {-1} for word in quoted)) or DENIALS.search(" ".join(evidence.quotes)):
        yield Doubt("negation", "the source denies something of what is quoted, and the sentence does not")


def _turned_directions(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    stems = {word.stem for word in words_of(evidence.said)}
    denied = bool(DENIALS.search(NO_DENIAL.sub(" ", segment)))
    for one, other, strict in DIRECTIONS:
        for side, opposite in ((one, other), (other, one)):
            word = side.german.search(segment)
            if word is None or _has(side, stems, evidence.said):
                continue
            if _has(opposite, stems, evidence.said) and not denied:
                yield Doubt("reversed", f"the sentence says “{word[0]}”, the quotation the opposite")
            elif strict:
                yield Doubt("unsupported", f"“{word[0]}” is not in the quotation")


def _has(side: Direction, stems: set[str], said: str) -> bool:
    return bool(side.english & stems) or bool(side.german.search(said))


def _swapped_roles(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    """Doubts on the two sides of "übertrifft" or "als", by the words that both languages share."""
    given = words_of(evidence.said)
    for german, english in RELATIONS:
        relation = german.search(segment)
        if relation is None:
            continue
        left, right = _german_sides(segment, relation)
        for index, word in enumerate(given):
            if word.stem not in english and word.lower not in english:
                continue
            before, after = _english_sides(given, index)
            straight = len(left & before) + len(right & after)
            crossed = len(left & after) + len(right & before)
            if crossed > straight:
                yield Doubt(
                    "reversed", f"what stands on either side of “{relation[0]}” is the other way round in the quotation"
                )
                return


def _german_sides(segment: str, relation: re.Match[str]) -> tuple[set[str], set[str]]:
    """Words for the agent and for the object; "wird von B übertroffen" is turned round."""
    before, after = segment[: relation.start()], segment[relation.end() :]
    by = re.search(r"\b(?:von|durch)\b", before)
    if by and re.search(r"\b(?:wird|werden|wurden?|worden)\b", segment):
        return _keys(before[by.end() :]), _keys(before[: by.start()])
    return _keys(before), _keys(after)


def _keys(text: str) -> set[str]:
    return {key_of(word.text) for word in words_of(text) if word.is_word and len(word.text) > 1}


def _english_sides(words: Sequence[Word], index: int) -> tuple[set[str], set[str]]:
    left = {key_of(word.text) for word in _near(list(reversed(words[:index])))}
    right = {key_of(word.text) for word in _near(words[index + 1 :])}
    return (right, left) if is_passive(words, index) else (left, right)


def _near(words: Sequence[Word]) -> list[Word]:
    found: list[Word] = []
    for word in words:
        if word.text in ".;:" or len(found) == _REACH:
            break
        if word.tells:
            found.append(word)
    return found


def _inflations(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    stems = {word.stem for word in words_of(re.sub(r"(?<=\w)-(?=\w)", "", evidence.said))}
    stems |= {word.stem for word in words_of(evidence.said)}
    for german, english in STRONG:
        strong = german.search(segment)
        if strong is not None and not english & stems and not german.search(evidence.said):
            yield Doubt("inflated", f"“{strong[0]}” is stronger than the quotation")
    if RESERVATIONS.search(segment):
        return
    if evidence.of_draft and RESERVATIONS.search(" ".join(evidence.quotes)):
        yield Doubt("inflated", "the source says so only with a reservation")
        return
    quoted = {word.stem for quote in evidence.quotes for word in words_of(quote) if word.tells}
    around = words_of(evidence.around)
    for index, word in enumerate(around):
        if word.lower in LESS_THAN_DONE and quoted & {other.stem for other in _near(around[index + 1 :])[:3]}:
            yield Doubt("inflated", f"the source says so only with “{word.text}”")
            return


def _unsupported(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    if evidence.of_draft:
        # The same language on both sides: most words must come from there.
        said = anchors(segment)
        share = len(said & anchors(evidence.said)) / len(said) if said else 1.0
        if share < _LEAST_OF_THE_DRAFT:
            yield Doubt("unsupported", "the draft says hardly any of this: quote what bears it out")
    elif not is_anchored(segment, evidence.said, GLOSSARY):
        yield Doubt(
            "unsupported", "nothing in the sentence is like anything in the quotations: quote what bears it out"
        )
