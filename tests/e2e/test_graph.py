"""`citeplug graph` and `citeplug references`, as a user runs them, and OpenAlex on loopback."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from citeplug.corpus.citations.reference_lists import lists_below, read_references
from tests.corpus.records import make_record, write_snapshot
from tests.e2e.conftest import Run
from tests.harness.arxiv_server import Fault
from tests.harness.work_server import Published, WorkServer, published

A, B, C = "1801.00001", "1801.00002", "1801.00003"
LIST = r"""\begin{thebibliography}{3}
\bibitem[Noether(2018)]{one} E. Noether and A. Turing.
\newblock On problem number 2 of them.
\newblock \emph{arXiv preprint arXiv:1801.00002v3}, 2018.
\bibitem{two} Ada Lovelace.
\newblock On problem number 3.
\newblock In {\em STOC}, 2018.
\bibitem{three} Nobody.
\newblock A book that \x1b[31mnobody\x1b[0m has read.
\newblock Springer, 1999.
\end{thebibliography}
""".replace("\\x1b", "\x1b")


@pytest.fixture
def home(tmp_path: Path, run: Run) -> Path:
    snapshot = write_snapshot(tmp_path / "s.jsonl", [make_record(number) for number in range(10)])
    assert run("index", "add", snapshot).code == 0
    return tmp_path


def test_a_file_of_ids_is_taken_in_and_counted(run: Run, home: Path) -> None:
    file = write_snapshot(home / "e.jsonl.gz", [{"id": A, "cited": [B, C]}, {"id": B, "cited": []}])
    done = run("graph", "add", file, "--json")
    assert done.code == 0
    assert {name: done.json[name] for name in ("lists", "edges", "skipped")} == {"lists": 2, "edges": 2, "skipped": 0}
    told = run("graph", "info", "--json").json
    assert told == {"papers": 3, "edges": 2, "lists": {"known": 2, "none": 0, "unavailable": 0}, "unresolved": 0}
    assert run("graph", "verify", "--json").json == {"sound": True, "problems": []}
    assert run("index", "info", "--json").json["citations"] == 2
    assert [each["arxiv_id"] for each in run("references", A, "--json").json] == [B, C]
    assert run("references", A, "--json").json[0]["title"] == "On problem number 2"


def test_lines_that_cannot_be_read_are_said_and_end_with_1(run: Run, home: Path) -> None:
    file = write_snapshot(home / "e.jsonl", [{"id": A, "cited": [B]}, "{nonsense", {"id": A, "cited": ["\x1b[2J"]}])
    done = run("graph", "add", file)
    assert done.code == 1
    assert "1 line was not read" in done.err and "line 2" in done.err
    assert "\x1b" not in done.err
    cut = home / "cut.jsonl.gz"
    cut.write_bytes(gzip.compress(b'{"id": "1801.00003", "cited": ["1801.00001"]}\n' * 5000)[:-20])
    assert run("graph", "add", cut).code == 1
    assert run("graph", "info", "--json").json["edges"] == 2


@pytest.mark.parametrize("name", ["nowhere.jsonl", "no id at all"])
def test_what_leads_to_nothing_is_wrong_usage(run: Run, home: Path, name: str) -> None:
    assert run("graph", "add", home / name).code == 2
    assert run("references", name).code == 2


def test_the_references_of_a_file_are_listed_with_what_they_mean(run: Run, home: Path) -> None:
    (home / "main.bbl").write_text(LIST, encoding="latin-1")
    done = run("references", home / "main.bbl", "--json")
    assert done.code == 0
    first = done.json[0]
    assert set(first) == {"number", "key", "raw", "arxiv_id", "doi", "title", "year", "how"}
    assert [(each["key"], each["arxiv_id"], each["how"]) for each in done.json] == [
        ("one", B, "printed_id"),
        ("two", C, "title"),
        ("three", None, "none"),
    ]
    hidden = run("references", home / "main.bbl", "--json", "--ignore-printed-ids").json
    assert (hidden[0]["arxiv_id"], hidden[0]["how"]) == (None, "none")
    assert "\x1b" not in run("references", home / "main.bbl", "-v").out


def test_lists_in_a_folder_belong_to_the_ids_in_its_names(run: Run, home: Path) -> None:
    for name in ("papers/1801.00001v2/main.bbl", "papers/1801.00004.bbl"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(LIST, encoding="utf-8")
    (home / "papers" / "1801.00001v2" / "supplement.bbl").write_text(LIST.replace("{two}", "{four}"), encoding="utf-8")
    done = run("graph", "add", home / "papers", "--json")
    assert (done.code, done.json["lists"], done.json["references"]) == (0, 2, 7)
    assert [each["key"] for each in run("references", "1801.00001", "--json").json] == ["one", "two", "three", "four"]
    assert run("graph", "info", "--json").json["unresolved"] == 2
    # Its record comes later.
    late = make_record(30, title="A book that nobody has read", authors="Nobody", update_date="1999-01-01")
    late["versions"] = [{"version": "v1", "created": "1999-01-01"}]
    assert run("index", "add", write_snapshot(home / "late.jsonl", [late])).code == 0
    assert run("graph", "info", "--json").json["unresolved"] == 0
    assert run("references", "1801.00004", "--json").json[2]["arxiv_id"] == "1801.00030"


def test_a_project_s_list_is_what_its_draft_cites(run: Run, home: Path) -> None:
    folder = home / "paper"
    folder.mkdir()
    (folder / "main.tex").write_text(
        "\\documentclass{article}\\title{On problem number 7}\\begin{document}\\cite{one}"
        "\\bibliography{refs}\\end{document}"
    )
    (folder / "refs.bib").write_text(
        "@misc{one, title={On problem number 2}, author={Ada Lovelace}, year=2018}\n"
        "@misc{two, title={Unread}, year=2018}"
    )
    assert [each["key"] for each in run("references", folder, "--json").json] == ["one"]
    done = run("graph", "add", folder, "--json")
    assert done.json["named"] == [{"path": str(folder), "arxiv_id": "1801.00007"}]
    assert run("references", "1801.00007", "--json").json[0]["arxiv_id"] == B


def test_an_id_without_a_list_says_how_to_get_one(run: Run, home: Path) -> None:
    done = run("references", A, "--json")
    assert (done.code, done.json) == (1, [])
    assert "graph fetch" in done.err


def at_openalex(number: int, *cited: int, **more: Any) -> Published:
    """Record `number` as OpenAlex has it under arXiv's DOI; `cited` are numbers of works there."""
    item = {
        "id": f"https://openalex.org/W{number}",
        "referenced_works": [f"https://openalex.org/W{each}" for each in cited],
        "locations": [{"landing_page_url": f"https://arxiv.org/abs/1801.{number:05d}"}],
        **more,
    }
    people = ("Lovelace, Ada", "Turing, Alan", "Noether, Emmy")
    work = published(f"On problem number {number}", *people, year=2018, doi=f"10.48550/arxiv.1801.{number:05d}")
    return replace(work, services=("openalex",), more={"openalex": item})


@pytest.fixture
def openalex(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkServer]:
    server = WorkServer(at_openalex(1, 2, 3, 70), at_openalex(2), at_openalex(3))
    with server.serve():
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        yield server


def test_a_list_is_fetched_resolved_and_kept_and_gaps_are_named(run: Run, openalex: WorkServer) -> None:
    done = run("graph", "fetch", A, B, "1801.00005", "--json")
    assert done.code == 0
    counts = {name: done.json[name] for name in ("known", "none", "unavailable", "left", "edges")}
    assert counts == {"known": 1, "none": 1, "unavailable": 1, "left": 0, "edges": 2}
    assert [each["code"] for each in done.json["findings"]] == ["references_missing"]
    assert "asking OpenAlex" in done.err
    assert [each["arxiv_id"] for each in run("references", A, "--json").json] == [B, C, None]
    assert run("graph", "info", "--json").json["lists"] == {"known": 1, "none": 1, "unavailable": 1}


def test_without_ids_the_most_cited_of_unknown_lists_are_asked_for(run: Run, home: Path, openalex: WorkServer) -> None:
    file = write_snapshot(home / "e.jsonl", [{"id": C, "cited": [A, B]}, {"id": "1801.00004", "cited": [A]}])
    run("graph", "add", file)
    assert run("graph", "fetch", "--max", 1, "--json").json["known"] == 1
    assert run("references", A, "--json").code == 0


def test_a_wrong_work_is_a_finding_and_no_list(run: Run, openalex: WorkServer) -> None:
    wrong = at_openalex(1, 2, display_name="The migration of eels", authorships=[])
    openalex.works[0] = wrong
    done = run("graph", "fetch", A, "--json")
    assert (done.code, done.json["left"]) == (1, 1)
    assert done.json["findings"][0]["code"] == "wrong_work"
    assert run("graph", "info", "--json").json["lists"] == {"known": 0, "none": 0, "unavailable": 0}


def test_an_answer_without_a_list_is_none(run: Run, openalex: WorkServer) -> None:
    openalex.works[0] = at_openalex(1, referenced_works=None)
    done = run("graph", "fetch", A, "--json")
    assert (done.code, done.json["findings"][0]["code"]) == (1, "list_missing")
    assert run("graph", "info", "--json").json["lists"]["none"] == 0


def test_a_list_of_works_that_nobody_knows_is_none(run: Run, openalex: WorkServer) -> None:
    openalex.works[0] = at_openalex(1, 71, 72)
    done = run("graph", "fetch", A, "--json")
    assert (done.code, done.json["findings"][0]["code"]) == (1, "list_missing")
    assert run("references", A).code == 1


def test_a_work_under_its_publisher_s_doi_is_found_by_title_and_people(run: Run, openalex: WorkServer) -> None:
    openalex.works[0] = replace(at_openalex(1, 2), doi="10.5555/journal.1")
    assert run("graph", "fetch", A, "--json").json["known"] == 1
    assert [each["arxiv_id"] for each in run("references", A, "--json").json] == [B]


def test_an_outage_is_no_answer_and_what_came_before_is_kept(
    run: Run, openalex: WorkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("graph", "fetch", A).code == 0
    monkeypatch.setenv("CITEPLUG_OPENALEX_URL", "http://127.0.0.1:9")
    done = run("graph", "fetch", A, B, "--json")
    assert done.code == 3
    assert done.json["findings"][-1]["code"] == "source_unavailable"
    assert done.json["left"] == 2
    assert run("graph", "info", "--json").json["lists"] == {"known": 1, "none": 0, "unavailable": 0}


def test_a_refusal_ends_the_run_and_says_how_long_to_wait(run: Run, openalex: WorkServer) -> None:
    openalex.fail_always(Fault.too_fast("86400"))
    done = run("graph", "fetch", A, "--json")
    assert (done.code, done.json["findings"][0]["code"]) == (3, "source_unavailable")
    assert "wait" in done.json["findings"][0]["fix"]
    assert run("graph", "info", "--json").json["papers"] == 0


def test_nothing_is_asked_offline(run: Run, openalex: WorkServer) -> None:
    assert run("graph", "fetch", A, "--offline").code == 3
    assert openalex.asked("openalex") == []
    assert run("graph", "fetch", "not-an-id").code == 2


def test_a_paper_without_a_record_is_not_asked_for(run: Run, openalex: WorkServer) -> None:
    done = run("graph", "fetch", "2401.00001", "--json")
    assert (done.code, done.json["findings"][0]["code"]) == (1, "record_missing")
    assert openalex.asked("openalex") == []


@pytest.mark.parametrize(
    ("name", "citing"),
    [
        ("1801.00001.bbl", A),
        ("arXiv-1801.00001v3/main.bbl", A),
        ("hep-th9901001/main.bbl", "hep-th/9901001"),
        ("draft0512123/main.bbl", "own:"),
        ("1801.00001/anc/more.bbl", A),
        ("1923.00001/main.bbl", "own:"),
    ],
)
def test_a_list_belongs_to_the_id_in_its_path(tmp_path: Path, name: str, citing: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(LIST, encoding="utf-8")
    (found,) = lists_below(tmp_path, [])
    assert found.citing.startswith(citing) and len(found.references) == 3
    assert read_references(tmp_path / name).citing.startswith(citing)


@pytest.mark.shared_data
def test_real_edges_are_taken_in_whole(run: Run, home: Path, shared_data: Path) -> None:
    done = run("graph", "add", shared_data / "citations" / "cs_edges.jsonl.gz", "--json")
    assert (done.code, done.json["lists"]) == (0, 6145)
    with gzip.open(shared_data / "citations" / "cs_edges.jsonl.gz", "rt", encoding="utf-8") as stream:
        row = next(row for row in map(json.loads, stream) if len(row["cited"]) > 5)
    assert {each["arxiv_id"] for each in run("references", row["id"], "--json").json} == set(row["cited"])
