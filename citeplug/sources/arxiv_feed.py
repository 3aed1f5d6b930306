"""Records in arXiv's Atom feeds, of both dialects (arxiv-api.md, traps 1 to 3, 17, 18, 21)."""

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from urllib.parse import unquote

from citeplug.records.paper import ArxivId, Paper
from citeplug.sources.xml_walk import NotAFeed, walk, xml_text
from citeplug.text.cleaning import plain

_ATOM = "http://www.w3.org/2005/Atom "
_OWN = "http://arxiv.org/schemas/atom "
_TOTAL = "http://a9.com/-/spec/opensearch/1.1/ totalResults"
_ERROR_ID = re.compile(r"^https?://[\w.-]*arxiv\.org/api/+errors(?:#|$)", re.IGNORECASE)
# Feeds also name classes of other schemes as categories: "81P68", "F.2.2", "14A20, 14L30".
_CATEGORY = re.compile(r"[a-z][a-z-]+(?:\.[A-Za-z][A-Za-z-]+)?")


@dataclass(slots=True)
class Feed:
    """`total` as the server counts, None if it does not say; `entries` on this page, those of errors apart.

    `papers` are the entries that have an id of arXiv's; `errors` are (fragment of the error's id, its summary).
    """

    total: int | None = None
    entries: int = 0
    papers: list[Paper] = field(default_factory=list)
    errors: list[tuple[str, str]] = field(default_factory=list)


def read_feed(body: bytes) -> Feed:
    """Read a whole feed. Raises NotAFeed with the reason.

    Refused are document types (and with them entities), anything cut short, HTML, and entries that lack an id
    or a date. An error is known by its id, never by its title: a paper may be called "Error".
    """
    feed = Feed()
    reader = _Reader(feed)
    walk(xml_text(body), f"{_ATOM}feed", "an Atom feed", reader.start, reader.end)
    return feed


class _Reader:
    """One pass over a feed: `start` and `end` of `walk`, and the entry that is open."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._entry: dict[str, str] = {}
        self._authors: list[str] = []
        self._categories: list[str] = []

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        if path[1:] == [f"{_ATOM}entry"]:
            self._entry, self._authors, self._categories = {}, [], []
        elif path[2:] == [f"{_OWN}primary_category"]:
            self._categories.insert(0, attributes.get("term", ""))
        elif path[2:] == [f"{_ATOM}category"]:
            self._categories.append(attributes.get("term", ""))

    def end(self, path: list[str], text: str) -> None:
        if path[1:] == [_TOTAL]:
            self._feed.total = int(text) if re.fullmatch(r"\s*[0-9]{1,9}\s*", text) else None
        elif path[1:] == [f"{_ATOM}entry"]:
            self._close()
        elif path[2:] == [f"{_ATOM}author", f"{_ATOM}name"]:
            self._authors.append(text)
        elif len(path) == 3:
            self._entry.setdefault(path[2].rpartition(" ")[2], text)

    def _close(self) -> None:
        entry = self._entry
        entry_id = entry.get("id", "").strip()
        if _ERROR_ID.match(entry_id):
            self._feed.errors.append((entry_id.partition("#")[2], plain(entry.get("summary"))))
            return
        published, updated = _day(entry.get("published")), _day(entry.get("updated"))
        if not entry_id or published is None or updated is None:
            raise NotAFeed("it has an entry without id or date")
        self._feed.entries += 1
        try:
            arxiv_id = ArxivId.parse(entry_id)
        except ValueError:
            return
        categories = dict.fromkeys(map(plain, self._categories))
        self._feed.papers.append(
            Paper(
                id=arxiv_id,
                title=plain(entry.get("title")),
                abstract=plain(entry.get("summary")),
                authors=tuple(name for author in self._authors if (name := plain(author)) and name[:1] != ":"),
                published=published,
                updated=updated,
                categories=tuple(term for term in categories if _CATEGORY.fullmatch(term)),
                doi=clean_doi(entry.get("doi")),
                journal_ref=plain(entry.get("journal_ref")) or None,
                comment=plain(entry.get("comment")) or None,
            )
        )


def _day(text: str | None) -> date | None:
    try:
        when = datetime.fromisoformat((text or "").strip())
        return (when.astimezone(UTC) if when.tzinfo else when).date()
    except (ValueError, OverflowError):
        return None


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
