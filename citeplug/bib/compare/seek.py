"""Search for the record of an entry without a usable id: the words to search for, and the choice among the results."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from citeplug.bib.compare.evidence import is_published, see_people
from citeplug.bib.compare.verify import claims_arxiv
from citeplug.records.draft import BibEntry
from citeplug.records.paper import ArxivId, Clue, Paper
from citeplug.text.compare import (
    Degree,
    compare_titles,
    core_of_title,
    entry_doi,
    entry_title,
    entry_year,
    misspelt,
    other_part,
    record_dois,
    share_of_words,
    years_in,
)
from citeplug.text.folding import fold, fold_title, is_collective, split_name
from citeplug.text.identifiers import written_doi
from citeplug.text.people import share_of_surnames, split_authors
from citeplug.text.sameness import ANYBODYS
from citeplug.text.tables import Tables
from citeplug.text.tex_text import decode_tex

_WORDS = 4  # arXiv's own titles hold TeX and accents: a few rare words find what a phrase misses (arxiv-api.md, 12)
_ASCII = re.compile(r"[A-Za-z][A-Za-z0-9]{2,}")
_EVERYDAY = Tables(__name__).words("everyday")
_FLOATED = re.compile(r"(?<![\d.])(\d{3,4})\.(\d{1,5})(?![\d.])")
_SAME_PEOPLE = 0.5  # of the surnames
_SAME_WORDS = 0.5  # of the shorter title's: with fewer, two titles cannot be close
_RARE_WORDS = 6  # of a title that two papers hardly share
_BEFORE, _AFTER = 2, 3  # years between a preprint and the entry that means it
_LONG_BEFORE, _LONG_AFTER = 15, 5
_UNSOUGHT = frozenset("book manual proceedings booklet mvbook periodical software dataset patent standard".split())


def doi_clue(entry: BibEntry) -> Clue | None:
    doi = written_doi(entry.doi or entry.fields.get("doi"))
    return Clue(doi=doi) if doi else None


def clues(entry: BibEntry) -> list[Clue]:
    """Queries for an entry, the best first: rare words of the title alone, then others with a surname.

    Words with an accent or TeX in them are left out, since arXiv folds neither. Empty if the title has too
    little that could tell one paper from others.
    """
    words = [word.lower() for word in _ASCII.findall(_blank(decode_tex(entry_title(entry))))]
    ranked = sorted(dict.fromkeys(words), key=lambda word: (word in _EVERYDAY, -len(word)))
    surname = _surname(entry)
    candidates = []
    if len(ranked) >= 3:
        candidates.append(Clue(tuple(ranked[:_WORDS]), None))
    # A word that is wrong in the entry may be among the first: the next ones, with an author, do without it.
    others = tuple(ranked[_WORDS : _WORDS + 3] if len(ranked) > _WORDS + 1 else ranked[-2:])
    if surname and others:
        candidates.append(Clue(others if len(ranked) >= 3 else tuple(ranked), surname))
    return candidates


def _blank(title: str) -> str:
    """The title without the words that hold a letter beyond ASCII."""
    return " ".join(word for word in title.split() if word.isascii())


def _surname(entry: BibEntry) -> str | None:
    """The first author's surname as an ASCII word; of several words the last."""
    names = split_authors(entry.fields.get("author", ""))[0]
    family = fold(split_name(names[0]).family) if names else ""
    words = [word for word in re.findall(r"[A-Za-z]+", family) if len(word) > 1]
    return words[-1].lower() if words else None


def worth_asking(entry: BibEntry) -> bool:
    """True if arXiv may know the paper: books and manuals are not there, unless the entry says so."""
    return claims_arxiv(entry) or entry.kind not in _UNSOUGHT


def repaired_ids(entry: BibEntry) -> list[ArxivId]:
    """Ids that the entry may have carried before a table took them for numbers (`1403.597`, arxiv-api.md, 15)."""
    candidates = []
    texts = [entry.fields.get(name, "") for name in ("eprint", "arxivid", "journal", "note", "number", "volume", "url")]
    for left, right in _FLOATED.findall(" ".join(texts)):
        for digits in (4, 5):
            try:
                candidates.append(ArxivId.parse(f"{left.zfill(4)}.{right.ljust(digits, '0')}"))
            except ValueError:
                continue
    return list(dict.fromkeys(candidates))


@dataclass(frozen=True, slots=True)
class Meant:
    """The record that an entry means.

    `sure`: title and authors are the record's, or the DOI is and one of the two; else it is likely. `exact`:
    title, authors and year fit this record and no other. `twins` are other records that fit as well. `strangers`: the
    title is this record's alone, and none of the entry's authors is.
    """

    paper: Paper
    by: Literal["doi", "title"]
    sure: bool
    exact: bool
    twins: tuple[Paper, ...] = ()
    strangers: bool = False


@dataclass(frozen=True, slots=True)
class _RecordMatch:
    paper: Paper
    title: Degree
    authors: Degree
    people: float  # 0 to 1, the share of the entry's surnames that the record has
    year: bool
    doi: bool

    @property
    def sure(self) -> bool:
        if self.doi:
            return self.title == "same" or self.authors == "same"
        return self.title == "same" and self.authors == "same"

    @property
    def rank(self) -> tuple[bool, ...]:
        return self.sure, self.doi, self.title == "same", self.authors == "same", self.authors == "close", self.year


def choose(entry: BibEntry, papers: Iterable[Paper]) -> Meant | None:
    """The record that `entry` means among `papers`, None if it means none of them.

    A title alone is never enough: the authors have to be the same people, at least half of them.
    """
    fits = [fit for paper in {paper.id.value: paper for paper in papers}.values() if (fit := _fit(entry, paper))]
    if not fits:
        return None
    best = max(fits, key=lambda fit: fit.rank)
    rivals = [fit for fit in fits if fit is not best and fit.sure and best.sure and fit.rank[1:4] == best.rank[1:4]]
    apart = [fit for fit in rivals if fit.year or not best.year]
    return Meant(
        best.paper,
        "doi" if best.doi else "title",
        best.sure,
        best.title == "same" and best.authors == "same" and best.year and not rivals,
        tuple(fit.paper for fit in apart),
        not (best.sure or best.doi or best.people or claims_arxiv(entry)),
    )


def _fit(entry: BibEntry, paper: Paper) -> _RecordMatch | None:
    """The fit of a record, None if the entry means another paper."""
    doi = entry_doi(entry)
    same_doi = doi is not None and doi in record_dois(paper)
    title = entry_title(entry)
    if not same_doi and share_of_words(title, paper.title) < _SAME_WORDS:
        return None
    degree = compare_titles(title, paper.title, same_authors=same_doi)
    if not same_doi and (degree == "other" or other_part(title, paper.title)):
        return None
    authors, people = _authors_fit(entry, paper)
    fit = _RecordMatch(paper, degree, authors, people, _year_fits(entry, paper), same_doi)
    if same_doi:
        return fit if fit.sure or degree == "close" or people >= _SAME_PEOPLE else None
    if fit.sure:
        return fit if claims_arxiv(entry) or _year_is_near(entry, paper) else None
    if not people and fit.year and _is_unmistakable(entry, paper):
        return fit
    if not fit.year or (is_published(entry) and not claims_arxiv(entry)):
        # A published version that claims nothing may have other authors, and be another paper.
        return None
    if degree == "same":
        return fit if people >= _SAME_PEOPLE or (claims_arxiv(entry) and _telling(title)) else None
    alike = authors == "same" and misspelt(title, paper.title, word_by_word=not claims_arxiv(entry))
    return fit if alike else None


def _authors_fit(entry: BibEntry, paper: Paper) -> tuple[Degree, float]:
    """The comparison of the authors, and the share of the entry's surnames that the record has."""
    entered = entry.fields.get("author", "")
    degree = see_people(entry, entered, [paper.authors])[1]
    if degree in ("same", "close"):
        return degree, 1.0
    return "other", share_of_surnames(entered, paper.authors)


def _telling(title: str, rare: int = 3) -> bool:
    """True if two papers of other people are unlikely to share the title: it has three words, and so many rare ones."""
    words = fold_title(title).split()
    return len(words) >= 3 and len([word for word in words if word not in _EVERYDAY]) >= rare


def _is_unmistakable(entry: BibEntry, paper: Paper) -> bool:
    """True if the entry has a record's very title, too long and rare for two papers, and authors to compare."""
    title = entry_title(entry)
    people = split_authors(entry.fields.get("author", ""))[0]
    told = bool(people and paper.authors) and not any(map(is_collective, (*people, *paper.authors)))
    if not told or fold_title(title).partition(" ")[0] in ANYBODYS:
        return False
    return core_of_title(title) == core_of_title(paper.title) and _telling(title, rare=_RARE_WORDS)


def _year_fits(entry: BibEntry, paper: Paper) -> bool:
    year = entry_year(entry)
    if year is None or year in years_in(paper.journal_ref):
        return True
    if is_published(entry):
        return paper.published.year - _BEFORE <= year <= paper.updated.year + _AFTER
    return paper.published.year <= year <= max(paper.published.year, paper.updated.year)


def _year_is_near(entry: BibEntry, paper: Paper) -> bool:
    """Many papers come to arXiv long after they were printed, few long before."""
    year = entry_year(entry)
    return year is None or paper.published.year - _LONG_BEFORE <= year <= paper.updated.year + _LONG_AFTER


def owner_of_title(entry: BibEntry, record: Paper, papers: Iterable[Paper]) -> Paper | None:
    """The other paper whose very title the entry has; None too if many papers may have such a title."""
    title = core_of_title(entry_title(entry))
    if title == core_of_title(record.title) or not _telling(entry_title(entry), rare=2):
        return None
    return next((p for p in papers if p.id.value != record.id.value and core_of_title(p.title) == title), None)


def owner_of_doi(doi: str, papers: Sequence[Paper], title: str) -> Paper | None:
    """The record whose DOI this is, if it is another paper than the one of that title."""
    owners = [paper for paper in papers if doi in record_dois(paper)]
    if not owners or any(compare_titles(title, paper.title, same_authors=True) != "other" for paper in owners):
        return None
    return owners[0]
