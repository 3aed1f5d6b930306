"""Answers without a model: the sentences of the papers, verbatim, that score best.

The score is the probability that a passage bears an answer out: a logistic function of what needs no model but the one
that embeds. Its constants are fitted by `python -m benchmarks.answers --fit` on claims of SciFact and on questions to
abstracts, half of which have no answer there. A name of the question that the passage lacks lowers the score and does
not end it: as a bar it refused a fifth of the claims that their abstracts bear out.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from citeplug.ask.late_interaction import SplitTexts, max_similarities
from citeplug.ask.retrieval import NEAREST, EmbeddedQuery
from citeplug.ask.wording import (
    SHORTEST,
    announces,
    asked_term,
    defines,
    is_about,
    is_named,
    is_whole,
    leans,
    short_forms,
    with_context,
    written_out,
)
from citeplug.prepare.quantities import asks_for_quantity, differ, has_quantity
from citeplug.protocols import Vectors
from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence, AskedPassage, AskedText
from citeplug.records.prepared import FoundPair
from citeplug.related.attribute.attribution import rouge1_precision
from citeplug.related.attribute.claims import unknown_names
from citeplug.related.attribute.numbers import numbers_of, unknown_numbers
from citeplug.text.cleaning import collapsed
from citeplug.text.sentences import sentences_of_paragraphs
from citeplug.text.stems import coverage, telling_stems
from citeplug.text.table_rows import shown_row

Place = tuple[int, int]  # code points, half-open
Embed = Callable[[Sequence[str]], Vectors]

CONSTANT, WEIGHTS = -9.3, (12.8, 3.1, 2.1, -5.1, -0.9)  # in the order of `features`
LEAST = 0.75  # probability from which an abstract counts as an answer
_LEAST_QUOTED = 0.5  # of an abstract that is quoted where another one counts as an answer
_LEAST_OF_PART = 0.2  # and a passage of a longer text, whose sentences are compared
_LEAST_OF_NEAREST = 0.7  # of the abstract that is nearest by meaning
_NEAR, _NEAR_IN_WORDS = 0.5, 0.4  # similarity of a sentence shown beside a refusal; with a word of the question
_COMPARED = 96  # sentences that are embedded for a question: 4 ms each
# In the order of `sentence_features`, as log odds of being the one that answers; near to what
# `python -m benchmarks.fit_answers` fits.
SENTENCE_WEIGHTS = (12.0, 3.7, 2.0, 0.4, -2.0, 7.1, -1.9)
_COSINE, _LACKS_NUMBER, _DEFINES = 1, 4, 5  # of these features
_OF_NAMED_PAPER = 2.0  # beside them, for a paper that the question names: chosen, no set has such questions
MOST_SENTENCES = 5  # sentences of an answer,
_OF_A_TEXT = 3  # of them
_FARTHEST = 1.0  # log odds behind the first, of a further sentence that is quoted; most that are farther do not answer
_FARTHEST_OF_OTHER = 0.7  # of another paper: 14 of 18 farther ones were of an abstract that does not decide (SciFact)
_LEAST_SHARE = 0.35  # of the three best: below it the question is refused
_BEST = 3
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w-]*|\b[A-Z]{2,}\w*")
_ASKS_FOR_A_THING = re.compile(r"\W*(?:what|which|who|where|whose)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence of a passage, `start` to `end` (code points, half-open), with the `features` of its score."""

    passage: AskedPassage
    start: int
    end: int
    features: tuple[float, ...]
    of_named_paper: bool = False

    @property
    def score(self) -> float:
        """Its log odds of being the one that answers, but for what all sentences of one question share."""
        weighted = sum(w * x for w, x in zip(SENTENCE_WEIGHTS, self.features, strict=True))
        return weighted + _OF_NAMED_PAPER * self.of_named_paper

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
    question: EmbeddedQuery,
    texts: Sequence[AskedText],
    passages: Sequence[AskedPassage],
    embed: Embed,
    split: SplitTexts,
    quoted: Sequence[str] = (),
    prepared: Sequence[FoundPair] = (),
) -> Answer:
    """The sentences of the passages that answer, best first, or a refusal.

    `embed` gives the unit vectors of sentences, (n, d), `split` their word pieces. What is in one of the `quoted` texts
    is not quoted again. A sentence that answers one of the `prepared` questions is compared as that question too.
    """
    scored = [
        replace(passage, sentences=tuple(s for s in passage.sentences if not any(s.text in text for text in quoted)))
        for passage in score_passages(question, texts, passages, embed, split, prepared)
    ]
    whole = all(passage.passage.number == 0 for passage in scored)
    is_borne_out = any(passage.probability >= (LEAST if whole else _LEAST_OF_PART) for passage in scored)
    quotable = [passage for passage in scored if not whole or passage.probability >= _LEAST_QUOTED]
    asked = quotable if is_borne_out else _nearest_abstract(scored)
    best = _choose(asked, whole=whole) if _says_what_it_is(question.text, asked) else []
    if whole and best and _only_shares_words(best[0]):
        best = []
    sentences = _mark_conflicts(question.text, [_quoted(sentence) for sentence in best])
    return Answer(question.text, not sentences, tuple(sentences), _nearest_sentences(scored), tuple(texts))


def _only_shares_words(sentence: ScoredSentence) -> bool:
    """True if a sentence has no number where one is asked, or says what a paper treats and not what it says of it."""
    return bool(sentence.features[_LACKS_NUMBER]) or announces(sentence.text)


def _nearest_abstract(scored: Sequence[ScoredPassage]) -> list[ScoredPassage]:
    """The abstract that is nearest by meaning, if it is likely enough to answer: a name in the question, which is in the
    title too, counts little in the score. A definition that is asked for is an answer sooner.
    """
    abstracts = [result for result in scored if result.passage.number == 0 and result.sentences]
    ranked = sorted(abstracts, key=lambda result: -result.sentences[0].features[_COSINE])[:1]
    defined = any(sentence.features[_DEFINES] for result in ranked for sentence in result.sentences)
    return [one for one in ranked if one.probability >= (_LEAST_QUOTED if defined else _LEAST_OF_NEAREST)]


def _choose(scored: Sequence[ScoredPassage], *, whole: bool) -> list[ScoredSentence]:
    """The best sentences, best first, each with those that it leans on, and none that is far from the first.

    None where the three best have too small a share of the odds: many others are as near to the question. Where each
    text is `whole`, such as an abstract, those of the first one count: twenty on one subject are always near each other.
    """
    ranked = _ranked(scored)
    odds = [math.exp(sentence.score - ranked[0].score) for sentence in ranked]
    # What a text says twice speaks for itself, and not against itself.
    of_words: defaultdict[tuple[str, str], float] = defaultdict(float)
    for sentence, own in zip(ranked, odds, strict=True):
        if not whole or sentence.passage.text_id == ranked[0].passage.text_id:
            of_words[sentence.passage.text_id, collapsed(sentence.text)] += own
    if sum(sorted(of_words.values())[-_BEST:]) < _LEAST_SHARE * sum(of_words.values()):
        return []
    best: list[ScoredSentence] = []
    of_texts: Counter[str] = Counter()
    statements: set[tuple[str, str]] = set()
    for sentence in ranked:
        passage = sentence.passage
        is_other = bool(best) and passage.text_id != best[0].passage.text_id
        if best and best[0].score - sentence.score > (_FARTHEST_OF_OTHER if is_other else _FARTHEST):
            continue
        place = with_context(passage.text, sentence.start, sentence.end, continued=not best)
        if place is None or len(best) == MOST_SENTENCES or of_texts[passage.text_id] == _OF_A_TEXT:
            continue
        told = passage.text_id, collapsed(passage.text[place[0] : place[1]])
        if told not in statements and not any(_overlap(other, passage, place) for other in best):
            of_texts[passage.text_id] += 1
            best.append(replace(sentence, start=place[0], end=place[1]))
            statements.add(told)
    return best


def _ranked(scored: Sequence[ScoredPassage]) -> list[ScoredSentence]:
    sentences = [sentence for passage in scored for sentence in passage.sentences]
    return sorted(sentences, key=lambda sentence: -sentence.score)


def _nearest_sentences(scored: Sequence[ScoredPassage]) -> tuple[AnswerCitation, ...]:
    """The sentences nearest to the question, best first, that can stand alone if any can; none on something else."""
    ranked = [s for s in _ranked(scored) if s.features[0] >= (_NEAR_IN_WORDS if s.features[2] else _NEAR)]
    alone = [sentence for sentence in ranked if not leans(sentence.text)] or ranked
    return tuple(sentence.passage.cited(sentence.start, sentence.end) for sentence in alone[:NEAREST])


def _overlap(sentence: ScoredSentence, passage: AskedPassage, place: tuple[int, int]) -> bool:
    return sentence.passage == passage and sentence.start < place[1] and place[0] < sentence.end


def _quoted(sentence: ScoredSentence) -> AnswerSentence:
    citation = sentence.passage.cited(sentence.start, sentence.end)
    row = shown_row(sentence.text)
    attribution = rouge1_precision(sentence.text, sentence.passage.text)
    return AnswerSentence(row or sentence.text, (citation,), attribution, "supported" if row else "quoted")


def _mark_conflicts(question: str, sentences: Sequence[AnswerSentence]) -> list[AnswerSentence]:
    """Sentences of two texts that give different numbers for the quantity that is asked are in conflict."""
    if not asks_for_quantity(question):
        return list(sentences)
    numbers = [numbers_of(sentence.text) for sentence in sentences]
    marked = list(sentences)
    for one, other in combinations(range(len(marked)), 2):
        apart = marked[one].citations[0].paper != marked[other].citations[0].paper
        if apart and differ(question, numbers[one], numbers[other]):
            for at in (one, other):
                marked[at] = replace(marked[at], status="conflict")
    return marked


def score_passages(
    question: EmbeddedQuery,
    texts: Sequence[AskedText],
    passages: Sequence[AskedPassage],
    embed: Embed,
    split: SplitTexts,
    prepared: Sequence[FoundPair] = (),
) -> list[ScoredPassage]:
    """The passages with their scores, in the order given."""
    titles = {text.id: text.title for text in texts}
    together = {text.id: titles[text.id] for text in texts}
    for passage in passages:
        together[passage.text_id] = f"{together.get(passage.text_id, '')} . {passage.section} . {passage.text}"
    most = max(3, _COMPARED // max(1, len(passages)))
    forms = {text.id: short_forms([p.text for p in passages if p.text_id == text.id]) for text in texts}
    asked = {name: {s: long for s, long in own.items() if s not in question.text} for name, own in forms.items()}
    spans, sentences = [], []
    written: list[dict[Place, str]] = []
    for passage in passages:
        written.append(_written_out(passage, asked.get(passage.text_id, {})))
        spans.append(_nearest_by_words(question.text, written[-1], most))
        sentences += [written[-1][place] for place in spans[-1]]
    cosines = iter((embed(sentences) @ question.vector).tolist() if sentences else [])
    compared = split([*sentences, *(pair.pair.question for pair in prepared)])
    of_parts = [max_similarities(split([part])[0], compared) for part in question.parts]
    similarities = np.mean(of_parts, axis=0).tolist()
    of_pairs = list(zip(prepared, similarities[len(sentences) :], strict=True))
    of_sentences = iter(similarities)
    asked_parts = [telling_stems(part) for part in question.parts]
    rarity = _rarity([text for full in written for text in full.values()])
    headed = [f"{passage.section}. {passage.text}" if passage.section else passage.text for passage in passages]
    of_passages = (embed(headed) @ question.vector).tolist() if passages else []
    scored = []
    for passage, own, full, cosine in zip(passages, spans, written, of_passages, strict=True):
        near = [next(cosines) for _ in own]
        title = titles.get(passage.text_id, "")
        stems = _asked_of(question.text, title) or telling_stems(question.text)
        weights = {word: rarity(word) * sum(word in part for part in asked_parts) for word in stems}
        told = _Told(question.text, weights, forms.get(passage.text_id, {}))
        ranked = [
            ScoredSentence(
                passage,
                *place,
                sentence_features(
                    told, passage, place, full, _as_asked(passage, place, next(of_sentences), of_pairs), cosine
                ),
                is_named(question.text, title),
            )
            for place in own
        ]
        ranked.sort(key=lambda sentence: -sentence.score)
        of_passage = features(question.text, title, passage, together[passage.text_id], near)
        scored.append(ScoredPassage(passage, of_passage, tuple(ranked)))
    return scored


def _as_asked(
    passage: AskedPassage, place: Place, similarity: float, pairs: Sequence[tuple[FoundPair, float]]
) -> float:
    """The similarity of a sentence, or of a prepared question that it answers."""
    own = (passage.text_id, passage.number)
    answered = (
        of_question
        for passage, of_question in pairs
        if (passage.paper, (at := passage.pair.place).passage) == own and place[0] < at.end and at.start < place[1]
    )
    return max([similarity, *answered])


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


def _written_out(passage: AskedPassage, forms: Mapping[str, str]) -> dict[Place, str]:
    """The sentences of a passage by their places, with abbreviations in full; whole ones, if there are any."""
    full = {place: written_out(passage.text[slice(*place)], forms) for place in sentences_of_paragraphs(passage.text)}
    whole = {place: text for place, text in full.items() if len(text.split()) >= SHORTEST}
    return {place: text for place, text in whole.items() if is_whole(text)} or whole or full


def _nearest_by_words(question: str, sentences: Mapping[Place, str], most: int) -> list[Place]:
    """Places of the `most` sentences with the largest share of the question's words."""
    asked = telling_stems(question)
    return sorted(sentences, key=lambda place: -coverage(asked, sentences[place]))[:most]


def _rarity(sentences: Sequence[str]) -> Callable[[str], float]:
    """The weight of a stem: the logarithm of how rare it is among these sentences."""
    counts = Counter(word for sentence in sentences for word in telling_stems(sentence))
    return lambda word: math.log(1 + len(sentences) / (1 + counts[word]))


@dataclass(frozen=True, slots=True)
class _Told:
    """What is asked of a text: the question, its stems with their weights, and the text's abbreviations."""

    question: str
    stems: Mapping[str, float]
    forms: Mapping[str, str]


def sentence_features(
    told: _Told, passage: AskedPassage, place: Place, full: Mapping[Place, str], similarity: float, cosine: float
) -> tuple[float, ...]:
    """What tells the sentence that answers from its neighbours, of the one at `place`:

    its `similarity` to the question by word pieces; the `cosine` of its passage to the question; the share of the
    question's words, the rare ones weighing more, that it has with the sentence before and its heading; 1 if a thing is
    asked and it names one; 1 if a number is asked and it has none; 1 if a definition is asked and it is one; 1 if it is a
    question itself.
    """
    question, term = told.question, asked_term(told.question)
    number, thing = asks_for_quantity(question), _ASKS_FOR_A_THING.match(question) is not None
    sentence, text = passage.text[slice(*place)], full[place]
    before = max((other for other in full if other < place), default=None)
    near = telling_stems(f"{passage.section}\n{text}\n{full[before] if before else ''}")
    covered = sum(weight for word, weight in told.stems.items() if word in near) / (sum(told.stems.values()) or 1)
    is_definition = term is not None and (defines(sentence, term, told.forms) or defines(text, term, told.forms))
    return (
        similarity,
        cosine,
        covered,
        float(thing and not number and _NAME.search(sentence) is not None),
        float(number and not has_quantity(sentence)),
        float(is_definition),
        float(sentence.endswith("?")),
    )


def _says_what_it_is(question: str, scored: Sequence[ScoredPassage]) -> bool:
    """False where a term is to be defined of which no sentence says anything."""
    term = asked_term(question)
    if term is None:
        return True
    forms = short_forms([passage.passage.text for passage in scored])
    sentences = [sentence.text for passage in scored for sentence in passage.sentences]
    return any(
        is_about(full, term) or defines(full, term, forms)
        for text in sentences
        for full in (text, written_out(text, forms))
    )
