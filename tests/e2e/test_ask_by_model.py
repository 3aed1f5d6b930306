"""`citeplug ask` with a language model over the wire, a conversation, and its sentences in the draft."""

import io
import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeplug.records.dialogue import Request
from tests.ask.by_model.asked import judged, passages_in, said, verdicts
from tests.e2e.conftest import Run
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.model_server import Answer, Fault

GAT = "1710.10903"  # of the demo's library
IDS = f"{GAT},1312.6203"
QUESTION = "How are the neighbours of a node weighted?"
TEXT = "Graph attention networks give neighbours different weights."


def quote_of(request: Request, words: int = 9) -> tuple[int, str]:
    """A stretch of the passage on attention."""
    shown = passages_in(request)
    number = next(n for n, text in shown.items() if "attention" in text.lower())
    return number, " ".join(shown[number].split()[:words])


def answer(request: Request) -> dict[str, Any]:
    if "verdicts" in (request.schema or {}).get("properties", {}) or "sentence 1, from" in request.prompt:
        return verdicts(*(["entailed"] * len(judged(request))))
    number, quote = quote_of(request)
    return said({"text": TEXT, "quotes": [{"passage": number, "quote": quote}]})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[AnthropicServer]:
    with AnthropicServer(answer).serve() as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        yield served


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_an_answer_has_its_citations_and_costs_nothing_the_second_time(run: Run, server: AnthropicServer) -> None:
    first = run("ask", QUESTION, "--papers", IDS, "--llm", "anthropic", "--json").json
    (sentence,) = first["sentences"]
    assert (sentence["text"], sentence["status"], first["refused"]) == (TEXT, "supported", False)
    assert [each["paper"] for each in sentence["citations"]] == [GAT]
    assert first["model"].startswith("anthropic:")
    assert [stage["stage"] for stage in first["language_model"]["stages"]] == ["prose", "judge"]
    asked = len(server.requests)
    again = run("ask", QUESTION, "--papers", IDS, "--llm", "anthropic", "--json").json
    assert again["sentences"] == first["sentences"] and len(server.requests) == asked


def test_without_llm_nothing_is_sent(run: Run, server: AnthropicServer) -> None:
    done = run("ask", QUESTION, "--papers", IDS, "--json")
    assert done.code == 0 and server.requests == [] and done.json["model"] is None


def test_with_v_the_sentences_are_shown_as_they_come_and_the_spending_in_the_end(
    run: Run, server: AnthropicServer
) -> None:
    done = run("ask", QUESTION, "--papers", IDS, "--llm", "anthropic", "-v")
    assert done.code == 0 and done.out.startswith(f"[1] {TEXT}\n    arXiv:{GAT}")
    assert "Looked through the abstracts of 2 papers." in done.out and "judge: 1 requests" in done.out


def test_what_a_judge_drops_is_taken_back_and_the_answer_refused(run: Run, server: AnthropicServer) -> None:
    server.script = lambda request: verdicts("not") if "sentence 1, from" in request.prompt else answer(request)
    done = run("ask", f"{QUESTION} Indeed?", "--papers", IDS, "--llm", "anthropic", "-v")
    assert "No clear answer; the nearest" in done.out and "[claim_unsupported]" in done.err
    assert "does not say" not in done.out


@pytest.mark.parametrize("fault", [Fault.http(401), Fault.page()])
def test_a_service_that_fails_leaves_the_papers_own_words(run: Run, server: AnthropicServer, fault: Fault) -> None:
    server.script = lambda _: fault
    question = f"What do graph attention networks leverage? ({fault.status})"
    done = run("ask", question, "--papers", IDS, "--llm", "anthropic", "--json")
    plain = run("ask", question, "--papers", IDS, "--json").json
    assert done.code == 0
    assert "model_unavailable" in [finding["code"] for finding in done.json["findings"]]
    assert done.json["model"] is None and done.json["sentences"] == plain["sentences"]


def test_a_budget_that_is_used_up_is_named(run: Run, server: AnthropicServer) -> None:
    done = run("ask", QUESTION, "--papers", IDS, "--llm", "anthropic", "--max-tokens", 10, "--json")
    assert done.code == 0 and server.requests == []
    assert "budget_reached" in [finding["code"] for finding in done.json["findings"]]


def test_a_file_of_questions_is_answered_by_the_model(run: Run, server: AnthropicServer, tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    text = "Graph attention networks weigh the neighbours of a node by learned scores. They need no inversion."
    line = {"question_id": 7, "question": QUESTION, "texts": [{"title": "GAT", "text": text}]}
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    done = run("ask", "--questions", file, "--llm", "anthropic", "--json")
    (said_,) = [json.loads(each) for each in done.out.splitlines()]
    assert said_["question_id"] == 7 and said_["sentences"][0]["status"] == "supported"


def test_in_a_conversation_the_history_is_sent_and_its_commands_work(
    run: Run, server: AnthropicServer, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, notes = project.read_text(), project.parent / "notes.md"
    line = before.splitlines().index("We sample neighbours and weigh them by attention.") + 1
    type_in(
        monkeypatch, "/sources 1", QUESTION, "And why is that?", "/papers", "/sources 1", f"/insert 1 {project}:{line}",
        "/insert 9", "/nonsense", "", f"/save {notes}", f"/save {notes}", "/new", "/sources", "/quit", "never asked",
    )  # fmt: skip
    done = run("ask", project, "--chat", "--papers", IDS, "--llm", "anthropic", "--offline")
    assert done.code == 0
    asked = [json.dumps(request.body) for request in server.requests]
    assert sum("The conversation so far" in each for each in asked) == 1
    assert not any("never asked" in each for each in asked)
    assert done.err.count("there is no answer yet") == 2 and "there is no sentence 9" in done.err
    assert "/nonsense is not a command" in done.err and "already exists" in done.err
    assert f"  arXiv:{GAT}, Graph Attention Networks (abstract)" in done.out
    assert re.search(r"attribution \d+ %", done.out)
    after = project.read_text().splitlines()
    assert [*after[:line], *after[line + 1 :]] == before.splitlines()
    assert after[line].startswith("Graph attention networks give neighbours different weights~\\citep{")
    assert GAT in (project.parent / "refs.bib").read_text()
    shown = notes.read_text(encoding="utf-8")
    assert shown.count("## ") == 3 and "Graph Attention Networks. arXiv:1710.10903 (2017)" in shown


def test_a_conversation_is_resumed_with_its_history(
    run: Run, server: AnthropicServer, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("ask", project, "--papers", IDS, "--llm", "anthropic")
    type_in(monkeypatch, QUESTION)
    assert run(*arguments, "--chat").code == 0
    type_in(monkeypatch, "/sources 1", "What else is there?")
    done = run(*arguments, "--resume")
    assert TEXT in done.out and "asked: How are the neighbours" in json.dumps(server.requests[-2].body)
    other = project.parent / "other.tex"
    other.write_text(project.read_text())
    assert "no conversation" in run("ask", other, "--papers", IDS, "--resume").err


def test_a_sentence_of_a_summary_is_reported_of_its_authors(run: Run, home: Path, project: Path) -> None:
    question = "Do graph attention networks give neighbours different weights?"
    done = run("ask", question, "--papers", GAT, "--insert", f"{project}:14", "--offline", "--json").json
    assert done["inserted"]["tex"].startswith(r"\citet{velickovic2017graph} introduce graph attention networks")
    assert done["inserted"]["tex"] in project.read_text()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--chat", "--json"), "--chat cannot be combined"),
        (("--insert", "nowhere"), "not a place"),
        (("--save", "notes.txt"), "not a Markdown file"),
        (("--llm", "nobody"), "not a language model service"),
    ],
)
def test_options_that_make_no_sense_are_refused(run: Run, home: Path, options: tuple[str, ...], why: str) -> None:
    done = run("ask", "How are graphs learned from?", "--papers", GAT, *options)
    assert done.code == 2 and why in done.err


def test_ctrl_c_keeps_what_was_said(server: AnthropicServer, home: Path) -> None:
    def slowly(request: Request) -> Answer:
        number, quote = quote_of(request)
        first = {"text": TEXT, "quotes": [{"passage": number, "quote": quote}]}
        second = {"text": "And so on. " * 2_000, "quotes": []}
        return Answer(json.dumps(said(first, second)), pause=0.05)

    server.script = slowly
    command = [sys.executable, "-m", "citeplug", "ask", QUESTION, "--papers", IDS, "--llm", "anthropic", "-v"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()  # there before the answer is whole, which takes a minute
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert first == f"[1] {TEXT}\n"
    assert process.returncode == 130
    assert "weak: nobody has compared it" in out and "[answer_cut]" in err


def test_ctrl_c_ends_a_file_of_questions_behind_the_answer_that_it_stopped(
    server: AnthropicServer, home: Path, tmp_path: Path
) -> None:
    judging = threading.Event()

    def waiting_for_the_judge(request: Request) -> dict[str, Any] | Fault:
        if "sentence 1, from" not in request.prompt or judging.is_set():
            return answer(request)
        judging.set()  # the answer is there, and nobody has read it yet
        return Fault(wait=600)

    server.script = waiting_for_the_judge
    lines = [{"question_id": n, "question": f"{QUESTION} {n}?"} for n in (1, 2)]
    (tmp_path / "q.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    command = [sys.executable, "-m", "citeplug", "ask", "--questions", str(tmp_path / "q.jsonl"), "--papers", IDS]
    command += ["--llm", "anthropic", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert judging.wait(300)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    (only,) = [json.loads(line) for line in out.splitlines()]
    assert (only["question_id"], [each["text"] for each in only["sentences"]]) == (1, [TEXT])
    assert "answer_cut" in [finding["code"] for finding in only["findings"]]
    assert process.returncode == 130, err


def test_an_answer_from_a_document_that_changed_since_is_marked(
    run: Run, server: AnthropicServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notes = tmp_path / "notes.md"
    text = "# Notes\n\nGraph attention networks weigh the neighbours of a node by learned scores.\n"
    notes.write_text(text, encoding="utf-8")
    type_in(monkeypatch, QUESTION, "/sources")
    assert "has changed since" not in run("ask", "--chat", notes, "--llm", "anthropic").out
    notes.write_text(f"{text}\nThey need no inversion.\n", encoding="utf-8")
    type_in(monkeypatch, "/sources", f"/insert 1 {notes}:3", "/save talk.md")
    done = run("ask", "--resume", notes, "--llm", "anthropic")
    assert "has changed since" in done.out
    assert "notes.md is a file" in done.err  # which has no entry to cite
    assert "the document has changed since" in (tmp_path / "talk.md").read_text(encoding="utf-8")


def test_ten_thousand_words_and_strange_signs_are_questions_like_others(
    run: Run, server: AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_in(monkeypatch, "why " * 10_000, "\x1b[31m?", "?!", QUESTION)
    done = run("ask", "--chat", "--papers", IDS, "--llm", "anthropic")
    assert done.code == 0 and "the question is empty" in done.err and TEXT in done.out
    assert "[question_cut]" in done.err
    assert max(len(json.dumps(request.body)) for request in server.requests) < 40_000
