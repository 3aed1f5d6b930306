"""A small `PaperIndex` over a dictionary, with vectors that are counts of words, for tests of retrieval."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from citeplug.protocols import Rescorer, Vectors
from citeplug.records.paper import ArxivId, Filter, Paper

DIMENSIONS = 256


def paper(value: str, title: str, abstract: str = "", authors: Sequence[str] = ("Ada Lovelace",)) -> Paper:
    """A record; its day is the first of its id's month."""
    arxiv_id = ArxivId(ArxivId.parse(value).value, 1)
    day = arxiv_id.month
    return Paper(arxiv_id, title, abstract, tuple(authors), day, day, ("cs.LG",))


class MemoryIndex:
    """`synonyms` maps a word to the one in whose place it stands in the vector space, and there alone.

    Unless `whole`, it counts as too large to be embedded without need.
    `asked_for` holds the ids that `vectors` was to compute, in order. A bound of time lets `slow` of them pass.
    """

    def __init__(
        self,
        papers: Iterable[Paper] = (),
        synonyms: Mapping[str, str] | None = None,
        slow: int | None = None,
        *,
        whole: bool = False,
    ) -> None:
        self.whole = whole
        self._papers = {one.id.value: one for one in papers}
        self._synonyms = dict(synonyms or {})
        self._left = slow
        self.rescorer: Rescorer | None = None
        self.asked_for: list[str] = []
        self.embedded: dict[str, Vectors] = {}

    @property
    def records(self) -> int:
        return len(self._papers)

    def unembedded(self, most: int) -> list[str]:
        if not self.whole or len(self._papers) > most:
            return []
        return sorted((value for value in self._papers if value not in self.embedded), reverse=True)

    def papers(self, ids: Sequence[str]) -> Mapping[str, Paper]:
        return {value: self._papers[value] for value in ids if value in self._papers}

    def lexical(self, text: str, k: int, where: Filter) -> list[tuple[str, float]]:
        asked = _words(text)
        held = {v: _words(f"{p.title} {p.abstract}") for v, p in self._papers.items() if where.admits(p)}
        common = {word: sum(word in words for words in held.values()) for word in asked}
        scores = {
            value: sum(math.log(1 + len(held) / common[word]) for word in asked if word in words)
            for value, words in held.items()
        }
        found = [(value, score) for value, score in scores.items() if score > 0]
        return sorted(found, key=lambda item: (-item[1], item[0]))[:k]

    def keywords(self, text: str, k: int, where: Filter) -> list[tuple[str, float]]:
        return self.lexical(text, k, where)

    def records_with(self, texts: Sequence[str]) -> Mapping[str, int]:
        held = [_words(f"{paper.title} {paper.abstract}") for paper in self._papers.values()]
        return {text: sum(_words(text).keys() <= words.keys() for words in held) for text in texts}

    def nearest(self, vector: Vectors, k: int, where: Filter) -> list[tuple[str, float]]:
        found = [(v, float(e @ vector)) for v, e in self.embedded.items() if where.admits(self._papers[v])]
        return sorted(found, key=lambda item: (-item[1], item[0]))[:k]

    def vectors(self, ids: Sequence[str], seconds: float | None = None) -> Mapping[str, Vectors]:
        known = [value for value in ids if value in self._papers]
        for value in known:
            if value not in self.embedded and self._may_compute(seconds):
                self.asked_for.append(value)
                self.embedded[value] = self._vector(f"{self._papers[value].title} {self._papers[value].abstract}")
        return {value: self.embedded[value] for value in known if value in self.embedded}

    def vectors_of(self, papers: Sequence[Paper], seconds: float | None = None) -> Mapping[str, Vectors]:
        return {
            one.id.value: self._vector(f"{one.title} {one.abstract}") for one in papers if self._may_compute(seconds)
        }

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vector(text) for text in texts])

    def _may_compute(self, seconds: float | None) -> bool:
        if seconds is None:
            return True
        if seconds <= 0 or self._left == 0:
            return False
        if self._left is not None:
            self._left -= 1
        return True

    def _vector(self, text: str) -> Vectors:
        vector = np.zeros(DIMENSIONS, np.float32)
        for word, count in _words(text).items():
            # The built-in hash differs from process to process.
            place = int.from_bytes(self._synonyms.get(word, word).encode()[:8], "big")
            vector[place % (DIMENSIONS - 1)] += count
        length = float(np.linalg.norm(vector))
        return vector / length if length else vector


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[a-z]{3,}", text.lower()))
