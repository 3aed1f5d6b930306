"""Passages for a question and the conversation before it (TruthReader, sections 2 and 4.1)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from citeplug.corpus.fusion import Ranking, fuse
from citeplug.protocols import Vectors
from citeplug.records.answer import AskedPassage, AskedText, Turn
from citeplug.text.stems import coverage, telling_stems

PASSAGES = 12  # that are handed on
PER_TEXT = 3
_OF_A_TOPIC = 3  # words that carry content
_LONGEST_ANSWER = 1_000  # characters of an earlier answer that count
_TURNS = 6  # of the conversation that count


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage and its unit vector (d,)."""

    passage: AskedPassage
    vector: Vectors


@dataclass(frozen=True, slots=True)
class Query:
    """A text that passages are compared with, and its unit vector (d,)."""

    text: str
    vector: Vectors


def with_history(question: str, history: Sequence[Turn]) -> str:
    """The question, and behind it the earlier questions and answers, the latest first (TruthReader, Table 3)."""
    said = [question]
    for turn in [*reversed(history)][:_TURNS]:
        answer = " ".join(sentence.text for sentence in turn.answer.sentences)
        said += [turn.question, answer[:_LONGEST_ANSWER]]
    return "\n".join(text for text in said if text)


def with_topic(question: str, history: Sequence[Turn]) -> str:
    """The question, with the one before it behind it if it is too short to have a topic of its own ("And where?")."""
    said = [question]
    for turn in [*reversed(history)][:_TURNS]:
        if len(telling_stems(said[-1])) >= _OF_A_TOPIC:
            break
        said.append(turn.question)
    return " ".join(said)


def choose_passages(
    candidates: Sequence[Candidate],
    texts: Sequence[AskedText],
    question: Query,
    conversation: Query | None,
    most: int = PASSAGES,
) -> tuple[AskedPassage, ...]:
    """At most `most` passages, `PER_TEXT` of each text, in their natural order: by text, then by number.

    They are ranked by the question alone and by `conversation`, the question with its history; both rankings are fused.
    If they share no passage the topic has changed, and the history is left out.
    """
    titles = {text.id: text.title for text in texts}
    alone = _rank(candidates, titles, question)
    rankings = [Ranking(alone)]
    if conversation is not None:
        together = _rank(candidates, titles, conversation)
        if set(_best(alone, candidates, most)) & set(_best(together, candidates, most)):
            rankings.append(Ranking(together))
    fused = fuse(rankings)
    scores = dict(fused)
    places = {text.id: place for place, text in enumerate(texts)}
    chosen = [
        replace(candidates[int(row)].passage, score=scores[row])
        for row in _best([row for row, _ in fused], candidates, most)
    ]
    return tuple(sorted(chosen, key=lambda passage: (places.get(passage.text_id, len(places)), passage.number)))


def with_more(
    passages: Sequence[AskedPassage], more: Sequence[AskedPassage], texts: Sequence[AskedText]
) -> tuple[AskedPassage, ...]:
    """The passages, and beside them the first of `more` that are others, half of `PASSAGES` at most; in natural order."""
    here = {(each.text_id, each.number) for each in passages}
    others = {(each.text_id, each.number): each for each in reversed(more) if (each.text_id, each.number) not in here}
    first = [each for each in dict.fromkeys((each.text_id, each.number) for each in more) if each in others]
    places = {text.id: place for place, text in enumerate(texts)}
    joined = [*passages, *(others[each] for each in first[: PASSAGES // 2])]
    return tuple(sorted(joined, key=lambda each: (places.get(each.text_id, len(places)), each.number)))


def _rank(candidates: Sequence[Candidate], titles: Mapping[str, str], query: Query) -> list[str]:
    """Rows of the candidates, best first: by meaning and by words, fused. Of one length each, as `fuse` sorts them."""
    if not candidates:
        return []
    cosines = np.stack([each.vector for each in candidates]) @ query.vector
    asked = telling_stems(query.text)
    said = [f"{titles.get(p.text_id, '')} {p.section} {p.text}" for p in (each.passage for each in candidates)]
    shares = [coverage(asked, text) for text in said]
    by_meaning = np.argsort(-cosines, kind="stable")
    by_words = [row for row in np.argsort(-np.array(shares), kind="stable") if shares[row] > 0]
    rankings = [Ranking([f"{row:06}" for row in rows]) for rows in (by_meaning, by_words)]
    return [row for row, _ in fuse(rankings)]


def _best(rows: Sequence[str], candidates: Sequence[Candidate], most: int) -> list[str]:
    """The first rows, no more than `PER_TEXT` of a text."""
    taken: Counter[str] = Counter()
    found: list[str] = []
    for row in rows:
        text = candidates[int(row)].passage.text_id
        if taken[text] < PER_TEXT and len(found) < most:
            taken[text] += 1
            found.append(row)
    return found
