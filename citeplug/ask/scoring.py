"""Score of a passage as the answer to a question: the probability that it bears an answer out.

A logistic function of what needs no model but the one that embeds. Its constants are fitted by
`python -m benchmarks.answers --fit` on claims of SciFact and on questions to abstracts, half of which have no answer
there. A name of the question that the passage lacks lowers the score and does not end it: as a bar it refused a fifth
of the claims that their abstracts bear out.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from citeplug.prepare.quantities import asks_for_quantity, has_quantity
from citeplug.protocols import Vectors
from citeplug.records.answer import AskedPassage, AskedText
from citeplug.related.attribute.attribution import rouge1_precision
from citeplug.related.attribute.claims import unknown_names
from citeplug.related.attribute.numbers import unknown_numbers
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import coverage, telling_stems

Embed = Callable[[Sequence[str]], Vectors]

CONSTANT = -9.3
# In the order of `features`.
WEIGHTS = (12.8, 3.1, 2.1, -5.1, -0.9)
LEAST = 0.75  # probability from which a passage counts as an answer
_COMPARED = 48  # sentences that are embedded for a question: 4 ms each
_SHORTEST = 4  # words of a sentence
_COVERED = 0.4  # weight of the question's words beside the cosine, for a sentence
_NUMBERLESS = 0.2  # taken from a sentence without a number where one is asked


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence of a passage, `start` to `end` (code points, half-open); `score` orders sentences of one question."""

    passage: AskedPassage
    start: int
    end: int
    score: float

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage with its sentences, best first, and the features of its score."""

    passage: AskedPassage
    features: tuple[float, ...]
    sentences: tuple[ScoredSentence, ...]

    @property
    def probability(self) -> float:
        """0 to 1, that the passage bears an answer out."""
        return 1 / (1 + math.exp(-CONSTANT - sum(w * x for w, x in zip(WEIGHTS, self.features, strict=True))))


def score_passages(
    question: str, asked: Vectors, texts: Sequence[AskedText], passages: Sequence[AskedPassage], embed: Embed
) -> list[ScoredPassage]:
    """The passages with their scores, in the order given. `asked` is the question's unit vector (d,)."""
    titles = {text.id: text.title for text in texts}
    together = {text.id: titles[text.id] for text in texts}
    for passage in passages:
        together[passage.text_id] = f"{together.get(passage.text_id, '')} . {passage.section} . {passage.text}"
    most = max(3, _COMPARED // max(1, len(passages)))
    places = [_nearest_by_words(question, passage.text, most) for passage in passages]
    said = [p.text[start:end] for p, each in zip(passages, places, strict=True) for start, end in each]
    cosines = iter((embed(said) @ asked).tolist() if said else [])
    found = []
    for passage, each in zip(passages, places, strict=True):
        near = [next(cosines) for _ in each]
        title = titles.get(passage.text_id, "")
        values = features(question, title, passage, together[passage.text_id], near)
        found.append(ScoredPassage(passage, values, _sentences(question, title, passage, each, near)))
    return found


def features(
    question: str, title: str, passage: AskedPassage, text: str, cosines: Sequence[float]
) -> tuple[float, ...]:
    """The best sentence's cosine, the share of the question's words in the passage, ROUGE-1 precision of the question
    against it, 1 if a number is asked and it has none, 1 if `text` lacks a name or a number of the question.

    Words of the title are left out of the share: they say which paper is meant, not what is asked of it.
    """
    asked = _asked_of(question, title)
    return (
        max(cosines, default=0.0),
        coverage(asked, f"{passage.section} {passage.text}") if asked else 1.0,
        rouge1_precision(question, passage.text),
        float(asks_for_quantity(question) and not has_quantity(passage.text)),
        float(any(unknown_names(question, [text])) or any(unknown_numbers(question, [text]))),
    )


def _asked_of(question: str, title: str) -> frozenset[str]:
    return telling_stems(question) - telling_stems(title)


def _nearest_by_words(question: str, text: str, most: int) -> list[tuple[int, int]]:
    """Places of the `most` sentences with the largest share of the question's words; not of headings within the text."""
    asked, all_of = telling_stems(question), split_sentences(text)
    whole = [(start, end) for start, end in all_of if len(text[start:end].split()) >= _SHORTEST] or all_of
    return sorted(whole, key=lambda at: -coverage(asked, text[at[0] : at[1]]))[:most]


def _sentences(
    question: str, title: str, passage: AskedPassage, places: Sequence[tuple[int, int]], cosines: Sequence[float]
) -> tuple[ScoredSentence, ...]:
    asked = _asked_of(question, title) or telling_stems(question)
    number = asks_for_quantity(question)
    found = []
    for (start, end), cosine in zip(places, cosines, strict=True):
        said = passage.text[start:end]
        score = cosine + _COVERED * coverage(asked, said) - _NUMBERLESS * (number and not has_quantity(said))
        found.append(ScoredSentence(passage, start, end, score))
    return tuple(sorted(found, key=lambda sentence: -sentence.score))
