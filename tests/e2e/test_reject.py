"""`citeplug section reject`, `move` and `edit` as a user runs them."""

import json
from pathlib import Path
from typing import Any

import pytest

from citeplug.errors import ChangedMeanwhile, UsageError
from citeplug.project.find_project import find_project
from citeplug.related.section import edit_section
from tests.e2e.conftest import Run


def record(main: Path) -> Any:
    return json.loads((main.parent / ".citeplug" / "provenance.json").read_text("utf-8"))


def section(main: Path) -> str:
    return (main.parent / "related.tex").read_text("utf-8")


def test_a_rejected_sentence_goes_and_no_run_writes_it_again(run: Run, written: Path) -> None:
    first, second = (sentence["tex"] for sentence in record(written)["sentences"][:2])
    done = run("reject", written, "p1:1", "--json")
    assert (done.code, done.json["changed"]) == (0, ["p1:1"])
    assert first not in section(written) and second in section(written)
    assert [s["status"] for s in record(written)["sentences"]][:2] == ["rejected", "unreviewed"]
    for options in ([], ["--force"], ["--replan"], ["--words", 400]):
        assert run("related", written, "--offline", *options).code == 0
        assert first not in section(written), options
        assert [s["tex"] for s in record(written)["sentences"] if s["status"] == "rejected"] == [first], options
    assert run("status", written, "--json").json["sentences"]["rejected"] == 1
    (again,) = [s["place"] for s in run("accept", written, "--json").json["sentences"] if s["status"] == "rejected"]
    assert run("reject", written, again, "--undo").code == 0
    assert first in section(written)
    assert "rejected" not in {s["status"] for s in record(written)["sentences"]}
    assert run("related", written, "--offline").code == 0
    assert first in section(written)


def test_a_paragraph_of_which_all_is_rejected_is_not_filled_in_again(run: Run, written: Path) -> None:
    texts = [s["tex"] for s in record(written)["sentences"] if s["paragraph"] == "p1"]
    assert run("reject", written, "p1").code == 0
    done = run("related", written, "--offline", "--json").json
    assert not any(text in section(written) for text in texts)
    assert "sentences_rejected" in {finding["code"] for finding in done["findings"]}
    assert run("reject", written, "p1", "--undo").code == 0
    assert all(text in section(written) for text in texts)


def test_a_rejected_sentence_comes_back_to_its_place_to_the_byte(run: Run, written: Path) -> None:
    before = section(written)
    assert run("reject", written, "p1:2").code == 0
    assert run("reject", written, "p1:2", "--undo").code == 0
    assert section(written) == before


def test_a_sentence_that_comes_back_finds_its_entry_though_a_run_took_it_out(
    run: Run, written: Path, home: Path
) -> None:
    bib = written.parent / "related.bib"
    entries = {entry["arxiv_id"]: entry["key"] for entry in record(written)["entries"]}
    cite = next(s["cites"][0] for s in reversed(record(written)["sentences"]) if s["cites"])
    head = f"{{{entries[cite]},"
    assert bib.read_text("utf-8").count(head) == 1
    project = find_project(written)
    for each in [s for s in record(written)["sentences"] if cite in s["cites"]]:
        edit_section.mark(project, home, each["paragraph"], " ".join(each["text"].split()), "rejected")
    (written.parent / "citeplug.toml").write_text(f'[related]\nexclude = ["{cite}"]\n', "utf-8")
    assert run("related", written, "--offline").code == 0
    assert head not in bib.read_text("utf-8") and entries[cite] not in section(written)
    rejected = {s["paragraph"] for s in record(written)["sentences"] if s["status"] == "rejected"}
    assert run("reject", written, *sorted(rejected), "--undo").code == 0
    assert entries[cite] in section(written) and bib.read_text("utf-8").count(head) == 1
    again = bib.read_bytes()
    assert run("related", written, "--offline").code == 0 and bib.read_bytes() == again


def test_a_sentence_that_the_author_put_back_is_unreviewed(run: Run, written: Path) -> None:
    before = section(written)
    assert run("reject", written, "p1:1").code == 0
    (written.parent / "related.tex").write_text(before, "utf-8")
    assert run("accept", written, "--json").json["sentences"][0]["status"] == "unreviewed"
    assert run("related", written, "--offline", "--breadth", 11).code == 0
    assert record(written)["sentences"][0]["status"] == "unreviewed"


def test_a_sentence_of_the_author_s_is_not_rejected(run: Run, written: Path) -> None:
    first = record(written)["sentences"][0]["tex"]
    mine = section(written).replace(first, f"Indeed, {first}".replace(".", "!"))
    (written.parent / "related.tex").write_text(mine, "utf-8")
    assert run("reject", written, "p1:1", "--json").json["changed"] == []
    assert section(written) == mine
    assert run("reject", written, "p77:1").code == 2


def test_the_record_for_the_package_does_not_have_what_was_rejected(run: Run, home: Path, project: Path) -> None:
    project.write_text(project.read_text("utf-8").replace("{natbib}", "{natbib,citeplug}"), "utf-8")
    assert run("related", project, "--offline").code == 0
    first = record(project)["sentences"][0]["tex"]
    for_tex = project.parent / "related-citeplug.tex"
    assert first in for_tex.read_text("utf-8")
    assert run("reject", project, "p1:1").code == 0
    assert first not in for_tex.read_text("utf-8")


def test_a_moved_paragraph_stays_reviewed_and_is_not_due(run: Run, written: Path) -> None:
    assert run("accept", written, "--all").code == 0
    assert len(blocks(run, written)) > 1
    second = blocks(run, written)[1]
    assert run("move", written, second, "up").code == 0
    assert blocks(run, written)[0] == second
    state = run("status", written, "--json").json
    assert (state["condition"], state["sentences"]["unreviewed"]) == ("current", 0)
    text = section(written)
    assert run("related", written, "--offline").code == 0
    assert section(written) == text
    assert run("move", written, second, "up").code == 2


def blocks(run: Run, main: Path) -> list[str]:
    return [block["id"] for block in run("status", main, "--json").json["blocks"]]


def test_plan_lines_headings_and_sentences_are_edited_by_place(run: Run, written: Path) -> None:
    for place, *rest in (
        ("p1#1", "describe sampling [1706.02216]"),
        ("p1", "--add", "contrast attention [1710.10903]"),
        ("p1", "A heading"),
        ("new", "Depth", "--add", "say how deep"),
        ("p1:1", "My own sentence."),
    ):
        done = run("edit", written, place, *rest, "--json")
        assert (done.code, done.json["changed"]) == (0, True), done.err
    text = section(written)
    for line in ("% citeplug:1 describe sampling [1706.02216]", "% citeplug:heading A heading", "My own sentence."):
        assert line in text
    assert "contrast attention [1710.10903]" in text and "% citeplug:heading Depth" in text
    assert "plan" in run("status", written, "--json").json["changed"]
    assert run("edit", written, "p1#1", "--delete").code == 0
    assert "describe sampling" not in section(written)
    last = blocks(run, written)[-1]
    assert run("edit", written, last, "--delete").code == 0
    assert "Depth" not in section(written)
    assert run("related", written, "--offline").code == 0
    assert "My own sentence." in section(written)


@pytest.mark.parametrize(
    "words",
    [("p1",), ("p1:1", "--delete"), ("p1#1", "--add", "x"), ("p1#99", "x"), ("p1#1", "x", "--delete"), ("p1", "")],
)
def test_an_edit_that_means_nothing_is_refused(run: Run, written: Path, words: tuple[str, ...]) -> None:
    before = section(written)
    assert run("edit", written, *words).code == 2
    assert section(written) == before


def test_what_an_editor_saves_at_that_moment_is_not_overwritten(
    written: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = find_project(written)
    file = written.parent / "related.tex"

    def saved(text: str) -> str:
        file.write_text(text + "Saved meanwhile.\n", "utf-8")
        return text.replace("citeplug:heading", "citeplug:heading New")

    with pytest.raises(ChangedMeanwhile):
        edit_section.edit_section(project, home, saved)
    assert "Saved meanwhile." in section(written) and "heading New" not in section(written)


def test_an_edit_is_taken_back_to_the_byte_or_not_at_all(written: Path, home: Path) -> None:
    project = find_project(written)
    before = section(written)
    sentence = record(written)["sentences"][0]
    done = edit_section.mark(project, home, "p1", " ".join(sentence["text"].split()), "rejected")
    with pytest.raises(UsageError, match="changed meanwhile"):
        edit_section.mark(project, home, "p1", " ".join(sentence["text"].split()), "accepted")
    file = written.parent / "related.tex"
    after = section(written)
    file.write_text(after + "\nWritten since.\n", "utf-8")
    with pytest.raises(ChangedMeanwhile, match="cannot be undone"):
        edit_section.take_back(project, home, done)
    assert section(written) == after + "\nWritten since.\n"
    assert record(written)["sentences"][0]["status"] == "rejected"
    file.write_text(after, "utf-8")
    edit_section.take_back(project, home, done)
    assert section(written) == before
    assert record(written)["sentences"][0]["status"] == "unreviewed"


def test_taking_back_an_acceptance_leaves_a_later_rejection(run: Run, written: Path, home: Path) -> None:
    project = find_project(written)
    sentence = record(written)["sentences"][0]
    done = edit_section.mark(project, home, "p1", " ".join(sentence["text"].split()), "accepted")
    assert run("reject", written, "p1:1").code == 0
    text = section(written)
    with pytest.raises(ChangedMeanwhile, match="cannot be undone"):
        edit_section.take_back(project, home, done)
    assert section(written) == text and record(written)["sentences"][0]["status"] == "rejected"


def test_an_acceptance_is_taken_back_in_a_section_that_was_edited_since(written: Path, home: Path) -> None:
    project = find_project(written)
    sentence = record(written)["sentences"][0]
    done = edit_section.mark(project, home, "p1", " ".join(sentence["text"].split()), "accepted")
    text = section(written) + "\nWritten since.\n"
    (written.parent / "related.tex").write_text(text, "utf-8")
    edit_section.take_back(project, home, done)
    assert section(written) == text and record(written)["sentences"][0]["status"] == "unreviewed"
