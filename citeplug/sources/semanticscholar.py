"""Semantic Scholar's Academic Graph as a source of works (api.semanticscholar.org/api-docs/graph, read 2026-11).

By our own `HttpClient`, since the `semanticscholar` package asks one host whatever is configured, and knows no pace.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial
from itertools import zip_longest
from typing import Any
from urllib.parse import quote, urlencode

from citeplug.records.work import Service, Work
from citeplug.settings.environment import Settings
from citeplug.sources.json_values import line, long_text, mapping, sequence, year
from citeplug.sources.work_service import (
    MOST_WORKS,
    BadReply,
    WorkService,
    first_arxiv_id,
    resolved_doi,
    title_words,
    usable_doi,
)

_DELAY = 1.0  # seconds; one request a second is what a key allows
_SHARED_DELAY = 3.0  # without one, all users share what is left
_MOST_WORDS = 8
_FEW = 3
_FIELDS = "externalIds,title,abstract,year,authors,venue,journal,publicationTypes,publicationDate,url"
_KINDS = {
    "JournalArticle": "article", "Review": "article", "Conference": "inproceedings", "Book": "book",
    "BookSection": "incollection",
}  # fmt: skip


class SemanticScholarSource(WorkService):
    """Semantic Scholar: papers of all fields, with the id at arXiv where there is one."""

    name: Service = "semanticscholar"
    home = "semanticscholar.org"
    knows_dois = True
    key_hint = "Semantic Scholar answers more with a free key in SEMANTIC_SCHOLAR_API_KEY"
    page = 100

    def __init__(self, settings: Settings, **asking: Any) -> None:
        super().__init__(settings, **asking)
        self.key = settings.semanticscholar_key
        self.key_headers = self.private("x-api-key", self.key) if self.key else {}

    def by_doi(self, doi: str) -> Work | None:
        bare = usable_doi(doi)
        if bare is None:
            return None
        work = self._ask(f"/paper/DOI:{quote(bare, safe='/')}?fields={_FIELDS}", read_one, missing=(404,))
        return next(iter(work), None)

    def by_title(self, title: str, surnames: Sequence[str]) -> list[Work]:
        """Works that its search finds for the words of a title; surnames are not sent."""
        words = title_words(title, _MOST_WORDS)
        return self._search(words, MOST_WORKS, 0, None) if words else []

    def find_page(
        self, words: Sequence[str], count: int, start: int, before: date | None, *, strict: bool
    ) -> list[Work]:
        if strict:
            return self._search(words, count, start, before)
        # It has no operators: a few words at a time find what all of them do not, in one page.
        size = max(1, min(_FEW, len(words) - 1))
        parts = [words[at : at + size] for at in range(0, len(words), size)] if not start else []
        answers = [self._search(part, count, 0, before) for part in parts]
        return [work for row in zip_longest(*answers) for work in row if work is not None][:count]

    def _search(self, words: Sequence[str], count: int, start: int, before: date | None) -> list[Work]:
        asked = {"query": " ".join(words), "offset": start, "limit": count, "fields": _FIELDS}
        if before is not None:
            asked["publicationDateOrYear"] = f":{before - timedelta(days=1):%Y-%m-%d}"

        return self._ask(f"/paper/search?{urlencode(asked)}", partial(read_list, start=start), most=count)

    def _ask(self, path: str, read: Any, missing: Sequence[int] = (), most: int = MOST_WORKS) -> list[Work]:
        delay = _DELAY if self.key_headers else _SHARED_DELAY
        return self.ask(path, read, delay=delay, missing=missing, most=most)


def read_one(document: Any) -> list[Work]:
    """The work of a reply to `/paper/ID`. Raises BadReply if it is none."""
    item = mapping(document)
    if not isinstance(item.get("paperId"), str):
        raise BadReply("it has no id")
    return [work for work in [_work(item)] if work]


def read_list(document: Any, start: int = 0) -> list[Work]:
    """The works of a reply to `/paper/search`, those without a title left out. Raises BadReply if it is none.

    `start` is the number of those on earlier pages: a reply that has more by its own count, and none here, is cut.
    """
    reply = mapping(document)
    total, data = reply.get("total"), reply.get("data", [])
    if not isinstance(total, int) or not isinstance(data, list):
        raise BadReply("it has no list of works")
    if not data and total > start:
        raise BadReply("it has fewer works than it says")
    return [work for item in data if (work := _work(mapping(item)))]


def _work(item: dict[str, Any]) -> Work | None:
    title = line(item.get("title"))
    if not title:
        return None
    ids, journal = mapping(item.get("externalIds")), mapping(item.get("journal"))
    doi = resolved_doi(line(ids.get("DOI")))
    published = year(item.get("year"))
    kinds = (_KINDS.get(line(kind)) for kind in sequence(item.get("publicationTypes")))
    address = line(item.get("url"))
    return Work(
        service="semanticscholar",
        title=title,
        authors=tuple(name for person in sequence(item.get("authors")) if (name := line(mapping(person).get("name")))),
        year=published,
        kind=next(filter(None, kinds), "misc"),
        venue=line(item.get("venue")) or line(journal.get("name")) or None,
        volume=line(journal.get("volume")) or None,
        pages=line(journal.get("pages")) or None,
        doi=doi,
        url=f"https://doi.org/{doi}" if doi else address if address.startswith("https://") else None,
        arxiv_id=first_arxiv_id([line(ids.get("ArXiv")), doi or ""]),
        years=(published,) if published else (),
        own_id=line(item.get("paperId")) or None,
        abstract=long_text(item.get("abstract")),
    )
