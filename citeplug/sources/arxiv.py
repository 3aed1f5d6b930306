"""arXiv's query API as a paper source (arxiv-api.md).

A search is the `arxiv` package's `Search`; it is sent by our own `HttpClient` and not by the package's `Client`: by its
public interface that knows no time-out, no Retry-After and no pace between processes, and it returns a part of a feed
that was cut short as if it were the answer. Tests read the same feeds with that `Client`, as an independent reader.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from citeplug.errors import SourceUnavailable
from citeplug.records.paper import ArxivId, Clue, Filter, Paper
from citeplug.settings.environment import Settings, way_online
from citeplug.sources.arxiv_feed import Feed, read_feed
from citeplug.sources.arxiv_query import clue_query, in_categories, search_query
from citeplug.sources.http import LATER, USER_AGENT, AskAgain, HttpClient, Patience, Reply
from citeplug.sources.pace import Clock, Pace
from citeplug.sources.reply_cache import ReplyCache
from citeplug.sources.xml_tree import NotAFeed
from citeplug.text.file_names import is_device

if TYPE_CHECKING:
    import arxiv

MOST_IDS = 100  # in one request; from about 600 on arXiv answers 414
_PAGE = 100
_MOST_RESULTS = 2000
_LONGEST_QUERY = 2000  # characters; a request of about 6,000 was answered with 414
_BAD_ID = re.compile(r"incorrect[ _]id[ _]format[ _]for[ _](.+)")


class ArxivSource:
    """arXiv itself. One request at a time and one every `settings.arxiv_delay` seconds, over all processes.

    Replies are kept under `settings.home`: a version for good, other records and searches for a day, the
    answer that there is nothing for an hour. `requests_made` counts the requests really sent, tries too.
    `announce` is given each search query, word for word, before it is sent: words of a draft are private.
    With `settings.offline` every call raises SourceUnavailable at once.
    """

    name = "arXiv"

    def __init__(
        self,
        settings: Settings,
        *,
        patience: Patience | None = None,
        clock: Clock | None = None,
        announce: Callable[[str], None] | None = None,
    ) -> None:
        self._announce = announce or (lambda query: None)
        self._settings = settings
        self._url = settings.arxiv_url.rstrip("?&")
        pace = Pace(settings.home / "pace", service_name(self._url), settings.arxiv_delay, clock or Clock())
        self._http = HttpClient("arXiv", pace, user_agent=USER_AGENT, patience=patience, clock=clock)
        self._queries: list[str] = []
        self._cache = ReplyCache(settings.home / "replies-1.sqlite3", self._url, clock)

    @property
    def queries(self) -> tuple[str, ...]:
        """The search queries sent so far, word for word: what an author must be able to see."""
        return tuple(self._queries)

    @property
    def requests_made(self) -> int:
        """Requests sent by this source so far, tries and redirects counted each."""
        return self._http.requests_made

    def fetch(self, ids: Sequence[ArxivId]) -> Mapping[ArxivId, Paper]:
        """Records by id as asked for; unknown and malformed ids are left out.

        A versioned id gives that version. Raises SourceUnavailable on an outage, also if only a part of many
        ids could be asked: what was answered until then is kept, and not asked again.
        """
        self._need_network()
        wanted = {asked: normal for asked in dict.fromkeys(ids) if (normal := _normal(asked))}
        known = self._cache.records(list(dict.fromkeys(wanted.values())))
        for batch in _batches(normal for normal in dict.fromkeys(wanted.values()) if normal not in known):
            papers = self._ask_for(batch)
            self._cache.keep_records(batch, papers)
            known.update(papers)
        return {asked: paper for asked, normal in wanted.items() if (paper := known.get(normal))}

    def search(self, text: str, limit: int, before: date | None = None) -> list[Paper]:
        """At most `limit` papers about plain words, best first, first submitted before the day `before`.

        What is sent are a few words that stand out in `text`. Where no paper has them together, papers with any of
        them. Raises SourceUnavailable on an outage.
        """
        self._need_network()
        queries = [search_query(text, before, all_of_them=strictly) for strictly in (True, False)]
        for query in dict.fromkeys(queries):
            if query is None or limit < 1:
                return []
            papers = self._search(query, min(limit, _MOST_RESULTS))
            # A server that ignores the date filter must not let in what the author could not know.
            papers = [paper for paper in papers if before is None or paper.published < before]
            if papers:
                return papers
        return []

    def gather(self, text: str, limit: int, categories: Sequence[str] = ()) -> list[Paper]:
        """At most `limit` papers (2,000) about plain words, in one of the categories if any are given, each once.

        Those that have all of the words that stand out come first, then those with any of them. Raises
        SourceUnavailable on an outage.
        """
        self._need_network()
        where, papers = Filter(categories=tuple(categories)), dict[str, Paper]()
        limit = min(limit, _MOST_RESULTS)
        for query in dict.fromkeys(search_query(text, all_of_them=strictly) for strictly in (True, False)):
            if query is not None and len(papers) < limit:
                for paper in self._search(in_categories(query, categories), limit):
                    if where.admits(paper):
                        papers.setdefault(paper.id.value, paper)
        return list(papers.values())[:limit]

    def find(self, clues: Sequence[Clue]) -> list[Paper]:
        """Papers that fit one of the clues or more, in no order; of what fits a broad clue alone, the first hundred.

        Many clues go in one request, and are asked again in halves when they bring more than one page.
        Raises SourceUnavailable on an outage.
        """
        self._need_network()
        query = clue_query(clues)
        if query is None:
            return []
        half = len(clues) // 2
        if half and len(query) > _LONGEST_QUERY:
            return self.find(clues[:half]) + self.find(clues[half:])
        papers = self._search(query, _PAGE)
        if half and len(papers) >= _PAGE:
            return self.find(clues[:half]) + self.find(clues[half:])
        return papers

    def _search(self, query: str, limit: int) -> list[Paper]:
        key = f"{query} [{limit}]"
        cached = self._cache.search(key)
        if cached is None:
            self._announce(query)
            self._queries.append(query)
            papers = self._papers(query, (), limit)
            cached = list({paper.id.value: paper for paper in reversed(papers)}.values())[::-1]
            self._cache.keep_search(key, cached)
        return cached

    def _ask_for(self, batch: Sequence[ArxivId]) -> dict[ArxivId, Paper]:
        """Ask for at most 100 ids, no value twice. Order of reply is not that of asking: mapped by id."""
        asking = list(batch)
        while asking:
            try:
                papers = self._papers("", asking, len(asking))
            except _RefusedId as refused:
                # One id that the server cannot read spoils a batch: it is unknown there, the others are not.
                rest = [arxiv_id for arxiv_id in asking if str(arxiv_id) != refused.text]
                if len(rest) == len(asking):
                    raise SourceUnavailable(f"arXiv could not read the request: {refused}", LATER) from None
                asking = rest
                continue
            by_value = {paper.id.value: paper for paper in papers}
            return {
                arxiv_id: paper
                for arxiv_id in asking
                if (paper := by_value.get(arxiv_id.value)) and arxiv_id.version in (None, paper.id.version)
            }
        return {}

    def _papers(self, query: str, ids: Sequence[ArxivId], limit: int) -> list[Paper]:
        """At most `limit` records, page by page."""
        import arxiv

        search = arxiv.Search(query, list(map(str, ids)), limit)
        papers: list[Paper] = []
        start = 0
        while True:
            feed = self._page(search, start)
            papers += feed.papers
            start += feed.entries
            if start >= min(limit, feed.total or 0):
                return papers[:limit]

    def _page(self, search: "arxiv.Search", start: int) -> Feed:
        """One page, `start` counted from 0. Raises SourceUnavailable for whatever is no answer."""
        ids = search.id_list
        asked = {
            "search_query": search.query,
            "id_list": ",".join(ids),
            "sortBy": search.sort_by.value,
            "sortOrder": search.sort_order.value,
            "start": start,
            "max_results": min(search.max_results or _PAGE, _PAGE),
        }
        feeds: list[Feed] = []

        def examine(reply: Reply) -> None:
            feed = _feed_in(reply, bool(ids))
            feeds.append(feed)
            if not feed.entries:
                if start > 0 or feed.total:
                    raise AskAgain("it sent an empty page")
                if len(ids) > 1 and len(feeds) == 1:
                    # Not one of many ids known: likelier a hiccup than the truth, so it has to say so twice.
                    raise AskAgain("it returned none of the many ids requested")

        self._http.get(f"{self._url}?{urlencode(asked)}", examine)
        return feeds[-1]

    def _need_network(self) -> None:
        if self._settings.offline:
            raise SourceUnavailable("arXiv was not queried: citeplug is offline", way_online())


class _RefusedId(Exception):
    """The server does not take one of the ids. `text` is that id as the server repeats it."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text} is not an id")
        self.text = text


def _feed_in(reply: Reply, by_id: bool) -> Feed:
    """The feed of a reply. Raises AskAgain if it is no answer, _RefusedId if it is about an id that was asked for."""
    try:
        feed = read_feed(reply.body)
    except NotAFeed as error:
        if reply.status == 200:
            raise AskAgain(f"its reply is unreadable: {error}") from None
        raise AskAgain(f"it answered {reply.status}", tries=1) from None
    for fragment, message in feed.errors:
        bad_id = _BAD_ID.match(message) or _BAD_ID.match(fragment)
        if bad_id and by_id:
            raise _RefusedId(bad_id[1])
        raise AskAgain(f"it answered: {message[:200] or 'error'}", tries=1)
    if reply.status != 200:
        raise AskAgain(f"it answered {reply.status}", tries=1)
    return feed


def _normal(arxiv_id: ArxivId) -> ArxivId | None:
    """The id in the one form to be sent; None if it is none: one malformed id spoils a whole request."""
    try:
        return ArxivId.parse(str(arxiv_id))
    except ValueError:
        return None


def _batches(ids: Iterable[ArxivId]) -> Iterator[list[ArxivId]]:
    """At most 100 ids each, and no paper in two versions: their replies could not be distinguished."""
    waiting = list(ids)
    while waiting:
        batch: dict[str, ArxivId] = {}
        later = []
        for arxiv_id in waiting:
            if len(batch) < MOST_IDS and arxiv_id.value not in batch:
                batch[arxiv_id.value] = arxiv_id
            else:
                later.append(arxiv_id)
        yield list(batch.values())
        waiting = later


def service_name(url: str) -> str:
    """A name for the service at `url` that files can bear. All of arXiv's hosts are one service."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    if host == "arxiv.org" or host.endswith(".arxiv.org"):
        return "arxiv.org"
    name = re.sub(r"[^\w.-]", "_", host if parts.port is None else f"{host}_{parts.port}")
    return f"{name}_" if is_device(name) else name
