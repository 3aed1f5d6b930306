"""`citeplug check --sources` as a user and a script run it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import Run
from tests.harness.arxiv_server import ArxivServer, Fault
from tests.harness.work_server import WorkServer, published

RIGHT = """@article{right, title = {Toward Unique Identifiers of Everything}, author = {Lovelace, Ada and Babbage, C.},
  journal = {Journal of Tests}, year = {2015}}
"""
WRONG = RIGHT.replace("right,", "wrong,").replace("Babbage, C.", "Nobody, Nora")
NOWHERE = RIGHT.replace("right,", "nowhere,").replace("Unique Identifiers", "Invented Gadgets")
ALL = "crossref,openalex,dblp"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, arxiv_server: ArxivServer) -> Iterator[WorkServer]:
    """The services, beside an arXiv that has none of the papers."""
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    monkeypatch.setenv("CITEPLUG_ARXIV_DELAY", "0")
    with WorkServer(published("Toward Unique Identifiers of Everything")).serve() as running:
        assert isinstance(running, WorkServer)
        for name, value in running.environment().items():
            monkeypatch.setenv(name, value)
        yield running


@pytest.fixture
def bib(tmp_path: Path) -> Path:
    file = tmp_path / "refs.bib"
    file.write_text(RIGHT + WRONG + NOWHERE, encoding="utf-8")
    return file


def test_entries_outside_arxiv_are_judged_by_the_services(run: Run, server: WorkServer, bib: Path) -> None:
    done = run("check", bib, "--sources", ALL, "--json")
    told = {entry["key"]: (entry["verdict"], entry["severity"]) for entry in done.json}
    assert told == {
        "right": ("verified", "none"),
        "wrong": ("differs", "error"),
        "nowhere": ("not_found", "warning"),
    }
    assert done.code == 1


def test_what_is_sent_is_said_once_for_each_service(run: Run, server: WorkServer, bib: Path) -> None:
    done = run("check", bib, "--sources", ALL, "--json")
    said = [line for line in done.err.splitlines() if line.startswith("asking ")]
    services = [name for line in said if (name := line.split(":")[0]) != "asking arXiv"]
    assert services == ["asking Crossref", "asking OpenAlex", "asking DBLP"]


def test_without_sources_nothing_is_asked_and_nobody_suspected(run: Run, server: WorkServer, bib: Path) -> None:
    done = run("check", bib, "--json")
    assert {entry["verdict"] for entry in done.json} == {"not_arxiv"}
    assert (done.code, server.requests) == (0, [])


def test_offline_and_sources_contradict_each_other(run: Run, server: WorkServer, bib: Path) -> None:
    done = run("check", bib, "--offline", "--sources", "crossref")
    assert (done.code, server.requests) == (2, [])
    assert "cannot be combined" in done.err


def test_an_unknown_service_is_named_with_those_that_there_are(run: Run, bib: Path) -> None:
    done = run("check", bib, "--sources", "scopus")
    assert done.code == 2
    assert "crossref" in done.err


def test_an_outage_ends_with_3_and_prints_what_is_known(run: Run, server: WorkServer, bib: Path) -> None:
    bib.write_text(RIGHT, encoding="utf-8")
    server.fail_always(Fault(401, b"no"))
    done = run("check", bib, "--sources", "dblp", "--json")
    assert (done.code, [entry["verdict"] for entry in done.json]) == (3, ["not_arxiv"])
    assert "DBLP" in done.err
