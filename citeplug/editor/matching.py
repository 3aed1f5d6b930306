"""Search of the project's entries by what is being typed."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from math import log
from operator import is_

from citeplug.records.draft import BibEntry
from citeplug.text.folding import fold
from citeplug.text.stop_words import STOPWORDS
from citeplug.text.tex_text import decode_tex

_WORD = re.compile(r"[^\W_]+")
_MOST = 50
_SHORTEST = 4  # letters of a word of a sentence that is looked up


@dataclass(frozen=True, slots=True)
class Words:
    """Searchable words of an entry, folded to lower-case ASCII; each text has a space before every word."""

    key: str
    authors: str
    title: str
    year: str


@lru_cache(maxsize=50_000)
def words_of(key: str, authors: str, title: str, year: str) -> Words:
    return Words(" " + " ".join(_WORD.findall(fold(key).lower())), _folded(authors), _folded(title), _folded(year))


def entry_words(entry: BibEntry) -> Words:
    fields = entry.fields
    return words_of(
        entry.key,
        fields.get("author") or fields.get("editor", ""),
        (fields.get("title") or fields.get("text", ""))[:500],
        fields.get("year") or fields.get("date", "")[:4],
    )


class Index:
    """Index of a project's entries by their words.

    `cited` counts citations by key. The words of unchanged entries are taken from `before`.
    """

    def __init__(
        self, entries: Sequence[BibEntry] = (), cited: Mapping[str, int] | None = None, before: "Index | None" = None
    ) -> None:
        self.entries = entries
        self._cited = cited or {}
        known = {id(entry.fields): (entry.key, words) for entry, words in before.pairs()} if before is not None else {}
        # An entry that has only moved has the same fields object.
        same = (known.get(id(entry.fields), ("", None)) for entry in entries)
        self._words = [
            words if words is not None and key == entry.key else entry_words(entry)
            for entry, (key, words) in zip(entries, same, strict=True)
        ]

        # Titles by their words, made when they are first needed: with thousands of entries that takes a while.
        self._by_word: dict[str, list[int]] | None = None
        if before is not None and len(before._words) == len(self._words) and all(map(is_, before._words, self._words)):
            self._by_word = before._by_word

    def pairs(self) -> Iterable[tuple[BibEntry, Words]]:
        return zip(self.entries, self._words, strict=True)

    def matches(self, typed: str) -> list[BibEntry]:
        """Return the entries that have all words of `typed`, the best first, at most fifty.

        A word matches the beginning of a word of title or authors, of the year, or any part of the key. Of equal
        matches the most cited come first.
        """
        wanted, prefix = _wanted(typed), fold(typed).lower().strip()
        ranked = (
            (-score, -self._cited.get(entry.key, 0), number)
            for number, (entry, words) in enumerate(self.pairs())
            if (score := _score(words, prefix, wanted) if wanted else 1)
        )
        return [self.entries[number] for _, _, number in nsmallest(_MOST, ranked)]

    def sharing(self, sentence: str) -> list[BibEntry]:
        """Return the entries whose titles share words with a sentence, those with the rarest first, at most fifty.

        One word is not enough, unless it is of this title alone.
        """
        if self._by_word is None:
            self._by_word = {}
            for number, words in enumerate(self._words):
                for word in set(map(_singular, words.title.split())):
                    self._by_word.setdefault(word, []).append(number)
        sentence_words = {_singular(word) for word in _WORD.findall(fold(sentence).lower()) if word not in STOPWORDS}
        groups = [self._by_word[word] for word in sentence_words if len(word) >= _SHORTEST and word in self._by_word]
        weights: dict[int, list[float]] = {}
        for numbers in groups:
            for number in numbers:
                weights.setdefault(number, []).append(log(1 + len(self._words) / len(numbers)))
        alone = log(1 + len(self._words))
        fitting = [(-sum(some), number) for number, some in weights.items() if len(some) > 1 or max(some) == alone]
        return [self.entries[number] for _, number in nsmallest(_MOST, fitting)]

    def having(self, typed: str) -> Iterator[BibEntry]:
        """Yield the entries that have all words of `typed`, in their order."""
        wanted = _wanted(typed)
        for entry, words in self.pairs():
            if not wanted or _score(words, "\0", wanted):
                yield entry


def fits(words: Words, typed: str) -> bool:
    """Return True if all words of `typed` match."""
    wanted = _wanted(typed)
    return not wanted or _score(words, "\0", wanted) > 0


def _singular(word: str) -> str:
    return word.removesuffix("s")


def _wanted(typed: str) -> list[str]:
    return [fold(word).lower() for word in _WORD.findall(typed)]


def _score(words: Words, prefix: str, wanted: Sequence[str]) -> int:
    total = 0
    if words.key.startswith(" " + prefix) or words.key.replace(" ", "").startswith(prefix):
        total = 100
    for word in wanted:
        start = " " + word
        if start in words.key:
            total += 12
        elif start in words.authors:
            total += 10
        elif start in words.title:
            total += 8
        elif word in words.year:
            total += 6
        elif word in words.key:
            total += 4
        else:
            return 100 if total >= 100 else 0
    return total


def _folded(text: str) -> str:
    return " " + " ".join(_WORD.findall(fold(decode_tex(text)).lower()))
