"""Works that a Word document cites, as reference managers record them in it: better evidence than its printed list.

Zotero and Mendeley keep CSL JSON in the codes of fields, Mendeley Cite in the tags of content controls, EndNote XML in
the codes of fields, and Word itself a list of sources.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from citeplug.bibtex.printed_entry import reference_of_entry
from citeplug.errors import Unfit
from citeplug.records.draft import BibEntry, Span
from citeplug.records.passage import Reference
from citeplug.text.identifiers import find_arxiv_id, find_doi

# A kind, the fields by their names in BibTeX, and the names of the authors.
_Work = tuple[str, dict[str, str], list[str]]

_DEEPEST = 200  # elements within each other
_LARGEST = 10_000_000  # characters of a record
_MOST = 20_000  # works of a document
_TAG = "MENDELEY_CITATION_v3_"
_KINDS = {
    "article-journal": "article",
    "paper-conference": "inproceedings",
    "book": "book",
    "chapter": "incollection",
    "thesis": "phdthesis",
    "report": "techreport",
    "JournalArticle": "article",
    "ArticleInAPeriodical": "article",
    "ConferenceProceedings": "inproceedings",
    "Book": "book",
    "BookSection": "incollection",
    "Report": "techreport",
}
_SPECIAL = re.compile(r"[{}$%&#_\\]")


def works_in(codes: Sequence[str], tags: Iterable[str], sources: bytes) -> list[Reference]:
    """The works of a document, each once, in the order of its citations.

    `codes` are those of its fields, `tags` those of its content controls, `sources` is Word's own list. What cannot be
    read is left out.
    """
    works = [*_of_codes(codes), *_of_tags(tags)] or list(_of_sources(sources, " ".join(codes)))
    references: dict[str, Reference] = {}
    for kind, fields, people in works[:_MOST]:
        fields = {name: _escaped(text) for name, text in fields.items() if text.strip()}
        if people:
            fields["author"] = " and ".join(map(_escaped, people))
        if "title" in fields or "doi" in fields:
            entry = BibEntry("", kind, fields, Span(Path(), 0, 0, 1), find_arxiv_id(fields), find_doi(fields))
            reference = reference_of_entry(entry)
            recorded = tuple({**fields, "entrytype": kind}.items())
            references.setdefault(reference.raw, replace(reference, number=len(references) + 1, fields=recorded))
    return list(references.values())


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: "" if match[0] == "\\" else f"\\{match[0]}", " ".join(text.split()))


def _of_codes(codes: Iterable[str]) -> Iterator[_Work]:
    for code in codes:
        if "CSL_CITATION" in code and "{" in code:
            yield from _of_csl(code[code.index("{") :])
        elif "<EndNote>" in code:
            yield from _of_endnote(code[code.index("<EndNote>") :])


def _of_tags(tags: Iterable[str]) -> Iterator[_Work]:
    for tag in tags:
        if tag.startswith(_TAG):
            try:
                yield from _of_csl(base64.b64decode(tag[len(_TAG) :]).decode("utf-8", "replace"))
            except binascii.Error:
                continue


def _of_csl(text: str) -> Iterator[_Work]:
    try:
        items = json.JSONDecoder().raw_decode(text)[0]["citationItems"]
        works = [_csl_work(item["itemData"]) for item in items if isinstance(item.get("itemData"), dict)]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return
    yield from works


def _csl_work(data: Mapping[str, Any]) -> _Work:
    kind = _KINDS.get(str(data.get("type")), "misc")
    people = data.get("author") or data.get("editor") or []
    names = [
        ", ".join(filter(None, (f"{name.get('non-dropping-particle', '')} {name.get('family', '')}".strip(),
                                str(name.get("given", ""))))) or f"{{{name.get('literal', '')}}}"
        for name in people
    ]  # fmt: skip
    issued = data.get("issued") or {}
    year = str(issued["date-parts"][0][0]) if issued.get("date-parts") else str(issued.get("raw", ""))[:4]
    venue = "journal" if kind == "article" else "booktitle"
    named = {"title": "title", "DOI": "doi", "URL": "url", "volume": "volume", "page": "pages", "number": "number",
             "publisher": "publisher", "container-title": venue, "note": "note"}  # fmt: skip
    return kind, {**{ours: str(data.get(theirs) or "") for theirs, ours in named.items()}, "year": year}, names


def _of_endnote(xml: str) -> Iterator[_Work]:
    for record in _elements(xml[: xml.find("</EndNote>") + len("</EndNote>")].encode(), "record"):
        kind = record.find("ref-type")
        kind_name = _KINDS.get((kind.get("name", "") if kind is not None else "").replace(" ", ""), "misc")
        named = {"titles/title": "title", "titles/secondary-title": "journal", "dates/year": "year",
                 "electronic-resource-num": "doi", "volume": "volume", "urls/related-urls/url": "url"}  # fmt: skip
        people = [_text(author) for author in record.findall("contributors/authors/author")]
        yield kind_name, {ours: _text(record.find(theirs)) for theirs, ours in named.items()}, people


def _of_sources(xml: bytes, codes: str) -> Iterator[_Work]:
    """Word's own sources, those alone that are cited where any is."""
    cited = set(re.findall(r"\bCITATION\s+(\S+)", codes))
    for source in _elements(xml, "Source"):
        if cited and _text(source.find("Tag")) not in cited:
            continue
        named = {"Title": "title", "JournalName": "journal", "BookTitle": "booktitle", "ConferenceName": "booktitle",
                 "Year": "year", "DOI": "doi", "URL": "url", "Publisher": "publisher", "Volume": "volume"}  # fmt: skip
        fields = {ours: text for theirs, ours in named.items() if (text := _text(source.find(theirs)))}
        people = [
            ", ".join(filter(None, (_text(person.find("Last")), _text(person.find("First")))))
            for person in source.findall("Author/Author/NameList/Person")
        ]
        people = people or [
            f"{{{name}}}" for author in source.findall("Author/Author/Corporate") if (name := _text(author))
        ]
        yield _KINDS.get(_text(source.find("SourceType")), "misc"), fields, people


def _text(element: Element | None) -> str:
    return "" if element is None else " ".join("".join(element.itertext()).split())


def _elements(xml: bytes, name: str) -> list[Element]:
    """The elements of a name in a short document, their names without name spaces; none if it cannot be read."""
    try:
        return list(_tree(xml).iter(name)) if 0 < len(xml) <= _LARGEST else []
    except (expat.ExpatError, Unfit):
        return []


def _tree(xml: bytes) -> Element:
    """The tree of a document. Raises Unfit for a document type, and with it entities, and for too many levels."""
    builder, depth = TreeBuilder(), 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise Unfit("broken", "its XML is nested too deeply")
        builder.start(name.rpartition(" ")[2], attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(name.rpartition(" ")[2])

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, builder.data
    parser.Parse(xml, True)
    return builder.close()


def refuse(*_: object) -> None:
    raise Unfit("broken", "its XML declares a document type, which no .docx has")
