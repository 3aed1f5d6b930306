"""Reasons why papers are near a draft: the part of it that each is nearest to, common words, the draft's citations.

They are found for the papers of a list, from the texts by which these were searched, after the choice is made: they
compare the papers with each other, and change nothing in their order.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from citeplug.protocols import Vectors
from citeplug.records.paper import Paper, Query, Reason
from citeplug.related.retrieve.phrases import LONGEST_PHRASE, key_phrases
from citeplug.related.retrieve.queries import CITATIONS, THEME
from citeplug.text.stems import stem

_PHRASES = 80  # of a part of the draft that are looked for in the papers
_SHOWN = 3  # words or phrases of one reason
_SHOWN_KEYS = 2
_NEAR = 0.55  # cosine of a paper and a cited title: below it they rarely share more than a field
_NAMED_FOR = 4  # one of so many papers of a list are those nearest to a citation, for which it is named
_IN_TITLE = 3  # times that a word of the title counts
_COMMON = math.log(3)  # rarity of a word that half of the papers have
_WORD = re.compile(r"[^\W_]+")
# The title and the key phrases say nothing that the other parts do not; the citations are a reason of their own.
_NO_PARTS = ("title", "phrases", CITATIONS, THEME)

_Gram = tuple[str, ...]


def explain(
    papers: Sequence[Paper],
    vectors: Mapping[str, Vectors],
    queries: Sequence[tuple[Query, Vectors]],
    cited: Sequence[tuple[str, Vectors]] = (),
    own: Mapping[str, str] | None = None,
) -> dict[str, tuple[Reason, ...]]:
    """Reasons for each of the papers, by id; none for a paper of which nothing can be said.

    `vectors` are unit vectors (d,) of papers by id; `queries` are the draft's, each with its unit vector (d,), the main
    one first; `cited` are keys of what the draft cites, with unit vectors of the titles. `own` are the draft's keys of
    the papers themselves, by id: a paper is no reason for itself.
    """
    texts = {paper.id.value: _Text(paper) for paper in papers}
    rarity = _rarity(list(texts.values()))
    telling = [each for each in queries if each[0].aspect not in _NO_PARTS] or queries[:1]
    parts = [_Part(query, vector, texts, vectors, rarity) for query, vector in telling]
    near = _near_citations(texts, vectors, cited, own or {})
    found: dict[str, tuple[Reason, ...]] = {}
    for value in texts:
        # The part that says most for this paper beside the others; of equals the main one, which comes first.
        best = min(parts, key=lambda part: part.place[value], default=None)
        reasons = [] if best is None else best.reasons(value, near=value in vectors)
        found[value] = (*reasons, *near.get(value, ()))
    return found


class _Text:
    """Counts of each stem in a paper, those of its title weighted more, and the runs of up to four stems in it."""

    def __init__(self, paper: Paper) -> None:
        title, abstract = _stems(paper.title), _stems(paper.abstract)
        self.times = Counter(title * _IN_TITLE + abstract)
        self.grams = frozenset([*_grams(title), *_grams(abstract)])


class _Part:
    """A part of the draft beside the papers.

    `place` is that of each paper among the others, from 0, by words and by meaning, summed; `common` are words.
    """

    def __init__(
        self,
        query: Query,
        vector: Vectors,
        texts: Mapping[str, _Text],
        vectors: Mapping[str, Vectors],
        rarity: Mapping[str, float],
    ) -> None:
        self.name = query.aspect.removeprefix("section:")
        phrases = [_WORD.findall(phrase) for phrase in key_phrases(query.text, _PHRASES)]
        stems = [[stem(word) for word in words] for words in phrases]
        said = Counter(_stems(query.text))
        # A single word that the draft says in passing, or that most of the papers have, is no reason to read one.
        alone = {word for word in said if said[word] > 1 and rarity.get(word, 0.0) > _COMMON and len(word) > 1}
        near = {value: float(vectors[value] @ vector) if value in vectors else 0.0 for value in texts}
        worded: dict[str, float] = {}
        self.common: dict[str, tuple[str, ...]] = {}
        for value, text in texts.items():
            runs = dict(_shared(phrases, stems, alone, text))
            weights = {run: math.fsum(_weight(each, said, text, rarity) for each in run) for run in runs}
            worded[value] = math.fsum(weights.values())
            self.common[value] = _most_telling(runs, weights)
        self.place: Counter[str] = Counter()
        for scores in (near, worded):
            self.place.update({each: place for place, each in enumerate(sorted(texts, key=lambda each: -scores[each]))})

    def reasons(self, value: str, *, near: bool) -> list[Reason]:
        if words := self.common[value]:
            return [Reason("words", f"shares with your {self.name}: {', '.join(words)}", self.name, words)]
        return [Reason("meaning", f"near your {self.name} in meaning", self.name)] if near else []


def _weight(word: str, said: Mapping[str, int], text: _Text, rarity: Mapping[str, float]) -> float:
    """The share of a stem in the likeness of a part of the draft and a paper (tf-idf, with damped counts)."""
    return rarity[word] ** 2 * (1 + math.log(said[word])) * (1 + math.log(text.times[word]))


def _shared(
    phrases: Sequence[list[str]], stems: Sequence[list[str]], alone: Collection[str], text: _Text
) -> Iterator[tuple[_Gram, str]]:
    """The longest run of each phrase that the paper has side by side, as stems and as the draft writes it.

    One of a single word only if that is among `alone`, and the paper has it in its title or often.
    """
    for words, each in zip(phrases, stems, strict=True):
        for start, end in sorted(combinations(range(len(each) + 1), 2), key=lambda bound: bound[0] - bound[1]):
            run = tuple(each[start:end])
            if run in text.grams and (len(run) > 1 or (run[0] in alone and text.times[run[0]] >= _IN_TITLE)):
                yield run, " ".join(words[start:end])
                break


def _most_telling(runs: Mapping[_Gram, str], weights: Mapping[_Gram, float]) -> tuple[str, ...]:
    chosen: list[_Gram] = []
    for run in sorted(runs, key=lambda run: (-weights[run], run)):
        if len(chosen) < _SHOWN and not any(set(run) & set(other) for other in chosen):
            chosen.append(run)
    return tuple(runs[run] for run in chosen)


def _near_citations(
    texts: Mapping[str, _Text],
    vectors: Mapping[str, Vectors],
    cited: Sequence[tuple[str, Vectors]],
    own: Mapping[str, str],
) -> dict[str, list[Reason]]:
    """For papers the citations that they are nearest to. A citation that is near all of them is named for few."""
    found: dict[str, list[tuple[float, str]]] = {}
    for key, vector in cited:
        cosines = [(float(vectors[value] @ vector), value) for value in texts if value in vectors]
        others = sorted((each for each in cosines if own.get(each[1]) != key), reverse=True)
        for cosine, value in others[: max(1, len(texts) // _NAMED_FOR)]:
            if cosine >= _NEAR:
                found.setdefault(value, []).append((cosine, key))
    reasons = {}
    for value, near in found.items():
        keys = tuple(key for _, key in sorted(near, key=lambda each: (-each[0], each[1]))[:_SHOWN_KEYS])
        reasons[value] = [Reason("citation", f"like what you cite as {' and '.join(keys)}", "citations", keys=keys)]
    return reasons


def _rarity(texts: Sequence[_Text]) -> dict[str, float]:
    """Of stems, by how few of the papers have them: what all have in common tells nothing of one."""
    having = Counter(each for text in texts for each in text.times)
    return {each: math.log(1 + len(texts) / count) for each, count in having.items()}


def _stems(text: str) -> list[str]:
    return [stem(word) for word in _WORD.findall(text.lower())]


def _grams(stems: Sequence[str]) -> Iterator[_Gram]:
    for length in range(1, LONGEST_PHRASE + 1):
        yield from (tuple(stems[start : start + length]) for start in range(len(stems) - length + 1))
