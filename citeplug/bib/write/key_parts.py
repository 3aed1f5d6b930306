"""Parts of citation keys: authors, year, words of the title, ids, each as keys write them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from citeplug.records.draft import BibEntry
from citeplug.records.paper import Paper
from citeplug.text.compare import entry_year
from citeplug.text.folding import Name, fold, fold_title, is_collective, name_forms, split_name
from citeplug.text.people import split_authors
from citeplug.text.tables import Tables

_SKIPPED_IN_KEYS = Tables(__name__).words("skipped")
_LONGEST_WORD = 20


@dataclass(frozen=True)
class KeyFacts:
    """The parts of a key. `names` are the authors as "Given Family" or in BibTeX's form, TeX allowed."""

    names: tuple[str, ...]
    year: int | None
    title: str
    arxiv_id: str | None = None

    @classmethod
    def of_paper(cls, paper: Paper) -> "KeyFacts":
        return cls(paper.authors, paper.published.year, paper.title, paper.id.value)

    @classmethod
    def of_entry(cls, entry: BibEntry) -> "KeyFacts":
        names = split_authors(entry.fields.get("author") or entry.fields.get("editor", ""))[0]
        return cls(tuple(names), entry_year(entry), entry.fields.get("title", ""), entry.arxiv_id)

    @cached_property
    def people(self) -> tuple[Name, ...]:
        return tuple(split_name(name) for name in self.names)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The title's words in small ASCII letters and digits."""
        return tuple(filter(None, (re.sub(r"[^a-z0-9]", "", word) for word in fold_title(self.title).split())))

    @cached_property
    def telling(self) -> tuple[str, ...]:
        return tuple(
            word for word in self.words if len(word) > 1 and word not in _SKIPPED_IN_KEYS and not word.isdigit()
        )


@dataclass(frozen=True, slots=True)
class KeyPart:
    """`kind` names a maker of `KINDS`; `case` is `lower`, `title`, `upper` or `kept`, as the source has it."""

    kind: str
    case: str = "lower"

    def text(self, facts: KeyFacts) -> str:
        """The part as it is written in a new key; "" if the facts lack it."""
        return CASES[self.case](next(filter(None, KINDS[self.kind](facts)), ""))


# Each maker gives the ways in which a part is written, the commonest first.


def _surname_forms(name: Name) -> list[str]:
    """Letters of the surname without accents, capitals kept: `VandeSompel`, `Muller`, and `Mueller` too."""
    surname = name.surname
    if is_collective(surname):
        kept = [word for word in surname.split() if not is_collective(word) and word.lower() not in ("the", "for")]
        surname = kept[0] if kept else surname
    usual = _letters(surname)
    others = [form for form in sorted(name_forms(surname)) if form != usual.lower()]
    last = _letters(name.family)
    return [usual, *(other.capitalize() for other in others), *([last] if last != usual else [])]


def _letters(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", fold(text))


def _first(facts: KeyFacts) -> list[str]:
    return [form for form in _surname_forms(facts.people[0]) if form] if facts.people else []


def _hyphened(facts: KeyFacts) -> list[str]:
    """As surname, but with its hyphens: `naish-guzman`."""
    if not facts.people:
        return []
    return [re.sub(r"[^A-Za-z0-9-]", "", fold(facts.people[0].surname).replace(" ", "-"))]


def _all(facts: KeyFacts) -> list[str]:
    """Every surname: `SmithJones`."""
    return ["".join(forms[0] for name in facts.people if (forms := _surname_forms(name)) and forms[0])]


def _up_to_two(etal: str, between: str = "") -> Callable[[KeyFacts], list[str]]:
    """Two surnames, or the first one and `etal`."""

    def make(facts: KeyFacts) -> list[str]:
        surnames = [_surname_forms(name)[0] for name in facts.people]
        if len(surnames) > 2:
            return [f"{surnames[0]}{between}{etal}"]
        return [between.join(surnames)]

    return make


def _label(facts: KeyFacts) -> list[str]:
    """BibTeX's alpha: three letters of one author, else initials, of more than four the first three and `+`."""
    surnames = [_letters(name.surname) for name in facts.people]
    if len(surnames) < 2:
        return [surname[:3] for surname in surnames]
    initials = "".join(surname[:1] for surname in surnames)
    return [initials] if len(surnames) <= 4 else [initials[:3] + "+", initials[:3], initials]


def _three_letters(facts: KeyFacts) -> list[str]:
    """Three letters of each author, of more than four `etal` for the rest: `LloDuvGroetal13`."""
    short = [_letters(name.surname)[:3].capitalize() for name in facts.people]
    return ["".join(short) if len(short) <= 4 else "".join(short[:3]) + "etal"]


def _year(facts: KeyFacts) -> list[str]:
    return [str(facts.year)] if facts.year else []


def _short_year(facts: KeyFacts) -> list[str]:
    return [f"{facts.year % 100:02}"] if facts.year else []


def _word(facts: KeyFacts) -> list[str]:
    """The first word that tells something."""
    return [word[:_LONGEST_WORD] for word in (facts.telling or facts.words)[:1]]


def _first_word(facts: KeyFacts) -> list[str]:
    return list(facts.words[:1])


def _words(count: int) -> Callable[[KeyFacts], list[str]]:
    def make(facts: KeyFacts) -> list[str]:
        return ["".join(word.capitalize() for word in facts.telling[:count])] if len(facts.telling) >= count else []

    return make


def _initials(facts: KeyFacts) -> list[str]:
    words = facts.telling
    return ["".join(word[0] for word in words)] if len(words) > 1 else []


def _id(facts: KeyFacts) -> list[str]:
    return [facts.arxiv_id] if facts.arxiv_id else []


def _marked_id(facts: KeyFacts) -> list[str]:
    return [f"arXiv:{facts.arxiv_id}"] if facts.arxiv_id else []


def _bibcode(facts: KeyFacts) -> list[str]:
    """ADS: year, `arXiv` and the number, or the archive and the number in nine characters; then an initial."""
    if not facts.arxiv_id or not facts.people or facts.year is None:
        return []
    initial = _letters(facts.people[0].surname)[:1].upper() or "."
    if "/" in facts.arxiv_id:
        archive, number = facts.arxiv_id.split("/")
        number = number[2:].lstrip("0")
        place = archive.replace("-", ".")
        return [f"{facts.year}{place}{'.' * max(0, 14 - len(place) - len(number))}{number}{initial}"]
    month, number = facts.arxiv_id.split(".")
    return [f"{facts.year}arXiv{month}{number if len(number) == 5 else '.' + number}{initial}"]


KINDS: dict[str, Callable[[KeyFacts], list[str]]] = {
    "surname": _first,
    "hyphened": _hyphened,
    "surnames": _all,
    "surname_etal": _up_to_two("etal"),
    "surname_EtAl": _up_to_two("EtAl"),
    "surname-etal": _up_to_two("etal", "-"),
    "surname_et_al": _up_to_two("etal", "_"),
    "label": _label,
    "three_letters": _three_letters,
    "year": _year,
    "short_year": _short_year,
    "word": _word,
    "first_word": _first_word,
    "two_words": _words(2),
    "three_words": _words(3),
    "initials": _initials,
    "id": _id,
    "marked_id": _marked_id,
    "bibcode": _bibcode,
}
_WHOLE = ("id", "marked_id", "bibcode")
FAMILY = {
    kind: "year" if "year" in kind else "word" if "word" in kind or kind == "initials" else "authors" for kind in KINDS
} | dict.fromkeys(_WHOLE, "whole")
CASES: dict[str, Callable[[str], str]] = {
    "lower": str.lower,
    "title": lambda text: text[:1].upper() + text[1:].lower(),
    "upper": str.upper,
    "kept": lambda text: text,
}
PARTS = tuple(
    KeyPart(kind, case)
    for kind in KINDS
    for case in (("kept",) if kind in _WHOLE or "year" in kind else ("lower", "title", "kept", "upper"))
)
