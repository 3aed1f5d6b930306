"""DBLP's search API as a source of works (https://dblp.org/faq/13501473.html, read 2026-11).

No client library for it is kept up, and one address with three parameters needs none.
"""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from citeplug.records.work import Service, Work
from citeplug.sources.json_values import first_line, line, mapping, sequence, year
from citeplug.sources.work_service import (
    MOST_WORKS,
    BadReply,
    WorkService,
    first_arxiv_id,
    resolved_doi,
    title_words,
)

_DELAY = 2.0  # seconds: "at least one or two" (https://dblp.org/faq/1474706.html)
_MOST_WORDS = 6
_KINDS = {
    "journal articles": "article",
    "conference and workshop papers": "inproceedings",
    "parts in books or collections": "incollection",
    "books and theses": "book",
    "editorship": "proceedings",
    "reference works": "incollection",
}
_NAMESAKE = re.compile(r"\s+\d{4}$")  # 0001, 0002, ... tell people of one name apart


class DblpSource(WorkService):
    """DBLP: computer science. Its search knows no DOIs."""

    name: Service = "dblp"
    home = "dblp.org"
    knows_dois = False

    def by_doi(self, doi: str) -> Work | None:
        """None: see `knows_dois`."""
        return None

    def by_title(self, title: str, surnames: Sequence[str]) -> list[Work]:
        """Works that have all of a few long words; surnames are not sent."""
        words = title_words(title, _MOST_WORDS)
        if not words:
            return []
        query = {"q": " ".join(words), "format": "json", "h": MOST_WORKS, "c": 0}
        return self.ask(f"?{urlencode(query)}", read_list, delay=_DELAY)


def read_list(document: Any) -> list[Work]:
    """The works of a reply, those without a title left out. Raises BadReply if it is none."""
    result = mapping(mapping(document).get("result"))
    hits = result.get("hits")
    if not isinstance(hits, dict):
        raise BadReply("it has no hits")
    code = line(mapping(result.get("status")).get("@code"))
    if code not in ("", "200"):
        raise BadReply(f"its status is {code[:10]}")
    # One hit may come without its array, and none without anything.
    items = [mapping(mapping(hit).get("info")) for hit in sequence(hits.get("hit"))]
    return [work for item in items if (work := _work(item))]


def _work(info: dict[str, Any]) -> Work | None:
    title = re.sub(r"(?<!\.)\.$", "", line(info.get("title"))).strip()
    if not title:
        return None
    kind_name, key = line(info.get("type")).lower(), line(info.get("key"))
    kind = "phdthesis" if key.startswith("phd/") else _KINDS.get(kind_name, "misc")
    authors = [_NAMESAKE.sub("", _author(author)) for author in sequence(mapping(info.get("authors")).get("author"))]
    venue, volume = first_line(info.get("venue")), line(info.get("volume"))
    pages = [line(page) for page in (info.get("doi"), *sequence(info.get("ee")))]
    doi = next((resolved for page in pages if (resolved := resolved_doi(page))), None)
    # CoRR is arXiv: `"volume": "abs/1706.03762"`.
    ids = [volume.removeprefix("abs/")] if venue == "CoRR" else []
    ids += [page for page in pages if "arxiv" in page.lower()]
    published = year(info.get("year"))
    return Work(
        service="dblp",
        title=title,
        authors=tuple(filter(None, authors)),
        year=published,
        kind="misc" if venue == "CoRR" else kind,
        venue=venue or None,
        volume=None if venue == "CoRR" else volume or None,
        number=line(info.get("number")) or None,
        pages=line(info.get("pages")) or None,
        publisher=line(info.get("publisher")) or None,
        doi=doi,
        url=_page(info),
        arxiv_id=first_arxiv_id(ids),
        years=(published,) if published else (),
        retracted=kind_name.startswith("withdrawn"),
    )


def _author(author: Any) -> str:
    return line(author["text"]) if isinstance(author, dict) and "text" in author else line(author)


def _page(info: dict[str, Any]) -> str | None:
    """DBLP's own page of the record, else the publisher's."""
    pages = (line(info.get("url")), first_line(info.get("ee")))
    return next((page for page in pages if re.match(r"https?://", page)), None)
