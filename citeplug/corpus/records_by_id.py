"""Records to compare bibliography entries with, from arXiv where that is allowed, and from the catalogue."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from citeplug.errors import SourceUnavailable
from citeplug.protocols import RecordIndex, RecordSource, WorkSource
from citeplug.records.finding import Finding, source_unavailable
from citeplug.records.paper import ArxivId, Clue, Paper
from citeplug.records.work import OwnEntry


@dataclass(slots=True)
class Lookup:
    """Finds records, at arXiv where allowed, and notes where the answers came from.

    An outage is noted once, as a finding and in `outage`, and the catalogue answers instead; it is never a
    verdict. `proves_absence` says whether an id that the catalogue does not hold is known not to exist. With
    `may_search` False titles and DOIs of entries are looked
    for in the catalogue alone: a search tells arXiv more of a draft than an id does. `own_entries` gives the author's
    own entries of papers, from the author's library, by id. `others` are asked about entries that citeplug itself put
    there, of works outside arXiv.
    """

    index: RecordIndex
    source: RecordSource | None
    proves_absence: Callable[[ArxivId], bool]
    may_search: bool = True
    own_entries: Callable[[Sequence[str]], Mapping[str, OwnEntry]] = lambda ids: {}
    others: Sequence[WorkSource] = ()
    findings: list[Finding] = field(default_factory=list)
    outage: SourceUnavailable | None = None
    _fresh: set[ArxivId] = field(default_factory=set)
    _answered: set[ArxivId] = field(default_factory=set)

    def asked(self, arxiv_id: ArxivId) -> Literal["arxiv", "catalogue"]:
        """Who answered whether there is such an id."""
        return "arxiv" if arxiv_id in self._answered else "catalogue"

    def origin(self, paper: Paper) -> Literal["arxiv", "catalogue"]:
        """Who gave this record."""
        return "arxiv" if paper.id in self._fresh else "catalogue"

    def records(self, ids: Sequence[ArxivId]) -> dict[ArxivId, Paper]:
        """Records by the id asked for; ids without a record are left out.

        The catalogue's only where arXiv gave no answer: what arXiv says it does not have is not there. Works of the
        author's library are the catalogue's alone.
        """
        records: dict[ArxivId, Paper] = {}
        asked = [arxiv_id for arxiv_id in ids if arxiv_id.on_arxiv]
        if self.source is not None and asked:
            try:
                records |= self.source.fetch(asked)
                self._fresh |= {paper.id for paper in records.values()}
                self._answered |= set(asked)
            except SourceUnavailable as error:
                self._give_up(error)
        left = [arxiv_id for arxiv_id in ids if arxiv_id not in self._answered and arxiv_id.version is None]
        known = self.index.papers([arxiv_id.value for arxiv_id in left])
        return records | {arxiv_id: known[arxiv_id.value] for arxiv_id in left if arxiv_id.value in known}

    def find(self, clues: Sequence[Clue]) -> list[Paper] | None:
        """The records that arXiv has for some clues; None if it was not asked or did not answer."""
        return self._find(clues) if self.may_search else None

    def find_doi(self, doi: str) -> list[Paper] | None:
        """The records that arXiv has under a DOI that the user named, and so allowed to ask for; None as for `find`."""
        return self._find([Clue(doi=doi)])

    def _find(self, clues: Sequence[Clue]) -> list[Paper] | None:
        if self.source is None:
            return None
        try:
            records = self.source.find(clues)
        except SourceUnavailable as error:
            self._give_up(error)
            return None
        self._fresh |= {paper.id for paper in records}
        return records

    def _give_up(self, error: SourceUnavailable) -> None:
        self.source, self.outage = None, error
        self.findings.append(source_unavailable(error, "only the local catalogue was used"))
