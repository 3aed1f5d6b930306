"""The corrections of an entry that are certain: each from the record that the entry was matched to beyond doubt."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from citeplug.bib.compare.evidence import is_published, named_ids
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck, Evidence, FieldChange
from citeplug.records.paper import Paper
from citeplug.text.compare import compare_titles, entry_doi, misspelt, record_dois
from citeplug.text.tex_text import decode_tex

_TYPO = 0.9  # a DOI that shares so many of its letters with the record's is that one, mistyped
_OWN_FIELDS = ("eprint", "arxivid", "arxiv", "arxiv_id", "arxiv-id", "eprintid")
_DAMAGED = r"(?<![\w.-])(?:\d{3,5}\.\d{1,6}|[a-z-]+(?:\.[A-Z]{2})?/\d{5,9}%s)(?:v\d+)?(?![\w/-]|\.\d)"
_ID_LIKE = re.compile(_DAMAGED % "", re.IGNORECASE)
_NUMBER_LIKE = re.compile(_DAMAGED % r"|\d{6,9}", re.IGNORECASE)  # in a field of its own


def certain_changes(
    entry: BibEntry, record: Paper, fields: Sequence[Evidence], *, stray_doi: bool, versions_seen: bool
) -> list[FieldChange]:
    """Corrections of the fields that differ, for an entry that carries the record's own id.

    A title is corrected where the authors are right and few words differ, authors where the title is right, a
    year where the entry speaks of the preprint. Another version may have had other titles and authors, so
    beyond misspellings it needs `versions_seen`, or a paper that has one version alone. A published version may
    have a DOI of its own, so a DOI is corrected only if it is another paper's (`stray_doi`), or a mistyped one,
    or the entry speaks of the preprint.
    """
    state = {item.field: item.verdict for item in fields}
    if state.get("eprint") == "differs" or entry.kind == "bibitem":
        return []
    changes = []
    same_title, same_authors = state["title"] == "same", state["author"] == "same"
    settled = versions_seen or record.updated == record.published
    title = entry.fields.get("title", "")
    if state["title"] == "differs" and same_authors and state["year"] != "differs":
        close = compare_titles(title, record.title, same_authors=True) == "close"
        if close and misspelt(title, record.title, word_by_word=not settled):
            changes.append(FieldChange("title_differs", "title", record.title))
    if state["author"] == "differs" and same_title and record.complete and settled:
        changes.append(FieldChange("authors_differ", "author", " and ".join(record.authors)))
    if not (same_title and (same_authors or state["author"] == "missing")):
        return changes
    if state["year"] == "differs" and not is_published(entry):
        name = "year" if "year" in entry.fields else "date"
        changes.append(FieldChange("year_differs", name, str(record.published.year)))
    if state.get("doi") == "differs" and "doi" in entry.fields:
        entered, known = entry_doi(entry) or "", record_dois(record)
        typo = SequenceMatcher(None, entered, known[0], autojunk=False).ratio() >= _TYPO if known else False
        if len(known) == 1 and (stray_doi or typo or not is_published(entry)):
            changes.append(FieldChange("doi_differs", "doi", known[0]))
    return changes


def is_close(check: EntryCheck) -> bool:
    """Return True if the title differs a little from that of a record with the same authors: theirs, or a mistake.

    A title that differs more may be that of another paper, whose id is then the mistake.
    """
    fields = {item.field: item for item in check.fields}
    title, author = fields.get("title"), fields.get("author")
    if title is None or title.verdict != "differs" or author is None or author.verdict != "same":
        return False
    return compare_titles(title.given or "", title.found or "", same_authors=True) == "close"


def id_changes(entry: BibEntry, record: Paper) -> list[FieldChange]:
    """Put the record's id in the place of whatever other id the fields carry; the version named goes with it."""
    value = record.id.value
    changes = []
    wrong = {name: other for other, name in named_ids(entry).items() if other != value}
    for name, text in entry.fields.items():
        plain = decode_tex(text) if name not in ("url", "doi", "eprint") else text.replace("\\", "")
        if name in _OWN_FIELDS:
            if value not in plain:
                changes.append(FieldChange("id_differs", name, value))
            continue
        corrected = plain
        for other in dict.fromkeys((*wrong.values(), entry.arxiv_id or "")):
            if other and other != value:
                corrected = re.sub(rf"(?<!\d)(?<!\d\.){re.escape(other)}(?:v\d+)?(?!\d)", value, corrected)
        if corrected != plain and name not in ("title", "abstract", "annote", "keywords", "file", "author"):
            changes.append(FieldChange("id_differs", name, corrected))
    return changes


def malformed_changes(entry: BibEntry, record: Paper) -> list[FieldChange]:
    """Put the record's id where the entry has something like an id that cannot be read."""
    value = record.id.value
    archive = (entry.fields.get("archiveprefix") or entry.fields.get("eprinttype") or "").strip("{} ").lower()
    for name in (*_OWN_FIELDS, "journal", "howpublished", "note", "number", "volume", "url"):
        text = entry.fields.get(name, "")
        own = name in _OWN_FIELDS
        if "://" in text and name != "url":
            continue
        venue = f"{text} {entry.fields.get('journal', '')}".lower()
        claims = archive in ("", "arxiv") if own else "arxiv" in venue or "corr" in venue.split()
        if claims and (_NUMBER_LIKE if own else _ID_LIKE).search(text):
            plain = text if name == "url" else decode_tex(text)
            return [FieldChange("id_malformed", name, value if own else _ID_LIKE.sub(value, plain, count=1))]
    return []
