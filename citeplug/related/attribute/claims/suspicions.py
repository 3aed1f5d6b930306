"""Suspicions against a sentence, from its words alone: a hint for the judge, and a mark on the sentence without one.

Only rules are here that hardly ever fall on true sentences (`python -m benchmarks.claims`).
"""

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
_ENOUGH = 4  # telling words, before it means anything that none of them is shared


def suspicions(text: str, sources: Sequence[str]) -> Iterator[Doubt]:
    """Suspicions against an English sentence, or a part of one, that speaks of `sources`."""
    said = words_of(text)
    given = [words_of(source[start:end]) for source in sources for start, end in split_sentences(source)]
    yield from _opposites(said, given)
    telling = _telling(said)
    if given and len(telling) >= _ENOUGH and not any(telling & _telling(words) for words in given):
        yield Doubt("unrelated", "no word of the sentence is in its source")


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
