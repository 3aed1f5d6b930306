"""Records in OAI-PMH replies of arXiv's, in the metadata format `arXiv` (arxiv-api.md).

Read by hand: clients of OAI-PMH (sickle) build a whole tree, and one record that is no XML costs them the page.
"""

import re
from dataclasses import dataclass, field
from datetime import date, timedelta

from citeplug.records.paper import ArxivId, Paper
from citeplug.sources.snapshot import paper_from_record
from citeplug.sources.xml_walk import walk, xml_text
from citeplug.text.cleaning import plain

_OAI = "http://www.openarchives.org/OAI/2.0/"
_IDENTIFIER = re.compile(r"oai:arXiv\.org:(.+)", re.IGNORECASE)
_REFERENCE = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,8})|([0-9]{1,10}));")


@dataclass(slots=True)
class OaiReply:
    """One page of ListRecords. `errors` are (code, message); `token` leads to the next page, None after the last.

    `deleted` are ids, `skipped` counts records that cannot be used, and `unread` holds the ids of those that
    show one. `total` is the whole list's length and `responded` the server's day, where it tells them.
    """

    papers: list[Paper] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    skipped: int = 0
    unread: set[str] = field(default_factory=set)
    token: str | None = None
    total: int | None = None
    responded: date | None = None
    errors: list[tuple[str, str]] = field(default_factory=list)


def read_reply(body: bytes) -> OaiReply:
    """Read one reply. Raises NotAFeed, with the reason, if it is cut short or no OAI-PMH at all.

    Document types, and with them entities, are refused. A record that cannot be used costs only itself.
    """
    reply = OaiReply()
    reader = _Reader(reply)
    walk(_REFERENCE.sub(_readable, xml_text(body)), f"{_OAI} OAI-PMH", "OAI-PMH", reader.start, reader.end)
    return reply


def _readable(reference: re.Match[str]) -> str:
    """The reference, or nothing if it names a character that no XML may hold: it would spoil the page."""
    number = int(reference[1], 16) if reference[1] else int(reference[2])
    allowed = number in (9, 10, 13) or 0x20 <= number < 0xD800 or 0xE000 <= number < 0xFFFE
    return reference[0] if allowed or 0x10000 <= number <= 0x10FFFF else ""


class _Reader:
    """One pass over a reply: `start` and `end` of `walk`, and the record that is open."""

    def __init__(self, reply: OaiReply) -> None:
        self._reply = reply
        self._fields: dict[str, str] = {}
        self._authors: list[list[str]] = []
        self._status = ""
        self._code = ""

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        local = _local(path[-1])
        if local == "record":
            self._fields, self._authors, self._status = {}, [], ""
        elif local == "header":
            self._status = attributes.get("status", "")
        elif local == "author":
            self._authors.append(["", "", ""])
        elif local == "error":
            self._code = attributes.get("code", "")
        elif local == "resumptionToken":
            size = attributes.get("completeListSize", "")
            self._reply.total = int(size) if re.fullmatch(r"[0-9]{1,9}", size) else None

    def end(self, path: list[str], text: str) -> None:
        local = _local(path[-1])
        if local == "record":
            self._close_record()
        elif local in ("keyname", "forenames", "suffix") and self._authors:
            self._authors[-1][("keyname", "forenames", "suffix").index(local)] = text
        elif "record" in map(_local, path):
            self._fields.setdefault(local, text)
        elif local == "error":
            self._reply.errors.append((plain(self._code), plain(text)[:200]))
        elif local == "resumptionToken":
            self._reply.token = text.strip() or None
        elif local == "responseDate":
            self._reply.responded = _day(text)

    def _close_record(self) -> None:
        named = self._fields.get("id") or (_IDENTIFIER.match(self._fields.get("identifier", "").strip()) or ("", ""))[1]
        try:
            arxiv_id = ArxivId.parse(named)
        except ValueError:
            self._reply.skipped += 1
            return
        if self._status.strip() == "deleted":
            self._reply.deleted.append(arxiv_id.value)
            return
        try:
            self._reply.papers.append(_paper(arxiv_id, self._fields, self._authors))
        except ValueError:
            self._reply.skipped += 1
            self._reply.unread.add(arxiv_id.value)


def _local(name: str) -> str:
    return name.rpartition(" ")[2]


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
