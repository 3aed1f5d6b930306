"""What BibTeX's styles and biblatex require of an entry and print of it, and the letters that BibTeX cuts in two.

BibTeX counts bytes, and UTF-8 has several for a letter beyond ASCII. Which styles cut was measured by running each
style of TeX Live 2022 on names that begin with such a letter, and looking at whether its output is UTF-8 still.
`plain`, `unsrt`, `plainnat` and a hundred others print names whole; Biber and bibtex8 count letters.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from citeplug.text.tables import Tables

Engine = Literal["bibtex", "biber", "none"]

_TABLES = Tables(__name__)
_REQUIRED: dict[str, dict[str, str]] = {name: _TABLES.values(f"{name}_required") for name in ("bibtex", "biblatex")}
_OPTIONAL: dict[str, str] = _TABLES.values("bibtex_optional")
_BIBLATEX_ALIASES = _TABLES.pairs("aliases")
_ALIASES = {"conference": "inproceedings"}
_TELLING = _TABLES.words("telling")
_INHERITING = ("crossref", "xdata", "xref")
BIBER_TEXT = _TABLES.words("biber_text")


def missing_fields(kind: str, fields: Mapping[str, str], engine: Engine) -> Iterator[tuple[str, bool]]:
    """The fields that the type asks for and the entry lacks, `a|b` where one is enough; whether it tells the work."""
    if any(fields.get(name, "").strip() for name in _INHERITING):
        return  # what is missing may come from there
    biber = engine == "biber"
    name = (_BIBLATEX_ALIASES if biber else _ALIASES).get(kind, kind)
    for wanted in _REQUIRED["biblatex" if biber else "bibtex"].get(name, "").split():
        names = wanted.split("|")
        # biblatex's own names say the same to a reader, whatever the style makes of them.
        others = {"journal": "journaltitle", "year": "date", "school": "institution"}
        names += [others[name] for name in names if name in others]
        if not any(fields.get(name, "").strip() for name in names):
            yield wanted, not _TELLING.isdisjoint(names)


def printed_fields(kind: str, engine: Engine) -> frozenset[str]:
    """The fields whose text goes to LaTeX with the standard styles; `url`, `doi` and the like are no text."""
    if engine == "biber":
        return BIBER_TEXT
    name = _ALIASES.get(kind, kind)
    required = _REQUIRED["bibtex"].get(name, "").replace("|", " ")
    # Styles set a type that they do not know as @misc.
    return frozenset(f"{required} {_OPTIONAL.get(name, _OPTIONAL['misc'])}".split())


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
    people = [_GROUP.sub(_closed, person) for person in _AND.split(names)]
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
