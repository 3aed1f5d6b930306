"""What a section by a model costs, said before it starts, and bounded."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from citeplug.llm.anthropic import AnthropicProvider
from citeplug.llm.known_models import KNOWN
from citeplug.records.dialogue import Request
from tests.e2e.conftest import Run
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.model_server import Answer, rough_tokens
from tests.harness.scripted_models import Answer as Said
from tests.harness.scripted_models import (
    Seen,
    answer_at_length,
    answer_honestly,
    honest_queries,
    honest_ranking,
    planned_line,
    read_prompt,
)

THOUGHTS = 1_300  # tokens
FEWER_THOUGHTS = 1_000


def of_stage(seen: Seen, request: Request, answer: Callable[[Seen, Request], Said] = answer_honestly) -> Said:
    """The stage is not sent: it is seen by the schema."""
    asked = (request.schema or {}).get("properties", {})
    if "queries" in asked:
        return honest_queries(seen)
    if "order" in asked:
        # Whoever says of one paper that it does not belong is believed of the others.
        order = honest_ranking(seen, Request("ranking", "", "", schema=request.schema))["order"]
        return {"order": order[:-1], "not_citable": order[-1:]}
    return plan_of_four(seen) if "left_out" in asked else answer(seen, request)


def plan_of_four(seen: Seen) -> Said:
    handles = sorted(seen.papers)
    groups = [handles[row::4] for row in range(4)]
    paragraphs = [
        {
            "heading": f"Problem {'ABCD'[row]}",
            "words": 18 * len(group),
            "lines": [planned_line("say it", [each]) for each in group],
        }
        for row, group in enumerate(groups)
    ]
    return {"left_out": [], "paragraphs": paragraphs}


@pytest.fixture
def priced(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server on this machine costs what the service does."""
    (home / "language-models.sqlite").unlink(missing_ok=True)
    monkeypatch.setattr(AnthropicProvider, "prices", lambda self, model: KNOWN[model].prices)


def thinking(request: Request) -> Answer:
    return thought(request, of_stage(read_prompt(request), request), THOUGHTS)


def thinking_twice(request: Request) -> Answer:
    """A third of the sentences are repaired, a paragraph is polished, and all of it is judged."""
    return thought(request, of_stage(read_prompt(request), request, answer_at_length), FEWER_THOUGHTS)


def thought(request: Request, said: Said, tokens: int) -> Answer:
    text = json.dumps(said)
    asked = rough_tokens(request.system + request.shared + request.prompt)
    return Answer(text, tokens_in=asked, tokens_out=rough_tokens(text) + tokens)


@pytest.mark.usefixtures("priced")
def test_a_section_of_15_papers_is_whole_within_half_a_dollar_and_says_before_what_it_will_cost(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with AnthropicServer(thinking).serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        done = run(
            "related", project, "--offline", "--breadth", "15", "--llm", "anthropic", "--max-cost", "0.50", "--json"
        )
    assert done.code == 0, done.err
    assert "a section of 15 papers costs about $0.4" in done.err
    codes = {finding["code"] for finding in done.json["findings"]}
    assert not codes & {"budget_reached", "model_unavailable"}
    assert done.json["plan"]["paragraphs"][0]["heading"] == "Problem A"
    assert 0.2 < done.json["language_model"]["cost"] <= 0.5
    asked = {request.body["model"] for request in server.requests}
    assert {"claude-opus-5-5", "claude-sonnet-5-5"} == asked


@pytest.mark.usefixtures("priced")
@pytest.mark.parametrize("limit", ["0.50", "0.30"])
def test_a_section_is_whole_within_any_limit_and_within_half_a_dollar_judged_repaired_and_polished(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    with AnthropicServer(thinking_twice).serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        done = run(
            "related", project, "--offline", "--breadth", "15", "--llm", "anthropic", "--max-cost", limit, "--json"
        )
    assert done.code == 0, done.err
    assert done.json["language_model"]["cost"] <= float(limit)
    written = [s for p in done.json["section"]["paragraphs"] for s in p["sentences"]]
    cited = {cite["arxiv_id"] for s in written for cite in s["cites"]}
    unwritten = " ".join(f["message"] for f in done.json["findings"] if f["code"] == "paper_not_written")
    assert all(
        item["arxiv_id"] in cited or item["arxiv_id"] in unwritten for item in done.json["shortlist"] if item["fits"]
    )
    limited = "budget_reached" in {finding["code"] for finding in done.json["findings"]}
    assert limited == (limit != "0.50")
    if not limited:
        calls = {stage["stage"]: stage["calls"] for stage in done.json["language_model"]["stages"]}
        assert (calls["prose"], calls["judge"]) == (4 + 1, 2)
        told = [s for s in written if s["kind"] != "group"]  # what the model leaves out is only named
        assert {s["text"].split(",")[0] for s in told} == {"Relatedly", "Likewise", "Similarly"}
        assert {s["judgement"]["verdict"] for s in told} == {"entailed"}


def test_where_nothing_costs_anything_nothing_is_said_of_it(
    run: Run, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "language-models.sqlite").unlink(missing_ok=True)
    with AnthropicServer(thinking).serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        done = run("related", project, "--offline", "--breadth", "3", "--llm", "anthropic")
    assert done.code == 0, done.err
    assert "costs about" not in done.err
