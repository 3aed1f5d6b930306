"""`citeplug fix`: check a bibliography, and put right what is certain, without touching another byte."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import unified_diff
from pathlib import Path

from citeplug.adapters.works import open_sources
from citeplug.bibliography.dialect import Dialect, dialect_for
from citeplug.bibliography.published import Replacement, replace_by_record, replace_by_work
from citeplug.bibliography.splice import Refused, Spliced, apply, changed_otherwise, rewrite, splice
from citeplug.bibliography.works import find_published
from citeplug.bibliography.writing import Writing, learn_writing
from citeplug.build.bibfile import BibFile, read_bib_file
from citeplug.build.checking import check_bibliography, open_lookup
from citeplug.build.stores import Announce, Report
from citeplug.checking import check_entries
from citeplug.errors import SourceUnavailable, WouldOverwrite
from citeplug.lookup import Lookup
from citeplug.ports import WorkSource
from citeplug.records.draft import BibEntry
from citeplug.records.paper import ArxivId
from citeplug.records.report import BibReport, EntryReport
from citeplug.records.review import FieldChange, Finding, source_unavailable
from citeplug.records.work import Service
from citeplug.settings import Settings
from citeplug.tex.entries import read_bib
from citeplug.tex.project import find_root, read_draft


@dataclass(frozen=True, slots=True)
class Fixed:
    """A field that was changed; `value` is None for one that was removed."""

    key: str
    file: Path
    line: int
    change: FieldChange


@dataclass(frozen=True, slots=True)
class MendedFile:
    """One file; `after` is `before` where nothing was to be changed."""

    file: BibFile
    after: str

    @property
    def changed(self) -> bool:
        return self.after != self.file.text

    def diff(self) -> str:
        """A unified diff, with the line ends of the file; empty if nothing changes."""
        name, mark = self.file.path.name, "\ufeff" if self.file.encoding == "utf-8-sig" else ""
        before, after = ((mark + text).splitlines(keepends=True) for text in (self.file.text, self.after))
        lines = unified_diff(before, after, name, name)
        end = "\n\\ No newline at end of file\n"
        return "".join(line if line.endswith(("\n", "\r")) else line + end for line in lines)

    def diff_bytes(self) -> bytes:
        """The diff in the encoding of the file, so that `patch` can apply it."""
        encoding = "utf-8" if self.file.encoding == "utf-8-sig" else self.file.encoding
        errors = "surrogateescape" if encoding == "utf-8" else "replace"
        return self.diff().encode(encoding, errors)


@dataclass(frozen=True, slots=True)
class Mended:
    """What was put right, and what is left to the author. Nothing has been written yet."""

    files: tuple[MendedFile, ...]
    fixed: tuple[Fixed, ...]
    remaining: tuple[Finding, ...]
    outage: bool

    def write(self, home: Path) -> None:
        for mended in self.files:
            if mended.changed:
                mended.file.write(mended.after, home)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user wants put right. `only`: codes of findings, empty for all; `published`: preprints replaced."""

    only: frozenset[str] = frozenset()
    published: bool = False

    def takes(self, code: str) -> bool:
        return not self.only or code in self.only


@dataclass(slots=True)
class _Work:
    """One file while it is being mended; numbers are those of its entries."""

    file: BibFile
    entries: list[BibEntry]
    reports: list[EntryReport]
    writing: Writing
    spliced: dict[int, Spliced] = field(default_factory=dict)
    notes: dict[int, list[Finding]] = field(default_factory=dict)

    def note(self, number: int, finding: Finding) -> None:
        self.notes.setdefault(number, []).append(finding)


def mend_bibliography(
    paths: Sequence[Path],
    chosen: Settings,
    wish: Wish,
    *,
    online: bool,
    report: Report,
    sources: Sequence[Service] = (),
    announce: Announce | None = None,
    announce_service: Announce | None = None,
    today: date | None = None,
) -> Mended:
    """Check .bib files, or those of a draft, and make the corrections that are certain, in memory.

    Parameters as for `check_bibliography`. Raises WouldOverwrite if a file changed while it was checked.
    """
    today = today or date.today()
    checked = check_bibliography(
        paths,
        chosen,
        online=online,
        report=report,
        sources=sources,
        announce=announce,
        announce_service=announce_service,
        today=today,
    )
    dialect, folder = _project(paths, checked)
    works = [_open(path, reports, dialect) for path, reports in _by_file(checked, folder).items()]
    with open_lookup(chosen, online=online, announce=announce) as lookup:
        others = open_sources(sources, chosen, announce=announce_service)
        for work in works:
            for number in range(len(work.entries)):
                _splice(work, number, wish, lookup, others)
        files = tuple(MendedFile(work.file, _applied(work)) for work in works)
        fixed = tuple(each for work in works for each in _fixed(work))
        left = [
            finding for work, file in zip(works, files, strict=True) for finding in _left(work, file, lookup, today)
        ]
        mended = {entry_report.file for work in works for entry_report in work.reports}
        left += [
            finding
            for entry in checked.entries
            if entry.entry is None or entry.file not in mended
            for finding in entry.findings
        ]
        findings = (*checked.findings, *left, *lookup.findings)
        return Mended(files, fixed, tuple(dict.fromkeys(findings)), checked.outage or lookup.outage is not None)


def _project(paths: Sequence[Path], checked: BibReport) -> tuple[Dialect, Path | None]:
    """How the draft, if there is one, prints its entries, and the folder whose files are the author's to change."""
    drafts = [path for path in paths if path.suffix.lower() != ".bib"]
    if not paths and len(list(Path.cwd().glob("*.bib"))) != 1:
        drafts = [Path.cwd()]
    if not drafts:
        return Dialect(), None
    draft = read_draft(find_root(drafts[0]))
    dialect = dialect_for(draft.bib_style, draft.bib_engine, draft.document_class, draft.packages)
    return dialect, draft.root.parent


def _by_file(checked: BibReport, folder: Path | None) -> dict[Path, list[EntryReport]]:
    """The entries of each .bib file that may be changed, in their order."""
    found: dict[Path, list[EntryReport]] = {}
    for entry in checked.entries:
        if entry.entry is None or entry.file.suffix.lower() != ".bib":
            continue
        if folder is None or entry.file.resolve().is_relative_to(folder.resolve()):
            found.setdefault(entry.file, []).append(entry)
    return found


def _open(path: Path, reports: list[EntryReport], dialect: Dialect) -> _Work:
    file = read_bib_file(path)
    entries = file.entries()
    if [entry.key for entry in entries] != [each.key for each in reports]:
        raise WouldOverwrite(f"{path} was changed while it was checked; it is left alone", "run the same command again")
    # Places are those of the text that will be changed; macros of the files before are known to the check alone.
    entries = [
        replace(entry, fields=each.entry.fields) if each.entry else entry
        for entry, each in zip(entries, reports, strict=True)
    ]
    return _Work(file, entries, reports, learn_writing(entries, dialect, encodes=file.takes_unicode))


def _splice(work: _Work, number: int, wish: Wish, lookup: Lookup, others: Sequence[WorkSource]) -> None:
    """Work out the edits of one entry, and refuse those after which it would be read in another way."""
    entry, checked, text = work.entries[number], work.reports[number], work.file.text
    done = _published(work, number, lookup, others) if wish.published and wish.takes("published_version") else None
    if done is None:
        changes = [change for change in checked.check.changes if wish.takes(change.code)]
        done = splice(text, entry, changes, work.writing)
    if done.edits and not _is_sound(work, number, done):
        why = "is left alone: the entry would be read in another way"
        done = Spliced(refused=(*done.refused, *(Refused(change, why) for change in done.made)))
    work.spliced[number] = done
    for refused in done.refused:
        change = refused.change
        message = f"{change.field} of {entry.key} {refused.why}"
        said = f"set it to {change.value}" if change.value is not None else "remove it"
        work.note(number, Finding("fix_refused", "warning", message, entry.span.file, entry.span.line, None, said))


def _is_sound(work: _Work, number: int, done: Spliced) -> bool:
    """Whether the entry, read again by itself, has changed in the fields that were meant and in no other."""
    start, end = work.entries[number].span.start, work.entries[number].span.end
    after = apply(work.file.text, done.edits)
    texts = work.file.text[start:end], after[start : end + len(after) - len(work.file.text)]
    before, now = (read_bib(text, work.file.path).entries for text in texts)
    kind = any(change.code == "published_version" for change in done.made)
    return not changed_otherwise(before, now, {change.field.lower() for change in done.made}, kind=kind)


def _published(work: _Work, number: int, lookup: Lookup, others: Sequence[WorkSource]) -> Spliced | None:
    """The preprint's entry as that of its published version; None where there is none to be had for sure."""
    entry, checked = work.entries[number], work.reports[number].check
    if not any(finding.code == "published_version" for finding in checked.findings) or checked.arxiv_id is None:
        return None
    record = lookup.records([ArxivId(checked.arxiv_id)]).get(ArxivId(checked.arxiv_id))
    if checked.verdict != "verified" or record is None:
        work.note(number, _not_replaced(entry, "what differs from its record comes first"))
        return None
    try:
        published = find_published(record, others)
    except SourceUnavailable as error:
        lookup.outage = error
        lookup.findings.append(source_unavailable(error, "its published versions were not looked for"))
        published = None
    replacement: Replacement | None
    if published is not None:
        replacement = replace_by_work(entry, published, work.writing)
    else:
        replacement = replace_by_record(entry, record, work.writing)
    if replacement is None:
        said = f'arXiv says "{record.journal_ref}"' if record.journal_ref else "arXiv gives a DOI alone"
        asked = "" if others else "; --sources crossref asks for the whole record"
        work.note(number, _not_replaced(entry, f"{said}, of which no entry can be made for sure{asked}"))
        return None
    return rewrite(work.file.text, entry, replacement.kind, replacement.fields, replacement.removed)


def _not_replaced(entry: BibEntry, why: str) -> Finding:
    message = f"{entry.key} was not replaced by its published version: {why}"
    return Finding("published_unclear", "info", message, entry.span.file, entry.span.line)


def _applied(work: _Work) -> str:
    """The text of the file with every edit, proved: what was not to change is read as before."""
    text = apply(work.file.text, [edit for done in work.spliced.values() for edit in done.edits])
    if text == work.file.text:
        return text
    before, after = work.file.entries(), replace(work.file, text=text).entries()
    changed = {number for number, done in work.spliced.items() if done.edits}
    kept = [number for number in range(len(before)) if number not in changed]
    same = len(before) == len(after) and not changed_otherwise([before[n] for n in kept], [after[n] for n in kept])
    if same:
        return text
    # Never seen; it would mean that the pieces between two entries are read in another way.
    message = "the file would be read in another way; it is left alone"
    work.spliced = {}
    work.note(0, Finding("fix_refused", "warning", message, work.file.path))
    return work.file.text


def _fixed(work: _Work) -> Iterator[Fixed]:
    for number, done in sorted(work.spliced.items()):
        entry = work.entries[number]
        for change in done.made:
            yield Fixed(entry.key, work.file.path, entry.span.line, change)


def _left(work: _Work, file: MendedFile, lookup: Lookup, today: date) -> Iterator[Finding]:
    """What is still to be said of each entry: those that were changed are checked again."""
    changed = [number for number, done in work.spliced.items() if done.edits]
    entries = replace(file.file, text=file.after).entries() if changed else []
    again = dict(zip(changed, check_entries([entries[number] for number in changed], lookup, today=today), strict=True))
    for number, checked in enumerate(work.reports):
        notes = checked.findings[len(checked.check.findings) :]
        check = again.get(number, checked.check)
        yield from check.findings
        yield from notes
        yield from work.notes.get(number, [])
