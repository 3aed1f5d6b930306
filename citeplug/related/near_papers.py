"""Papers near a draft, from arXiv's search: a first catalogue within two minutes."""

import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from citeplug.corpus.catalogue import Changes
from citeplug.corpus.stores import Announce, need_models, open_corpus
from citeplug.corpus.update import AddReport
from citeplug.errors import UsageError
from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId
from citeplug.related.retrieve.queries import frequent_phrases, queries_from_draft
from citeplug.settings.environment import Settings
from citeplug.settings.hosts import on_loopback
from citeplug.sources.arxiv import ArxivSource
from citeplug.sources.arxiv_query import search_query

MOST_SEARCHES = 6
_PAPERS = 150  # of each search: more bring little that is near
_MOST_IDS = 300


def can_ask(settings: Settings) -> bool:
    """Return False if arXiv cannot be asked: offline, or without a route to the internet. Nothing is sent."""
    if settings.offline or on_loopback(settings.arxiv_url):
        return not settings.offline
    for family, address in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((address, 9))  # of a datagram socket this only looks for a route
            return True
    return False


def words_to_send(draft: Draft) -> list[str]:
    """Searches for papers near `draft` in arXiv's language, the most telling first.

    Raises UnreadableInput if the draft has no text to go by.
    """
    return list(_searches(draft))


def suggested_searches(draft: Draft) -> list[str]:
    """Phrases of the draft to search arXiv for, those that it returns to first: an author can judge and change them."""
    title = f"{draft.title or ''}. "  # what it is on, however rarely it says so
    texts = (draft.abstract or "", *(section.text for section in draft.sections))
    return frequent_phrases(3 * title + ". ".join(texts), MOST_SEARCHES)


def add_near_papers(
    draft: Draft,
    settings: Settings,
    announce: Announce,
    report: Callable[[str, int, int | None], None],
    texts: Sequence[str] = (),
) -> AddReport:
    """Add what arXiv's search finds for `texts`, and the papers that the draft cites by their arXiv ids.

    Without `texts` the draft's own words are searched for. `announce` is called with each search before it is sent.
    What was found before an outage is kept. Raises SourceUnavailable, UnreadableInput if the draft has no text to go
    by, UsageError if it has no word to search for, ModelUnavailable.
    """
    need_models(settings)
    began, total = time.monotonic(), Changes()
    texts = texts or list(_searches(draft).values())
    if not texts:
        raise UsageError("the draft has no words to search arXiv for", "write its title and abstract first")
    cited = [ArxivId.parse(entry.arxiv_id) for entry in draft.entries if entry.arxiv_id][:_MOST_IDS]
    source = ArxivSource(settings, announce=announce)
    with open_corpus(settings) as corpus:
        for number, text in enumerate(texts):
            report("searching arXiv", number, len(texts) + 1)
            papers = source.search(text, _PAPERS)
            total += corpus.add_papers(papers)
            # Meanwhile arXiv's delay passes, and the first section need not wait for it.
            corpus.vectors_of(papers)
        report("reading what you cite", len(texts), len(texts) + 1)
        total += corpus.add_papers(list(source.fetch(cited).values()))
    return AddReport(total.added, total.changed, total.unchanged, 0, time.monotonic() - began)


def _searches(draft: Draft) -> dict[str, str]:
    """The texts to search for, by the search that each becomes: what is shown is what is sent."""
    searches: dict[str, str] = {}
    for query in queries_from_draft(draft):
        search = search_query(query.text, all_of_them=False)
        if search is not None and len(searches) < MOST_SEARCHES:
            searches.setdefault(search, query.text)
    return searches
