"""Which of the project's entries fit what is being typed, and in what order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from citeplug.records.draft import BibEntry
from citeplug.records.folding import fold
from citeplug.records.tex_text import decode_tex

_WORD = re.compile(r"[^\W_]+")
_MOST = 50


@dataclass(frozen=True, slots=True)
class Words:
    """What an entry is found by, folded to small ASCII letters; each text begins and parts its words with a space."""

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


def matches(entries: Sequence[BibEntry], typed: str, cited: Sequence[int]) -> list[BibEntry]:
    """The entries that have all words of `typed`, the likeliest first, at most fifty.

    A word fits where it begins a word of title or authors, the year, or stands anywhere in the key. `cited` says how
    often each entry is cited, which parts those that fit alike.
    """
    wanted = [fold(word).lower() for word in _WORD.findall(typed)]
    prefix = fold(typed).lower().strip()
    ranked = []
    for number, entry in enumerate(entries):
        score = _score(entry_words(entry), prefix, wanted) if wanted else 1
        if score:
            ranked.append((-score, -cited[number], number))
    ranked.sort()
    return [entries[number] for _, _, number in ranked[:_MOST]]


def fits(words: Words, typed: str) -> bool:
    """Whether all words of `typed` are there."""
    wanted = [fold(word).lower() for word in _WORD.findall(typed)]
    return not wanted or _score(words, "\0", wanted) > 0


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
