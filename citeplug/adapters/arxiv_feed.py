"""What arXiv's Atom feeds say, in both dialects (arxiv-api.md, traps 1 to 3, 17, 18, 21)."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from xml.parsers import expat

from citeplug.records.paper import ArxivId, Paper
from citeplug.text.cleaning import plain

if TYPE_CHECKING:
    import arxiv

_ATOM = "http://www.w3.org/2005/Atom"
_TOTAL = "http://a9.com/-/spec/opensearch/1.1/ totalResults"
_DEEPEST = 20  # a feed is four deep
_ERROR_ID = re.compile(r"^https?://[\w.-]*arxiv\.org/api/+errors(?:#|$)", re.IGNORECASE)
_DECLARATION = re.compile(r"^\ufeff?\s*<\?xml[^>]*\?>")
_ENCODING = re.compile(r"encoding\s*=\s*[\"']([\w.-]+)[\"']")
# Feeds also name classes of other schemes as categories: "81P68", "F.2.2", "14A20, 14L30".
_CATEGORY = re.compile(r"[a-z][a-z-]+(?:\.[A-Za-z][A-Za-z-]+)?")
_FORBIDDEN = re.compile(r"\x1b\[[\d;]*[A-Za-z]|[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class NotAFeed(Exception):
    """The bytes are no whole Atom feed, or one that nobody should read."""


@dataclass(slots=True)
class Feed:
    """`total` as the server counts, None if it does not say; `entries` on this page, those of errors apart.

    `errors` are (fragment of the error's id, what it says). `text` is the feed in UTF-8 without declaration.
    """

    text: bytes
    total: int | None = None
    entries: int = 0
    errors: list[tuple[str, str]] = field(default_factory=list)


def read_feed(body: bytes) -> Feed:
    """Check that `body` is a whole feed and count what it holds. Raises NotAFeed with the reason.

    Refused are document types (and with them entities), anything cut short, HTML, and entries that lack an id
    or a date. An error is known by its id, never by its title: a paper may be called "Error".
    """
    text = xml_text(body)
    feed = Feed(text.encode())
    _Reader(feed).read()
    return feed


def xml_text(body: bytes) -> str:
    """The text of an XML document, without declaration and stray control characters. Raises NotAFeed."""
    declaration = _DECLARATION.match(body[:200].decode("utf-8", "replace"))
    declared = _ENCODING.search(declaration[0]) if declaration else None
    encoding = declared[1] if declared else "utf-8"
    if encoding.lower() not in ("utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin1"):
        raise NotAFeed(f"it is in {encoding}")
    text = body.decode("utf-8" if "ascii" in encoding.lower() else encoding, "replace")
    # Stray control characters make XML unreadable as a whole; without them only they are lost.
    return _FORBIDDEN.sub("", _DECLARATION.sub("", text, count=1).lstrip("\ufeff \t\r\n"))


class _Reader:
    """Walks a feed once, without building a tree."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._path: list[str] = []
        self._heard = ""
        self._entry: dict[str, str] | None = None
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._hear

    def read(self) -> None:
        try:
            self._parser.Parse(self._feed.text, True)
        except expat.ExpatError as error:
            raise NotAFeed("it is cut short or damaged" if self._path else "it is not XML") from error

    def _refuse(self, *_: Any) -> None:
        raise NotAFeed("it declares a document type, as web pages do")

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        if not self._path and name != f"{_ATOM} feed":
            raise NotAFeed("it is a web page or something else, not an Atom feed")
        self._path.append(name)
        self._heard = ""
        if len(self._path) > _DEEPEST:
            raise NotAFeed("its elements are nested too deeply")
        if len(self._path) == 2 and name == f"{_ATOM} entry":
            self._entry = {}

    def _hear(self, text: str) -> None:
        self._heard += text

    def _end(self, name: str) -> None:
        depth = len(self._path)
        self._path.pop()
        if depth == 2 and name == _TOTAL:
            self._feed.total = int(self._heard) if self._heard.strip().isdecimal() else None
        elif depth == 3 and self._entry is not None:
            self._entry.setdefault(name.removeprefix(f"{_ATOM} "), self._heard)
        elif depth == 2 and self._entry is not None:
            self._close(self._entry)
            self._entry = None
        self._heard = ""

    def _close(self, entry: dict[str, str]) -> None:
        entry_id = entry.get("id", "").strip()
        if _ERROR_ID.match(entry_id):
            self._feed.errors.append((entry_id.partition("#")[2], plain(entry.get("summary"))))
            return
        if not entry_id or not _is_date(entry.get("published")) or not _is_date(entry.get("updated")):
            raise NotAFeed("it has an entry without id or date")
        self._feed.entries += 1


def _is_date(text: str | None) -> bool:
    try:
        datetime.fromisoformat((text or "").strip())
    except ValueError:
        return False
    return True


def paper_of(result: "arxiv.Result") -> Paper | None:
    """The record in one entry; None if the entry's id is none of arXiv's."""
    try:
        arxiv_id = ArxivId.parse(result.entry_id)
    except ValueError:
        return None
    categories = dict.fromkeys(plain(term) for term in (result.primary_category, *result.categories))
    return Paper(
        id=arxiv_id,
        title=plain(result.title),
        abstract=plain(result.summary),
        authors=tuple(name for author in result.authors if (name := plain(author.name)) and name[:1] != ":"),
        published=result.published.date(),
        updated=result.updated.date(),
        categories=tuple(term for term in categories if _CATEGORY.fullmatch(term)),
        doi=clean_doi(result.doi),
        journal_ref=plain(result.journal_ref) or None,
        comment=plain(result.comment) or None,
    )


def clean_doi(text: str | None) -> str | None:
    """The first DOI in a field of arXiv's, bare; None if there is none.

    Authors leave trailing stops, URLs, fragments of web pages, LaTeX's escapes, and several DOIs in a row.
    """
    for word in re.split(r"\s+|[,;](?=\s*10\.\d)", unquote(plain(text))):
        bare = re.sub(r"^(?:https?://)?(?:dx\.)?doi\.org/|^doi:", "", word, flags=re.IGNORECASE)
        bare = bare.partition("#")[0].replace("\\_", "_").rstrip(".,;:")
        if re.fullmatch(r"10\.\d{4,9}/\S+", bare):
            return bare
    return None
