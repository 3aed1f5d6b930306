"""Entries asked about at real sources over a real socket."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from citeplug.bib.compare.enquiry import Enquiry
from citeplug.bib.compare.verify import without_record
from citeplug.bibtex.entries import parse_bib
from citeplug.records.entry_check import EntryCheck
from citeplug.records.work import SERVICES, Service
from citeplug.settings.environment import read_settings
from citeplug.sources.works import open_sources
from tests.harness.arxiv_server import FastClock, Fault
from tests.harness.work_server import WorkServer, published

TODAY = date(2026, 1, 15)
PAPER = published("Toward Unique Identifiers of Everything", doi="10.5555/12345678")
ENTRY = """@article{key, title={Toward Unique Identifiers of Everything}, author={Lovelace, Ada and Babbage, C.},
  journal={Journal of Tests}, year={2015}%s}"""


@pytest.fixture
def server() -> Iterator[WorkServer]:
    with WorkServer(PAPER).serve() as running:
        assert isinstance(running, WorkServer)
        yield running


def enquire(server: WorkServer, home: Path, *services: Service) -> Enquiry:
    settings = read_settings({"CITEPLUG_HOME": str(home), **server.environment()})
    return Enquiry(open_sources(services or SERVICES, settings, clock=FastClock()))


def check(enquiry: Enquiry, more: str = "", **changes: str) -> EntryCheck:
    text = ENTRY % more
    for old, new in changes.items():
        text = text.replace(old, new)
    entry = parse_bib(text)[0]
    before = without_record(entry, against="arxiv", complete=False, today=TODAY)
    return enquiry.check(entry, before, today=TODAY)


def test_the_first_service_that_has_the_work_settles_it(server: WorkServer, tmp_path: Path) -> None:
    found = check(enquire(server, tmp_path))
    assert (found.verdict, found.checked_against) == ("verified", "crossref")
    assert [len(server.asked(service)) for service in SERVICES] == [1, 0, 0, 0]


def test_an_entry_with_its_own_doi_is_settled_by_one_lookup(server: WorkServer, tmp_path: Path) -> None:
    found = check(enquire(server, tmp_path), ", doi={10.5555/12345678}")
    assert found.verdict == "verified"
    assert server.asked("crossref") == ["/works/10.5555%2F12345678"]


def test_what_one_service_lacks_the_next_is_asked_for(server: WorkServer, tmp_path: Path) -> None:
    server.works = [published(PAPER.title, doi=PAPER.doi, services=("dblp",))]
    found = check(enquire(server, tmp_path))
    assert (found.verdict, found.checked_against) == ("verified", "dblp")


def test_what_no_service_knows_is_not_found(server: WorkServer, tmp_path: Path) -> None:
    server.works = []
    found = check(enquire(server, tmp_path))
    assert (found.verdict, found.severity) == ("not_found", "warning")


def test_the_doi_of_another_work_is_found_out(server: WorkServer, tmp_path: Path) -> None:
    server.works.append(published("Something Else Entirely", "Other, Oscar", doi="10.5555/other"))
    found = check(enquire(server, tmp_path), ", doi={10.5555/other}")
    assert (found.verdict, found.severity) == ("differs", "error")
    assert [(change.field, change.value) for change in found.changes] == [("doi", "10.5555/12345678")]


def test_an_outage_is_told_once_and_never_a_verdict(server: WorkServer, tmp_path: Path) -> None:
    server.works = []
    server.replay(lambda asked: Fault.http(503) if "/openalex" in asked.path else None)
    enquiry = enquire(server, tmp_path, "crossref", "openalex")
    verdicts = [check(enquiry, Unique=word).verdict for word in ("Unique", "Rare", "Odd")]
    assert verdicts == ["not_arxiv"] * 3
    assert [finding.code for finding in enquiry.findings] == ["source_unavailable"]
    assert enquiry.outage is not None
    assert len(server.asked("openalex")) == 3  # the tries of the first entry


def test_with_one_of_three_silent_nothing_is_called_not_found(server: WorkServer, tmp_path: Path) -> None:
    server.works = []
    server.replay(lambda asked: Fault.cut_off() if "/dblp" in asked.path else None)
    found = check(enquire(server, tmp_path))
    assert (found.verdict, found.severity) == ("not_arxiv", "info")


def test_a_right_entry_is_verified_though_one_service_is_silent(server: WorkServer, tmp_path: Path) -> None:
    server.replay(lambda asked: Fault.http(500) if "/crossref" in asked.path else None)
    found = check(enquire(server, tmp_path))
    assert (found.verdict, found.checked_against) == ("verified", "openalex")


def test_a_retracted_work_is_told(server: WorkServer, tmp_path: Path) -> None:
    server.works = [published(PAPER.title, doi=PAPER.doi, retracted=True)]
    found = check(enquire(server, tmp_path))
    assert (found.verdict, [finding.code for finding in found.findings]) == ("possibly_withdrawn", ["retracted_work"])


def test_the_dois_of_many_entries_are_asked_for_in_one_request(server: WorkServer, tmp_path: Path) -> None:
    server.works = [published(f"A Study of Things Number {n}", doi=f"10.5555/{n}") for n in range(20)]
    text = "".join(
        f"@article{{k{n}, title={{A Study of Things Number {n}}}, author={{Lovelace, Ada and Babbage, C.}},"
        f" journal={{J}}, year={{2015}}, doi={{10.5555/{n}}}}}\n"
        for n in range(21)
    )
    entries = parse_bib(text)
    enquiry = enquire(server, tmp_path, "crossref")
    enquiry.prepare(entries)
    assert len(server.requests) == 1
    before = without_record(entries[0], against="arxiv", complete=False, today=TODAY)
    assert {enquiry.check(entry, before, today=TODAY).verdict for entry in entries[:20]} == {"verified"}
    assert len(server.requests) == 1
    enquiry.check(entries[20], before, today=TODAY)
    assert server.asked("crossref")[1] == "/works/10.5555%2F20"


def test_a_source_that_is_down_when_told_of_the_dois_is_not_asked_again(server: WorkServer, tmp_path: Path) -> None:
    server.fail_always(Fault.http(503))
    enquiry = enquire(server, tmp_path, "crossref")
    enquiry.prepare(parse_bib("".join(ENTRY.replace("key", f"k{n}") % f", doi={{10.5555/{n}}}" for n in range(9))))
    number = len(server.requests)
    check(enquiry)
    assert (len(server.requests), len(enquiry.findings)) == (number, 1)
