"""The entries of a `.bib` file as BibTeX reads them, with their macros resolved.

bibtexparser knows the lines of entries and not their offsets, which edits need, and passes by what BibTeX stops at.
"""

import logging
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from citeplug.bibtex.syntax import read_blocks
from citeplug.bibtex.values import NAME, BibBlock, Field
from citeplug.errors import CannotWrite
from citeplug.records.draft import BibEntry, Span
from citeplug.records.finding import Finding
from citeplug.text.identifiers import find_arxiv_id, find_doi
from citeplug.text.scanning import LONGEST_VALUE, ExpansionBudget, LineIndex

Locate = Callable[[int, int], Span]

MOST_TEXT = 10_000_000  # code points of a file
MOST_ENTRIES = 10_000  # of a file, its @string macros among them: some 2 ms each to check against 90,000 records
# BibTeX stops at a comma too many or too few, and yet what was meant is plain.
COMMAS = frozenset({"extra_comma", "missing_comma"})
_LONGEST_ENTRY = 1_000_000  # code points of one that is read for itself
_READABLE = COMMAS | {"bare_value", "missing_value", "percent_comment"}  # of an entry with these no field is lost
_START = re.compile(r"@\s*[A-Za-z]+\s*[{(]")
# A key as BibTeX reads it, up to a comma, white space or the end of the entry; a field in its place is none.
_HEAD = re.compile(rf"@\s*[A-Za-z]+\s*(?:\{{\s*(?!{NAME}\s*=)([^\s,}}]*)|\(\s*(?!{NAME}\s*=)([^\s,]*))")
_NEXT = re.compile(r"[\r\n][ \t]*@\s*[A-Za-z]+\s*[{(]")
_REFERRING = ("crossref", "xdata")


@dataclass(slots=True)
class Bibliography:
    """The entries of one file, in its order, and the findings about it."""

    entries: list[BibEntry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def parse_bib(text: str, file: Path = Path("related.bib")) -> list[BibEntry]:
    """The entries of `text` in order, also those whose key occurs twice; those that cannot be read are passed over.

    Spans are code points of the whole entry, from its `@` to its closing delimiter.
    """
    readable = [block for block in read_blocks(text) if {stumble.code for stumble in block.stumbles} <= COMMAS]
    return [entry for entry in entries_of(text, readable, file) if entry.key]


def entries_of(
    text: str, blocks: Iterable[BibBlock], file: Path, strings: dict[str, str] | None = None
) -> list[BibEntry]:
    """The entries among `blocks`, also those whose key is empty or occurs twice.

    `strings` are the macros, lower case, of the files before, to which those of this one are added. Values have
    their white space collapsed; of a field that occurs twice the first counts, as for BibTeX.
    """
    lines = LineIndex(text)
    macros = _Macros({} if strings is None else strings)
    entries = []
    for block in blocks:
        fields = macros.fields(text, block)
        if block.is_entry and block.key is not None:
            span = Span(file, block.start, block.end, lines.number(block.start))
            entries.append(BibEntry(block.key, block.kind, fields, span, find_arxiv_id(fields), find_doi(fields)))
    return entries


@dataclass(slots=True)
class _Macros:
    """The `@string` macros by lower-case name, and how much they may stand for in one file."""

    strings: dict[str, str]
    expansion: ExpansionBudget = field(default_factory=ExpansionBudget)
    refused: list[tuple[str, int]] = field(default_factory=list)  # fields of the last block over a limit, in characters

    def fields(self, text: str, block: BibBlock) -> dict[str, str]:
        """The fields of a block by name, the first of each; those of a `@string` are macros from here on."""
        self.refused = []
        values: dict[str, str] = {}
        for bib_field in block.fields:
            values.setdefault(bib_field.name, self._value(text, bib_field))
            if (limit := self.expansion.refused()) is not None:
                self.refused.append((bib_field.name, limit))
        if block.kind == "string":
            self.strings.update(values)
        return values

    def _value(self, text: str, bib_field: Field) -> str:
        """A value without delimiters, its pieces joined; an unknown macro has its own name as value.

        A macro stands for nothing where the value, or all that counts in `expansion`, becomes too long.
        """
        here = ExpansionBudget(LONGEST_VALUE, within=self.expansion)
        parts = []
        for start, end in bib_field.pieces:
            piece = text[start:end]
            if piece[0] in '{"':
                parts.append(piece[1:-1] if len(piece) > 1 and piece[-1] in '}"' else piece[1:])
            else:
                macro = None if piece[0].isdigit() else self.strings.get(piece.lower())
                parts.append(piece if macro is None else macro if here.take(len(macro)) else "")
        return " ".join("".join(parts).split())


def read_bib(
    text: str, path: Path, locate: Locate | None = None, strings: dict[str, str] | None = None
) -> Bibliography:
    """Read the text of a .bib file. Never raises: what BibTeX would stop at becomes a finding.

    `locate` turns offsets of `text` into spans where the text is part of another file. `strings` are the
    @string macros of the files before, to which those of this one are added. Spans go from the entry's `@` to its
    closing delimiter. A broken entry keeps the fields that can be read.
    """
    lines = LineIndex(text)
    place = locate or (lambda start, end: Span(path, start, end, lines.number(start)))
    result = Bibliography()
    macros = _Macros({} if strings is None else strings)
    seen: dict[str, tuple[str, int]] = {}

    def doubt(code: str, message: str, at: int, fix: str) -> None:
        span = place(at, at + 1)
        result.findings.append(Finding(code, "warning", message, span.file, span.line, lines.column(at), fix))

    stop = end_of_reading(text)
    if stop < len(text):
        most = f"{MOST_ENTRIES:,} entries or {MOST_TEXT:,} characters"
        message = f"the file has more than {most}: from here on only the entries that are cited are read"
        doubt("bibliography_too_large", message, stop, "put what the draft cites first, or into a file of its own")
    for block in read_blocks(text[:stop]):
        fields = macros.fields(text, block)
        if not block.kind:
            continue  # an @ in the text between the entries
        for code, message, at, fix in _doubts(block, macros.refused):
            doubt(code, message, at, fix)
        if not block.is_entry or not block.key:
            continue
        if block.stumbles and text.find("=", block.start, block.end) < 0:
            continue  # an address or the like
        if any(stumble.code == "bad_key" for stumble in block.stumbles):
            fields = {}  # BibTeX skips the entry, and nothing may rely on what it says
        span = place(block.start, block.end)
        if first := seen.get(block.key.lower()):
            same = "twice" if first[0] == block.key else f"again, there written {first[0]}"
            message = f"the key {block.key} is defined {same} (first in line {first[1]})"
            doubt("duplicate_key", message, block.start, "rename or remove one of the two")
        seen.setdefault(block.key.lower(), (block.key, span.line))
        result.entries.append(BibEntry(block.key, block.kind, fields, span, find_arxiv_id(fields), find_doi(fields)))
    return result


def _doubts(block: BibBlock, refused: Iterable[tuple[str, int]]) -> Iterator[tuple[str, str, int, str]]:
    """Code, message, place and fix of each finding about a block by itself."""
    name = f"the entry {block.key or '(no key)'}" if block.is_entry else f"this @{block.kind}"
    broken = False
    for stumble in block.stumbles:
        if stumble.code == "missing_comma":
            yield "missing_comma", f"{name}: {stumble.message}", stumble.at, stumble.fix
        elif stumble.code not in _READABLE and block.key is not None and not broken:
            broken = True  # what comes behind the first error is often its consequence
            yield "broken_entry", f"{name}: {stumble.message}", stumble.at, stumble.fix
    if block.is_entry and not block.key:
        yield "entry_without_key", f"an @{block.kind} entry has no key", block.start, "give the entry a key"
    seen: set[str] = set()
    for bib_field in block.fields:
        if bib_field.name in seen:
            yield (
                "duplicate_field",
                f"{name} has the field {bib_field.name} twice",
                bib_field.start,
                "keep one of the two",
            )
        seen.add(bib_field.name)
    for repeated, limit in refused:
        message = f"{name} has macros that expand to more than {limit:,} characters in {repeated}"
        fix = "use shorter @string macros: they repeat the same text many times"
        yield "expansion_limit", message, block.start, fix


def end_of_reading(text: str) -> int:
    """The position up to which a .bib file is read: its end, or that of the last entry within the bounds."""
    end = 0
    for number, head in enumerate(_START.finditer(text)):
        if head.start() > MOST_TEXT:
            return end
        end = head.start()
        if number == MOST_ENTRIES:
            return end
    return len(text) if len(text) <= MOST_TEXT else end


def read_cited_beyond(text: str, path: Path, keys: Collection[str], strings: Mapping[str, str]) -> list[BibEntry]:
    """The entries behind `end_of_reading` that have one of these keys, in any case, and those that they refer to.

    So a draft may cite from a bibliography of a whole field, such as the ACL Anthology's. `strings` as for `read_bib`.
    """
    heads: dict[str, int] = {}
    for head in _HEAD.finditer(text, end_of_reading(text)):
        heads.setdefault((head[1] or head[2] or "").lower(), head.start())
    lines = LineIndex(text)
    result: list[BibEntry] = []
    wanted = {key.lower() for key in keys}
    while wanted:
        places = sorted(heads.pop(key) for key in wanted if key in heads)
        entries = [entry for start in places for entry in _read_at(text, start, path, lines, strings)]
        result += entries
        wanted = {field.lower() for entry in entries for name in _REFERRING if (field := entry.fields.get(name))}
    return result


def _read_at(text: str, start: int, path: Path, lines: LineIndex, strings: Mapping[str, str]) -> list[BibEntry]:
    following = _NEXT.search(text, start + 1, start + _LONGEST_ENTRY)
    part = text[start : following.start() if following else start + _LONGEST_ENTRY]
    return read_bib(
        part, path, lambda one, end: Span(path, start + one, start + end, lines.number(start + one)), dict(strings)
    ).entries


_IN_PARENTHESES = re.compile(r"^@\s*\w+\s*\(", re.MULTILINE)


def read_again(text: str, file: Path = Path("related.bib")) -> list[BibEntry]:
    """The entries of `text`, which citeplug wrote: braces around each value, and no macros.

    bibtexparser, which shares no code with our printer or reader, gives a second opinion: raises CannotWrite if it
    reads another key, type, field or value. It knows no entries in parentheses: a text with one is read by ours alone.
    """
    entries = parse_bib(text, file)
    if _IN_PARENTHESES.search(text):
        return entries
    ours = [(entry.key, entry.kind, entry.fields) for entry in entries]
    theirs = list(_by_bibtexparser(text))
    if ours != theirs:
        keys = ", ".join(one[0] for number, one in enumerate(ours) if theirs[number : number + 1] != [one])
        message = f"nothing was written: two readers of BibTeX take {keys or 'the new entries'} for different things"
        raise CannotWrite(message, "this is a bug in citeplug: please report it with the key")
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
