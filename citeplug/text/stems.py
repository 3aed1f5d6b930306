"""Words by which texts are compared: their stems, and the share of a question's words that a text has.

The stems are Porter2 of the Snowball project, as in the lexical index.
"""

import re
from functools import cache, lru_cache
from typing import Any

from citeplug.text.cited_text import words
from citeplug.text.stop_words import STOPWORDS

# In a question they name whatever was asked.
_GENERIC = frozenset(
    "paper papers work works study studies article articles author authors method methods approach approaches".split()
)
_ABBREVIATIONS = re.compile(r"[b-df-hj-np-tv-xz]{2,}(?<!s)s")  # "cnns"
_OUR = re.compile(r"(?<=[a-z]{2})our")
_ENCE = re.compile(r"(?<=[a-z]{2})ence(?=s?$)")  # defence, offence, licence; that "sciense" is no word does no harm
_ISE = re.compile(r"(?<=[a-z]{3})is(?=e$|ed$|es$|ing$|ation$|ations$)")


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word in lower case without its endings: "networks" and "networking" have one stem."""
    # To the stemmer a plural has a vowel.
    tokens = _analyzer().analyze(word[:-1] if _ABBREVIATIONS.fullmatch(word) else word)
    return str(tokens[0]) if tokens else ""


@cache
def _analyzer() -> Any:
    # Tantivy has the stemmer in any case; snowballstemmer in pure Python takes thirty times as long for a word.
    import tantivy

    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw()).filter(tantivy.Filter.stemmer("english")).build()


def stemmed(text: str) -> str:
    """The stems of a text's words in their order, to look phrases up in."""
    return f" {' '.join(stem(word) for word in words(text))} "


def content_stems(*texts: str) -> frozenset[str]:
    """The stems of the words of texts that are no stop words."""
    return frozenset(stem(word) for text in texts for word in words(text) if word not in STOPWORDS)


def telling_stems(text: str) -> frozenset[str]:
    """The stems of a question's words that carry content."""
    content_words = [word for word in words(text) if word not in STOPWORDS]
    return frozenset(map(_compared, [word for word in content_words if word not in _GENERIC] or content_words))


def coverage(asked: frozenset[str], text: str) -> float:
    """The share of these stems that the text has, 0 to 1; 0 if there are none.

    Weights for rare words change nothing where a cosine stands beside it (benchmarks/answers.py).
    """
    return len(asked & set(map(_compared, words(text)))) / len(asked) if asked else 0.0


def _compared(word: str) -> str:
    """The stem, British spelling being read as American."""
    return stem(_ISE.sub("iz", _OUR.sub("or", _ENCE.sub("ense", word))))
