"""The four arms of prepared knowledge, whole, with a model and judges of stated bias over the wire."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks import prepared_arms
from benchmarks.prepared_arms import ARMS, OVERLAP, TOKENS, chunked
from citeplug.evaluate.judge.published import METRICS
from citeplug.records.dialogue import Request
from tests.corpus.records import make_record, write_snapshot
from tests.e2e.conftest import Run
from tests.evaluate.stated_judges import Judge
from tests.harness.openai_server import OpenAIServer
from tests.prepare.preparing import asks_for_summary, honest, honest_summary
from tests.prepare.sources import DROPEDGE

IDS = [f"1801.{number:05}" for number in range(1, 7)]
WRITER, ONE, TWO = "openai:writer", "openai:one", "openai:two"
BIAS = 5.0  # taken off by a judge for each place


def script(request: Request) -> Any:
    """A model that prepares, asks, answers by what it was given, and judges questions above chunks."""
    asked = (request.schema or {}).get("properties", {})
    if asks_for_summary(request):
        return honest_summary(request)
    if "questions" in asked:
        return {"questions": ["How are nodes of deep networks aggregated?"]}
    if "answer" in asked:
        return {"answer": "by questions" if "What is true of" in request.prompt else "by chunks"}
    if "scientist1" in asked:
        return Judge(lambda text: 80.0 if text == "by questions" else 60.0, per_place=BIAS)(request)
    return honest(request)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Iterator[OpenAIServer]:
    """Six papers in a catalogue, prepared by the model."""
    records = [
        make_record(int(value[-2:]), title=f"DropEdge {value}", abstract=f"{DROPEDGE} It has {value} layers of nodes.")
        for value in IDS
    ]
    assert run("index", "add", write_snapshot(tmp_path / "s.jsonl", records)).code == 0
    with OpenAIServer(script).serve() as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        assert run("prepare", *IDS, "--llm", WRITER).code == 0
        yield served


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    lines = ({"query_id": n, "title": f"Deep networks {n}", "cited": [IDS[n]], "exclude": [IDS[0]]} for n in (1, 2, 3))
    other = {"query_id": 9, "title": "Of something else", "cited": ["0901.00001"]}
    file = tmp_path / "gold.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in (*lines, other)), "utf-8")
    return file


def arms(monkeypatch: pytest.MonkeyPatch, *options: object) -> int:
    monkeypatch.setattr(sys, "argv", ["prepared_arms", *map(str, options)])
    return prepared_arms.main()


def test_the_judges_bias_by_place_falls_out_and_what_is_left_is_the_arm(
    tmp_path: Path,
    gold: Path,
    server: OpenAIServer,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out"
    before = len(server.requests)
    options = (out, "--gold", gold, "--llm", WRITER, "--judge", ONE, "--judge", TWO)
    assert arms(monkeypatch, *options) == 0
    shown = [line.split() for line in capfd.readouterr().out.splitlines()]
    # Of each of three queries two sets of further questions, and two orders for each of two judges; and four answers,
    # but for those whose documents are the same.
    sent = len(server.requests) - before
    assert 3 * (2 + 2 + 2 * 2) <= sent <= 3 * (2 + 4 + 2 * 2)
    # In both orders together each arm has the same places, 1.5 on the average.
    rated = [line for line in shown if line[-4:] == ["52.500", "52.500", "72.500", "72.500"]]
    assert [float(value) + 1.5 * BIAS for value in rated[0][-4:]] == [60.0, 60.0, 80.0, 80.0]
    assert [line[:3] for line in rated if line[0] == "depth,"] == [["depth,", "by", judge] for judge in (ONE, TWO)]
    between = "minus the first (95 %) +0.000 to +0.000 +20.000 to +20.000 +20.000 to +20.000".split()
    assert len(rated) == shown.count(between) == 2 * len(METRICS)
    preference = [line for line in shown if line[0:1] == ["metrics,"] and "prefers" in line]
    assert len(preference) == 2 and all("+10.00" in line for line in preference)
    assert arms(monkeypatch, *options) == 0
    assert len(server.requests) - before == sent  # what was answered is kept


def test_without_a_model_nothing_is_sent_and_nothing_answered(
    tmp_path: Path,
    gold: Path,
    server: OpenAIServer,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    before = len(server.requests)
    assert arms(monkeypatch, tmp_path / "out", "--gold", gold) == 0
    assert len(server.requests) == before
    shown = capfd.readouterr().out
    assert all(arm.replace(",", "").replace(" ", "-") in shown for arm in ARMS) and "3 queries" in shown
    lines = [json.loads(line) for line in (tmp_path / "out" / "chunks.jsonl").read_text("utf-8").splitlines()]
    assert [line["query_id"] for line in lines] == ["1", "2", "3"]
    assert all(line["refused"] and IDS[0] not in line["results"] for line in lines)
    recall = next(line.split() for line in shown.splitlines() if line.startswith("recall@10"))
    assert len(recall) == 1 + len(ARMS)


def test_chunks_overlap_by_a_tenth_and_lose_nothing() -> None:
    text = " ".join(f"w{number:03}" for number in range(600))
    places = [(5 * number, 5 * number + 4) for number in range(600)]
    found = [chunk.split() for chunk in chunked(text, places)]
    assert [len(each) for each in found] == [TOKENS, TOKENS, 600 - 2 * (TOKENS - OVERLAP)]
    assert found[0][-OVERLAP:] == found[1][:OVERLAP] and found[-1][-1] == "w599"
    assert [len(chunk.split()) for chunk in chunked(text[:19], places[:4])] == [4]
    assert chunked("", []) == []
