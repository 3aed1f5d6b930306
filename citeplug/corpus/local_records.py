"""The records on this machine, as they are without vectors and models: what check, fix, cite and references need."""

import contextlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database
from citeplug.corpus.graph.index import CitationGraph
from citeplug.corpus.lexical.index import LexicalIndex
from citeplug.corpus.own_works import Library
from citeplug.errors import StoreBroken, StoreBusy
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.work import Holding
from citeplug.settings.environment import Settings

_WAIT_FOR_THE_FIRST = 120.0  # seconds; that of 90,806 records takes less than 20 (benchmarks/results.md)
_log = logging.getLogger(__name__)


class LocalRecords:
    """Implementation of `protocols.RecordIndex` over the catalogue in `home`/corpus.

    Raises StoreBroken if the catalogue cannot be opened.
    """

    def __init__(self, home: Path) -> None:
        self._folder = home / "corpus"
        self._database = Database(self._folder / "catalogue.sqlite3")
        self.catalogue = Catalogue(self._database)
        self._lexical = LexicalIndex(self.catalogue, self._folder / "lexical")
        self.library = Library(self._database, self.catalogue, self._lexical)
        self.graph = CitationGraph(self._database)

    def close(self) -> None:
        self._database.close()

    @property
    def records(self) -> int:
        return self.catalogue.records()

    def papers(self, ids: Sequence[str]) -> Mapping[str, Paper]:
        return self.catalogue.papers(ids)

    def by_doi(self, dois: Sequence[str]) -> Mapping[str, list[Paper]]:
        return self.catalogue.by_doi(dois)

    def by_title(self, title: str, k: int) -> list[Paper]:
        """Return at most `k` of arXiv's records whose titles share words with `title`, the likeliest first.

        Works of the author's library are left out: they prove nothing about an entry. Without tantivy, which the
        distribution citeplug-check does not bring, titles have all words of `title`.
        """
        if self.is_empty():
            return []
        try:
            self._bring_lexical_up_to_date()
            ids = self._lexical.titles(title, 2 * k)
        except ModuleNotFoundError:
            ids = self.catalogue.titled(title, 2 * k)
        papers = self.catalogue.papers(ids)
        return [papers[value] for value in ids if value in papers and papers[value].id.on_arxiv][:k]

    def own_works(self) -> Sequence[Paper]:
        return self.catalogue.own_works()

    def own_texts(self) -> Sequence[Holding]:
        return self.library.texts()

    def is_empty(self) -> bool:
        return not self.catalogue.has_more_than(0)

    @property
    def last_change(self) -> int:
        """The number of the write that last changed a record, by any process."""
        return self.catalogue.last_change()

    def complete_for(self, arxiv_id: ArxivId) -> bool:
        """True if the id's absence proves that there is no such paper.

        That is so if files were added as complete up to a day in or after the id's month, and no unreadable line had
        that id.
        """
        until = self.catalogue.complete_to()
        return until is not None and arxiv_id.month <= until and not self.catalogue.is_unread(arxiv_id.value)

    def _bring_lexical_up_to_date(self) -> None:
        """Update the lexical index; if another process is writing it, or the disk is full, the old one is searched.

        Where there is none yet, the first that another process makes is waited for: without it nothing would be found,
        and a section would be written of what is left. Raises StoreBusy if that takes too long.
        """
        try:
            self._lexical.bring_up_to_date(wait=0)
        except StoreBusy:
            if not self._lexical.is_there:
                self._lexical.bring_up_to_date(wait=_WAIT_FOR_THE_FIRST)
        except StoreBroken as error:
            if not self._lexical.is_there:
                raise
            _log.warning("%s: the newest records are not found yet (%s)", error, error.hint)


@contextlib.contextmanager
def open_records(settings: Settings) -> Iterator[LocalRecords]:
    """Open the records of the user's corpus."""
    with contextlib.closing(LocalRecords(settings.corpus_home)) as records:
        yield records
