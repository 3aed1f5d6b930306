"""Similarity of a paper's wording to a query: common word pairs, and words of the title.

An index of single words has no word pairs. Comparing the texts of the best candidates is as good as an index of pairs,
and takes no disk space (pairs as dependent terms: Metzler and Croft, "A Markov random field model for term
dependencies", SIGIR 2005).

Stop words and stems are its own. With those of `text/`, which leave out more words and cut off less, recall at 100 of
what 86 papers cite, on which no constant was chosen, falls from .698 to .687 (paired bootstrap, 95 %: -.025 to +.001);
at 20 it is .487 for .479 (-.006 to +.023). All that is compared here adds .025 to the former.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

from citeplug.records.paper import Paper

T = TypeVar("T")
_LONGEST = 20_000  # characters of a text that are compared
_STEM = 6  # letters: long enough to distinguish words, short enough to make `networks` and `networking` one
_OWN = 15  # words of a paper that tell most of it
_FIRST, _SEVERAL, _HALF = (
    20,
    2,
    0.5,
)  # papers found whose words are known too where several have them, and what that counts
_SHORT_TITLE = 4.0  # added to the weight of every title, so that short titles do not score high by chance
# Every ASCII character but letters and digits separates words; a regular expression takes eight times as long.
_PARTING = {code: " " for code in range(128) if not chr(code).isalnum()}
# Stop words; two words with one of them between make a pair.
_STOP = frozenset(
    """a also an and are as at be been but by can for from has have if in into is it no not of on or our such that the
    their then there these they this to was we which will with""".split()
)


class Wording:
    """Titles and abstracts of some papers, to compare texts with; words that many of them have weigh little."""

    def __init__(self, papers: Mapping[str, Paper]) -> None:
        self._titles = {value: frozenset(_stems(paper.title)) for value, paper in papers.items()}
        self._words = {value: _stems(f"{paper.title}. {paper.abstract}") for value, paper in papers.items()}

    def pairs(self, text: str) -> dict[str, float]:
        """Return for each paper the weight, 0 or more, of the word pairs that it shares with `text`."""
        asked = _stems(text)
        wanted = set(pairwise(asked))
        found = {value: wanted.intersection(pairwise(words)) for value, words in self._words.items()}
        weights = _weights(found)
        return {value: math.fsum(weights[pair] for pair in pairs) for value, pairs in found.items()}

    def titles(self, text: str) -> dict[str, float]:
        """Return for each paper the share of its title's words in `text`, from 0 to below 1."""
        asked, weights = set(_stems(text)), _weights(self._titles)
        return {value: _share(words, asked, weights) for value, words in self._titles.items()}

    def own(self, text: str) -> dict[str, float]:
        """Return for each paper how much of its own most telling words `text` says, from 0 to 1.

        A paper that shares an ambiguous word alone tells of other things. Words of several of the first papers count
        half.
        """
        asked = set(_stems(text))
        counts = {value: Counter(filter(_tells, words)) for value, words in self._words.items()}
        weights = _weights(counts)
        first = Counter(word for value in list(counts)[:_FIRST] for word in counts[value])
        shares = {}
        for row, (value, count) in enumerate(counts.items()):
            weighed = {word: (1 + math.log(times)) * weights[word] for word, times in count.items()}
            telling = sorted(weighed, key=lambda word: (-weighed[word], word))[:_OWN]
            known = {word for word in telling if first[word] - (row < _FIRST) >= _SEVERAL}
            said = math.fsum(
                weighed[word] * (1.0 if word in asked else _HALF) for word in telling if word in asked | known
            )
            shares[value] = said / (math.fsum(weighed[word] for word in telling) or 1.0)
        return shares


def _share(title: frozenset[str], asked: set[str], weights: Mapping[str, float]) -> float:
    # Exact sums: the order of a set differs between processes, and with it the last digits of a plain sum.
    total = math.fsum(weights[word] for word in title)
    return math.fsum(weights[word] for word in title & asked) / (total + _SHORT_TITLE)


def _weights(found: Mapping[str, Collection[T]]) -> dict[T, float]:
    """Return the inverse document frequency of each item."""
    having = Counter(each for of_one in found.values() for each in of_one)
    return {each: math.log(1 + len(found) / count) for each, count in having.items()}


def _tells(word: str) -> bool:
    return len(word) > 1 and not word.isdigit()


def _stems(text: str) -> list[str]:
    return list(filter(None, map(_stem, text[:_LONGEST].lower().translate(_PARTING).split())))


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    """Return the stem of a word, "" for a stop word."""
    if word in _STOP:
        return ""
    return (word[:-1] if word.endswith("s") and len(word) > 3 else word)[:_STEM]
