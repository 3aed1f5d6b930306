"""arXiv's OAI-PMH service: its protocol, its faults, and its records."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.corpus.record_rows import record_digest
from citeplug.errors import SourceUnavailable, UsageError
from citeplug.protocols import HarvestPage
from citeplug.settings.environment import Settings
from citeplug.sources.http import Patience
from citeplug.sources.oai import OaiSource
from citeplug.sources.oai_records import read_reply
from citeplug.sources.snapshot import paper_from_record
from citeplug.sources.xml_tree import NotAFeed
from tests.harness.arxiv_server import FastClock, Fault, paper
from tests.harness.oai_server import OaiServer, document

DAY = date(2026, 11, 20)
MANY = [paper(f"2611.{number:05d}", f"Paper {number}") for number in range(1, 8)]


@pytest.fixture
def oai() -> Iterator[OaiServer]:
    with OaiServer(page=3).serve() as running:
        assert isinstance(running, OaiServer)
        yield running


@pytest.fixture
def source(oai: OaiServer, clock: FastClock, tmp_path: Path) -> OaiSource:
    return OaiSource(Settings(tmp_path, oai_url=oai.url, arxiv_delay=0.0), clock=clock)


def ids(pages: list[HarvestPage]) -> list[str]:
    return [each.id.value for page in pages for each in page.papers]


def test_a_day_comes_in_pages_to_its_end(oai: OaiServer, source: OaiSource) -> None:
    oai.touch(DAY, *MANY)
    pages = list(source.pages(DAY, None))
    assert [len(page.papers) for page in pages] == [3, 3, 1]
    assert ids(pages) == [each.id.value for each in MANY]
    assert oai.requests[0].params == {
        "verb": "ListRecords",
        "metadataPrefix": "arXiv",
        "from": "2026-11-20",
        "until": "2026-11-20",
    }
    assert set(oai.requests[1].params) == {"verb", "resumptionToken"}
    assert "citeplug/" in oai.requests[0].headers["user-agent"]


def test_only_the_set_that_is_wanted_is_asked_for(oai: OaiServer, source: OaiSource) -> None:
    oai.touch(DAY, MANY[0], sets=("math", "math:math"))
    oai.touch(DAY, MANY[1])
    assert ids(list(source.pages(DAY, "math"))) == ["2611.00001"]


def test_a_day_without_records_is_an_empty_page(oai: OaiServer, source: OaiSource) -> None:
    pages = list(source.pages(DAY, None))
    assert (ids(pages), pages[0].responded) == ([], date(2026, 11, 21))


def test_a_token_that_expires_starts_the_day_again_and_nothing_earlier(oai: OaiServer, source: OaiSource) -> None:
    oai.touch(DAY, *MANY)
    oai.expire_tokens(after=2)
    pages = list(source.pages(DAY, None))
    assert set(ids(pages)) == {each.id.value for each in MANY}
    assert oai.asked_days() == [DAY, DAY]


def test_a_service_that_takes_back_every_token_is_given_up(oai: OaiServer, source: OaiSource) -> None:
    oai.replay(
        lambda asked: (
            document('<error code="badResumptionToken">no</error>') if "resumptionToken" in asked.params else None
        )
    )
    oai.touch(DAY, *MANY)
    with pytest.raises(SourceUnavailable, match="rejects"):
        list(source.pages(DAY, None))
    assert len(oai.asked_days()) == 3


def test_a_token_that_leads_in_a_circle_is_noticed(oai: OaiServer, source: OaiSource) -> None:
    oai.fail_always(document("<ListRecords><resumptionToken>again</resumptionToken></ListRecords>"))
    with pytest.raises(SourceUnavailable, match="again and again"):
        list(source.pages(DAY, None))


@pytest.mark.parametrize(
    "fault",
    [
        Fault(503, b"busy", headers=(("Retry-After", "120"),)),
        Fault.too_fast("60"),
        Fault.http(500),
        Fault.cut_off(400),
        Fault.cut_off(400, length=False),
        Fault(200, b"<OAI-PMH", "text/xml"),
        Fault.page(),
    ],
    ids=["503", "429", "500", "dropped", "cut", "malformed", "portal"],
)
def test_a_failure_that_passes_loses_and_doubles_nothing(
    oai: OaiServer, source: OaiSource, clock: FastClock, fault: Fault
) -> None:
    oai.touch(DAY, *MANY)
    oai.fail(fault, times=2)
    assert ids(list(source.pages(DAY, None))) == [each.id.value for each in MANY]
    wanted = {503: 120, 429: 60}.get(fault.status, 0)
    assert sum(clock.slept) >= 2 * wanted


def test_a_failure_that_lasts_is_an_outage(oai: OaiServer, clock: FastClock, tmp_path: Path) -> None:
    source = OaiSource(Settings(tmp_path, oai_url=oai.url, arxiv_delay=0.0), patience=Patience(tries=3), clock=clock)
    oai.fail_always(Fault.http(503))
    with pytest.raises(SourceUnavailable, match="3 tries"):
        list(source.pages(DAY, None))


@pytest.mark.parametrize("name", ["nosuch", "../etc", "a b", "cs&verb=Identify", ""])
def test_a_set_that_is_none_is_the_users_mistake(source: OaiSource, name: str) -> None:
    with pytest.raises(UsageError):
        list(source.pages(DAY, name))


def test_offline_sends_nothing(oai: OaiServer, tmp_path: Path) -> None:
    source = OaiSource(Settings(tmp_path, oai_url=oai.url, arxiv_delay=0.0, offline=True))
    with pytest.raises(SourceUnavailable, match="offline"):
        list(source.pages(DAY, None))
    assert not oai.requests


def test_requests_keep_the_pace(oai: OaiServer, clock: FastClock, tmp_path: Path) -> None:
    oai.touch(DAY, *MANY)
    source = OaiSource(Settings(tmp_path, oai_url=oai.url, arxiv_delay=3.0), clock=clock)
    list(source.pages(DAY, None))
    assert len(oai.requests) == 3
    assert sum(clock.slept) >= 2 * 2.9


def test_entities_are_refused() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><OAI-PMH>&b;</OAI-PMH>'
    with pytest.raises(NotAFeed, match="document type"):
        read_reply(bomb)


def test_a_reply_that_drips_is_waited_for_once_and_no_longer_than_agreed(
    oai: OaiServer, clock: FastClock, tmp_path: Path
) -> None:
    oai.fail_always(Fault(body=b"x" * 10_000, drip=0.05))
    patience = Patience(silence=5, transfer=0.5)
    source = OaiSource(Settings(tmp_path, oai_url=oai.url, arxiv_delay=0.0), patience=patience, clock=clock)
    with pytest.raises(SourceUnavailable, match="still incomplete"):
        list(source.pages(DAY, None))
    assert len(oai.requests) == 1


def test_a_reply_larger_than_the_limit_is_refused(oai: OaiServer, clock: FastClock, tmp_path: Path) -> None:
    oai.fail_always(Fault.gigantic(2 * 2**20))
    patience = Patience(tries=2, size=2**20)
    source = OaiSource(Settings(tmp_path, oai_url=oai.url, arxiv_delay=0.0), patience=patience, clock=clock)
    with pytest.raises(SourceUnavailable, match="larger"):
        list(source.pages(DAY, None))


@given(st.binary(max_size=200) | st.text(alphabet="<>/&;#x0OAI-PMH recodt\"'= ", max_size=200).map(str.encode))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    with suppress(NotAFeed):
        read_reply(body)


def one(xml: str, header: str = "") -> bytes:
    identifier = "<identifier>oai:arXiv.org:1706.03762</identifier>"
    made = document(
        f"<ListRecords><record><header{header}>{identifier}</header><metadata>"
        f'<arXiv xmlns="http://arxiv.org/OAI/arXiv/">{xml}</arXiv></metadata></record></ListRecords>'
    )
    assert made.body is not None
    return made.body


def test_a_record_that_cannot_be_used_costs_only_itself(oai: OaiServer, source: OaiSource) -> None:
    oai.touch(DAY, MANY[0])
    oai.raw(DAY, "2611.00002", "<id>2611.00002</id>")
    oai.raw(DAY, "what", "<id>what</id><title>T</title>")
    (page,) = source.pages(DAY, None)
    assert (ids([page]), page.skipped, page.unread) == (["2611.00001"], 2, frozenset({"2611.00002"}))


def test_forbidden_characters_cost_only_themselves() -> None:
    reply = read_reply(one("<id>1706.03762</id><title>A&#x1b;[31m&#0;\x07 title&#xD800; &#233;</title>"))
    assert reply.papers[0].title == "A[31m title é"


def test_a_deleted_record_is_told_by_its_header(oai: OaiServer, source: OaiSource) -> None:
    oai.raw(DAY, "hep-th/9901001", None)
    (page,) = source.pages(DAY, None)
    assert (page.deleted, page.skipped) == (["hep-th/9901001"], 0)


def test_a_record_by_the_service_and_one_of_the_snapshot_have_one_digest() -> None:
    snapshot = {
        "id": "1706.03762",
        "title": "Attention\n  Is All You Need",
        "abstract": "  We propose.\n",
        "authors_parsed": [["Vaswani", "Ashish", "", "Google"], ["Erd\\H{o}s", "Paul", "Jr"], [":", "", ""]],
        "categories": "cs.CL cs.LG",
        "comments": "15 pages,\n 5 figures",
        "doi": "10.1000/X",
        "journal-ref": None,
        "versions": [{"version": "v1", "created": "Mon, 12 Jun 2017 17:57:34 GMT"}],
        "update_date": "2017-06-12",
    }
    reply = read_reply(
        one(
            "<id>1706.03762</id><created>2017-06-12</created><authors>"
            "<author><keyname>Vaswani</keyname><forenames>Ashish</forenames><affiliation>Google</affiliation></author>"
            "<author><keyname>Erdős</keyname><forenames>Paul</forenames><suffix>Jr</suffix></author>"
            "<author><keyname>:</keyname></author></authors>"
            "<title>Attention Is All\n  You Need</title><categories>cs.CL cs.LG</categories>"
            "<comments>15 pages, 5 figures</comments><doi>10.1000/X</doi><license>x</license>"
            "<abstract>  We propose.\n</abstract>"
        )
    )
    assert reply.papers == [paper_from_record(snapshot)]
    assert record_digest(reply.papers[0]) == record_digest(paper_from_record(snapshot))


@pytest.mark.parametrize(
    "days, version, published, updated",
    [
        ("<created>2017-06-12</created>", 1, date(2017, 6, 12), date(2017, 6, 12)),
        ("<created>2017-06-12</created><updated>2023-08-02</updated>", None, date(2017, 6, 12), date(2023, 8, 2)),
        ("<created>2017-07-01</created>", 1, date(2017, 7, 1), date(2017, 7, 1)),
        ("<created>2023-08-02</created>", None, date(2017, 6, 1), date(2023, 8, 2)),
        ("", None, date(2017, 6, 1), date(2017, 6, 1)),
        ("<created>soon</created><updated>later</updated>", None, date(2017, 6, 1), date(2017, 6, 1)),
    ],
)
def test_dates_tell_whether_it_is_the_first_version(
    days: str, version: int | None, published: date, updated: date
) -> None:
    (found,) = read_reply(one(f"<id>1706.03762</id>{days}<title>T</title>")).papers
    assert (found.id.version, found.published, found.updated) == (version, published, updated)


@pytest.mark.shared_data
def test_recorded_replies_are_read(shared_data: Path) -> None:
    body = (shared_data / "feeds" / "oai_arxiv-physics-hep-th.xml").read_bytes()
    reply = read_reply(body)
    assert [each.id.value for each in reply.papers] == ["1412.8323", "1507.07790", "1607.01710"]
    assert reply.papers[0].title == "Toolbox for reconstructing quantum theory from rules on information acquisition"
    assert reply.papers[2].authors[3] == "A. de Souza Dutra"
    (keck,) = read_reply((shared_data / "feeds" / "oai_sample_arxiv_record4.xml").read_bytes()).papers
    assert (keck.authors[0], keck.authors[2], keck.id.version) == ("Keck Array", "P. Ade", 1)
