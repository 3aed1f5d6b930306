"""Records in arXiv's Atom feeds, of both dialects (arxiv-api.md, traps 1 to 3, 17, 18, 21)."""

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from xml.etree.ElementTree import Element

from citeplug.records.paper import ArxivId, Paper
from citeplug.sources.xml_tree import NotAFeed, read_xml, xml_text
from citeplug.text.cleaning import plain
from citeplug.text.identifiers import written_doi

_ATOM = "{http://www.w3.org/2005/Atom}"
_OWN = "{http://arxiv.org/schemas/atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
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
    root = read_xml(xml_text(body), f"{_ATOM}feed", "an Atom feed")
    total = root.findtext(_TOTAL) or ""
    feed = Feed(int(total) if re.fullmatch(r"\s*[0-9]{1,9}\s*", total) else None)
    for entry in root.iterfind(f"{_ATOM}entry"):
        _take_in(entry, feed)
    return feed


def _take_in(entry: Element, feed: Feed) -> None:
    def text(name: str) -> str:
        return plain(entry.findtext(name))

    entry_id, summary = text(f"{_ATOM}id"), text(f"{_ATOM}summary")
    if _ERROR_ID.match(entry_id):
        feed.errors.append((entry_id.partition("#")[2], summary))
        return
    published, updated = _day(text(f"{_ATOM}published")), _day(text(f"{_ATOM}updated"))
    if not entry_id or published is None or updated is None:
        raise NotAFeed("it has an entry without id or date")
    feed.entries += 1
    try:
        arxiv_id = ArxivId.parse(entry_id)
    except ValueError:
        return
    authors = [plain(name.text) for name in entry.iterfind(f"{_ATOM}author/{_ATOM}name")]
    # The primary category comes first.
    categories = [*entry.iterfind(f"{_OWN}primary_category"), *entry.iterfind(f"{_ATOM}category")]
    terms = dict.fromkeys(plain(category.get("term")) for category in categories)
    feed.papers.append(
        Paper(
            id=arxiv_id,
            title=text(f"{_ATOM}title"),
            abstract=summary,
            authors=tuple(name for name in authors if name and name[:1] != ":"),
            published=published,
            updated=updated,
            categories=tuple(term for term in terms if _CATEGORY.fullmatch(term)),
            doi=written_doi(text(f"{_OWN}doi")),
            journal_ref=text(f"{_OWN}journal_ref") or None,
            comment=text(f"{_OWN}comment") or None,
        )
    )


def _day(text: str) -> date | None:
    try:
        when = datetime.fromisoformat(text)
        return (when.astimezone(UTC) if when.tzinfo else when).date()
    except (ValueError, OverflowError):
        return None
