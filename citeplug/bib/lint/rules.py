"""Errors of a .bib file that break the run of the bibliography, or leave a hole in the printed list.

Each rule says what BibTeX, Biber and LaTeX did with a small file that has the fault (tests/bib/lint/test_rules.py
runs them): error where one of them ends with an error or a reference is lost, warning where they warn.

bibtexparser passes by a missing comma in silence, and no library knows what each of these programs makes of a fault.
One file: the rules read one list of blocks, in its order.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from citeplug.bib.lint.entry_types import Engine, cut_letter, missing_fields, printed_fields
from citeplug.bib.lint.raw_text import ANY, Raw, raw_signs
from citeplug.bibtex.values import BibBlock, Correction, Field, Stumble
from citeplug.records.draft import BibEntry
from citeplug.records.finding import Finding, Severity, TextEdit
from citeplug.text.scanning import LineIndex

# Macros of BibTeX's standard styles: the months, and some journals.
_MONTHS = frozenset("jan feb mar apr may jun jul aug sep oct nov dec".split())
_OF_STYLES = frozenset(
    """acmcs acta cacm ibmjrd ibmsj ieeese ieeetc ieeetcad ipl jacm jcss scp sicomp tocs tods tog toms toois toplas
    tcs""".split()
)
# IEEEtran brings these files along; the names of their macros all begin so.
_OF_IEEE = "ieee_"
_NAMES = ("author", "editor", "translator", "bookauthor")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_BRACES = re.compile(r"[{}]")
_BAD_IN_KEY = {"bibtex": re.compile(r"[%\\~{}]"), "biber": re.compile(r"[%\\~{}#\"'(),=]")}
_LOST_FIELD = re.compile(r"[ \t]*,?\s*([A-Za-z][\w-]*)\s*=\s*[{\"]")
_ADDRESS_FIX = r"put the address into \url{...}"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The run that will read a file, as far as it is known; the defaults are those of a .bib by itself.

    `engine` "none" is taken for BibTeX. `style` is the bibliography style, None if unknown. `macros` are those of
    the other files, lower case; None if there may be more than are known. `cited` are the keys in use, lower
    case, None for all. `parents` are keys of other files that a crossref may name.
    """

    engine: Engine = "none"
    style: str | None = None
    packages: tuple[str, ...] = ()
    macros: frozenset[str] | None = frozenset()
    cited: frozenset[str] | None = None
    parents: frozenset[str] | None = frozenset()
    earlier: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lint:
    """A finding in a file. `block` begins at that code point, None for a finding about no entry.

    `edits`, of which there is none where doubt is left, correction it.
    """

    finding: Finding
    block: int | None
    edits: tuple[TextEdit, ...] = ()


def lint_bib(
    text: str, file: Path, blocks: Sequence[BibBlock], entries: Sequence[BibEntry], known: Surroundings | None = None
) -> list[Lint]:
    """All that is wrong in the file of these blocks and entries (`blocks.py`), in the order of the text."""
    return sorted(_Linter(text, file, blocks, entries, known or Surroundings()).lint(), key=_place)


def guess_engine(entries: Sequence[BibEntry]) -> Engine:
    """The program that a .bib file is written for: Biber, if it has fields or types that only biblatex knows."""
    signs = sum(
        entry.kind in ("online", "report", "thesis", "collection", "mvbook")
        or not {"journaltitle", "date", "eprinttype", "location", "subtitle"}.isdisjoint(entry.fields)
        for entry in entries
    )
    return "biber" if signs * 2 > len(entries) else "bibtex"


def _place(lint: Lint) -> tuple[int, int]:
    return lint.finding.line or 0, lint.finding.column or 0


@dataclass(slots=True)
class _Linter:
    text: str
    file: Path
    blocks: Sequence[BibBlock]
    entries: Sequence[BibEntry]
    known: Surroundings
    lines: LineIndex = field(init=False)

    def __post_init__(self) -> None:
        self.lines = LineIndex(self.text)

    @property
    def biber(self) -> bool:
        return self.known.engine == "biber"

    def lint(self) -> Iterator[Lint]:
        by_start = {entry.span.start: entry for entry in self.entries}
        undefined: set[str] = set()
        macros = {bib_field.name for block in self.blocks if block.kind == "string" for bib_field in block.fields}
        for block in self.blocks:
            yield from (self._stumbled(block, stumble) for stumble in block.stumbles)
            if not block.is_entry or block.key is None:
                continue
            yield from self._key(block, block.key)
            if not self._is_cited(block.key):
                continue
            for name, lint in self._macros(block, macros):
                if name not in undefined:  # of hundreds of entries that name one macro the first is enough
                    undefined.add(name)
                    yield lint
            yield from self._twice(block)
            entry = by_start.get(block.start)
            if entry is not None:
                yield from self._missing(block, entry)
                yield from self._raw(block, entry)
                yield from self._names(block, entry)
        yield from self._duplicate_keys()
        yield from self._parents()
        yield from self._lost_fields()

    # What stops the reading

    def _stumbled(self, block: BibBlock, stumble: Stumble) -> Lint:
        return self._lint(stumble.code, "error", stumble.message, stumble.at, stumble.fix, block, stumble.correction)

    def _key(self, block: BibBlock, key: str) -> Iterator[Lint]:
        if not key:
            message = f"the @{block.kind} entry has no key, so nothing can cite it"
            severity: Severity = "error" if self.biber else "warning"
            yield self._lint("entry_without_key", severity, message, block.key_at, "give the entry a key", block)
            return
        bad = _BAD_IN_KEY["biber" if self.biber else "bibtex"].search(key)
        if bad is not None and self._is_cited(key):
            message = f"the key {key} contains {bad[0]}, which stops the run where it is cited"
            fix = "rename it, here and where it is cited"
            yield self._lint("bad_key", "error", message, block.key_at + bad.start(), fix, block)

    def _duplicate_keys(self) -> Iterator[Lint]:
        first: dict[str, tuple[str, str]] = {key.lower(): (key, where) for key, where in self.known.earlier.items()}
        for block in self.blocks:
            if not block.is_entry or not block.key:
                continue
            line = f"line {self.lines.number(block.start)}"
            # Keys are compared as BibTeX does; for Biber another case is another key.
            key = block.key if self.biber else block.key.lower()
            before, where = first.setdefault(key, (block.key, line))
            if where == line or not self._is_cited(block.key):
                continue
            written = "" if before == block.key else f", there written {before}"
            lost = "Biber drops this entry" if self.biber else "BibTeX stops at it"
            message = f"the key {block.key} is defined a second time, first in {where}{written}; {lost}"
            severity: Severity = "warning" if self.biber else "error"
            yield self._lint("duplicate_key", severity, message, block.key_at, "rename or remove one of the two", block)

    def _parents(self) -> Iterator[Lint]:
        if self.known.parents is None:
            return
        there = {block.key.lower() for block in self.blocks if block.key}
        there |= {key.lower() for key in (*self.known.parents, *self.known.earlier)}
        for block, bib_field in self._fields_named("crossref"):
            wanted = self._inner(bib_field).strip()
            if wanted and wanted.lower() not in there and self._is_cited(block.key or ""):
                message = f"the crossref of {block.key} names {wanted}, but no entry has that key"
                severity: Severity = "warning" if self.biber else "error"
                fix = "add that entry, or correct the crossref"
                yield self._lint("bad_crossref", severity, message, bib_field.pieces[0][0], fix, block)

    def _lost_fields(self) -> Iterator[Lint]:
        """Fields behind the end of their entry: a brace too many ends it early, and BibTeX does not say so."""
        for block in self.blocks:
            lost = _LOST_FIELD.match(self.text, block.end) if block.is_entry and not block.stumbles else None
            if lost is not None:
                message = f"an extra brace ends the entry here: {lost[1]} and what follows it is not read"
                fix = "remove the brace"
                yield self._lint("lost_fields", "error", message, block.end - 1, fix, block)

    # What is printed wrong, or not at all

    def _macros(self, block: BibBlock, macros: set[str]) -> Iterator[tuple[str, Lint]]:
        """Yield the macros of an entry that nothing defines, in lower case."""
        if self.known.macros is None:
            return
        for bib_field in block.fields:
            for start, end in bib_field.pieces:
                name = self.text[start:end]
                lower = name.lower()
                if name[0] in '{"' or name[0].isdigit() or lower in _MONTHS or lower in macros:
                    continue
                if lower in self.known.macros or (not self.biber and lower in _OF_STYLES) or lower.startswith(_OF_IEEE):
                    continue
                message = f"{bib_field.name} is the macro {name}, which no @string defines: it prints as nothing"
                fix = f"write {bib_field.name} = {{{name}}}, or define the macro before"
                yield lower, self._lint("undefined_macro", "warning", message, start, fix, block)

    def _twice(self, block: BibBlock) -> Iterator[Lint]:
        seen: set[str] = set()
        for bib_field in block.fields:
            if bib_field.name in seen:
                counts = "last" if self.biber else "first"
                message = f"the entry has {bib_field.name} twice, and only the {counts} one counts"
                yield self._lint("duplicate_field", "warning", message, bib_field.start, "keep one of the two", block)
            seen.add(bib_field.name)

    def _missing(self, block: BibBlock, entry: BibEntry) -> Iterator[Lint]:
        lacking: dict[Severity, list[str]] = {"warning": [], "info": []}
        for wanted, telling in missing_fields(entry.kind, entry.fields, self.known.engine):
            preprint = wanted.startswith("journal") and entry.arxiv_id is not None
            lacking["warning" if telling and not preprint else "info"].append(wanted.replace("|", " or "))
        for severity, names in lacking.items():
            if names:
                listed = ", ".join(names)
                message = f"an @{entry.kind} needs {listed}, and {entry.key or 'this one'} has none"
                fix = f"add {listed}, or choose another type"
                yield self._lint("missing_field", severity, message, block.start, fix, block)

    def _raw(self, block: BibBlock, entry: BibEntry) -> Iterator[Lint]:
        printed = printed_fields(entry.kind, self.known.engine)
        for bib_field in block.fields:
            if bib_field.name not in printed:
                continue
            for start, end in bib_field.pieces:
                if self.text[start] in '{"' and ANY.search(self.text, start, end):
                    for raw in raw_signs(self.text[start + 1 : end - 1]):
                        yield from self._sign(block, bib_field, raw, start + 1 + raw.at)

    def _sign(self, block: BibBlock, bib_field: Field, raw: Raw, at: int) -> Iterator[Lint]:
        if raw.sign == "_" and "underscore" in self.known.packages:
            return
        if bib_field.name in ("abstract", "annotation", "annote") and raw.sign not in "%#":
            return  # Biber hands them over, and no style prints them
        correction = Correction(at, at + 1, f"\\{raw.sign}")
        if raw.sign == "$":
            message, fix = f"a dollar sign in {bib_field.name} has no partner", r"write \$, or close the math"
            yield self._lint("unpaired_dollar", "error", message, at, fix, block)
        elif raw.sign == "%":
            message = f"the raw % in {bib_field.name} hides the rest of its line from LaTeX"
            fix = _ADDRESS_FIX if raw.in_address else r"write \%"
            yield self._lint("raw_percent", "error", message, at, fix, block, None if raw.in_address else correction)
        elif raw.entity:
            message = f"{raw.entity} in {bib_field.name} is HTML, and its & stops LaTeX"
            certain = Correction(at, at + len(raw.entity), r"\&") if raw.entity == "&amp;" else None
            yield self._lint("html_entity", "error", message, at, "write the character that it means", block, certain)
        else:
            message = f"the raw {raw.sign} in {bib_field.name} stops LaTeX"
            fix, certain = f"write \\{raw.sign}", correction
            if raw.in_address:
                fix, certain = _ADDRESS_FIX, None
            elif raw.sign in "^_":
                fix = r"put it into math, or write \_" if raw.sign == "_" else r"put it into math, or write \^{}"
                certain = None
            yield self._lint("raw_special", "error", message, at, fix, block, certain)

    def _names(self, block: BibBlock, entry: BibEntry) -> Iterator[Lint]:
        for bib_field in block.fields:
            if bib_field.name not in _NAMES or len(bib_field.pieces) != 1:
                continue
            names = _AND.split(_without_groups(entry.fields.get(bib_field.name, "")))
            yield from self._commas(block, bib_field, names)
            if self.biber and any(not name.strip() for name in names) and entry.fields.get(bib_field.name, "").strip():
                message = f"a name in {bib_field.name} is empty: Biber drops the whole entry"
                fix = "remove the extra `and`"
                yield self._lint("empty_name", "error", message, bib_field.start, fix, block)
            if self.known.engine == "bibtex" and self.known.style:
                cut = cut_letter(entry.fields.get(bib_field.name, ""), self.known.style)
                if cut is not None:
                    message = f"BibTeX with {self.known.style} cuts the letter {cut} in {bib_field.name} in two"
                    fix = f"write {cut} as a TeX accent in braces, or use Biber"
                    yield self._lint("name_cut", "error", message, bib_field.start, fix, block)

    def _commas(self, block: BibBlock, bib_field: Field, names: Sequence[str]) -> Iterator[Lint]:
        for name in names:
            shown = " ".join(name.split())
            if name.count(",") > 2:
                message = f"the {bib_field.name} {shown[:60]} has too many commas for one name"
                fix = "put `and` between the names, and one comma into each"
                yield self._lint("name_commas", "error", message, bib_field.start, fix, block)
                return
            if shown.endswith(","):
                message = f"the {bib_field.name} {shown[:60]} ends with a comma"
                severity: Severity = "warning" if self.biber else "error"
                yield self._lint("name_commas", severity, message, bib_field.start, "remove the comma", block)
                return

    # What all of these need

    def _is_cited(self, key: str) -> bool:
        return self.known.cited is None or key.lower() in self.known.cited

    def _fields_named(self, name: str) -> Iterator[tuple[BibBlock, Field]]:
        for block in self.blocks:
            for bib_field in block.fields:
                if bib_field.name == name and bib_field.pieces and block.is_entry:
                    yield block, bib_field

    def _inner(self, bib_field: Field) -> str:
        start, end = bib_field.pieces[0]
        return self.text[start + 1 : end - 1] if self.text[start] in '{"' else self.text[start:end]

    def _lint(
        self,
        code: str,
        severity: Severity,
        message: str,
        at: int,
        fix: str,
        block: BibBlock,
        correction: Correction | None = None,
    ) -> Lint:
        at = min(at, len(self.text))
        finding = Finding(code, severity, message, self.file, self.lines.number(at), self.lines.column(at), fix)
        edits = (TextEdit(self.file, correction.start, correction.end, correction.text),) if correction else ()
        return Lint(finding, block.start if block.is_entry else None, edits)


def _without_groups(names: str) -> str:
    """The names without what is in braces, where BibTeX counts neither commas nor `and`."""
    out, depth, position = [], 0, 0
    for match in _BRACES.finditer(names):
        if depth == 0:
            out.append(names[position : match.start()])
        depth = max(depth + (1 if match[0] == "{" else -1), 0)
        position = match.end()
        if depth == 0:
            out.append("x")
    return "".join((*out, names[position:] if depth == 0 else ""))
