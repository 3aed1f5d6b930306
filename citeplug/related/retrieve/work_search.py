"""OpenAlex and Semantic Scholar as sources of papers, beside arXiv."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from citeplug.bib.compare.elsewhere import compare, is_same_work
from citeplug.bib.found_works import FoundWorks
from citeplug.corpus.index import Corpus
from citeplug.corpus.records_by_id import Lookup
from citeplug.errors import SourceUnavailable
from citeplug.records.draft import BibEntry
from citeplug.records.finding import source_unavailable
from citeplug.records.paper import Paper
from citeplug.records.work import SERVICE_NAMES, Work
from citeplug.related.progress import FurtherSources
from citeplug.related.retrieve.cited_papers import same_record
from citeplug.settings.environment import Settings
from citeplug.sources.crossref import CrossrefSource
from citeplug.sources.work_service import WorkService, subject_words
from citeplug.sources.works import open_sources
from citeplug.text.cleaning import plain
from citeplug.text.compare import entry_doi, entry_title
from citeplug.text.tex_text import decode_tex

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

    def of_entries(self, entries: Sequence[BibEntry]) -> Mapping[str, Paper]:
        """As `protocols.EntrySource`; the work of an entry is asked for by its DOI, else by its title."""
        if self.announce is not None:
            sent = "; ".join(entry_doi(entry) or plain(decode_tex(entry_title(entry))) for entry in entries)
            self.announce(f"asking {self.name}: {sent}")
        works: list[Work] = []
        papers: list[Paper] = []
        try:
            for entry in entries:
                works += self._works_of(entry)[:1]
            papers = self.found.papers(works)
        except SourceUnavailable as error:
            self.found.lookup.findings.append(source_unavailable(error, "works that you cite may lack an abstract"))
        by_key = {entry.key: same_record(entry, papers) for entry in entries}
        return {key: paper for key, paper in by_key.items() if paper is not None and paper.has_abstract}

    def _works_of(self, entry: BibEntry) -> list[Work]:
        """The service's works that are the entry's and have an abstract, the service's own or Crossref's."""
        work = self.service.by_doi(doi) if (doi := entry_doi(entry)) else None
        works = [work] if work is not None else self.service.by_title(entry_title(entry), ())
        same = [work for work in works if is_same_work(compare(entry, work, by_doi=bool(doi and work.doi == doi)))]
        return [told for work in same if (told := self.found.with_abstract(work)).abstract]


def open_searches(further: FurtherSources, settings: Settings, corpus: Corpus, lookup: Lookup) -> Sequence[WorkSearch]:
    """A search for each service that the user named; DOIs of what they find are asked at Crossref."""
    if not further.names:
        return ()
    works = FoundWorks(corpus, settings.home, lookup, CrossrefSource(settings, announce=further.announce))
    services = [service for service in open_sources(further.names, settings) if isinstance(service, WorkService)]
    return [WorkSearch(service, works, further.announce) for service in services]
