"""A loopback server that speaks arXiv's OAI-PMH, with the faults of `tests.harness.arxiv_server` and its own on demand.

    server = OaiServer()
    server.touch(date(2026, 11, 20), paper("2611.00001", "On Tea"), sets=("cs", "cs:cs", "cs:cs:CL"))
    with server.serve():
        server.expire_tokens(after=2)             # the third page of a list is refused, once
        ... run citeplug with CITEPLUG_OAI_URL=server.url ...
        assert server.asked_days() == [date(2026, 11, 20)]

As arXiv's own does it tells days only, answers errors with status 200, and gives out tokens without counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from xml.sax.saxutils import escape

from citeplug.records.paper import Paper
from tests.harness.arxiv_server import ArxivServer, Asked, Fault

_XML = "text/xml; charset=utf-8"
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/'
    ' http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">\n'
)


@dataclass(frozen=True, slots=True)
class Touched:
    """One record as the service lists it; `xml` is its metadata, None for a deleted one."""

    value: str
    stamp: date
    sets: tuple[str, ...]
    xml: str | None


class OaiServer(ArxivServer):
    """What was touched on which day. `today` is the server's day, `page` the records of one reply."""

    def __init__(self, today: date = date(2026, 11, 21), page: int = 100) -> None:
        super().__init__()
        self.today = today
        self.page = page
        self._touched: dict[str, Touched] = {}
        self._expire_after: int | None = None

    def touch(self, stamp: date, *papers: Paper, sets: tuple[str, ...] = ("cs", "cs:cs")) -> None:
        """List papers as changed on that day, and on no other."""
        for each in papers:
            self.raw(stamp, each.id.value, metadata(each), sets)

    def raw(self, stamp: date, value: str, xml: str | None, sets: tuple[str, ...] = ("cs",)) -> None:
        """As `touch`, with metadata as they are; None says that the record was deleted."""
        self._touched[value] = Touched(value, stamp, sets, xml)

    def expire_tokens(self, after: int) -> None:
        """Refuse the next token that leads past so many pages; only once."""
        self._expire_after = after

    def asked_days(self) -> list[date]:
        """The days of the lists asked for; what a token asks for is not counted."""
        return [date.fromisoformat(r.params["from"]) for r in self.requests if "from" in r.params]

    def answer(self, asked: Asked, *, entries: bool = True) -> tuple[int, bytes, str]:
        params = asked.params
        if params.get("verb") != "ListRecords":
            return self._oai_error("badVerb", "Illegal verb")
        token = params.get("resumptionToken")
        if token is not None:
            if set(params) != {"verb", "resumptionToken"}:
                return self._oai_error("badArgument", "No other parameters allowed with resumptionToken")
            first, last, of_set, skip = token.split("|")
            if self._expire_after is not None and int(skip) >= self._expire_after * self.page:
                self._expire_after = None
                return self._oai_error("badResumptionToken", "Token has expired")
        else:
            if params.get("metadataPrefix") != "arXiv":
                return self._oai_error("cannotDisseminateFormat", "Did not recognize requested format")
            first, last, of_set = params["from"], params["until"], params.get("set", "")
            skip = "0"
            if of_set == "nosuch":
                return self._oai_error("badArgument", "Set does not exist")
        return self._list(date.fromisoformat(first), date.fromisoformat(last), of_set, int(skip))

    def _list(self, first: date, last: date, of_set: str, skip: int) -> tuple[int, bytes, str]:
        found = [t for t in self._touched.values() if first <= t.stamp <= last and (not of_set or of_set in t.sets)]
        if not found:
            return self._oai_error("noRecordsMatch", "No records match")
        body = "".join(_record(touched) for touched in found[skip : skip + self.page])
        if skip + self.page < len(found):
            body += f"<resumptionToken>{first}|{last}|{of_set}|{skip + self.page}</resumptionToken>"
        elif skip:
            body += "<resumptionToken/>"
        return 200, self._document(f"<ListRecords>{body}</ListRecords>"), _XML

    def _oai_error(self, code: str, message: str) -> tuple[int, bytes, str]:
        return 200, self._document(f'<error code="{code}">{message}</error>'), _XML

    def _document(self, inside: str) -> bytes:
        stamp = f"<responseDate>{self.today}T09:00:00Z</responseDate>"
        return f"{_HEAD}{stamp}<request>http://oaipmh.arxiv.org/oai</request>{inside}</OAI-PMH>".encode()


def document(inside: str) -> Fault:
    """Any content as a reply of the service."""
    return Fault(200, f"{_HEAD}<responseDate>2026-11-21T09:00:00Z</responseDate>{inside}</OAI-PMH>".encode(), _XML)


def metadata(paper: Paper) -> str:
    """As arXiv writes it: names in pieces, no version, `updated` only if there is a later one than v1."""
    parts = [f"<id>{paper.id.value}</id><created>{paper.published}</created>"]
    if paper.id.version not in (None, 1):
        parts.append(f"<updated>{paper.updated}</updated>")
    parts.append(f"<authors>{''.join(_author(name) for name in paper.authors)}</authors>")
    fields: Sequence[tuple[str, str | None]] = (
        ("title", paper.title),
        ("categories", " ".join(paper.categories)),
        ("comments", paper.comment),
        ("journal-ref", paper.journal_ref),
        ("doi", paper.doi),
        ("license", "http://creativecommons.org/licenses/by/4.0/"),
        ("abstract", f"  {paper.abstract}\n"),
    )
    parts += [f"<{name}>{escape(text)}</{name}>" for name, text in fields if text]
    return "".join(parts)


def _author(name: str) -> str:
    given, _, family = name.rpartition(" ")
    forenames = f"<forenames>{escape(given)}</forenames>" if given else ""
    return f"<author><keyname>{escape(family)}</keyname>{forenames}</author>"


def _record(touched: Touched) -> str:
    status = ' status="deleted"' if touched.xml is None else ""
    header = (
        f"<header{status}><identifier>oai:arXiv.org:{touched.value}</identifier><datestamp>{touched.stamp}</datestamp>"
        f"{''.join(f'<setSpec>{name}</setSpec>' for name in touched.sets)}</header>"
    )
    if touched.xml is None:
        return f"<record>{header}</record>"
    return f'<record>{header}<metadata><arXiv xmlns="http://arxiv.org/OAI/arXiv/">{touched.xml}</arXiv></metadata></record>\n'
