"""Reasons to read a paper: a specific phrase of the draft, a work that it is like, or its nearest sentence.

They are found for the papers of a list, from the texts by which these were searched, after the choice is made: they
compare the papers with each other, and change nothing in their order. A phrase is specific if few papers of the whole
catalogue have its words: "neural network" says nothing of a paper, "spliced alignment" does.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from textwrap import shorten
from typing import NamedTuple

from citeplug.protocols import Vectors
from citeplug.records.paper import Paper, Query, Reason
from citeplug.related.retrieve.queries import CITATIONS, LONGEST_PHRASE, THEME, key_phrases
from citeplug.text.cleaning import plain
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import stem

_PHRASES = 80  # of a part of the draft that are looked for in the papers
_SHOWN = 2  # phrases of one reason
_SHOWN_KEYS = 2
# One of so many records may have all words of a specific phrase, and a specific word by itself.
_PHRASE, _ALONE = 400, 2000
_ALWAYS = 10  # records that may have a phrase in a small catalogue, which tells nothing of single words
_LONGEST_SENTENCE = 220  # characters
_NEAR = 0.55  # cosine of a paper and a cited title: below it they rarely share more than a field
_AS_NEAR = 0.05  # of the nearest: a second one is named too
_NAMED_FOR = 4  # one of so many papers of a list are those nearest to a citation, for which it is named
_WORD = re.compile(r"[^\W_]+")
_BETWEEN = r"[\s\-–/~]+"  # words of a phrase; a dot is in an address
# The title and the key phrases say nothing that the other parts do not; the citations are a reason of their own.
_NO_PARTS = ("title", "phrases", CITATIONS, THEME)

_Gram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CatalogueWords:
    """How common words are: `records_with` gives for texts the number of the `records` that have all their words."""

    records: int
    records_with: Callable[[Sequence[str]], Mapping[str, int]]

    def rarity(self, words: Sequence[str]) -> dict[str, float]:
        """Nats by how few records have each word; 0 for one that is not indexed, as those of grammar."""
        counts = self.records_with(words)
        return {word: math.log(max(self.records, count) / count) if count else 0.0 for word, count in counts.items()}

    def specific(self, phrases: Sequence[str]) -> dict[str, int]:
        """Those of the phrases that few records have, each with how many have its words."""
        counts = self.records_with(phrases)
        most = max(_ALWAYS, self.records // _PHRASE), self.records // _ALONE
        return {phrase: count for phrase, count in counts.items() if 0 < count <= most[" " not in phrase]}


def explain(
    papers: Sequence[Paper],
    vectors: Mapping[str, Vectors],
    queries: Sequence[tuple[Query, Vectors]],
    catalogue: CatalogueWords,
    cited: Sequence[tuple[str, Vectors]] = (),
    own: Mapping[str, str] | None = None,
) -> dict[str, tuple[Reason, ...]]:
    """Reasons for each of the papers, by id, the strongest first; none for a paper of which nothing can be said.

    `vectors` are unit vectors (d,) of papers by id; `queries` are the draft's, each with its unit vector (d,), the main
    one first; `cited` are keys of what the draft cites, with unit vectors of the titles. `own` are the draft's keys of
    the papers themselves, by id: a paper is no reason for itself.
    """
    texts = {paper.id.value: _Text(paper) for paper in papers}
    telling = [pair for pair in queries if pair[0].aspect not in _NO_PARTS] or queries[:1]
    parts = [_DraftPart(query, vector, texts, vectors, catalogue) for query, vector in telling]
    near = _near_citations(texts, vectors, cited, own or {})
    reasons_by_id: dict[str, tuple[Reason, ...]] = {}
    for value, text in texts.items():
        # Of equals the main part, which comes first.
        phrased = min(parts, key=lambda part: part.phrases[value][:1] or [_NONE], default=None)
        words = [] if phrased is None else phrased.words(value)
        nearest = min(parts, key=lambda part: part.place[value], default=None)
        meaning = [] if words or nearest is None else nearest.meaning(text, near=value in vectors)
        reasons_by_id[value] = (*words, *near.get(value, ()), *meaning)
    return reasons_by_id


class _Phrase(NamedTuple):
    """A specific phrase that a part of the draft shares with a paper; sorted, the longest come first, then the rarest.

    `length` is minus its number of words, `records` how many records have them, `written` how the draft writes it.
    """

    length: int
    records: int
    written: str


_NONE = _Phrase(0, 0, "")


class _Text:
    """The stems of a paper, the runs of up to four in it, and its sentences, each with its stems."""

    def __init__(self, paper: Paper) -> None:
        title, abstract = _stems(paper.title), _stems(paper.abstract)
        self.stems = frozenset([*title, *abstract])
        self.grams = frozenset([*_grams(title), *_grams(abstract)])
        self.abstract = paper.abstract

    def sentences(self) -> list[tuple[str, frozenset[str]]]:
        sentences = [self.abstract[start:end] for start, end in split_sentences(self.abstract)]
        return [(sentence, frozenset(_stems(sentence))) for sentence in sentences]


class _DraftPart:
    """A part of the draft beside the papers, each by its id.

    `place` is that of a paper among the others, from 0, by words and by meaning, summed; `phrases` are those to show.
    """

    def __init__(
        self,
        query: Query,
        vector: Vectors,
        texts: Mapping[str, _Text],
        vectors: Mapping[str, Vectors],
        catalogue: CatalogueWords,
    ) -> None:
        self.name = query.aspect.removeprefix("section:")
        phrases = [words for phrase in key_phrases(query.text, _PHRASES) if (words := _WORD.findall(phrase))]
        rarity = catalogue.rarity(sorted({word for words in phrases for word in words}))
        self._rarity = {stem(word): nats for word, nats in rarity.items()}
        near = {value: float(vectors[value] @ vector) if value in vectors else 0.0 for value in texts}
        worded = {value: math.fsum(self._rarity.get(word, 0.0) for word in text.stems) for value, text in texts.items()}
        self.place: Counter[str] = Counter()
        for scores in (near, worded):
            self.place.update(
                {text: place for place, text in enumerate(sorted(texts, key=lambda value: -scores[value]))}
            )
        stems = [[stem(word) for word in words] for words in phrases]
        shared = {value: list(_shared(phrases, stems, text)) for value, text in texts.items()}
        counts = catalogue.specific(sorted({phrase for some in shared.values() for phrase in some}))
        specific = {
            phrase: _Phrase(-len(phrase.split()), count, written)
            for phrase, count in counts.items()
            if (written := _as_written(phrase, query.text))
        }
        self.phrases = {
            value: _apart(sorted(specific[phrase] for phrase in some if phrase in specific))
            for value, some in shared.items()
        }

    def words(self, value: str) -> list[Reason]:
        written = tuple(phrase.written for phrase in self.phrases[value])
        quoted = " and ".join(f"“{phrase}”" for phrase in written)
        return [Reason("words", f"shares with your {self.name}: {quoted}", self.name, written)] if written else []

    def meaning(self, text: _Text, *, near: bool) -> list[Reason]:
        """The sentence of the paper that has most of the part's rare words for its length."""
        best = max(text.sentences(), key=lambda sentence: self._shared_rarity(sentence[1]), default=None)
        if best is None or not self._shared_rarity(best[1]):
            return [Reason("meaning", f"near your {self.name} in meaning", self.name)] if near else []
        quoted = shorten(plain(best[0]), _LONGEST_SENTENCE, placeholder=" …")
        return [Reason("meaning", f"near your {self.name}; this paper says “{quoted}”", self.name, says=quoted)]

    def _shared_rarity(self, stems: Collection[str]) -> float:
        return math.fsum(self._rarity.get(word, 0.0) for word in stems) / math.sqrt(max(1, len(stems)))


def _shared(phrases: Sequence[list[str]], stems: Sequence[list[str]], text: _Text) -> Iterator[str]:
    """The longest run of each phrase that the paper has side by side."""
    for words, phrase_stems in zip(phrases, stems, strict=True):
        for start, end in sorted(combinations(range(len(words) + 1), 2), key=lambda bound: bound[0] - bound[1]):
            if tuple(phrase_stems[start:end]) in text.grams:
                yield " ".join(words[start:end])
                break


def _apart(phrases: Sequence[_Phrase]) -> list[_Phrase]:
    """The first that are shown, none with a word of another."""
    shown: list[_Phrase] = []
    used: set[str] = set()
    for phrase in phrases:
        words = set(_stems(phrase.written))
        if len(shown) < _SHOWN and used.isdisjoint(words):
            shown.append(phrase)
            used |= words
    return shown


def _as_written(phrase: str, text: str) -> str:
    """A phrase as the draft has it, with its hyphens and capitals; empty where dots part its words, as in addresses."""
    match = re.search(rf"\b{_BETWEEN.join(map(re.escape, phrase.split()))}\b", text, re.IGNORECASE)
    return plain(match[0]) if match else ""


def _near_citations(
    texts: Mapping[str, _Text],
    vectors: Mapping[str, Vectors],
    cited: Sequence[tuple[str, Vectors]],
    own: Mapping[str, str],
) -> dict[str, list[Reason]]:
    """For papers the citations that they are nearest to. A citation that is near all of them is named for few."""
    near_by_id: dict[str, list[tuple[float, str]]] = {}
    for key, vector in cited:
        cosines = [(float(vectors[value] @ vector), value) for value in texts if value in vectors]
        others = sorted((pair for pair in cosines if own.get(pair[1]) != key), reverse=True)
        for cosine, value in others[: max(1, len(texts) // _NAMED_FOR)]:
            if cosine >= _NEAR:
                near_by_id.setdefault(value, []).append((cosine, key))
    reasons = {}
    for value, near in near_by_id.items():
        best = max(cosine for cosine, _ in near)
        ordered = sorted(near, key=lambda pair: (-pair[0], pair[1]))[:_SHOWN_KEYS]
        keys = tuple(key for cosine, key in ordered if cosine >= best - _AS_NEAR)
        reasons[value] = [
            Reason("citation", f"similar to {' and '.join(keys)}, which you cite", "citations", keys=keys)
        ]
    return reasons


def _stems(text: str) -> list[str]:
    return [stem(word) for word in _WORD.findall(text.lower())]


def _grams(stems: Sequence[str]) -> Iterator[_Gram]:
    for length in range(1, LONGEST_PHRASE + 1):
        yield from (tuple(stems[start : start + length]) for start in range(len(stems) - length + 1))
