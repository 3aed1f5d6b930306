"""Check the entries of a bibliography: find what each one means, then compare."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from citeplug.bibliography.verify import check_entry
from citeplug.errors import SourceUnavailable
from citeplug.ports import PaperIndex, PaperSource
from citeplug.records.draft import BibEntry
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.review import EntryCheck, Finding, source_unavailable

# What is being done, how much of it is done, how much there is (None: not known).
Report = Callable[[str, int, int | None], None]


@dataclass(slots=True)
class Lookup:
    """Finds records, at arXiv where allowed, and notes where the answers came from.

    An outage is noted once, as a finding and in `outage`, and the catalogue answers instead; it is never a
    verdict. `covers` says whether the catalogue covers the month of an id, `proves_absence` whether an id
    that it does not hold is known not to exist.
    """

    index: PaperIndex
    source: PaperSource | None
    covers: Callable[[ArxivId], bool]
    proves_absence: Callable[[ArxivId], bool]
    findings: list[Finding] = field(default_factory=list)
    outage: SourceUnavailable | None = None

    @property
    def against(self) -> Literal["arxiv", "catalogue"]:
        return "catalogue" if self.source is None else "arxiv"

    def records(self, ids: Sequence[ArxivId]) -> Mapping[ArxivId, Paper]:
        """Records by the id asked for; what nobody knows is left out."""
        if self.source is not None:
            try:
                return self.source.fetch(ids)
            except SourceUnavailable as error:
                self.source, self.outage = None, error
                self.findings.append(source_unavailable(error, "entries were checked against the local catalogue"))
        known = self.index.papers([arxiv_id.value for arxiv_id in ids])
        return {arxiv_id: known[arxiv_id.value] for arxiv_id in ids if arxiv_id.value in known}


def check_entries(
    entries: Sequence[BibEntry], lookup: Lookup, *, today: date, report: Report | None = None
) -> list[EntryCheck]:
    """One check for each entry, in the order of the entries.

    The record that an entry means is found by its arXiv id. An outage is no verdict: `lookup.outage` tells of it.
    """
    ids = {entry.arxiv_id: ArxivId(entry.arxiv_id) for entry in entries if entry.arxiv_id}
    records = lookup.records(list(ids.values())) if ids else {}

    def check(entry: BibEntry, earlier: Sequence[Paper] = ()) -> EntryCheck:
        value = entry.arxiv_id
        return check_entry(
            entry,
            records.get(ids[value]) if value else None,
            against=lookup.against if value else None,  # without an id nobody was asked
            complete=lookup.proves_absence(ids[value]) if value else False,
            covered=lookup.covers(ids[value]) if value else False,
            today=today,
            earlier=earlier,
        )

    checks = [check(entry) for entry in entries]
    doubtful = [i for i, found in enumerate(checks) if found.verdict == "differs" and _of_versions(found)]
    wanted = {i: _versions(entries[i]) for i in doubtful if entries[i].arxiv_id}
    if wanted and lookup.against == "arxiv":  # a catalogue knows the latest version alone
        others = lookup.records(list(dict.fromkeys(arxiv_id for asked in wanted.values() for arxiv_id in asked)))
        for index, asked in wanted.items():
            earlier = [others[arxiv_id] for arxiv_id in asked if arxiv_id in others]
            checks[index] = check(entries[index], earlier)
    return checks


def _of_versions(check: EntryCheck) -> bool:
    return any(item.field in ("title", "author") and item.verdict == "differs" for item in check.fields)


def _versions(entry: BibEntry) -> list[ArxivId]:
    """The first version, and the one that the entry names."""
    value = entry.arxiv_id or ""
    named = {int(v) for text in entry.fields.values() for v in re.findall(re.escape(value) + r"v(\d{1,3})\b", text)}
    return [ArxivId(value, version) for version in sorted({1, *named})]
