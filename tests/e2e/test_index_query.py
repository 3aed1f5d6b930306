"""`citeplug index add --query`: the catalogue topped up by arXiv's search."""

import pytest

from tests.e2e.conftest import Run
from tests.harness.arxiv_server import ArxivServer, Fault, paper


@pytest.fixture
def arxiv(arxiv_server: ArxivServer, monkeypatch: pytest.MonkeyPatch) -> ArxivServer:
    """A server with three papers on tea, one of them in another category, and 150 on coffee."""
    arxiv_server.add(
        paper("2101.00001", "Brewing Oolong Tea", "Fermented leaves."),
        paper("2101.00002", "Oolong Leaves", "Tea fermented slowly.", categories=("stat.ML", "cs.LG")),
        paper("2101.00003", "Oolong in Statistics", "Tea, fermented.", categories=("math.ST",)),
        *(paper(f"2102.{number:05d}", f"Coffee number {number}", "Roasting.") for number in range(1, 151)),
    )
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    return arxiv_server


def test_what_the_search_finds_is_taken_in_and_the_query_shown(run: Run, arxiv: ArxivServer) -> None:
    done = run("index", "add", "--query", "oolong fermented", "--json")
    assert (done.code, done.json["added"]) == (0, 3), done.err
    assert [f"asking arXiv: {query}" in done.err for query in arxiv.asked_queries()] == [True, True]
    again = run("index", "add", "--query", "oolong fermented", "--json").json
    assert (again["added"], again["unchanged"]) == (0, 3)


def test_categories_narrow_the_search(run: Run, arxiv: ArxivServer) -> None:
    assert run("index", "add", "--query", "oolong", "--category", "math", "--json").json["added"] == 1
    assert run("index", "add", "--query", "oolong", "--category", "cs.LG", "--category", "math.ST").code == 0
    assert run("index", "info", "--json").json["records"] == 2
    assert any("cat:math.*" in query for query in arxiv.asked_queries())


def test_no_more_than_wanted_is_taken_in_over_several_pages(run: Run, arxiv: ArxivServer) -> None:
    assert run("index", "add", "--query", "coffee", "--max", "120", "--json").json["added"] == 120
    assert run("index", "add", "--query", "coffee", "--max", "150", "--json").json["added"] == 30


def test_an_outage_is_no_empty_result(run: Run, arxiv: ArxivServer) -> None:
    arxiv.fail_always(Fault.http(404))
    done = run("index", "add", "--query", "oolong")
    assert (done.code, done.out) == (3, "")


def test_nothing_is_sent_offline(run: Run, arxiv: ArxivServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEPLUG_OFFLINE", "1")
    assert run("index", "add", "--query", "oolong").code == 3
    assert not arxiv.requests


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--query", "?!"),
        ("--query", "tea", "--complete"),
        ("--query", "tea", "--category", "cs) OR (all:x"),
        ("file.jsonl", "--query", "tea"),
        ("file.jsonl", "--category", "cs"),
        ("--query", "tea", "--max", "0"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(run: Run, arxiv: ArxivServer, arguments: tuple[str, ...]) -> None:
    assert run("index", "add", *arguments).code == 2
    assert not arxiv.requests
