"""`citeplug related` on a section that the author works on: a real catalogue, real files."""

import json
import re
import shutil
from pathlib import Path

import pytest

from citeplug.section_file.cite_style import cited_keys
from citeplug.section_file.grammar import read_related
from tests.e2e.conftest import Run, ask_for_contribution
from tests.e2e.test_related import defined_keys

PROPOSED = "deep residual models that converge on large graphs"
MINE = "Nobody has put these two side by side."


@pytest.fixture
def written(written_apart: Path, run: Run) -> Path:
    """A draft whose section is written, and changes with its abstract; returns the section."""
    ask_for_contribution(written_apart, run)
    return written_apart.parent / "related.tex"


def another_abstract(project: Path) -> None:
    text = project.read_text("utf-8")
    text = re.sub(r"We propose \\method.*?by attention\.", f"We propose {PROPOSED}.", text, flags=re.DOTALL)
    project.write_text(text, "utf-8")


def sentences(tex: Path) -> list[str]:
    lines = [line for block in read_related(tex.read_text("utf-8")).blocks for line in block.text.splitlines()]
    return [line for line in lines if line.strip() and not line.startswith("\\paragraph")]


def nothing_is_undefined(tex: Path) -> None:
    cited, defined = cited_keys(tex.read_text("utf-8")), defined_keys(tex.with_suffix(".bib").read_text("utf-8"))
    assert cited <= set(defined)
    assert len(defined) == len(set(defined))


def test_a_changed_sentence_stays_while_the_draft_and_the_others_change(
    run: Run, home: Path, project: Path, written: Path
) -> None:
    first = sentences(written)[0]
    written.write_text(written.read_text("utf-8").replace(first, f"{first[:-1]}, as I see it.\n{MINE}"), "utf-8")
    another_abstract(project)
    done = run("related", project, "--offline", "--json")
    assert done.code == 0, done.err
    text = written.read_text("utf-8")
    assert done.json["tex_content"] == text
    assert f"{first[:-1]}, as I see it.\n" in text
    assert f"\n{MINE}\n" in text
    assert PROPOSED in text
    nothing_is_undefined(written)
    told = [s["text"] for p in done.json["section"]["paragraphs"] for s in p["sentences"]]
    assert all(each in text for each in told)
    assert not any("as I see it" in each or each == MINE for each in told)
    assert not list(project.parent.glob("*.bak*"))


def test_a_run_on_an_edited_section_is_done_when_it_was_done_once(
    run: Run, home: Path, project: Path, written: Path
) -> None:
    first, second, *_ = sentences(written)
    text = written.read_text("utf-8").replace(first, f"{first} {MINE}").replace(second, second.replace("the", "any"))
    written.write_text(text.replace("citeplug:1 ", "citeplug:1 really "), "utf-8")
    another_abstract(project)
    assert run("related", project, "--offline").code == 0
    files = [file for file in sorted(project.parent.rglob("*")) if file.is_file()]
    before = [(file, file.read_bytes(), file.stat().st_mtime_ns) for file in files]
    assert run("related", project, "--offline").code == 0
    assert before == [(file, file.read_bytes(), file.stat().st_mtime_ns) for file in files]
    assert files == [file for file in sorted(project.parent.rglob("*")) if file.is_file()]


def test_the_papers_of_a_deleted_paragraph_are_not_proposed_again(
    run: Run, home: Path, project: Path, written: Path
) -> None:
    text = written.read_text("utf-8")
    block = read_related(text).blocks[0]
    papers = {cite for line in block.plan.lines for cite in line.cites}
    written.write_text(text[: block.start] + text[block.end :], "utf-8")
    for _ in range(2):
        document = run("related", project, "--offline", "--json").json
        assert "paragraph_deleted" in {finding["code"] for finding in document["findings"]}
        assert not papers & {cite for p in document["plan"]["paragraphs"] for li in p["lines"] for cite in li["cites"]}
        assert not papers & {entry["arxiv_id"] for entry in document["entries"]}
    nothing_is_undefined(written)
    document = run("related", project, "--offline", "--replan", "--json").json
    assert papers & {entry["arxiv_id"] for entry in document["entries"]}


def deleted(run: Run, project: Path, *more: str) -> list[str]:
    """What a run says of deleted paragraphs."""
    done = run("related", project, "--offline", "--json", *more)
    assert done.code == 0, done.err
    return [finding["message"] for finding in done.json["findings"] if finding["code"] == "paragraph_deleted"]


@pytest.mark.parametrize("forced", [(), ("--force",)])
def test_a_text_that_a_new_plan_replaced_was_not_deleted(
    run: Run, home: Path, project: Path, written: Path, forced: tuple[str, ...]
) -> None:
    assert run("plan", project, "--offline", "--breadth", "12", *forced).code == 0
    assert [deleted(run, project) for _ in range(2)] == [[], []]


def test_another_breadth_deletes_nothing(run: Run, home: Path, project: Path) -> None:
    for breadth in ("8", "12", "5", "12"):
        assert deleted(run, project, "--breadth", breadth) == []


@pytest.mark.parametrize("lost", ["text", "end mark"])
def test_a_paragraph_that_lost_its_text_or_its_end_mark_was_not_deleted(
    run: Run, home: Path, project: Path, written: Path, lost: str
) -> None:
    lines = written.read_text("utf-8").splitlines(keepends=True)
    ends = [line for line in lines if line.startswith("% citeplug:end")]
    kept = [line for line in lines if line != ends[0]] if lost == "end mark" else lines
    if lost == "text":
        kept = [line.split(" sha256")[0].rstrip() + "\n" for line in lines if line.startswith("%") or not line.strip()]
    written.write_text("".join(kept), "utf-8")
    assert deleted(run, project) == []


def test_a_new_plan_keeps_in_mind_what_the_author_deleted(
    run: Run, home: Path, project: Path, written_apart: Path
) -> None:
    written = written_apart.parent / "related.tex"  # its plan is not the author's
    text = written.read_text("utf-8")
    block = read_related(text).blocks[0]
    papers = {cite for line in block.plan.lines for cite in line.cites}
    written.write_text(text[: block.start] + text[block.end :], "utf-8")
    assert run("plan", project, "--offline").code == 0
    assert not papers & {
        cite
        for each in read_related(written.read_text("utf-8")).blocks
        for line in each.plan.lines
        for cite in line.cites
    }
    (message,) = deleted(run, project)
    assert all(paper in message for paper in papers)
    assert run("plan", project, "--offline", "--force").code == 0
    assert deleted(run, project) == []


def test_a_clone_merges_as_the_first_does(run: Run, home: Path, project: Path, written: Path, tmp_path: Path) -> None:
    first = sentences(written)[0]
    written.write_text(written.read_text("utf-8").replace(first, f"{MINE}\n{first}"), "utf-8")
    another_abstract(project)
    clone = tmp_path / "clone"
    shutil.copytree(project.parent, clone)
    assert run("related", project, "--offline").code == 0
    assert run("related", clone / "main.tex", "--offline").code == 0
    assert (clone / "related.tex").read_bytes() == written.read_bytes()
    assert (clone / "related.bib").read_bytes() == written.with_suffix(".bib").read_bytes()


def test_without_its_base_an_edited_paragraph_is_left_alone(run: Run, home: Path, project: Path, written: Path) -> None:
    first = sentences(written)[0]
    edited = written.read_text("utf-8").replace(first, f"{MINE}\n{first}")
    written.write_text(edited, "utf-8")
    shutil.rmtree(project.parent / ".citeplug")
    another_abstract(project)
    document = run("related", project, "--offline", "--json").json
    (finding,) = [each for each in document["findings"] if each["code"] == "paragraph_left"]
    assert ".citeplug" in finding["fix"]
    before, after = (read_related(text).blocks[0] for text in (edited, written.read_text("utf-8")))
    assert after.text == before.text
    nothing_is_undefined(written)


def test_the_marks_of_an_unfinished_merge_are_not_touched(run: Run, home: Path, project: Path, written: Path) -> None:
    for file in (written, written.with_suffix(".bib")):
        before = file.read_bytes()
        file.write_bytes(b"<<<<<<< HEAD\n" + before + b"=======\n>>>>>>> other\n")
        torn = file.read_bytes()
        done = run("related", project, "--offline")
        assert done.code == 1
        assert "<<<<<<<" in done.err
        assert file.read_bytes() == torn
        file.write_bytes(before)


def test_a_record_in_conflict_costs_nothing(run: Run, home: Path, project: Path, written: Path) -> None:
    record = project.parent / ".citeplug" / "provenance.json"
    text = record.read_text("utf-8").replace("unreviewed", "accepted")
    record.write_text(f"<<<<<<< HEAD\n{text}=======\n{text.replace('accepted', 'unreviewed')}>>>>>>> b\n", "utf-8")
    before = written.read_bytes()
    document = run("related", project, "--offline", "--json").json
    assert written.read_bytes() == before
    assert {s["status"] for p in document["section"]["paragraphs"] for s in p["sentences"]} == {"accepted"}
    assert json.loads(record.read_text("utf-8"))["format"] == 1


def test_what_was_accepted_stays_accepted_while_it_is_said(run: Run, home: Path, project: Path, written: Path) -> None:
    record = project.parent / ".citeplug" / "provenance.json"
    record.write_text(record.read_text("utf-8").replace("unreviewed", "accepted"), "utf-8")
    old = set(sentences(written))
    another_abstract(project)
    document = run("related", project, "--offline", "--json").json
    told = [s for p in document["section"]["paragraphs"] for s in p["sentences"]]
    assert {s["status"] for s in told if s["text"] not in old} == {"unreviewed"}
    assert "accepted" in {s["status"] for s in told if s["text"] in old}


def test_diff_shows_and_writes_nothing(run: Run, home: Path, project: Path, written: Path) -> None:
    another_abstract(project)
    before = {file: file.read_bytes() for file in sorted(project.parent.rglob("*")) if file.is_file()}
    done = run("related", project, "--offline", "--diff", "--insert")
    assert done.code == 0
    assert re.search(rf"^\+.*{PROPOSED}", done.out, re.MULTILINE)
    assert "+\\input{related}" in done.out
    assert "--- related.tex" in done.out
    assert before == {file: file.read_bytes() for file in sorted(project.parent.rglob("*")) if file.is_file()}
    assert run("related", project, "--offline", "--diff", "--insert", "--json").json["diff"] == done.out


def test_an_entry_that_the_author_changed_stays_and_one_that_is_cited_comes_back(
    run: Run, home: Path, project: Path, written: Path
) -> None:
    bib = written.with_suffix(".bib")
    text = bib.read_text("utf-8")
    first, second, *_ = re.findall(r"^@\w+\{.*?^\}\n", text, re.MULTILINE | re.DOTALL)
    changed = first.replace("title", "note = {Read it again.},\n  title", 1)
    bib.write_text(text.replace(first, changed).replace(second + "\n", ""), "utf-8")
    document = run("related", project, "--offline", "--json").json
    assert "entry_restored" in {finding["code"] for finding in document["findings"]}
    assert changed in bib.read_text("utf-8")
    assert second in bib.read_text("utf-8")
    nothing_is_undefined(written)


def test_force_gives_up_what_was_changed_and_keeps_a_copy(run: Run, home: Path, project: Path, written: Path) -> None:
    generated = written.read_bytes()
    first = sentences(written)[0]
    edited = written.read_text("utf-8").replace(first, MINE)
    written.write_text(edited, "utf-8")
    assert run("related", project, "--offline", "--force").code == 0
    assert written.read_bytes() == generated
    assert written.with_name("related.tex.bak").read_text("utf-8") == edited


def test_byte_order_mark_and_line_ends_stay(run: Run, home: Path, project: Path, written: Path) -> None:
    first = sentences(written)[0]
    text = written.read_text("utf-8").replace(first, f"{first}\n{MINE}")
    written.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    another_abstract(project)
    assert run("related", project, "--offline").code == 0
    data = written.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf% citeplug: 2\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")
    assert MINE.encode() in data
    assert PROPOSED.encode() in data


def test_a_sentence_moved_to_the_draft_keeps_its_entry(run: Run, home: Path, project: Path, written: Path) -> None:
    sentence = next(each for each in sentences(written) if "\\cite" in each)
    (key, *_) = cited_keys(sentence)
    written.write_text(written.read_text("utf-8").replace(sentence + "\n", ""), "utf-8")
    project.write_text(project.read_text("utf-8").replace("We conclude.", sentence), "utf-8")
    assert run("related", project, "--offline").code == 0
    assert key in defined_keys(written.with_suffix(".bib").read_text("utf-8"))


def test_what_is_typed_while_a_run_is_under_way_is_merged_too(home: Path, project: Path, written: Path) -> None:
    from citeplug.corpus.stores import settings
    from citeplug.records.outcome import Options
    from citeplug.related.job import write_related
    from citeplug.related.tools import Job

    stages: list[str] = []

    def report(stage: str, done: int, total: int | None) -> None:
        stages.append(stage)
        if stages.count("plan") == 1 and stage == "plan":
            first = sentences(written)[0]
            written.write_text(written.read_text("utf-8").replace(first, f"{first}\n{MINE}"), "utf-8")

    another_abstract(project)
    done = write_related(Job(project, Options()), settings(offline=True), online=False, report=report)
    assert stages.count("plan") == 2
    assert MINE in written.read_text("utf-8")
    assert done.outcome.tex_content == written.read_text("utf-8")
    assert PROPOSED in written.read_text("utf-8")


def test_a_file_of_grammar_1_is_merged_and_upgraded(run: Run, home: Path, tmp_path: Path) -> None:
    from tests.section_file.test_grammar1_files import FILES, TYPED

    main = tmp_path / "edited" / "main.tex"
    shutil.copytree(FILES / "edited", main.parent)
    tex = main.with_name("related.tex")
    # A line of a plan in grammar 2, typed into a file of grammar 1.
    wish = "% citeplug:4 passing: list further work [1903.07293]\n"
    before = tex.read_text("utf-8").replace("% citeplug:4 list further work [1903.07293]\n", wish)
    tex.write_text(before, "utf-8")
    done = run("related", main, "--offline", "--json")
    assert done.code == 0, done.err
    written = tex.read_text("utf-8")
    assert [typed for typed in (wish, *TYPED) if typed not in written] == []
    assert written == before or written.startswith("% citeplug: 2\n")
    assert run("related", main, "--offline").code == 0
    assert tex.read_text("utf-8") == written


def test_a_file_of_a_newer_grammar_is_left_alone(run: Run, project: Path, written: Path) -> None:
    newer = written.read_bytes().replace(b"% citeplug: 2", b"% citeplug: 3")
    written.write_bytes(newer)
    for command in ("related", "plan"):
        done = run(command, project, "--offline")
        assert done.code == 1
        assert "was written by a newer citeplug, in grammar 3" in done.err
        assert "upgrade citeplug" in done.err
    assert written.read_bytes() == newer
