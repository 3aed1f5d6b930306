"""Stems of English words, by which words are compared: Porter2 of the Snowball project, as in the lexical index."""

from functools import cache, lru_cache
from typing import Any

from citeplug.text.cited_text import words


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word in lower case without its endings: "networks" and "networking" have one stem."""
    tokens = _analyzer().analyze(word)
    return str(tokens[0]) if tokens else ""


@cache
def _analyzer() -> Any:
    # Tantivy has the stemmer in any case; snowballstemmer in pure Python takes thirty times as long for a word.
    import tantivy

    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw()).filter(tantivy.Filter.stemmer("english")).build()


def stemmed(text: str) -> str:
    """The stems of a text's words in their order, to look phrases up in."""
    return f" {' '.join(stem(word) for word in words(text))} "
