"""The published version in the place of a preprint's entry: the key and the author's own fields stay.

All that says where the paper appeared comes from one record; nothing of the preprint is left beside it.
"""

import re
from dataclasses import dataclass

from citeplug.bib.write.journal_ref import read_journal_ref
from citeplug.bib.write.works import work_fields
from citeplug.bib.write.writing import Writing
from citeplug.records.draft import BibEntry
from citeplug.records.paper import Paper
from citeplug.records.work import Work
from citeplug.text.compare import compare_titles, record_dois
from citeplug.text.people import compare_authors
from citeplug.text.tables import Tables
from citeplug.text.tex_print import to_latex

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


def replace_by_work(entry: BibEntry, work: Work, writing: Writing) -> Replacement:
    """All from the record of one service."""
    fields = work_fields(work, writing.printing())
    if "author" in fields:
        fields["author"] = work_fields(work, writing.printing(names=True))["author"]
    if compare_authors(entry.fields.get("author", ""), work.authors).degree == "same":
        fields.pop("author", None)
    if compare_titles(entry.fields.get("title", ""), work.title, same_authors=True) == "same":
        fields.pop("title", None)
    return Replacement(work.kind, fields, _leftovers(entry, fields) | _present(entry, _ID_FIELDS))


def replace_by_record(entry: BibEntry, record: Paper, writing: Writing) -> Replacement | None:
    """All from arXiv's own record, whose id then stays; None if its `journal_ref` cannot be read for sure."""
    place = read_journal_ref(record)
    dois = record_dois(record)
    if place is None or len(dois) != 1:
        return None
    printing = writing.printing()

    def printed(text: str | None) -> str:
        return to_latex(text or "", printing.packages, unicode=writing.unicode_text).strip()

    fields = {
        "journal": printed(place.journal),
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
