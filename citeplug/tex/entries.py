r"""Bibliography entries that are not in a .bib file: `\bibitem`, amsrefs' `\bib`, .bbl files of biblatex."""

import re
from pathlib import Path

from citeplug.bibtex.entries import entries_of
from citeplug.bibtex.syntax import read_blocks
from citeplug.records.draft import BibEntry, Span
from citeplug.tex.scan import Source
from citeplug.text.identifiers import find_arxiv_id, find_doi
from citeplug.text.lines import Lines

_BIBINFO_TITLE = re.compile(r"\\bibinfo\s*\{title\}\s*\{")
_NEWBLOCK = re.compile(r"\\newblock\b")
_QUOTED = re.compile(r"``\s*(.{8,300}?)[,.]?\s*''", re.DOTALL)
_ENTRY = re.compile(r"\\entry\{([^{}]+)\}\{([A-Za-z]+)\}")
_BBL_FIELD = re.compile(r"\\(?:field|strng|verb)\{(title|doi|eprint|eprinttype|eprintclass|url|year|journaltitle)\}")


def bibitem_entry(key: str, text: str, span: Span) -> BibEntry:
    """The entry of a `\\bibitem` whose LaTeX is `text`; `fields` holds it, and the title if it shows."""
    fields = {"text": " ".join(text.split())}
    title = _bibitem_title(text)
    if title:
        fields["title"] = title
    return BibEntry(key, "bibitem", fields, span, find_arxiv_id(fields), find_doi(fields))


def amsrefs_entry(key: str, kind: str, fields: str, span: Span) -> BibEntry:
    """The entry of an amsrefs `\\bib{key}{kind}{fields}`; authors, one field each there, are joined as in BibTeX."""
    text = f"@bib{{key,{fields}}}"
    block = read_blocks(text)[0]
    values = entries_of(text, [block], span.file)[0].fields
    authors = [
        text[start + 1 : end - 1] for each in block.fields if each.name == "author" for start, end in each.pieces
    ]
    if authors:
        values["author"] = " and ".join(authors)
    return BibEntry(key, kind, values, span, find_arxiv_id(values), find_doi(values))


def _bibitem_title(text: str) -> str | None:
    match = _BIBINFO_TITLE.search(text)
    if match:
        return " ".join(_group(text, match.end() - 1).split())
    blocks = _NEWBLOCK.split(text)
    if len(blocks) >= 3:
        return " ".join(blocks[1].split()).rstrip(".,") or None
    match = _QUOTED.search(text)
    return " ".join(match[1].split()) if match else None


def read_bbl_entries(text: str, path: Path) -> list[BibEntry]:
    """The entries of a biblatex .bbl file (`\\entry{key}{type}...`), for projects that ship no .bib."""
    lines = Lines(text)
    entries = []
    matches = list(_ENTRY.finditer(text))
    for index, match in enumerate(matches):
        end = matches[index + 1].start() if index + 1 < len(matches) else len(text)
        part = text[match.end() : end]
        fields = {}
        for found in _BBL_FIELD.finditer(part):
            if part[found.end() : found.end() + 1] == "{":
                fields[found[1]] = _group(part, found.end())
            else:
                verb = re.compile(r"\s*\\verb\s+(\S+)").match(part, found.end())
                if verb:
                    fields[found[1]] = verb[1]
        span = Span(path, match.start(), match.end(), lines.number(match.start()))
        entries.append(BibEntry(match[1], match[2].lower(), fields, span, find_arxiv_id(fields), find_doi(fields)))
    return entries


def _group(text: str, start: int) -> str:
    """The contents of the braces that open at `start`; all that follows if they are never closed."""
    return text[start + 1 : Source(text).closing(start)]
