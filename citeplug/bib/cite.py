"""`citeplug cite`: find a paper, and make its entry in the style of the author's .bib file."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from citeplug.bib.bib_file import BibFile, read_bib_file
from citeplug.bib.check import open_lookup
from citeplug.bib.compare.check_entries import check_entries
from citeplug.bib.compare.duplicates import OwnEntries
from citeplug.bib.exported import is_exported
from citeplug.bib.find_paper import BY_HAND, Cited, Finder, Record
from citeplug.bib.library.references import match_own, refer_to_library
from citeplug.bib.write.dialect import Dialect, dialect_for, follow_habit
from citeplug.bib.write.entries import entry_fields
from citeplug.bib.write.keystyle import DEFAULT, KeyFacts, KeyStyle, learn_style, make_key
from citeplug.bib.write.layout import Layout, append_entries, ends_within_a_block, usual_layout
from citeplug.bib.write.works import work_fields
from citeplug.bib.write.writing import BibConventions, learn_writing, print_name
from citeplug.bibtex.entries import parse_bib, read_again
from citeplug.corpus.records_by_id import Lookup
from citeplug.corpus.stores import Announce, need_network_for
from citeplug.errors import UnreadableInput, UsageError
from citeplug.files.project_files import names_in, obstacle, read_beginning
from citeplug.latex.project import find_root, read_draft
from citeplug.records.draft import BibEntry, Cite, Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper
from citeplug.records.section import HEADER
from citeplug.records.work import SERVICE_NAMES, Service, Work
from citeplug.section_file.cite_style import unfit_for_cite
from citeplug.settings.environment import Settings, way_online
from citeplug.sources.works import open_sources
from citeplug.text.cleaning import plain
from citeplug.text.sameness import describe_paper, describe_work


@dataclass(frozen=True, slots=True)
class Citing:
    """Result for all queries; `after` is the text of the file with the new entries. Nothing has been written."""

    cited: tuple[Cited, ...]
    file: BibFile | None
    after: str
    findings: tuple[Finding, ...]
    outage: bool

    def write(self, home: Path) -> None:
        """Append the new entries. Raises WouldOverwrite if the file changed in the meantime."""
        if self.file is not None:
            self.file.write(self.after, home)


@dataclass(slots=True)
class _Place:
    """Target of new entries: its entries and style, and the draft's citations."""

    file: BibFile | None
    entries: list[BibEntry]
    dialect: Dialect
    writing: BibConventions
    layout: Layout
    style: KeyStyle
    cites: Sequence[Cite] = ()
    findings: list[Finding] = field(default_factory=list)


def cite_papers(
    queries: Sequence[str],
    settings: Settings,
    *,
    bib: Path | None = None,
    online: bool = False,
    sources: Sequence[Service] = (),
    announce: Announce | None = None,
    announce_service: Announce | None = None,
    today: date | None = None,
) -> Citing:
    """Make entries for ids, DOIs and titles in the dialect and the key style of `bib`, and check each.

    `bib` is a .bib file or a draft that has one; without it the entries are as for a new file. An id is looked up
    at arXiv unless offline, a title in the catalogue, and at arXiv if `online`. Raises UnreadableInput, UsageError.
    """
    need_network_for(sources, settings)
    place = _place(bib)
    with open_lookup(settings, search=online, announce=announce) as lookup:
        others = open_sources(sources, settings, announce=announce_service)
        finder = Finder(lookup, others)
        cited: list[Cited] = []
        for query in dict.fromkeys(plain(query) for query in queries):
            matches = finder.find(query)
            one = (
                _cite(query, matches, place, lookup, today or date.today())
                if isinstance(matches, Paper | Work)
                else matches
            )
            cited.append(one)
        new = [one.entry for one in cited if one.entry is not None]
        text = place.file.text if place.file else ""
        after = append_entries(text, new) if new else text
        if place.file is not None and new:
            _check_appended(place.file, after, [one.key or "" for one in cited if one.entry is not None])
        findings = (*place.findings, *lookup.findings)
        return Citing(tuple(cited), place.file, after, findings, lookup.outage is not None)


def cite_in(
    file: BibFile,
    draft: Draft | None,
    arxiv_id: str,
    lookup: Lookup,
    *,
    key: str | None = None,
    today: date | None = None,
) -> Citing:
    """As `cite_papers`, for one paper and a file as an editor has it; `draft` is the file's draft.

    `key` is used if no entry has it. Raises UnreadableInput if the end of the file cannot be read.
    """
    place = _place_in(file, draft)
    matches = Finder(lookup, ()).find(arxiv_id)
    one = matches if isinstance(matches, Cited) else _cite(arxiv_id, matches, place, lookup, today or date.today(), key)
    if one.entry is None:
        return Citing((one,), file, file.text, (*place.findings, *lookup.findings), lookup.outage is not None)
    after = append_entries(file.text, [one.entry])
    _check_appended(file, after, [one.key or ""])
    return Citing((one,), file, after, (*place.findings, *lookup.findings), lookup.outage is not None)


def find_bib_file(folder: Path) -> Path:
    """Return the only .bib file of a folder, else the only one of its draft; files that citeplug wrote do not count.

    Raises UsageError if there is none or several.
    """
    names = [name for name in names_in(folder) if name.endswith(".bib") and not name.startswith(".")]
    files = [path for path in (folder / name for name in names) if not is_generated(path) and not is_exported(path)]
    if len(files) != 1:
        draft = _draft_near(folder)
        of_draft = [path for path in draft.bib_files if path.is_file() and not is_generated(path)] if draft else []
        files = of_draft or files
    if len(files) == 1:
        return files[0]
    raise UsageError("there are several .bib files here" if files else "there is no .bib file here", "give a .bib file")


def is_generated(path: Path) -> bool:
    """Return True if citeplug wrote this .bib file."""
    try:
        return read_beginning(path, len(HEADER)).startswith(HEADER.split("\n")[0].encode())
    except OSError:
        return False


def _draft_near(folder: Path) -> Draft | None:
    try:
        return read_draft(find_root(folder))
    except UnreadableInput:
        return None


def _place(bib: Path | None) -> _Place:
    if bib is None:
        dialect = Dialect()
        return _Place(None, [], dialect, BibConventions(dialect), usual_layout("", []), DEFAULT)
    draft = None
    if bib.suffix.lower() != ".bib":
        draft = read_draft(find_root(bib))
        files = [path for path in draft.bib_files if path.is_file() and not is_generated(path)]
        if len(files) != 1:
            some = "several .bib files" if files else "no .bib file"
            raise UsageError(f"{bib.name} has {some}", "give the .bib file instead")
        bib = files[0]
    file = read_bib_file(bib) if bib.exists() or obstacle(bib) else BibFile(bib.absolute(), b"", "", "utf-8")
    return _place_in(file, draft or _draft_near(file.path.parent))


def _place_in(file: BibFile, draft: Draft | None) -> _Place:
    known = draft is not None and file.path.resolve() in [path.resolve() for path in draft.bib_files]
    entries = file.entries()
    dialect = Dialect()
    if draft is not None and known:
        dialect = dialect_for(draft.bib_style, draft.bib_engine, draft.document_class, draft.packages)
    dialect = follow_habit(dialect, entries, style_known=known and draft is not None and draft.bib_style is not None)
    writing = learn_writing(entries, dialect, encodes=file.takes_unicode)
    layout, style = usual_layout(file.text, entries), learn_style(entries) or DEFAULT
    if draft is not None and known:  # keys of the draft's other files are taken too
        entries = [*entries, *(entry for entry in draft.entries if entry.span.file != file.path)]
    cites = draft.cites if draft is not None and known else ()
    return _Place(file, entries, dialect, writing, layout, style, cites)


def _check_appended(file: BibFile, after: str, keys: Sequence[str]) -> None:
    """Raise UnreadableInput if the file with the new entries does not parse to the old entries and the new ones."""
    before, now = file.entries(), replace(file, text=after).entries()
    same = [(entry.key, entry.fields) for entry in now[: len(before)]] == [(e.key, e.fields) for e in before]
    if ends_within_a_block(file.text) or not same or [entry.key for entry in now[len(before) :]] != list(keys):
        raise UnreadableInput(
            f"the end of {file.path} cannot be read", "close its last entry; 'citeplug check' shows the place"
        )


def _cite(query: str, record: Record, place: _Place, lookup: Lookup, today: date, wanted: str | None = None) -> Cited:
    there = _existing(record, place, lookup)
    if there is not None:
        message = f"this paper already has an entry: {there.key}"
        why = unfit_for_cite(there.key)
        fix = f"cite {there.key}" if why is None else f"change its key, LaTeX cannot cite it: {why}"
        return Cited(query, "exists", there.key, record, line=there.span.line, message=message, fix=fix)
    taken = {entry.key.lower() for entry in place.entries}
    if isinstance(record, Paper) and (lookup.own_entries([record.id.value]) or not record.id.on_arxiv):
        cited = _cite_own(query, record, place, lookup, today)
        if cited.status == "new" or not record.id.on_arxiv:
            return cited
    key = wanted if wanted and wanted.lower() not in taken else make_key(_facts(record), taken, place.style)
    try:
        kind, fields = _fields(record, place)
    except ValueError as error:
        again = "try again once arXiv can be reached" if lookup.outage else way_online()
        fix = (
            f"{again}, for the full record; {BY_HAND}"
            if isinstance(record, Paper)
            else "try another service with --sources"
        )
        why = f"{error} on this machine; {lookup.outage}" if lookup.outage else str(error)
        return Cited(query, "refused", record=record, message=why, fix=fix)
    text = place.layout.entry(kind, key, fields)
    (entry,) = read_again(text, place.file.path if place.file else Path("refs.bib"))
    if isinstance(record, Paper):
        check = check_entries([entry], lookup, today=today)[0]
        if check.verdict in ("differs", "not_found"):
            return Cited(query, "refused", record=record, message=check.message, fix="give another id")
        place.findings += [finding for finding in check.findings if finding.code == "possibly_withdrawn"]
    elif record.retracted:
        name = SERVICE_NAMES[record.service]
        place.findings.append(Finding("possibly_withdrawn", "warning", f"{name} says that {key} was retracted"))
    place.entries.append(entry)
    return Cited(query, "new", key, record, text)


def _cite_own(query: str, record: Paper, place: _Place, lookup: Lookup, today: date) -> Cited:
    """Take the entry of the author's library, word for word."""
    own = lookup.own_entries([record.id.value])
    taken = [entry.key for entry in place.entries]
    made = refer_to_library([record], {}, taken, own, lookup, today)
    check = made.entries[0].check
    if not made.rendered or check.severity == "error":
        return Cited(query, "refused", record=record, message=check.message, fix="correct your entry, and add it again")
    (rendered,) = made.rendered
    place.entries += parse_bib(rendered.text, place.file.path if place.file else Path("refs.bib"))
    return Cited(query, "new", rendered.key, record, rendered.text.strip(), message=check.message)


def _facts(record: Record) -> KeyFacts:
    if isinstance(record, Paper):
        return KeyFacts.of_paper(record)
    return KeyFacts(record.authors, record.year, record.title, record.arxiv_id)


def _fields(record: Record, place: _Place) -> tuple[str, dict[str, str]]:
    """Return the type and the fields as LaTeX. Raises ValueError if the record lacks title or authors."""
    printing, names = place.writing.printing(), place.writing.printing(names=True)
    if isinstance(record, Paper):
        kind, fields = entry_fields(record, printing)
        written = (print_name(name, names, given_first=place.writing.given_first) for name in record.authors)
        return kind, {**fields, "author": " and ".join(filter(None, written))}
    fields = work_fields(record, printing)
    if "title" not in fields or not {"author", "editor"} & set(fields):
        raise ValueError(f"the record of {record.doi or record.title} is incomplete")
    return record.kind, fields


def _existing(record: Record, place: _Place, lookup: Lookup) -> BibEntry | None:
    """Return the entry that the file already has for this paper; for a paper of the author's library, also by key."""
    wanted = describe_paper(record) if isinstance(record, Paper) else describe_work(record)
    own_entry = OwnEntries(place.entries, place.cites).entry_of(wanted)
    if own_entry is not None or isinstance(record, Work):
        return own_entry
    key = match_own([record], place.entries, lookup.own_entries([record.id.value])).get(record.id.value)
    return next((entry for entry in place.entries if entry.key == key), None)
