"""An entry beside the work of a service that is not arXiv: what is the same, and whether it is the same work."""

from dataclasses import dataclass
from typing import Literal

from citeplug.bib.compare.evidence import Doubt, Seen, short, shown
from citeplug.bib.write.works import is_published
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import Evidence
from citeplug.records.work import SERVICE_NAMES, Work
from citeplug.text.compare import Degree, compare_titles, entry_title, entry_year, share_of_words
from citeplug.text.folding import fold_title, split_name
from citeplug.text.people import compare_authors, share_of_surnames, split_authors

BOOKS = frozenset(("book", "proceedings", "collection", "mvbook"))
_YEARS_APART = 1  # online and in print
_LONG_TITLE = 5  # words; other people's work of the same long title is likelier this one with wrong authors
_RETITLED = 0.5  # of the shorter title's words: with the same DOI and authors it is the same work


@dataclass(frozen=True, slots=True)
class Fit:
    """An entry beside one work. `title` and `authors` are None where the entry has nothing to compare."""

    entry: BibEntry
    work: Work
    by_doi: bool
    title: Degree | None
    authors: Degree | None
    year: Literal["same", "differs", "unchecked", "missing"]
    seen: tuple[Seen, ...]

    @property
    def doubts(self) -> list[Doubt]:
        return [seen.doubt for seen in self.seen if seen.doubt is not None]

    @property
    def right(self) -> bool:
        """True if enough is the same, and nothing in doubt: a title or a DOI alone proves nothing."""
        if self.doubts or self.title not in ("same", None):
            return False
        if self.title is None:
            return self.authors == "same" and self.by_doi
        return self.authors == "same" or (self.authors is None and (self.year == "same" or self.by_doi))


def compare(entry: BibEntry, work: Work, *, by_doi: bool) -> Fit:
    authors, people = _see_authors(entry, work)
    title, name = _see_title(entry, work, same_authors=people == "same")
    year = _see_year(entry, work)
    return Fit(entry, work, by_doi, name, people, year.evidence.verdict, (title, authors, year))


def is_same_work(fit: Fit) -> bool:
    """True if the record is of the work that the entry means, be it right in every field or not."""
    alike = fit.title in ("same", "close")
    if fit.by_doi:
        if fit.title is None:
            return fit.authors in (None, "same", "close")
        return alike or (fit.authors == "same" and _retitled(fit))
    if fit.title == "close":
        return fit.authors == "same"
    if fit.title != "same":
        return False
    if fit.authors in ("same", "close"):
        return True
    if fit.authors is None:
        return fit.year == "same"
    if share_of_surnames(_authors(fit.entry, fit.work), fit.work.authors) > 0:
        return True
    return len(fold_title(fit.work.title).split()) >= _LONG_TITLE and fit.year in ("same", "missing")


def _retitled(fit: Fit) -> bool:
    return share_of_words(entry_title(fit.entry), fit.work.title) >= _RETITLED


def rank(fit: Fit) -> tuple[bool, ...]:
    """The record that fits best comes first."""
    return (
        not fit.right,
        fit.title != "same",
        fit.authors not in ("same", None),
        fit.year not in ("same", "unchecked"),
        not fit.by_doi,
        not is_published(fit.work),
    )


def _see_title(entry: BibEntry, work: Work, *, same_authors: bool) -> tuple[Seen, Degree | None]:
    given, found = entry_title(entry), short(work.title)
    if not given:
        return Seen(Evidence("title", None, found, "missing")), None
    # With and without biblatex's subtitle.
    degrees = [
        compare_titles(text, work.title, same_authors=same_authors)
        for text in dict.fromkeys((given, entry.fields["title"]))
    ]
    degree: Degree = "same" if "same" in degrees else "close" if "close" in degrees else "other"
    if degree == "same":
        return Seen(Evidence("title", shown(given), found, "same")), degree
    service = SERVICE_NAMES[work.service]
    doubt = Doubt("title_differs", "warning", f"the title is not quite that at {service}: {found}")
    return Seen(Evidence("title", shown(given), found, "differs"), doubt), degree


def _see_authors(entry: BibEntry, work: Work) -> tuple[Seen, Degree | None]:
    given = _authors(entry, work)
    found = short(", ".join(work.authors)) or None
    if entry.kind == "bibitem" and not given:
        first = fold_title(split_name(work.authors[0]).family) if work.authors else ""
        is_there = bool(first) and f" {first} " in f" {fold_title(entry.fields.get('text', ''))} "
        return Seen(Evidence("author", None, found, "same" if is_there else "unchecked")), "same" if is_there else None
    if not given:
        return Seen(Evidence("author", None, found, "missing")), None
    if not work.authors:
        return Seen(Evidence("author", shown(given), None, "unchecked")), None
    compared = compare_authors(given, work.authors)
    names, _ = split_authors(given)
    if compared.degree != "same" and work.more_authors and len(names) > len(work.authors):
        compared = compare_authors(" and ".join(names[: len(work.authors)]), work.authors)
    if compared.degree == "same":
        return Seen(Evidence("author", shown(given), found, "same")), "same"
    severity: Literal["warning", "error"] = "warning" if compared.degree == "close" else "error"
    message = f"the authors differ from those at {SERVICE_NAMES[work.service]}: {compared.why}"
    doubt = Doubt("authors_differ", severity, message)
    return Seen(Evidence("author", shown(given), found, "differs"), doubt), compared.degree


def _authors(entry: BibEntry, work: Work) -> str:
    """The entry's authors; of a book the editors may stand for them."""
    editors = entry.fields.get("editor", "") if work.kind in ("book", "proceedings") else ""
    return entry.fields.get("author", "") or editors


def _see_year(entry: BibEntry, work: Work) -> Seen:
    year, years = entry_year(entry), work.years or ((work.year,) if work.year else ())
    found = ", ".join(map(str, years)) or None
    if year is None:
        given = entry.fields.get("year") or entry.fields.get("date")
        return Seen(Evidence("year", shown(given) if given else None, found, "missing"))
    if not years:
        return Seen(Evidence("year", str(year), None, "unchecked"))
    if min(years) - _YEARS_APART <= year <= max(years) + _YEARS_APART:
        return Seen(Evidence("year", str(year), found, "same"))
    if not is_published(work) or work.kind == "book" or entry.kind in BOOKS:
        return Seen(Evidence("year", str(year), found, "unchecked"))  # a preprint of it, or another edition
    message = f"the year is {year}, {SERVICE_NAMES[work.service]} says {found}"
    return Seen(Evidence("year", str(year), found, "differs"), Doubt("year_differs", "warning", message))
