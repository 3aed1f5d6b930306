"""Words of a question, and the share of them that a text has."""

from citeplug.text.cited_text import words
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS


def telling_stems(text: str) -> frozenset[str]:
    """The stems of a text's words that carry content."""
    return frozenset(stem(word) for word in words(text) if word not in STOPWORDS)


def coverage(asked: frozenset[str], text: str) -> float:
    """The share of these stems that the text has, 0 to 1; 0 if there are none.

    Weights for rare words change nothing where a cosine stands beside it (benchmarks/answers.py).
    """
    return len(asked & {stem(word) for word in words(text)}) / len(asked) if asked else 0.0
