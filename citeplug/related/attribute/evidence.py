"""Doubts, and words in the form in which a claim is compared with its sources."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS


@dataclass(frozen=True, slots=True)
class Doubt:
    """Reason to refuse or to suspect a sentence.

    `code` is one word for counting; `reason` is said to the model and the author.
    """

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a sign of punctuation in a text. `lower` is in lower case, `stem` what it is compared by."""

    text: str
    lower: str
    stem: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum()

    @property
    def tells(self) -> bool:
        """True for a word that carries content."""
        return self.is_word and self.lower not in STOPWORDS and not self.lower.isdigit() and len(self.lower) > 1


_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_][^\W_]*(?:['’][^\W_]+)*|[^\W_]+|[,;:.!?()]")


def words_of(text: str) -> list[Word]:
    """The words and stops of a text in order; the parts of a hyphenated compound are words of their own."""
    return list(_words(text))


def _words(text: str) -> Iterator[Word]:
    for match in _TOKEN.finditer(text):
        lower = match[0].lower().replace("’", "'")
        yield Word(match[0], lower, stem(lower), match.start(), match.end())
