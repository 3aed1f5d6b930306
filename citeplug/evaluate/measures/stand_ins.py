"""Measures that need no judge, under names of their own: they stand in for judged ones, and say less."""

import re
from collections.abc import Collection, Iterable, Sequence

from citeplug.text.cited_text import MARKER, QUOTED, copied_runs, words
from citeplug.text.quotation import find_quote
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*")


def validity_of_quotations(quotes: Iterable[tuple[str, str]]) -> float | None:
    """Return the share of the quotations that their source has word for word; pairs of quotation and source.

    None without quotations. One of fewer than five words counts as not found: any text has it.
    """
    found = [find_quote(quote, source) is not None for quote, source in quotes]
    return sum(found) / len(found) if found else None


def share_of_copied_runs(text: str, sources: Sequence[str], n: int = 8) -> float | None:
    """Return the share of the words, outside of quotation marks, in runs of `n` or more that a source has too.

    None without words.
    """
    total = copied = 0
    for piece in QUOTED.split(text):
        total += len(words(piece))
        runs = {at for source in sources for run in copied_runs(piece, source, n) for at in range(*run)}
        # A run ends with a word, so that its letters are those of whole words.
        copied += len(words("".join(letter if at in runs else " " for at, letter in enumerate(piece))))
    return copied / total if total else None


def reality_of_keys(cited: Collection[str], known: Collection[str]) -> float | None:
    """Return the share of the cited papers that exist; None without citations."""
    return len(set(cited).intersection(known)) / len(set(cited)) if cited else None


def agreement_of_numbers(sentences: Iterable[tuple[str, str]]) -> float | None:
    """Return the share of the numbers in digits that the sentence's own sources have; pairs of sentence and sources.

    None without numbers. 1,000 and 1000 are one number, 4.0 and 4 are two.
    """
    agree = [number in set(_numbers(sources)) for text, sources in sentences for number in _numbers(text)]
    return sum(agree) / len(agree) if agree else None


def words_of_nuggets(text: str, nuggets: Sequence[str]) -> float | None:
    """Return the mean share of a nugget's words that the text has, by stems and without stop words.

    None without nuggets that have words.
    """
    given = _stems(text)
    shares = [len(own & given) / len(own) for own in map(_stems, nuggets) if own]
    return sum(shares) / len(shares) if shares else None


def _numbers(text: str) -> list[str]:
    return [re.sub(r",(?=\d{3}(?!\d))", "", found) for found in _NUMBER.findall(MARKER.sub(" ", text))]


def _stems(text: str) -> set[str]:
    return {stem(word) for word in words(text) if word not in STOPWORDS}
