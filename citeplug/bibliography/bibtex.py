"""Read the text of a `.bib` file again, as BibTeX would."""

import logging
import re
from collections.abc import Mapping
from pathlib import Path

from citeplug.records.draft import BibEntry, Span
from citeplug.records.identifiers import find_arxiv_id, find_doi

_DELIMITER = re.compile(r'[{}"]')
_JOINED = re.compile(r"\s*#")
_PART = re.compile(r"\s*(?:\{|\"|([^\s#,{}\"]+))")


def parse_bib(text: str, file: Path = Path("related.bib")) -> list[BibEntry]:
    """The entries of `text` in order, also those whose key occurs twice; unreadable blocks are passed over.

    Spans are code points of the whole entry, from its `@` to its closing delimiter.
    """
    from bibtexparser.model import DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry, String
    from bibtexparser.splitter import Splitter

    # The parser warns on standard error about duplicates, which are no trouble here.
    logging.getLogger("bibtexparser.splitter").setLevel(logging.CRITICAL)
    entries: list[BibEntry] = []
    strings: dict[str, str] = {}
    position, line = 0, 1
    for found in Splitter(text).split().blocks:
        raw = found.raw or ""
        start = max(text.find(raw, position), position)
        line += text.count("\n", position, start)
        began, position = line, start + len(raw)
        line += raw.count("\n")
        block = (
            found.ignore_error_block if isinstance(found, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock) else found
        )
        if isinstance(block, String):
            strings[block.key.lower()] = _value(str(block.value), strings)
        elif isinstance(block, Entry) and block.key:
            fields: dict[str, str] = {}
            for field in block.fields:
                fields.setdefault(field.key.lower(), _value(str(field.value), strings))
            span = Span(file, start, position, began)
            kind = block.entry_type.lower()
            entries.append(BibEntry(block.key, kind, fields, span, find_arxiv_id(fields), find_doi(fields)))
    return entries


def _value(raw: str, strings: Mapping[str, str]) -> str:
    """A field's value without its delimiters, with macros and `#` resolved."""
    parts: list[str] = []
    position = 0
    while match := _PART.match(raw, position):
        opened = raw[match.end() - 1]
        if match[1] is not None:
            parts.append(strings.get(match[1].lower(), match[1]))
            position = match.end()
        else:
            end = _closing(raw, match.end(), opened)
            parts.append(raw[match.end() : end])
            position = end + 1
        joined = _JOINED.match(raw, position)
        if joined is None:
            break
        position = joined.end()
    return " ".join("".join(parts).split())


def _closing(raw: str, position: int, opened: str) -> int:
    """Where the value that begins before `position` ends: at its brace, or its quote at brace level zero."""
    depth = 0
    wanted = "}" if opened == "{" else '"'
    # As in BibTeX a backslash does not hide a brace.
    for match in _DELIMITER.finditer(raw, position):
        if depth == 0 and match[0] == wanted:
            return match.start()
        depth += {"{": 1, "}": -1}.get(match[0], 0)
    return len(raw)
