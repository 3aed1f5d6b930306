"""Published works: find the one that an arXiv paper became, and print it as an entry."""

import re
from collections.abc import Iterator, Sequence

from citeplug.bib.write.dialect import Dialect
from citeplug.bib.write.entries import print_author, print_title, printable_doi
from citeplug.errors import SourceUnavailable
from citeplug.protocols import WorkSource
from citeplug.records.paper import Paper
from citeplug.records.work import Work
from citeplug.text.compare import compare_titles, record_dois
from citeplug.text.folding import split_name
from citeplug.text.people import compare_authors

_PUBLISHED = frozenset(("article", "inproceedings", "incollection", "book"))
# Years around the versions at arXiv: of the same people and title, but far off, it may be a thesis or a later edition.
_EARLIER, _LATER = 2, 5
_VENUE_FIELD = {
    "article": "journal", "inproceedings": "booktitle", "incollection": "booktitle", "phdthesis": "school",
    "techreport": "institution", "misc": "howpublished",
}  # fmt: skip
_PREPRINT = re.compile(r"\bcorr\b|arxiv|preprint|ssrn", re.IGNORECASE)


def find_published(record: Paper, sources: Sequence[WorkSource]) -> Work | None:
    """The published version of an arXiv paper, all of it one service's record; None if no service has one.

    By the DOI that arXiv's record gives, else by title and authors, which must both be the same then. The
    sources are asked in their order. Raises SourceUnavailable if none was found and one could not be queried.
    """
    outage: SourceUnavailable | None = None
    for ask in (_by_doi, _by_title):
        for source in sources:
            try:
                found = next(ask(record, source), None)
            except SourceUnavailable as error:
                outage = error
                continue
            if found is not None:
                return found
    if outage is not None:
        raise outage
    return None


def _by_doi(record: Paper, source: WorkSource) -> Iterator[Work]:
    """Titles change on the way into print, and so do a few authors, but never both."""
    for doi in record_dois(record) if source.knows_dois else ():
        work = source.by_doi(doi)
        if work is not None and is_published(work):
            authors = compare_authors(" and ".join(record.authors), work.authors).degree
            title = compare_titles(record.title, work.title, same_authors=authors == "same")
            if authors == "same" or title == "same" or (title, authors) == ("close", "close"):
                yield work


def _by_title(record: Paper, source: WorkSource) -> Iterator[Work]:
    for work in source.by_title(record.title, [split_name(name).surname for name in record.authors]):
        same_authors = compare_authors(" and ".join(record.authors), work.authors).degree == "same"
        if (
            is_published(work)
            and same_authors
            and compare_titles(record.title, work.title, same_authors=True) == "same"
            and work.year is not None
            and record.published.year - _EARLIER <= work.year <= record.updated.year + _LATER
            and work.arxiv_id in (None, record.id.value)
        ):
            yield work


def is_published(work: Work) -> bool:
    """True if the work is more than a preprint: in a journal, proceedings or a book."""
    return work.kind in _PUBLISHED and bool(work.venue or work.kind == "book") and not _is_preprint(work)


def _is_preprint(work: Work) -> bool:
    return (work.doi or "").startswith("10.48550/") or _PREPRINT.search(work.venue or "") is not None


def work_fields(work: Work, dialect: Dialect) -> dict[str, str]:
    """The fields of an entry for `work`, as LaTeX in the dialect, in the order in which they are printed."""
    surnames = work.surnames or ("",) * len(work.authors)
    names = [_name(name, surname) for name, surname in zip(work.authors, surnames, strict=False)]
    authors = [author for name in names if (author := print_author(name, dialect))]
    if work.more_authors:
        authors.append("others")
    fields = {
        "title": print_title(work.title, dialect),
        "editor" if work.kind == "proceedings" else "author": " and ".join(authors),
        _VENUE_FIELD.get(work.kind, "series"): dialect.latex(work.venue),
        "volume": dialect.latex(work.volume),
        "number": dialect.latex(work.number),
        "pages": re.sub(r"(?<=\w)\s*[-–—]+\s*(?=\w)", "--", dialect.latex(work.pages)),
        "publisher": dialect.latex(work.publisher) if work.kind not in ("article", "phdthesis", "techreport") else "",
        "year": str(work.year or ""),
        "doi": printable_doi(work.doi, dialect) or "",
    }
    if not fields["doi"] and re.fullmatch(r"https?://[A-Za-z0-9./:_~?=-]+", work.url or ""):
        fields["url"] = work.url or ""
    return {name: text for name, text in fields.items() if text}


def _name(name: str, surname: str) -> str:
    """With its surname first where the service tells it apart: `Garcia Marquez` is no middle name."""
    given = name.replace(surname, "", 1).strip() if surname else ""
    return f"{surname}, {given}" if surname and given else name
