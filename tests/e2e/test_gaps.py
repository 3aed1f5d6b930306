"""`citeplug gaps`, as a user runs it, without a model and with one over the wire."""

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
from tests.corpus.records import make_record, write_snapshot
from tests.e2e.conftest import Run
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.model_server import Fault

LIMIT = "Our sampler does not handle graphs whose edges change over time."
LIMITS = f"{LIMIT} All graphs in the experiments have only one kind of node."
ABSTRACTS = {
    "1801.00001": "We present a sampler of edges for the training of deep graph networks.",
    "1801.00002": "We introduce the removal of edges in deep graph networks, which lowers their accuracy.",
    "1801.00003": "We study the migration of turtles in warm rivers of the south.",
}
CITING = "However, this sampler cannot handle graphs whose edges change over time."
ALONE = "Bo only considers graphs of a few nodes."
DRAFT = rf"""\documentclass{{article}}
\title{{Edges that change}}
\begin{{document}}
\begin{{abstract}}
Graphs change.
\end{{abstract}}
\section{{Introduction}}
Lee samples the edges of a graph \cite{{lee}}. {CITING}
Bo \cite{{bo}} only considers graphs of a few nodes.
Turtles migrate \cite{{cy}}.
\bibliography{{refs}}
\end{{document}}
"""
KEYS = {"lee": "1801.00001", "bo": "1801.00002", "cy": "1801.00003"}


@pytest.fixture
def main(tmp_path: Path, run: Run, fresh_home: Path) -> Path:
    """A draft that cites three papers of the catalogue, of one of which there is the full text."""
    records = [
        make_record(int(value[-5:]), title=f"Paper {value[-1]}", abstract=text) for value, text in ABSTRACTS.items()
    ]
    assert run("index", "add", write_snapshot(tmp_path / "s.jsonl", records)).code == 0
    sections = (TextSection(1, "Limitations", LIMITS, len(LIMITS)),)
    with closing(TextStore(fresh_home)) as store:
        store.put(PaperText("1801.00001", 1, "eprint", "Paper 1", sections), date(2026, 1, 2))
    folder = tmp_path / "draft"
    folder.mkdir()
    entries = (f"@misc{{{key}, title={{Paper {value[-1]}}}, eprint={{{value}}}}}\n" for key, value in KEYS.items())
    (folder / "refs.bib").write_text("".join(entries), "utf-8")
    (folder / "main.tex").write_text(DRAFT, "utf-8")
    return folder / "main.tex"


def test_each_cited_work_has_its_limit_and_the_draft_s_sentence_word_for_word(run: Run, main: Path) -> None:
    done = run("gaps", main, "--json")
    assert done.code == 0, done.err
    assert done.json["of"] == "draft"
    assert done.json["looked_through"] == {"abstracts": 3, "full_texts": 1, "citations": 0}
    bo, lee, cy = done.json["works"]
    assert (lee["key"], lee["arxiv_id"], lee["status"]) == ("lee", "1801.00001", "taken_up")
    assert lee["limit"] == {
        "text": LIMIT,
        "of": "full text",
        "paper": "1801.00001",
        "section": "Limitations",
        "start": 0,
        "end": len(LIMIT),
    }
    assert lee["draft"] == {"text": CITING, "file": str(main), "line": 8, "section": "Introduction"}
    assert lee["does"]["text"] == ABSTRACTS["1801.00001"]
    assert (bo["status"], bo["draft"]["text"], bo["limit"]) == ("draft_alone", ALONE, None)
    assert (cy["status"], cy["limit"], cy["draft"]) == ("none", None, None)
    assert [finding["code"] for finding in done.json["findings"]] == ["full_text_missing"]


def test_a_limit_that_the_draft_does_not_take_up_comes_first(run: Run, main: Path) -> None:
    main.write_text(DRAFT.replace(CITING, ""), "utf-8")
    done = run("gaps", main)
    assert done.code == 0
    places = [done.out.index(text) for text in (LIMIT, ALONE, "No limitation stated (1): cy")]
    assert places == sorted(places) and "[its full text, “Limitations”]" in done.out
    assert run("gaps", main, "--json").json["findings"][0]["code"] == "gap_open"


def test_the_draft_is_left_as_it_is(run: Run, main: Path) -> None:
    before = sorted((path, path.read_bytes()) for path in main.parent.rglob("*") if path.is_file())
    assert run("gaps", main).code == 0
    assert before == sorted((path, path.read_bytes()) for path in main.parent.rglob("*") if path.is_file())


def test_the_works_of_a_section_are_those_that_it_cites_and_its_record_has_the_ledger(run: Run, main: Path) -> None:
    section = main.parent / "related.tex"
    section.write_text("% citeplug: 1\nEdges are sampled \\cite{lee}.\n", "utf-8")
    record = main.parent / ".citeplug" / "provenance.json"
    record.parent.mkdir()
    record.write_text('{"citeplug": "1", "format": 1, "sentences": []}', "utf-8")
    done = run("gaps", main, "--json").json
    assert (done["of"], [work["key"] for work in done["works"]]) == ("section", ["lee"])
    (row,) = json.loads(record.read_text("utf-8"))["ledger"]
    assert (row["limit"]["text"], row["draft"]["file"], row["status"]) == (LIMIT, "main.tex", "taken_up")
    before = record.read_bytes()
    assert run("gaps", main).code == 0 and record.read_bytes() == before


def test_a_draft_that_cites_nothing_is_said_to(run: Run, main: Path) -> None:
    main.write_text(re.sub(r"\\cite\{\w+\}", "", DRAFT), "utf-8")
    done = run("gaps", main, "--json")
    assert (done.code, done.json["works"], [each["code"] for each in done.json["findings"]]) == (0, [], ["no_works"])


def test_what_is_no_draft_ends_with_2(run: Run, main: Path) -> None:
    assert run("gaps", main.parent / "none.tex").code == 2
    assert run("gaps", main, "--max-cost", "1").code == 2


# With a model


def honest(request: Request) -> dict[str, Any]:
    """The limit on kinds of nodes for the first work, that no sentence of the draft takes up; the judge agrees."""
    if "rows" in (request.schema or {}).get("properties", {}):
        return {"rows": [{"row": 0, "limit": True, "draft": False}, {"row": 1, "limit": False, "draft": True}]}
    works = dict(re.findall(r": title of work (\d+)>\n([^\n]*)\n", request.prompt))
    texts = re.findall(r": text (\d+), work (\d+), a passage of its full text>", request.prompt)
    (text, work), *_ = texts
    quote = "experiments have only one kind of node"
    assert works[work] == "Paper 1"
    return {"works": [{"work": int(work), "does": "", "text": int(text), "limit": quote, "sentence": -1}]}


@pytest.fixture
def server(main: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with AnthropicServer(honest).serve() as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        yield served


def test_what_a_model_proposes_and_judges_stands_in_the_text(run: Run, main: Path, server: AnthropicServer) -> None:
    done = run("gaps", main, "--llm", "anthropic", "--json")
    assert done.code == 0, done.err
    first = done.json["works"][0]
    assert (first["key"], first["status"], first["draft"]) == ("lee", "open", None)
    assert LIMITS[first["limit"]["start"] : first["limit"]["end"]] == first["limit"]["text"]
    assert first["by"].startswith("anthropic:") and len(server.requests) == 2
    assert done.json["dropped"] == {"not_taken_up": 1}


def test_a_dry_run_lists_the_requests_with_their_cost_and_sends_none(
    run: Run, main: Path, server: AnthropicServer
) -> None:
    done = run("gaps", main, "--llm", "anthropic", "--dry-run", "--json")
    assert done.code == 0 and server.requests == []
    assert len(done.json["would_send"]["requests"]) == 2 and done.json["would_send"]["most_cost"] == 0  # on loopback
    assert [work["status"] for work in done.json["works"]] == ["draft_alone", "taken_up", "none"]


@pytest.mark.parametrize(("said", "code"), [(Fault.http(401), "model_unavailable"), ("No.", "answer_unreadable")])
def test_where_the_model_fails_words_alone_decide(
    run: Run, main: Path, server: AnthropicServer, said: Any, code: str
) -> None:
    server.script = lambda _: said
    done = run("gaps", main, "--llm", "anthropic", "--json")
    assert done.code == 0 and code in [each["code"] for each in done.json["findings"]]
    assert [work["status"] for work in done.json["works"]] == ["draft_alone", "taken_up", "none"]
