"""Names for topics: the words and phrases that set each apart from the others."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from citeplug.corpus.topics.words import PROSE, VAGUE, words_and_phrases
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

WORDS = 10  # listed for each topic
_IN_NAME = 3
_LONGEST = 6  # parts of a name that others would have too
_LEAST = 0.002  # of the records must have a term, and three of them at least
_MOST_TERMS = 40_000
_LENGTH = (1.0, 1.6, 1.9)  # by words in it: a phrase says more than a word that is a little more frequent


def topic_names(
    documents: Sequence[list[str]], topics: Sequence[int | None], count: int
) -> list[tuple[str, tuple[str, ...]]]:
    """(name, words) of each topic, all names different. `topics` has that of each document, from 0.

    Class-based TF-IDF (BERTopic, Grootendorst 2022, section 3.4), a term counted once in a document: its share of
    the topic's terms, times log(1 + mean of all topics / all its counts). Deterministic.
    """
    terms, counts = _counts(documents, topics, count)
    totals = counts.sum(axis=1, keepdims=True)
    everywhere = counts.sum(axis=0)
    scores = counts / np.maximum(totals, 1) * np.log1p(totals.mean() / np.maximum(everywhere, 1))
    if terms:
        scores *= np.array([_LENGTH[term.count(" ")] for term in terms])
    chosen: list[tuple[str, tuple[str, ...]]] = []
    taken: set[str] = set()
    for row in scores:
        order = np.lexsort((np.arange(len(terms)), -row))[:200]
        parts = _apart([terms[column] for column in order if row[column] > 0])
        chosen.append((_new(parts, taken), tuple(parts[:WORDS])))
        taken.add(chosen[-1][0])
    return chosen


def _counts(
    documents: Sequence[list[str]], topics: Sequence[int | None], count: int
) -> tuple[list[str], NDArray[np.float64]]:
    """Terms, and in how many documents of each topic each is, (topics, terms)."""
    stop = PROSE | STOPWORDS
    spread: Counter[str] = Counter()
    for words in documents:
        spread.update(set(words_and_phrases(words, stop)))
    least = max(min(3, len(documents) // 10), _LEAST * len(documents) / max(1, count))
    kept = sorted((-n, term) for term, n in spread.items() if n >= least and term not in VAGUE)[:_MOST_TERMS]
    terms = sorted(term for _, term in kept)
    column = {term: number for number, term in enumerate(terms)}
    counts = np.zeros((count, len(terms)))
    for words, topic in zip(documents, topics, strict=True):
        if topic is not None:
            having = {column[term] for term in words_and_phrases(words, stop) if term in column}
            counts[topic, list(having)] += 1
    return terms, counts


def _apart(ranked: Sequence[str]) -> list[str]:
    """Return the terms without repetitions of better ones, such as `network` after `neural networks`."""
    kept: list[str] = []
    heard: set[str] = set()
    for term in ranked:
        stems = {stem(word) for word in term.split()}
        if not stems & heard:
            kept.append(term)
            heard |= stems
    return kept


def _new(parts: Sequence[str], taken: set[str]) -> str:
    for size in range(_IN_NAME, _LONGEST + 1):
        name = ", ".join(parts[:size])
        if name and name not in taken:
            return name
    name = ", ".join(parts[:_IN_NAME]) or "without distinctive words"
    number = 2 if name in taken else 0
    while number and f"{name}, {number}" in taken:
        number += 1
    return f"{name}, {number}" if number else name
