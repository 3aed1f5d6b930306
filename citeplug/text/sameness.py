"""The one test of whether two descriptions, of entries, records or works, are of the same paper."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from citeplug.records.draft import BibEntry
from citeplug.records.paper import Paper
from citeplug.records.work import Work
from citeplug.text.compare import (
    compare_titles,
    core_of_title,
    entry_doi,
    entry_title,
    entry_year,
    record_dois,
    title_names,
)
from citeplug.text.folding import fold_title, split_name
from citeplug.text.people import compare_names, same_person, split_authors

T = TypeVar("T")
By = Literal["arxiv", "doi", "title"]
STRENGTH: tuple[By, ...] = ("arxiv", "doi", "title")

# A shorter title does not tell a paper with its first author alone.
_TELLING_WORDS, _TELLING_LETTERS = 2, 10
_PRINTED_LETTERS = 13
# Titles under which the same people write many works.
ANYBODYS = frozenset(
    "editorial guesteditorial introduction preface foreword afterword discussion comment comments reply erratum "
    "corrigendum addendum letter notes note abstract rejoinder response obituary proceedings".split()
)
_YEARS = 2  # between two forms of one paper
_BEFORE, _AFTER = 2, 3  # years of an entry before the first and after the last version at arXiv
_MOST_ALIKE = 50  # under one title, id or DOI: what more of them have tells nothing, and must not take its time
# With the same title and all the same people: many papers come to arXiv long after they were printed.
_LONG_BEFORE, _LONG_AFTER = 15, 5


@dataclass(frozen=True, slots=True)
class Described:
    """Title, people, year and ids of a paper, to compare it with others.

    `names` are authors as BibTeX or arXiv writes them; `cut`: more follow. `first` and `last` are the years in which it
    appeared, None if unknown. `of_arxiv`: it is arXiv's record, which stands for every form of the paper, so that
    another DOI or year may be another form's.
    """

    title: str
    names: tuple[str, ...] = ()
    cut: bool = False
    first: int | None = None
    last: int | None = None
    arxiv_id: str | None = None
    dois: frozenset[str] = frozenset()
    of_arxiv: bool = False


def describe_entry(entry: BibEntry) -> Described:
    names, cut = split_authors(entry.fields.get("author") or entry.fields.get("editor", ""))
    year, doi = entry_year(entry), entry_doi(entry)
    title = "" if entry.kind == "bibitem" else entry_title(entry)  # there it is only guessed at
    return Described(title, tuple(names), cut, year, year, entry.arxiv_id, frozenset({doi} if doi else ()))


def describe_paper(paper: Paper) -> Described:
    on_arxiv = paper.id.on_arxiv
    first, last = (year if year > 1 else None for year in (paper.published.year, paper.updated.year))
    arxiv_id = paper.id.value if on_arxiv else None
    return Described(
        paper.title, paper.authors, False, first, last, arxiv_id, frozenset(record_dois(paper)), of_arxiv=on_arxiv
    )


def describe_work(work: Work) -> Described:
    dois = frozenset({work.doi.lower()} if work.doi else ())
    return Described(work.title, work.authors, work.more_authors, work.year, work.year, work.arxiv_id, dois)


def same_paper(one: Described, other: Described) -> By | None:
    """The evidence that two are the same paper: the arXiv id, a DOI, or title and people; None if there is none.

    Two arXiv ids are two papers. So are the DOIs of two published works, and one DOI under two titles by other people,
    which is that of a book.
    """
    if one.arxiv_id and other.arxiv_id:
        return "arxiv" if one.arxiv_id == other.arxiv_id else None
    if one.dois & other.dois:
        both = bool(one.title and other.title and one.names and other.names)
        apart = both and compare_titles(one.title, other.title, same_authors=True) == "other"
        return None if apart and _people(one, other) != "all" else "doi"
    if one.dois and other.dois and not (one.of_arxiv or other.of_arxiv):
        return None
    return "title" if _same_words(one, other) else None


def nearly_same(one: Described, other: Described) -> bool:
    """Return True if titles are the same but for a few words, and all people: an earlier or later form, as a rule.

    It is no proof: parts of one work are nearly the same too.
    """
    if not (one.title and other.title and one.names and other.names) or _people(one, other) != "all":
        return False
    return compare_titles(one.title, other.title, same_authors=True) != "other"


def prints(entry: BibEntry, paper: Described) -> bool:
    """Return True if a `\\bibitem`, whose parts are only guessed at, has the paper's title and its first author."""
    if entry.kind != "bibitem" or entry.arxiv_id or not paper.names:
        return False
    words, title = fold_title(entry.fields.get("text", "")), fold_title(paper.title).replace(" ", "")
    if entry.fields.get("title"):
        alike = compare_titles(entry_title(entry), paper.title) == "same"
    else:
        alike = title in words.replace(" ", "")
    family = fold_title(split_name(paper.names[0]).family)
    return alike and len(title) >= _PRINTED_LETTERS and f" {family} " in f" {words} "


def _same_words(one: Described, other: Described) -> bool:
    """True if title and people are the same, and the years are no contradiction.

    All authors, in whatever order; or the first one, or all of the shorter list, where the whole title is the same and
    long enough to tell a paper.
    """
    if not (one.title and other.title and one.names and other.names):
        return False
    ours, theirs = core_of_title(one.title), core_of_title(other.title)
    if compare_titles(one.title, other.title) != "same" or ours in ANYBODYS:
        return False
    people = _people(one, other)
    if people == "all":
        return _near(one, other, _LONG_BEFORE, _LONG_AFTER)
    telling = len(ours) >= _TELLING_LETTERS and len(fold_title(one.title).split()) >= _TELLING_WORDS
    return people == "some" and ours == theirs and telling and _near(one, other, _BEFORE, _AFTER)


def _people(one: Described, other: Described) -> Literal["all", "some", "none"]:
    """`some`: the first author is the same, or one list has all of the other."""
    compared = (compare_names(one.names, one.cut, other.names), compare_names(other.names, other.cut, one.names))
    if any(comparison.everyone for comparison in compared):
        return "all"
    first = same_person(split_name(one.names[0]), split_name(other.names[0]))
    return "some" if first or any(comparison.degree == "close" for comparison in compared) else "none"


def _near(one: Described, other: Described, before: int, after: int) -> bool:
    if other.of_arxiv:
        one, other = other, one
    years = one.first, other.first
    if years[0] is None or years[1] is None or (one.of_arxiv and other.of_arxiv):
        return True
    if one.of_arxiv:
        return years[0] - before <= years[1] <= (one.last or years[0]) + after
    return abs(years[0] - years[1]) <= _YEARS


class Register(Generic[T]):
    """Things by what describes them, so that the one paper is found among many without comparing all."""

    def __init__(self) -> None:
        self._things: list[tuple[Described, T]] = []
        self._places: dict[tuple[str, str], list[int]] = {}

    def add(self, described: Described, thing: T) -> None:
        for name in _names(described):
            places = self._places.setdefault(name, [])
            if len(places) < _MOST_ALIKE:
                places.append(len(self._things))
        self._things.append((described, thing))

    def same(self, wanted: Described) -> Iterator[tuple[By, T]]:
        """The papers that are the same as `wanted`, in the order in which they were added, each with the evidence."""
        places = {place for name in _names(wanted) for place in self._places.get(name, ())}
        for place in sorted(places):
            described, thing = self._things[place]
            by = same_paper(wanted, described)
            if by is not None:
                yield by, thing


def _names(described: Described) -> Iterator[tuple[str, str]]:
    """Index terms of a paper: two descriptions of one paper share at least one of them."""
    if described.arxiv_id:
        yield "arxiv", described.arxiv_id
    for doi in described.dois:
        yield "doi", doi
    if fold_title(described.title):
        for name in title_names(described.title):
            yield "title", name
