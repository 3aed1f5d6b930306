"""`citeplug related` as a user runs it: a real catalogue, real models, real files."""

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from citeplug.files import atomic
from tests.e2e.conftest import Run, ask_for_contribution
from tests.harness.arxiv_server import ArxivServer
from tests.sync.watch.projects import change

CITED = re.compile(r"\\(?:cite\w*|parencite|textcite|autocite)\*?(?:\[[^\]]*\])*\{([^}]*)\}")


def cited_keys(tex: str) -> set[str]:
    body = "\n".join(line for line in tex.splitlines() if not line.lstrip().startswith("%"))
    return {key.strip() for match in CITED.finditer(body) for key in match[1].split(",")}


def defined_keys(bib: str) -> list[str]:
    return re.findall(r"^@\w+\{([^,\s]+),", bib, flags=re.MULTILINE)


def collapsed(text: str) -> str:
    return " ".join(text.split())


def test_every_citation_is_defined_and_every_entry_is_verified(run: Run, home: Path, project: Path) -> None:
    done = run("related", project, "--offline", "--json")
    assert done.code == 0, done.err
    tex = (project.parent / "related.tex").read_text("utf-8")
    bib = (project.parent / "related.bib").read_text("utf-8")
    assert done.json["tex_content"] == tex
    assert done.json["bib_content"] == bib
    assert cited_keys(tex) == set(defined_keys(bib))
    assert len(defined_keys(bib)) == sum(paper["fits"] for paper in done.json["shortlist"]) > 5
    assert {(e["verdict"], e["checked_against"], e["origin"]) for e in done.json["entries"]} == {
        ("verified", "catalogue", "generated")
    }


def test_every_sentence_carries_a_source_that_is_in_the_text_it_names(run: Run, home: Path, project: Path) -> None:
    from tests.e2e.conftest import LIBRARY

    records = [*map(json.loads, LIBRARY.read_text("utf-8").splitlines())]
    texts = {(r["id"], of): collapsed(r[of]) for r in records for of in ("abstract", "title")}
    draft = collapsed(run("draft", project, "--json").json["abstract"])
    document = run("related", project, "--offline", "--json").json
    sentences = [s for p in document["section"]["paragraphs"] for s in p["sentences"]]
    assert sentences
    for sentence in sentences:
        assert sentence["sources"], sentence["text"]
        assert sentence["text"] in document["tex_content"].splitlines()
        assert sentence["status"] == "unreviewed"
        # A sentence that only names works has their titles for sources, and no score.
        assert sentence["kind"] == "group" or 0 <= sentence["attribution"] <= 1
        for source in sentence["sources"]:
            whole = draft if source["arxiv_id"] is None else texts[source["arxiv_id"], source["of"]]
            assert whole[source["start"] : source["end"]] == source["text"]
        assert {c["arxiv_id"] for c in sentence["cites"]} <= {s["arxiv_id"] for s in sentence["sources"]}


def test_every_planned_citation_appears_in_its_paragraph(run: Run, home: Path, project: Path) -> None:
    document = run("related", project, "--offline", "--json", "--breadth", "14").json
    planned = {p["id"]: {c for line in p["lines"] for c in line["cites"]} for p in document["plan"]["paragraphs"]}
    written = {
        p["id"]: {c["arxiv_id"] for s in p["sentences"] for c in s["cites"]} for p in document["section"]["paragraphs"]
    }
    none = [each["message"] for each in document["findings"] if each["code"] == "paper_not_written"]
    unwritten = {cite for cites in planned.values() for cite in cites if cite in "".join(none)}
    assert written == {name: cites - unwritten for name, cites in planned.items()}
    assert sum(map(len, planned.values())) == sum(paper["fits"] for paper in document["shortlist"]) >= 5


def test_a_second_run_changes_nothing(run: Run, home: Path, project: Path) -> None:
    first = run("related", project, "--offline", "--insert").out
    keys = re.findall(r"^@\w+\{(.*),$", project.with_name("related.bib").read_text("utf-8"), re.MULTILINE)
    listed = re.findall(r"^  (\S+)  +\S", first.partition("\nNew papers\n")[2].partition("\n\n")[0], re.MULTILINE)
    assert sorted(listed) == sorted(keys) and "each with its source" in first
    before = {file: file.read_bytes() for file in sorted(project.parent.rglob("*")) if file.is_file()}
    again = run("related", project, "--offline", "--insert")
    assert again.code == 0 and "New papers" not in again.out and "each with its source" not in again.out
    assert before == {file: file.read_bytes() for file in sorted(project.parent.rglob("*")) if file.is_file()}


def test_what_the_author_saves_in_the_moment_of_writing_is_kept(
    run: Run, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("related", project, "--offline")
    ask_for_contribution(project, run)
    section = project.parent / "related.tex"
    project.write_bytes(project.read_bytes().replace(b"by attention. We", b"by gates and walks. We"))
    write = atomic._write_new
    saved: list[bytes] = []

    def save_meanwhile(each: atomic._Prepared, data: bytes) -> None:
        write(each, data)
        if b"citeplug:begin" in data and not saved:
            saved.append(data)
            section.write_bytes(section.read_bytes().replace(b"% citeplug:end", b"My own sentence.\n% citeplug:end", 1))

    monkeypatch.setattr(atomic, "_write_new", save_meanwhile)
    assert run("related", project, "--offline").code == 0
    assert saved
    assert "My own sentence." in section.read_text("utf-8")


def test_a_dry_run_writes_nothing(run: Run, home: Path, project: Path) -> None:
    before = sorted(project.parent.rglob("*"))
    done = run("related", project, "--offline", "--dry-run", "--insert", "--json")
    assert done.code == 0
    assert done.json["tex_content"]
    assert sorted(project.parent.rglob("*")) == before


def test_the_project_may_name_the_files_elsewhere(run: Run, home: Path, project: Path) -> None:
    (project.parent / "parts").mkdir()
    out, bib = project.parent / "parts" / "rw.tex", project.parent / "parts" / "rw.bib"
    assert run("related", project, "--offline", "--out", out, "--bib", bib, "--insert").code == 0
    main = project.read_text("utf-8")
    assert "\\input{parts/rw}" in main
    assert "parts/rw" in main.split("\\bibliography{")[1].split("}")[0]


def test_the_entries_lie_beside_a_section_of_another_name_and_bear_its_name(
    run: Run, home: Path, project: Path
) -> None:
    (project.parent / "parts").mkdir()
    for name in ("rel", "parts/rw"):
        out = project.parent / f"{name}.tex"
        for _ in range(2):  # a later run writes the same files
            done = run("related", project, "--offline", "-o", out, "--json")
            assert (done.code, Path(done.json["bib"])) == (0, out.with_suffix(".bib")), done.err
        assert run("status", out, "--json").code == 0
    assert not (project.parent / "related.bib").exists()


def test_a_bib_file_of_the_author_s_beside_the_section_is_left_alone(run: Run, home: Path, project: Path) -> None:
    mine = project.parent / "rel.bib"
    mine.write_text("@misc{mine, title={My Own Work}}\n", "utf-8")
    done = run("related", project, "--offline", "-o", project.parent / "rel.tex")
    assert done.code == 1 and "rel.bib was not written by citeplug" in done.err
    assert "--bib" in done.err and "--out" in done.err
    assert mine.read_text("utf-8") == "@misc{mine, title={My Own Work}}\n"


@pytest.mark.parametrize("command", ["draft", "papers", "audit", "plan", "related"])
def test_the_main_document_is_found_from_a_folder_a_chapter_or_nothing(
    run: Run, home: Path, project: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project.parent
    (folder / "chapter.tex").write_text("A chapter on graphs.\n", "utf-8")
    change(project, "\\end{document}", "\\input{chapter}\n\\end{document}")
    means = [] if command == "draft" else ["--offline"]
    told = run(command, project, *means, "--json").json
    monkeypatch.chdir(folder)
    for named in ([], ["."], ["chapter.tex"]):
        done = run(command, *named, *means, "--json")
        assert done.code == 0, done.err
        if command in ("draft", "papers"):
            assert done.json == told
    assert (folder / "related.tex").exists() == (command in ("plan", "related"))


def test_text_that_the_author_changed_stays(run: Run, home: Path, project: Path) -> None:
    run("related", project, "--offline")
    tex = project.parent / "related.tex"
    edited = tex.read_text("utf-8").replace("\\paragraph{", "My own words.\n\\paragraph{", 1)
    tex.write_text(edited, "utf-8")
    done = run("related", project, "--offline")
    assert done.code == 0, done.err
    assert tex.read_text("utf-8") == edited


def test_a_file_that_is_all_the_author_s_is_left_alone(run: Run, home: Path, project: Path) -> None:
    tex = project.parent / "related.tex"
    tex.write_text("All my own work.\n", "utf-8")
    done = run("related", project, "--offline")
    assert done.code == 1
    assert "--force" in done.err
    assert tex.read_text("utf-8") == "All my own work.\n"


def test_a_name_that_is_taken_is_offered_another_and_the_next_run_finds_it(
    run: Run, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project.parent
    mine = {"related.tex": b"All my own work.\n", "related.bib": b"@misc{mine, title={Mine}}\n"}
    for name, data in mine.items():
        (folder / name).write_bytes(data)
    monkeypatch.chdir(folder)
    done = run("related", "main.tex", "--offline", "--insert")
    assert done.code == 1
    command = "citeplug related main.tex --out citeplug-related.tex --bib citeplug-related.bib --insert"
    assert f"run '{command}'" in done.err
    assert run(*command.split()[1:], "--offline").code == 0
    assert "\\input{citeplug-related}" in project.read_text("utf-8")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert run("related", "main.tex", "--offline").code == 0
    assert run("related", "main.tex", "--offline", "--insert").code == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
    assert {name: before[name] for name in mine} == mine
    status = run("status", "--json").json
    assert (status["condition"], status["inserted"]) == ("current", True)


def at_a_terminal(project: Path, answer: str) -> tuple[int, str]:
    """Run `related --insert` with an answer typed; its exit code, and what the terminal showed."""
    leader, follower = os.openpty()
    shown: list[bytes] = []

    def read() -> None:
        with contextlib.suppress(OSError):  # the terminal is closed
            while piece := os.read(leader, 1000):
                shown.append(piece)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    os.write(leader, answer.encode())
    done = subprocess.run(
        [sys.executable, "-m", "citeplug", "related", project.name, "--offline", "--insert"],
        cwd=project.parent,
        stdin=follower,
        stdout=subprocess.PIPE,
        stderr=follower,
        timeout=300,
    )
    os.close(follower)
    reader.join(10)
    return done.returncode, b"".join(shown).decode("utf-8", "replace")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("answer", ["y\n", "n\n"])
def test_at_a_terminal_the_other_name_is_taken_on_a_yes(home: Path, project: Path, answer: str) -> None:
    (project.parent / "related.tex").write_text("All my own work.\n", "utf-8")
    (project.parent / "citeplug-related.tex").write_text("This too.\n", "utf-8")
    code, shown = at_a_terminal(project, answer)
    assert "Write citeplug-related2.tex instead?" in shown
    assert code == (0 if answer == "y\n" else 1)
    taken = (project.parent / "citeplug-related2.tex").exists()
    assert taken == ("citeplug-related2" in project.read_text("utf-8")) == (answer == "y\n")


OWN = "\\paragraph{Related work.} Some did this \\cite{a,b}. Others did that \\cite{c}.\n\n"


def give_own_text(project: Path) -> str:
    text = project.read_text("utf-8").replace("\\section{Conclusion}", f"{OWN}\\section{{Conclusion}}")
    assert OWN in text
    project.write_text(text, "utf-8")
    return text


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("answer", ["b", "c", "l"])
def test_at_a_terminal_one_is_asked_before_a_second_related_work(home: Path, project: Path, answer: str) -> None:
    before = give_own_text(project)
    code, shown = at_a_terminal(project, f"{answer}\n")
    assert "“Related work”, which cites 3 works" in " ".join(shown.split())
    assert code == (0 if answer == "b" else 130)
    assert ("run 'citeplug papers main.tex --missing'" in shown) == (answer == "c")
    assert (project.parent / "related.tex").exists() == (answer == "b")
    assert (project.read_text("utf-8") == before) == (answer != "b")


def test_a_second_related_work_is_a_finding_in_a_pipe(run: Run, home: Path, project: Path) -> None:
    give_own_text(project)
    done = run("related", project, "--offline", "--insert", "--json").json
    (own,) = [each for each in done["findings"] if each["code"] == "own_related_work"]
    assert own["severity"] == "info" and "--missing" in own["fix"] and own["line"]
    assert "Others did that \\cite{c}.\n\n\\input{related}" in project.read_text("utf-8")
    again = run("related", project, "--offline", "--insert", "--json").json
    assert "own_related_work" not in [each["code"] for each in again["findings"]]


def test_a_pipe_and_json_are_never_asked(home: Path, project: Path) -> None:
    (project.parent / "related.tex").write_text("All my own work.\n", "utf-8")
    before = project.read_bytes()
    command = [sys.executable, "-m", "citeplug", "related", project.name, "--offline", "--insert"]
    for more in ([], ["--json"]):
        done = subprocess.run([*command, *more], cwd=project.parent, input=b"y\n", capture_output=True, timeout=300)
        assert done.returncode == 1
        assert b"--out citeplug-related.tex" in done.stderr
    assert project.read_bytes() == before


def test_force_keeps_a_copy_of_what_it_overwrites(run: Run, home: Path, project: Path) -> None:
    tex = project.parent / "related.tex"
    tex.write_text("All my own work.\n", "utf-8")
    assert run("related", project, "--offline").code == 1
    assert run("related", project, "--offline", "--force").code == 0
    assert (project.parent / "related.tex.bak").read_text("utf-8") == "All my own work.\n"


def test_entries_that_the_author_added_stay(run: Run, home: Path, project: Path) -> None:
    run("related", project, "--offline")
    bib = project.parent / "related.bib"
    bib.write_text(bib.read_text("utf-8") + "@misc{mine, title={Mine}}\n", "utf-8")
    before = bib.read_bytes()
    assert run("related", project, "--offline").code == 0
    assert bib.read_bytes() == before


PLAN = """% citeplug: 1
% citeplug:begin p1 sentences=2 words=60
% citeplug:heading My Own Heading
% citeplug:1 say what attention on graphs is [{first}]
% citeplug:2 say what comes next [{second}]
% citeplug:end p1
"""


def test_a_plan_that_the_author_wrote_is_followed(run: Run, home: Path, project: Path) -> None:
    found = run("search", "graph attention", "-k", "2", "--json").json
    first, second = (paper["id"] for paper in found)
    (project.parent / "related.tex").write_text(PLAN.format(first=first, second=second), "utf-8")
    document = run("related", project, "--offline", "--json").json
    (paragraph,) = document["section"]["paragraphs"]
    assert paragraph["heading"] == "My Own Heading"
    assert [[c["arxiv_id"] for c in s["cites"]] for s in paragraph["sentences"]] == [[first], [second]]
    assert "\\paragraph{My Own Heading" in document["tex_content"]


def test_a_plan_in_grammar_2_is_followed_with_its_kinds(run: Run, home: Path, project: Path) -> None:
    plan = (
        "% citeplug: 2\n% citeplug:begin p1 sentences=4\n% citeplug:1 topic: which neighbours count\n"
        "% citeplug:2 core: introduce it [1706.02216]\n% citeplug:3 Passing: others [1710.10903, 1907.10903]\n"
        "% citeplug:4 draft: what they leave open [1706.02216]\n% citeplug:end p1\n"
    )
    (project.parent / "related.tex").write_text(plan, "utf-8")
    done = run("related", project, "--offline", "--exclude", "1907.10903", "--json")
    assert done.code == 0, done.err
    assert [line + "\n" for line in plan.splitlines() if line not in done.json["tex_content"]] == []
    (paragraph,) = done.json["plan"]["paragraphs"]
    assert paragraph["words"] == 100
    assert [(line["kind"], line["weight"]) for line in paragraph["lines"]] == [
        ("topic", None),
        ("paper", "core"),
        ("paper", "passing"),
        ("draft", None),
    ]
    for sentence in done.json["section"]["paragraphs"][0]["sentences"]:
        assert sentence["judgement"] is None
        assert all(source["of"] == "abstract" and source["page"] is None for source in sentence["sources"])


def test_ids_in_a_plan_may_be_written_as_people_write_them(run: Run, home: Path, project: Path) -> None:
    (project.parent / "related.tex").write_text(
        "% citeplug:begin p1\n% citeplug:1 say [arXiv:1706.02216, https://arxiv.org/abs/1710.10903v3]\n", "utf-8"
    )
    document = run("related", project, "--offline", "--json").json
    assert document["plan"]["paragraphs"][0]["lines"][0]["cites"] == ["1706.02216", "1710.10903"]
    assert "[arXiv:1706.02216, https://arxiv.org/abs/1710.10903v3]" in document["tex_content"]


def test_a_plan_that_the_author_edited_is_not_planned_anew(run: Run, home: Path, project: Path) -> None:
    assert run("plan", project, "--offline").code == 0
    assert run("plan", project, "--offline", "--breadth", "4").code == 0
    tex = project.parent / "related.tex"
    edited = tex.read_text("utf-8").replace("% citeplug:1 ", "% citeplug:1 in my words ", 1)
    tex.write_text(edited, "utf-8")
    assert run("plan", project, "--offline").code == 1
    assert tex.read_text("utf-8") == edited
    assert run("plan", project, "--offline", "--force").code == 0
    assert (project.parent / "related.tex.bak").read_text("utf-8") == edited


def test_what_stands_outside_the_blocks_stays(run: Run, home: Path, project: Path) -> None:
    assert run("plan", project, "--offline", "--breadth", "3").code == 0
    tex = project.parent / "related.tex"
    planned = tex.read_text("utf-8")
    noted = planned.replace("% citeplug:begin", "% A note of mine.\n% citeplug:begin", 1)
    tex.write_text(noted + "A last word.\n", "utf-8")
    done = run("related", project, "--offline", "--json")
    assert done.code == 0, done.err
    written = tex.read_text("utf-8")
    assert done.json["tex_content"] == written
    assert written.startswith("% citeplug: 2\n% A note of mine.\n% citeplug:begin p1 ")
    assert written.endswith("\nA last word.\n")
    assert "\\citet{" in written


def test_a_block_to_be_kept_is_kept_even_with_force(run: Run, home: Path, project: Path) -> None:
    run("related", project, "--offline", "--breadth", "3")
    tex = project.parent / "related.tex"
    kept = tex.read_text("utf-8").replace("% citeplug:1 ", "% citeplug:keep\n% citeplug:1 ", 1)
    tex.write_text(kept, "utf-8")
    for force in ((), ("--force",)):
        assert run("related", project, "--offline", "--breadth", "3", *force).code == 0
        assert run("plan", project, "--offline", *force).code == 1
    assert tex.read_text("utf-8") == kept


def test_sections_in_two_places_do_not_know_each_other_s_hashes_wrongly(
    run: Run, home: Path, project: Path, tmp_path: Path
) -> None:
    other = ("--out", tmp_path / "other.tex", "--bib", tmp_path / "other.bib", "--breadth", "3")
    for arguments in ((), other, (), other):
        done = run("related", project, "--offline", *arguments)
        assert done.code == 0, done.err


def test_a_plan_that_names_an_unknown_paper_says_so(run: Run, home: Path, project: Path) -> None:
    known = run("search", "graph attention", "-k", "1", "--json").json[0]["id"]
    (project.parent / "related.tex").write_text(PLAN.format(first=known, second="9912.99999"), "utf-8")
    done = run("related", project, "--offline", "--json")
    assert done.code == 0, done.err
    assert "plan_unknown_paper" in {finding["code"] for finding in done.json["findings"]}
    assert "9912.99999" not in done.json["bib_content"]


def test_plan_writes_the_plan_alone_and_related_follows_it(run: Run, home: Path, project: Path) -> None:
    assert run("plan", project, "--offline", "--breadth", "4").code == 0
    tex = project.parent / "related.tex"
    planned = tex.read_text("utf-8")
    assert not cited_keys(planned)
    assert "% citeplug:begin p1" in planned
    document = run("related", project, "--offline", "--json", "--breadth", "9").json
    assert sum(len(line["cites"]) for p in document["plan"]["paragraphs"] for line in p["lines"]) == 4


def test_a_paper_that_the_draft_already_cites_keeps_its_key(run: Run, home: Path, project: Path) -> None:
    first = run("related", project, "--offline", "--dry-run", "--json").json
    entry = first["entries"][0]
    text = next(part for part in first["bib_content"].split("\n@") if entry["key"] + "," in part)
    own = "@" + text.lstrip("%@ \n").split("\n\n@")[-1].replace(entry["key"], "MyKey:1", 1)
    (project.parent / "refs.bib").write_text(own[own.index("@", 0) :], "utf-8")
    document = run("related", project, "--offline", "--json").json
    keys = {c["key"] for p in document["section"]["paragraphs"] for s in p["sentences"] for c in s["cites"]}
    assert "MyKey:1" in keys
    assert entry["arxiv_id"] not in document["bib_content"]
    assert {e["key"]: e["origin"] for e in document["entries"]}["MyKey:1"] == "author"


def test_insert_adds_one_input_line_and_touches_nothing_else(run: Run, home: Path, project: Path) -> None:
    original = project.read_bytes().replace(b"\n", b"\r\n").replace(b"We conclude.", b"We conclude caf\xe9.")
    project.write_bytes(original)
    assert run("related", project, "--offline", "--insert").code == 0
    changed = project.read_bytes()
    assert changed.count(b"\\input{related}") == 1
    assert b"caf\xe9" in changed
    kept = iter(changed.split(b"\r\n"))
    assert all(any(line in new for new in kept) for line in original.split(b"\r\n") if b"\\bibliography{" not in line)
    run("related", project, "--offline", "--insert")
    assert project.read_bytes() == changed


def test_a_section_outside_the_project_is_named_by_a_way_that_travels(
    run: Run, home: Path, project: Path, tmp_path: Path
) -> None:
    out, bib = tmp_path / "other" / "rw.tex", tmp_path / "other" / "rw.bib"
    out.parent.mkdir()
    for _ in range(2):
        assert run("related", project, "--offline", "--out", out, "--bib", bib, "--insert").code == 0
    main = project.read_text("utf-8")
    assert main.count("\\input{../other/rw}") == 1
    assert "\\bibliography{refs,../other/rw}" in main


def test_an_empty_catalogue_ends_with_the_way_out(run: Run, project: Path) -> None:
    done = run("related", project, "--offline")
    assert done.code == 3
    assert "citeplug start" in done.err
    assert not (project.parent / "related.tex").exists()


def test_arxiv_out_of_reach_is_said_and_does_not_stop_the_job(run: Run, home: Path, project: Path) -> None:
    done = run("related", project, "--online", "--json")
    assert done.code == 0, done.err
    assert "source_unavailable" in {finding["code"] for finding in done.json["findings"]}
    assert {entry["checked_against"] for entry in done.json["entries"]} == {"catalogue"}


@pytest.mark.parametrize("option", [("--breadth", "0"), ("--diversity", "1.5"), ("--depth", "-1")])
def test_a_value_out_of_range_is_wrong_usage(run: Run, home: Path, project: Path, option: tuple[str, str]) -> None:
    assert run("related", project, "--offline", *option).code == 2


def test_papers_of_the_day_and_later_stay_out(run: Run, home: Path, project: Path) -> None:
    document = run("related", project, "--offline", "--before", "2017-01-01", "--json").json
    found = run("search", "graph neural networks", "-k", "200", "--before", "2017-01-01", "--json").json
    assert {item["arxiv_id"] for item in document["shortlist"]} <= {paper["id"] for paper in found}
    assert all(paper["published"] < "2017-01-01" for paper in found)


def test_offline_contacts_nobody(
    run: Run, home: Path, project: Path, arxiv_server: ArxivServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    assert run("related", project, "--offline").code == 0
    assert run("search", "graphs", "--offline").code == 0
    assert not arxiv_server.requests


def _papers(document: dict[str, Any]) -> set[str]:
    return {entry["arxiv_id"] for entry in document["entries"]}


def test_only_files_whose_bytes_changed_are_named_as_written(run: Run, home: Path, project: Path) -> None:
    first = run("related", project, "--offline", "--insert", "--breadth", "3").out
    (wrote,) = [line for line in first.splitlines() if line.startswith("wrote ")]
    assert all(name in wrote for name in ("related.tex", "related.bib", "main.tex"))
    assert first.splitlines()[-1].startswith("next: citeplug review ")
    second = run("related", project, "--offline", "--insert", "--breadth", "3").out
    assert "wrote" not in second and "related.tex is up to date" in second
