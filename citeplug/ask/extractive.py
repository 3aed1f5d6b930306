"""Answers without a model: sentences of the papers, verbatim."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from citeplug.ask.refusal import cite, nearest, refuse
from citeplug.ask.scoring import LEAST, Embed, ScoredPassage, ScoredSentence, score_passages
from citeplug.prepare.quantities import asks_for_quantity, differ, has_quantity
from citeplug.protocols import Vectors
from citeplug.records.answer import Answer, AnswerSentence, AskedPassage, AskedText
from citeplug.related.attribute.attribution import rouge1_precision
from citeplug.related.attribute.numbers import numbers_of

_MOST = 5  # sentences of an answer
_OF_A_PASSAGE = 2
_FALL = 0.15  # of the score, below the passage's best sentence, within which another one is taken
_FALL_OF_ALL = 0.2  # below the best of all


def answer_extractively(
    question: str, asked: Vectors, texts: Sequence[AskedText], passages: Sequence[AskedPassage], embed: Embed
) -> Answer:
    """The sentences of the passages that answer, in the order of the papers, or a refusal.

    `asked` is the question's unit vector (d,), `embed` gives those of sentences, (n, d).
    """
    scored = score_passages(question, asked, texts, passages, embed)
    ranked = [replace(each.passage, score=each.probability) for each in scored]
    chosen = _choose(question, [each for each in scored if each.probability >= LEAST])
    if not chosen:
        return refuse(question, texts, ranked)
    sentences = _mark_conflicts(question, [_quoted(each) for each in chosen])
    return Answer(question, False, tuple(sentences), nearest(ranked), tuple(texts))


def _choose(question: str, bearing: Sequence[ScoredPassage]) -> list[ScoredSentence]:
    """The best sentences of the passages that bear an answer out, in their natural order; where a number is asked, those
    that have one, if any does.
    """
    found = [
        sentence
        for each in bearing
        for sentence in each.sentences[:_OF_A_PASSAGE]
        if sentence.score >= each.sentences[0].score - _FALL
    ]
    if asks_for_quantity(question):
        found = [sentence for sentence in found if has_quantity(sentence.text)] or found
    best = sorted(found, key=lambda sentence: -sentence.score)[:_MOST]
    kept = [each for each in best if each.score >= best[0].score - _FALL_OF_ALL]
    order = {id(each.passage): place for place, each in enumerate(bearing)}
    return sorted(kept, key=lambda sentence: (order[id(sentence.passage)], sentence.start))


def _quoted(sentence: ScoredSentence) -> AnswerSentence:
    citation = cite(sentence.passage, sentence.start, sentence.end)
    score = rouge1_precision(sentence.text, sentence.passage.text)
    return AnswerSentence(sentence.text, (citation,), score, "quoted")


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
