"""`citeplug check`: check .bib files, or all entries that a draft cites."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

from citeplug.bib.camera_ready import check_for_print, raise_severities
from citeplug.bib.compare.check_entries import check_entries
from citeplug.bib.compare.duplicates import DOUBTED, RIGHT, UNKNOWN, find_duplicates
from citeplug.bib.dead_links import check_links
from citeplug.bib.entries_to_check import EntriesToCheck, read_bibliography, with_places
from citeplug.bib.printed import is_printed
from citeplug.bib.style_file import StyleFile, style_of
from citeplug.bib.suppress import ignored_codes, suppress
from citeplug.bib.write.field_order import out_of_order
from citeplug.corpus.local_records import open_records
from citeplug.corpus.records_by_id import Lookup
from citeplug.corpus.stores import Announce, Report, lookup_in, need_network_for
from citeplug.errors import UsageError
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck, FieldChange
from citeplug.records.report import BibReport, EntryReport
from citeplug.records.work import Service
from citeplug.settings.environment import Settings
from citeplug.sources.arxiv import ArxivSource
from citeplug.sources.works import open_sources


def check_bibliography(
    paths: Sequence[Path],
    settings: Settings,
    *,
    report: Report,
    sources: Sequence[Service] = (),
    announce: Announce | None = None,
    announce_service: Announce | None = None,
    today: date | None = None,
    uncited: bool = False,
    camera_ready: bool = False,
    links: bool = False,
) -> BibReport:
    """Check every entry of .bib files, or every entry that a draft cites, with `uncited` all that it defines.

    Unless offline, arXiv is asked for ids, and for titles of entries without one that the catalogue does not have: a
    title in a bibliography is of published work, and reveals nothing of the draft's text. `sources` are asked about
    what is not on arXiv; `announce_service` is called with what is sent to each. An outage is never a verdict. What the
    author's comments or `citeplug.toml` ignore is left out. With `camera_ready` also what is to be seen to before the
    paper is printed; with `links` the web addresses in entries are asked for. Raises UnreadableInput and UsageError.
    """
    need_network_for(sources, settings)
    if links and settings.offline:
        raise UsageError("--links and --offline cannot be combined", "leave one out (also CITEPLUG_OFFLINE)")
    to_check = read_bibliography(paths)
    ignored = ignored_codes(_folder_of(to_check))
    with open_lookup(settings, announce=announce) as lookup:
        others = open_sources(sources, settings, announce=announce_service)
        wanted = [number for number in range(len(to_check.entries)) if uncited or number not in to_check.unused]
        entries = [to_check.entries[number] for number in wanted]
        checks = check_entries(entries, lookup, today=today or date.today(), report=report, others=others)
        if camera_ready:
            style = style_of(to_check.draft)
            checks = check_for_print(entries, checks, lookup, others, style)
            _note_order(to_check, set(wanted), style)
        if links:
            say = announce_service or (lambda _: None)
            checks, undecided = check_links(entries, checks, settings, lambda done, of: report("links", done, of), say)
            to_check.findings += undecided
        result = report_on(to_check, dict(zip(wanted, checks, strict=True)), lookup)
        return suppress(raise_severities(result) if camera_ready else result, ignored)


def _note_order(to_check: EntriesToCheck, wanted: Collection[int], style: StyleFile | None) -> None:
    """Note the order of fields where it is not that of the file."""
    by_file: dict[Path, list[int]] = defaultdict(list)
    for number, entry in enumerate(to_check.entries):
        if entry.span.file.suffix.lower() == ".bib":
            by_file[entry.span.file].append(number)
    for numbers in by_file.values():
        for place, finding in out_of_order([to_check.entries[number] for number in numbers], style):
            if numbers[place] in wanted:
                to_check.note(numbers[place], finding)


def _folder_of(to_check: EntriesToCheck) -> Path:
    """Return the folder from which `citeplug.toml` is looked for."""
    if to_check.draft is not None:
        return to_check.draft.root.parent
    return next((entry.span.file.parent for entry in to_check.entries), Path.cwd())


def report_on(to_check: EntriesToCheck, known: Mapping[int, EntryCheck], lookup: Lookup) -> BibReport:
    """Return the report on a bibliography; `known` are the checks by the index of their entry."""
    shown = _as_checked(to_check.entries, known)
    cited = {key.lower() for cite in to_check.draft.cites for key in cite.keys} if to_check.draft is not None else set()
    for part in to_check.parts:
        agreement = {place: _agreement(known[number]) for place, number in enumerate(part) if number in known}
        duplicates = find_duplicates([shown[number] for number in part], cited, agreement)
        for place, finding in duplicates.items():
            if not to_check.unused.intersection((part[place],)):
                to_check.note(part[place], finding)
    reports = [_report(number, entry, known.get(number), to_check) for number, entry in enumerate(to_check.entries)]
    findings = (*lookup.findings, *to_check.findings)
    return BibReport((*reports, *to_check.others), findings, lookup.outage is not None, to_check.draft)


def _as_checked(entries: Sequence[BibEntry], checks: Mapping[int, EntryCheck]) -> list[BibEntry]:
    """Return the entries with the ids that the check found; an entry that mixes up papers gets no id."""
    shown = []
    for number, entry in enumerate(entries):
        check = checks.get(number)
        if check is not None and check.verdict == "differs" and check.severity == "error":
            entry = replace(entry, arxiv_id=None, doi=None, fields={})
        elif check is not None and check.verdict in ("verified", "differs"):
            entry = replace(entry, arxiv_id=check.arxiv_id or entry.arxiv_id)
        shown.append(entry)
    return shown


def _agreement(check: EntryCheck) -> int:
    if check.verdict == "verified":
        return RIGHT
    return DOUBTED if check.verdict == "differs" and check.severity != "error" else UNKNOWN


@contextmanager
def open_lookup(settings: Settings, *, search: bool = True, announce: Announce | None = None) -> Iterator[Lookup]:
    """Open the catalogue, and arXiv unless offline (for titles too if `search`); the catalogue may be empty."""
    with open_records(settings) as records:
        source = None if settings.offline else ArxivSource(settings, announce=announce)
        yield lookup_in(records, source, may_search=search)


def _report(number: int, entry: BibEntry, check: EntryCheck | None, to_check: EntriesToCheck) -> EntryReport:
    if check is None:
        message = "it is not cited, so it was not looked up"
        check = EntryCheck(entry.key, entry.arxiv_id, "unchecked", "none", None, (), message)
    if is_printed(entry.span.file):
        check = replace(check, changes=())  # there is no file to make them in
    findings = with_places((*check.findings, *to_check.notes.get(number, [])), entry)
    edits = tuple(to_check.edits.get(number, []))
    return EntryReport(entry.key, entry.span.file, entry.span.line, entry, check, findings, _fix(check.changes), edits)


def _fix(changes: Sequence[FieldChange]) -> str | None:
    """Return the changes that `citeplug fix` would make, in words."""
    changes_in_words = [
        f"remove {change.field}" if change.value is None else f"set {change.field} to {change.value}"
        for change in changes
    ]
    return "; ".join(changes_in_words) + " (citeplug fix does it)" if changes_in_words else None
