"""Items of Zotero as records of the author's library: an entry for each work, and the PDFs that are attached to it."""

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from citeplug.bib.write.dialect import Dialect
from citeplug.bib.write.entries import lay_out, print_author, print_title, printable_doi
from citeplug.bib.write.keystyle import KeyFacts, make_key
from citeplug.records.work import Holding
from citeplug.text.cleaning import plain
from citeplug.text.identifiers import clean_doi, find_arxiv_id
from citeplug.text.tables import Tables

_TABLES = Tables(__name__)
_KINDS, _VENUES, _VENUE_FIELDS = _TABLES.pairs("kinds"), _TABLES.pairs("venues"), _TABLES.ordered("venue_fields")
_NO_WORK = _TABLES.words("no_work")
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_KEY = re.compile(r"[^\s{}(),\"'#%~\\=]+")
_EXTRA = re.compile(r"^\s*(citation key|bibtex|doi|arxiv|type)\s*:\s*(.+)$", re.IGNORECASE | re.MULTILINE)
_DIALECT = Dialect()


def item_name(library: str, key: str) -> str:
    """The name under which the parts of an item find each other; no file has it."""
    return f"zotero:{library}/{key}"


def is_work(item: Mapping[str, Any]) -> bool:
    """True if an item is a work, and not a note, a file or a mark in one."""
    return item["data"]["itemType"] not in _NO_WORK


def own_key(item: Mapping[str, Any]) -> str | None:
    """The citation key that the item itself has: Zotero's field, or the line that Better BibTeX pins it with."""
    data = item["data"]
    extra = _extra(data)
    key = str(data.get("citationKey") or extra.get("citation key") or extra.get("bibtex") or "").strip()
    return key if _KEY.fullmatch(key) else None


def holding_of_item(
    item: Mapping[str, Any], file: Path, library: str, key: str | None, taken: set[str], paths: Mapping[str, str]
) -> Holding | None:
    """The record of a work, None without a title; `paths` are those of collections.

    Without a `key` it gets a new one, which is added to `taken` in small letters.
    """
    data = item["data"]
    title = plain(re.sub(r"</?(?:i|b|sub|sup|span)\b[^>]*>", "", str(data.get("title") or data.get("caseName") or "")))
    if not title:
        return None
    extra = _extra(data)
    people, printed = _people(data.get("creators") or ())
    year = _year(data, item.get("meta") or {})
    doi = clean_doi(str(data.get("DOI") or extra.get("doi") or ""))
    arxiv_id = find_arxiv_id(
        {
            "eprint": str(data.get("archiveID") or "") if "arxiv" in str(data.get("archiveID", "")).lower() else "",
            "arxivid": extra.get("arxiv", "").split(" ")[0],
            "doi": str(data.get("DOI") or extra.get("doi") or ""),
            "url": str(data.get("url") or "") if "arxiv.org" in str(data.get("url", "")) else "",
        }
    )
    if key is None:
        key = make_key(KeyFacts(people, year, title, arxiv_id), taken)
    taken.add(key.lower())
    kind, fields = _fields(data, title, printed, year, doi, arxiv_id)
    return Holding(
        file,
        "bib",
        title,
        key,
        lay_out(kind, key, fields),
        people,
        year,
        plain(str(data.get("abstractNote") or "")),
        doi,
        arxiv_id,
        (key, item_name(library, item["key"])),
        collections=tuple(sorted(paths[one] for one in data.get("collections") or () if one in paths)),
    )


def holding_of_attachment(item: Mapping[str, Any], library: str, parents: Collection[str]) -> Holding | None:
    """The PDF that an attachment of one of `parents` is, where it is on this machine; its pages are not read here."""
    data = item["data"]
    parent = data.get("parentItem")
    if data.get("contentType") != "application/pdf" or parent not in parents:
        return None
    link = (item.get("links") or {}).get("enclosure", {}).get("href", "")
    parts = urlsplit(str(link))
    path = (
        Path(url2pathname(parts.path)) if parts.scheme == "file" and not parts.netloc else Path(data.get("path") or "")
    )
    if not path.is_absolute() or path.suffix.lower() != ".pdf" or not path.is_file():
        return None
    names = (item_name(library, str(parent)), item_name(library, item["key"]))
    return Holding(path, "pdf", plain(str(data.get("title") or "")) or path.stem, names=names)


def names_of(holding: Holding) -> list[str]:
    """The names of Zotero that a record has: of its item; of an attachment the item it belongs to, then its own."""
    return [name for name in holding.names if name.startswith("zotero:")]


def _extra(data: Mapping[str, Any]) -> dict[str, str]:
    return {name.lower(): value.strip() for name, value in _EXTRA.findall(str(data.get("extra") or ""))}


def _people(creators: Iterable[Mapping[str, Any]]) -> tuple[tuple[str, ...], str]:
    """The authors, else the editors, as `Holding` has them, and as an entry prints them."""
    by_kind: dict[bool, list[Mapping[str, Any]]] = {}
    for one in creators:
        if one.get("creatorType") not in ("translator", "seriesEditor", "reviewedAuthor"):
            by_kind.setdefault(one.get("creatorType") in ("editor", "contributor"), []).append(one)
    names, printed = [], []
    for one in by_kind.get(False) or by_kind.get(True) or ():
        family, forename = plain(str(one.get("lastName") or "")), plain(str(one.get("firstName") or ""))
        whole = plain(str(one.get("name") or ""))
        if not whole and not family:
            continue
        names.append(whole or f"{forename} {family}".strip())
        # A name in one field is that of an institution, whose words are no given names.
        braced = "{" + _DIALECT.latex(whole) + "}" if " " in whole else _DIALECT.latex(whole)
        printed.append(braced if whole else print_author(f"{family}, {forename}" if forename else family, _DIALECT))
    return tuple(names), " and ".join(filter(None, printed))


def _year(data: Mapping[str, Any], meta: Mapping[str, Any]) -> int | None:
    match = _YEAR.search(str(meta.get("parsedDate") or "")) or _YEAR.search(str(data.get("date") or ""))
    return int(match[1]) if match else None


def _fields(
    data: Mapping[str, Any], title: str, people: str, year: int | None, doi: str | None, arxiv_id: str | None
) -> tuple[str, dict[str, str]]:
    kind = _KINDS.get(data["itemType"], "misc")
    if kind == "phdthesis" and "master" in str(data.get("thesisType", "")).lower():
        kind = "mastersthesis"
    edited = kind in ("book", "misc") and not any(c.get("creatorType") == "author" for c in data.get("creators") or ())
    venue = next((str(data[name]) for name in _VENUE_FIELDS if data.get(name)), "")

    def text(name: str) -> str:
        return _DIALECT.latex(plain(str(data.get(name) or "")))

    pages = re.sub(r"(?<=\w)\s*[-–—]+\s*(?=\w)", "--", text("pages"))
    fields = {
        "title": print_title(title, _DIALECT),
        "editor" if edited and kind == "book" else "author": people,
        _VENUES.get(kind, "series"): _DIALECT.latex(plain(venue)) or (text("series") if kind == "book" else ""),
        "volume": text("volume"),
        "number": text("issue") or text("reportNumber"),
        "edition": text("edition") if kind == "book" else "",
        "pages": pages,
        "publisher": text("publisher") if kind not in ("article", "phdthesis", "mastersthesis", "techreport") else "",
        "year": str(year or ""),
        "doi": printable_doi(doi, _DIALECT) or "",
        "eprint": arxiv_id or "",
        "archivePrefix": "arXiv" if arxiv_id else "",
    }
    url = str(data.get("url") or "")
    if not fields["doi"] and re.fullmatch(r"https?://[A-Za-z0-9./:_~?=-]+", url):
        fields["url"] = url
    if kind == "unpublished":
        fields["note"] = text("manuscriptType") or "Unpublished"
    return kind, {name: value for name, value in fields.items() if value}
