r"""Bibliography entries of a draft that are not in a .bib file: `\bibitem`, amsrefs' `\bib`, .bbl files."""

import re
from pathlib import Path

from citeplug.bibtex.bbl import amsrefs_fields, braced, printed_entries
from citeplug.records.draft import BibEntry, Span
from citeplug.text.identifiers import find_arxiv_id, find_doi
from citeplug.text.scanning import Lines

_BIBINFO_TITLE = re.compile(r"\\bibinfo\s*\{title\}\s*\{")
_NEWBLOCK = re.compile(r"\\newblock\b")
_QUOTED = re.compile(r"``\s*(.{8,300}?)[,.]?\s*''", re.DOTALL)


def bibitem_entry(key: str, text: str, span: Span) -> BibEntry:
    """The entry of a `\\bibitem` whose LaTeX is `text`; `fields` holds it, and the title if it shows."""
    fields = {"text": " ".join(text.split())}
    title = _bibitem_title(text)
    if title:
        fields["title"] = title
    return _entry(key, "bibitem", fields, span)


def amsrefs_entry(key: str, kind: str, fields: str, span: Span) -> BibEntry:
    """The entry of an amsrefs `\\bib{key}{kind}{fields}`."""
    return _entry(key, kind, amsrefs_fields(fields), span)


def read_bbl_entries(text: str, path: Path) -> list[BibEntry]:
    """The entries of a .bbl file, for projects that ship no .bib."""
    lines = Lines(text)
    entries = []
    for each in printed_entries(text):
        span = Span(path, each.start, each.end, lines.number(each.start))
        if each.kind == "bibitem":
            entries.append(bibitem_entry(each.key, each.text.replace("%\n", ""), span))
        else:
            entries.append(_entry(each.key, each.kind, dict(each.fields), span))
    return [entry for entry in entries if entry.key]


def _entry(key: str, kind: str, fields: dict[str, str], span: Span) -> BibEntry:
    return BibEntry(key, kind, fields, span, find_arxiv_id(fields), find_doi(fields))


def _bibitem_title(text: str) -> str | None:
    match = _BIBINFO_TITLE.search(text)
    if match:
        return " ".join(braced(text, match.end() - 1).split())
    blocks = _NEWBLOCK.split(text)
    if len(blocks) >= 3:
        return " ".join(blocks[1].split()).rstrip(".,") or None
    match = _QUOTED.search(text)
    return " ".join(match[1].split()) if match else None
