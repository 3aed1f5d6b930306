"""Records in OAI-PMH replies of arXiv's, in the metadata format `arXiv` (arxiv-api.md).

Read by the standard library: a client of OAI-PMH (sickle) loses the page with one record that is no XML.
"""

import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from xml.etree.ElementTree import Element

from citeplug.records.paper import ArxivId, Paper
from citeplug.sources.snapshot import paper_from_record
from citeplug.sources.xml_tree import read_xml, xml_text
from citeplug.text.cleaning import plain

_OAI = "{http://www.openarchives.org/OAI/2.0/}"
_IDENTIFIER = re.compile(r"oai:arXiv\.org:(.+)", re.IGNORECASE)
_REFERENCE = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,8})|([0-9]{1,10}));")


@dataclass(slots=True)
class OaiReply:
    """One page of ListRecords. `errors` are (code, message); `token` leads to the next page, None after the last.

    `deleted` are ids, `skipped` counts records that cannot be used, and `unread` holds the ids of those that
    show one. `responded` is the server's day, where it tells it.
    """

    papers: list[Paper] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    skipped: int = 0
    unread: set[str] = field(default_factory=set)
    token: str | None = None
    responded: date | None = None
    errors: list[tuple[str, str]] = field(default_factory=list)


def read_reply(body: bytes) -> OaiReply:
    """Read one reply. Raises NotAFeed, with the reason, if it is truncated or no OAI-PMH at all.

    Document types, and with them entities, are refused. A record that cannot be used costs only itself.
    """
    root = read_xml(_REFERENCE.sub(_readable, xml_text(body)), f"{_OAI}OAI-PMH", "OAI-PMH")
    reply = OaiReply(responded=_day(root.findtext(f"{_OAI}responseDate") or ""))
    for error in root.iterfind(f"{_OAI}error"):
        reply.errors.append((plain(error.get("code")), plain(error.text)[:200]))
    for record in root.iterfind(f"{_OAI}*/{_OAI}record"):
        _take_in(record, reply)
    reply.token = root.findtext(f"{_OAI}*/{_OAI}resumptionToken", "").strip() or None
    return reply


def _readable(reference: re.Match[str]) -> str:
    """The reference, or nothing if it names a character that no XML may hold: it would spoil the page."""
    number = int(reference[1], 16) if reference[1] else int(reference[2])
    allowed = number in (9, 10, 13) or 0x20 <= number < 0xD800 or 0xE000 <= number < 0xFFFE
    return reference[0] if allowed or 0x10000 <= number <= 0x10FFFF else ""


def _take_in(record: Element, reply: OaiReply) -> None:
    # Of an element that comes twice the first counts.
    fields = {_local(element): element.text or "" for element in reversed([*record.iter()]) if element is not record}
    authors = [
        [author.findtext(f"{{*}}{part}") or "" for part in ("keyname", "forenames", "suffix")]
        for author in record.iterfind(".//{*}author")
    ]
    named = fields.get("id") or (_IDENTIFIER.match(fields.get("identifier", "").strip()) or ("", ""))[1]
    try:
        arxiv_id = ArxivId.parse(named)
    except ValueError:
        reply.skipped += 1
        return
    header = record.find(f"{_OAI}header")
    if header is not None and header.get("status", "").strip() == "deleted":
        reply.deleted.append(arxiv_id.value)
        return
    try:
        reply.papers.append(_paper(arxiv_id, fields, authors))
    except ValueError:
        reply.skipped += 1
        reply.unread.add(arxiv_id.value)


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _paper(arxiv_id: ArxivId, fields: dict[str, str], authors: list[list[str]]) -> Paper:
    """The record by the rules of the snapshot, so that one that came both ways has one digest.

    `created` is v1's date, and there is an `updated` where there are later versions. No id is given out before
    v1: a `created` after the id's month is a later version's, and v1's day is then unknown.
    """
    created, updated = _day(fields.get("created", "")), _day(fields.get("updated", ""))
    of_v1 = created is not None and created < arxiv_id.month + timedelta(days=32)
    first = created if created is not None and of_v1 else arxiv_id.month
    return paper_from_record(
        {
            "id": arxiv_id.value,
            "title": fields.get("title"),
            "abstract": fields.get("abstract"),
            "authors_parsed": authors,
            "categories": fields.get("categories"),
            "doi": fields.get("doi"),
            "journal-ref": fields.get("journal-ref"),
            "comments": fields.get("comments"),
            "versions": [
                {"version": "v1" if of_v1 and updated is None else None, "created": first.isoformat()},
            ],
            "update_date": max(updated or first, created or first).isoformat(),
        }
    )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None
