"""Letters that BibTeX cuts in two: it counts bytes, and UTF-8 has several for a letter beyond ASCII.

Measured by running each style of TeX Live 2022 on names that begin with such a letter, and looking at whether its
output is UTF-8 still. `plain`, `unsrt`, `plainnat` and a hundred others print names whole; Biber and bibtex8 count
letters.
"""

import re

from citeplug.text.tables import Tables

_TABLES = Tables(__name__)
_INITIALS = _TABLES.words("initials")
_LABELS = _TABLES.words("labels")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_TOKENS = re.compile(r"[^\s~-]+")
_GROUP = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")
_ASCII_LETTER = re.compile(r"[A-Za-z]")


def cut_letter(names: str, style: str) -> str | None:
    """A letter of `names`, the value of an author or editor field, that the style cuts; None if it cuts none.

    `style` may have a path and an extension. Of a style that was not measured nothing is said.
    """
    if names.isascii():
        return None
    name = style.replace("\\", "/").rsplit("/", 1)[-1].lower().removesuffix(".bst").strip()
    people = [_GROUP.sub(_closed, each) for each in _AND.split(names)]
    if name in _INITIALS:
        for person in people:
            cut = next((word[0] for word in _given(person) if word[0] > "\x7f"), None)
            if cut is not None:
                return cut
    if name in _LABELS:
        for person in people[:4]:
            cut = _cut_in_label(person, alone=len(people) == 1)
            if cut is not None:
                return cut
    return None


def _closed(match: re.Match[str]) -> str:
    """A group in braces stands for one letter, or for a word that is not looked into."""
    inner = match[0][1:-1].lstrip("{")
    return "X" if inner.startswith("\\") or inner.isascii() else inner[0]


def _given(person: str) -> list[str]:
    """The words of the given name as BibTeX finds them."""
    parts = person.split(",")
    if len(parts) > 1:
        return _TOKENS.findall(parts[-1])
    words: list[str] = _TOKENS.findall(person)
    return next((words[:number] for number, word in enumerate(words[:-1]) if _is_particle(word)), words[:-1])


def _is_particle(word: str) -> bool:
    """True if BibTeX takes the word for a `von`: it sees no letter beyond ASCII, so `Émile` begins in lower case."""
    first = _ASCII_LETTER.search(word)
    return first is not None and first[0].islower()


def _cut_in_label(person: str, *, alone: bool) -> str | None:
    words: list[str] = _TOKENS.findall(person.split(",")[0])
    particles = [word for word in words[:-1] if _is_particle(word)]
    surname = words[-1:] if "," not in person or particles else words
    for word in particles if alone else (*particles, *surname):
        if word[0] > "\x7f":
            return word[0]
    try:
        "".join(surname[:1] if alone else ()).encode()[:3].decode()
    except UnicodeDecodeError:
        return next(letter for letter in surname[0] if letter > "\x7f")
    return None
