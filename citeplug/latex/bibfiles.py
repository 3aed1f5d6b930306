"""The bibliography of a draft: which files and items define its entries, and in which style."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from citeplug.bibtex.bbl import PrintedEntry, printed_entries
from citeplug.bibtex.entries import Bibliography, read_bib, read_cited_beyond
from citeplug.bibtex.printed_entry import entry_of_reference, reference_of_text
from citeplug.files.project_files import unreadable
from citeplug.latex.folders import DISK, Files, Folders
from citeplug.latex.macros import spelled_out
from citeplug.latex.parse import Facts
from citeplug.latex.text import Text, unliteral
from citeplug.records.draft import BibEntry, Span
from citeplug.records.finding import Finding, Severity
from citeplug.text.identifiers import find_arxiv_id, find_doi
from citeplug.text.scanning import LineIndex

# Commands that name .bib files: LaTeX's own, bibentry's, biblatex's and bibunits'.
_NAMING = (
    "bibliography",
    "nobibliography",
    "defaultbibliography",
    "putbib",
    "addbibresource",
    "addglobalbib",
    "addsectionbib",
)
_MOST_FILES = 200
_REMOTE = re.compile(r"location\s*=\s*remote")
_SECONDS_FOR_KPSEWHICH = 5
_PLAIN_NAME = re.compile(r"[\w.+][\w.+-]*")
_WITH_TEX = frozenset({"IEEEabrv", "IEEEfull", "IEEEexample", "xampl", "biblatex-examples"})
_STYLE = re.compile(r"(?:^|,)\s*(?:bib)?style\s*=\s*\{?\s*([\w.+-]+)")


@dataclass(slots=True)
class DraftBibliography:
    """`files` are absolute, those that are missing too; `style` as written."""

    files: list[Path] = field(default_factory=list)
    entries: list[BibEntry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    style: str | None = None
    strings: dict[str, str] = field(default_factory=dict)


def read_bibliography(facts: Facts, folders: Folders) -> DraftBibliography:
    """Find and read all that defines entries for the draft."""
    bibliography = DraftBibliography(style=_style(facts))
    missing = False
    for name, start in _names(facts):
        missing |= not _read_named(name, start, facts, folders, bibliography)
    root = facts.stream.files[0]
    bibliography.entries += _items(facts)
    bbl = root.with_suffix(".bbl")
    if missing and not bibliography.entries and bbl.is_file() and folders.inside(bbl):
        bibliography.entries += read_bbl(bbl, folders.files)
    known: dict[str, BibEntry] = {}
    for entry in bibliography.entries:
        first = known.setdefault(entry.key, entry)
        if first is not entry and first.span.file != entry.span.file:
            message = f"the key {entry.key} is also defined in {first.span.file.name}"
            fix = "rename or remove one of the two"
            bibliography.findings.append(
                Finding("duplicate_key", "warning", message, entry.span.file, entry.span.line, None, fix)
            )
    return bibliography


def _names(facts: Facts) -> Iterator[tuple[str, int]]:
    """The names of bibliography files as written, with macros resolved, and where they are."""
    places = [(start, end, command) for command in _NAMING for start, end in facts.commands.get(command, [])]
    places += [(block.start, block.inner, "bibliography") for block in facts.blocks if block.name == "btSect"]
    # biblatex's sections of references: resources of their own, by file name or by a label declared elsewhere.
    places += [(block.start, block.inner, "refsection") for block in facts.blocks if block.name == "refsection"]
    places += [(start, end, "refsection") for start, end in facts.commands.get("newrefsection", [])]
    here = seen = 0
    for start, end, command in sorted(places):
        if start < here:
            continue  # it is in the argument of the one before
        option = facts.source.option(end)
        group = option if command in ("putbib", "refsection") else facts.source.group(option[1] + 1 if option else end)
        if group is None:
            continue
        if option and _REMOTE.search(facts.string, *option):
            # A project's file does not decide what is asked, not even of Zotero on this machine.
            message = "a bibliography with location=remote is not read, so that its keys are not known"
            fix = "if it is Better BibTeX's, 'citeplug library sync zotero' gets its entries"
            origin = facts.stream.text.at(start)
            facts.findings.append(facts.stream.finding(origin, "bib_outside_project", "info", message, fix))
            continue
        here = group[1]
        text = unliteral(_resolve(facts.string[group[0] : group[1]], facts))
        facts.told(start)
        for name in [text] if command.startswith("add") else text.split(","):
            name = " ".join(name.split()).strip('"')
            if command == "refsection" and not name.lower().endswith(".bib"):
                continue
            if name and "#" not in name:
                seen += 1
                if seen > _MOST_FILES:
                    message = f"more than {_MOST_FILES} bibliography files are named: the rest are not read"
                    facts.doubt("bibliography_too_large", message, start, "name only those in use")
                    return
                yield name, start


def _resolve(text: str, facts: Facts) -> str:
    return spelled_out(text, facts.stream.body_of, facts.stream.expansion).replace("{", "").replace("}", "")


def _read_named(name: str, start: int, facts: Facts, folders: Folders, bibliography: DraftBibliography) -> bool:
    place = folders.find(name, (".bib",))
    path = place.path if place.exists or place.path.suffix.lower() == ".bib" else Path(f"{place.path}.bib")
    if path in bibliography.files or path in folders.skip:
        return True
    if place.exists:
        bibliography.files.append(path)
        return _add(path, facts, start, bibliography, folders.files)
    virtual = facts.stream.virtual.get(name) or facts.stream.virtual.get(name + ".bib")
    if virtual is not None:
        read = _read_virtual(virtual, facts, bibliography.strings)
        bibliography.entries += read.entries
        bibliography.findings += read.findings
        return True
    elsewhere = find_in_tex(name, folders.base, "bib")
    if elsewhere is not None:
        bibliography.files.append(elsewhere)
        return _add(elsewhere, facts, start, bibliography, folders.files)
    by_name = folders.find_by_name(path.name)
    if by_name is not None:
        # Where BibTeX runs in a build folder, the name is right from there and wrong from here.
        bibliography.files.append(by_name)
        message = f"{name} was not found there; {by_name.name} was found elsewhere in the project and read"
        origin = facts.stream.text.at(start)
        bibliography.findings.append(Finding("bib_found_elsewhere", "info", message, origin.file, facts.line(origin)))
        return _add(by_name, facts, start, bibliography, folders.files)
    bibliography.files.append(path)
    outside = place.outside
    code = "bib_outside_project" if outside else "missing_bib"
    message = f"{name} lies outside the project and is not read" if outside else f"the file {path.name} does not exist"
    fix = (
        "copy it into the project, or name its folder in BIBINPUTS" if outside else "add the file, or correct its name"
    )
    if not outside and "\\" in name:
        message = f"the name {name} contains an unknown command"
    if place.obstacle:
        code, message = "unreadable_bib", f"{path.name} cannot be read: {place.obstacle}"
        fix = "put the file itself there"
    severity: Severity = "error" if place.obstacle else "warning"
    if path.stem in _WITH_TEX:
        severity, fix = "info", "none is needed: it comes with TeX and is not installed here"
    origin = facts.stream.text.at(start)
    bibliography.findings.append(Finding(code, severity, message, origin.file, facts.line(origin), None, fix))
    return False


def find_in_tex(name: str, base: Path, kind: Literal["bib", "bst"]) -> Path | None:
    """The file of this name that comes with TeX, or lies in the user's own texmf tree or the folders of BIBINPUTS.

    That variable (BSTINPUTS for a style) is the user's own setting, so its folders may lie anywhere.
    """
    program = shutil.which("kpsewhich")
    if program is None or not _PLAIN_NAME.fullmatch(name):
        return None
    wanted = name if name.lower().endswith(f".{kind}") else f"{name}.{kind}"
    try:
        done = subprocess.run(
            [program, f"-format={kind}", wanted],
            capture_output=True,
            timeout=_SECONDS_FOR_KPSEWHICH,
            check=False,
            cwd=base,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.decode("utf-8", errors="replace").strip().splitlines()
    path = base / lines[0] if done.returncode == 0 and lines else None
    return path if path is not None and path.is_file() else None


def _add(path: Path, facts: Facts, start: int, bibliography: DraftBibliography, files: Files) -> bool:
    try:
        read = files.bibliography(path, bibliography.strings)
        if any(finding.code == "bibliography_too_large" for finding in read.findings):
            keys = {key for cite in facts.cites for key in cite.keys}
            bibliography.entries += read_cited_beyond(files.read(path).text, path, keys, bibliography.strings)
    except OSError as error:
        origin = facts.stream.text.at(start)
        told = unreadable(path, error)
        message = f"{path.name} cannot be read: {error.strerror}"
        where = (origin.file, facts.line(origin), None)
        bibliography.findings.append(Finding("unreadable_bib", "error", message, *where, told.hint))
        return False
    bibliography.entries += read.entries
    bibliography.findings += read.findings
    return True


def _read_virtual(text: Text, facts: Facts, strings: dict[str, str]) -> Bibliography:
    def locate(start: int, end: int) -> Span:
        origin = text.at(start)
        return Span(origin.file, origin.offset, origin.offset + end - start, facts.line(origin))

    return read_bib(text.string, text.at(0).file, locate, strings)


def _items(facts: Facts) -> Iterator[BibEntry]:
    """The entries of `\\bibitem` and of amsrefs' `\\bib` in the draft itself, which reads no `\\entry` of biblatex."""
    for item in printed_entries(facts.string):
        key = unliteral(item.key)
        if key and "#" not in key and not facts.string.startswith("\\entry", item.start):
            yield _entry(replace(item, key=key, text=unliteral(item.text)), facts.span(item.start, item.end))


def read_bbl(path: Path, files: Files = DISK) -> list[BibEntry]:
    """The entries of a .bbl file: what is left of a bibliography where its .bib is not shipped."""
    try:
        text = files.read(path).text
    except OSError:
        return []
    lines = LineIndex(text)
    items = (replace(item, text=item.text.replace("%\n", "")) for item in printed_entries(text) if item.key)
    return [_entry(item, Span(path, item.start, item.end, lines.number(item.start))) for item in items]


def _entry(item: PrintedEntry, span: Span) -> BibEntry:
    if item.kind == "bibitem":
        entry = entry_of_reference(reference_of_text(item.key, item.text), span.file)
        return replace(entry, key=item.key, span=span)
    fields = dict(item.fields)
    return BibEntry(item.key, item.kind, fields, span, find_arxiv_id(fields), find_doi(fields))


def _style(facts: Facts) -> str | None:
    styles = []
    for _, end in facts.commands.get("bibliographystyle", []):
        group = facts.source.group(end)
        if group:
            styles.append(_resolve(facts.string[group[0] : group[1]], facts).strip())
    options = facts.stream.biblatex_options()
    if options is not None:
        match = _STYLE.search(options)
        return match[1] if match else None
    return next((style for style in reversed(styles) if style), None)
