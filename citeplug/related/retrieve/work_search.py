"""OpenAlex and Semantic Scholar as sources of papers, beside arXiv."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from citeplug.bib.found_works import FoundWorks
from citeplug.corpus.index import Corpus
from citeplug.corpus.records_by_id import Lookup
from citeplug.records.paper import Paper
from citeplug.records.work import SERVICE_NAMES
from citeplug.related.progress import FurtherSources
from citeplug.settings.environment import Settings
from citeplug.sources.crossref import CrossrefSource
from citeplug.sources.work_service import WorkService, subject_words
from citeplug.sources.works import open_sources

MOST = 200  # works of one query


@dataclass(frozen=True, slots=True)
class WorkSearch:
    """A service's search, whose works become papers as `FoundWorks` has it."""

    service: WorkService
    found: FoundWorks
    announce: Callable[[str], None] | None = None

    @property
    def name(self) -> str:
        return SERVICE_NAMES[self.service.name]

    @property
    def requests_made(self) -> int:
        return self.service.requests_made

    def search(self, text: str, limit: int, before: date | None = None) -> list[Paper]:
        """At most `limit` papers for plain words, best first; see `SearchSource`."""
        if self.announce is not None:
            self.announce(f"asking {self.name}: {' '.join(subject_words(text))}")
        papers = self.found.papers(self.service.find(text, min(limit, MOST), before))
        return [paper for paper in papers if before is None or paper.published < before]


def open_searches(further: FurtherSources, chosen: Settings, corpus: Corpus, lookup: Lookup) -> Sequence[WorkSearch]:
    """A search for each service that the user named; DOIs of what they find are asked at Crossref."""
    if not further.names:
        return ()
    found = FoundWorks(corpus, chosen.home, lookup, CrossrefSource(chosen, announce=further.announce))
    services = [service for service in open_sources(further.names, chosen) if isinstance(service, WorkService)]
    return [WorkSearch(service, found, further.announce) for service in services]
