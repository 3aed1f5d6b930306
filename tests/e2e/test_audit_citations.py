"""Citations that are not supported, as `citeplug audit` shows them; the model is asked over the wire."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from citeplug.corpus.fulltext.store import TextStore
from citeplug.records.dialogue import Request
from citeplug.records.passage import PaperText, TextSection
from tests.e2e.conftest import Run
from tests.e2e.test_check import RIGHT
from tests.harness.model_server import Fault
from tests.harness.openai_server import OpenAIServer

SAGE = """@misc{sage,
  title = {Inductive Representation Learning on Large Graphs},
  author = {Hamilton, William L. and Ying, Rex and Leskovec, Jure},
  year = {2017}, eprint = {1706.02216}, archivePrefix = {arXiv}
}
"""
GGNN = """@misc{gated,
  title = {Gated Graph Sequence Neural Networks},
  author = {Li, Yujia and Tarlow, Daniel and Brockschmidt, Marc and Zemel, Richard},
  year = {2015}, eprint = {1511.05493}, archivePrefix = {arXiv}
}
"""
BOOK = "@book{book, title = {A Book}, author = {Some Body}, publisher = {House}, year = {1999}}\n"
NAMED = r"In an early work, Grover and Leskovec \citep{gated} learn features of nodes in networks."
FITS = (
    r"Feature vectors of the nodes of a network preserve neighborhoods that are sampled by a biased random walk"
    r" \citep{sage}."
)
TRUE = r"Embeddings of unseen nodes come from features of the nodes that are sampled and aggregated \citep{sage}."
CODES = ("named_otherwise", "fits_other_work", "source_differs", "not_supported")


@pytest.fixture
def draft(home: Path, project: Path) -> Path:
    (project.parent / "refs.bib").write_text(RIGHT + SAGE + GGNN + BOOK, "utf-8")
    return project


def say(draft: Path, *sentences: str) -> None:
    text = draft.read_text("utf-8")
    draft.write_text(
        text.replace("\\section{Method}", "\n\n".join(["", *sentences, ""]) + "\\section{Method}"), "utf-8"
    )


def audit(run: Run, draft: Path, *options: object) -> Any:
    return run("audit", draft, "--offline", "--json", *options).json


def found(document: Any) -> list[str]:
    return [each["code"] for each in document["findings"] if each["code"] in CODES]


def test_people_in_front_of_another_reference_are_found_and_shown_beside_both_passages(run: Run, draft: Path) -> None:
    say(draft, NAMED, TRUE)
    document = audit(run, draft)
    assert found(document) == ["named_otherwise"]
    (doubt,) = document["citations"]
    assert doubt["sentence"] == "In an early work, Grover and Leskovec [gated] learn features of nodes in networks."
    assert (doubt["source"]["key"], doubt["source"]["of"]) == ("gated", "abstract")
    assert doubt["fits"]["key"] == "grover2016node2vec" and doubt["by"] is None
    (finding,) = [each for each in document["findings"] if each["code"] == "named_otherwise"]
    assert finding["severity"] == "warning" and (finding["file"], finding["line"]) == (doubt["file"], doubt["line"])
    assert all(
        text in finding["message"] for text in (doubt["sentence"], doubt["source"]["text"], doubt["fits"]["text"])
    )
    shown = run("audit", draft, "--offline", "--all").out
    block = shown[shown.index("Citations to compare") :]
    assert (
        block.index("your sentence:") < block.index("gated, abstract:") < block.index("grover2016node2vec, abstract:")
    )
    assert "whether the works say what the draft says of them" in document["not_looked_at"]
    known = draft.parent / "known.json"
    audit(run, draft, "--baseline", known, "--write-baseline")
    document = audit(run, draft, "--baseline", known)
    assert (found(document), document["citations"]) == ([], [])
    ignored = draft.read_text("utf-8").replace(NAMED, "% citeplug: ignore named_otherwise\n" + NAMED)
    draft.write_text(ignored, "utf-8")
    document = audit(run, draft)
    assert (found(document), document["citations"], document["ignored"]) == ([], [], 1)


def test_a_sentence_that_fits_another_reference_is_found_where_that_is_asked_for(run: Run, draft: Path) -> None:
    say(draft, FITS, TRUE, r"Books were written on graphs and their networks of nodes too \citep{book}.")
    assert found(audit(run, draft)) == []
    document = audit(run, draft, "--compare")
    assert found(document) == ["fits_other_work"]
    (doubt,) = document["citations"]
    assert (doubt["source"]["key"], doubt["fits"]["key"]) == ("sage", "grover2016node2vec")
    assert "2 sentences compared with what they cite, by their words" in document["looked_at"]
    assert "1 sentence whose works have no abstract here" in document["not_looked_at"]


def test_another_number_of_the_same_thing_and_the_opposite_are_contradictions(run: Run, draft: Path) -> None:
    say(
        draft,
        r"Sampling and aggregating are a framework to generate node embeddings for data that was previously seen"
        r" \citep{sage}, and Hamilton et al. (2007) \citep{sage} have it.",
    )
    document = audit(run, draft, "--compare")
    assert "source_differs" in found(document)


def test_hostile_text_reaches_no_terminal(run: Run, draft: Path) -> None:
    say(draft, NAMED.replace("In an early work", "In \x1b[31man \x1b]0;x\x07early work"))
    done = run("audit", draft, "--offline")
    assert "named_otherwise" in done.out and "\x1b" not in done.out and "\x07" not in done.out


@pytest.fixture
def server(draft: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    with OpenAIServer(verdicts).serve() as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        yield served


def verdicts(request: Request) -> str:
    """What is said of turtles is not supported, the rest is."""
    if "pairs" in (request.schema or {}).get("properties", {}):
        return json.dumps({"pairs": []})
    asked = re.findall(r"^sentence (\d+)[^:]*: (.*)$", request.prompt, re.MULTILINE)
    answer = [
        {
            "sentence": int(number),
            "unsupported": "turtles: the source has nodes" if "turtles" in text else "",
            "verdict": "not" if "turtles" in text else "entailed",
        }
        for number, text in asked
    ]
    return json.dumps({"verdicts": answer, "harms": [{"sentence": 1, "reason": "it is another's"}]})


TURTLES = r"They aggregate the features of turtles in warm rivers \citep{sage}."


def test_a_model_s_verdict_is_a_finding_with_both_passages(run: Run, draft: Path, server: OpenAIServer) -> None:
    say(draft, f"Sampling is another way. {TURTLES}", TRUE, r"A book has it too, and turtles \citep{book,sage}.")
    document = audit(run, draft, "--llm", "openai:m")
    assert found(document) == ["not_supported"]
    (doubt,) = document["citations"]
    assert doubt["by"] == "openai:m" and doubt["reason"] == "not supported by sage: turtles: the source has nodes"
    assert doubt["sentence"] == "They aggregate the features of turtles in warm rivers [sage]."
    assert doubt["source"]["key"] == "sage" and "not supported" not in document["not_looked_at"]
    assert "2 sentences compared with what they cite, by openai:m" in document["looked_at"]
    assert document["language_model"]["name"] == "openai:m"
    (request,) = server.requests
    prompt = json.dumps(request.body)
    assert "beside them, not to be judged: Sampling is another way." in prompt
    assert "A book has it too" not in prompt  # of its two works one has no abstract here
    assert "We sample neighbours and weigh them" not in prompt  # cites nothing


def test_a_model_sees_the_nearest_passages_of_a_full_text_too(
    run: Run, draft: Path, own_home: Path, server: OpenAIServer
) -> None:
    passage = "Turtles wander in warm rivers, where the sampler of nodes aggregates their features."
    sections = (TextSection(1, "Method", passage, len(passage)),)
    with closing(TextStore(own_home)) as store:
        store.put(PaperText("1706.02216", 1, "eprint", "Inductive Representation Learning", sections), date(2026, 1, 1))
    say(draft, rf"Others differ \citep{{book}}. {TURTLES}")
    (doubt,) = audit(run, draft, "--llm", "openai:m")["citations"]
    assert doubt["source"]["of"] == "full text" and doubt["source"]["text"] == passage
    prompt = json.dumps(server.requests[0].body, ensure_ascii=False)
    assert f"[passage of the section “Method”] {passage}" in prompt
    assert "beside them, not to be judged: Others differ [book]." in prompt


def test_nothing_is_sent_without_consent(run: Run, draft: Path, server: OpenAIServer) -> None:
    say(draft, TURTLES)
    audit(run, draft, "--compare")
    assert server.requests == []
    assert run("audit", draft, "--offline", "--max-tokens", 5).code == 2


def test_a_dry_run_sends_nothing_and_reports_no_failure_of_the_model(
    run: Run, draft: Path, server: OpenAIServer
) -> None:
    say(draft, NAMED, TURTLES)
    document = audit(run, draft, "--llm", "openai:m", "--dry-run")
    assert server.requests == [] and document["would_send"]["requests"]
    assert "model_unavailable" not in [finding["code"] for finding in document["findings"]]


@pytest.mark.parametrize("fault", [Fault.http(500), Fault.page()])
def test_a_model_that_fails_narrows_the_audit(
    run: Run, draft: Path, server: OpenAIServer, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script = lambda request: fault
    say(draft, NAMED, TURTLES)
    document = audit(run, draft, "--llm", "openai:m")
    assert found(document) == ["named_otherwise"]
    assert "model_unavailable" in [each["code"] for each in document["findings"]]
    assert "0 sentences compared with what they cite, by openai:m" in document["looked_at"]


def test_a_budget_that_is_too_small_sends_nothing(run: Run, draft: Path, server: OpenAIServer) -> None:
    say(draft, TURTLES)
    document = audit(run, draft, "--llm", "openai:m", "--max-tokens", 5)
    assert "budget_reached" in [each["code"] for each in document["findings"]]
    assert server.requests == []


def test_a_quotation_is_looked_up_in_what_is_cited(run: Run, draft: Path) -> None:
    said = "computes embeddings for nodes never seen in training"
    say(
        draft,
        rf"Others require that ``{said}'' \citep{{sage}}.",
        r"``No nodes in the graph are present in it'' \citep{sage}.",
    )
    document = audit(run, draft)
    assert "1 quotation compared with the texts of what they cite" in document["looked_at"]
    assert "1 quotation (no text here: citeplug fetch)" in document["not_looked_at"]
    assert document["citations"] == []
