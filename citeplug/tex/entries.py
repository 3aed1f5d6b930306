"""Bibliography entries as the author defined them: .bib files, `\\bibitem`, .bbl files."""

import logging
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from citeplug.records.draft import BibEntry, Span
from citeplug.records.finding import Finding
from citeplug.tex.scan import Lines
from citeplug.text.expansion import LONGEST_VALUE, Expansion
from citeplug.text.identifiers import find_arxiv_id, find_doi

Locate = Callable[[int, int], Span]

MOST_TEXT = 10_000_000  # code points of a file
_LONGEST_ENTRY = 1_000_000  # code points of one that is read for itself
MOST_ENTRIES = 10_000  # of a file, its @string macros among them: some 2 ms each to check against 90,000 records
# A key as BibTeX reads it, up to a comma, white space or the end of the entry; a field in its place is none.
_NO_KEY = r"(?![^\s\d\"#%'(),={}][^\s\"#%'(),={}]*\s*=)"
_HEAD = re.compile(rf"@\s*([A-Za-z]+)\s*(?:\{{\s*({_NO_KEY}[^\s,}}]*|)|\(\s*({_NO_KEY}[^\s,]*|))\s*,?")
_START = re.compile(r"@\s*[A-Za-z]+\s*[{(]")
_NEXT = re.compile(r"[\r\n][ \t]*@\s*[A-Za-z]+\s*[{(]")
_REFERRING = ("crossref", "xdata")
_DELIMITERS = re.compile(r"\\.|[{})]", re.DOTALL)
_FIELD = re.compile(r"\s*,?\s*([A-Za-z][\w:.+/-]*)\s*=\s*")
_BARE_VALUE = re.compile(r"[^\s,{}()\"#]+")
_JOIN = re.compile(r"\s*#\s*")
_NOT_ENTRIES = frozenset({"string", "preamble", "comment"})
_SMALL_PARTS = re.compile(r"\\.|[{}]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Macros:
    """The @string macros by lower-case name, and how much they may stand for."""

    strings: dict[str, str]
    expansion: Expansion

    def value(self, word: str, here: Expansion) -> str:
        """What a bare word in a value stands for: nothing where that is more than is left to the value, `here`."""
        text = self.strings.get(word.lower())
        if text is None:
            return word
        return text if here.take(len(text)) else ""


@dataclass(slots=True)
class Bibliography:
    """The entries of one file, in its order, and what was doubtful about it."""

    entries: list[BibEntry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def read_bib(
    text: str,
    path: Path,
    locate: Locate | None = None,
    strings: dict[str, str] | None = None,
    expansion: Expansion | None = None,
) -> Bibliography:
    """Read the text of a .bib file. Never raises: what BibTeX would stumble over becomes a finding.

    `locate` turns offsets of `text` into spans where the text is part of another file. `strings` are the
    @string macros of the files before, to which those of this one are added; what they stand for counts in
    `expansion`. Spans go from the entry's `@` to its closing delimiter. A broken entry keeps the fields that can be
    read.
    """
    lines = Lines(text)
    place = locate or (lambda start, end: Span(path, start, end, lines.number(start)))
    result = Bibliography()
    macros = _Macros({} if strings is None else strings, expansion or Expansion())
    seen: dict[str, tuple[str, int]] = {}
    stop = end_of_reading(text)
    if stop < len(text):
        most = f"{MOST_ENTRIES:,} entries or {MOST_TEXT:,} characters"
        message = f"the file has more than {most}: from here on only the entries that are cited are read"
        result.findings.append(_finding("bibliography_too_large", message, place(stop, stop + 1), text, stop))
    for raw, start, broken in _blocks(text[:stop]):
        head = _HEAD.match(raw)
        if head is None:
            continue
        kind = head[1].lower()
        span = place(start, start + len(raw))
        if kind in _NOT_ENTRIES:
            if kind == "string":
                values, doubts = _fields(raw, raw.index(head[1]) + len(head[1]), macros)
                macros.strings.update(values)
                for code, message in doubts:
                    if code == "expansion_limit":
                        result.findings.append(_finding(code, f"this @string {message}", span, text, start))
            continue
        key = head[2] or head[3] or ""
        values, doubts = _fields(raw, head.end(), macros)
        if broken:
            doubts.insert(0, ("broken_entry", "is not closed or has a syntax error"))
        for code, message in doubts:
            result.findings.append(_finding(code, f"the entry {key or '(no key)'} {message}", span, text, start))
        if not key:
            result.findings.append(_finding("entry_without_key", f"an @{kind} entry has no key", span, text, start))
            continue
        before = seen.setdefault(key.lower(), (key, span.line))
        if before[1] != span.line or before[0] != key:
            same = "twice" if before[0] == key else f"again, there written {before[0]}"
            message = f"the key {key} is defined {same} (first in line {before[1]})"
            result.findings.append(_finding("duplicate_key", message, span, text, start))
        result.entries.append(BibEntry(key, kind, values, span, find_arxiv_id(values), find_doi(values)))
    return result


def end_of_reading(text: str) -> int:
    """Up to where a .bib file is read: its end, or that of the last entry within `MOST_ENTRIES` and `MOST_TEXT`."""
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
        heads.setdefault((head[2] or head[3] or "").lower(), head.start())
    lines = Lines(text)
    found: list[BibEntry] = []
    wanted = {key.lower() for key in keys}
    while wanted:
        places = sorted(heads.pop(key) for key in wanted if key in heads)
        entries = [entry for start in places for entry in _read_at(text, start, path, lines, strings)]
        found += entries
        wanted = {field.lower() for each in entries for name in _REFERRING if (field := each.fields.get(name))}
    return found


def _read_at(text: str, start: int, path: Path, lines: Lines, strings: Mapping[str, str]) -> list[BibEntry]:
    following = _NEXT.search(text, start + 1, start + _LONGEST_ENTRY)
    part = text[start : following.start() if following else start + _LONGEST_ENTRY]
    return read_bib(
        part, path, lambda one, end: Span(path, start + one, start + end, lines.number(start + one)), dict(strings)
    ).entries


def _finding(code: str, message: str, span: Span, text: str, start: int) -> Finding:
    fix = {
        "duplicate_key": "rename or remove one of the two",
        "broken_entry": "close the entry's braces and check its commas",
        "missing_comma": "put a comma before the field",
        "duplicate_field": "keep one of the two",
        "entry_without_key": "give the entry a key",
        "bibliography_too_large": "put what the draft cites first, or into a file of its own",
        "expansion_limit": "let the @string macros stand for less: they say the same again and again",
    }[code]
    column = start - max(text.rfind("\n", 0, start), text.rfind("\r", 0, start))
    return Finding(code, "warning", message, span.file, span.line, column, fix)


def _blocks(text: str) -> Iterator[tuple[str, int, bool]]:
    """The raw blocks of a .bib file with their offsets, and whether they are broken."""
    from bibtexparser.model import (
        DuplicateBlockKeyBlock,
        DuplicateFieldKeyBlock,
        ExplicitComment,
        ImplicitComment,
        ParsingFailedBlock,
    )
    from bibtexparser.splitter import Splitter

    # The parser warns on standard error about what is reported here as findings.
    logging.getLogger("bibtexparser.splitter").setLevel(logging.CRITICAL)
    position = unclear = 0
    for block in Splitter(text).split().blocks:
        raw = block.raw or ""
        found = text.find(raw, position)
        if found < 0:
            continue
        position = found + len(raw)
        duplicate = isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock)
        if isinstance(block, ImplicitComment) or (isinstance(block, ParsingFailedBlock) and not duplicate):
            continue
        yield from _entries_in(text, unclear, found)
        unclear = position
        if not isinstance(block, ExplicitComment):
            yield raw, found, False
    yield from _entries_in(text, unclear, len(text))


def _entries_in(text: str, start: int, end: int) -> Iterator[tuple[str, int, bool]]:
    """The entries in what the parser took for comments or gave up on: it stops at the first odd character."""
    heads = list(_START.finditer(text, start, end)) if text.find("@", start, end) >= 0 else []
    for head, following in zip_longest(heads, heads[1:]):
        limit = following.start() if following else end
        stop = _closing(text, head.end() - 1, limit)
        raw = text[head.start() : limit if stop is None else stop].rstrip()
        if "=" in raw:  # else it is an address or the like
            yield raw, head.start(), stop is None


def _closing(text: str, opening: int, limit: int) -> int | None:
    """The position after the partner of the brace or parenthesis at `opening`, or None before `limit`."""
    depth, partner = 0, {"{": "}", "(": ")"}[text[opening]]
    for match in _DELIMITERS.finditer(text, opening + 1, limit):
        if match.group() == partner and depth == 0:
            return match.end()
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
    return None


def _fields(raw: str, position: int, macros: _Macros) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Field values without their outer delimiters, macros and `#` resolved, and what was wrong."""
    if position < len(raw) and raw[position : position + 1] in "{( \n\t":
        position = re.compile(r"\s*[{(]?").match(raw, position).end()  # type: ignore[union-attr]
    values: dict[str, str] = {}
    doubts: list[tuple[str, str]] = []
    comma = True
    while match := _FIELD.match(raw, position):
        name = match[1].lower()
        if not comma and "," not in raw[match.start() : match.start(1)]:
            doubts.append(("missing_comma", f"has no comma before {match[1]}"))
        value, position = _value(raw, match.end(), macros)
        if (limit := macros.expansion.refused()) is not None:
            doubts.append(
                ("expansion_limit", f"has macros that stand for more than {limit:,} characters in {match[1]}")
            )
        if name in values:
            doubts.append(("duplicate_field", f"has the field {match[1]} twice"))
        else:
            values[name] = value
        comma = False
        rest = re.compile(r"[\s,]*").match(raw, position)
        if rest and "," in rest.group():
            comma, position = True, rest.end()
    return values, doubts


def _value(raw: str, position: int, macros: _Macros) -> tuple[str, int]:
    parts: list[str] = []
    here = Expansion(LONGEST_VALUE, within=macros.expansion)
    while True:
        char = raw[position : position + 1]
        if char == "{":
            end = _closing_brace(raw, position)
            parts.append(raw[position + 1 : end])
            position = end + 1
        elif char == '"':
            end = _closing_quote(raw, position)
            parts.append(raw[position + 1 : end])
            position = end + 1
        else:
            match = _BARE_VALUE.match(raw, position)
            if match is None:
                break
            word = match.group()
            parts.append(macros.value(word, here))
            position = match.end()
        join = _JOIN.match(raw, position)
        if join is None:
            break
        position = join.end()
    return "".join(parts).strip(), position


def _closing_brace(raw: str, position: int) -> int:
    depth = 0
    for match in _SMALL_PARTS.finditer(raw, position):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0:
            return match.start()
    return len(raw)


def _closing_quote(raw: str, position: int) -> int:
    depth = 0
    for match in re.compile(r'\\[^"]|[{}"]', re.DOTALL).finditer(raw, position + 1):
        if match.group() == '"' and depth <= 0:
            return match.start()
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
    return len(raw)


# -- \bibitem -------------------------------------------------------------------------------------------

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
    values = _fields(fields, 0, _Macros({}, Expansion()))[0]
    authors = [match[1] for match in re.finditer(r"\bauthor\s*=\s*\{([^{}]*)\}", fields)]
    if authors:
        values["author"] = " and ".join(authors)
    return BibEntry(key, kind, values, span, find_arxiv_id(values), find_doi(values))


def _bibitem_title(text: str) -> str | None:
    match = _BIBINFO_TITLE.search(text)
    if match:
        return " ".join(text[match.end() : _closing_brace(text, match.end() - 1)].split())
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
                fields[found[1]] = part[found.end() + 1 : _closing_brace(part, found.end())]
            else:
                verb = re.compile(r"\s*\\verb\s+(\S+)").match(part, found.end())
                if verb:
                    fields[found[1]] = verb[1]
        span = Span(path, match.start(), match.end(), lines.number(match.start()))
        entries.append(BibEntry(match[1], match[2].lower(), fields, span, find_arxiv_id(fields), find_doi(fields)))
    return entries
