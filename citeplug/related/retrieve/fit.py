"""Papers that fit a draft: a section has fewer than the breadth allows where too few do.

A fused score orders papers, but says nothing of the best ones: some of 90,000 records share words with any draft. Seven
numbers tell better, summed as a logistic regression weighs them: how near a paper is to some part of the draft, how
near the papers around it are, how many of the draft's words it has, whether the draft or several papers cite it, its
place among all that were found, and how much of its own words the draft says: one that shares a single word with it,
"cache" or "deep", has others of its own; and, against these, how near whatever was found is, as it is where a draft's
words are those of a whole field.

`Wording` compares texts by common word pairs and words of the title. An index of single words has no word pairs.
Comparing the texts of the best candidates is as good as an index of pairs, and takes no disk space (pairs as dependent
terms: Metzler and Croft, "A Markov random field model for term dependencies", SIGIR 2005).

Stop words and stems are its own. With those of `text/`, which leave out more words and cut off less, recall at 100 of
what 86 papers cite, on which no constant was chosen, falls from .698 to .687 (paired bootstrap, 95 %: -.025 to +.001);
at 20 it is .487 for .479 (-.006 to +.023). All that is compared here adds .025 to the former.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import mul
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from citeplug.protocols import PaperIndex, Vectors
from citeplug.records.paper import Candidate, Filter, Paper, Query

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

# Log-odds, fitted on 1,433 papers of 288 drafts, each read beside its draft: benchmarks/fit.py.
NEAREST = 7.0  # of the largest cosine to a query
AROUND = 6.9  # of its mean over the papers around
WORDS = 1.04  # of the share of words
CITED = 2.8  # for one that the draft cites, or that `LINKS` of its citations and of the papers found cite
BACKGROUND = -6.2  # of the mean cosine of the first papers to all queries
PLACE = 0.4  # of minus the logarithm of its place
OWN = 3.1  # of the share of its own words that the draft says, beyond that of the first papers: a short draft says few
CONSTANT = -5.5
WEIGHTS = (CONSTANT, NEAREST, AROUND, WORDS, CITED, BACKGROUND, PLACE, OWN)
# Even odds: 1.2 left out half of what belongs. benchmarks/results.md has both sides.
FITS = 0.0
SURELY = 1.6  # from here on 87 % clearly belong, and 2.5 % clearly do not; each scored by weights fitted on others
# Of fewer papers found the likeliest `FEW` are discussed, since there is nothing to compare them with.
COMPARED, FEW = 15, 3

LINKS = 3
PLACES = 3  # what the first place counts as: the first few are alike
FIRST, FOUND = 30, 90  # papers found, best first: those whose closeness is the background, those that can be around
NEIGHBOURS = 5
WORDED = 300  # place by words of the paper that words are compared with
# Where fewer than twice that have a word of the queries it is the middle one of them. That may be on the matter or far
# off, as the catalogue is on one field or on many. The 15th of 90,000 has 1.5 times the score of the 300th, and seldom
# more than 1.9 times.
BEST, LEAST_ABOVE, MOST_ABOVE = 15, 1.5, 1.9
MOST_WORDS, USUAL = 2.5, 1.4  # for a paper that was not compared the median


class Wording:
    """Titles and abstracts of some papers, to compare texts with; words that many of them have weigh little."""

    def __init__(self, papers: Mapping[str, Paper]) -> None:
        self._titles = {value: frozenset(_stems(paper.title)) for value, paper in papers.items()}
        self._words = {value: _stems(f"{paper.title}. {paper.abstract}") for value, paper in papers.items()}

    def pairs(self, text: str) -> dict[str, float]:
        """Return for each paper the weight, 0 or more, of the word pairs that it shares with `text`."""
        query_words = _stems(text)
        query_pairs = set(pairwise(query_words))
        shared = {value: query_pairs.intersection(pairwise(words)) for value, words in self._words.items()}
        weights = _weights(shared)
        return {value: math.fsum(weights[pair] for pair in pairs) for value, pairs in shared.items()}

    def titles(self, text: str) -> dict[str, float]:
        """Return for each paper the share of its title's words in `text`, from 0 to below 1."""
        query_words, weights = set(_stems(text)), _weights(self._titles)
        return {value: _share(words, query_words, weights) for value, words in self._titles.items()}

    def titled(self, text: str, fewest: int) -> list[str]:
        """Return the papers whose titles have every word of `text`; none if these are fewer than `fewest`."""
        query_words = set(_stems(text))
        return [value for value, title in self._titles.items() if len(query_words) >= fewest and query_words <= title]

    def vectors(self) -> dict[str, Vectors]:
        """Return a unit vector (n,) of each paper's words by id: TF-IDF over all words that two papers have."""
        counts = {value: Counter(filter(_tells, words)) for value, words in self._words.items()}
        weights, having = _weights(counts), Counter(word for count in counts.values() for word in count)
        column = {word: at for at, word in enumerate(word for word, papers in having.items() if papers > 1)}
        rows = np.zeros((len(counts), len(column)), np.float32)
        for row, count in zip(rows, counts.values(), strict=True):
            for word in count.keys() & column.keys():
                row[column[word]] = (1 + math.log(count[word])) * weights[word]
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        return dict(zip(counts, rows, strict=True))

    def own(self, text: str) -> dict[str, float]:
        """Return for each paper how much of its own most telling words `text` says, from 0 to 1.

        A paper that shares an ambiguous word alone tells of other things. Words of several of the first papers count
        half.
        """
        query_words = set(_stems(text))
        counts = {value: Counter(filter(_tells, words)) for value, words in self._words.items()}
        weights = _weights(counts)
        first = Counter(word for value in list(counts)[:_FIRST] for word in counts[value])
        shares = {}
        for row, (value, count) in enumerate(counts.items()):
            weighed = {word: (1 + math.log(times)) * weights[word] for word, times in count.items()}
            telling = sorted(weighed, key=lambda word: (-weighed[word], word))[:_OWN]
            known = {word for word in telling if first[word] - (row < _FIRST) >= _SEVERAL}
            common = math.fsum(
                weighed[word] * (1.0 if word in query_words else _HALF)
                for word in telling
                if word in query_words | known
            )
            shares[value] = common / (math.fsum(weighed[word] for word in telling) or 1.0)
        return shares


def _share(title: frozenset[str], query_words: set[str], weights: Mapping[str, float]) -> float:
    # Exact sums: the order of a set differs between processes, and with it the last digits of a plain sum.
    total = math.fsum(weights[word] for word in title)
    return math.fsum(weights[word] for word in title & query_words) / (total + _SHORT_TITLE)


def _weights(items_by_id: Mapping[str, Collection[T]]) -> dict[T, float]:
    """Return the inverse document frequency of each item."""
    having = Counter(item for of_one in items_by_id.values() for item in of_one)
    return {item: math.log(1 + len(items_by_id) / count) for item, count in having.items()}


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


def share_words(queries: Sequence[Query], ids: Collection[str], index: PaperIndex) -> dict[str, float]:
    """BM25 score of each of these papers for all queries as one, as a multiple of that of the catalogue's 300th paper.

    In a small catalogue of the middle one, within what its best ones let expect. Papers that have no word of the
    queries are left out.
    """
    text = " ".join(query.text for query in queries)
    first = [score for _, score in index.lexical(text, 2 * WORDED, Filter())]
    if not first or not ids:
        return {}
    usual = first[min(WORDED, len(first) // 2)]
    if len(first) < 2 * WORDED:
        best = first[min(BEST, len(first) // 2)]
        usual = min(best / LEAST_ABOVE, max(best / MOST_ABOVE, usual))
    return {value: score / usual for value, score in index.lexical(text, len(ids), Filter(among=frozenset(ids)))}


def share_own(queries: Sequence[Query], candidates: Sequence[Candidate]) -> dict[str, float]:
    """How much of each paper's own most telling words all queries together say, from 0 to 1.

    `candidates` are given best first.
    """
    papers = {candidate.paper.id.value: candidate.paper for candidate in candidates}
    return Wording(papers).own(" ".join(query.text for query in queries))


class DraftFit:
    """How well candidates fit: `candidates` are all of them, best first, with `vectors`, of unit length (d,), by id.

    `words` are as `share_words` gives them, `own` as `share_own`; a paper without has as many as usual. `cited` are the
    ids of papers that the draft cites. Of a candidate without a vector nothing is known: it fits.
    """

    def __init__(
        self,
        candidates: Sequence[Candidate],
        vectors: Mapping[str, Vectors],
        words: Mapping[str, float],
        cited: Collection[str] = (),
        own: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self._vectors, self._words, self._own, self._cited = vectors, words, own, cited
        self._place = {candidate.paper.id.value: place for place, candidate in enumerate(candidates, PLACES)}
        near = [candidate for candidate in candidates[:FOUND] if candidate.paper.id.value in vectors]
        self._ids = [candidate.paper.id.value for candidate in near]
        self._rows = np.stack([vectors[value] for value in self._ids]).astype(np.float64) if near else None
        self._nearest = np.array([candidate.nearest for candidate in near])
        self._background = float(np.mean([candidate.average for candidate in near[:FIRST]])) if near else 0.0
        own_shares = [
            own[candidate.paper.id.value] for candidate in candidates[:FIRST] if candidate.paper.id.value in own
        ]
        self._usual_own = math.fsum(own_shares) / max(1, len(own_shares))

    def fits(self, candidate: Candidate) -> bool:
        """Return True if a section may discuss the paper."""
        return self.score(candidate) >= FITS

    def among(self, candidates: Sequence[Candidate], first: int) -> list[Candidate]:
        """Return those that fit, in their order; where none does the likeliest of the `first`."""
        scores = [self.score(candidate) for candidate in candidates]
        rows = [row for row, score in enumerate(scores) if score >= FITS]
        likeliest = sorted(range(min(first, len(candidates))), key=lambda row: (-scores[row], row))
        enough = FEW if len(self._ids) < COMPARED else 1
        rows += [row for row in likeliest if row not in rows][: max(0, enough - len(rows))]
        return [candidate for row, candidate in enumerate(candidates) if row in rows]

    def score(self, candidate: Candidate) -> float:
        """Log-odds that the paper belongs into the section, as far as the regression goes."""
        numbers = self.numbers(candidate)
        # Rounded, so that the last bits of a product decide nothing.
        return np.inf if numbers is None else round(math.fsum(map(mul, WEIGHTS, (1.0, *numbers))), 4)

    def numbers(self, candidate: Candidate) -> tuple[float, ...] | None:
        """What tells that a paper fits, in the order of `WEIGHTS`; None if nothing is known."""
        value = candidate.paper.id.value
        vector = self._vectors.get(value)
        if vector is None or self._rows is None:
            return None
        links = candidate.links
        votes = 0 if links is None else len(links.cited_by_own) + len(links.cited_by_found)
        return (
            candidate.nearest,
            self._around(candidate, vector),
            min(MOST_WORDS, self._words.get(value, USUAL)),
            float(value in self._cited or votes >= LINKS),
            self._background,
            -math.log(self._place.get(value, PLACES + len(self._place))),
            self._own.get(value, self._usual_own) - self._usual_own,
        )

    def _around(self, candidate: Candidate, vector: Vectors) -> float:
        """Mean of the largest cosines to a query over the papers found that are nearest to this one."""
        assert self._rows is not None
        others = np.array([value_of_row != candidate.paper.id.value for value_of_row in self._ids])
        if not others.any():
            return candidate.nearest
        closest = np.argsort(-np.round(self._rows[others] @ vector, 6), kind="stable")[:NEIGHBOURS]
        return float(self._nearest[others][closest].mean())
