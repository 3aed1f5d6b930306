"""How near the wording of a paper is to a query's: words that stand together in both, and words of the title.

An index of single words does not know that two of them stand side by side. To look at the texts of the best
candidates alone tells as much as an index of word pairs would, and takes no room (pairs as dependent terms:
Metzler and Croft, "A Markov random field model for term dependencies", SIGIR 2005).
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

from citeplug.records.paper import Paper

T = TypeVar("T")
_LONGEST = 20_000  # characters of a text that are looked at
_STEM = 6  # letters: enough to tell words apart, few enough to make `networks` and `networking` one
_SHORT_TITLE = 4.0  # weight of words that a title is taken to have beside its own: one of two words proves little
# Every sign of ASCII parts words; a regular expression for words takes eight times as long.
_PARTING = {code: " " for code in range(128) if not chr(code).isalnum()}
# Words of grammar; two words with one of them between stand together.
_STOP = frozenset(
    """a also an and are as at be been but by can for from has have if in into is it no not of on or our such that the
    their then there these they this to was we which will with""".split()
)


class Wording:
    """The titles and abstracts of some papers, to compare texts with; what many of these papers have in common counts
    little."""

    def __init__(self, papers: Mapping[str, Paper]) -> None:
        self._titles = {value: frozenset(_stems(paper.title)) for value, paper in papers.items()}
        self._words = {value: _stems(f"{paper.title}. {paper.abstract}") for value, paper in papers.items()}

    def pairs(self, text: str) -> dict[str, float]:
        """For each paper the weight, 0 or more, of the word pairs that it has in common with `text`."""
        asked = _stems(text)
        wanted = set(pairwise(asked))
        found = {value: wanted.intersection(pairwise(words)) for value, words in self._words.items()}
        weights = _weights(found)
        return {value: math.fsum(weights[pair] for pair in pairs) for value, pairs in found.items()}

    def titles(self, text: str) -> dict[str, float]:
        """For each paper how much of its title `text` says, from 0 to below 1."""
        asked, weights = set(_stems(text)), _weights(self._titles)
        return {value: _share(words, asked, weights) for value, words in self._titles.items()}


def _share(title: frozenset[str], asked: set[str], weights: Mapping[str, float]) -> float:
    # Exact sums: the order of a set differs from process to process, and with it the last digits of a plain one.
    total = math.fsum(weights[word] for word in title)
    return math.fsum(weights[word] for word in title & asked) / (total + _SHORT_TITLE)


def _weights(found: Mapping[str, Collection[T]]) -> dict[T, float]:
    """By how few of the papers have it, as inverse document frequency."""
    having = Counter(each for of_one in found.values() for each in of_one)
    return {each: math.log(1 + len(found) / count) for each, count in having.items()}


def _stems(text: str) -> list[str]:
    return list(filter(None, map(_stem, text[:_LONGEST].lower().translate(_PARTING).split())))


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    """ "" for a word of grammar."""
    if word in _STOP:
        return ""
    return (word[:-1] if word.endswith("s") and len(word) > 3 else word)[:_STEM]
