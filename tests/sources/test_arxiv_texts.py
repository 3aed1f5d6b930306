"""arXiv's e-prints and PDFs, at one pace with its API."""

from pathlib import Path

import pytest

from citeplug.errors import SourceUnavailable
from citeplug.records.paper import ArxivId
from citeplug.settings.environment import Settings
from citeplug.sources.arxiv import ArxivSource
from citeplug.sources.arxiv_texts import ArxivTexts
from tests.harness.arxiv_server import ArxivServer, FastClock, Fault, paper

ID = ArxivId("1801.00001")


@pytest.fixture
def settings(tmp_path: Path, arxiv_server: ArxivServer) -> Settings:
    urls = (arxiv_server.url, arxiv_server.eprint_url, arxiv_server.pdf_url)
    return Settings(tmp_path, urls[0], 3.0, eprint_url=urls[1], pdf_url=urls[2])


def test_a_source_comes_with_the_version_that_its_name_says(settings: Settings, arxiv_server: ArxivServer) -> None:
    arxiv_server.put_source("1801.00001v4", b"\x1f\x8bsource")
    texts = ArxivTexts(settings, clock=FastClock())
    received = texts.get("eprint", ID)
    assert received is not None and (received.data, received.version) == (b"\x1f\x8bsource", 4)
    assert texts.get("pdf", ID) is None
    assert texts.get("eprint", ArxivId("hep-th/9901001", 2)) is None
    assert arxiv_server.asked_texts() == ["e-print/1801.00001", "pdf/1801.00001", "e-print/hep-th/9901001v2"]


def test_one_delay_holds_for_the_api_the_sources_and_the_pdfs(settings: Settings, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(paper("1801.00001", "A title"))
    arxiv_server.put_source("1801.00001v1", b"x")
    arxiv_server.put_pdf("1801.00001v1", b"%PDF-")
    clock = FastClock()
    ArxivSource(settings, clock=clock).fetch([ID])
    one, another = ArxivTexts(settings, clock=clock), ArxivTexts(settings, clock=clock)
    one.get("eprint", ID)
    another.get("pdf", ID)
    assert len(clock.slept) >= 2 and sum(clock.slept) >= 6.0


def test_arxiv_s_own_hosts_are_never_asked_sooner_than_after_three_seconds(tmp_path: Path) -> None:
    texts = ArxivTexts(Settings(tmp_path, "http://127.0.0.1:9/api/query", 0.0))
    assert {client._pace.delay for client in texts._clients.values()} == {3.0}


@pytest.mark.parametrize("fault", [Fault.http(503), Fault.too_fast(), Fault.cut_off(20), Fault.http(403)])
def test_an_outage_is_no_answer(settings: Settings, arxiv_server: ArxivServer, fault: Fault) -> None:
    arxiv_server.put_source("1801.00001v4", b"x" * 100)
    arxiv_server.fail_always(fault)
    with pytest.raises(SourceUnavailable) as caught:
        ArxivTexts(settings, clock=FastClock()).get("eprint", ID)
    assert caught.value.hint


def test_offline_nothing_is_asked(tmp_path: Path) -> None:
    with pytest.raises(SourceUnavailable, match="offline"):
        ArxivTexts(Settings(tmp_path, offline=True)).get("eprint", ID)
