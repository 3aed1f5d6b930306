"""A loopback server that speaks the protocols of four services of works, written from their documentation.

    with WorkServer(published("Deep Learning", "LeCun, Yann", year=2015)).serve() as server:
        ... run citeplug with server.environment() ...
        assert server.asked("crossref") == ["/works?query.bibliographic=deep+learning+lecun&..."]

Crossref ranks by how many words fit; OpenAlex wants all of them in the title, or, in a
search by subject, in title and abstract, unless OR is between them; Semantic Scholar all of them there; DBLP beginnings
of words anywhere. The two that are searched by subject send pages.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from citeplug.records.work import SERVICES, Service
from citeplug.text.folding import fold
from tests.harness.arxiv_server import ArxivServer, Asked

_JSON = "application/json"
# What `select` may name; either service answers 400 to anything else.
_CROSSREF_SELECT = frozenset(
    """DOI ISBN ISSN URL abstract article-number author container-title editor event issue issued page
    published published-online published-print publisher relation subtitle title type update-to
    updated-by volume""".split()
)
_S2_FIELDS = frozenset(
    """paperId externalIds url title abstract venue year journal authors publicationTypes publicationDate
    citationCount""".split()
)
_OPENALEX_SELECT = frozenset(
    """id doi title display_name publication_year type ids authorships biblio primary_location locations is_retracted
    language referenced_works abstract_inverted_index""".split()
)


@dataclass(frozen=True, slots=True)
class Published:
    """A work as each service would have it; `services` are those that do. Authors are "Family, Given"."""

    title: str
    authors: tuple[str, ...]
    year: int
    doi: str | None = None
    venue: str = "Journal of Tests"
    kind: str = "article"
    services: tuple[Service, ...] = SERVICES
    retracted: bool = False
    more: dict[str, Any] = field(default_factory=dict)


def published(title: str, *authors: str, **more: Any) -> Published:
    return Published(title, authors or ("Lovelace, Ada", "Babbage, Charles"), **{"year": 2015, **more})


class WorkServer(ArxivServer):
    """`works` are known to the services that they name; `raw` are further records, word for word."""

    def __init__(self, *works: Published) -> None:
        super().__init__()
        self.works = list(works)
        self.raw: dict[Service, list[dict[str, Any]]] = {service: [] for service in SERVICES}

    @property
    def root(self) -> str:
        return self.url.removesuffix("/api/query")

    def environment(self) -> dict[str, str]:
        """What makes citeplug ask this server alone, without pauses."""
        return {
            "CITEPLUG_CROSSREF_URL": f"{self.root}/crossref",
            "CITEPLUG_OPENALEX_URL": f"{self.root}/openalex",
            "CITEPLUG_DBLP_URL": f"{self.root}/dblp/search/publ/api",
            "CITEPLUG_SEMANTICSCHOLAR_URL": f"{self.root}/semanticscholar",
            "CITEPLUG_SOURCES_DELAY": "0",
        }

    def asked(self, service: Service) -> list[str]:
        """Path and query of what this service was asked so far."""
        return [r.path.removeprefix(f"/{service}") for r in self.requests if r.path.startswith(f"/{service}/")]

    def answer(self, asked: Asked, *, entries: bool = True) -> tuple[int, bytes, str]:
        parts = urlsplit(asked.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        service, _, path = parts.path.lstrip("/").partition("/")
        if service == "crossref":
            return self._crossref(path, query)
        if service == "openalex":
            return self._openalex(path, query)
        if service == "dblp" and path == "search/publ/api":
            return self._dblp(query)
        if service == "semanticscholar":
            return self._semanticscholar(path, query)
        return 404, b"<html>not here</html>", "text/html"

    def _items(self, service: Service) -> list[dict[str, Any]]:
        made = {
            "crossref": crossref_item,
            "openalex": openalex_item,
            "dblp": dblp_item,
            "semanticscholar": semanticscholar_item,
        }[service]
        return [made(work) for work in self.works if service in work.services] + self.raw[service]

    def _crossref(self, path: str, query: dict[str, str]) -> tuple[int, bytes, str]:
        items = self._items("crossref")
        head = {"status": "ok", "message-version": "1.0.0"}
        if path.startswith("works/"):
            doi = unquote(path.removeprefix("works/")).lower()
            known = next((item for item in items if str(item.get("DOI")).lower() == doi), None)
            if known is None:
                return 404, b"Resource not found.", "text/plain"
            return _json({**head, "message-type": "work", "message": known})
        if path != "works" or not set(query.get("select", "DOI").split(",")) <= _CROSSREF_SELECT:
            return _json({"status": "failed", "message-type": "validation-failure", "message": []}, 400)
        if "filter" in query:
            dois = [part.removeprefix("doi:") for part in query["filter"].split(",")]
            found = [item for item in items if item.get("DOI") in dois][: int(query.get("rows", 20))]
            return _json({**head, "message-type": "work-list", "message": {"items": found}})
        wanted = _words(query["query.bibliographic"])
        scored = [(len(wanted & _words(json.dumps(item, ensure_ascii=False))), item) for item in items]
        best = [item for score, item in sorted(scored, key=lambda pair: -pair[0]) if score]
        message = {"total-results": len(best), "items": best[: int(query.get("rows", 20))]}
        return _json({**head, "message-type": "work-list", "message": message})

    def _openalex(self, path: str, query: dict[str, str]) -> tuple[int, bytes, str]:
        if not set(query.get("select", "id").split(",")) <= _OPENALEX_SELECT:
            return _json({"error": "Invalid query parameters error.", "message": "not a valid select"}, 400)
        items = self._items("openalex")
        if path.startswith(("works/doi:", "works/doi%3A")):
            doi = "https://doi.org/" + unquote(path.removeprefix("works/")).removeprefix("doi:")
            found = next((item for item in items if item.get("doi") == doi), None)
            return _json(found) if found else (404, b"<!doctype html><title>404 Not Found</title>", "text/html")
        name, _, words = query.get("filter", "").partition(":")
        if path == "works" and "search" in query and name in ("", "to_publication_date"):
            size, page = int(query.get("per-page", "25")), int(query.get("page", "1"))
            if not 1 <= size <= 100 or size * page > 10_000:
                return _json({"error": "Pagination error.", "message": "per-page must be between 1 and 100"}, 400)
            either = [_words(part) for part in query["search"].split(" OR ")]
            texts = [_words(json.dumps(item)) for item in items]
            best = [
                item
                for number, item in enumerate(items)
                if any(part <= texts[number] for part in either)
                and (not words or str(item.get("publication_date") or item["publication_year"]) <= words)
            ]
            head: dict[str, Any] = {"count": len(best), "page": page, "per_page": size, "cost_usd": 0.001}
            return _json({"meta": head, "results": best[size * (page - 1) : size * page], "group_by": []})
        if path == "works" and name == "openalex":
            wanted = words.split("|")
            known = [item for item in items if str(item.get("id")).rpartition("/")[2] in wanted]
            if len(wanted) > 50:
                return _json({"error": "Invalid query parameters error.", "message": "too many values"}, 400)
            return _json({"meta": {"count": len(known)}, "results": known[: int(query.get("per-page", 25))]})
        if path != "works" or name != "title.search" or "," in words or "|" in words:
            return _json({"error": "Invalid query parameters error.", "message": "not a valid filter"}, 400)
        best = [item for item in items if _words(words) <= _words(str(item.get("display_name")))]
        meta = {"count": len(best), "page": 1, "per_page": int(query.get("per-page", 25))}
        return _json({"meta": meta, "results": best[: meta["per_page"]], "group_by": []})

    def _semanticscholar(self, path: str, query: dict[str, str]) -> tuple[int, bytes, str]:
        fields = query.get("fields", "title").split(",")
        if unknown := set(fields) - _S2_FIELDS:
            return _json({"error": f"Unrecognized or unsupported fields: [{', '.join(sorted(unknown))}]"}, 400)
        items = [
            {name: value for name, value in item.items() if name in ("paperId", *fields)}
            for item in self._items("semanticscholar")
        ]
        if path.startswith("paper/DOI:"):
            doi = unquote(path.removeprefix("paper/DOI:")).lower()
            known = next((i for i in items if str(i["externalIds"].get("DOI")).lower() == doi), None)
            return _json(known) if known else _json({"error": f"Paper with id DOI:{doi} not found"}, 404)
        if path != "paper/search":
            return _json({"message": "Missing Authentication Token"}, 403)
        start, size = int(query.get("offset", "0")), int(query.get("limit", "100"))
        if size > 100 or start + size > 1000:
            return _json({"error": "limit must be <= 100, offset + limit <= 1000"}, 400)
        until = query.get("publicationDateOrYear", ":9999").partition(":")[2]
        best = [i for i in items if _words(query["query"]) <= _words(json.dumps(i)) and str(i.get("year")) <= until]
        if not best:
            return _json({"total": 0, "offset": start})
        rest = {"next": start + size} if start + size < len(best) else {}
        return _json({"total": len(best), "offset": start, **rest, "data": best[start : start + size]})

    def _dblp(self, query: dict[str, str]) -> tuple[int, bytes, str]:
        wanted = _words(query["q"])
        best = [
            item
            for item in self._items("dblp")
            if all(
                any(word.startswith(beginning) for word in _words(json.dumps(item, ensure_ascii=False)))
                for beginning in wanted
            )
        ]
        hits: dict[str, Any] = {"@total": str(len(best)), "@computed": str(len(best)), "@first": "0"}
        hits["@sent"] = str(len(best))
        if best:
            hits["hit"] = [{"@score": "5", "@id": str(n), "info": item, "url": "URL#1"} for n, item in enumerate(best)]
        status = {"@code": "200", "text": "OK"}
        return _json({"result": {"query": query["q"], "status": status, "completions": {}, "hits": hits}})


def crossref_item(work: Published) -> dict[str, Any]:
    kinds = {"article": "journal-article", "inproceedings": "proceedings-article", "misc": "posted-content"}
    authors = [_person(name, number) for number, name in enumerate(work.authors)]
    date = {"date-parts": [[work.year, 5, 28]]}
    item = {
        "DOI": work.doi,
        "title": [work.title],
        "subtitle": [],
        "author": authors,
        "issued": date,
        "published-print": date,
        "container-title": [work.venue],
        "type": kinds.get(work.kind, work.kind),
        "publisher": "Test Press",
        "volume": "7",
        "issue": "2",
        "page": "10-20",
        "URL": f"https://doi.org/{work.doi}",
    }
    if work.retracted:
        item["updated-by"] = [
            {"type": "retraction", "DOI": "10.5555/notice", "label": "Retraction", "source": "publisher"}
        ]
    return {**item, **work.more.get("crossref", {})}


def _person(name: str, number: int) -> dict[str, Any]:
    family, _, given = name.partition(", ")
    place: dict[str, Any] = {"sequence": "additional" if number else "first", "affiliation": []}
    return {"given": given, "family": family, **place} if given else {"name": family, **place}


def openalex_item(work: Published) -> dict[str, Any]:
    names = [" ".join(reversed(name.split(", "))) for name in work.authors]
    source = {"display_name": work.venue, "type": "conference" if work.kind == "inproceedings" else "journal"}
    item = {
        "id": "https://openalex.org/W2919115771",
        "doi": f"https://doi.org/{work.doi}" if work.doi else None,
        "display_name": work.title,
        "publication_year": work.year,
        "type": "preprint" if work.kind == "misc" else "article",
        "authorships": [{"author": {"display_name": name}, "raw_author_name": name} for name in names],
        "biblio": {"volume": "7", "issue": "2", "first_page": "10", "last_page": "20"},
        "primary_location": {"source": source, "landing_page_url": f"https://doi.org/{work.doi}"},
        "locations": [],
        "is_retracted": work.retracted,
    }
    return {**item, **work.more.get("openalex", {})}


def inverted(text: str) -> dict[str, list[int]]:
    """An abstract as OpenAlex sends it: words with their places."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(text.split()):
        places.setdefault(word, []).append(place)
    return places


def semanticscholar_item(work: Published) -> dict[str, Any]:
    names = [" ".join(reversed(name.split(", "))) for name in work.authors]
    item = {
        "paperId": "0f40b1f08821e22e859c6050916cec3667778613",
        "externalIds": {"CorpusId": 1, **({"DOI": work.doi} if work.doi else {})},
        "url": "https://www.semanticscholar.org/paper/0f40b1f08821e22e859c6050916cec3667778613",
        "title": work.title,
        "abstract": None,
        "venue": work.venue,
        "year": work.year,
        "journal": {"name": work.venue, "volume": "7", "pages": "10-20"},
        "publicationTypes": ["Conference"] if work.kind == "inproceedings" else ["JournalArticle"],
        "authors": [{"authorId": str(number), "name": name} for number, name in enumerate(names)],
    }
    return {**item, **work.more.get("semanticscholar", {})}


def dblp_item(work: Published) -> dict[str, Any]:
    names = [" ".join(reversed(name.split(", "))) for name in work.authors]
    people = [{"@pid": f"00/{number}", "text": name} for number, name in enumerate(names)]
    kinds = {"article": "Journal Articles", "inproceedings": "Conference and Workshop Papers"}
    item = {
        "authors": {"author": people if len(people) > 1 else people[0]},
        "title": f"{work.title}.",
        "venue": work.venue,
        "volume": "7",
        "pages": "10-20",
        "year": str(work.year),
        "type": kinds.get(work.kind, "Informal and Other Publications"),
        "key": "journals/jt/LovelaceB15",
        "doi": work.doi,
        "ee": f"https://doi.org/{work.doi}",
        "url": "https://dblp.org/rec/journals/jt/LovelaceB15",
    }
    return {**item, **work.more.get("dblp", {})}


def _json(document: Any, status: int = 200) -> tuple[int, bytes, str]:
    return status, json.dumps(document).encode(), _JSON


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]+", fold(text).lower()))
