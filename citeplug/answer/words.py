"""Words of a question, weighed by how rare they are."""

from collections.abc import Callable

from citeplug.text.cited_text import words
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

# Weight of a word in lower case, larger for rarer ones; 0 for one that says nothing.
Weigh = Callable[[str], float]


def telling_words(text: str) -> dict[str, str]:
    """The words of a text that carry content, by their stems."""
    return {stem(word): word for word in words(text) if word not in STOPWORDS}


def coverage(question: str, text: str, weigh: Weigh) -> float:
    """The share of the question's telling words, by weight, that the text has: 0 to 1. Words are compared by stem."""
    asked = telling_words(question)
    total = sum(weigh(word) for word in asked.values())
    if not total:
        return 0.0
    have = {stem(word) for word in words(text)}
    return sum(weigh(word) for stemmed, word in asked.items() if stemmed in have) / total
