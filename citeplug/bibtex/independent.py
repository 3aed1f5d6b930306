"""A second opinion on the entries that citeplug wrote: bibtexparser shares no code with its printer or its reader."""

import logging
import re
from collections.abc import Iterator
from pathlib import Path

from citeplug.bibtex.entries import parse_bib
from citeplug.errors import CannotWrite
from citeplug.records.draft import BibEntry

_IN_PARENTHESES = re.compile(r"^@\s*\w+\s*\(", re.MULTILINE)


def read_again(text: str, file: Path = Path("related.bib")) -> list[BibEntry]:
    """The entries of `text`, which citeplug wrote: braces around each value, and no macros.

    Raises CannotWrite if bibtexparser reads another key, type, field or value. It knows no entries in parentheses:
    a text with one is read by ours alone.
    """
    entries = parse_bib(text, file)
    if _IN_PARENTHESES.search(text):
        return entries
    ours = [(entry.key, entry.kind, entry.fields) for entry in entries]
    theirs = list(_by_bibtexparser(text))
    if ours != theirs:
        keys = ", ".join(one[0] for number, one in enumerate(ours) if theirs[number : number + 1] != [one])
        message = f"nothing was written: two readers of BibTeX take {keys or 'the new entries'} for different things"
        raise CannotWrite(message, "this is a fault of citeplug's: please report it with the key")
    return entries


def _by_bibtexparser(text: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    from bibtexparser.splitter import Splitter

    # It would warn on standard error as well.
    logging.getLogger("bibtexparser.splitter").setLevel(logging.CRITICAL)
    for entry in Splitter(text).split().entries:
        values = {field.key.lower(): " ".join(_bare(field.value).split()) for field in entry.fields}
        yield entry.key, entry.entry_type, values


def _bare(value: str) -> str:
    return value[1:-1] if value[:1] + value[-1:] in ("{}", '""') else value
