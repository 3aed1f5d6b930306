"""OpenAlex as a source of works (developers.openalex.org, read 2026-11).

By our own `HttpClient`, since the `pyalex` package knows no time-outs and asks one host whatever is configured.
"""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any
from urllib.parse import quote, quote_plus, urlencode

from citeplug.records.work import Service, Work
from citeplug.settings.environment import Settings
from citeplug.sources.crossref import GONE_TITLE
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

_DELAY = 0.15  # seconds; a hundred requests a second are the limit for everybody, and nobody needs that
_MOST_WORDS = 6  # all of them have to be in the title, so a slip in a seventh does no harm
_MOST_AUTHORS = 100  # of a work in a list
_FIELDS = (
    "id,doi,display_name,publication_year,type,authorships,biblio,primary_location,locations,is_retracted,"
    "abstract_inverted_index"
)
_WITH_REFERENCES = f"{_FIELDS},referenced_works"
_AT_ONCE = 50  # works of one request by their own ids
_MOST_REFERENCES = 5_000  # of one work
_MOST_ABSTRACT = 3_000  # words
_OWN_ID = re.compile(r"(?:https?://openalex\.org/)?(W\d{1,15})")
_KINDS = {
    "article": "article", "review": "article", "letter": "article", "editorial": "article", "erratum": "article",
    "book": "book", "book-chapter": "incollection", "dissertation": "phdthesis", "report": "techreport",
    "proceedings-article": "inproceedings", "journal-article": "article", "monograph": "book",
    "proceedings": "proceedings", "reference-entry": "incollection", "book-section": "incollection",
}  # fmt: skip


class OpenAlexSource(WorkService):
    """OpenAlex: journals, proceedings, books, theses and preprints, with or without a DOI."""

    name: Service = "openalex"
    home = "openalex.org"
    knows_dois = True
    key_hint = "OpenAlex answers far more requests with a free key in OPENALEX_API_KEY"

    def __init__(self, settings: Settings, **asking: Any) -> None:
        super().__init__(settings, **asking)
        self.key = settings.openalex_key
        self.key_headers = self.private("Authorization", f"Bearer {self.key}") if self.key else {}

    def by_doi(self, doi: str, *, references: bool = False) -> Work | None:
        """The work of this DOI, with what it cites if `references`; None if OpenAlex has none."""
        bare = usable_doi(doi)
        if bare is None:
            return None
        fields = _WITH_REFERENCES if references else _FIELDS
        work = self._ask(f"/works/{quote(f'doi:{bare}', safe='')}?select={fields}", read_one, missing=(404,))
        return next(iter(work), None)

    def by_title(self, title: str, surnames: Sequence[str], *, references: bool = False) -> list[Work]:
        """Works whose titles have all of a few long words; surnames are not sent."""
        words = title_words(title, _MOST_WORDS)
        if not words:
            return []
        fields = _WITH_REFERENCES if references else _FIELDS
        query = f"filter=title.search:{quote_plus(' '.join(words))}&select={fields}"
        return self._ask(f"/works?per-page={MOST_WORKS}&{query}", read_list)

    def by_own_ids(self, ids: Sequence[str]) -> dict[str, Work]:
        """Works by OpenAlex's own ids (`W2741809807`); those that it does not have any more are left out."""
        works: dict[str, Work] = {}
        wanted = list(dict.fromkeys(ids))
        for start in range(0, len(wanted), _AT_ONCE):
            part = "|".join(wanted[start : start + _AT_ONCE])
            path = f"/works?filter=openalex:{part}&per-page={_AT_ONCE}&select={_FIELDS}"
            works.update((work.own_id, work) for work in self._ask(path, read_list, most=_AT_ONCE) if work.own_id)
        return {value: works[value] for value in wanted if value in works}

    def find_page(
        self, words: Sequence[str], count: int, start: int, before: date | None, *, strict: bool
    ) -> list[Work]:
        # Pages are of one size, so that their numbers fit what was found before.
        asked = {
            "search": (" " if strict else " OR ").join(words),
            "per-page": self.page,
            "page": start // self.page + 1,
        }
        if before is not None:
            asked["filter"] = f"to_publication_date:{before - timedelta(days=1):%Y-%m-%d}"

        def read(document: Any) -> list[Work]:
            works = read_list(document)
            if not works and (_total(document) or 0) > start:
                raise BadReply("it has fewer works than it says")
            return works

        return self._ask(f"/works?{urlencode(asked)}&select={_FIELDS}", read, most=self.page)[:count]

    def _ask(self, path: str, read: Any, missing: Sequence[int] = (), most: int = MOST_WORKS) -> list[Work]:
        return self.ask(path, read, delay=_DELAY, missing=missing, most=most)


def read_one(document: Any) -> list[Work]:
    """The work of a reply to `/works/ID`. Raises BadReply if it is none."""
    item = mapping(document)
    if not isinstance(item.get("id"), str):
        raise BadReply("it has no id")
    return [work for work in [_work(item)] if work]


def read_list(document: Any) -> list[Work]:
    """The works of a reply to `/works?...`, those without a title left out. Raises BadReply if it is none."""
    results = mapping(document).get("results")
    if not isinstance(results, list):
        raise BadReply("it has no list of works")
    return [work for item in results if (work := _work(mapping(item)))]


def _work(item: dict[str, Any]) -> Work | None:
    printed = line(item.get("display_name")) or line(item.get("title"))
    title = GONE_TITLE.sub("", printed)
    if not title:
        return None
    place = mapping(item.get("primary_location"))
    venue = mapping(place.get("source"))
    biblio = mapping(item.get("biblio"))
    authorships = sequence(item.get("authorships"))
    doi = resolved_doi(line(item.get("doi")))
    published = year(item.get("publication_year"))
    identifier = line(item.get("id"))
    return Work(
        service="openalex",
        title=title,
        authors=tuple(name for name in map(_author, authorships) if name),
        year=published,
        kind=_kind(item, venue),
        venue=(line(venue.get("display_name")) or None) if line(venue.get("type")) != "repository" else None,
        volume=line(biblio.get("volume")) or None,
        number=line(biblio.get("issue")) or None,
        pages=_pages(line(biblio.get("first_page")), line(biblio.get("last_page"))),
        publisher=line(venue.get("host_organization_name")) or None,
        doi=doi,
        url=f"https://doi.org/{doi}" if doi else identifier if identifier.startswith("https://") else None,
        arxiv_id=_arxiv_id(doi, [place, *sequence(item.get("locations"))]),
        years=(published,) if published else (),
        more_authors=item.get("is_authors_truncated") is True or len(authorships) >= _MOST_AUTHORS,
        retracted=item.get("is_retracted") is True or title != printed,
        own_id=_own_id(identifier),
        references=_references(item.get("referenced_works")),
        abstract=_abstract(item.get("abstract_inverted_index")),
    )


def _total(document: Any) -> int | None:
    count = mapping(mapping(document).get("meta")).get("count")
    return count if isinstance(count, int) else None


def _abstract(index: Any) -> str:
    """The text of an abstract that is sent as its words, each with the places where it stands."""
    places = {place: word for word, at in mapping(index).items() for place in sequence(at) if isinstance(place, int)}
    return long_text(" ".join(places[place] for place in sorted(places)[:_MOST_ABSTRACT]))


def _references(value: Any) -> tuple[str, ...] | None:
    """The ids of a list of works, without their resolver; None for what is no list."""
    if not isinstance(value, list):
        return None
    return tuple(dict.fromkeys(own for item in value[:_MOST_REFERENCES] if (own := _own_id(line(item)))))


def _own_id(address: str) -> str | None:
    match = _OWN_ID.fullmatch(address)
    return match[1] if match else None


def _kind(item: dict[str, Any], venue: dict[str, Any]) -> str:
    kind = _KINDS.get(line(item.get("type_crossref")) or line(item.get("type")), "misc")
    where = line(venue.get("type"))
    if kind == "article" and where == "repository":
        return "misc"
    return "inproceedings" if kind in ("article", "incollection") and where == "conference" else kind


def _author(authorship: Any) -> str:
    return line(mapping(mapping(authorship).get("author")).get("display_name")) or line(
        mapping(authorship).get("raw_author_name")
    )


def _pages(first: str, last: str) -> str | None:
    return f"{first}-{last}" if first and last and first != last else first or None


def _arxiv_id(doi: str | None, locations: Sequence[Any]) -> str | None:
    addresses = (doi or "", *(line(mapping(place).get("landing_page_url")) for place in locations))
    return first_arxiv_id(address for address in addresses if "arxiv" in address.lower())
