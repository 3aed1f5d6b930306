"""`citeplug prepare --llm`, with a language model over the wire."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeplug.records.dialogue import Request
from tests.corpus.records import make_record, write_snapshot
from tests.e2e.conftest import Run
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.model_server import Answer, Fault
from tests.prepare.preparing import honest, passages_in, said
from tests.prepare.sources import DROPEDGE

TITLE = "DropEdge: Towards deep graph convolutional networks"
IDS = [f"1801.{number:05}" for number in range(1, 7)]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Iterator[AnthropicServer]:
    """Six papers in a catalogue, and an honest model."""
    records = [
        make_record(int(value[-2:]), title=TITLE, abstract=f"{DROPEDGE} It has {value} layers of nodes.")
        for value in IDS
    ]
    assert run("index", "add", write_snapshot(tmp_path / "s.jsonl", records)).code == 0
    with AnthropicServer(honest).serve() as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        yield served


def by_model(prepared: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for each in prepared if each["made_by"] != "patterns"]


def test_without_llm_nothing_is_sent(run: Run, server: AnthropicServer) -> None:
    assert run("prepare", *IDS).code == 0 and server.requests == []


def test_a_dry_run_says_what_it_would_cost_and_sends_nothing(run: Run, server: AnthropicServer) -> None:
    done = run("prepare", *IDS, "--llm", "anthropic", "--dry-run", "--json")
    assert done.code == 0 and server.requests == []
    planned = done.json["would_send"]
    assert planned["requests"] == 6 and planned["tokens_in"] > 0 and planned["most_cost"] == 0  # on loopback
    shown = run("prepare", *IDS, "--llm", "anthropic", "--dry-run")
    assert "6 papers to prepare with anthropic:" in shown.out and "at most" in shown.out


def test_each_paper_is_asked_once_and_a_changed_one_again(run: Run, server: AnthropicServer, tmp_path: Path) -> None:
    done = run("prepare", *IDS, "--llm", "anthropic", "--json")
    assert done.code == 0, done.err
    assert (done.json["made"], done.json["by_model"], done.json["left"]) == (6, 6, 0)
    assert len(by_model(done.json["prepared"])) == 6 and len(server.requests) == 6
    assert "6 papers to prepare with anthropic:" in done.err
    assert done.json["language_model"]["stages"][0]["calls"] == 6
    again = run("prepare", *IDS, "--llm", "anthropic", "--json").json
    assert (again["made"], again["kept"]) == (0, 6) and len(server.requests) == 6
    changed = make_record(1, title=TITLE, abstract=f"{DROPEDGE} It has other layers of nodes.")
    run("index", "add", write_snapshot(tmp_path / "t.jsonl", [{**changed, "update_date": "2020-01-01"}]))
    third = run("prepare", *IDS, "--llm", "anthropic", "--json").json
    assert (third["made"], third["kept"]) == (1, 5) and len(server.requests) == 7


def test_what_an_older_text_gave_is_not_shown_for_the_new_one(
    run: Run, server: AnthropicServer, tmp_path: Path
) -> None:
    run("prepare", IDS[0], "--llm", "anthropic")
    changed = make_record(1, title=TITLE, abstract="Nothing is said.")
    run("index", "add", write_snapshot(tmp_path / "t.jsonl", [{**changed, "update_date": "2020-01-01"}]))
    assert by_model(run("prepare", IDS[0], "--json").json["prepared"]) == []


def test_a_liar_s_pairs_are_dropped_and_counted(run: Run, server: AnthropicServer) -> None:
    def lie(request: Request) -> dict[str, Any]:
        invented = "DropEdge was invented by Google in 1823 and wins every prize"
        return said(
            {"question": "Who invented DropEdge?", "answer": invented, "passage": 0, "quote": invented},
            {"question": "What does the paper say?", "answer": "All.", "passage": 0, "quote": passages_in(request)[0]},
            company=["Google"],
            code=["https://github.com/evil/evil"],
        )

    server.script = lie
    done = run("prepare", *IDS[:2], "--llm", "anthropic", "--json").json
    assert [each["pairs"] for each in by_model(done["prepared"])] == [[], []]
    assert done["dropped"] == {"no_quotation": 2, "names_the_paper": 2, "invented_field": 4}
    shown = run("prepare", *IDS[:2], "--llm", "anthropic")
    assert "2 without a quotation found in the text" in shown.out


def test_a_budget_that_ends_after_three_papers_keeps_these(run: Run, server: AnthropicServer) -> None:
    bound = 60_000
    server.script = lambda request: Answer(said_text(request), tokens_in=bound // 3 - 2_000, tokens_out=1_000)
    done = run("prepare", *IDS, "--llm", "anthropic", "--max-tokens", bound, "--json")
    assert done.code == 1
    made = done.json["by_model"]
    assert 1 <= made < 6 and done.json["left"] == 6 - made
    assert [finding["code"] for finding in done.json["findings"]] == ["budget_reached"]
    assert len(by_model(done.json["prepared"])) == made
    assert len([each for each in done.json["prepared"] if each["made_by"] == "patterns"]) == 6
    server.script = honest
    rest = run("prepare", *IDS, "--llm", "anthropic", "--json")
    assert (rest.code, rest.json["by_model"], rest.json["kept"]) == (0, 6 - made, made)


def said_text(request: Request) -> str:
    return json.dumps(honest(request))


@pytest.mark.parametrize("fault", [Fault.http(401), Fault.page()])
def test_a_service_that_fails_leaves_what_needs_no_model(run: Run, server: AnthropicServer, fault: Fault) -> None:
    server.script = lambda _: fault
    done = run("prepare", *IDS, "--llm", "anthropic", "--json")
    assert done.code == 3 and done.json["left"] == 6
    assert [finding["code"] for finding in done.json["findings"]] == ["model_unavailable"]
    assert len(done.json["prepared"]) == 6


def test_an_answer_that_cannot_be_read_is_named_and_asked_for_again(run: Run, server: AnthropicServer) -> None:
    server.script = lambda request: "I would rather not." if IDS[0] in request.prompt else honest(request)
    done = run("prepare", *IDS[:2], "--llm", "anthropic", "--json")
    assert (done.code, done.json["by_model"], done.json["left"]) == (1, 1, 1)
    assert [finding["code"] for finding in done.json["findings"]] == ["answer_unreadable"]
    server.script = honest
    again = run("prepare", *IDS[:2], "--llm", "anthropic", "--json")
    assert (again.code, again.json["by_model"], again.json["left"]) == (0, 1, 0)


QUESTION = "What does DropEdge do with edges?"


def label(request: Request) -> dict[str, Any]:
    """An honest model that gives each paper the same field of research."""
    quote = " ".join(passages_in(request)[0].split()[:8])
    return {**honest(request), "field": [{"value": "Graph learning", "passage": 0, "quote": quote}]}


def test_a_label_that_a_model_gave_shows_what_its_papers_answer(run: Run, server: AnthropicServer) -> None:
    server.script = label
    assert run("prepare", *IDS, "--llm", "anthropic").code == 0
    done = run("index", "topics", "--show", "graph learning", "--json")
    assert done.code == 0, done.err
    (summary,) = done.json
    assert summary["topic"] is None and summary["prepared"] == 6 and summary["questions"]


@pytest.mark.parametrize(
    ("fault", "told"), [(Fault.http(401), "your question was asked alone"), ("None.", "questions could not be read")]
)
def test_where_the_model_fails_the_question_is_asked_alone(
    run: Run, server: AnthropicServer, fault: Any, told: str
) -> None:
    server.script = label
    run("prepare", *IDS, "--llm", "anthropic")
    server.script = lambda _: fault
    done = run("ask", QUESTION, "--topic", "graph learning", "--llm", "anthropic", "--json")
    assert done.code == 0 and told in done.err and "asked_too" not in done.json, done.err


def test_no_further_question_is_asked_far_from_all_prepared_ones(run: Run, server: AnthropicServer) -> None:
    asked: list[str] = []

    def answer(request: Request) -> dict[str, Any]:
        asked.extend((request.schema or {}).get("properties", {}))
        return {"sentences": []}

    run("prepare", *IDS)
    server.script = answer
    done = run("ask", "Do turtles swim in warm rivers?", "--papers", ",".join(IDS), "--llm", "anthropic", "--json")
    assert done.code == 0 and asked and "questions" not in asked, done.err


def test_a_model_s_questions_are_asked_beside_one_and_find_more_passages(run: Run, server: AnthropicServer) -> None:
    server.script = label
    run("prepare", *IDS, "--llm", "anthropic")

    def ask(request: Request) -> dict[str, Any]:
        if "questions" in (request.schema or {}).get("properties", {}):
            assert QUESTION in request.prompt and "questions that are answered" in request.prompt
            return {"questions": ["Which nodes have layers?", QUESTION]}
        return {"sentences": []}

    server.script = ask
    done = run("ask", QUESTION, "--topic", "graph learning", "--llm", "anthropic", "--json")
    assert done.code == 0 and done.json["asked_too"] == ["Which nodes have layers?"], done.err
