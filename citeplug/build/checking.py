"""`citeplug check`: .bib files, or all that a draft cites."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from citeplug.adapters.arxiv import ArxivSource
from citeplug.adapters.works import open_sources
from citeplug.bibliography.duplicates import find_duplicates
from citeplug.bibliography.lint import Engine, defined_macros, lint_entry
from citeplug.build.stores import Announce, Report, open_corpus
from citeplug.checking import check_entries
from citeplug.errors import UnreadableInput, UsageError
from citeplug.lookup import Lookup
from citeplug.records.draft import BibEntry, Cite, Draft
from citeplug.records.report import BibReport, EntryReport
from citeplug.records.review import EntryCheck, FieldChange, Finding
from citeplug.records.work import Service
from citeplug.settings import Settings
from citeplug.tex.decode import Decoded, decode
from citeplug.tex.entries import read_bib
from citeplug.tex.project import find_root, read_draft

# What reading calls doubtful, and BibTeX an error.
_BREAKS = frozenset({"broken_entry", "missing_comma", "entry_without_key", "duplicate_key"})
_LARGEST = 200_000_000  # bytes of a .bib


@dataclass(slots=True)
class Bibliography:
    """The entries to check and all that is known without a record.

    `notes` are findings by the place of their entry; `missing` the cited keys that are defined nowhere; `unused`
    the places of entries that nothing cites.
    """

    entries: list[BibEntry]
    texts: dict[Path, Decoded]
    findings: list[Finding]
    notes: dict[int, list[Finding]]
    missing: list[EntryReport]
    unused: set[int]

    def note(self, number: int, finding: Finding) -> None:
        self.notes.setdefault(number, []).append(finding)


def check_bibliography(
    paths: Sequence[Path],
    chosen: Settings,
    *,
    online: bool,
    report: Report,
    sources: Sequence[Service] = (),
    announce: Announce | None = None,
    announce_service: Announce | None = None,
    today: date | None = None,
) -> BibReport:
    """Check every entry of .bib files, or every entry that a draft cites.

    Ids are looked up at arXiv unless offline; titles are searched there only if `online`. `sources` are asked
    about what is not on arXiv; `announce_service` is told what is sent to each. An outage is no verdict. Raises
    UnreadableInput and UsageError.
    """
    if sources and chosen.offline:
        raise UsageError("--sources and --offline contradict each other", "leave one out; CITEPLUG_OFFLINE counts too")
    found = read_bibliography(paths)
    with open_lookup(chosen, online=online, announce=announce) as lookup:
        others = open_sources(sources, chosen, announce=announce_service)
        wanted = [number for number in range(len(found.entries)) if number not in found.unused]
        checks = check_entries(
            [found.entries[number] for number in wanted],
            lookup,
            today=today or date.today(),
            report=report,
            others=others,
        )
        known = dict(zip(wanted, checks, strict=True))
        for number, finding in find_duplicates(_as_checked(found.entries, known)).items():
            found.note(number, finding)
        reports = [_report(number, entry, known.get(number), found) for number, entry in enumerate(found.entries)]
        return BibReport((*reports, *found.missing), (*lookup.findings, *found.findings), lookup.outage is not None)


def _as_checked(entries: Sequence[BibEntry], checks: Mapping[int, EntryCheck]) -> list[BibEntry]:
    """The entries with the ids that the check found; one that mixes papers up stands for none."""
    shown = []
    for number, entry in enumerate(entries):
        check = checks.get(number)
        if check is not None and check.verdict == "differs" and check.severity == "error":
            entry = replace(entry, arxiv_id=None, doi=None, fields={})
        elif check is not None and check.verdict in ("verified", "differs"):
            entry = replace(entry, arxiv_id=check.arxiv_id or entry.arxiv_id)
        shown.append(entry)
    return shown


@contextmanager
def open_lookup(chosen: Settings, *, online: bool, announce: Announce | None = None) -> Iterator[Lookup]:
    """The catalogue, and arXiv unless offline; an empty catalogue is no error, since ids can be asked for."""
    with open_corpus(chosen) as corpus:
        source = None if chosen.offline else ArxivSource(chosen, announce=announce)
        yield Lookup(corpus, source, corpus.covers_month, corpus.complete_for, may_search=online)


def read_bibliography(paths: Sequence[Path]) -> Bibliography:
    """Read .bib files, or the project of one main .tex file; nothing named: the only .bib or project here."""
    paths = [Path(path).expanduser() for path in paths] or [_only_one(Path.cwd())]
    drafts = [path for path in paths if path.suffix.lower() != ".bib"]
    if drafts and len(paths) > 1:
        raise UsageError("a draft is checked by itself", "name one .tex file, or only .bib files")
    return _of_draft(read_draft(find_root(drafts[0]))) if drafts else _of_files(paths)


def _only_one(folder: Path) -> Path:
    files = sorted(folder.glob("*.bib"))
    if len(files) == 1:
        return files[0]
    if any(folder.glob("*.tex")):
        return folder
    some = "there are several .bib files here" if files else "there is no .bib and no .tex file here"
    raise UsageError(some, "name the file: citeplug check refs.bib")


def _of_files(paths: Sequence[Path]) -> Bibliography:
    found = Bibliography([], {}, [], {}, [], set())
    strings: dict[str, str] = {}
    for path in dict.fromkeys(path.absolute() for path in paths):
        decoded = _read(path)
        found.texts[path] = decoded
        read = read_bib(decoded.text, path, strings=strings)
        found.entries += read.entries
        found.findings += read.findings
    _note(found, "none", None)
    return found


def _of_draft(draft: Draft) -> Bibliography:
    found = Bibliography(list(draft.entries), {}, [], {}, [], set())
    for path in dict.fromkeys(entry.span.file for entry in draft.entries if entry.span.file.suffix.lower() == ".bib"):
        found.texts[path] = _read(path)
    found.findings += [finding for finding in draft.findings if _is_about_entries(finding, draft)]
    cited = [key for cite in draft.cites for key in cite.keys]
    if "*" not in cited:
        used = {key.lower() for key in cited}
        found.unused = {number for number, entry in enumerate(found.entries) if entry.key.lower() not in used}
        for number in found.unused:
            entry = found.entries[number]
            fix = "cite it, or leave it: BibTeX prints what is cited"
            finding = Finding(
                "uncited_entry", "info", f"{entry.key} is never cited", entry.span.file, entry.span.line, None, fix
            )
            found.note(number, finding)
    found.missing = list(_undefined(draft))
    _note(found, draft.bib_engine, draft.bib_style)
    return found


def _is_about_entries(finding: Finding, draft: Draft) -> bool:
    return finding.file in draft.bib_files or "bib" in finding.code or finding.code in _BREAKS | {"duplicate_field"}


def _undefined(draft: Draft) -> Iterable[EntryReport]:
    known = {entry.key for entry in draft.entries}
    lower = {key.lower(): key for key in known}
    seen: set[str] = set()
    for cite in draft.cites:
        for key in cite.keys:
            if key in known or key in seen or key == "*":
                continue
            seen.add(key)
            yield _undefined_key(key, cite, lower.get(key.lower()))


def _undefined_key(key: str, cite: Cite, other: str | None) -> EntryReport:
    message = f"{key} is cited, and no bibliography file defines it"
    fix = f"write {other}, as it is defined" if other else "add the entry, or correct the key"
    finding = Finding("undefined_key", "error", message, cite.span.file, cite.span.line, None, fix)
    check = EntryCheck(key, None, "unchecked", "error", None, (), message)
    return EntryReport(key, cite.span.file, cite.span.line, None, check, (finding,), fix)


def _note(found: Bibliography, engine: Engine, style: str | None) -> None:
    """Give each finding to its entry, and add what the text of the entries and their neighbours tell."""
    macros = {name for decoded in found.texts.values() for name in defined_macros(decoded.text)}
    places: dict[tuple[Path, int], int] = {}
    for number, entry in enumerate(found.entries):
        places.setdefault((entry.span.file, entry.span.line), number)
    general: list[Finding] = []
    for finding in found.findings:
        severity = "error" if finding.code in _BREAKS else finding.severity
        at = places.get((finding.file, finding.line)) if finding.file and finding.line else None
        if at is None:
            general.append(replace(finding, severity=severity))
        elif not any(finding.message == other.message for other in found.notes.get(at, [])):
            found.note(at, replace(finding, severity=severity))
    found.findings = general
    for number, entry in enumerate(found.entries):
        decoded = found.texts.get(entry.span.file)
        if decoded is not None:
            for finding in lint_entry(decoded.text, entry, macros, engine=engine, style=style):
                found.note(number, finding)
    for path, decoded in found.texts.items():
        if decoded.encoding not in ("utf-8", "utf-8-sig", "ascii") or not decoded.exact:
            message = f"{path.name} is not UTF-8; it was read as {decoded.encoding}"
            fix = "save it as UTF-8: LaTeX expects that since 2018"
            found.findings.append(Finding("not_utf8", "warning", message, path, 1, 1, fix))


def _report(number: int, entry: BibEntry, check: EntryCheck | None, found: Bibliography) -> EntryReport:
    notes = found.notes.get(number, [])
    if check is None:
        check = EntryCheck(
            entry.key, entry.arxiv_id, "unchecked", "none", None, (), "it is not cited, so it was not looked up"
        )
        notes = [note for note in notes if note.code == "uncited_entry"]
    findings = tuple(
        replace(finding, file=finding.file or entry.span.file, line=finding.line or entry.span.line)
        for finding in (*check.findings, *notes)
    )
    return EntryReport(entry.key, entry.span.file, entry.span.line, entry, check, findings, _fix(check.changes))


def _fix(changes: Sequence[FieldChange]) -> str | None:
    """What `citeplug fix` would do, in words."""
    said = [
        f"remove {change.field}" if change.value is None else f"set {change.field} to {change.value}"
        for change in changes
    ]
    return "; ".join(said) + " (citeplug fix does it)" if said else None


def _read(path: Path) -> Decoded:
    try:
        if path.stat().st_size > _LARGEST:
            raise UnreadableInput(f"{path} is larger than {_LARGEST // 1_000_000} MB", "split it")
        return decode(path.read_bytes())
    except OSError as error:
        reason = "does not exist" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
        raise UnreadableInput(f"{path} {reason}", "name a .bib file, or the main .tex file of a project") from error
