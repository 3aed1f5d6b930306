"""The published version in the place of a preprint's entry: the key and the author's own fields stay.

All that says where the paper appeared comes from one record; nothing of the preprint is left beside it. Authors write
arXiv's `journal_ref` freely. Only a journal with its volume, pages and year, in one of the customary orders and with
nothing else beside it, is taken from there; proceedings, books and several references in one are not.
"""

import re
from dataclasses import dataclass

from citeplug.bib.write.works import work_fields
from citeplug.bib.write.writing import BibConventions
from citeplug.records.draft import BibEntry
from citeplug.records.paper import Paper
from citeplug.records.work import Work
from citeplug.text.cleaning import plain
from citeplug.text.compare import compare_titles, record_dois
from citeplug.text.people import compare_authors
from citeplug.text.tables import Tables

_JOURNAL = r"(?P<journal>[A-Z][A-Za-z.&' -]*?[A-Za-z.])"
_VOLUME = r"(?P<volume>(?:(?<![A-Za-z])(?-i:[A-L])\s?)?\d{1,4})"
_NUMBER = r"(?P<number>\d{1,4}(?:[-/]\d{1,4})?)"
_PAGES = r"(?P<pages>[A-Z]?\d{1,7}(?:\s*[-–]{1,3}\s*[A-Z]?\d{1,7})?)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_MONTH = r"(?:(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?,?\s+)?"
_FORMS = [
    re.compile(rf"{_JOURNAL}{form}", re.IGNORECASE)
    for form in (
        # Phys. Rev. D 54, 1234-1240 (1996); Nature 521(7553), 436-444 (2015); Phys.Lett. B380: 286, (1996)
        rf",?\s*{_VOLUME}(?:\s*\(\s*{_NUMBER}\s*\))?\s*[,:]\s*(?:pp?\.\s*|pages\s+)?{_PAGES}\s*,?\s*\(\s*{_MONTH}{_YEAR}\s*\)",
        # Nucl.Phys. B477 (1996) 327-333; J. Stat. Phys. 12 (1998), no. 3, 45-60
        rf",?\s*{_VOLUME}\s*\(\s*{_YEAR}\s*\)\s*[,:]?\s*(?:no\.?\s*{_NUMBER}\s*,\s*)?(?:pp?\.?\s*|pages\s+)?{_PAGES}",
        # Journal of Machine Learning Research 15(56):1929-1958, 2014; Phys.Rev.D54:1234-1240,1996
        rf",?\s*{_VOLUME}(?:\s*\(\s*{_NUMBER}\s*\))?\s*[:,]\s*{_PAGES}\s*,\s*{_YEAR}",
        # Physical Review Letters, vol. 98, no. 14, pp. 146401-146404, April 2007
        rf",?\s*vol(?:ume|\.)?\s*{_VOLUME}\s*,\s*(?:(?:no\.?|number|issue|iss\.)\s*{_NUMBER}\s*,\s*)?"
        rf"(?:pp?\.?|pages)\s*{_PAGES}\s*,\s*\(?{_MONTH}{_YEAR}\)?",
    )
]
# These number their volumes in another way than a journal, or are none.
_NO_JOURNAL = re.compile(
    r"proc|conf|workshop|symp|lecture|lect\.|notes|lncs|book|chapter|ed\.|eds|arxiv|thesis|report|submitted|to appear"
    r"|accepted|press|erratum|vol|supp",
    re.IGNORECASE,
)
_LONGEST = 200  # characters
_EARLIER, _LATER = 10, 6  # years around the versions at arXiv


@dataclass(frozen=True, slots=True)
class JournalRef:
    """An article's place in a journal, as plain text; `pages` with one hyphen."""

    journal: str
    volume: str
    pages: str
    year: int
    number: str | None = None


def read_journal_ref(paper: Paper) -> JournalRef | None:
    """The place that the record's `journal_ref` gives; None if it gives none, or not for sure."""
    text = plain(paper.journal_ref).rstrip(". ")
    if not 0 < len(text) <= _LONGEST:
        return None
    for form in _FORMS:
        match = form.fullmatch(text)
        if match is not None:
            return _read(match, paper)
    return None


def _read(match: re.Match[str], paper: Paper) -> JournalRef | None:
    journal, volume, year = match["journal"].strip(" ,"), match["volume"], int(match["year"])
    if _NO_JOURNAL.search(journal) or not paper.published.year - _EARLIER <= year <= paper.updated.year + _LATER:
        return None
    letter = re.match(r"([A-Z])\s?(?=\d)", volume)
    if letter:  # Phys. Rev. has a volume 54 in each of its sections
        journal, volume = f"{journal} {letter[1]}", volume[letter.end() :]
    pages = re.sub(r"\s*[-–]+\s*", "-", match["pages"])
    return JournalRef(journal, volume, pages, year, match["number"])


_PREPRINT = re.compile(r"ar[x\u03c7]iv|\bcorr\b|abs/|10\.48550/|preprint|computing research repository", re.IGNORECASE)
_TABLES = Tables(__name__)
_ID_FIELDS = _TABLES.words("id_fields")
_OF_PUBLICATION = _TABLES.words("of_publication")
# These are the author's, unless they do nothing but point at the preprint.
_POINTING = ("note", "howpublished", "url", "pubstate", "addendum", "ee", "pdf", "link")
_NOTHING_ELSE = re.compile(
    r"(?:\W|\\[a-z]+|ar[x\u03c7]iv|preprint|e-?print|abs|pdf|https?|www|org|export|doi|\[?[a-z-]+(?:\.[A-Za-z-]{2,})?\]|"
    r"(?:[a-z-]+(?:\.[A-Z]{2})?/)?\d[\d.]{4,11}(?:v\d+)?|10\.48550|available|online|at|in|submitted|to|cs|math)*+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Replacement:
    """The new form of an entry: its type, its fields as LaTeX, and the fields that go."""

    kind: str
    fields: dict[str, str]
    removed: frozenset[str]


def replace_by_work(entry: BibEntry, work: Work, writing: BibConventions) -> Replacement:
    """All from the record of one service."""
    fields = work_fields(work, writing.printing())
    if "author" in fields:
        fields["author"] = work_fields(work, writing.printing(names=True))["author"]
    if compare_authors(entry.fields.get("author", ""), work.authors).degree == "same":
        fields.pop("author", None)
    if compare_titles(entry.fields.get("title", ""), work.title, same_authors=True) == "same":
        fields.pop("title", None)
    return Replacement(work.kind, fields, _leftovers(entry, fields) | _present(entry, _ID_FIELDS))


def replace_by_record(entry: BibEntry, record: Paper, writing: BibConventions) -> Replacement | None:
    """All from arXiv's own record, whose id then stays; None if its `journal_ref` cannot be read for sure."""
    place = read_journal_ref(record)
    dois = record_dois(record)
    if place is None or len(dois) != 1:
        return None
    fields = {
        "journal": writing.printing().latex(place.journal),
        "volume": place.volume,
        "number": place.number or "",
        "pages": place.pages.replace("-", "--"),
        "year": str(place.year),
    }
    fields = {name: value for name, value in fields.items() if value}
    if re.fullmatch(r"[A-Za-z0-9./():;-]+", dois[0]) or (writing.doi_signs and "_" in dois[0]):
        fields["doi"] = dois[0].replace("_", writing.doi_signs or "_")
    return Replacement("article", fields, _leftovers(entry, fields) - _ID_FIELDS)


def _leftovers(entry: BibEntry, fields: dict[str, str]) -> frozenset[str]:
    """Fields that speak of the preprint, and would be beside the new record as if they were its own."""
    gone = {name for name in _OF_PUBLICATION if name in entry.fields and name not in fields}
    for name in _POINTING:
        value = entry.fields.get(name, "")
        if value and name not in fields and _PREPRINT.search(value) and _NOTHING_ELSE.fullmatch(value):
            gone.add(name)
    return frozenset(gone)


def _present(entry: BibEntry, names: frozenset[str]) -> frozenset[str]:
    return frozenset(name for name in names if name in entry.fields)
