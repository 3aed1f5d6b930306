r"""The references of a .bbl file, whatever made it: `\bibitem`, biblatex's `\entry`, amsrefs' `\bib`.

Brackets are counted by hand, each character once: a regular expression for nested labels ran for minutes without end
on real files.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from citeplug.bibliography.printed_entry import reference_of_entry, reference_of_fields, reference_of_text
from citeplug.bibtex.entries import parse_bib
from citeplug.bibtex.syntax import read_blocks
from citeplug.records.draft import BibEntry
from citeplug.records.reference import Reference

MOST_REFERENCES = 50_000  # of one file; a large survey has 1,000
_LONGEST = 20_000  # characters of one entry that are read
_COMMENT = re.compile(r"^[ \t]*%[^\n]*\n?|(?<!\\)%[ \t]*$", re.MULTILINE)
_START = re.compile(r"\\(?:bibitem(?![A-Za-z])|entry\s*\{|bib\s*\{|end\s*\{thebibliography\}|endentry\b)")
_DELIMITERS = re.compile(r"\\.|[{}\]]", re.DOTALL)
_SPACE = re.compile(r"\s*")
_FIELD = re.compile(r"\\(?:field|strng)\{(\w+)\}\{")
_VERB = re.compile(r"\\verb\{(\w+)\}\s*\\verb ([^\s]+)")
_NAMES = re.compile(r"\\name\{(author|editor)\}")
_FAMILY = re.compile(r"family=\{|\{\{[^{}]*hash=[^{}]*\}\{(?!%|\s)|^\s*\{\{\}\{", re.MULTILINE)
_LASTLY = re.compile(r"\\(?:field|strng|list|verb|warn|keyw)\b")


def read_bbl(text: str) -> list[Reference]:
    """The references that `text` prints, in its order, each once; at most `MOST_REFERENCES`. Never raises."""
    text = _COMMENT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    found = _numbered(_references(text))
    if not found and "@" in text and "\\bibitem" not in text:
        # Some authors name their .bib file so.
        found = _numbered(map(reference_of_entry, parse_bib(text)))
    return found


def merged(lists: list[list[Reference]]) -> list[Reference]:
    """The references of a paper that prints several lists, such as one for its supplement, each once."""
    return _numbered(reference for each in lists for reference in each)


def _numbered(references: Iterable[Reference]) -> list[Reference]:
    found: dict[tuple[str | None, str], Reference] = {}
    for reference in islice(references, MOST_REFERENCES):
        # Lists of chapters, or of another order, have an entry again under its key.
        found.setdefault((reference.key, "" if reference.key else reference.raw), reference)
    return [replace(reference, number=number) for number, reference in enumerate(found.values(), 1)]


def _references(text: str) -> Iterator[Reference]:
    starts = list(_START.finditer(text))
    for number, start in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        end = min(end, start.end() + _LONGEST)
        command = start[0]
        if command.startswith("\\bibitem"):
            yield _bibitem(text, start.end(), end)
        elif command.startswith("\\entry"):
            yield _entry(text, start.end() - 1, end)
        elif command.startswith("\\bib"):
            yield from _amsrefs(text, start.end() - 1, end)


def _bibitem(text: str, position: int, end: int) -> Reference:
    position = _skip(text, position)
    if text.startswith("[", position):
        closed = _closing(text, position + 1, end, "]")
        position = position if closed is None else _skip(text, closed + 1)
    key = None
    if text.startswith("{", position):
        closed = _closing(text, position + 1, end, "}")
        if closed is not None:
            key, position = " ".join(text[position + 1 : closed].split()) or None, closed + 1
    return reference_of_text(key, text[position:end])


def _entry(text: str, position: int, end: int) -> Reference:
    key, position = _group(text, position, end)
    position = _group(text, _skip(text, position), end)[1]
    fields: dict[str, str] = {}
    for match in _FIELD.finditer(text, position, end):
        fields.setdefault(match[1], _group(text, match.end() - 1, end)[0])
    for match in _VERB.finditer(text, position, end):
        fields.setdefault(match[1], match[2])
    fields["title"] = ": ".join(filter(None, (fields.get("title"), fields.get("subtitle"))))
    return reference_of_fields(key or None, fields, tuple(_families(text, position, end)))


def _families(text: str, position: int, end: int) -> Iterator[str]:
    names = _NAMES.search(text, position, end)
    if names is None:
        return
    after = _LASTLY.search(text, names.end(), end)
    for match in _FAMILY.finditer(text, names.end(), after.start() if after else end):
        yield _group(text, match.end() - 1, end)[0]


def _amsrefs(text: str, position: int, end: int) -> Iterator[Reference]:
    key, position = _group(text, position, end)
    kind, position = _group(text, _skip(text, position), end)
    position = _skip(text, position)
    fields, _ = _group(text, position, end)
    if not kind.isalpha() or not fields:
        return
    entry = f"@{kind}{{k,{fields}}}"
    for block in read_blocks(entry):
        # An author to a field.
        people = [
            " ".join(entry[start + 1 : end - 1].split())
            for each in block.fields
            if each.name == "author"
            for start, end in each.pieces
        ]
        for parsed in parse_bib(entry):
            if "date" in parsed.fields:
                parsed.fields.setdefault("year", parsed.fields["date"][:4])
            if people:
                parsed.fields["author"] = " and ".join(people)
            yield replace(reference_of_entry(parsed), key=key or None)
        return


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _group(text: str, position: int, end: int) -> tuple[str, int]:
    """Text between the brace at `position` and its partner, and the position behind it; "" without a partner."""
    if not text.startswith("{", position):
        return "", position
    closed = _closing(text, position + 1, end, "}")
    return ("", position) if closed is None else (text[position + 1 : closed], closed + 1)


def _closing(text: str, position: int, end: int, partner: str) -> int | None:
    """Where the first `partner` stands outside of braces, as TeX looks for it; None before `end`."""
    depth = 0
    for match in _DELIMITERS.finditer(text, position, end):
        sign = match[0]
        if depth == 0 and sign == partner:
            return match.start()
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return None
    return None


def read_list(text: str, file: Path) -> list[Reference]:
    """The references of a .bbl or .bib file, by its name."""
    if file.suffix.lower() == ".bib":
        return of_entries(parse_bib(text, file))
    return read_bbl(text)


def of_entries(entries: Iterable[BibEntry]) -> list[Reference]:
    """The references of entries that were read before, those of a `\\bibitem` from its text."""
    return _numbered(
        reference_of_text(each.key, each.fields.get("text", "")) if each.kind == "bibitem" else reference_of_entry(each)
        for each in entries
    )
