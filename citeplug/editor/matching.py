"""Search of the project's entries by what is being typed."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from itertools import accumulate, islice
from operator import is_

from citeplug.records.draft import BibEntry
from citeplug.text.folding import fold
from citeplug.text.tex_text import decode_tex

_WORD = re.compile(r"[^\W_]+")
_MOST = 50
_LINE = "\n"


@dataclass(frozen=True, slots=True)
class Words:
    """Searchable words of an entry, folded to lower-case ASCII; each text has a space before every word."""

    key: str
    authors: str
    title: str
    year: str

    @property
    def begun(self) -> str:
        """Words that are matched by prefix."""
        return f"{self.key}{self.authors}{self.title}"

    @property
    def within(self) -> str:
        """Words that are matched by any part."""
        return f"{self.key} {self.year}"

    @property
    def squeezed(self) -> str:
        return self.key.replace(" ", "")


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

    `words` are those of `entries`, in their order; `cited` counts citations by key. The words of unchanged entries are
    taken from `before`.
    """

    def __init__(
        self, entries: Sequence[BibEntry] = (), cited: Mapping[str, int] | None = None, before: "Index | None" = None
    ) -> None:
        cited = cited or {}
        self.entries = entries
        unchanged = before is not None and _same(before.entries, entries)
        self.words: list[Words] = before.words if before is not None and unchanged else _words(entries, before)
        self._cited = {number: cited[entry.key] for number, entry in enumerate(entries) if entry.key in cited}
        same = before is not None and _same(before.words, self.words)
        known = before if same else None
        self._begun: _Lines = known._begun if known else _Lines([words.begun for words in self.words])
        self._within: _Lines = known._within if known else _Lines([words.within for words in self.words])
        self._keys: _Lines = known._keys if known else _Lines([words.squeezed for words in self.words])

    def pairs(self) -> Iterable[tuple[BibEntry, Words]]:
        return zip(self.entries, self.words, strict=True)

    def matches(self, typed: str) -> list[BibEntry]:
        """Return the entries that have all words of `typed`, the best first, at most fifty.

        A word matches the beginning of a word of title or authors, of the year, or any part of the key. Of equal
        matches the most cited come first.
        """
        wanted = _wanted(typed)
        if not wanted:
            cited = sorted(self._cited, key=lambda number: (-self._cited[number], number))[:_MOST]
            rest = (number for number in range(len(self.entries)) if number not in self._cited)
            return [self.entries[number] for number in (*cited, *islice(rest, _MOST - len(cited)))]
        prefix = fold(typed).lower().strip()
        # All words must match, so only entries with the longest one are compared.
        longest = max(wanted, key=len)
        numbers = self._begun.having(" " + longest) | self._within.having(longest)
        numbers |= self._keys.having(_LINE + prefix) | self._begun.having(f"{_LINE} {prefix}")
        ranked = [
            (-score, -self._cited.get(number, 0), number)
            for number in numbers
            if (score := _score(self.words[number], prefix, wanted))
        ]
        return [self.entries[number] for _, _, number in nsmallest(_MOST, ranked)]

    def having(self, typed: str) -> Iterator[BibEntry]:
        """Yield the entries that have all words of `typed`, in their order."""
        wanted = _wanted(typed)
        for entry, words in self.pairs():
            if not wanted or _score(words, "\0", wanted):
                yield entry


def _words(entries: Sequence[BibEntry], before: Index | None) -> list[Words]:
    known = {id(entry.fields): (entry, words) for entry, words in before.pairs()} if before is not None else {}
    found = []
    for entry in entries:
        # An entry that has only moved has the same fields object: its words are kept.
        same = known.get(id(entry.fields))
        found.append(same[1] if same is not None and same[0].key == entry.key else entry_words(entry))
    return found


def _same(one: Sequence[object], other: Sequence[object]) -> bool:
    """Return True if these are the same objects."""
    return len(one) == len(other) and all(map(is_, one, other))


class _Lines:
    """Many short texts joined, for one search over all."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._text = _LINE + _LINE.join(lines) + _LINE
        self._starts = list(accumulate((len(line) + 1 for line in lines), initial=0))

    def having(self, wanted: str) -> set[int]:
        """Return the numbers of the lines that contain `wanted`; with `_LINE` before it, that begin with it."""
        found = set()
        at = self._text.find(wanted)
        while 0 <= at < self._starts[-1]:
            number = bisect_right(self._starts, at) - 1
            found.add(number)
            at = self._text.find(wanted, self._starts[number + 1])
        return found


def fits(words: Words, typed: str) -> bool:
    """Return True if all words of `typed` match."""
    wanted = _wanted(typed)
    return not wanted or _score(words, "\0", wanted) > 0


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
