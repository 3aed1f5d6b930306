"""Checks of a project's entries as in the editor: run off the event loop, with a cache by entry; and its last audit.

Entries are checked against arXiv, too, if the user allowed it: each once a day, while nothing is typed. The requests
are those of `citeplug check`: ids, and titles and DOIs of entries that the catalogue does not have.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from operator import is_
from pathlib import Path

from citeplug.bib.check import report_on
from citeplug.bib.compare.check_entries import check_entries
from citeplug.bib.entries_to_check import EntriesToCheck, bibliography_of, bibliography_of_files
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in
from citeplug.editor.file_cache import ReadFiles
from citeplug.editor.library import Library
from citeplug.editor.snapshot import GeneratedSection, Snapshot, Stretch
from citeplug.errors import CiteplugError
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck
from citeplug.records.finding import Finding
from citeplug.records.report import BibReport, EntryReport
from citeplug.settings.environment import Settings

log = logging.getLogger(__name__)

_AT_ONCE = 20  # entries between two tests whether the author has typed on
_AFTER_AN_OUTAGE = 300.0  # seconds
_MOST_KEPT = 50_000  # checks
# Codes that are shown at each citation, and those that are no news to an author who is writing.
_NO_NEWS = frozenset(("uncited_entry", "undefined_key"))
_UNCHECKED = "entry_unchecked"

Name = tuple[str, str, frozenset[tuple[str, str]]]  # of an entry, without its place


@dataclass(frozen=True, slots=True)
class Examined:
    """Result of a check of a snapshot; `made_of` are its inputs.

    `changed` are arXiv ids whose text is no longer what a generated sentence quotes; `checks` are by key; `findings`
    are those to show to an author who is writing; `uncited`: entries that nothing cites were looked up too.
    """

    snapshot: Snapshot
    report: BibReport
    changed: frozenset[str] = frozenset()
    checks: Mapping[str, EntryCheck] = field(default_factory=dict)
    made_of: object = None
    findings: Sequence[tuple[EntryReport, Finding]] = ()
    uncited: bool = False

    @property
    def cited(self) -> BibReport:
        """The report without the entries that nothing cites, as `citeplug check` gives it."""
        return replace(self.report, entries=tuple(entry for entry in self.report.entries if not entry.is_uncited))


class Online:
    """Checks against arXiv. `checks` are by the name of their entry."""

    def __init__(self, settings: Settings) -> None:
        self._chosen = settings
        self._library = Library(settings, "online")
        self._day: date | None = None
        self._not_before = 0.0
        self.checks: dict[Name, EntryCheck] = {}

    async def ask(self, entries: Mapping[Name, BibEntry], is_late: Callable[[], bool]) -> bool:
        """Check the entries that were not checked today; True if there are new results."""
        if self._chosen.offline or time.monotonic() < self._not_before:
            return False
        if self._day != date.today():
            self.checks.clear()
            self._day = date.today()
        missing = [name for name in entries if name not in self.checks]
        if not missing or is_late():
            return False
        try:
            return await self._library.ask(lambda corpus: self._ask(corpus, missing, entries, is_late))
        except CiteplugError as error:
            log.warning("arXiv cannot be reached: %s", error)
            return False

    def close(self) -> None:
        self._library.close()

    def _ask(
        self, corpus: Corpus, missing: Sequence[Name], entries: Mapping[Name, BibEntry], is_late: Callable[[], bool]
    ) -> bool:
        from citeplug.sources.arxiv import ArxivSource

        source = ArxivSource(self._chosen, announce=lambda query: log.info("asking arXiv: %s", query))
        learnt = False
        for start in range(0, len(missing), _AT_ONCE):
            if is_late():
                break
            lookup = lookup_in(corpus, source)
            names = missing[start : start + _AT_ONCE]
            checks = check_entries([entries[name] for name in names], lookup, today=date.today())
            if lookup.outage is not None:  # an outage is never a verdict
                log.warning("arXiv cannot be reached: %s", lookup.outage)
                self._not_before = time.monotonic() + _AFTER_AN_OUTAGE
                break
            self.checks |= zip(names, checks, strict=True)
            learnt = True
        return learnt


class Examiner:
    """Checker of snapshots, one after the other. A check of an outdated one (`is_late`) stops; its results are kept."""

    def __init__(self, library: Library, online: Online, is_late: Callable[[Snapshot], bool]) -> None:
        self._library = library
        self._online = online
        self._is_late = is_late
        self._checks: dict[Name, EntryCheck] = {}
        self._made_of: tuple[int, date] | None = None
        self._last: dict[Path, Examined] = {}

    async def examine(self, snapshot: Snapshot, *, uncited: bool = False) -> Examined | None:
        """Check a snapshot; None if there is a newer one, or it could not be checked.

        Entries that nothing cites are looked up if `uncited`, else only what is known of them is in the result.
        """
        try:
            return await self._library.ask(lambda corpus: self._examine(corpus, snapshot, uncited))
        except CiteplugError as error:
            log.warning("the bibliography cannot be checked: %s", error)
        except Exception:
            log.exception("the bibliography could not be checked")
        return None

    async def ask_online(self, examined: Examined) -> bool:
        """Ask arXiv about the cited entries; True if there are new results: then `examine` finds more."""
        entries = {
            _name(entry.entry): entry.entry
            for entry in examined.report.entries
            if entry.entry is not None and entry.key in examined.checks and not entry.is_uncited
        }
        return await self._online.ask(entries, lambda: self._is_late(examined.snapshot))

    def close(self) -> None:
        self._library.close()
        self._online.close()

    def _examine(self, corpus: Corpus, snapshot: Snapshot, uncited: bool) -> Examined | None:
        if self._is_late(snapshot):
            return None
        today = date.today()
        made_of = (corpus.last_change, today)
        if made_of != self._made_of or len(self._checks) > _MOST_KEPT:
            self._checks.clear()
            self._made_of = made_of
        learnt = dict(self._online.checks)
        of_what = (corpus.last_change, today, len(learnt), _made_of(snapshot))
        last = self._last.get(snapshot.root)
        fits = last is not None and last.made_of == of_what and (last.uncited or not uncited)
        if last is not None and fits and _same_entries(last.snapshot, snapshot):
            return replace(last, snapshot=snapshot)
        bibliography = _bibliography(snapshot)
        lookup = lookup_in(corpus)
        wanted = [number for number in range(len(bibliography.entries)) if number not in bibliography.unused]
        unused = sorted(bibliography.unused)
        wanted += unused if uncited else [n for n in unused if _name(bibliography.entries[n]) in self._checks]
        missing = [number for number in wanted if _name(bibliography.entries[number]) not in self._checks]
        for start in range(0, len(missing), _AT_ONCE):
            if self._is_late(snapshot):
                return None
            part = [bibliography.entries[number] for number in missing[start : start + _AT_ONCE]]
            for entry, check in zip(part, check_entries(part, lookup, today=today), strict=True):
                self._checks[_name(entry)] = _anywhere(check)
        known = {}
        for number in wanted:
            name = _name(bibliography.entries[number])
            known[number] = _anywhere(learnt[name]) if name in learnt else self._checks[name]
        checks = {bibliography.entries[number].key: check for number, check in reversed(known.items())}
        changed = _changed_sources(corpus, snapshot.section)
        report = report_on(bibliography, known, lookup)
        examined = Examined(snapshot, report, changed, checks, of_what, list(_news(report)), uncited)
        self._last[snapshot.root] = examined
        return examined


def _news(report: BibReport) -> Iterator[tuple[EntryReport, Finding]]:
    """Yield the findings to show to an author who is writing: of each file one alone on entries without a record."""
    lacking = Counter(entry.file for entry in report.entries if _lacks_record(entry))
    for entry in report.entries:
        for finding in entry.all_findings:
            if finding.code in _NO_NEWS or (entry.is_uncited and finding.severity == "info"):
                continue
            if finding.code != _UNCHECKED or not _lacks_record(entry):
                yield entry, finding
            elif count := lacking.pop(entry.file, 0):
                message = (
                    finding.message if count == 1 else f"the catalogue has no record of {count} entries of this file"
                )
                yield entry, replace(finding, message=message, fix="check with arXiv")


def _lacks_record(report: EntryReport) -> bool:
    """Return True if nothing could be compared, because the catalogue on this machine lacks the entry's paper."""
    check = report.check
    return check.verdict == "unchecked" and check.arxiv_id is not None and not check.fields and not report.is_uncited


def _made_of(snapshot: Snapshot) -> object:
    """Return the inputs of the check, except the entries."""
    draft, section = snapshot.draft, snapshot.section
    findings = [(finding.code, finding.message) for finding in draft.findings if "bib" in finding.code]
    quotes = [sentence.sources for sentence, place in section.sentences if place] if section is not None else []
    named = (draft.bib_files, draft.bib_engine, draft.bib_style, draft.packages, draft.document_class, draft.encoding)
    return named, frozenset(snapshot.mentions), findings, quotes


def _same_entries(one: Snapshot, other: Snapshot) -> bool:
    """Return True if both snapshots have the same entry objects, which are made again when a file changes."""
    before, now = one.draft.entries, other.draft.entries
    return len(before) == len(now) and all(map(is_, before, now)) and one.draft.bib_files == other.draft.bib_files


def _bibliography(snapshot: Snapshot) -> EntriesToCheck:
    files = ReadFiles(snapshot.decoded)
    if snapshot.draft.files:
        return bibliography_of(snapshot.draft, files)
    return bibliography_of_files(snapshot.draft.bib_files, files)


def _name(entry: BibEntry) -> Name:
    return entry.key, entry.kind, frozenset(entry.fields.items())


def _anywhere(check: EntryCheck) -> EntryCheck:
    """Return the check without the entry's place, which changes."""
    findings = tuple(replace(finding, file=None, line=None, column=None) for finding in check.findings)
    return replace(check, findings=findings)


def _changed_sources(corpus: Corpus, section: GeneratedSection | None) -> frozenset[str]:
    """Return the papers whose abstract or title no longer has the quote of a sentence in the section."""
    quotes = [
        (source.arxiv_id, source.of, " ".join(source.quote.split()))
        for sentence, place in (section.sentences if section is not None else ())
        if place is not None
        for source in sentence.sources
        if source.arxiv_id and source.of != "full text"
    ]
    papers = corpus.papers(list(dict.fromkeys(value for value, _, _ in quotes))) if quotes else {}
    texts = {(value, "abstract"): paper.abstract for value, paper in papers.items()}
    texts |= {(value, "title"): paper.title for value, paper in papers.items()}
    return frozenset(
        value
        for value, of, quote in quotes
        if quote and (value, of) in texts and quote not in " ".join(texts[value, of].split())
    )


@dataclass(frozen=True, slots=True)
class Audited:
    """An audit of a project: findings, each with the text of its line, and the number of all findings."""

    findings: Sequence[tuple[Finding, str]]
    count: int

    def without(self, arxiv_id: str) -> "Audited":
        """Return the audit without the findings that name a paper."""
        left = [(finding, line) for finding, line in self.findings if finding.arxiv_id != arxiv_id]
        return Audited(left, self.count - len(self.findings) + len(left))

    def places(self, now: Snapshot) -> Iterator[tuple[Stretch, Finding]]:
        """Yield the findings on lines that there still are, but for works that are cited by now."""
        cited = {entry.arxiv_id for entry in map(now.entry, now.mentions) if entry is not None}
        for finding, line in self.findings:
            place = _place(finding, line, now)
            if place is not None and not (finding.code == "missing_work" and finding.arxiv_id in cited):
                yield place, finding


def audited(findings: Sequence[Finding], then: Snapshot) -> Audited:
    """Return an audit of a copy of a snapshot."""
    lines = []
    for finding in findings:
        if finding.file is not None and (lined := then.texts.get(finding.file)) is not None:
            start, end = lined.span_of(finding.line)
            lines.append((finding, lined.text[start:end]))
    return Audited(lines, len(findings))


def _place(finding: Finding, line: str, now: Snapshot) -> Stretch | None:
    """Return the line with that text which is nearest to where it was."""
    file = finding.file
    if file is None or file not in now.texts:
        return None
    lined, number = now.texts[file], finding.line or 1
    for near in sorted(range(1, len(lined.starts) + 1), key=lambda near: abs(near - number)):
        start, end = lined.span_of(near)
        if lined.text[start:end] == line:
            return Stretch(file, start, end)
    return None
