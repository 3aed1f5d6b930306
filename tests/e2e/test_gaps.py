"""`citeplug gaps`, as a user runs it, without a model and with one over the wire."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeplug.records.dialogue import Request
from tests.corpus.records import make_record, write_snapshot
from tests.e2e.conftest import Run
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.model_server import Fault
from tests.harness.pdf_files import paper_pdf

SAID = "We propose a sampler of edges for the training of deep graph networks."
DRAFT = rf"""\documentclass{{article}}
\title{{Sampling of edges}}
\begin{{document}}
\begin{{abstract}}
Graphs are everywhere. {SAID}
\end{{abstract}}
\section{{Introduction}}
In this paper, we present a new calculation of quark masses in lattice gauge theory by sampling of heavy flavours.
\end{{document}}
"""
FILL = "A graph has nodes and edges, and each edge joins two of the nodes. " * 40
NEAR = "We present a method for the sampling of edges in the training of deep graph convolutional networks."
OTHER = "We introduce a method for the removal of edges in deep graph networks, which lowers their accuracy."
ABSTRACTS = {
    "1801.00001": f"Networks on graphs are deep. {NEAR}",
    "1801.00002": f"Networks on graphs are shallow. {OTHER}",
    "1801.00003": "We study the migration of turtles in warm rivers of the south.",
    "1801.00004": "We propose a sampler of edges for the training of deep graph networks.",
}


@pytest.fixture
def main(tmp_path: Path, run: Run) -> Path:
    """A draft, and four papers in a catalogue, one of which has the draft's own title; nothing is prepared."""
    titles = {"1801.00004": "Sampling of Edges"}
    records = [
        make_record(int(value[-5:]), title=titles.get(value, f"Paper {value[-1]}"), abstract=abstract)
        for value, abstract in ABSTRACTS.items()
    ]
    assert run("index", "add", write_snapshot(tmp_path / "s.jsonl", records)).code == 0
    folder = tmp_path / "draft"
    folder.mkdir()
    (folder / "main.tex").write_text(DRAFT, "utf-8")
    return folder / "main.tex"


@pytest.fixture
def prepared(run: Run, main: Path) -> Path:
    assert run("prepare", *ABSTRACTS).code == 0
    return main


def bears_out(statement: dict[str, Any]) -> bool:
    text = ABSTRACTS[statement["paper"]]
    return bool(text[statement["start"] : statement["end"]] == statement["quote"])


def test_where_nothing_is_prepared_the_command_that_prepares_is_named(run: Run, main: Path) -> None:
    done = run("gaps", main)
    assert done.code == 3 and f"citeplug prepare --shortlist {main}" in done.err and "Traceback" not in done.err


def test_each_contribution_has_what_is_near_it_word_for_word_or_what_was_looked_through(
    run: Run, prepared: Path
) -> None:
    done = run("gaps", prepared, "--json")
    assert done.code == 0, done.err
    found = done.json
    assert found["looked_through"]["papers"] == 3 and found["looked_through"]["own"] == ["1801.00004"]
    edges, quarks = found["questions"]
    assert (edges["status"], edges["said"], edges["section"]) == ("near", SAID, None)
    assert edges["statements"][0]["paper"] == "1801.00001" and edges["statements"][0]["quote"] == NEAR
    assert not edges["statements"][0]["cited"] and "1801.00004" not in {s["paper"] for s in edges["statements"]}
    assert (quarks["status"], quarks["statements"], quarks["section"]) == ("nothing_near", [], "Introduction")
    assert all(bears_out(each) for each in [*edges["statements"], quarks["nearest"]])
    assert found["differences"] is None and found["dropped"] == {}
    codes = [each["code"] for each in found["findings"]]
    assert codes == ["near_statement", "nothing_answers", "too_few_prepared"]
    assert {each["severity"] for each in found["findings"]} == {"info"}
    assert "was found in 3 prepared papers" in found["findings"][1]["message"]
    assert run("gaps", prepared, "--format", "json").json == found


def test_a_reader_is_shown_the_quotations_and_that_papers_were_not_compared(run: Run, prepared: Path) -> None:
    done = run("gaps", prepared)
    assert done.code == 0 and f"“{NEAR}”" in done.out and "not cited" in done.out
    assert "Looked through: 3 prepared papers" in done.out and "not compared with each other" in done.out
    assert "too_few_prepared" in done.err and "near_statement" not in done.err


def test_a_paper_whose_text_has_changed_is_looked_through_when_it_is_prepared_again(
    run: Run, prepared: Path, tmp_path: Path
) -> None:
    changed = make_record(1, title="Paper 1", abstract="Rivers are warm.")
    run("index", "add", write_snapshot(tmp_path / "t.jsonl", [{**changed, "update_date": "2020-01-01"}]))
    assert run("gaps", prepared, "--json").json["looked_through"]["papers"] == 2


GERMAN = "Wir zeigen, dass die Kanten und die Knoten eines Graphen nicht von der Art der Daten sind."


@pytest.mark.parametrize("abstract", ["", "Graphs are everywhere.", GERMAN])
def test_a_draft_that_states_nothing_is_said_to(run: Run, prepared: Path, abstract: str) -> None:
    text = DRAFT.replace(f"Graphs are everywhere. {SAID}", abstract)
    prepared.write_text(re.sub(r"\\section\{.*\n.*\n", "", text), "utf-8")
    done = run("gaps", prepared, "--json")
    assert (done.code, done.json["questions"]) == (0, [])
    assert [each["code"] for each in done.json["findings"]] == ["no_contribution_stated"]


def test_a_pdf_is_compared_too(run: Run, prepared: Path) -> None:
    path = prepared.parent / "paper.pdf"
    path.write_bytes(
        paper_pdf("Sampling of edges", [("Abstract", f"Graphs are everywhere. {SAID}"), ("1 Graphs", FILL)])
    )
    done = run("gaps", path, "--json")
    assert done.code == 0, done.err
    assert [(each["said"], each["status"]) for each in done.json["questions"]] == [(SAID, "near")]


def test_what_is_no_draft_ends_with_2(run: Run, prepared: Path) -> None:
    assert run("gaps", prepared.parent / "none.tex").code == 2
    assert run("gaps", prepared, "--max-cost", "1").code == 2


def test_the_draft_is_left_as_it_is(run: Run, prepared: Path) -> None:
    before = sorted((path, path.read_bytes()) for path in prepared.parent.rglob("*") if path.is_file())
    assert run("gaps", prepared).code == 0
    assert before == sorted((path, path.read_bytes()) for path in prepared.parent.rglob("*") if path.is_file())


# With a model


def texts_in(request: Request) -> dict[int, str]:
    return {int(n): said for n, said in re.findall(r": text (\d+)>\n[^\n]*\n([^\n]*)\n", request.prompt)}


def is_judging(request: Request) -> bool:
    return "answers" in (request.schema or {}).get("properties", {})


def honest(request: Request) -> dict[str, Any]:
    """One question, answered by the paper that presents a method, and by another one differently."""
    if not is_judging(request):
        quote = "sampler of edges for the training of deep graph networks"
        return {"questions": [{"question": "How are edges of deep graph networks sampled?", "text": 0, "quote": quote}]}
    by_quote = {quote: n for n, text in texts_in(request).items() for quote in (NEAR, OTHER) if quote in text}
    how = "The one samples edges in the training, the other removes edges and lowers the accuracy."
    difference = {"one": by_quote[NEAR], "one_quote": NEAR, "other": by_quote[OTHER], "other_quote": OTHER, "how": how}
    return {"answers": [{"text": by_quote[NEAR], "quote": NEAR}], "differences": [difference]}


@pytest.fixture
def server(prepared: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with AnthropicServer(honest).serve() as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        yield served


def test_a_model_s_judgement_comes_with_the_quotations(run: Run, prepared: Path, server: AnthropicServer) -> None:
    done = run("gaps", prepared, "--llm", "anthropic", "--json")
    assert done.code == 0, done.err
    (asked,) = done.json["questions"]
    assert (asked["status"], asked["statements"][0]["quote"]) == ("answered", NEAR.rstrip("."))
    (difference,) = done.json["differences"]
    assert {difference[side]["quote"] for side in ("one", "other")} == {NEAR.rstrip("."), OTHER.rstrip(".")}
    assert all(map(bears_out, (asked["statements"][0], difference["one"], difference["other"])))
    assert [e["code"] for e in done.json["findings"]] == ["answered_already", "answers_differ", "too_few_prepared"]
    assert done.json["language_model"]["stages"] and len(server.requests) == 2
    shown = run("gaps", prepared, "--llm", "anthropic")
    assert "already answered, as the model reads it" in shown.out and "Answered differently" in shown.out
    assert len(server.requests) == 2  # kept answers


def test_a_dry_run_lists_the_requests_with_their_cost_and_sends_none(
    run: Run, prepared: Path, server: AnthropicServer
) -> None:
    done = run("gaps", prepared, "--llm", "anthropic", "--dry-run", "--json")
    assert done.code == 0 and server.requests == []
    planned = done.json["would_send"]
    assert len(planned["requests"]) == 3 and planned["most_cost"] == 0  # on loopback
    assert [each["status"] for each in done.json["questions"]] == ["near", "nothing_near"]
    assert "model_unavailable" not in [each["code"] for each in done.json["findings"]]
    assert "request 3 " in run("gaps", prepared, "--llm", "anthropic", "--dry-run").out


def test_an_invented_answer_is_refused_and_the_question_is_not_called_unanswered(
    run: Run, prepared: Path, server: AnthropicServer
) -> None:
    def lie(request: Request) -> dict[str, Any]:
        if not is_judging(request):
            return honest(request)
        return {"answers": [{"text": 0, "quote": "all of this was done in 1823 by Gauss alone"}], "differences": []}

    server.script = lie
    done = run("gaps", prepared, "--llm", "anthropic", "--json").json
    assert (done["questions"][0]["status"], done["dropped"]) == ("not_compared", {"no_quotation": 1})
    assert done["differences"] == [] and [e["code"] for e in done["findings"]] == ["too_few_prepared"]


def test_a_question_that_a_model_finds_unanswered_has_what_was_looked_through(
    run: Run, prepared: Path, server: AnthropicServer
) -> None:
    server.script = lambda r: {"answers": [], "differences": []} if is_judging(r) else honest(r)
    done = run("gaps", prepared, "--llm", "anthropic", "--json").json
    assert (done["questions"][0]["status"], done["differences"]) == ("unanswered", [])
    assert done["questions"][0]["nearest"]["paper"] == "1801.00001"
    assert "none of 3 prepared papers" in done["findings"][0]["message"]


@pytest.mark.parametrize(("said", "code"), [(Fault.http(401), "model_unavailable"), ("No.", "answer_unreadable")])
def test_where_the_model_fails_sentences_are_compared_as_without_it(
    run: Run, prepared: Path, server: AnthropicServer, said: Any, code: str
) -> None:
    server.script = lambda _: said
    done = run("gaps", prepared, "--llm", "anthropic", "--json")
    assert done.code == 0
    assert [each["status"] for each in done.json["questions"]] == ["near", "nothing_near"]
    assert code in [each["code"] for each in done.json["findings"]]
    assert done.json["differences"] is None
