"""Digests of the parts of a draft that a section is made from: with equal digests a run makes the same.

Comments, layout and what lies behind the opening of a section are in none of them, nor is the title of an entry that
has an arXiv id: a run takes it from the paper's record.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from citeplug.errors import UnreadableInput
from citeplug.records.draft import BibEntry, Draft
from citeplug.related.retrieve.queries import CITATIONS, THEME, queries_from_draft
from citeplug.section_file.cite_style import cite_style, usual_style
from citeplug.text.cleaning import collapsed

# In words for a reader, by the names under which the digests are kept.
PARTS: Mapping[str, str] = {
    "title": "the title",
    "abstract": "the abstract",
    "sections": "the text of the sections",
    "citations": "the citations",
    "entries": "the bibliography",
    "style": "the citation style",
}


def digests_of(draft: Draft, *, whole: bool = False) -> dict[str, str]:
    """A digest (16 hexadecimal digits) for each name in `PARTS`; the place of the project is in none.

    `whole`: every section of the draft asks for papers.
    """
    draft = replace(draft, entries=tuple(map(_by_id, draft.entries)))
    try:
        queries = queries_from_draft(draft, whole=whole)
    except UnreadableInput:
        queries = []  # nothing to search by: the run itself says so
    # The sections count by what is searched with: all headings, and the opening of those that tell most.
    openings = [
        [q.aspect, collapsed(q.text)] for q in queries if q.aspect in ("introduction", "text") or ":" in q.aspect
    ]
    # A heading with nothing beneath it may be the one that citeplug put in, for the section itself.
    headings = [collapsed(section.title) for section in draft.sections if section.text.strip()]
    entries = [_of_entry(entry) for entry in draft.entries]
    style = asdict(cite_style(draft))
    style["packages"] = sorted(set(style["packages"]))
    return {
        "title": digest_of(collapsed(draft.title)),
        "abstract": digest_of(collapsed(draft.abstract)),
        "sections": digest_of([headings, openings]),
        "citations": digest_of([q.text for q in queries if q.aspect in (CITATIONS, THEME)]),
        "entries": digest_of(entries),
        # A draft without a bibliography is read as it will be with the one that --insert adds.
        "style": digest_of(
            [
                style,
                draft.bib_style or usual_style(draft),
                "bibtex" if draft.bib_engine == "none" else draft.bib_engine,
                draft.document_class,
            ]
        ),
    }


def changed_parts(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The names in `PARTS` whose digests differ, in that order."""
    return [name for name in PARTS if before.get(name) != after.get(name)]


def entry_digests(entries: Iterable[BibEntry]) -> dict[str, str]:
    """The digest of each entry, by its key; that of the first where several have it."""
    return {entry.key: digest_of(_of_entry(entry)) for entry in reversed(list(entries))}


def _by_id(entry: BibEntry) -> BibEntry:
    return replace(entry, fields={**entry.fields, "title": entry.arxiv_id}) if entry.arxiv_id else entry


def _of_entry(entry: BibEntry) -> list[Any]:
    fields = {name: collapsed(value) for name, value in sorted(entry.fields.items())}
    return [entry.key, entry.kind, entry.arxiv_id, entry.doi, fields]


def digest_of(value: Any) -> str:
    """16 hexadecimal digits for anything that JSON can say."""
    return hashlib.sha256(json.dumps(value, ensure_ascii=True).encode()).hexdigest()[:16]
