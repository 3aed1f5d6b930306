"""Check the entries of a bibliography: find what each one means, then compare.

    ids -> records -> compare -> (for what does not fit) DOI, title and authors -> compare again -> corrections

The catalogue is asked first, arXiv only for what is left: ids a hundred at a time, DOIs and titles twenty at a time.

refaudit and academic-refchecker do the same, over the network, and find less (docs/check.md).
One file: the rounds of questions fill one state, `_CheckRun`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from citeplug.bib.compare import corrections, seek
from citeplug.bib.compare.elsewhere import is_asked
from citeplug.bib.compare.enquiry import Enquiry
from citeplug.bib.compare.evidence import FieldDoubt
from citeplug.bib.compare.verify import check_entry, claims_arxiv, named_version, without_record
from citeplug.corpus.records_by_id import Lookup
from citeplug.protocols import WorkSource
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck, Evidence, FieldChange
from citeplug.records.paper import ArxivId, Paper
from citeplug.text.compare import entry_doi, entry_title, entry_year, record_dois

# What is being done, how much of it is done, how much there is (None: not known).
Report = Callable[[str, int, int | None], None]

_TITLES = 8  # records of the catalogue to choose among, by their titles
_AT_ONCE = 20  # DOIs or titles in one round of questions
_FIRST_YEAR = 1991  # of arXiv


def check_entries(
    entries: Sequence[BibEntry],
    lookup: Lookup,
    *,
    today: date,
    report: Report | None = None,
    others: Sequence[WorkSource] = (),
) -> list[EntryCheck]:
    """One check for each entry, in the order of the entries.

    The record that an entry means is found by its arXiv id, its DOI, or its title and authors. Where an id is
    another paper's, the record that fits is compared instead, and named. `EntryCheck.changes` are the certain
    corrections. An outage is no verdict: `lookup.outage` tells of it. `others` are asked in their order about
    what is not on arXiv.
    """
    tell = report or (lambda *_: None)
    checks = _CheckRun(entries, lookup, today, tell).checks()
    if others:
        _ask_others(entries, checks, Enquiry(others), lookup, today, tell)
    return checks


def _ask_others(
    entries: Sequence[BibEntry],
    checks: list[EntryCheck],
    enquiry: Enquiry,
    lookup: Lookup,
    today: date,
    report: Report,
) -> None:
    """Replace the checks of entries that arXiv does not have by what other services say of them."""
    asked = [number for number, entry in enumerate(entries) if is_asked(entry, checks[number])]
    enquiry.prepare([entries[number] for number in asked])
    for done, number in enumerate(asked):
        report("ask other services", done, len(asked))
        checks[number] = enquiry.check(entries[number], checks[number], today=today)
    lookup.findings.extend(enquiry.findings)
    lookup.outage = lookup.outage or enquiry.outage


@dataclass(slots=True)
class _CheckRun:
    """One bibliography on its way.

    `owners` are the records with the DOIs of entries. `meant` is what title, authors or DOI say, by the number of
    the entry; `titles` are other papers that have the very title of an entry; `asked` are the numbers whose titles
    arXiv was asked for, `versions` the other versions that were seen.
    """

    entries: Sequence[BibEntry]
    lookup: Lookup
    today: date
    report: Report
    records: dict[ArxivId, Paper] = field(default_factory=dict)
    owners: dict[str, list[Paper]] = field(default_factory=dict)
    meant: dict[int, seek.Meant] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)
    titles: dict[int, Paper] = field(default_factory=dict)
    versions: dict[int, list[Paper]] = field(default_factory=dict)

    def checks(self) -> list[EntryCheck]:
        ids = [
            arxiv_id
            for entry in self.entries
            for arxiv_id in ([ArxivId(entry.arxiv_id)] if entry.arxiv_id else seek.repaired_ids(entry))
        ]
        for start in range(0, len(ids), 100):
            self._report_search("look up arXiv ids", start, len(ids))
            self.records.update(self.lookup.records(list(dict.fromkeys(ids[start : start + 100]))))
        self.owners = dict(self.lookup.index.by_doi([doi for entry in self.entries if (doi := entry_doi(entry))]))
        checks: list[EntryCheck] = []
        for number, entry in enumerate(self.entries):
            if number % 50 == 0:
                self.report("compare", number, len(self.entries))
            check = self._compare(entry, self._record(entry))
            if _is_doubtful(check):
                self._look_for(number, self.lookup.index.by_title(entry_title(entry), _TITLES))
            checks.append(check)
        doubtful = [number for number, check in enumerate(checks) if _is_doubtful(check)]
        self._with_versions(checks, doubtful)
        doubtful = [number for number in doubtful if _is_doubtful(checks[number])]
        self._ask_for_dois(doubtful)
        self._ask_for_titles(doubtful)
        self._refresh()
        for number in doubtful:
            checks[number] = self._judge(number, checks[number])
        return [self._corrected(number, check) for number, check in enumerate(checks)]

    # Finding

    def _record(self, entry: BibEntry) -> Paper | None:
        return self.records.get(ArxivId(entry.arxiv_id)) if entry.arxiv_id else None

    def _look_for(self, number: int, papers: Iterable[Paper]) -> None:
        """Keep the record that the entry means, if it is among `papers` or has its DOI, and whose title it has."""
        entry, record = self.entries[number], self._record(self.entries[number])
        papers = list(papers)
        owner = seek.owner_of_title(entry, record, papers) if record is not None else None
        if owner is not None:
            self.titles[number] = owner
        owners = self.owners.get(entry_doi(entry) or "", [])
        ids = [] if entry.arxiv_id else seek.repaired_ids(entry)
        repaired = [paper for arxiv_id in ids if (paper := self.records.get(arxiv_id))]
        match = seek.choose(entry, [*owners, *papers, *repaired])
        if match is not None:
            self.meant[number] = match

    def _to_seek(self, doubtful: Sequence[int]) -> list[int]:
        """The entries to look for on arXiv, as the catalogue does not have them."""
        return [
            number
            for number in doubtful
            if number not in self.meant or not self.meant[number].sure
            if seek.worth_asking(self.entries[number])
        ]

    def _ask_for_dois(self, doubtful: Sequence[int]) -> None:
        left = [(number, clue) for number in self._to_seek(doubtful) if (clue := seek.doi_clue(self.entries[number]))]
        for start in range(0, len(left), _AT_ONCE):
            self._report_search("look up DOIs at arXiv", start, len(left))
            part = left[start : start + _AT_ONCE]
            papers = self.lookup.find([clue for _, clue in part])
            if papers is None:
                return
            for paper in papers:
                for doi in record_dois(paper):
                    self.owners[doi] = [*self.owners.get(doi, []), paper]
            for number, _ in part:
                self._look_for(number, ())

    def _ask_for_titles(self, doubtful: Sequence[int]) -> None:
        for turn in (0, 1):
            left = [
                (number, clues[turn])
                for number in self._to_seek(doubtful)
                if (clues := seek.clues(self.entries[number]))[turn:]
                if turn == 0 or claims_arxiv(self.entries[number])
            ]
            for start in range(0, len(left), _AT_ONCE):
                self._report_search("search titles at arXiv", start, len(left))
                part = left[start : start + _AT_ONCE]
                papers = self.lookup.find([clue for _, clue in part])
                if papers is None:
                    # Half a search proves nothing.
                    self.asked -= {number for number, _ in left[start:]}
                    return
                for number, _ in part:
                    self.asked.add(number)
                    self._look_for(number, papers)

    def _report_search(self, stage: str, done: int, total: int) -> None:
        """Report a search at arXiv, where arXiv is asked at all."""
        if self.lookup.source is not None:
            self.report(stage, done, total)

    def _refresh(self) -> None:
        """The catalogue's records, as arXiv has them today."""
        if self.lookup.source is None:
            return
        stale = {number: m for number, m in self.meant.items() if self.lookup.origin(m.paper) == "catalogue"}
        wanted = list(dict.fromkeys(ArxivId(meant.paper.id.value) for meant in stale.values()))
        fresh = self.lookup.records(wanted) if wanted else {}
        for number, meant in stale.items():
            wanted_id = ArxivId(meant.paper.id.value)
            if wanted_id not in fresh and self.lookup.asked(wanted_id) == "arxiv":
                del self.meant[number]  # arXiv says that there is no such paper
            else:
                self.meant[number] = replace(meant, paper=fresh.get(wanted_id, meant.paper))

    # Judging

    def _compare(
        self,
        entry: BibEntry,
        record: Paper | None,
        earlier: Sequence[Paper] = (),
        title_owner: Paper | None = None,
    ) -> EntryCheck:
        """The entry beside the record under its own id."""
        if record is None:
            return self._without(entry)
        owner = self._owner_of_doi(entry, record)
        doubts = []
        if owner is not None and not record_dois(record):  # a DOI beside the record's own is seen without this
            message = f"the DOI {entry_doi(entry)} is that of arXiv:{owner.id.value}: {owner.title}"
            doubts = [FieldDoubt("doi_differs", "warning", message)]
        return check_entry(
            entry,
            record,
            against=self.lookup.origin(record),
            earlier=earlier,
            doubts=doubts,
            title_owner=title_owner,
        )

    def _without(self, entry: BibEntry, searched: bool = False) -> EntryCheck:
        """The verdict where no record was found under the id; `searched`: arXiv has no such title either."""
        if entry.arxiv_id is not None:
            wanted = ArxivId(entry.arxiv_id)
            against = self.lookup.asked(wanted)
        else:
            # Every id of the entry's year is known: so is every paper of that year.
            year = min(max(entry_year(entry) or self.today.year, _FIRST_YEAR), self.today.year)
            wanted = ArxivId(f"{year % 100:02}12.99999")
            against = "arxiv" if searched else "catalogue"
        return without_record(
            entry,
            against=against,
            complete=self.lookup.proves_absence(wanted),
            today=self.today,
        )

    def _owner_of_doi(self, entry: BibEntry, record: Paper) -> Paper | None:
        """The other paper whose DOI the entry has; None if its DOI is the record's or nobody's."""
        doi = entry_doi(entry)
        if doi is None or doi in record_dois(record):
            return None
        return seek.owner_of_doi(doi, self.owners.get(doi, []), record.title)

    def _with_versions(self, checks: list[EntryCheck], doubtful: Sequence[int]) -> None:
        """The checks, with the first version and the one that the entry names where the latest does not fit."""
        if self.lookup.source is None:  # a catalogue knows the latest version alone
            return
        wanted: dict[int, list[ArxivId]] = {}
        for number in doubtful:
            entry = self.entries[number]
            if entry.arxiv_id and self._record(entry) is not None:
                named = named_version(entry)
                wanted[number] = [ArxivId(entry.arxiv_id, version) for version in sorted({1, named or 1})]
        asked = list(dict.fromkeys(arxiv_id for ids in wanted.values() for arxiv_id in ids))
        others = self.lookup.records(asked) if asked else {}
        for number, ids in wanted.items():
            earlier = [others[arxiv_id] for arxiv_id in ids if arxiv_id in others]
            if earlier:
                self.versions[number] = earlier
                entry = self.entries[number]
                checks[number] = self._compare(entry, self._record(entry), earlier)

    def _judge(self, number: int, check: EntryCheck) -> EntryCheck:
        """The final word on an entry that its id, if it has one, did not settle."""
        entry, meant, record = self.entries[number], self.meant.get(number), self._record(self.entries[number])
        settled = meant is not None and record is not None and meant.paper.id.value == record.id.value
        if settled or meant is None or (entry.arxiv_id is not None and not meant.sure):
            if record is None:
                return self._without(entry, number in self.asked)
            owner = self.titles.get(number)
            return check if owner is None else self._compare(entry, record, self.versions.get(number, ()), owner)
        paper = meant.paper
        doubts: list[FieldDoubt] = []
        if entry.arxiv_id is not None:
            doubts.append(self._wrong_id(entry, record, meant))
        elif meant.exact and corrections.malformed_changes(entry, paper):
            message = f"the arXiv id cannot be read; title and authors are those of arXiv:{paper.id.value}"
            doubts.append(FieldDoubt("id_malformed", "warning", message))
        result = check_entry(
            entry,
            paper,
            against=self.lookup.origin(paper),
            doubts=doubts,
            preprint=meant.by == "doi" or claims_arxiv(entry),
        )
        if entry.arxiv_id is not None:
            evidence = Evidence("eprint", entry.arxiv_id, paper.id.value, "differs")
            return replace(result, fields=(evidence, *(item for item in result.fields if item.field != "eprint")))
        if meant.strangers:
            result = _by_strangers(result, paper)
        if meant.twins:
            ids = ", ".join(twin.id.value for twin in (paper, *meant.twins))
            return replace(result, arxiv_id=None, message=result.message or f"several records fit: {ids}")
        return result

    def _wrong_id(self, entry: BibEntry, record: Paper | None, meant: seek.Meant) -> FieldDoubt:
        value, right = entry.arxiv_id or "", meant.paper.id.value
        if record is not None:
            return FieldDoubt("id_differs", "error", f"arXiv:{value} is another paper; this one is arXiv:{right}")
        proven = self.lookup.asked(ArxivId(value)) == "arxiv" or self.lookup.proves_absence(ArxivId(value))
        problem = f"arXiv:{value} does not exist" if proven else f"arXiv:{value} is not in the catalogue"
        message = f"{problem}; title and authors are those of arXiv:{right}"
        return FieldDoubt("id_differs", "error" if proven else "warning", message)

    def _corrected(self, number: int, check: EntryCheck) -> EntryCheck:
        entry, meant = self.entries[number], self.meant.get(number)
        if check.verdict not in ("differs", "possibly_withdrawn") or check.arxiv_id is None:
            return check
        record = self._record(entry)
        changes: list[FieldChange] = []
        if meant is not None and meant.paper.id.value == check.arxiv_id != entry.arxiv_id:
            if entry.arxiv_id is not None and meant.exact:
                changes = corrections.id_changes(entry, meant.paper)
            elif entry.arxiv_id is None and meant.exact:
                changes = corrections.malformed_changes(entry, meant.paper)
        elif record is not None:
            stray = self._owner_of_doi(entry, record) is not None
            changes = corrections.certain_changes(
                entry, record, check.fields, stray_doi=stray, versions_seen=number in self.versions
            )
        return replace(check, changes=tuple(changes)) if changes else check


def _by_strangers(check: EntryCheck, paper: Paper) -> EntryCheck:
    """The check against a record that only the title names: a warning, for another paper may have it."""
    problem = f"arXiv:{paper.id.value} has this title, and none of these authors"
    findings = tuple(
        replace(finding, severity="warning", message=problem) if finding.code == "authors_differ" else finding
        for finding in check.findings
    )
    return replace(check, severity="warning", message=problem, findings=findings)


def _is_doubtful(check: EntryCheck) -> bool:
    """True if the record under the id, if there is one, may be another paper."""
    if check.verdict in ("not_found", "not_arxiv") or not check.fields:
        return True
    return any(item.field in ("title", "author", "eprint") and item.verdict == "differs" for item in check.fields)
