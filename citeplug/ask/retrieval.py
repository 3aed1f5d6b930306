"""Passages for a question and the conversation before it (TruthReader, sections 2 and 4.1)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np

from citeplug.corpus.fusion import Ranking, fuse
from citeplug.errors import UsageError
from citeplug.protocols import Vectors
from citeplug.records.answer import AnswerCitation, AskedPassage, AskedText, Turn
from citeplug.text.cleaning import plain
from citeplug.text.stems import coverage, telling_stems

LONGEST_QUESTION = 2_000  # characters that are asked; the rest of a longer question is not read
PASSAGES = 12  # that are handed on
PER_TEXT = 3  # at least, of each of many texts; few share all of them
NEAREST = 3  # passages that are shown beside an answer
_LONGEST_ANSWER = 1_000  # characters of an earlier answer that count
_TURNS = 6  # of the conversation that count


@dataclass(frozen=True, slots=True)
class EmbeddedPassage:
    """A passage and its unit vector (d,)."""

    passage: AskedPassage
    vector: Vectors


@dataclass(frozen=True, slots=True)
class EmbeddedQuery:
    """A text that passages are compared with, and its unit vector (d,); `last`: what is asked now, of a follow-up."""

    text: str
    vector: Vectors
    last: str = ""

    @property
    def parts(self) -> list[str]:
        """The texts whose words count: those of a follow-up once more, so that the earlier ones do not outweigh them."""
        return [self.text, self.last] if self.last else [self.text]


def checked_question(question: str) -> str:
    """The question as it is asked: white space collapsed, and bounded. Raises UsageError if there is none."""
    text = plain(question)
    if not any(letter.isalnum() for letter in text):
        raise UsageError("the question is empty", "write it in quotation marks")
    return text[:LONGEST_QUESTION]


def with_history(question: str, history: Sequence[Turn]) -> str:
    """The question, and behind it the earlier questions and answers, the latest first (TruthReader, Table 3)."""
    texts = [question]
    for turn in [*reversed(history)][:_TURNS]:
        answer = " ".join(sentence.text for sentence in turn.answer.sentences)
        texts += [turn.question, answer[:_LONGEST_ANSWER]]
    return "\n".join(text for text in texts if text)


def choose_passages(
    candidates: Sequence[EmbeddedPassage],
    texts: Sequence[AskedText],
    question: EmbeddedQuery,
    conversation: EmbeddedQuery | None,
    most: int = PASSAGES,
) -> tuple[AskedPassage, ...]:
    """At most `most` passages, shared among the texts, in their natural order: by text, then by number.

    Of one text all may be; of many no more than `PER_TEXT` of each, so that others are read beside the nearest one.
    They are ranked by the question alone and by `conversation`, the question with its history; both rankings are fused.
    """
    titles = {text.id: text.title for text in texts}
    share = max(PER_TEXT, -(-most // max(1, len(texts))))
    rankings = [Ranking(_rank(candidates, titles, question))]
    if conversation is not None:
        rankings.append(Ranking(_rank(candidates, titles, conversation)))
    fused = fuse(rankings)
    scores = dict(fused)
    rows = _best([row for row, _ in fused], candidates, most, share)
    return _in_order([replace(candidates[int(row)].passage, score=scores[row]) for row in rows], texts)


def with_more(
    passages: Sequence[AskedPassage], more: Sequence[AskedPassage], texts: Sequence[AskedText]
) -> tuple[AskedPassage, ...]:
    """The passages, and beside them the first of `more` that are others, half of `PASSAGES` at most; in natural order."""
    known = {(passage.text_id, passage.number) for passage in passages}
    others = {(p.text_id, p.number): p for p in reversed(more) if (p.text_id, p.number) not in known}
    first = [key for key in dict.fromkeys((p.text_id, p.number) for p in more) if key in others]
    return _in_order([*passages, *(others[key] for key in first[: PASSAGES // 2])], texts)


def with_overviews(
    overviews: Sequence[Sequence[AskedPassage]], passages: Sequence[AskedPassage], texts: Sequence[AskedText]
) -> tuple[AskedPassage, ...]:
    """The passages that say what whole texts are about, the most telling of each first, and then those found; at most
    `PASSAGES`, in natural order.
    """
    first = [passage for row in zip_longest(*overviews) for passage in row if passage is not None]
    ranked = sorted(passages, key=lambda passage: -passage.score)
    by_key = {(p.text_id, p.number): p for p in reversed([*first, *ranked])}
    keys = [*dict.fromkeys((p.text_id, p.number) for p in (*first, *ranked))][:PASSAGES]
    # Scores order the passages of one question alone.
    return _in_order([replace(by_key[key], score=1 - place / PASSAGES) for place, key in enumerate(keys)], texts)


def nearest(passages: Sequence[AskedPassage]) -> tuple[AnswerCitation, ...]:
    """The passages nearest to the question as whole citations, best first."""
    best = sorted(passages, key=lambda passage: -passage.score)[:NEAREST]
    return tuple(passage.cited(0, len(passage.text)) for passage in best)


def _in_order(passages: Sequence[AskedPassage], texts: Sequence[AskedText]) -> tuple[AskedPassage, ...]:
    places = {text.id: place for place, text in enumerate(texts)}
    return tuple(sorted(passages, key=lambda passage: (places.get(passage.text_id, len(places)), passage.number)))


def _rank(candidates: Sequence[EmbeddedPassage], titles: Mapping[str, str], query: EmbeddedQuery) -> list[str]:
    """Rows of the candidates, best first: by meaning and by words, fused. Of one length each, as `fuse` sorts them."""
    if not candidates:
        return []
    cosines = np.stack([candidate.vector for candidate in candidates]) @ query.vector
    stems = telling_stems(query.text)
    words = [f"{titles.get(p.text_id, '')} {p.section} {p.text}" for p in (c.passage for c in candidates)]
    shares = [coverage(stems, text) for text in words]
    by_meaning = np.argsort(-cosines, kind="stable")
    by_words = [row for row in np.argsort(-np.array(shares), kind="stable") if shares[row] > 0]
    rankings = [Ranking([f"{row:06}" for row in rows]) for rows in (by_meaning, by_words)]
    return [row for row, _ in fuse(rankings)]


def _best(rows: Sequence[str], candidates: Sequence[EmbeddedPassage], most: int, share: int) -> list[str]:
    """The first rows, no more than `share` of a text."""
    taken: Counter[str] = Counter()
    best: list[str] = []
    for row in rows:
        text = candidates[int(row)].passage.text_id
        if taken[text] < share and len(best) < most:
            taken[text] += 1
            best.append(row)
    return best
