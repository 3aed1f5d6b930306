"""`citeplug evaluate ... --judge`, over the wire, by judges of stated bias."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeplug.records.dialogue import Request
from tests.e2e.conftest import Run
from tests.evaluate.stated_judges import Judge
from tests.harness.model_server import Fault
from tests.harness.openai_server import OpenAIServer

TEXTS = {"1706.02216": "eight", "1710.10903": "four"}
WORTH = {"eight": 8.0, "four": 4.0}
ONE, TWO = "openai:one", "openai:two"


def worth(text: str) -> float:
    return WORTH.get(text, 6.0)


def write(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    nuggets = [{"text": "four", "importance": "vital"}, {"text": "eight", "importance": "okay"}]
    rest = {"texts": TEXTS, "section": "The real one.", "nuggets": nuggets}
    rows = ({"query_id": n, "title": f"Title {n}", "abstract": f"Draft {n}.", **rest} for n in (1, 2, 3))
    return write(tmp_path / "gold.jsonl", *rows)


@pytest.fixture
def sections(tmp_path: Path) -> Path:
    sentences = [{"text": "One.", "cites": ["1706.02216"]}, {"text": "Two.", "cites": ["1710.10903", "9.9"]}]
    return write(tmp_path / "run.jsonl", *({"query_id": n, "sentences": sentences} for n in (1, 2, 3)))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[OpenAIServer]:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "home"))
    with OpenAIServer(Judge(worth, per_place=2)).serve() as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        yield served


def judge(run: Run, gold: Path, section_file: Path, *options: object) -> Any:
    return run("evaluate", "section", "--gold", gold, "--run", section_file, *options)


SECTIONS = tuple(part for name in ("relevance", "quality", "organisation", "nuggets") for part in ("--measure", name))


def test_each_question_is_sent_once_in_each_order_and_kept(
    run: Run, gold: Path, sections: Path, server: OpenAIServer
) -> None:
    done = judge(run, gold, sections, *SECTIONS, "--judge", ONE, "--json")
    assert done.code == 0, done.err
    # Of each query two abstracts, the section, its organisation, and two nuggets together; each in two orders.
    assert len(server.requests) == 3 * 2 * 5
    assert len(done.json["judged"]["verdicts"]) == 3 * 2 * 6 and done.json["judged"]["unread"] == 0
    assert done.json["judged"]["without_text"] == 3
    assert done.json["judged"]["spent"][0]["requests"] == 30 and done.json["judged"]["spent"][0]["kept"] == 0
    measured = {each["name"]: (each["value"], each["queries"]) for each in done.json["judged"]["measures"]}
    assert measured["source relevance, mean"] == (5.0, 3) and measured["source relevance, sum"] == (10.0, 3)
    assert measured["quality of the section"] == (5.0, 3) and measured["organisation"] == (0.5, 3)
    effects = {each["measure"]: each["earlier"]["low"] for each in done.json["judged"]["agreement_with_itself"]}
    assert effects["relevance"] == effects["quality"] == 2.0 and effects["organisation"] == 1.0
    again = judge(run, gold, sections, *SECTIONS, "--judge", ONE, "--json").json["judged"]
    assert len(server.requests) == 30 and again["verdicts"] == done.json["judged"]["verdicts"]
    assert again["spent"][0] | {"tokens": 0} == done.json["judged"]["spent"][0] | {
        "requests": 0,
        "kept": 30,
        "tokens": 0,
    }


def test_a_judge_that_fails_ends_with_3_and_goes_on_from_there(
    run: Run, gold: Path, sections: Path, server: OpenAIServer
) -> None:
    honest = server.script
    refused = [0]

    def fails(request: Request) -> Any:
        if "text A" not in request.prompt:
            return honest(request)
        refused[0] += 1
        return Fault.http(401, "no such key")

    server.script = fails
    done = judge(run, gold, sections, *SECTIONS, "--judge", ONE)
    assert done.code == 3 and "the same command goes on from there" in done.err and not done.out
    before = len(server.requests)
    server.script = honest
    again = judge(run, gold, sections, *SECTIONS, "--judge", ONE, "--json")
    assert again.code == 0
    spent = again.json["judged"]["spent"][0]
    assert spent["requests"] + spent["kept"] == 30 and spent["requests"] == len(server.requests) - before
    assert spent["kept"] == before - refused[0]


def test_two_judges_are_asked_where_two_are_named(run: Run, gold: Path, sections: Path, server: OpenAIServer) -> None:
    done = judge(run, gold, sections, "--measure", "quality", "--judge", ONE, "--judge", TWO, "--json")
    assert [each["model"] for each in done.json["judged"]["spent"]] == [ONE, TWO]
    assert {asked.body["model"] for asked in server.requests} == {"one", "two"} and len(server.requests) == 12
    (agreement,) = done.json["judged"]["agreement_of_judges"]
    assert (agreement["models"], agreement["items"], agreement["same"]) == ([ONE, TWO], 3, 1.0)
    assert {each["name"] for each in done.json["judged"]["measures"]} == {
        f"quality of the section, by {name}" for name in (ONE, TWO)
    }
    shown = judge(run, gold, sections, "--measure", "quality", "--judge", ONE, "--judge", TWO)
    assert "it prefers the earlier place" in shown.out and "agreement of judges: quality" in shown.out
    assert judge(run, gold, sections, "--judge", ONE, "--judge", ONE).code == 2


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 0),
        (("--judge", "none"), 2),
        (("--judge", "nobody"), 2),
        (("--max-cost", "1"), 2),
        (("--measure", "quality"), 2),
        (("--dry-run",), 2),
    ],
)
def test_nothing_is_sent_without_a_judge(
    run: Run, gold: Path, sections: Path, server: OpenAIServer, options: tuple[str, ...], code: int
) -> None:
    home = gold.parent / "home"
    home.mkdir()
    (home / "config.toml").write_text('[language_model]\nuse = "openai:one"\n', "utf-8")
    done = judge(run, gold, sections, *options)
    assert done.code == code and done.err and server.requests == []
    assert bool(done.out) == (code == 0) and "agreement" not in done.out


def test_of_results_the_first_are_judged_as_far_as_the_smallest_cut(
    run: Run, gold: Path, tmp_path: Path, server: OpenAIServer
) -> None:
    found = write(tmp_path / "found.jsonl", *({"query_id": n, "results": ["1706.02216", *TEXTS]} for n in (1, 2, 3)))
    refused = run("evaluate", "retrieval", "--gold", gold, "--run", found, "-k", 1, "--judge", ONE)
    assert refused.code == 2 and server.requests == []  # a result twice
    found = write(tmp_path / "found.jsonl", *({"query_id": n, "results": [*TEXTS]} for n in (1, 2, 3)))
    # Of no query the cited papers are known: without a judge nothing can be measured.
    assert run("evaluate", "retrieval", "--gold", gold, "--run", found).code == 2
    for kind in ("retrieval", "ranking"):
        done = run("evaluate", kind, "--gold", gold, "--run", found, "-k", 1, "-k", 2, "--judge", ONE, "--json")
        assert done.code == 0, done.err
        assert {each["item"] for each in done.json["judged"]["verdicts"]} == {"1706.02216"}
        assert {each["measure"] for each in done.json["judged"]["verdicts"]} == {"relevance", "relevance-rate"}


def test_a_dry_run_shows_the_requests_and_sends_none(
    run: Run, gold: Path, sections: Path, server: OpenAIServer
) -> None:
    done = judge(run, gold, sections, *SECTIONS, "--judge", ONE, "--dry-run", "--json")
    assert done.code == 0 and server.requests == [] and done.json["judged"]["verdicts"] == []
    assert len(done.json["judged"]["would_send"][0]["requests"]) == 30


def test_the_budget_is_of_all_judges_together(run: Run, gold: Path, sections: Path, server: OpenAIServer) -> None:
    one = judge(run, gold, sections, "--measure", "quality", "--judge", ONE, "--json")
    used = one.json["judged"]["spent"][0]["tokens"]
    done = judge(run, gold, sections, "--measure", "quality", "--judge", TWO, "--judge", ONE, "--max-tokens", used // 2)
    assert done.code == 3 and "kept" in done.err


def test_judges_say_in_both_orders_which_of_two_runs_they_prefer(
    run: Run, tmp_path: Path, server: OpenAIServer
) -> None:
    gold = write(
        tmp_path / "questions.jsonl",
        *({"question_id": n, "question": f"Why {n}?", "answer": "eight"} for n in range(4)),
    )
    runs = [
        write(tmp_path / f"{text}.jsonl", *({"question_id": n, "text": text} for n in range(4)))
        for text in ("four", "eight")
    ]
    command = ("evaluate", "compare", *runs, "--gold", gold, "--kind", "answers")
    plain = run(*command, "--json")
    assert plain.code == 0 and server.requests == [] and "judged" not in plain.json
    done = run(*command, "--judge", ONE, "--json")
    assert done.code == 0, done.err
    (preference,) = done.json["judged"]["measures"]
    assert (preference["value"], preference["apart_from_even"]["low"]) == (1.0, 0.5)
    assert len(server.requests) == len(done.json["judged"]["verdicts"]) == 8
    shown = " ".join(run(*command, "--judge", ONE).out.split())
    assert "preferred to the first 1.000 (4 queries; minus one half: +0.500 to +0.500)" in shown


def test_a_run_of_another_set_is_refused_before_anything_is_sent(
    run: Run, gold: Path, tmp_path: Path, server: OpenAIServer
) -> None:
    rows = ({"query_id": n, "text": "One.", "inputs_digest": "0" * 64} for n in (1, 2, 3))
    other = write(tmp_path / "other.jsonl", *rows)
    for kind in ("section", "answers", "retrieval", "ranking"):
        done = run("evaluate", kind, "--gold", gold, "--run", other, "--judge", ONE)
        assert done.code == 2 and "other inputs" in done.err and not done.out and server.requests == []


def test_without_a_measure_all_are_judged_that_the_files_have_something_for(
    run: Run, gold: Path, sections: Path, server: OpenAIServer
) -> None:
    done = judge(run, gold, sections, "--judge", ONE, "--json")
    assert done.code == 0, done.err
    assert {each["measure"] for each in done.json["judged"]["verdicts"]} == {
        "relevance",
        "relevance-rate",
        "quality",
        "rating",
        "organisation",
        "nuggets",
        "entailment",
    }
    assert "ALCE citation recall" in {each["name"] for each in done.json["judged"]["measures"]}
