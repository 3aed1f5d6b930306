"""Crossref's REST API as a source of works (https://api.crossref.org, read 2026-11).

Asked without a client library. habanero 2.9, the best kept one, takes no transport, so that neither the pace nor
bounds on the time and size of a reply can be kept; it puts DOIs into addresses as they are, and its errors are
without Retry-After.
"""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode

from citeplug.records.work import Service, Work
from citeplug.sources.json_values import first_line, line, long_text, mapping, sequence, year
from citeplug.sources.work_service import (
    MOST_WORKS,
    BadReply,
    WorkService,
    first_arxiv_id,
    title_words,
    usable_doi,
)
from citeplug.text.folding import fold_title, split_name

# Seconds: the limits of December 2025, one work at a time and lists, without and with an address to write to.
_ONE, _LIST = {False: 0.2, True: 0.1}, {False: 1.0, True: 0.34}
_MOST_TITLE_WORDS, _MOST_SURNAMES = 24, 3
_AT_ONCE, _WORTH_A_LIST = 25, 4  # DOIs in one request, and from how many on a list is the faster way
_FIELDS = (
    "DOI,title,subtitle,author,editor,issued,published,published-print,published-online,container-title,event,volume,"
    "issue,page,article-number,publisher,type,updated-by,URL,abstract"
)
_KINDS = {
    "journal-article": "article", "proceedings-article": "inproceedings", "proceedings": "proceedings",
    "book-chapter": "incollection", "book-section": "incollection", "book-part": "incollection",
    "reference-entry": "incollection", "book-track": "incollection", "book": "book", "monograph": "book",
    "edited-book": "book", "reference-book": "book", "book-set": "book", "dissertation": "phdthesis",
    "report": "techreport", "report-component": "techreport",
}  # fmt: skip
_HEADING = re.compile(r"^(?:abstract|summary)\b[.:\s]*(?=[A-Z])", re.IGNORECASE)
_GONE = frozenset(("retraction", "withdrawal", "removal"))
GONE_TITLE = re.compile(r"^\W*(?:RETRACTED|WITHDRAWN|REMOVED|TEMPORARY REMOVAL)(?:\s+(?:ARTICLE|PAPER))?\s*[:\])]\W*")


class CrossrefSource(WorkService):
    """Crossref: journals, proceedings and books with DOIs, and what was retracted of them."""

    name: Service = "crossref"
    home = "crossref.org"
    knows_dois = True

    def by_doi(self, doi: str) -> Work | None:
        """The work of this DOI, None if Crossref has none: other agencies give DOIs too."""
        bare = usable_doi(doi)
        if bare is None:
            return None
        work = self.ask(_path(bare), read_one, delay=_ONE[self.sender_known], missing=(400, 404))
        return next(iter(work), None)

    def prepare(self, dois: Sequence[str]) -> None:
        """Ask for many DOIs in few requests, so that `by_doi` has their works.

        What does not come is asked for by itself later: a DOI may be another one's alias.
        """
        paths = {bare: _path(bare) for doi in dois if (bare := usable_doi(doi)) and "," not in bare}
        known = self.known(list(paths.values()))
        wanted = [doi for doi, path in paths.items() if path not in known]
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            if len(part) < _WORTH_A_LIST:
                return
            query = {"filter": ",".join(f"doi:{doi}" for doi in part), "rows": len(part), "select": _FIELDS}
            delay = _LIST[self.sender_known]
            works = self.ask(f"/works?{urlencode(query)}", read_list, delay=delay, most=len(part))
            self.keep({paths[work.doi]: [work] for work in works if work.doi in paths})

    def by_title(self, title: str, surnames: Sequence[str]) -> list[Work]:
        """Works whose records have most of these words; the ranking is Crossref's."""
        words = title_words(title, _MOST_TITLE_WORDS)
        if not words:
            return []
        names = [word for name in surnames[:_MOST_SURNAMES] for word in fold_title(name).split()]
        query = {"query.bibliographic": " ".join([*words, *names]), "rows": MOST_WORKS, "select": _FIELDS}
        return self.ask(f"/works?{urlencode(query)}", read_list, delay=_LIST[self.sender_known])


def _path(doi: str) -> str:
    return f"/works/{quote(doi, safe='')}"


def read_one(document: Any) -> list[Work]:
    """The work of a reply to `/works/DOI`. Raises BadReply if it is none."""
    message = mapping(mapping(document).get("message"))
    if not isinstance(message.get("DOI"), str):
        raise BadReply("it has no DOI")
    return [work for work in [_work(message)] if work]


def read_list(document: Any) -> list[Work]:
    """The works of a reply to `/works?...`, those without a title left out. Raises BadReply if it is none."""
    items = mapping(mapping(document).get("message")).get("items")
    if not isinstance(items, list):
        raise BadReply("it has no list of works")
    return [work for item in items if (work := _work(mapping(item)))]


def _work(item: dict[str, Any]) -> Work | None:
    printed = _title(item)
    title = GONE_TITLE.sub("", printed)
    if not title:
        return None
    kind = _KINDS.get(line(item.get("type")), "misc")
    if kind == "incollection" and mapping(item.get("event")):
        kind = "inproceedings"  # a chapter of a book that is the proceedings of a conference
    names = _named(item.get("author"))
    if not names and kind in ("book", "proceedings"):
        names = _named(item.get("editor"))
    doi = usable_doi(line(item.get("DOI")))
    updates = {line(mapping(update).get("type")).lower() for update in sequence(item.get("updated-by"))}
    in_print, online = _year(item.get("published-print")), _year(item.get("published-online"))
    issued = _year(item.get("issued")) or _year(item.get("published"))
    years = sorted({year for year in (in_print, online, issued) if year})
    containers = [text for text in map(line, sequence(item.get("container-title"))) if text]
    return Work(
        service="crossref",
        title=title,
        authors=tuple(name for name, _ in names),
        year=in_print or issued or online,
        kind=kind,
        # Of a series and a book the book comes last; of a journal's full name and its abbreviation the full one first.
        venue=(containers[0] if kind == "article" else containers[-1]) if containers else None,
        volume=line(item.get("volume")) or None,
        number=line(item.get("issue")) or None,
        pages=line(item.get("page")) or line(item.get("article-number")) or None,
        publisher=line(item.get("publisher")) or None,
        doi=doi,
        url=f"https://doi.org/{doi}" if doi else None,
        arxiv_id=first_arxiv_id([doi] if doi and doi.startswith("10.48550/") else []),
        years=tuple(years),
        surnames=tuple(surname for _, surname in names),
        retracted=bool(updates & _GONE) or title != printed,
        abstract=_HEADING.sub("", long_text(item.get("abstract"))),
    )


def _title(item: dict[str, Any]) -> str:
    """Main title and subtitle; many deposits have the subtitle in the title already."""
    title, subtitle = first_line(item.get("title")), first_line(item.get("subtitle"))
    if not title or not subtitle or fold_title(subtitle) in fold_title(title):
        return title
    return f"{title.rstrip(' :')}: {subtitle}"


def _named(people: Any) -> list[tuple[str, str]]:
    return [(name, surname) for name, surname in map(_author, sequence(people)) if name]


def _author(author: Any) -> tuple[str, str]:
    """Name and surname; collaborations have a `name` alone, and some people no given name."""
    person = mapping(author)
    family, forename = line(person.get("family")), line(person.get("given"))
    if not family:
        name = line(person.get("name")) or line(person.get("literal")) or forename
        return name, ""
    shown = " ".join(filter(None, [forename, line(person.get("prefix")), family, line(person.get("suffix"))]))
    # Where splitting the printed name gives the same, nothing is gained by saying so.
    return shown, "" if split_name(shown).surname == family else family


def _year(value: Any) -> int | None:
    """The year of a partial date, `{"date-parts": [[2017, 6, 12]]}`; its parts may be null."""
    parts = sequence(mapping(value).get("date-parts"))
    return year(next(iter(sequence(parts[0])), None)) if parts else None
