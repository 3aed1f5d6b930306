"""Answers without a model: the sentences of the papers, verbatim, whose passages score best.

The score is the probability that a passage bears an answer out: a logistic function of what needs no model but the one
that embeds. Its constants are fitted by `python -m benchmarks.answers --fit` on claims of SciFact and on questions to
abstracts, half of which have no answer there. A name of the question that the passage lacks lowers the score and does
not end it: as a bar it refused a fifth of the claims that their abstracts bear out.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from citeplug.ask.retrieval import EmbeddedQuery, nearest
from citeplug.prepare.quantities import asks_for_quantity, differ, has_quantity
from citeplug.prepare.statements import own_sentences
from citeplug.protocols import Vectors
from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence, AskedPassage, AskedText
from citeplug.related.attribute.attribution import rouge1_precision
from citeplug.related.attribute.claims import unknown_names
from citeplug.related.attribute.numbers import numbers_of, unknown_numbers
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import coverage, telling_stems

Embed = Callable[[Sequence[str]], Vectors]

CONSTANT = -9.3
# In the order of `features`.
WEIGHTS = (12.8, 3.1, 2.1, -5.1, -0.9)
LEAST = 0.75  # probability from which a passage counts as an answer
_LEAST_OF_NEAREST = 0.55  # of the abstract that is nearest by meaning: 9.6 % false answers on SciFact
_COMPARED = 48  # sentences that are embedded for a question: 4 ms each
_SHORTEST = 4  # words of a sentence
_COVERED = 0.4  # weight of the question's words beside the cosine, for a sentence
_NUMBERLESS = 0.2  # taken from a sentence without a number where one is asked
_MOST_SENTENCES = 5  # sentences of an answer
_OF_A_PASSAGE = 2
_FALL = 0.15  # of the score, below the passage's best sentence, within which another one is taken
_FALL_OF_ALL = 0.2  # below the best of all


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


def answer_extractively(
    question: EmbeddedQuery, texts: Sequence[AskedText], passages: Sequence[AskedPassage], embed: Embed
) -> Answer:
    """The sentences of the passages that answer, in the order of the papers, or a refusal.

    `embed` gives the unit vectors of sentences, (n, d).
    """
    scored = score_passages(question, texts, passages, embed)
    ranked = [replace(result.passage, score=result.probability) for result in scored]
    bearing = [passage for passage in scored if passage.probability >= LEAST]
    best = _choose(question.text, bearing or _nearest_abstract(question, scored, embed))
    sentences = _mark_conflicts(question.text, [_quoted(sentence) for sentence in best])
    return Answer(question.text, not sentences, tuple(sentences), nearest(ranked), tuple(texts))


def summarize(question: str, texts: Sequence[AskedText], passages: Sequence[AskedPassage]) -> Answer:
    """What the authors of the nearest texts say that they do, in their words; of each its best passages first.

    `passages` are such as `with_overviews` gives.
    """
    ranked = sorted(passages, key=lambda passage: -passage.score)
    ids = list(dict.fromkeys(passage.text_id for passage in ranked))[:_MOST_SENTENCES]
    sentences: list[AnswerSentence] = []
    for text in [text.id for text in texts if text.id in ids]:
        own: dict[str, AnswerCitation] = {}
        for passage in ranked:
            for start, end in own_sentences(passage.text) if passage.text_id == text else ():
                own.setdefault(passage.text[start:end], passage.cited(start, end))
        best = [*own.items()][: _MOST_SENTENCES // len(ids)]
        sentences += [AnswerSentence(words, (citation,), 1.0, "quoted") for words, citation in best]
    return Answer(question, not sentences, tuple(sentences), nearest(ranked), tuple(texts))


def _nearest_abstract(question: EmbeddedQuery, scored: Sequence[ScoredPassage], embed: Embed) -> list[ScoredPassage]:
    """The abstract that is nearest by meaning, if it is likely enough to answer: a name in the question, which is in the
    title too, counts little in the score.
    """
    abstracts = [result for result in scored if result.passage.number == 0]
    if not abstracts:
        return []
    cosines = embed([result.passage.text for result in abstracts]) @ question.vector
    nearest_one = abstracts[int(cosines.argmax())]
    return [nearest_one] if nearest_one.probability >= _LEAST_OF_NEAREST else []


def _choose(question: str, bearing: Sequence[ScoredPassage]) -> list[ScoredSentence]:
    """The best sentences of the passages that bear an answer out, in their natural order; where a number is asked, those
    that have one, if any does.
    """
    sentences = [
        sentence
        for passage in bearing
        for sentence in passage.sentences[:_OF_A_PASSAGE]
        if sentence.score >= passage.sentences[0].score - _FALL
    ]
    if asks_for_quantity(question):
        sentences = [sentence for sentence in sentences if has_quantity(sentence.text)] or sentences
    best = sorted(sentences, key=lambda sentence: -sentence.score)[:_MOST_SENTENCES]
    best = [sentence for sentence in best if sentence.score >= best[0].score - _FALL_OF_ALL]
    order = {id(scored.passage): place for place, scored in enumerate(bearing)}
    return sorted(best, key=lambda sentence: (order[id(sentence.passage)], sentence.start))


def _quoted(sentence: ScoredSentence) -> AnswerSentence:
    citation = sentence.passage.cited(sentence.start, sentence.end)
    return AnswerSentence(sentence.text, (citation,), rouge1_precision(sentence.text, sentence.passage.text), "quoted")


def _mark_conflicts(question: str, sentences: Sequence[AnswerSentence]) -> list[AnswerSentence]:
    """Sentences of two texts that give different numbers for the quantity that is asked are in conflict."""
    if not asks_for_quantity(question):
        return list(sentences)
    given = [numbers_of(sentence.text) for sentence in sentences]
    marked = list(sentences)
    for one, other in combinations(range(len(marked)), 2):
        apart = marked[one].citations[0].paper != marked[other].citations[0].paper
        if apart and differ(question, given[one], given[other]):
            for at in (one, other):
                marked[at] = replace(marked[at], status="conflict")
    return marked


def score_passages(
    question: EmbeddedQuery, texts: Sequence[AskedText], passages: Sequence[AskedPassage], embed: Embed
) -> list[ScoredPassage]:
    """The passages with their scores, in the order given."""
    titles = {text.id: text.title for text in texts}
    together = {text.id: titles[text.id] for text in texts}
    for passage in passages:
        together[passage.text_id] = f"{together.get(passage.text_id, '')} . {passage.section} . {passage.text}"
    most = max(3, _COMPARED // max(1, len(passages)))
    spans = [_nearest_by_words(question.text, passage.text, most) for passage in passages]
    sentences = [p.text[start:end] for p, own in zip(passages, spans, strict=True) for start, end in own]
    cosines = iter((embed(sentences) @ question.vector).tolist() if sentences else [])
    scored = []
    for passage, own in zip(passages, spans, strict=True):
        near = [next(cosines) for _ in own]
        title = titles.get(passage.text_id, "")
        values = features(question.text, title, passage, together[passage.text_id], near)
        scored.append(ScoredPassage(passage, values, _sentences(question.text, title, passage, own, near)))
    return scored


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
