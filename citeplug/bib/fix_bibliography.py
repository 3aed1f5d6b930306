"""`citeplug fix`: check a bibliography, and make the certain corrections without changing another byte."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import zip_longest
from pathlib import Path

from citeplug.bib.bib_file import BibFile, read_bib_file
from citeplug.bib.check import check_bibliography, open_lookup
from citeplug.bib.compare.check_entries import check_entries
from citeplug.bib.compare.corrections import is_close
from citeplug.bib.entries_to_check import read_bibliography, with_places
from citeplug.bib.fixed import Fixed, FixedFile, FixRequest, FixResult
from citeplug.bib.style_file import style_of
from citeplug.bib.write.dialect import Dialect, dialect_for
from citeplug.bib.write.field_order import FieldOrder, in_order, order_of
from citeplug.bib.write.find_published import find_published, other_work
from citeplug.bib.write.published import Replacement, replace_by_record, replace_by_work
from citeplug.bib.write.splice import Refused, Spliced, apply, changed_otherwise, rewrite, splice
from citeplug.bib.write.writing import BibConventions, learn_writing
from citeplug.bibtex.entries import read_bib
from citeplug.corpus.records_by_id import Lookup
from citeplug.corpus.stores import Announce, Report
from citeplug.errors import SourceUnavailable, WouldOverwrite
from citeplug.protocols import WorkSource
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.entry_check import FieldChange
from citeplug.records.finding import Finding, TextEdit, source_unavailable
from citeplug.records.paper import ArxivId
from citeplug.records.report import BibReport, EntryReport
from citeplug.records.work import SERVICE_NAMES, Service
from citeplug.settings.environment import Settings
from citeplug.sources.works import open_sources


@dataclass(slots=True)
class _Work:
    """A file while it is corrected; numbers are the indices of its entries.

    `order` is that of the fields, if they are to be put in one. `edits` has one for each entry that changes, `made` the
    fields changed in it, `written` the other findings that it corrects, `records` the published works that replace it;
    `notes` are new findings.
    """

    file: BibFile
    entries: list[BibEntry]
    reports: list[EntryReport]
    writing: BibConventions
    order: FieldOrder | None = None
    edits: dict[int, TextEdit] = field(default_factory=dict)
    made: dict[int, tuple[FieldChange, ...]] = field(default_factory=dict)
    written: dict[int, tuple[Finding, ...]] = field(default_factory=dict)
    records: dict[int, str] = field(default_factory=dict)
    notes: dict[int, list[Finding]] = field(default_factory=dict)

    def note(self, number: int, finding: Finding) -> None:
        self.notes.setdefault(number, []).append(finding)


def fix_bibliography(
    paths: Sequence[Path],
    settings: Settings,
    request: FixRequest,
    *,
    report: Report,
    sources: Sequence[Service] = (),
    announce: Announce | None = None,
    announce_service: Announce | None = None,
    today: date | None = None,
    checked: BibReport | None = None,
) -> FixResult:
    """Check .bib files, or those of a draft, and make the corrections that are certain, in memory.

    Parameters as for `check_bibliography`; with its report, `checked`, nothing is checked again. Raises WouldOverwrite
    if an entry changed since it was checked.
    """
    today = today or date.today()
    checked = checked or check_bibliography(
        paths,
        settings,
        report=report,
        sources=sources,
        announce=announce,
        announce_service=announce_service,
        today=today,
        camera_ready=request.camera_ready,
    )
    dialect, folder = _project(checked.draft)
    works = [_open(read_bib_file(path), reports, dialect) for path, reports in _by_file(checked, folder).items()]
    _need_as_checked(paths, checked)
    if request.camera_ready:
        style = style_of(checked.draft)
        for work in works:
            work.order = order_of(work.entries, style)
    with open_lookup(settings, announce=announce) as lookup:
        others = open_sources(sources, settings, announce=announce_service)
        for work in works:
            work.reports = [_as_chosen(entry_report, request, lookup) for entry_report in work.reports]
            for number in range(len(work.entries)):
                _correct(work, number, request, lookup, others)
        files = tuple(FixedFile(work.file, _applied(work)) for work in works)
        fixed = tuple(change for work in works for change in _fixed(work))
        left = [
            finding for work, file in zip(works, files, strict=True) for finding in _left(work, file, lookup, today)
        ]
        changed_files = {entry_report.file for work in works for entry_report in work.reports}
        outside = [entry for entry in checked.entries if entry.entry is None or entry.file not in changed_files]
        findings = (*checked.findings, *left, *(f for entry in outside for f in entry.findings), *lookup.findings)
        outage = checked.outage or lookup.outage is not None
        close = sum(is_close(one.check) for work in works for n, one in enumerate(work.reports) if n not in work.made)
        return FixResult(files, fixed, tuple(dict.fromkeys(findings)), outage, close)


def fix_entry(
    checked: BibReport, file: BibFile, key: str, lookup: Lookup, request: FixRequest
) -> tuple[FixedFile, tuple[Finding, ...]]:
    """Make the certain corrections in the entries of one key of a checked file, in memory.

    The findings are the refused corrections. Raises WouldOverwrite if the file is not the one that was checked.
    """
    dialect, folder = _project(checked.draft)
    work = _open(file, _by_file(checked, folder).get(file.path, []), dialect)
    for number, entry in enumerate(work.entries):
        if entry.key == key:
            _correct(work, number, request, lookup, ())
    fixed = FixedFile(work.file, _applied(work))
    return fixed, tuple(finding for notes in work.notes.values() for finding in notes)


def as_recorded(checked: BibReport, key: str, lookup: Lookup) -> BibReport:
    """Return a report in which title and authors of one entry, where they differ, are to become those of its record.

    No correction of them is certain: the author says that the entry's id is right.
    """
    return replace(checked, entries=tuple(_as_recorded(e, lookup) if e.key == key else e for e in checked.entries))


def _as_chosen(report: EntryReport, request: FixRequest, lookup: Lookup) -> EntryReport:
    """Return a report in which a title that differs a little is to become the record's, if the request names it."""
    takes_title = "title_differs" in request.only and is_close(report.check)
    return _as_recorded(report, lookup) if takes_title else report


def _as_recorded(report: EntryReport, lookup: Lookup) -> EntryReport:
    value = report.check.arxiv_id
    record = lookup.records([ArxivId(value)]).get(ArxivId(value)) if value is not None else None
    if record is None:
        return report
    of_record = {"title": ("title_differs", record.title), "author": ("authors_differ", " and ".join(record.authors))}
    others = [change for change in report.check.changes if change.field not in of_record]
    changes = [
        FieldChange(of_record[doubt.field][0], doubt.field, of_record[doubt.field][1])
        for doubt in report.check.fields
        if doubt.verdict == "differs" and doubt.field in of_record
    ]
    return replace(report, check=replace(report.check, changes=(*others, *changes)))


def _project(draft: Draft | None) -> tuple[Dialect, Path | None]:
    """Return the dialect of the draft's bibliography, and the folder in which .bib files may be changed (None: any)."""
    if draft is None:
        return Dialect(), None
    dialect = dialect_for(draft.bib_style, draft.bib_engine, draft.document_class, draft.packages)
    return dialect, draft.root.parent


def _by_file(checked: BibReport, folder: Path | None) -> dict[Path, list[EntryReport]]:
    """Return the entries of each .bib file that may be changed, in their order."""
    reports: dict[Path, list[EntryReport]] = {}
    for entry in checked.entries:
        if entry.entry is None or entry.file.suffix.lower() != ".bib":
            continue
        if folder is None or entry.file.resolve().is_relative_to(folder.resolve()):
            reports.setdefault(entry.file, []).append(entry)
    return reports


def _need_as_checked(paths: Sequence[Path], checked: BibReport) -> None:
    """Raise WouldOverwrite if an entry is not as it was checked: its correction is of a value that is no longer there.

    Read in the same way as for the check, which knows the macros of all files; what is written is read before.
    """
    then = [report.entry for report in checked.entries if report.entry is not None]
    for old, new in zip_longest(then, read_bibliography(paths).entries):
        if old is None or new is None or (old.key, old.kind, old.fields) != (new.key, new.kind, new.fields):
            raise _changed_meanwhile((new or old or then[0]).span.file)


def _changed_meanwhile(file: Path) -> WouldOverwrite:
    return WouldOverwrite(f"{file} was changed while it was checked; nothing was written", "run the same command again")


def _open(file: BibFile, reports: list[EntryReport], dialect: Dialect) -> _Work:
    entries = file.entries()
    if [entry.key for entry in entries] != [report.key for report in reports]:
        raise _changed_meanwhile(file.path)
    # Positions are those of the text to change; fields are those of the check, which knows macros of the files before.
    entries = [
        replace(entry, fields=report.entry.fields) if report.entry else entry
        for entry, report in zip(entries, reports, strict=True)
    ]
    return _Work(file, entries, reports, learn_writing(entries, dialect, encodes=file.takes_unicode))


def _correct(work: _Work, number: int, request: FixRequest, lookup: Lookup, others: Sequence[WorkSource]) -> None:
    """Make the edit of an entry, and drop it if it would change how the rest of the entry is read."""
    entry, checked = work.entries[number], work.reports[number]
    changes = [change for change in checked.check.changes if request.takes(change.code)]
    mixed = tuple(note for note in checked.findings if note.code == "field_order" and request.takes(note.code))
    if not changes and not checked.edits and not mixed and not request.published:
        return
    start, end = entry.span.start, entry.span.end
    before = work.file.text[start:end]
    text, findings = _rewritten(work, number, request)
    read = read_bib(text, work.file.path).entries
    if len(read) != 1:
        return  # no correction is certain in a broken entry; the check reports why
    alone = read[0]
    # Macros are defined outside of the entry.
    alone = replace(alone, fields={**alone.fields, **{n: v for n, v in entry.fields.items() if n in alone.fields}})
    done = None
    if request.published and request.takes("published_version"):
        done = _published(work, number, text, alone, lookup, others)
    if done is None:
        done = splice(text, alone, changes, work.writing)
    after = apply(text, done.edits)
    kind = any(change.code == "published_version" for change in done.made)
    touched = {change.field.lower() for change in done.made}
    one, other = (read_bib(version, work.file.path).entries for version in (text, after))
    if changed_otherwise(one, other, touched, kind=kind):
        why = "was not changed: the correction would change how the rest of the entry is read"
        done = replace(done, made=(), refused=(*done.refused, *(Refused(change, why) for change in done.made)))
        after = text
    if mixed and work.order is not None and (in_order_now := in_order(after, work.order)) != after:
        after, findings = in_order_now, (*findings, *mixed)
    if after != before:
        work.edits[number] = TextEdit(work.file.path, start, end, after)
        work.made[number], work.written[number] = done.made, findings
    for refused in done.refused:
        change = refused.change
        message = f"{change.field} of {entry.key} {refused.why}"
        by_hand = f"set it to {change.value}" if change.value is not None else "remove it"
        work.note(number, Finding("fix_refused", "warning", message, work.file.path, entry.span.line, None, by_hand))


def _rewritten(work: _Work, number: int, request: FixRequest) -> tuple[str, tuple[Finding, ...]]:
    """Return the text of an entry with its syntax corrected, and the findings that this resolves."""
    entry, checked = work.entries[number], work.reports[number]
    span = entry.span
    text = work.file.text[span.start : span.end]
    known = checked.entry.span if checked.entry else span
    wanted = [(finding, edit) for finding, edit in checked.edits if request.takes(finding.code)]
    # In a file with undecodable bytes, the positions of the check may differ from those here.
    if not wanted or (known.start, known.end) != (span.start, span.end):
        return text, ()
    if any(not span.start <= edit.start <= edit.end <= span.end for _, edit in wanted):
        return text, ()
    edits = [replace(edit, start=edit.start - span.start, end=edit.end - span.start) for _, edit in wanted]
    try:
        after = apply(text, list(dict.fromkeys(edits)))
    except ValueError:
        return text, ()
    before, now = (read_bib(version, work.file.path).entries for version in (text, after))
    if [(read.key, read.kind, list(read.fields)) for read in before] != [
        (read.key, read.kind, list(read.fields)) for read in now
    ]:
        return text, ()
    return after, tuple(dict.fromkeys(finding for finding, _ in wanted))


def _published(
    work: _Work, number: int, text: str, entry: BibEntry, lookup: Lookup, others: Sequence[WorkSource]
) -> Spliced | None:
    """Return the preprint's entry rewritten as that of its published version; None if that is not certain."""
    checked = work.reports[number].check
    if not any(finding.code == "published_version" for finding in checked.findings) or checked.arxiv_id is None:
        return None
    record = lookup.records([ArxivId(checked.arxiv_id)]).get(ArxivId(checked.arxiv_id))
    if checked.verdict != "verified" or record is None:
        work.note(number, _not_replaced(work.entries[number], "correct what differs from its record first"))
        return None
    try:
        published = find_published(record, others)
    except SourceUnavailable as error:
        lookup.outage = error
        lookup.findings.append(source_unavailable(error, "its published versions were not searched for"))
        published = None
    replacement: Replacement | None
    if published is None and others and (other := other_work(record, others)) is not None:
        why = f"{SERVICE_NAMES[other.service]} has another work under its DOI: {other.title}"
        work.note(number, _not_replaced(work.entries[number], why))
        return None
    if published is not None:
        work.records[number] = " ".join(filter(None, [SERVICE_NAMES[published.service], published.doi]))
        replacement = replace_by_work(entry, published, work.writing)
    else:
        replacement = replace_by_record(entry, record, work.writing)
    if replacement is None:
        known = f'arXiv has only "{record.journal_ref}"' if record.journal_ref else "arXiv has only a DOI"
        hint = "" if others else "; --sources crossref asks for the full record"
        work.note(number, _not_replaced(work.entries[number], f"{known}, too little for an entry{hint}"))
        return None
    return rewrite(text, entry, replacement.kind, replacement.fields, replacement.removed)


def _not_replaced(entry: BibEntry, why: str) -> Finding:
    message = f"{entry.key} was not replaced by its published version: {why}"
    return Finding("published_unclear", "info", message, entry.span.file, entry.span.line)


def _applied(work: _Work) -> str:
    """Return the text of the file with every edit; without any if other entries would then be read differently."""
    if not work.edits:
        return work.file.text
    text = apply(work.file.text, list(work.edits.values()))
    before, after = work.file.entries(), replace(work.file, text=text).entries()
    others = [number for number in range(len(before)) if number not in work.edits]
    if len(before) == len(after) and not changed_otherwise([before[n] for n in others], [after[n] for n in others]):
        return text
    # An unclosed entry may have swallowed the next one.
    message = "the corrections would change how other entries of the file are read; it was not changed"
    work.edits, work.made, work.written = {}, {}, {}
    work.note(0, Finding("fix_refused", "warning", message, work.file.path))
    return work.file.text


def _fixed(work: _Work) -> Iterator[Fixed]:
    for number in sorted(work.edits):
        entry = work.entries[number]
        for change in work.made[number]:
            record = None if change.code == "venue_varies" else work.reports[number].check.record
            record = work.records.get(number, record) if change.code == "published_version" else record
            place = (entry.key, work.file.path, entry.span.line)
            yield Fixed(*place, change.code, change.field, change.value, record=record)
        for finding in work.written[number]:
            line = finding.line or entry.span.line
            yield Fixed(entry.key, work.file.path, line, finding.code, message=finding.message)


def _left(work: _Work, file: FixedFile, lookup: Lookup, today: date) -> Iterator[Finding]:
    """Yield the findings that remain for each entry; changed entries are checked again."""
    changed = sorted(number for number in work.edits if work.made[number])
    entries = replace(file.file, text=file.after).entries() if changed else []
    again = dict(zip(changed, check_entries([entries[number] for number in changed], lookup, today=today), strict=True))
    for number, checked in enumerate(work.reports):
        notes = checked.findings[len(checked.check.findings) :]
        check = again.get(number, checked.check)
        yield from with_places(check.findings, work.entries[number])
        yield from (note for note in notes if note not in work.written.get(number, ()))
        yield from work.notes.get(number, [])
