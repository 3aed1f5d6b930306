"""The references of a paper's .bbl or .bib file."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path

from citeplug.bibtex.bbl import PrintedEntry, printed_entries
from citeplug.bibtex.entries import parse_bib
from citeplug.bibtex.printed_entry import reference_of_entry, reference_of_text
from citeplug.records.draft import BibEntry, Span
from citeplug.records.passage import Reference

MOST_REFERENCES = 50_000  # of one file; a large survey has 1,000
_COMMENT = re.compile(r"^[ \t]*%[^\n]*\n?|(?<!\\)%[ \t]*$", re.MULTILINE)


def read_bbl(text: str) -> list[Reference]:
    """The references that `text` prints, in its order, each once; at most `MOST_REFERENCES`. Never raises."""
    text = _COMMENT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    references = _numbered(map(_reference, printed_entries(text)))
    if not references and "@" in text and "\\bibitem" not in text:
        # Some authors name their .bib file so.
        references = _numbered(map(reference_of_entry, parse_bib(text)))
    return references


def merged(lists: list[list[Reference]]) -> list[Reference]:
    """The references of a paper that prints several lists, such as one for its supplement, each once."""
    return _numbered(reference for references in lists for reference in references)


def _numbered(references: Iterable[Reference]) -> list[Reference]:
    by_text: dict[tuple[str | None, str], Reference] = {}
    for reference in islice(references, MOST_REFERENCES):
        # Lists of chapters, or of another order, have an entry again under its key.
        by_text.setdefault((reference.key, "" if reference.key else reference.raw), reference)
    return [replace(reference, number=number) for number, reference in enumerate(by_text.values(), 1)]


def _reference(printed: PrintedEntry) -> Reference:
    if printed.kind == "bibitem":
        return reference_of_text(printed.key or None, printed.text)
    entry = BibEntry(printed.key, printed.kind, dict(printed.fields), Span(Path(), printed.start, printed.end, 1))
    return reference_of_entry(entry, printed.families)


def read_list(text: str, file: Path) -> list[Reference]:
    """The references of a .bbl or .bib file, by its name."""
    if file.suffix.lower() == ".bib":
        return of_entries(parse_bib(text, file))
    return read_bbl(text)


def of_entries(entries: Iterable[BibEntry]) -> list[Reference]:
    """The references of entries that were read before, those of a `\\bibitem` from its text."""
    return _numbered(
        reference_of_text(entry.key, entry.fields.get("text", ""))
        if entry.kind == "bibitem"
        else reference_of_entry(entry)
        for entry in entries
    )
