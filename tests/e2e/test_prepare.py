"""`citeplug prepare`, as a user runs it."""

import json
import os
import subprocess
import sys
import time
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from citeplug.ask.session import AskSession
from citeplug.ask.texts import Selection
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import settings
from citeplug.prepare.store import place
from citeplug.records.passage import PaperText, TextSection
from citeplug.related.paper_sets import PaperSet
from tests.corpus.records import make_record, write_snapshot
from tests.e2e.conftest import Run
from tests.prepare.sources import DROPEDGE

A, B, C = "1801.00001", "1801.00002", "1801.00003"
TITLE = "DropEdge: Towards deep graph convolutional networks"


def record(number: int, abstract: str, title: str = TITLE) -> dict[str, Any]:
    return make_record(number, abstract=abstract, title=title)


@pytest.fixture
def home(tmp_path: Path, fresh_home: Path, run: Run) -> Path:
    """Three papers in a catalogue, two of which state something."""
    told = "We propose a novel method for the recommendation of scientific papers to young readers."
    records = [record(1, DROPEDGE), record(2, told, "Recommendation of scientific papers"), record(3, "Nothing.")]
    assert run("index", "add", write_snapshot(tmp_path / "s.jsonl", records)).code == 0
    return fresh_home


def test_a_dry_run_counts_and_writes_nothing(run: Run, home: Path) -> None:
    done = run("prepare", A, B, "--dry-run", "--json")
    assert (done.code, done.json["made"], done.json["prepared"]) == (0, 2, [])
    assert not (home / "prepared").exists()


def test_questions_have_the_sentence_that_answers_with_its_place(run: Run, home: Path) -> None:
    done = run("prepare", "--papers", f"{A},{B}", C, "--json")
    assert done.code == 0 and (done.json["made"], done.json["kept"], done.json["missing"]) == (3, 0, [])
    first = next(each for each in done.json["prepared"] if each["id"] == A)
    assert (first["made_by"], first["of"], first["title"]) == ("patterns", "abstract", TITLE)
    for each in (*first["pairs"], *first["facts"]):
        assert DROPEDGE[each["start"] : each["end"]] == each["quote"] and each["passage"] == 0
    assert [(fact["kind"], fact["value"]) for fact in first["facts"]] == [
        ("code", "https://github.com/DropEdge/DropEdge"),
        ("metric", "accuracy"),
    ]
    shown = run("prepare", A, "-v")
    assert "What does DropEdge do?" in shown.out and "0 papers prepared, 1 already prepared" in shown.out


def test_a_changed_record_makes_its_own_rows_anew_and_no_other(run: Run, home: Path, tmp_path: Path) -> None:
    run("prepare", A, B)
    changed = {**record(1, DROPEDGE.replace("2.4%", "3.1%")), "update_date": "2020-01-01"}
    assert run("index", "add", write_snapshot(tmp_path / "t.jsonl", [changed])).code == 0
    done = run("prepare", A, B, "--json").json
    assert (done["made"], done["kept"]) == (1, 1)
    (answer,) = [p["quote"] for p in done["prepared"][0]["pairs"] if p["question"].startswith("Which results")]
    assert "3.1%" in answer


def test_a_full_text_is_read_where_it_is_and_a_new_one_makes_the_paper_anew(run: Run, home: Path) -> None:
    run("prepare", A, B)
    stated = "In this paper, we present an efficient algorithm for the sampling of edges in deep graph networks."
    with closing(TextStore(home)) as store:
        store.put(PaperText(A, 1, "eprint", TITLE, (TextSection(1, "Method", stated, len(stated)),)), date(2026, 1, 1))
    done = run("prepare", A, B, "--json").json
    assert (done["made"], done["kept"]) == (1, 1)
    found = done["prepared"][0]
    assert found["of"] == "full text" and [p["quote"] for p in found["pairs"] if p["passage"] == 1] == [stated]


def test_a_paper_that_is_not_here_is_named_and_the_others_are_prepared(run: Run, home: Path) -> None:
    done = run("prepare", A, "1801.09999", "--json")
    assert (done.code, done.json["made"], done.json["missing"]) == (1, 1, ["1801.09999"])
    assert [each["code"] for each in done.json["findings"]] == ["full_text_missing"]
    assert run("prepare").code == 2 and run("prepare", "nonsense").code == 2


def test_what_was_made_before_a_kill_is_kept(run: Run, home: Path, tmp_path: Path) -> None:
    ids = [f"1801.{number:05}" for number in range(100, 1100)]
    records = [record(int(value[-4:]), f"{DROPEDGE} It is number {value}.") for value in ids]
    assert run("index", "add", write_snapshot(tmp_path / "t.jsonl", records)).code == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "citeplug", "prepare", *ids, "-q"], env={**os.environ, "CITEPLUG_HOME": str(home)}
    )
    until = time.monotonic() + 120
    made = 0
    while made < 3 and time.monotonic() < until and process.poll() is None:
        made = json.loads(run("prepare", *ids, "--dry-run", "--json").out)["kept"]
    process.kill()
    process.wait()
    before = run("prepare", *ids, "--dry-run", "--json").json
    assert before["kept"] >= made >= 3
    after = run("prepare", *ids, "--json").json
    assert after["made"] == len(ids) - before["kept"] and after["kept"] == before["kept"]


def test_a_damaged_file_is_named_and_ends_with_the_exit_code_of_the_catalogue_s(run: Run, home: Path) -> None:
    run("prepare", A)
    place(home).write_bytes(b"no database" * 1000)
    found = run("index", "verify", "--json")
    assert found.code == 1 and [each["part"] for each in found.json["problems"]] == ["prepared"]
    assert run("prepare", A).code == 3 and run("ask", "What does DropEdge do?", "--papers", A).code == 0
    assert run("index", "info", "--json").json["prepared"] is None


def test_what_was_prepared_goes_with_its_record_and_vectors_with_their_question(run: Run, home: Path) -> None:
    run("prepare", A, B, C)
    assert run("index", "prune").out.strip() == "nothing to delete"
    assert run("index", "prune", "--category", "cs", "--yes").code == 0  # odd numbers
    left = run("index", "info", "--json").json["prepared"]
    assert left["papers"] == 1 and left["orphaned"] == 0 and left["vectors"] == left["questions"] == 1


@pytest.fixture
def topics(run: Run, home: Path, tmp_path: Path) -> list[str]:
    """Names of two topics, of twelve papers each that state something."""
    subjects = {
        "graph": "We propose a novel sampler for the training of deep graph networks with {n} kinds of noisy edges.",
        "quark": "We present a new calculation of quark masses in lattice gauge theory with {n} heavy flavours.",
    }
    records = [
        make_record(
            100 * at + n,
            abstract=said.format(n=f"{n}7"),
            title="Sampling for deep graph networks" if name == "graph" else "Quark masses in lattice gauge theory",
        )
        for at, (name, said) in enumerate(subjects.items(), start=5)
        for n in range(12)
    ]
    assert run("index", "add", write_snapshot(tmp_path / "topics.jsonl", records)).code == 0
    made = run("index", "topics", "--count", "2", "--json").json
    return [next(t["name"] for t in made["topics"] if word in " ".join(t["words"])) for word in subjects]


def test_a_topic_shows_what_its_prepared_papers_answer(run: Run, topics: list[str]) -> None:
    none = run("index", "topics", "--show", topics[0], "--json")
    assert none.code == 0 and none.json[0]["questions"] is None
    assert [each["code"] for each in none.json[0]["findings"]] == ["too_few_prepared"]
    assert run("prepare", "--topic", topics[0]).code == 0
    (summary,) = run("index", "topics", "--show", topics[0], "--json").json
    assert summary["prepared"] >= 12 and 1 <= len(summary["questions"]) <= 7
    for each in summary["questions"]:
        assert each["answer"] == each["quote"] and each["paper"].startswith("1801.005")
    shown = run("index", "topics", "--show", topics[0])
    assert summary["questions"][0]["question"] in shown.out and shown.code == 0
    assert run("index", "topics", "--show", topics[1], "--json").json[0]["questions"] is None
    assert run("index", "topics", "--show", "turtles").code == 2
    assert run("index", "topics", "--show", topics[0], "--rebuild").code == 2


def test_a_summary_leaves_out_what_was_prepared_of_an_older_text(run: Run, topics: list[str], tmp_path: Path) -> None:
    run("prepare", "--topic", topics[0])
    before = run("index", "topics", "--show", topics[0], "--json").json[0]["prepared"]
    changed = make_record(500, abstract="Deep graph networks.", title="Sampling for deep graph networks")
    run("index", "add", write_snapshot(tmp_path / "u.jsonl", [{**changed, "update_date": "2020-01-01"}]))
    assert run("index", "topics", "--show", topics[0], "--json").json[0]["prepared"] == before - 1


def test_the_passage_that_answers_a_prepared_question_is_read_too(run: Run, home: Path, tmp_path: Path) -> None:
    stated = "In this paper, we present an efficient algorithm for the sampling of edges in deep graph networks."
    sections = (TextSection(1, "Method", stated, len(stated)), TextSection(1, "Figures", "Edges.", 0))
    with closing(TextStore(home)) as store:
        store.put(PaperText(A, 1, "eprint", TITLE, sections), date(2026, 1, 1))
    run("prepare", A, B)
    papers = Selection(PaperSet((A, B, C)))
    session = AskSession(settings())

    def read(question: str) -> list[tuple[str, int]]:
        texts = session.open(papers, lambda *_: None)
        return [(passage.text_id, passage.number) for passage in texts.prepared(texts.query(question))[1]]

    try:
        assert read("Which algorithm samples edges in deep graph networks?") == [(A, 1)]
        asked = "Is there a novel method for the recommendation of scientific papers to young readers?"
        assert read(asked) == [(B, 0)] and read("Do turtles swim?") == []
        changed = make_record(2, abstract="It is about readers.", title="Recommendation of scientific papers")
        run("index", "add", write_snapshot(tmp_path / "t.jsonl", [{**changed, "update_date": "2020-01-01"}]))
        session.close()
        assert read(asked) == []
    finally:
        session.close()
