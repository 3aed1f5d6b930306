"""Checks of entries against arXiv, if the user allowed it: each entry once a day, while nothing is typed.

The requests are those of `citeplug check`: ids, and titles and DOIs of entries that the catalogue does not have.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from citeplug.bib.compare.check_entries import check_entries
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in
from citeplug.editor.library import Library
from citeplug.errors import CiteplugError
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck
from citeplug.settings.environment import Settings

log = logging.getLogger(__name__)

_AT_ONCE = 20  # entries between two tests whether the author has typed on
_AFTER_AN_OUTAGE = 300.0  # seconds

Name = tuple[str, str, frozenset[tuple[str, str]]]


class Online:
    """Checks against arXiv. `checks` are by the name of their entry, without its place."""

    def __init__(self, chosen: Settings) -> None:
        self._chosen = chosen
        self._library = Library(chosen, "online")
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
            found = check_entries([entries[name] for name in names], lookup, today=date.today())
            if lookup.outage is not None:  # an outage is never a verdict
                log.warning("arXiv cannot be reached: %s", lookup.outage)
                self._not_before = time.monotonic() + _AFTER_AN_OUTAGE
                break
            self.checks |= zip(names, found, strict=True)
            learnt = True
        return learnt
