"""Evidence that a claim is compared with, and words in the form in which they are compared."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS
from citeplug.text.tex_text import decode_tex


@dataclass(frozen=True, slots=True)
class Doubt:
    """Reason to refuse a sentence. `code` is one word for counting; `reason` is said to the model and the author."""

    code: str
    reason: str


@dataclass(frozen=True)
class Evidence:
    """Sources of a segment: all that it may say of the papers that it cites.

    `quotes` are stretches of their abstracts, `contexts` the whole sentences in which those stand, `titles` their
    titles, `granted` words of the author's own, such as a plan line. `papers` is how many papers there are. `of_draft`
    says that it is the draft's own abstract.
    """

    quotes: tuple[str, ...]
    contexts: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    granted: str = ""
    papers: int = 1
    of_draft: bool = False

    @cached_property
    def said(self) -> str:
        """Quotations and titles as plain text, a stop between them."""
        return " . ".join(decode_tex(text) for text in (*self.quotes, *self.titles))

    @cached_property
    def around(self) -> str:
        """The sentences around the quotations, as plain text."""
        return " . ".join(decode_tex(text) for text in self.contexts or self.quotes)

    @cached_property
    def titled(self) -> str:
        return " . ".join(decode_tex(text) for text in self.titles)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(word.stem for word in words_of(self.said))


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
