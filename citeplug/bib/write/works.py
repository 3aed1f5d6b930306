"""Published works, printed as entries."""

import re

from citeplug.bib.write.dialect import Dialect
from citeplug.bib.write.entries import print_author, print_title, printable_doi
from citeplug.records.work import Work

_PUBLISHED = frozenset(("article", "inproceedings", "incollection", "book"))
_VENUE_FIELD = {
    "article": "journal", "inproceedings": "booktitle", "incollection": "booktitle", "phdthesis": "school",
    "techreport": "institution", "misc": "howpublished",
}  # fmt: skip
_PREPRINT = re.compile(r"\bcorr\b|arxiv|preprint|ssrn", re.IGNORECASE)


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
    forenames = name.replace(surname, "", 1).strip() if surname else ""
    return f"{surname}, {forenames}" if surname and forenames else name
