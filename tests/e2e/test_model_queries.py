"""The queries of a model go to arXiv: through the provider's client and arXiv's API, both on loopback."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeplug.records.dialogue import Request
from citeplug.sources.snapshot import SnapshotReader
from tests.e2e.conftest import LIBRARY, Run
from tests.harness import model_server
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.arxiv_server import ArxivServer, Asked, Fault
from tests.harness.scripted_models import honest, read_prompt

QUERIES = ["graph attention networks", "neighbourhood sampling large graphs", "spectral filters on graphs"]


def script(request: Request) -> Any:
    if "queries" not in (request.schema or {}).get("properties", {}):
        return honest(read_prompt(request))
    most = 1 if "Write one query" in request.prompt else len(QUERIES)
    return {"queries": [{"query": text, "facet": "method", "reason": "It is near."} for text in QUERIES[:most]]}


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with AnthropicServer(script).serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.fixture
def arxiv(arxiv_server: ArxivServer, monkeypatch: pytest.MonkeyPatch, own_home: Path) -> ArxivServer:
    arxiv_server.add(*SnapshotReader(LIBRARY))
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    return arxiv_server


@pytest.mark.parametrize("command", [("related",), ("related", "--plan-only"), ("plan",)])
def test_arxiv_is_asked_the_model_s_queries_and_not_the_words_of_the_draft(
    run: Run, arxiv: ArxivServer, model: AnthropicServer, project: Path, command: tuple[str, ...]
) -> None:
    name, *options = command
    done = run(name, project, *options, "--online", "--llm", "anthropic", "--breadth", "4", "--json")
    assert done.code == 0, done.err
    sent = list(dict.fromkeys(arxiv.asked_queries()))
    assert all(any(word in text for text in sent) for word in ("attention", "sampling", "spectral"))
    own = {word for text in QUERIES for word in text.split()}
    assert {word for text in sent for word in re.findall(r"all:(\w+)", text)} <= own
    # Each is shown, word for word, before it is sent.
    assert all(f"asking arXiv: {text}" in done.err for text in sent)
    queries = {query["text"]: query["asked"] for query in done.json["queries"]}
    assert [queries[text] for text in QUERIES] == [["arXiv"]] * 3
    assert sum(bool(asked) for asked in queries.values()) == 3


def test_one_query_alone_is_litllm_s_single_query(
    run: Run, arxiv: ArxivServer, model: AnthropicServer, project: Path
) -> None:
    options = ("--online", "--llm", "anthropic", "--breadth", "4", "--model-queries", "1", "--json")
    done = run("related", project, *options)
    assert done.code == 0, done.err
    assert [query["text"] for query in done.json["queries"] if query["asked"]] == QUERIES[:1]
    assert len({text for text in arxiv.asked_queries() if text}) == 1


def test_the_queries_are_shown_with_v_and_stay_in_the_record(
    run: Run, arxiv: ArxivServer, model: AnthropicServer, project: Path
) -> None:
    done = run("related", project, "--online", "--llm", "anthropic", "--breadth", "4", "-v")
    assert done.code == 0, done.err
    assert f"query (model:method): {QUERIES[0]}, asked at arXiv" in done.out
    record = json.loads((project.parent / ".citeplug" / "provenance.json").read_text())
    assert [(query["text"], query["asked"]) for query in record["queries"]] == [(text, ["arXiv"]) for text in QUERIES]


def test_without_queries_of_the_model_arxiv_is_asked_the_draft_s_words(
    run: Run, arxiv: ArxivServer, model: AnthropicServer, project: Path
) -> None:
    model.fail_always(model_server.Fault.http(401))
    done = run("related", project, "--online", "--llm", "anthropic", "--breadth", "4", "--json")
    assert done.code == 0, done.err
    assert [query["aspect"] for query in done.json["queries"] if query["asked"]] == ["abstract"]
    assert "model_unavailable" in {finding["code"] for finding in done.json["findings"]}


def test_an_outage_after_some_queries_keeps_what_they_found(
    run: Run, arxiv: ArxivServer, model: AnthropicServer, project: Path
) -> None:
    answered: list[str] = []

    def then_down(asked: Asked) -> Fault | None:
        answered.append(asked.params["search_query"])
        return Fault.http(403) if len(set(answered)) > 1 else None

    arxiv.replay(then_down)
    done = run("search", "graphs", "--online", "--llm", "anthropic", "--json", "-k", "30")
    assert done.code == 0, done.err
    assert any("arxiv" in paper["found_by"] for paper in done.json)
    assert "only the local catalogue was searched" in done.err


def test_search_asks_with_a_model_s_queries_where_one_is_named(
    run: Run, arxiv: ArxivServer, model: AnthropicServer
) -> None:
    plain = run("search", "graphs", "--online", "--json")
    assert plain.code == 0
    assert not model.requests
    done = run("search", "graphs", "--online", "--llm", "anthropic", "-v")
    assert done.code == 0, done.err
    assert len(model.requests) == 1
    assert f"query (model:method): {QUERIES[1]}, asked at arXiv" in done.out


def test_queries_of_a_file_have_the_model_s_beside_their_results(
    run: Run, arxiv: ArxivServer, model: AnthropicServer, tmp_path: Path
) -> None:
    file = tmp_path / "queries.jsonl"
    file.write_text(json.dumps({"query_id": "q", "text": "graphs", "before": None, "exclude": []}) + "\n")
    done = run("search", "--queries", file, "--llm", "anthropic", "--model-queries", "1", "--json")
    assert done.code == 0, done.err
    (line,) = map(json.loads, done.out.splitlines())
    assert [query["text"] for query in line["queries"]] == [QUERIES[0]]
    assert line["results"]
