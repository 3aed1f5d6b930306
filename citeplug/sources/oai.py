"""arXiv's OAI-PMH service: what was added, changed or removed, day by day (arxiv-api.md)."""

import logging
import re
from collections.abc import Generator, Iterator
from datetime import date
from urllib.parse import urlencode, urlsplit

from citeplug.errors import SourceUnavailable, UsageError
from citeplug.protocols import HarvestPage
from citeplug.settings.environment import ARXIV_DELAY, Settings, way_online
from citeplug.sources.arxiv import service_name
from citeplug.sources.http import LATER, USER_AGENT, AskAgain, HttpClient, Patience, Reply
from citeplug.sources.oai_records import OaiReply, read_reply
from citeplug.sources.pace import Clock, Pace
from citeplug.sources.xml_tree import NotAFeed

# A page has up to 3,500 records, some with thousands of authors, and the service takes its time over it.
_PATIENCE = Patience(tries=8, total=1800.0, silence=180.0, transfer=600.0, size=64 * 2**20)
_RESTARTS = 3  # of one day, for tokens that expire
_SET = re.compile(r"[\w.!~*'()-]+(?::[\w.!~*'()-]+)*", re.ASCII)
_log = logging.getLogger(__name__)
# Archives of arXiv's whose sets stand at the top; all others belong to physics.
_OUTSIDE_PHYSICS = ("cs", "econ", "eess", "math", "q-bio", "q-fin", "stat")


class OaiSource:
    """Implements `Harvester` over the service at `settings.oai_url`.

    One request at a time at the pace of arXiv's API, whose turns it shares. With
    `settings.offline` every call raises SourceUnavailable at once.
    """

    def __init__(self, settings: Settings, *, patience: Patience = _PATIENCE, clock: Clock | None = None) -> None:
        self._offline = settings.offline
        self._url = settings.oai_url.rstrip("?&")
        service = service_name(self._url)
        delay = max(settings.arxiv_delay, ARXIV_DELAY) if service == "arxiv.org" else settings.arxiv_delay
        pace = Pace(settings.home / "pace", service, delay, clock or Clock())
        self._http = HttpClient("arXiv's OAI service", pace, user_agent=USER_AGENT, patience=patience, clock=clock)

    def pages(self, day: date, of_set: str | None) -> Iterator[HarvestPage]:
        """Records touched on `day` (UTC), page by page; at least one page, which may be empty.

        A token that expires starts the day again, so records may come twice. Raises SourceUnavailable on an
        outage, and UsageError if the service does not take the set.
        """
        if self._offline:
            raise SourceUnavailable("arXiv was not queried: citeplug is offline", way_online())
        if of_set is not None and not _SET.fullmatch(of_set):
            raise UsageError(f"{of_set!r} is not a set", "write one like cs, physics:hep-th or cs:cs:LG")
        for _ in range(_RESTARTS):
            if (yield from self._attempt(day, of_set)):
                return
            _log.info("a resumption token has expired: %s is asked for again", day)
        raise SourceUnavailable(f"arXiv's OAI service rejects its own tokens for {day}", LATER)

    def _attempt(self, day: date, of_set: str | None) -> Generator[HarvestPage, None, bool]:
        """One reading of the day; whether it came to its end."""
        asked = {"verb": "ListRecords", "metadataPrefix": "arXiv", "from": day.isoformat(), "until": day.isoformat()}
        if of_set is not None:
            asked["set"] = of_set
        seen: set[str] = set()
        while True:
            reply = self._ask(asked)
            if any(code == "badResumptionToken" for code, _ in reply.errors):
                return False
            yield HarvestPage(reply.papers, reply.deleted, reply.skipped, frozenset(reply.unread), reply.responded)
            if reply.token is None:
                return True
            if reply.token in seen:
                raise SourceUnavailable(f"arXiv's OAI service sends the same page of {day} again and again", LATER)
            seen.add(reply.token)
            asked = {"verb": "ListRecords", "resumptionToken": reply.token}

    def _ask(self, asked: dict[str, str]) -> OaiReply:
        replies: list[OaiReply] = []

        def examine(reply: Reply) -> None:
            try:
                read = read_reply(reply.body)
            except NotAFeed as error:
                if reply.status == 200:
                    raise AskAgain(f"its reply is unreadable: {error}") from None
                raise AskAgain(f"it answered {reply.status}", tries=1) from None
            _refuse_errors(read)
            if reply.status != 200 and not read.errors:
                raise AskAgain(f"it answered {reply.status}", tries=1)
            replies.append(read)

        self._http.get(f"{self._url}{'&' if urlsplit(self._url).query else '?'}{urlencode(asked)}", examine)
        return replies[-1]


def _refuse_errors(reply: OaiReply) -> None:
    """Raise what an error means, unless it means that there is nothing, or that a token has expired."""
    for code, message in reply.errors:
        if code in ("noSetHierarchy", "badArgument"):
            raise UsageError(
                f"arXiv's OAI service refuses the request: {message or code}",
                "check that the set is one that its ListSets names, such as cs or physics:hep-th",
            )
        if code not in ("noRecordsMatch", "badResumptionToken"):
            raise AskAgain(f"it answered: {message or code or 'error'}", tries=1)


def oai_set(category: str) -> str:
    """OAI-PMH set of a category or an archive: `cs:cs:LG` for cs.LG, `physics:hep-th` for hep-th."""
    archive, _, of_archive = category.partition(".")
    group = archive if archive in _OUTSIDE_PHYSICS else "physics"
    if not of_archive:
        return group if archive == group else f"{group}:{archive}"
    return f"{group}:{archive}:{of_archive}"
