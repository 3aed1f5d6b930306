"""Search for a paper by id, DOI or title."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

from citeplug.bib.compare.seek import clues
from citeplug.corpus.records_by_id import Lookup
from citeplug.errors import SourceUnavailable
from citeplug.protocols import WorkSource
from citeplug.records.draft import BibEntry, Span
from citeplug.records.finding import source_unavailable
from citeplug.records.paper import ArxivId, Paper, library_id
from citeplug.records.work import Work
from citeplug.settings.environment import way_online
from citeplug.text.compare import compare_titles, record_dois
from citeplug.text.folding import fold_title
from citeplug.text.identifiers import as_arxiv_id, clean_doi, written_doi
from citeplug.text.people import compare_authors

T = TypeVar("T")
Status = Literal["new", "exists", "ambiguous", "not_found", "refused"]
Record = Paper | Work

BY_HAND = "or add its record with 'citeplug index add FILE', or type the entry by hand"
_CANDIDATES = 8
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?10\.\d{4,9}/\S+", re.IGNORECASE)
_ID_LIKE = re.compile(r"(?:arxiv:|https?://(?:www\.)?arxiv\.org/)\S+|\d{4}\.\d{4,5}(?:v\d+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cited:
    """Result of one query. `entry` is the text of a new entry; `line` is that of an existing one."""

    query: str
    status: Status
    key: str | None = None
    record: Record | None = None
    entry: str | None = None
    line: int | None = None
    candidates: tuple[Record, ...] = ()
    message: str = ""
    fix: str | None = None


@dataclass(slots=True)
class Finder:
    """Search in the catalogue, the author's library, arXiv as far as `lookup` may ask it, and then other services."""

    lookup: Lookup
    others: Sequence[WorkSource]

    def find(self, query: str) -> Record | Cited:
        """Return the record of the paper, or the result to show if there is none or several."""
        if value := as_arxiv_id(query):
            wanted = ArxivId(value)
            record = self.lookup.records([wanted]).get(wanted)
            return record or self._not_found(query, f"arXiv:{wanted.value}", "id")
        own = library_id(query)
        if own.value in self.lookup.own_entries([own.value]):
            return self.lookup.index.papers([own.value])[own.value]
        if _DOI.fullmatch(query):
            return self._by_doi(query)
        if _ID_LIKE.fullmatch(query):
            return Cited(query, "not_found", message=f"{query} is not an arXiv id", fix="correct it, or give the title")
        return self._by_title(query)

    def _by_doi(self, query: str) -> Record | Cited:
        doi = clean_doi(query)
        papers = self.lookup.index.by_doi([doi]).get(doi, []) if doi else []
        if doi and not papers:
            papers = [
                paper for paper in self.lookup.find_doi(written_doi(query) or "") or () if doi in record_dois(paper)
            ]
        if len(papers) > 1:
            return self._ambiguous(query, papers, "several records have this DOI")
        if papers:
            return papers[0]
        for source in self.others if doi else ():
            work = self._ask(partial(source.by_doi, doi or "")) if source.knows_dois else None
            if work is not None:
                return work
        return self._not_found(query, f"the DOI {doi or query}", "doi")

    def _by_title(self, query: str) -> Record | Cited:
        if len(fold_title(query)) < 3:
            return Cited(query, "not_found", message=f"{query!r} is not a title", fix="give an id, a DOI or a title")
        asked = BibEntry("", "misc", {"title": query}, Span(Path(), 0, 0, 1))
        papers = list(self.lookup.index.by_title(query, _CANDIDATES))
        for clue in clues(asked):
            papers += self.lookup.find([clue]) or []
        papers = list({paper.id.value: paper for paper in papers}.values())
        fits: list[Record] = [paper for paper in papers if compare_titles(query, paper.title) == "same"]
        if not fits:
            for source in self.others:
                works = self._ask(partial(source.by_title, query, ()))
                fits = [work for work in works or () if compare_titles(query, work.title) == "same"]
                if fits:
                    fits = _apart(fits)
                    break
        exact = [record for record in fits if fold_title(record.title) == fold_title(query)]
        fits = exact or fits
        if len(fits) == 1:
            return fits[0]
        if fits:
            return self._ambiguous(query, fits, "several papers have this title")
        close = tuple(paper for paper in papers if compare_titles(query, paper.title) == "close")
        return replace(self._not_found(query, "this title", "title"), candidates=close)

    def _ask(self, question: Callable[[], T]) -> T | None:
        """Return a service's answer, None if it gives none; an outage is added to the findings."""
        try:
            return question()
        except SourceUnavailable as error:
            self.lookup.outage = error
            self.lookup.findings.append(source_unavailable(error, "it was not asked again"))
            return None

    def _ambiguous(self, query: str, records: Sequence[Record], why: str) -> Cited:
        return Cited(
            query, "ambiguous", candidates=tuple(records[:_CANDIDATES]), message=why, fix="give the id of one of them"
        )

    def _not_found(self, query: str, what: str, by: Literal["id", "doi", "title"]) -> Cited:
        asked = self.lookup.source is not None and (by != "title" or self.lookup.may_search)
        offline = self.lookup.source is None and self.lookup.outage is None
        ways = []
        if by != "title" and offline:
            ways.append(f"{way_online()}, to ask arXiv")
        if by == "title" and not asked and self.lookup.outage is None:
            ways.append("use --online, to search arXiv by title")
        if by != "id" and not self.others:
            ways.append("use --sources crossref, to search beyond arXiv")
        message = f"{what} was not found {'at arXiv' if asked else 'in the catalogue on this machine'}"
        if (outage := self.lookup.outage) is not None:
            message = f"{outage}; {message}"
            ways = ["try again once it can be reached", *ways, BY_HAND]
        return Cited(query, "not_found", message=message, fix="; ".join(ways) or "check that it is correct")


def _apart(works: Sequence[Record]) -> list[Record]:
    """Return works of different authors; of several records by the same authors the first."""
    apart: list[Record] = []
    for work in works:
        if not any(compare_authors(" and ".join(work.authors), other.authors).degree == "same" for other in apart):
            apart.append(work)
    return apart
