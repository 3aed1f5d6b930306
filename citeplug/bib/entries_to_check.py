"""Entries to check, from .bib files or a draft, with the errors that can be found without a paper's record."""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from citeplug.bib.cited_keys import UNREAD, causes_of_undefined_keys, keys_in_other_case, undefined_keys
from citeplug.bib.lint.rules import Lint, Surroundings, guess_engine, lint_bib
from citeplug.bib.printed import is_printed, read_printed
from citeplug.bibtex.entries import end_of_reading, entries_of, read_bib
from citeplug.bibtex.syntax import read_blocks
from citeplug.bibtex.values import BibBlock
from citeplug.errors import UnreadableInput, UsageError
from citeplug.files.decode import Decoded
from citeplug.files.project_files import expanded, names_in, unreadable
from citeplug.latex.folders import DISK, Files
from citeplug.latex.project import find_root, read_draft
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding, Severity, TextEdit
from citeplug.records.report import EntryReport, report_without_entry
from citeplug.text.compare import most_like

_UNICODE = ("utf-8", "utf-8-sig", "ascii")
_ABOUT_BIB = (*UNREAD, "bib_found_elsewhere")  # codes of a draft's findings on .bib files
_MOST_BESIDE = 20  # other .bib files of a folder that are read for their macros
# Limits of reading.
_BOUNDS = ("expansion_limit", "bibliography_too_large")


@dataclass(slots=True)
class EntriesToCheck:
    """Entries to check, and the findings that need no record of the paper.

    `notes` are findings by the index of their entry in `entries`, `edits` the certain corrections; `others` are reports
    on what is not an entry: cited keys that are defined nowhere, blocks that cannot be read. `unused` are the indices
    of uncited entries, `parts` the index ranges in which duplicates are looked for: each file, or all of a draft.
    `draft` is the project that the entries were read with, None if files were named.
    """

    entries: list[BibEntry]
    findings: list[Finding] = field(default_factory=list)
    notes: dict[int, list[Finding]] = field(default_factory=dict)
    edits: dict[int, list[tuple[Finding, TextEdit]]] = field(default_factory=dict)
    others: list[EntryReport] = field(default_factory=list)
    unused: set[int] = field(default_factory=set)
    parts: list[range] = field(default_factory=list)
    draft: Draft | None = None

    def note(self, number: int, finding: Finding) -> None:
        self.notes.setdefault(number, []).append(finding)


@dataclass(frozen=True, slots=True)
class _File:
    """A .bib file. `text` is the part of it that is read, `blocks` the blocks of that part."""

    path: Path
    decoded: Decoded
    text: str
    blocks: list[BibBlock]

    @classmethod
    def of(cls, path: Path, decoded: Decoded, *, percent_comments: bool) -> "_File":
        text = decoded.text[: end_of_reading(decoded.text)]
        return cls(path, decoded, text, read_blocks(text, percent_comments=percent_comments))


def read_bibliography(paths: Sequence[Path]) -> EntriesToCheck:
    """Read .bib files and printed lists, or the project of one main .tex file; without `paths`, the only one here.

    Raises UnreadableInput and UsageError.
    """
    paths = [expanded(path) for path in paths] or [_only_one(Path.cwd())]
    drafts = [path for path in paths if path.is_dir() or not (path.suffix.lower() == ".bib" or is_printed(path))]
    if drafts and len(paths) > 1:
        raise UsageError(
            "a draft cannot be checked together with other files",
            "give one .tex file, or only .bib files and lists of references",
        )
    return bibliography_of(read_draft(find_root(drafts[0]))) if drafts else bibliography_of_files(paths)


def _only_one(folder: Path) -> Path:
    names = [folder / name for name in names_in(folder)]
    files = [path for path in names if path.suffix.lower() == ".bib"]
    if len(files) == 1:
        return files[0]
    if any(path.suffix.lower() == ".tex" for path in names):
        return folder
    some = "there are several .bib files here" if files else "there is no .bib and no .tex file here"
    example = files[0].name if files else "refs.bib"
    raise UsageError(some, f"give the file to check: citeplug check {example}")


def _read(path: Path, files: Files = DISK) -> Decoded:
    try:
        return files.read(path)
    except FileNotFoundError as error:
        there: list[str] = []
        with contextlib.suppress(OSError):  # of a folder that cannot be listed nothing is suggested
            there = names_in(path.parent)
        like = most_like(path.name, (name for name in there if name.endswith(path.suffix)))
        meant = f"did you mean {like}? Or " if like else ""
        fix = f"{meant}give a .bib file, or the main .tex file of a project"
        raise UnreadableInput(f"{path} does not exist", fix) from error
    except OSError as error:
        raise unreadable(path, error) from error


# .bib files by themselves


def bibliography_of_files(paths: Sequence[Path], source: Files = DISK) -> EntriesToCheck:
    """Read .bib files without a draft, and printed lists, which have no syntax to look at. Raises UnreadableInput."""
    to_check = EntriesToCheck([])
    files: list[_File] = []
    strings: dict[str, str] = {}
    printed = [read_printed(path) for path in dict.fromkeys(path.absolute() for path in paths) if is_printed(path)]
    for path in dict.fromkeys(path.absolute() for path in paths if not is_printed(path)):
        decoded = _read(path, source)
        read = read_bib(decoded.text, path, strings=strings)
        entries = read.entries
        to_check.parts.append(range(len(to_check.entries), len(to_check.entries) + len(entries)))
        to_check.entries += entries
        _note_bounds(to_check, read.findings)
        biber = guess_engine(entries) == "biber"
        files.append(_File.of(path, decoded, percent_comments=biber))
    macros = frozenset(strings) | frozenset(_macros_beside(files))
    keys = frozenset(entry.key.lower() for entry in to_check.entries)
    for file, part in zip(files, to_check.parts, strict=True):
        known = Surroundings(guess_engine([to_check.entries[number] for number in part]), macros=macros, parents=keys)
        _lint(to_check, file, part, known, _encoding_severity(file.decoded, None))
    for entries in printed:
        to_check.parts.append(range(len(to_check.entries), len(to_check.entries) + len(entries)))
        to_check.entries += entries
    return to_check


def _macros_beside(files: Sequence[_File]) -> Iterator[str]:
    """Yield the names of macros in other .bib files of these folders: a draft may name them together."""
    named = {file.path for file in files}
    for folder in dict.fromkeys(path.parent for path in named):
        beside = [folder / name for name in sorted(names_in(folder)) if name.lower().endswith(".bib")]
        for path in [path for path in beside if path not in named][:_MOST_BESIDE]:
            with contextlib.suppress(OSError, UnreadableInput):
                text = DISK.read(path).text
                blocks = read_blocks(text[: end_of_reading(text)], percent_comments=False)
                yield from (field.name for block in blocks if block.kind == "string" for field in block.fields)


def _encoding_severity(decoded: Decoded, draft: Draft | None) -> Severity:
    """Return the severity of a file's encoding; `none` for UTF-8."""
    if decoded.encoding.startswith(("utf-16", "utf-32")):
        return "error"
    if decoded.encoding in _UNICODE and decoded.exact:
        return "none"
    if draft is None:
        return "warning"
    return "none" if draft.encoding == decoded.encoding else "error"


# A draft


def bibliography_of(draft: Draft, files: Files = DISK) -> EntriesToCheck:
    """Collect the entries of a draft; `files` reads its .bib files."""
    to_check = EntriesToCheck(list(draft.entries), draft=draft)
    to_check.parts = [range(len(to_check.entries))]
    to_check.findings = [finding for finding in draft.findings if finding.code in _ABOUT_BIB]
    keys = [key for cite in draft.cites for key in cite.keys]
    cited = None if "*" in keys else _with_parents(frozenset(map(str.lower, keys)), draft.entries)
    if cited is not None:
        to_check.unused = {number for number, entry in enumerate(to_check.entries) if entry.key.lower() not in cited}
    for number in sorted(to_check.unused):
        span = to_check.entries[number].span
        message = f"{to_check.entries[number].key} is defined but never cited"
        fix = "cite it, or leave it: only cited entries are printed"
        to_check.note(number, Finding("uncited_entry", "info", message, span.file, span.line, None, fix))
    causes = list(causes_of_undefined_keys(draft))
    to_check.others = [*causes, *undefined_keys(draft)]
    if causes:
        to_check.findings = [finding for finding in to_check.findings if finding.code not in UNREAD]
    for number, finding in keys_in_other_case(draft):
        to_check.note(number, finding)
    bounds = [finding for finding in draft.findings if finding.code in _BOUNDS and finding.file in draft.bib_files]
    to_check.findings = [finding for finding in to_check.findings if finding not in bounds]
    _note_bounds(to_check, bounds)
    _lint_draft(
        to_check, draft, cited, known_all=not any(finding.code in UNREAD for finding in draft.findings), source=files
    )
    return to_check


def _with_parents(cited: frozenset[str], entries: Iterable[BibEntry]) -> frozenset[str]:
    """Return the keys and those of the entries that theirs inherit from."""
    parents = {
        parent.strip().lower()
        for entry in entries
        if entry.key.lower() in cited
        for name in ("crossref", "xdata", "xref")
        for parent in entry.fields.get(name, "").split(",")
    }
    return cited | parents - {""}


def _lint_draft(
    to_check: EntriesToCheck, draft: Draft, cited: frozenset[str] | None, *, known_all: bool, source: Files
) -> None:
    files = []
    for path in draft.bib_files:
        try:
            decoded = _read(path, source)
        except UnreadableInput:
            continue  # reported in the draft's findings
        files.append(_File.of(path, decoded, percent_comments=draft.bib_engine == "biber"))
    strings = {
        field.name for file in files for block in file.blocks if block.kind == "string" for field in block.fields
    }
    keys = frozenset(entry.key.lower() for entry in draft.entries)
    earlier: dict[str, str] = {}
    for file in files:
        part = [number for number, entry in enumerate(to_check.entries) if entry.span.file == file.path]
        known = Surroundings(
            draft.bib_engine,
            draft.bib_style,
            draft.packages,
            macros=frozenset(strings) if known_all else None,
            cited=cited,
            parents=keys if known_all else None,
            earlier=dict(earlier),
        )
        _lint(to_check, file, part, known, _encoding_severity(file.decoded, draft))
        for number in part:
            earlier.setdefault(to_check.entries[number].key, file.path.name)


def _lint(to_check: EntriesToCheck, file: _File, part: Sequence[int], known: Surroundings, encoding: Severity) -> None:
    """Add the findings on a file to its entries, and those outside of entries to `others`."""
    places = {to_check.entries[number].span.start: number for number in part}
    # Read again with the rules of the program that will read the file, for broken entries and comments.
    entries = entries_of(file.text, file.blocks, file.path)
    orphans: dict[int, list[Lint]] = {}
    for lint in lint_bib(file.text, file.path, file.blocks, entries, known):
        number = None if lint.block is None else places.get(lint.block)
        if number is not None:
            to_check.note(number, lint.finding)
            to_check.edits.setdefault(number, []).extend((lint.finding, edit) for edit in lint.edits)
        else:
            orphans.setdefault(-1 if lint.block is None else lint.block, []).append(lint)
    for lints in orphans.values():
        to_check.others.append(report_without_entry([lint.finding for lint in lints]))
    if encoding != "none":
        _note_encoding(to_check, file, part, encoding)


def _note_bounds(to_check: EntriesToCheck, findings: Iterable[Finding]) -> None:
    """Add the findings on limits of reading: to the entry that begins there, else to `others`."""
    places = {(entry.span.file, entry.span.line): number for number, entry in enumerate(to_check.entries)}
    for finding in findings:
        if finding.code not in _BOUNDS or finding.file is None:
            continue
        number = places.get((finding.file, finding.line or 1))
        if number is not None:
            to_check.note(number, finding)
        else:
            to_check.others.append(report_without_entry([finding]))


def _note_encoding(to_check: EntriesToCheck, file: _File, part: Sequence[int], severity: Severity) -> None:
    """Add a finding that a file is not UTF-8 to the first entry that it affects."""
    text, name, encoding = file.decoded.text, file.path.name, file.decoded.encoding
    cited = [number for number in part if number not in to_check.unused]
    wide = encoding.startswith(("utf-16", "utf-32"))
    for number in cited:
        span = to_check.entries[number].span
        if wide or not text[span.start : span.end].isascii():
            effect = "BibTeX and Biber cannot read it" if wide else "LaTeX expects UTF-8"
            message = f"{name} is not UTF-8; it was read as {encoding}, but {effect}"
            fix = "save it as UTF-8" if wide else "save it as UTF-8, or declare its encoding to inputenc or Biber"
            to_check.note(number, Finding("not_utf8", severity, message, file.path, span.line, 1, fix))
            return


def with_places(findings: Iterable[Finding], entry: BibEntry) -> tuple[Finding, ...]:
    """Return the findings, each with a place: the entry's if it has none of its own."""
    return tuple(
        replace(finding, file=finding.file or entry.span.file, line=finding.line or entry.span.line)
        for finding in findings
    )
