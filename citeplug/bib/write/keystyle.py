"""Citation keys for new entries, in the author's style: it is learned from the keys of the entries that are there.

A key is read as a row of parts (authors, year, words of the title, an id) with separators between them. The
reading that most of the entries share is the style; `smith2020`, `Smith:2020`, `smith_attention_2020`,
`SmithJones2020`, `smith-etal-2020-attention`, `Smi20`, `SJK20` and ADS's `2020arXiv200404906K` all are such rows.
Without a style a key is the surname, the year and the first telling word of the title.

Reference managers make keys by a pattern that their user writes down; no library learns it from the keys.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, product
from string import ascii_lowercase

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
        surname_words = [
            word for word in surname.split() if not is_collective(word) and word.lower() not in ("the", "for")
        ]
        surname = surname_words[0] if surname_words else surname
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


def _year_forms(facts: KeyFacts) -> list[str]:
    return [str(facts.year)] if facts.year else []


def _short_year(facts: KeyFacts) -> list[str]:
    return [f"{facts.year % 100:02}"] if facts.year else []


def _word_forms(facts: KeyFacts) -> list[str]:
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
    "year": _year_forms,
    "short_year": _short_year,
    "word": _word_forms,
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


_SEPARATOR = re.compile(r"[_:.+/-]{0,2}")
_DBLP = re.compile(r"DBLP:|(?:conf|journals|books|series|phd|tr|reference)/[\w-]+/\S+")
_BIBCODE = re.compile(r"(?:19|20)\d\d(?=[A-Za-z&.]{3})[A-Za-z&.\d]{14}[A-Z.]")
_LETTERED = re.compile(r"[a-d]([_:-])")
_ENDING = re.compile(r"[a-z]{1,3}|[a-z]?_\d")  # 2017a; 2017aa and 2017abc of BibDesk and INSPIRE; 2017_1
_EVIDENCE, _SHARE = 5, 0.4  # entries, and share of them, that must follow a style before it counts as a habit
_MOST_READ = 400  # entries; the habits of a long file show in part of it


@dataclass(frozen=True, slots=True)
class KeyStyle:
    """Parts in their order, and what is before each of them: `separators[0]` opens the key.

    `letters`: how many letters are always behind the year, to distinguish papers; 0: one where it is needed.
    """

    parts: tuple[KeyPart, ...] = (KeyPart("surname"), KeyPart("year"), KeyPart("word"))
    separators: tuple[str, ...] = ("", "", "")
    letters: int = 0

    def key(self, facts: KeyFacts) -> str:
        """The key for `facts`, without letters; a part that they lack is left out, "" comes if all are."""
        key = ""
        for part, separator in zip(self.parts, self.separators, strict=True):
            text = part.text(facts)
            if text:
                key += (separator if key else "") + text
        return key


DEFAULT = KeyStyle()


def learn_style(entries: Sequence[BibEntry]) -> KeyStyle | None:
    """The style that most keys have, if at least two of five, and five in all, have it; else None.

    Keys that DBLP gave are nobody's style and do not count.
    """
    fits: Counter[KeyStyle] = Counter()
    judged = 0
    read = [entry for entry in entries[:: max(1, len(entries) // _MOST_READ)] if not _DBLP.match(entry.key)]
    if len(read) >= _EVIDENCE and sum(bool(_BIBCODE.fullmatch(entry.key)) for entry in read) * 2 > len(read):
        return KeyStyle((KeyPart("bibcode", "kept"),), ("",))
    for entry in read:
        facts = KeyFacts.of_entry(entry)
        if facts.names and facts.year is not None and facts.title:
            judged += 1
            fits.update(set(readings(entry.key, facts)))
    if not fits:
        return None
    most = max(fits.values())
    if most < max(_EVIDENCE, _SHARE * judged):
        return None
    return min((style for style, count in fits.items() if count == most), key=_unlikeliness)


def readings(key: str, facts: KeyFacts) -> Iterator[KeyStyle]:
    """The styles by which `key` may have been made of `facts`; a letter behind the year is none of a style's."""
    made = {kind: maker(facts) for kind, maker in KINDS.items()}
    there = [
        (part, text)
        for part in PARTS
        for text in dict.fromkeys(CASES[part.case](form) for form in made[part.kind] if form)
        if text in key
    ]
    yield from _read(key, 0, there, (), ())


def _read(
    key: str,
    position: int,
    there: Sequence[tuple[KeyPart, str]],
    parts: tuple[KeyPart, ...],
    separators: tuple[str, ...],
) -> Iterator[KeyStyle]:
    ending = _ending(key[position:], parts)
    if ending is not None and any(FAMILY[part.kind] != "year" for part in parts):
        yield KeyStyle(parts, separators, ending)
    if position == len(key):
        return
    taken = {FAMILY[part.kind] for part in parts}
    for start, separator in _starts(key, position, bool(parts)):
        for part, text in there:
            family = FAMILY[part.kind]
            if family not in taken and not (parts and family == "whole") and key.startswith(text, start):
                yield from _read(key, start + len(text), there, (*parts, part), (*separators, separator))


def _starts(key: str, position: int, inside: bool) -> Iterator[tuple[int, str]]:
    """Positions at which the next part may begin, each with the separator before it."""
    if not inside:
        yield position, ""
        return
    match = _SEPARATOR.match(key, position)
    if match:
        yield match.end(), match[0]
    # A letter that distinguishes two papers of one year may be behind the year, before the word.
    lettered = _LETTERED.match(key, position)
    if lettered and key[position - 1].isdigit():
        yield lettered.end(), lettered[1]


def _ending(rest: str, parts: tuple[KeyPart, ...]) -> int | None:
    """The number of letters that a key of this style always ends with; None if `rest` is more than such an ending."""
    if not rest:
        return 0
    if not parts or FAMILY[parts[-1].kind] != "year" or not _ENDING.fullmatch(rest):
        return None
    return len(rest) if len(rest) > 1 and rest.isalpha() else 0


def _unlikeliness(style: KeyStyle) -> tuple[int, ...]:
    """Of two styles that read the same keys the simpler one is meant."""
    return (len(style.parts), *(PARTS.index(part) for part in style.parts), sum(map(len, style.separators)))


def make_keys(papers: Sequence[Paper], taken: Collection[str], learn_from: Sequence[BibEntry] = ()) -> dict[str, str]:
    """A new key for each paper, by arXiv id: ASCII letters, digits and the separators `_:.+/-` alone.

    `vaswani2017attention`, `vandesompel2004rethinking`; two alike get a letter at the end, the older paper
    first. No key equals one of `taken` or another, whatever the case. Where the entries of `learn_from` have keys
    of another style (`Vaswani:2017`), that style is used.
    """
    style = learn_style(learn_from) or DEFAULT
    used = {key.lower() for key in taken}
    keys: dict[str, str] = {}
    # By age, and not by place in the text, so that moving a sentence renames nothing.
    for paper in sorted({paper.id.value: paper for paper in papers}.values(), key=lambda p: (p.published, p.id.value)):
        keys[paper.id.value] = key = make_key(KeyFacts.of_paper(paper), used, style)
        used.add(key.lower())
    return {paper.id.value: keys[paper.id.value] for paper in papers}


def make_key(facts: KeyFacts, taken: Collection[str], style: KeyStyle = DEFAULT) -> str:
    """A key of this style that is none of `taken`, which are in small letters, whatever its own case."""
    base = style.key(facts) or DEFAULT.key(facts)
    if not any(facts.people) or not base[:1].isalnum():
        base = f"arxiv{base}" if facts.arxiv_id else f"anonymous{base}"
    return next(key for key in _variants(base, style.letters) if key.lower() not in taken)


def _variants(base: str, letters: int) -> Iterator[str]:
    """`base`, then with `a` to `z`, then with `aa`, ...; from `letters` letters on where there are always some."""
    if not letters:
        yield base
    for length in count(letters or 1):
        for ending in product(ascii_lowercase, repeat=length):
            yield base + "".join(ending)
