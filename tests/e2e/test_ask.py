"""`citeplug ask` as a user runs it: one question, a file of them, and what should not be."""

import io
import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from citeplug.ask.conversations import texts_asked
from citeplug.corpus.fulltext.documents import documents_store
from tests.ask.texts import SAGE, TEA
from tests.e2e.conftest import Run

HARVEST = "How many workers take part in the harvest?"
UNKNOWN = "Who won the world cup of 1930 in Montevideo?"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "notes.md").write_text(f"# Notes\n\n## On tea\n\n{TEA}\n\n## On graphs\n\n{SAGE}\n", encoding="utf-8")
    return tmp_path / "notes.md"


def test_a_draft_named_behind_the_question_is_no_text_and_its_papers_answer(
    run: Run, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.parent)
    question = "How are nodes embedded that were never seen in training?"
    papers = run("ask", project, question, "--json").json["looked_through"]
    assert papers
    for draft in (".", project.name):
        assert run("ask", question, draft, "--json").json["looked_through"] == papers


def test_the_papers_of_a_draft_are_asked_and_the_answer_is_theirs(run: Run, home: Path, project: Path) -> None:
    question = "How are nodes embedded that were never seen in training?"
    done = run("ask", project, question, "--json")
    assert done.code == 0, done.err
    texts = {each["paper"]: each for each in done.json["looked_through"]}
    assert not done.json["refused"] and "1706.02216" in texts
    cited = [each for sentence in done.json["sentences"] for each in sentence["citations"]]
    assert {each["paper"] for each in cited} <= set(texts)
    first = done.json["sentences"][0]
    assert first["text"] == first["citations"][0]["quote"] and first["status"] == "quoted"
    assert set(first["citations"][0]) >= {"paper", "passage", "start", "end", "quote"}
    shown = run("ask", project, question)
    assert first["text"] in shown.out and "; summary" in shown.out
    assert "Looked through the abstracts of" in shown.out
    assert run("ask", project, question, "--shortlist", "--json").json["looked_through"]
    none = run("ask", project, question, "--cited")
    assert none.code == 2 and "give a draft that cites some" in none.err


def test_a_refusal_is_no_failure_and_does_not_speak_for_the_papers(run: Run, notes: Path) -> None:
    near = "Who sells tea in Montevideo?"
    done = run("ask", near, notes)
    assert done.code == 0
    assert done.out.startswith("No clear answer; the nearest, which may not answer:\n")
    assert "Looked through 1 document." in done.out
    assert "notes.md" in done.out
    assert run("ask", UNKNOWN, notes).out.startswith("None of these texts answers the question.\n")
    said = run("ask", near, notes, "--json").json
    assert said["refused"] and said["sentences"] == [] and len(said["nearest"]) > 0
    assert [(each["paper"], each["of"]) for each in said["looked_through"]] == [("notes.md", "document")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((HARVEST,), "there are no papers to ask"),
        (("notes.md",), "the question is missing"),
        (("", "notes.md"), "the question is empty"),
        (("missing.tex", HARVEST), "missing.tex does not exist"),
        ((HARVEST, "missing.pdf"), "does not exist"),
        ((HARVEST, "--papers", "no-id"), "not an arXiv id"),
        ((HARVEST, "notes.md", "--cited"), "need a draft"),
        (("--questions", "missing.jsonl", "--json"), "missing.jsonl"),
        (("--questions", "notes.md"), "add --json"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_to_do(
    run: Run, notes: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(notes.parent)
    done = run("ask", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize(
    "words",
    [
        ("--papers", "1706.02216,1710.10903", "Q"),
        ("--papers", "1706.02216", "1710.10903", "Q"),
        ("Q", "--papers", "1706.02216", "1710.10903"),
        ("--papers", "1706.02216", "--papers", "1710.10903", "Q"),
    ],
)
def test_papers_may_be_named_in_any_way(run: Run, home: Path, words: tuple[str, ...]) -> None:
    given = [word.replace("Q", "What is replaced by masked self-attention?") for word in words]
    done = run("ask", *given, "--json")
    assert done.code == 0, done.err
    assert [each["paper"] for each in done.json["looked_through"]] == ["1706.02216", "1710.10903"]


def test_papers_of_which_nothing_is_here_end_with_3(run: Run) -> None:
    done = run("ask", HARVEST, "--papers", "1801.00001")
    assert done.code == 3 and "citeplug fetch" in done.err


def test_a_question_of_ten_thousand_words_is_answered_in_bounds(run: Run, notes: Path) -> None:
    done = run("ask", f"{HARVEST} {'tea ' * 10_000}", notes, "--json")
    assert done.code == 0
    assert [each["code"] for each in done.json["findings"]] == ["question_cut"]


def test_a_tilde_that_is_nobodys_home_is_a_letter_like_others(
    run: Run, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(notes.parent)
    done = run("ask", "~40 workers take part in the harvest?", "notes.md", "--json")
    assert (done.code, done.json["question"]) == (0, "~40 workers take part in the harvest?"), done.err
    missing = run("ask", HARVEST, "~nobody-has-this/notes.md")
    assert missing.code == 2 and "~nobody-has-this/notes.md does not exist" in missing.err
    saved = run("ask", HARVEST, "notes.md", "--save", "~nobody-has-this.md")
    assert saved.code == 0 and (notes.parent / "~nobody-has-this.md").is_file()
    place = run("ask", HARVEST, "notes.md", "--insert", "~nobody-has-this/main.tex:3")
    assert place.code == 2 and "Traceback" not in place.err


def test_what_a_document_writes_to_the_terminal_is_shown_harmless(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("In the harvest of tea take part 40 \x1b[31mworkers\x1b[0m and nobody else.")
    done = run("ask", HARVEST, tmp_path / "notes.txt")
    assert done.code == 0 and "\x1b" not in done.out


def test_a_quotation_that_holds_one_is_in_quotation_marks_on_the_screen_and_when_saved(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("In the harvest of tea take part 40 “able” workers and nobody else.", "utf-8")
    done = run("ask", HARVEST, tmp_path / "notes.txt", "--save", tmp_path / "saved.md")
    quotation = "“In the harvest of tea take part 40 ‘able’ workers and nobody else.”"
    assert quotation in done.out and f"- {quotation} [1" in (tmp_path / "saved.md").read_text("utf-8")


@pytest.mark.parametrize("extra", [("--insert", "gone.tex:3"), ("--sentence", "9", "--insert", "notes.md:1")])
def test_an_answer_is_printed_though_what_is_done_with_it_fails(
    run: Run, notes: Path, monkeypatch: pytest.MonkeyPatch, extra: tuple[str, ...]
) -> None:
    monkeypatch.chdir(notes.parent)
    done = run("ask", HARVEST, "notes.md", "--save", "saved.md", *extra, "--json")
    assert done.code == 2 and done.err
    assert "40 workers" in done.json["sentences"][0]["text"]
    assert done.json["saved"] == "saved.md" and "inserted" not in done.json
    again = run("ask", HARVEST, "notes.md", "--save", "saved.md", "--json")
    assert again.code != 0 and "already exists" in again.err and again.json["sentences"] == done.json["sentences"]


def test_documents_are_counted_and_those_that_no_conversation_asked_can_be_pruned(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for name, text in (("once.md", SAGE), ("kept.md", TEA)):
        (tmp_path / name).write_text(text, "utf-8")
    assert run("ask", HARVEST, "once.md").code == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{HARVEST}\n"))
    assert run("ask", "--chat", "kept.md").code == 0
    assert "of 2 files, in 2 passages" in run("doctor", "--offline", "--quick", "-v").out
    listed = run("index", "prune", "--json").json["parts"]
    assert [(each["part"], each["count"]) for each in listed] == [("documents", 1)]
    assert run("index", "prune", "--yes").code == 0 and run("index", "prune", "--json").json["parts"] == []
    with closing(documents_store(tmp_path / "home")) as store:
        assert [store.kept([each])[each][0].digest for each in store.papers()] == list(texts_asked(tmp_path / "home"))
    assert not run("ask", HARVEST, "kept.md", "once.md", "--json").json["refused"]


def lines(path: Path, *given: object) -> Path:
    path.write_text("".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in given))
    return path


def test_each_line_of_a_file_is_answered_from_its_own_texts(run: Run, home: Path, tmp_path: Path) -> None:
    tea, graphs = {"title": "Tea", "text": TEA}, {"title": "Graphs", "text": SAGE}
    file = lines(
        tmp_path / "q.jsonl",
        {"question_id": "a", "question": HARVEST, "texts": [graphs, tea]},
        {"question_id": "b", "question": HARVEST, "texts": [graphs]},
        {"question_id": 3, "question": "How are nodes embedded never seen in training?", "papers": ["1706.02216"]},
        {"question_id": "d", "question": HARVEST, "papers": ["9901.00001"]},
    )
    done = run("ask", "--questions", file, "--json")
    assert done.code == 0, done.err
    said = [json.loads(line) for line in done.out.splitlines()]
    assert [each["question_id"] for each in said] == ["a", "b", 3, "d"]
    assert [each["refused"] for each in said] == [False, True, False, True]
    (cited,) = said[0]["sentences"][0]["citations"]
    assert (cited["paper"], cited["passage"]) == ("Tea", 0) and TEA[cited["start"] : cited["end"]] == cited["quote"]
    keys = {"question_id", "refused", "sentences", "nearest", "looked_through"}
    assert all(keys <= set(each) for each in said)
    assert [each["looked_through"] == [] for each in said] == [False, False, False, True]
    assert said[3]["findings"][0]["code"] == "full_text_missing"


def test_bad_lines_are_reported_and_the_others_are_answered(run: Run, tmp_path: Path) -> None:
    good = {"question_id": 1, "question": HARVEST, "texts": [{"title": "Tea", "text": TEA}]}
    bad = [
        "not json",
        "[1]",
        {"question": HARVEST},
        {**good, "question": ""},
        {**good, "question": 3},
        {**good, "texts": ["Tea"]},
        {**good, "texts": [], "papers": ["no id"]},
        {**good, "texts": []},
        '"' * 3 + "[" * 100_000,
    ]
    done = run("ask", "--questions", lines(tmp_path / "q.jsonl", *bad, good), "--json")
    assert done.code == 2
    assert [json.loads(line)["question_id"] for line in done.out.splitlines()] == [1]
    assert [f"line {number}: " in done.err for number in range(1, 11)] == [True] * 9 + [False]


def test_files_are_asked_where_a_line_names_no_texts(run: Run, notes: Path, tmp_path: Path) -> None:
    file = lines(tmp_path / "q.jsonl", {"question_id": 1, "question": HARVEST})
    done = run("ask", "--questions", file, notes, "--json")
    assert done.json["sentences"][0]["citations"][0]["paper"] == "notes.md"


def test_two_processes_ask_one_document_at_the_same_time(tmp_path: Path, notes: Path) -> None:
    command = [sys.executable, "-P", "-m", "citeplug", "ask", HARVEST, str(notes), "--json"]
    environment = {**os.environ, "CITEPLUG_HOME": str(tmp_path / "home")}
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) for _ in "ab"]
    said = [each.communicate(timeout=300) for each in both]
    assert [each.returncode for each in both] == [0, 0], said
    first, second = (json.loads(out) for out, _ in said)
    assert first == second and "40 workers" in first["sentences"][0]["text"]
