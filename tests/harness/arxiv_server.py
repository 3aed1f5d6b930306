"""A loopback server that speaks arXiv's query API, in both dialects, sends e-prints and PDFs, and fails on demand.

    with ArxivServer(paper("2004.04906", "Dense Passage Retrieval")).serve() as server:
        server.fail(Fault.http(503), times=2)              # the next two requests, whatever they ask
        server.lie("2004.04906", "Another paper")          # from now on under this id
        ... run citeplug with CITEPLUG_ARXIV_URL=server.url ...
        server.put_source("2004.04906v3", tarball)         # and with CITEPLUG_EPRINT_URL=server.eprint_url
        assert server.asked_ids() == [["2004.04906"]]

It reads queries as arXiv does (arxiv-api.md): fields, phrases, parentheses, right-associative AND, OR and
ANDNOT, dates; unquoted words fall out of their field. One malformed id spoils a request.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from email.utils import formatdate
from urllib.parse import parse_qs, unquote, urlsplit

from citeplug.records.paper import ArxivId, Paper
from citeplug.sources.pace import Clock
from tests.harness.arxiv_feeds import Dialect, error_feed, render_feed
from tests.harness.arxiv_language import BadQuery, QueryReader
from tests.harness.loopback import Loopback, LoopbackHandler

__all__ = ["ArxivServer", "Asked", "Dialect", "FastClock", "Fault", "paper"]

_ATOM = "application/atom+xml; charset=utf-8"
_ID_AS_THE_SERVER_CHECKS = re.compile(r"(\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?/\d{7})(v\d+)?")


def paper(arxiv_id: str, title: str, abstract: str = "We study it.", **more: object) -> Paper:
    """A record with everything that an entry needs; `more` overrides fields of `Paper`."""
    parsed = ArxivId.parse(arxiv_id)
    made = Paper(
        id=parsed if parsed.version else ArxivId(parsed.value, 1),
        title=title,
        abstract=abstract,
        authors=("Ada Lovelace", "Charles Babbage"),
        published=parsed.month,
        updated=parsed.month,
        categories=("cs.CL",),
    )
    return replace(made, **more)  # type: ignore[arg-type]


class FastClock(Clock):
    """A clock that moves by pauses alone, so that no test depends on how fast the machine is.

    `slept` are the pauses asked for, in seconds.
    """

    def __init__(self) -> None:
        self.slept: list[float] = []
        self._now = time.time()

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._now += seconds


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came. `at` is in seconds of `time.monotonic()`."""

    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    at: float


@dataclass(frozen=True, slots=True)
class Fault:
    """A reply that is none. `body` None stands for the right answer; `wait` is in seconds before it.

    `cut` sends so many bytes of the reply and drops the connection; `drip` sends one byte each so many seconds, of the
    body, or with `drips_headers` of all of it.
    """

    status: int = 200
    body: bytes | None = None
    content_type: str = "text/html; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()
    wait: float = 0.0
    cut: int | None = None
    drip: float | None = None
    drips_headers: bool = False
    length: bool = True
    entries: bool = True

    @classmethod
    def http(cls, status: int, *, atom: bool = False) -> "Fault":
        """500, 503 and the like with a web page, or with `atom` an Atom feed, as arXiv has sent both."""
        if atom:
            return cls(status, error_feed("new", "", "internal error").encode(), _ATOM)
        return cls(status, b"<!DOCTYPE html><html><body><h1>Service Unavailable</h1><p>sorry</body></html>")

    @classmethod
    def too_fast(cls, retry_after: str | None = None) -> "Fault":
        """429 with its plain body; `retry_after` in either form of the header."""
        headers = () if retry_after is None else (("Retry-After", retry_after),)
        return cls(429, b"Rate exceeded.", "text/plain", headers)

    @classmethod
    def error_entry(cls, message: str, *, dialect: Dialect = "new", fragment: str = "") -> "Fault":
        """An error as an entry: status 400 in the new dialect, 200 in the old."""
        return cls(400 if dialect == "new" else 200, error_feed(dialect, fragment, message).encode(), _ATOM)

    @classmethod
    def empty_page(cls) -> "Fault":
        """The right header with the right total, and no entries."""
        return cls(entries=False)

    @classmethod
    def slow(cls, seconds: float) -> "Fault":
        return cls(wait=seconds)

    @classmethod
    def dripping(cls, seconds: float) -> "Fault":
        return cls(drip=seconds)

    @classmethod
    def cut_off(cls, after: int = 0, *, length: bool = True) -> "Fault":
        """Drop the connection after so many bytes of the body; without `length` nothing tells that more was due."""
        return cls(cut=after, length=length)

    @classmethod
    def page(cls, html: str = "<!DOCTYPE html><html><body>Log in to this network</body></html>") -> "Fault":
        """A web page with status 200, as captive portals send."""
        return cls(body=html.encode())

    @classmethod
    def redirect(cls, location: str, status: int = 301) -> "Fault":
        return cls(status, b"", headers=(("Location", location),))

    @classmethod
    def feed(cls, body: bytes, status: int = 200) -> "Fault":
        """Any body as if it were Atom."""
        return cls(status, body, _ATOM)

    @classmethod
    def gigantic(cls, size: int) -> "Fault":
        return cls(body=b"<feed>" + b"x" * size, content_type=_ATOM)


class ArxivServer(Loopback[Fault]):
    """The papers it knows, what it was asked, and how it is to fail.

    `papers` maps ids to records: an id with version to that version, one without to the latest. `requests` is the log.
    """

    def __init__(self, *papers: Paper, dialect: Dialect = "new") -> None:
        super().__init__()
        self.papers: dict[str, Paper] = {}
        self.dialect: Dialect = dialect
        self.url = ""
        self.requests: list[Asked] = []
        self.sources: dict[str, bytes] = {}
        self.pdfs: dict[str, bytes] = {}
        self._versions: dict[str, int] = {}
        self._lies: dict[str, str] = {}
        self._replay: Callable[[Asked], Fault | None] | None = None
        self.add(*papers)

    def add(self, *papers: Paper) -> None:
        """Take in papers, each under its id with and without version; the latest version goes without."""
        for each in papers:
            self.papers[str(each.id)] = each
            latest = self.papers.get(each.id.value)
            if latest is None or (each.id.version or 0) >= (latest.id.version or 0):
                self.papers[each.id.value] = each

    def lie(self, arxiv_id: str, title: str) -> None:
        """Answer lookups of this id with another title; searches stay honest."""
        self._lies[arxiv_id] = title

    def replay(self, answer: Callable[[Asked], Fault | None]) -> None:
        """Let `answer` choose the reply to each request; None leaves it to the server."""
        self._replay = answer

    @property
    def eprint_url(self) -> str:
        """For CITEPLUG_EPRINT_URL."""
        return self.url.replace("/api/query", "/e-print")

    @property
    def pdf_url(self) -> str:
        """For CITEPLUG_PDF_URL."""
        return self.url.replace("/api/query", "/pdf")

    def put_source(self, arxiv_id: str, data: bytes) -> None:
        """Send this as the source of an id; with a version, also where none is asked for."""
        self._put(self.sources, arxiv_id, data)

    def put_pdf(self, arxiv_id: str, data: bytes) -> None:
        """As `put_source`, of the PDF."""
        self._put(self.pdfs, arxiv_id, data)

    def _put(self, store: dict[str, bytes], arxiv_id: str, data: bytes) -> None:
        parsed = ArxivId.parse(arxiv_id)
        store[str(parsed)] = store[parsed.value] = data
        self._versions[parsed.value] = max(self._versions.get(parsed.value, 1), parsed.version or 1)

    def asked_texts(self) -> list[str]:
        """The sources and PDFs that were asked for, as `e-print/2004.04906v3`."""
        return [r.path.lstrip("/") for r in self.requests if r.path.startswith(("/e-print/", "/pdf/"))]

    def text(self, path: str) -> tuple[int, bytes, str, tuple[tuple[str, str], ...]] | None:
        """Status, body, content type and headers of an e-print or a PDF; None for another path."""
        _, kind, name = (unquote(path) + "//").split("/", 2)
        if kind not in ("e-print", "pdf"):
            return None
        name = name.rstrip("/")
        data = (self.sources if kind == "e-print" else self.pdfs).get(name)
        if data is None:
            return 404, b"<!DOCTYPE html><html><body>No paper found</body></html>", "text/html", ()
        value = ArxivId.parse(name)
        version = value.version or self._versions[value.value]
        suffix = "pdf" if data.startswith(b"%PDF") else "tar.gz"
        told = f'attachment; filename="arXiv-{value.value.replace("/", "-")}v{version}.{suffix}"'
        kind = "application/pdf" if suffix == "pdf" else "application/gzip"
        return 200, data, kind, (("Content-Disposition", told),)

    def asked_ids(self) -> list[list[str]]:
        """The id lists of the lookups so far."""
        return [r.params["id_list"].split(",") for r in self.requests if r.params.get("id_list")]

    def asked_queries(self) -> list[str]:
        """The search queries so far."""
        return [r.params["search_query"] for r in self.requests if r.params.get("search_query")]

    @contextmanager
    def serve(self) -> Iterator["ArxivServer"]:
        """Listen on a free port of 127.0.0.1 while the block runs; `url` is for CITEPLUG_ARXIV_URL."""
        mine = self

        class Handler(_Handler):
            arxiv = mine

        with self.listening(Handler) as root:
            self.url = f"{root}/api/query"
            yield self

    def fault_for(self, asked: Asked) -> Fault:
        return self.next_fault() or (self._replay(asked) if self._replay else None) or Fault()

    def answer(self, asked: Asked, *, entries: bool = True) -> tuple[int, bytes, str]:
        """Status, body and content type of the right answer."""
        params = asked.params
        ids = [part for part in params.get("id_list", "").split(",") if part]
        if len(asked.path) > 12_000 or len(ids) > 600:
            return 414, b"<html><head><title>414 Request-URI Too Large</title></head></html>", "text/html"
        try:
            start, size = int(params.get("start") or 0), int(params.get("max_results") or 10)
        except ValueError:
            return self._error("max_results_must_be_an_integer", "max_results must be an integer")
        if size == 0:
            return 500, b"<html><body>Internal Server Error</body></html>", "text/html"
        for each in ids:
            if not _ID_AS_THE_SERVER_CHECKS.search(each):
                return self._error(f"incorrect_id_format_for_{each}", f"incorrect id format for {each}")
        query = params.get("search_query", "")
        try:
            found = self._by_id(ids) if ids else self._by_words(query)
        except BadQuery:
            return self._error("", f"Invalid query string: '{query}'")
        page = found[start : start + min(size, 2000)] if entries else []
        heading = f"search_query={query}&id_list={','.join(ids)}&start={start}&max_results={size}"
        return 200, render_feed(page, len(found), start, size, heading, self.dialect).encode(), _ATOM

    def _error(self, fragment: str, message: str) -> tuple[int, bytes, str]:
        fault = Fault.error_entry(message, dialect=self.dialect, fragment=fragment)
        return fault.status, fault.body or b"", _ATOM

    def _by_id(self, ids: list[str]) -> list[Paper]:
        """In an order of the server's own; what it does not know is left out."""
        known = {}
        for each in ids:
            found = self.papers.get(each)
            if found is not None and str(found.id):
                title = self._lies.get(found.id.value)
                known[each] = found if title is None else replace(found, title=title)
        return [known[each] for each in sorted(known, reverse=True)]

    def _by_words(self, query: str) -> list[Paper]:
        matches = QueryReader(query).read()
        latest = [found for key, found in self.papers.items() if "v" not in key.rpartition("/")[2]]
        scored = [(matches(found), found) for found in latest]
        return [found for score, found in sorted(scored, key=lambda s: (-s[0], str(s[1].id))) if score > 0]


class _Handler(LoopbackHandler):
    arxiv: ArxivServer

    def do_GET(self) -> None:
        params = {key: values[0] for key, values in parse_qs(urlsplit(self.path).query, strict_parsing=False).items()}
        asked = Asked(
            self.command, self.path, params, {k.lower(): v for k, v in self.headers.items()}, time.monotonic()
        )
        self.arxiv.requests.append(asked)
        with self.arxiv.counting() as self.answered:
            self._reply(asked, self.arxiv.fault_for(asked))

    do_POST = do_PUT = do_HEAD = do_GET  # noqa: N815

    def _reply(self, asked: Asked, fault: Fault) -> None:
        self.close_connection = True
        self.arxiv.pause(fault.wait)
        status, body, content_type = fault.status, fault.body, fault.content_type
        headers = fault.headers
        if body is None:
            text = self.arxiv.text(urlsplit(self.path).path)
            if text is not None:
                status, body, content_type, headers = text
            else:
                status, body, content_type = self.arxiv.answer(asked, entries=fault.entries)
        if fault.cut == 0 and fault.length:
            self.drop()
            return
        if fault.drip is not None and fault.drips_headers:
            self._drip(b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 60_000, fault.drip)
            return
        self.send_response_only(status)
        self.send_header("Date", formatdate(usegmt=True))
        self.send_header("Content-Type", content_type)
        if fault.length:
            self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if fault.drip is not None:
            self._drip(body, fault.drip)
            return
        if fault.cut is None:
            self.wfile.write(body[:-1])
            self.answered()
            self.wfile.write(body[-1:])
            return
        self.wfile.write(body[: fault.cut])
        if fault.length:
            self.drop()

    def _drip(self, data: bytes, seconds: float) -> None:
        for position in range(len(data)):
            self.wfile.write(data[position : position + 1])
            self.wfile.flush()
            self.arxiv.pause(seconds)
