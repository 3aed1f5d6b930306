"""Client of a service that answers in JSON, such as Crossref, with its pace, and its replies kept as works.

By hand: no client of one of these services lets its requests be bounded and paced (docs/check.md).
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from citeplug.errors import SourceUnavailable
from citeplug.records.work import SERVICE_NAMES, Service, Work
from citeplug.settings.environment import Settings, way_online
from citeplug.sources.arxiv_query import salient_terms
from citeplug.sources.http import USER_AGENT, AskAgain, HttpClient, Patience, Reply
from citeplug.sources.json_cache import JsonCache
from citeplug.sources.pace import Clock, Pace
from citeplug.text.identifiers import as_arxiv_id
from citeplug.text.tex_text import decode_tex

A_WEEK = 7 * 86_400.0  # seconds: works that were found
A_DAY = 86_400.0  # the answer that there is none
MOST_WORKS = 10  # of one search
_PATIENCE = Patience(tries=3, total=60.0, size=8 * 2**20)
_FILE = "works-1.sqlite3"
_LONGEST_DOI = 300
_MOST_SUBJECT = 10
_SHORT = 3  # letters of a word that tells little

# Called once for each service, before the first request, with what is sent to it.
Announce = Callable[[str], None]


class BadReply(ValueError):
    """JSON that is not what the service's documentation says."""


class WorkService:
    """One service, at the address that `settings` name; `home` is its own host, asked no faster than `delay` allows.

    Replies are kept under `settings.home`: works for a week, the answer that there is none for a day. With
    `settings.offline` every call raises SourceUnavailable at once.
    """

    name: Service
    home: str
    page = 100  # works of one page of a search
    # The user's key, the header that carries it, and what it would change for a user without one.
    key: str | None = None
    key_headers: Mapping[str, str] = MappingProxyType({})
    key_hint = ""

    def __init__(
        self,
        settings: Settings,
        *,
        announce: Announce | None = None,
        patience: Patience | None = None,
        clock: Clock | None = None,
    ) -> None:
        url: str = getattr(settings, f"{self.name}_url")
        self.url = url.rstrip("/?&")
        self._settings = settings
        self._announce = announce
        self._patience, self._clock = patience or _PATIENCE, clock or Clock()
        host = (urlsplit(url).hostname or "").lower()
        self._at_home = host == self.home or host.endswith("." + self.home)
        self._pace_name = self.home if self._at_home else re.sub(r"[^\w.-]", "_", urlsplit(url).netloc.lower())
        self._clients: dict[float, HttpClient] = {}
        self._cache = JsonCache(settings.home / _FILE, self.url, clock)

    def private(self, header: str, value: str) -> dict[str, str]:
        """A header with the user's key; none where others could read it on the way."""
        parts = urlsplit(self.url)
        is_private = parts.scheme == "https" or parts.hostname in ("127.0.0.1", "localhost", "::1")
        return {header: value} if is_private else {}

    @property
    def sender_known(self) -> bool:
        """True if an address to write to is sent along."""
        return self._settings.mailto is not None

    @property
    def requests_made(self) -> int:
        """Requests sent so far, tries and redirects counted each."""
        return sum(client.requests_made for client in self._clients.values())

    def ask(
        self,
        path: str,
        read: Callable[[Any], list[Work]],
        *,
        delay: float,
        missing: Sequence[int] = (),
        most: int = MOST_WORKS,
    ) -> list[Work]:
        """The works that `read` finds in the JSON at `url` + `path`, which is asked for with the user's key.

        `read` raises BadReply for what is no answer. A status in `missing` means that there is no such work.
        `delay` is in seconds, from this request to the next; of many works the first `most` count. Raises
        SourceUnavailable on an outage, which says what a key would change where there is none.
        """
        shown = SERVICE_NAMES[self.name]
        if self._settings.offline:
            raise SourceUnavailable(f"{shown} was not queried: citeplug is offline", way_online())
        known = self.known([path]).get(path)
        if known is not None:
            return known
        if self._announce is not None:
            self._announce(f"asking {shown}: words of titles, surnames of authors and DOIs of entries are sent to it")
            self._announce = None
        works: list[list[Work]] = []

        def examine(reply: Reply) -> None:
            if reply.status in missing:
                works.append([])
                return
            if reply.status != 200:
                raise AskAgain(f"it answered {reply.status}", tries=1)
            try:
                works.append(read(json.loads(reply.body))[:most])
            except (ValueError, RecursionError) as error:
                reason = str(error) if isinstance(error, BadReply) else "it is not JSON"
                raise AskAgain(f"its reply is unreadable: {reason}") from None

        try:
            self._client(delay).get(self.url + path, examine, self.key_headers)
        except SourceUnavailable as error:
            if self.key is None and self.key_hint:
                raise SourceUnavailable(str(error), f"{error.hint}; {self.key_hint}") from error
            raise
        self.keep({path: works[-1]})
        return works[-1]

    def by_doi(self, doi: str) -> Work | None:
        """As `protocols.WorkSource`."""
        raise NotImplementedError

    def by_title(self, title: str, surnames: Sequence[str]) -> list[Work]:
        """As `protocols.WorkSource`."""
        raise NotImplementedError

    def find(self, text: str, limit: int, before: date | None = None) -> list[Work]:
        """At most `limit` works about a subject, best first, published before the day `before`.

        Sent are words that stand out in `text`; where no work has all of them, works with some. Raises
        SourceUnavailable on an outage, also of a later page.
        """
        words = subject_words(text)
        for strict in (True, False):
            result: list[Work] = []
            while words and len(result) < limit:
                count = min(self.page, limit - len(result))
                works = self.find_page(words, count, len(result), before, strict=strict)
                result += works
                if len(works) < count:
                    break
            if result:
                return result
        return []

    def find_page(
        self, words: Sequence[str], count: int, start: int, before: date | None, *, strict: bool
    ) -> list[Work]:
        """Works number `start`, counted from 0, to `start` + `count` of those with all words, or with some."""
        raise NotImplementedError

    def known(self, paths: Sequence[str]) -> dict[str, list[Work]]:
        """Answers for these paths that still hold."""
        return self._cache.read(paths, _works)

    def keep(self, answers: Mapping[str, list[Work]]) -> None:
        """Keep works under the paths that they answer."""
        self._cache.write(
            {path: (A_WEEK if works else A_DAY, [asdict(work) for work in works]) for path, works in answers.items()}
        )

    def _client(self, delay: float) -> HttpClient:
        if not self._at_home and self._settings.sources_delay is not None:
            delay = self._settings.sources_delay
        if delay not in self._clients:
            agent = f"{USER_AGENT} (mailto:{self._settings.mailto})" if self._settings.mailto else USER_AGENT
            pace = Pace(self._settings.home / "pace", self._pace_name, delay, self._clock)
            self._clients[delay] = HttpClient(
                SERVICE_NAMES[self.name], pace, user_agent=agent, patience=self._patience, clock=self._clock
            )
        return self._clients[delay]


def subject_words(text: str) -> list[str]:
    """At most `_MOST_SUBJECT` words that tell what a text is about, the most telling first, in small ASCII letters."""
    words = re.findall(r"[a-z0-9]+", " ".join(salient_terms(text)))
    return list(dict.fromkeys(words))[:_MOST_SUBJECT]


def title_words(title: str, most: int) -> list[str]:
    """At most `most` words of a title, in its order: the longest ones, and those in plain ASCII first.

    Lower-case letters and digits alone, so that nothing in them means anything to a query language. Services
    differ in how they fold accents and formulas, and the longest words are the rarest.
    """
    text = re.sub(r"\$[^$]*\$", " ", title) if re.search(r"[^\W\d_]{3}", re.sub(r"\$[^$]*\$", "", title)) else title
    words = list(dict.fromkeys(re.findall(r"[^\W_]+", decode_tex(text).lower())))
    ranked = sorted(words, key=lambda word: (word.isascii() and len(word) > _SHORT, len(word)), reverse=True)
    best = frozenset(ranked[:most])
    return [word for word in words if word in best]


def usable_doi(doi: str) -> str | None:
    """`doi` if it can be one; nothing else may become a part of an address."""
    bare = doi.strip().lower()
    fits = re.fullmatch(r"10\.\d{4,9}/[^\s\x00-\x1f\x7f]+", bare) and len(bare) <= _LONGEST_DOI
    return bare if fits else None


def resolved_doi(address: str) -> str | None:
    """The DOI that is bare or behind the resolver's address, if it is one."""
    return usable_doi(re.sub(r"^https?://(?:dx\.)?doi\.org/", "", address, flags=re.IGNORECASE))


def first_arxiv_id(texts: Iterable[str]) -> str | None:
    """The id, without version, of the first text that is one: an address, a DOI of arXiv's own, or bare."""
    return next(filter(None, map(as_arxiv_id, texts)), None)


def _works(key: str, body: Any) -> list[Work]:
    return [
        Work(
            **{
                **form,
                "authors": tuple(form["authors"]),
                "years": tuple(form["years"]),
                "surnames": tuple(form["surnames"]),
                "references": None if form.get("references") is None else tuple(form["references"]),
            }
        )
        for form in body
    ]
