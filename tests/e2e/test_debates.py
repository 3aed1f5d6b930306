"""The debate on each paper, as `citeplug papers` and the record of a section have it; the model is a server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeplug.text.quotation import find_quote
from tests.e2e.conftest import LIBRARY, Run
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.debates import ABSENT, PLAIN, debating
from tests.harness.model_server import Fault

BY_DEBATE = ("--offline", "--llm", "anthropic", "--rank", "debate", "--breadth", 3)
ABSTRACTS = {paper["id"]: paper["abstract"] for paper in map(json.loads, LIBRARY.read_text("utf-8").splitlines())}


@pytest.fixture
def server(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with AnthropicServer(debating).serve() as running:
        for name, value in running.environment().items():
            monkeypatch.setenv(name, value)
        yield running


def record_of(main: Path) -> Path:
    return main.parent / ".citeplug" / "provenance.json"


def check(arxiv_id: str, debate: Any, side_for: str = "for", side_against: str = "against") -> None:
    """A debate has its probability, and the one argument on each side that quotes the abstract."""
    assert 80 < debate["probability"] < 90
    assert [argument["argument"] for argument in debate[side_for]] == [PLAIN]
    assert [argument["argument"] for argument in debate[side_against]] == ["It is on something else."]
    for argument in (*debate[side_for], *debate[side_against]):
        assert find_quote(argument["quote"], ABSTRACTS[arxiv_id])


def test_each_paper_has_its_arguments_with_their_quotations(run: Run, project: Path, server: AnthropicServer) -> None:
    done = run("papers", project, *BY_DEBATE, "-k", 20, "--json")
    assert done.code == 0, done.err
    debated = {paper["arxiv_id"]: paper["debate"] for paper in done.json if paper["debate"] is not None}
    assert len(debated) >= 6 and {paper["arxiv_id"] for paper in done.json if paper["chosen"]} <= set(debated)
    for arxiv_id, debate in debated.items():
        assert set(debate) == {"probability", "for", "against"}
        check(arxiv_id, debate)
    chances = [paper["debate"]["probability"] for paper in done.json if paper["chosen"]]
    assert chances == sorted(chances, reverse=True)


def test_a_reader_sees_them_and_nothing_that_steers_the_terminal(
    run: Run, project: Path, server: AnthropicServer
) -> None:
    done = run("papers", project, *BY_DEBATE)
    assert done.code == 0, done.err
    first = done.out.partition("\n  2. ")[0]
    assert "\n     debated by a model: cited with probability 89 %\n" in first
    assert f"\n     for: {PLAIN} “" in first and "\n     against: It is on something else. “" in first
    assert ABSENT not in done.out and "It is made up." not in done.out
    assert not any(sign in done.out + done.err for sign in "\x1b\x07\u202e\ufffd")
    assert "ranking: " in done.out and "in the debate 6 arguments had no quotation" in done.err


def test_the_record_of_a_section_keeps_them_for_later_lists_and_runs(
    run: Run, project: Path, server: AnthropicServer
) -> None:
    done = run("related", project, *BY_DEBATE, "--json")
    assert done.code == 0, done.err
    record = json.loads(record_of(project).read_text("utf-8"))
    for paper in done.json["shortlist"]:
        check(paper["arxiv_id"], paper["debate"])
    assert {paper["arxiv_id"] for paper in done.json["shortlist"]} < set(record["debates"])
    for arxiv_id, debate in record["debates"].items():
        check(arxiv_id, debate, "arguments_for", "arguments_against")
    asked = len(server.requests)
    assert run("related", project, "--offline", "--breadth", 3, "--words", 60).code == 0
    assert json.loads(record_of(project).read_text("utf-8"))["debates"] == record["debates"]
    listed = run("papers", project, "--offline", "--breadth", 3, "--json").json
    assert sum(paper["debate"] is not None for paper in listed) >= 6
    for paper in listed:
        if paper["arxiv_id"] in record["debates"]:
            check(paper["arxiv_id"], paper["debate"])
        else:
            assert paper["debate"] is None
    assert len(server.requests) == asked


def test_what_is_forged_in_a_record_is_not_shown(run: Run, project: Path, server: AnthropicServer) -> None:
    assert run("related", project, *BY_DEBATE).code == 0
    record = json.loads(record_of(project).read_text("utf-8"))
    forged, odd, *_ = record["debates"]
    record["debates"][forged]["arguments_for"][0]["quote"] = ABSENT
    record["debates"][forged]["arguments_against"][0]["argument"] += "\x1b[2J"
    record["debates"][forged]["probability"] = 1e300
    record["debates"][odd] = {"probability": "high", "arguments_for": [3, {"argument": 5}], "arguments_against": "x"}
    record_of(project).write_text(json.dumps(record), "utf-8")
    done = run("papers", project, "--offline", "--breadth", 3, "-k", 60, "--json")
    debates = {paper["arxiv_id"]: paper["debate"] for paper in done.json}
    assert (debates[forged]["probability"], debates[forged]["for"]) == (None, [])
    assert [argument["argument"] for argument in debates[forged]["against"]] == ["It is on something else."]
    assert debates[odd] == {"probability": None, "for": [], "against": []}


def test_a_model_is_asked_only_by_whoever_speaks_of_one(
    run: Run, own_home: Path, project: Path, server: AnthropicServer
) -> None:
    (own_home / "config.toml").write_text('[language_model]\nuse = "anthropic"\n', "utf-8")
    assert run("papers", project, "--offline").code == 0 and not server.requests
    assert run("papers", project, "--offline", "--rank", "debate", "--breadth", 3).code == 0 and server.requests
    done = run("papers", project, "--offline", "--new", "--rank", "debate")
    assert done.code == 2 and "--new" in done.err
    done = run("papers", project, "--offline", "--llm", "none", "--rank", "debate")
    assert done.code == 2 and "needs a language model" in done.err


def test_without_an_answer_the_papers_are_listed_all_the_same(run: Run, project: Path, server: AnthropicServer) -> None:
    server.script = lambda request: Fault(400)
    done = run("papers", project, *BY_DEBATE, "--json")
    assert done.code == 0 and "model_unavailable" in done.err
    assert done.json and all(paper["debate"] is None for paper in done.json)
