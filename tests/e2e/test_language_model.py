"""`citeplug related --llm`, through the providers' own clients, against servers on loopback."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeplug.records.dialogue import Request
from tests.e2e.conftest import Run
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.model_server import Answer, Fault, ModelServer
from tests.harness.openai_server import OpenAIServer
from tests.harness.scripted_models import honest, honest_plan, read_prompt

MARK = "Relatedly, "


def script(request: Request) -> Any:
    return honest(read_prompt(request))


@pytest.fixture(params=["anthropic", "openai"])
def service(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, ModelServer]]:
    server: ModelServer = AnthropicServer(script) if request.param == "anthropic" else OpenAIServer(script)
    with server.serve() as running:
        for name, value in running.environment("sk-secret-key-0123456789").items():
            monkeypatch.setenv(name, value)
        yield (request.param if request.param == "anthropic" else "openai:small"), running


def related(run: Run, project: Path, *options: str) -> Any:
    return run("related", project, "--offline", "--breadth", "4", *options)


def test_a_section_is_written_by_a_model_and_costs_nothing_the_second_time(
    run: Run, home: Path, project: Path, service: tuple[str, ModelServer]
) -> None:
    name, server = service
    (home / "language-models.sqlite").unlink(missing_ok=True)
    first = related(run, project, "--llm", name, "--json")
    assert first.code == 0, first.err
    assert MARK in first.json["tex_content"]
    used = first.json["language_model"]
    assert sum(stage["calls"] for stage in used["stages"]) == len(server.requests) > 0
    asked = len(server.requests)
    second = related(run, project, "--llm", name, "--json")
    assert second.code == 0, second.err
    assert second.json["tex_content"] == first.json["tex_content"]
    assert len(server.requests) == asked
    assert sum(stage["calls"] for stage in second.json["language_model"]["stages"]) == 0
    assert "sk-secret" not in first.out + first.err + second.out + second.err
    assert b"sk-secret" not in (home / "language-models.sqlite").read_bytes()


def test_a_dry_run_lists_what_would_be_sent_and_sends_nothing(
    run: Run, home: Path, project: Path, service: tuple[str, ModelServer]
) -> None:
    name, server = service
    (home / "language-models.sqlite").unlink(missing_ok=True)
    done = related(run, project, "--llm", name, "--dry-run", "--json")
    assert done.code == 0, done.err
    assert server.requests == []
    planned = done.json["would_send"]
    assert planned["to"].startswith(server.root)
    assert planned["requests"]
    assert "model_unavailable" not in {finding["code"] for finding in done.json["findings"]}
    assert any("GraphThing" in each["shared"] + each["prompt"] for each in planned["requests"])
    shown = related(run, project, "--llm", name, "--dry-run")
    assert "nothing was sent" in shown.out
    assert server.requests == []


def test_an_outage_leaves_the_section_that_needs_no_model(
    run: Run, home: Path, project: Path, service: tuple[str, ModelServer]
) -> None:
    name, server = service
    (home / "language-models.sqlite").unlink(missing_ok=True)
    server.fail_always(Fault.http(401, "no"))
    done = related(run, project, "--llm", name, "--json")
    assert done.code == 0, done.err
    assert MARK not in done.json["tex_content"]
    assert "model_unavailable" in {finding["code"] for finding in done.json["findings"]}


def test_the_budget_ends_the_asking_not_the_run(
    run: Run, home: Path, project: Path, service: tuple[str, ModelServer]
) -> None:
    name, server = service
    (home / "language-models.sqlite").unlink(missing_ok=True)
    done = related(run, project, "--llm", name, "--max-tokens", "500", "--json")
    assert done.code == 0, done.err
    assert server.requests == []
    assert "budget_reached" in {finding["code"] for finding in done.json["findings"]}


@pytest.mark.parametrize("said", ["I would rather not.", "", '{"sentences": 7}', Answer("", stop="refusal")], ids=str)
def test_a_model_that_answers_nothing_of_use_leaves_the_section_that_needs_none(
    run: Run, home: Path, project: Path, service: tuple[str, ModelServer], said: str | Answer
) -> None:
    name, server = service
    (home / "language-models.sqlite").unlink(missing_ok=True)
    server.script = lambda _: said
    done = related(run, project, "--llm", name, "--json")
    assert done.code == 0, done.err
    assert done.json["section"]["paragraphs"]
    assert MARK not in done.json["tex_content"]


def test_options_about_a_model_want_a_model(run: Run, home: Path, project: Path) -> None:
    assert related(run, project, "--max-cost", "1").code == 2
    assert related(run, project, "--llm", "gemini").code == 2
    assert related(run, project, "--strategy", "per-cite").code == 2


def test_with_v_the_prose_is_shown_as_it_comes_and_then_what_passed(
    run: Run, home: Path, project: Path, service: tuple[str, ModelServer]
) -> None:
    name, server = service
    (home / "language-models.sqlite").unlink(missing_ok=True)
    server.fail(Fault.cut_off(8))
    done = related(run, project, "--llm", name, "-v")
    assert done.code == 0, done.err
    assert "not yet checked" in done.err
    assert MARK in done.err
    assert "The section, as far as it passed the checks:" in done.out
    assert MARK in done.out.partition("The section, as far as it passed the checks:")[2]
    (home / "language-models.sqlite").unlink(missing_ok=True)
    silent = related(run, project, "--llm", name, "--force")
    assert silent.code == 0, silent.err
    assert MARK not in silent.err


def test_what_is_shown_and_does_not_pass_is_not_in_the_section(
    run: Run, home: Path, project: Path, service: tuple[str, ModelServer]
) -> None:
    name, server = service
    (home / "language-models.sqlite").unlink(missing_ok=True)

    def boast(request: Request) -> Any:
        answer = script(request)
        for item in answer["sentences"]:
            item["text"] = "Unheardof, " + item["text"].rstrip(".") + " by 99%."
        return answer

    server.script = boast
    done = related(run, project, "--llm", name, "-v")
    assert done.code == 0, done.err
    assert "Unheardof" in done.err
    assert "Unheardof" not in done.out


def plans(request: Request) -> Any:
    asked = (request.schema or {}).get("properties", {}) or request.prompt
    return honest_plan(read_prompt(request)) if "paragraphs" in asked else script(request)


def test_a_plan_by_a_model_is_written_as_blocks_that_the_next_run_follows(
    run: Run, home: Path, project: Path, service: tuple[str, ModelServer]
) -> None:
    name, server = service
    (home / "language-models.sqlite").unlink(missing_ok=True)
    server.script = plans
    planned = run("plan", project, "--offline", "--breadth", "4", "--llm", name, "--json")
    assert planned.code == 0, planned.err
    assert planned.json["language_model"]["stages"][-1]["stage"] == "plan"
    blocks = (project.parent / "related.tex").read_text("utf-8")
    assert "% citeplug:heading Group A of methods" in blocks
    assert MARK not in blocks
    written = related(run, project, "--llm", name, "--json")
    assert written.code == 0, written.err
    assert written.json["plan"] == planned.json["plan"]
    assert MARK in written.json["tex_content"]


def test_a_plan_can_be_rehearsed(run: Run, home: Path, project: Path, service: tuple[str, ModelServer]) -> None:
    name, server = service
    (home / "language-models.sqlite").unlink(missing_ok=True)
    done = run("plan", project, "--offline", "--llm", name, "--dry-run", "--json")
    assert done.code == 0, done.err
    assert server.requests == []
    assert [each["stage"] for each in done.json["would_send"]["requests"]] == ["queries", "ranking", "plan"]
    assert done.json["dry_run"] is True
    assert "model_unavailable" not in {finding["code"] for finding in done.json["findings"]}
    assert not (project.parent / "related.tex").exists()
    assert "nothing was sent" in run("plan", project, "--offline", "--llm", name, "--dry-run").out


def planned(document: Any) -> set[str]:
    """The papers of a plan in JSON."""
    return {cite for p in document["plan"]["paragraphs"] for line in p["lines"] for cite in line["cites"]}


def test_a_plan_without_its_model_is_the_planners_own(
    run: Run, home: Path, project: Path, service: tuple[str, ModelServer]
) -> None:
    name, server = service
    (home / "language-models.sqlite").unlink(missing_ok=True)
    server.fail_always(Fault.http(401, "no"))
    away = run("plan", project, "--offline", "--llm", name, "--breadth", "20", "--json")
    assert away.code == 0, away.err
    assert "model_unavailable" in {finding["code"] for finding in away.json["findings"]}
    # Without a model a paper may be listed where one would have described it; the papers are the same.
    assert planned(away.json) == planned(run("plan", project, "--offline", "--json").json)


def test_the_budget_holds_for_a_plan_too(run: Run, home: Path, project: Path, service: tuple[str, ModelServer]) -> None:
    name, server = service
    (home / "language-models.sqlite").unlink(missing_ok=True)
    done = run("plan", project, "--offline", "--llm", name, "--max-tokens", "500", "--json")
    assert done.code == 0, done.err
    assert server.requests == []
    assert "budget_reached" in {finding["code"] for finding in done.json["findings"]}


def test_a_plan_in_words_is_written_as_it_is(
    run: Run, home: Path, project: Path, service: tuple[str, ModelServer]
) -> None:
    name, server = service
    (home / "language-models.sqlite").unlink(missing_ok=True)
    text = "2 sentences in 50 words. Cite 1706.02216 at line 1."
    done = run("plan", project, "--offline", "--llm", name, "--plan-text", text, "--json")
    assert done.code == 0, done.err
    assert server.requests == []
    assert done.json["plan"]["paragraphs"][0]["lines"][0]["cites"] == ["1706.02216"]
