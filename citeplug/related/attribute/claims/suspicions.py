"""Suspicions against a sentence, from its words alone: a hint for the judge, and a mark on the sentence without one.

Only rules are here that point at false sentences more often than at true ones (`python -m benchmarks.claims`).
"""

import re
from collections.abc import Iterator, Sequence

from citeplug.related.attribute.claims.evidence import Doubt, Word, words_of
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import stem


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


_OPPOSITES = tuple(
    (_stems(one), _stems(other))
    for one, other in (
        ("increase raise grow rise enlarge amplify", "decrease reduce drop decline diminish shrink fall cut lessen"),
        ("improve enhance boost", "degrade worsen harm hurt deteriorate impair weaken"),
        ("outperform surpass exceed beat", "underperform lag trail"),
        ("faster quicker accelerate", "slower decelerate"), ("better", "worse"), ("best", "worst"),
        ("higher highest", "lower lowest"), ("more", "less fewer"), ("larger bigger largest", "smaller smallest"),
        ("above", "below"), ("stronger", "weaker"), ("always", "never"), ("most", "least"),
        ("enable allow permit", "prevent forbid prohibit hinder"), ("positive", "negative"),
        ("global", "local"), ("online", "offline"), ("finite", "infinite"), ("sparse", "dense"),
        ("longer", "shorter"), ("earlier", "later"), ("upper", "lower"), ("known", "unknown"),
        ("supervised", "unsupervised"), ("stable", "unstable"), ("linear", "nonlinear"), ("directed", "undirected"),
        ("efficient", "inefficient"), ("dependent", "independent"), ("possible", "impossible"),
    )
)  # fmt: skip
_RESERVED = frozenset(
    """may might could possibly potentially perhaps likely slightly marginally partially partly sometimes occasionally
    suggest suggests suggested suggesting conjecture conjectures conjectured hypothesize hypothesizes hypothesized
    appears appear seem seems attempt attempts tries hope hopes speculate speculates""".split()
)
_RESERVES = _RESERVED | frozenset(
    """can unlikely often usually typically generally mostly mainly up nearly almost about certain some suspect suspects
    tend tends presumably should aim aims want wants believe believes probably propose proposes more most""".split()
)
_DENIES = frozenset(
    """not no never without cannot nor neither none hardly rarely seldom barely lack lacks fail fails failing unable
    nothing nobody impossible avoid avoids rather instead unlike dispense except little few free""".split()
)
_ENOUGH = 4  # telling words, before it means anything that none of them is shared
_THAN = re.compile(r"\b(?:than|compared (?:to|with)|against|over|surpass\w*|outperform\w*|exceed\w*)\s+", re.IGNORECASE)


def suspicions(text: str, sources: Sequence[str]) -> Iterator[Doubt]:
    """Suspicions against an English sentence, or a part of one, that speaks of `sources`."""
    said = words_of(text)
    given = [words_of(source[start:end]) for source in sources for start, end in split_sentences(source)]
    yield from _opposites(said, given)
    if not given:
        return
    telling = _telling(said)
    nearest = max(given, key=lambda words: len(_telling(words) & telling))
    if len(telling) >= _ENOUGH and not any(telling & _telling(words) for words in given):
        yield Doubt("unrelated", "no word of the sentence is in its source")
    yield from _reservation(said, nearest)
    yield from _denial(said, nearest)
    yield from _compared(text, given)


def _telling(words: Sequence[Word]) -> frozenset[str]:
    return frozenset(word.stem for word in words if word.tells)


def _opposites(said: Sequence[Word], given: Sequence[Sequence[Word]]) -> Iterator[Doubt]:
    """A word whose opposite the sources have beside the same words, and not itself."""
    have = {word.stem for words in given for word in words}
    for index, word in enumerate(said):
        for one, other in _OPPOSITES:
            side, against = (one, other) if word.stem in one else (other, one)
            if word.stem not in side or side & have:
                continue
            for words in given:
                for place, found in enumerate(words):
                    if found.stem in against and _near(said, index) & _near(words, place):
                        yield Doubt("opposite", f"the sentence says “{word.text}” where the source says “{found.text}”")
                        return


def _near(words: Sequence[Word], index: int) -> frozenset[str]:
    left = [word.stem for word in words[:index] if word.tells][-2:]
    return frozenset(left + [word.stem for word in words[index + 1 :] if word.tells][:2])


def _reservation(said: Sequence[Word], nearest: Sequence[Word]) -> Iterator[Doubt]:
    reserved = [word for word in nearest if word.lower in _RESERVED]
    if reserved and not any(word.lower in _RESERVES for word in said):
        yield Doubt("reservation", f"the source has a reservation (“{reserved[0].text}”), the sentence none")


def _denial(said: Sequence[Word], nearest: Sequence[Word]) -> Iterator[Doubt]:
    denied = [word for word in nearest if word.lower in _DENIES]
    if denied and not any(word.lower in _DENIES or word.lower.startswith(("un", "in", "non")) for word in said):
        yield Doubt("denial", f"the source denies something (“{denied[0].text}”), the sentence nothing")


def _compared(text: str, given: Sequence[Sequence[Word]]) -> Iterator[Doubt]:
    """What the sentence compares with, where the sources do not have it."""
    have = {word.stem for words in given for word in words}
    for match in _THAN.finditer(text):
        following = [word for word in words_of(text[match.end() :])[:6] if word.tells][:2]
        if len(following) == 2 and not any(word.stem in have for word in following):
            yield Doubt("comparison", f"the source does not speak of “{following[0].text} {following[1].text}”")
