"""Searches by subject at OpenAlex and Semantic Scholar, against a server on loopback that speaks their protocols."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import pytest

from citeplug.errors import SourceUnavailable
from citeplug.records.work import SEARCHED, Service
from citeplug.settings.environment import read_settings
from citeplug.sources.http import Patience
from citeplug.sources.work_service import WorkService
from citeplug.sources.works import open_sources
from tests.harness.arxiv_server import FastClock, Fault
from tests.harness.work_server import WorkServer, inverted, published

ABSTRACT = "We measure QUIC handshakes on the web. Loss hurts them."
BOTH = pytest.mark.parametrize("service", SEARCHED)


def quic(number: int, **more: Any) -> Any:
    extra = {"openalex": {"abstract_inverted_index": inverted(ABSTRACT)}, "semanticscholar": {"abstract": ABSTRACT}}
    return published(f"QUIC transport study {number}", doi=f"10.5555/quic{number}", more=extra, **more)


@pytest.fixture
def server() -> Iterator[WorkServer]:
    with WorkServer(*map(quic, range(230)), published("Tea in cold climates")).serve() as running:
        yield cast(WorkServer, running)


def source(service: Service, server: WorkServer, home: Path, **environment: str) -> WorkService:
    chosen = read_settings({"CITEPLUG_HOME": str(home), **server.environment(), **environment})
    (opened,) = open_sources([service], chosen, patience=Patience(tries=2, total=60.0), clock=FastClock())
    assert isinstance(opened, WorkService)
    return opened


@BOTH
def test_works_come_with_their_abstracts(server: WorkServer, tmp_path: Path, service: Service) -> None:
    works = source(service, server, tmp_path).find("QUIC transport", 3)
    assert [work.title for work in works] == [f"QUIC transport study {n}" for n in range(3)]
    assert {work.abstract for work in works} == {ABSTRACT}
    assert works[0].doi == "10.5555/quic0"


@BOTH
def test_more_than_a_page_is_fetched_page_by_page(server: WorkServer, tmp_path: Path, service: Service) -> None:
    works = source(service, server, tmp_path).find("QUIC transport", 210)
    assert len({work.doi for work in works}) == len(works) == 210
    assert len(server.asked(service)) == 3


@BOTH
def test_where_no_work_has_all_words_those_with_some_are_found(
    server: WorkServer, tmp_path: Path, service: Service
) -> None:
    works = source(service, server, tmp_path).find("quic transport gardening", 5)
    assert len(works) == 5
    # Semantic Scholar has no OR: it is asked a few words at a time.
    assert len(server.asked(service)) == (2 if service == "openalex" else 3)


@BOTH
def test_nothing_found_is_an_answer_that_is_kept(server: WorkServer, tmp_path: Path, service: Service) -> None:
    opened = source(service, server, tmp_path)
    assert opened.find("zebra crossings", 5) == []
    asked = len(server.asked(service))
    assert source(service, server, tmp_path).find("zebra crossings", 5) == []
    assert len(server.asked(service)) == asked


@BOTH
def test_what_says_nothing_is_not_sent(server: WorkServer, tmp_path: Path, service: Service) -> None:
    assert source(service, server, tmp_path).find("to be of the", 5) == []
    assert not server.asked(service)


@BOTH
def test_only_works_from_before_the_day_are_asked_for(server: WorkServer, tmp_path: Path, service: Service) -> None:
    server.works = [quic(1, year=2014), quic(2, year=2021)]
    works = source(service, server, tmp_path).find("QUIC transport", 9, date(2020, 1, 1))
    assert [work.year for work in works] == [2014]
    query = parse_qs(urlsplit(server.asked(service)[0]).query)
    assert "2019-12-31" in json.dumps(query)


@BOTH
@pytest.mark.parametrize(
    "fault",
    [
        Fault.http(500),
        Fault.too_fast(retry_after="7200"),
        Fault(200, b'{"total": 9, "meta": {"count": 9}, "data": [], "results": []}', "application/json"),
        Fault(200, b'{"message": "Too Many Requests", "code": "429"}', "application/json"),
        Fault.cut_off(40),
        Fault.page(),
    ],
    ids=["500", "429", "empty page", "no list", "cut off", "login page"],
)
def test_what_is_no_answer_is_an_outage_with_a_hint(
    server: WorkServer, tmp_path: Path, service: Service, fault: Fault
) -> None:
    server.fail_always(fault)
    with pytest.raises(SourceUnavailable) as caught:
        source(service, server, tmp_path).find("QUIC transport", 5)
    assert "key" in str(caught.value.hint)
    # Nothing of it is kept.
    server.fail_always(None)
    assert len(source(service, server, tmp_path / "other").find("QUIC transport", 5)) == 5


@BOTH
def test_a_hiccup_is_asked_again(server: WorkServer, tmp_path: Path, service: Service) -> None:
    server.fail(Fault.too_fast(retry_after="1"))
    assert len(source(service, server, tmp_path).find("QUIC transport", 5)) == 5


@BOTH
def test_a_page_that_fails_in_the_middle_is_no_part_of_an_answer(
    server: WorkServer, tmp_path: Path, service: Service
) -> None:
    asked: list[str] = []

    def second_fails(request: Any) -> Fault | None:
        asked.append(request.path)
        return Fault.http(403) if len(asked) == 2 else None

    server.replay(second_fails)
    with pytest.raises(SourceUnavailable):
        source(service, server, tmp_path).find("QUIC transport", 150)


def test_a_key_is_sent_in_a_header_alone(server: WorkServer, tmp_path: Path) -> None:
    opened = source("semanticscholar", server, tmp_path, SEMANTIC_SCHOLAR_API_KEY="s3cret")
    opened.find("QUIC transport", 2)
    request = server.requests[-1]
    assert {name.lower(): value for name, value in request.headers.items()}["x-api-key"] == "s3cret"
    assert "s3cret" not in request.path
