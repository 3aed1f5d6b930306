"""Words of a question, and the share of them that a text has."""

import re

from citeplug.text.cited_text import words
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

# In a question they name whatever was asked.
_GENERIC = frozenset(
    "paper papers work works study studies article articles author authors method methods approach approaches".split()
)
_OUR = re.compile(r"(?<=[a-z]{2})our")
_ISE = re.compile(r"(?<=[a-z]{3})is(?=e$|ed$|es$|ing$|ation$|ations$)")


def telling_stems(text: str) -> frozenset[str]:
    """The stems of a question's words that carry content."""
    said = [word for word in words(text) if word not in STOPWORDS]
    return frozenset(map(_compared, [word for word in said if word not in _GENERIC] or said))


def coverage(asked: frozenset[str], text: str) -> float:
    """The share of these stems that the text has, 0 to 1; 0 if there are none.

    Weights for rare words change nothing where a cosine stands beside it (benchmarks/answers.py).
    """
    return len(asked & set(map(_compared, words(text)))) / len(asked) if asked else 0.0


def _compared(word: str) -> str:
    """The stem, British spelling being read as American."""
    return stem(_ISE.sub("iz", _OUR.sub("or", word)))
