"""`citeplug table`, as a user runs it: every cell with its place, the author's edits kept, and the three forms."""

import csv
import io
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

ABSTRACTS = {
    "lee": "We present a sampler of edges for training deep graph networks. It tolerates noisy labels in the edges.",
    "bo": "In this paper, we propose a graph network with sparse attention & gates. The network handles noise well.",
    "cy": "We introduce a catalogue of turtles in warm rivers. We show that most turtles live alone.",
}
TITLES = {"lee": "A sampler of edges", "bo": "A graph network with gates", "cy": "Turtles in warm rivers"}
FULL = "We run our experiments on the Cora dataset. It is small. The source code is publicly available."
DRAFT = r"""\documentclass{article}
\usepackage{booktabs,tabularx}
\title{Edges that change}
\begin{document}
\begin{abstract}
Graphs change. We propose a recurrent sampler of changing edges.
\end{abstract}
\section{Introduction}
Lee \cite{lee}, Bo \cite{bo} and Cy \cite{cy} are cited.
\input{related-table}
\bibliography{refs}
\end{document}
"""


@pytest.fixture
def main(tmp_path: Path, run: Run, fresh_home: Path) -> Path:
    """A draft that cites three papers of the catalogue, of one of which there is the full text."""
    records = [
        make_record(number, title=TITLES[key], abstract=text) for number, (key, text) in enumerate(ABSTRACTS.items(), 1)
    ]
    assert run("index", "add", write_snapshot(tmp_path / "s.jsonl", records)).code == 0
    with closing(TextStore(fresh_home)) as store:
        sections = (TextSection(1, "Experiments", FULL, len(FULL)),)
        store.put(PaperText("1801.00001", 1, "eprint", TITLES["lee"], sections), date(2026, 1, 2))
    folder = tmp_path / "draft"
    folder.mkdir()
    entries = (
        f"@misc{{{key}, title={{{TITLES[key]}}}, eprint={{1801.0000{number}}}}}\n"
        for number, key in enumerate(ABSTRACTS, 1)
    )
    (folder / "refs.bib").write_text("".join(entries), "utf-8")
    (folder / "main.tex").write_text(DRAFT, "utf-8")
    return folder / "main.tex"


def file_of(main: Path) -> Path:
    return main.with_name("related-table.tex")


def test_every_cell_stands_word_for_word_in_its_text_and_its_place_is_recorded(run: Run, main: Path) -> None:
    done = run("table", main, "--column", "Data", "--json")
    assert done.code == 0, done.err
    assert [row["key"] for row in done.json["rows"]] == ["lee", "bo", "cy", None]
    texts = {"abstract": ABSTRACTS, "full text": {"lee": FULL}}
    for row in done.json["rows"][:-1]:
        for cell in row["cells"]:
            source = cell["source"]
            assert texts[source["of"]][row["key"]][source["start"] : source["end"]] == cell["text"]
    assert {cell["column"]: cell["text"] for cell in done.json["rows"][0]["cells"]} == {
        "Method": "a sampler of edges for training deep graph networks",
        "Data": "the Cora dataset",
    }
    own = done.json["rows"][-1]["cells"]
    assert own[0]["text"] == "a recurrent sampler of changing edges" and own[0]["source"]["line"] == 6
    tex = file_of(main).read_text("utf-8")
    assert r"sparse attention \& gates" in tex and r"\label{tab:related}" in tex and r"\cite{bo}" in tex
    assert tex.index("This work") > tex.index(r"\cite{cy}")
    record = json.loads((main.parent / ".citeplug" / "provenance.json").read_text("utf-8"))["table"]
    assert {(cell["key"], cell["column"]) for cell in record} >= {("lee", "Data"), ("", "Method")}
    assert record[-1]["source"]["file"] == "main.tex"
    dropped = {column["column"]: column["cells"] for column in done.json["columns_dropped"]}
    assert dropped["Code"] == 1 and "columns_dropped" in [each["code"] for each in done.json["findings"]]


def test_a_column_of_the_author_s_is_filled_by_a_clause_that_has_its_words(run: Run, main: Path) -> None:
    done = run("table", main, "--column", "handles noise", "--json")
    cells = {row["key"]: {cell["column"]: cell["text"] for cell in row["cells"]} for row in done.json["rows"]}
    assert cells["bo"]["handles noise"] == "The network handles noise well"
    assert "handles noise" not in cells["cy"] and "handles noise" not in cells[None]


def test_what_the_author_changed_or_deleted_stays_and_a_second_run_changes_nothing(run: Run, main: Path) -> None:
    assert run("table", main, "--column", "Data").code == 0
    file = file_of(main)
    before = file.read_bytes()
    assert "unchanged" in run("table", main).out and file.read_bytes() == before
    tex = file.read_text("utf-8").replace("the Cora dataset", "Cora, as I say")
    lines = [line for line in tex.splitlines(keepends=True) if r"\cite{cy}" not in line]
    file.write_text("".join(lines), "utf-8")
    edited = file.read_text("utf-8")
    assert run("table", main).code == 0 and file.read_text("utf-8") == edited
    assert run("table", main, "--column", "handles noise").code == 0
    now = file.read_text("utf-8")
    assert "Cora, as I say" in now and r"\cite{cy}" not in now and "The network handles noise well" in now
    assert run("table", main, "--format", "markdown", "-q").out.count("Cora, as I say") == 1


@pytest.mark.parametrize(
    "text",
    ["my own table\n", "% citeplug:table sha256=00000000\nwords\n", "% citeplug:table sha256=00000000\n<<<<<<< a\n"],
)
def test_a_file_that_cannot_be_merged_is_not_touched(run: Run, main: Path, text: str) -> None:
    file_of(main).write_text(text, "utf-8")
    done = run("table", main)
    assert done.code == 1 and "it was not touched" in done.err and file_of(main).read_text("utf-8") == text


def test_csv_and_markdown_are_printed_and_nothing_is_written(run: Run, main: Path) -> None:
    done = run("table", main, "--format", "csv", "-q")
    head, lee, *_, own = list(csv.reader(io.StringIO(done.out)))
    assert head == ["Work", "Method"] and own[0] == "This work"
    assert lee[1] == "a sampler of edges for training deep graph networks"
    markdown = run("table", main, "--format", "markdown", "-q").out.splitlines()
    assert markdown[:2] == ["| Work | Method |", "|---|---|"] and "sparse attention &amp; gates" in markdown[3]
    assert not file_of(main).exists() and not (main.parent / ".citeplug").exists()


def test_two_columns_get_a_table_across_both_and_packages_that_are_missing_are_named(run: Run, main: Path) -> None:
    main.write_text(DRAFT.replace("{article}", "[conference]{IEEEtran}").replace("booktabs,", ""), "utf-8")
    done = run("table", main, "--json").json
    assert r"\begin{table*}[t]" in done["tex"] and r"{\textwidth}" in done["tex"]
    assert [each["fix"] for each in done["findings"] if each["code"] == "package_missing"] == [
        "add \\usepackage{booktabs} to the preamble"
    ]


def test_a_draft_that_cites_nothing_gets_no_file(run: Run, main: Path) -> None:
    main.write_text(DRAFT.replace(r"\cite", r"\emph"), "utf-8")
    done = run("table", main, "--json")
    assert done.code == 0 and [each["code"] for each in done.json["findings"]] == ["no_works"]
    assert not file_of(main).exists()
    assert run("table", main.parent / "none.tex").code == 2


def test_remove_takes_the_table_unless_the_draft_reads_it_or_it_was_changed(run: Run, main: Path) -> None:
    assert run("table", main).code == 0
    assert "reads related-table.tex by a line" in run("remove", main).err and file_of(main).exists()
    main.write_text(DRAFT.replace("\\input{related-table}\n", ""), "utf-8")
    written = file_of(main).read_bytes()
    file_of(main).write_bytes(written.replace(b"sampler", b"drawer"))
    assert "its text was changed" in run("remove", main).err and file_of(main).exists()
    file_of(main).write_bytes(written)
    assert run("remove", main).code == 0
    assert not file_of(main).exists() and not (main.parent / ".citeplug").exists()


def test_related_writes_the_table_beside_the_section_in_the_same_run(run: Run, home: Path, project: Path) -> None:
    done = run("related", project, "--offline", "--table", "--json").json
    written = Path(done["table"]["path"])
    assert written == project.with_name("related-table.tex") and written.read_text("utf-8") == done["table"]["tex"]
    assert [row["key"] for row in done["table"]["rows"][:-1]] == list(
        dict.fromkeys(
            cite["key"]
            for paragraph in done["section"]["paragraphs"]
            for sentence in paragraph["sentences"]
            for cite in sentence["cites"]
        )
    )
    assert run("related", project, "--offline", "--table", "--dry-run").code == 2


# With a model


def honest(request: Request) -> dict[str, Any]:
    """A column on labels, cells of which one is made up and one of another work, and a judge who refuses one."""
    properties = (request.schema or {}).get("properties", {})
    if "columns" in properties:
        return {"columns": ["labels", "Method", "a name that is far too long"]}
    judged = re.findall(r": cell (\d+): its words>\n([^\n]*)\n", request.prompt)
    if judged:
        return {"cells": [{"cell": int(at), "holds": "turtles" not in words} for at, words in judged]}
    columns = {name: int(at) for at, name in re.findall(r": column (\d+)>\n([^\n]*)\n", request.shared)}
    works = {title: int(at) for at, title in re.findall(r": title of work (\d+)>\n([^\n]*)\n", request.prompt)}
    texts = {int(work): int(at) for at, work in re.findall(r": text (\d+), work (\d+)>", request.prompt)[::-1]}
    lee, bo = works[TITLES["lee"]], works[TITLES["bo"]]

    def cell(work: int, column: str, words: str, text: int, verdict: str = "") -> dict[str, Any]:
        return {"work": work, "column": columns[column], "text": text, "cell": words, "verdict": verdict}

    return {
        "cells": [
            cell(lee, "Labels", "noisy  labels in the edges", texts[lee]),
            cell(bo, "Labels", "labels that nobody wrote", texts[bo]),
            cell(bo, "Task", "a sampler of edges", texts[lee]),
            cell(bo, "Handles noise?", "handles noise well", texts[bo], "yes"),
            cell(lee, "Handles noise?", "tolerates noisy labels", texts[lee]),
        ]
    }


@pytest.fixture
def server(main: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with AnthropicServer(honest).serve() as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        yield served


def test_what_a_model_proposes_stands_in_the_text_and_is_judged(run: Run, main: Path, server: AnthropicServer) -> None:
    asked = ("--column", "Labels", "--column", "Handles noise?")
    done = run("table", main, *asked, "--llm", "anthropic", "--json")
    assert done.code == 0, done.err
    cells = {row["key"]: {cell["column"]: cell for cell in row["cells"]} for row in done.json["rows"]}
    assert cells["lee"]["Labels"]["text"] == "noisy labels in the edges"
    assert cells["bo"]["Handles noise?"]["verdict"] == "yes" and "Labels" not in cells["bo"]
    assert "Handles noise?" not in cells["lee"], "without an answer a quotation decides nothing"
    assert "Method" not in cells["cy"], "the judge refused it"
    assert done.json["dropped"] == {"no_quotation": 3, "not_borne_out": 1}
    assert done.json["by"].startswith("anthropic:")
    assert "& yes" in file_of(main).read_text("utf-8")


def test_a_dry_run_lists_requests_sends_none_and_writes_nothing(run: Run, main: Path, server: AnthropicServer) -> None:
    done = run("table", main, "--llm", "anthropic", "--dry-run", "--json")
    assert done.code == 0 and server.requests == [] and not file_of(main).exists()
    assert len(done.json["would_send"]["requests"]) == 3


@pytest.mark.parametrize(("said", "code"), [(Fault.http(401), "model_unavailable"), ("No.", "answer_unreadable")])
def test_where_the_model_fails_there_is_what_words_alone_found(
    run: Run, main: Path, server: AnthropicServer, said: Any, code: str
) -> None:
    server.script = lambda _: said
    done = run("table", main, "--llm", "anthropic", "--json")
    assert done.code == 0 and code in [each["code"] for each in done.json["findings"]]
    assert done.json["columns"] == ["Method"]
