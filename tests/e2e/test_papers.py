"""The reading list of a draft, as a user meets it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from citeplug.section_file.grammar import read_related
from tests.e2e.conftest import LIBRARY, Run
from tests.sync.watch.projects import change

SAGE, GAT, BRUNA = "1706.02216", "1710.10903", "1312.6203"
ENTRY = "@misc{sage, title={Inductive Representation Learning on Large Graphs}, eprint={1706.02216}, year={2017}}\n"


@pytest.fixture
def main(home: Path, project: Path) -> Path:
    return project


def papers(run: Run, main: Path, *options: object) -> Any:
    done = run("papers", main, "--offline", "--json", *options)
    assert done.code == 0, done.err
    return done.json


def ids(listed: Any) -> list[str]:
    return [each["arxiv_id"] for each in listed]


def cite(main: Path) -> None:
    """Cite a paper of the library, by an entry of the author's."""
    (main.parent / "refs.bib").write_text(ENTRY, "utf-8")
    change(main, "We conclude.", "We conclude \\citep{sage}.")


def test_the_list_begins_with_what_the_section_discusses(run: Run, main: Path) -> None:
    listed = papers(run, main, "--breadth", 4, "-k", 12)
    related = run("related", main, "--offline", "--dry-run", "--json", "--breadth", 4).json
    assert len(listed) == 12
    assert {each["arxiv_id"] for each in listed if each["chosen"]} == {
        e["arxiv_id"] for e in related["shortlist"] if e["fits"]
    }
    assert [each["chosen"] for each in listed] == [True] * 4 + [False] * 8
    assert not (main.parent / "related.tex").exists() and not (main.parent / ".citeplug").exists()


def test_each_paper_says_who_when_and_why(run: Run, main: Path) -> None:
    for each in papers(run, main):
        assert each["title"] and each["authors"] and isinstance(each["year"], int) and 0 <= each["score"] <= 1
        assert each["reasons"], each
        for reason in each["reasons"]:
            assert reason["kind"] in ("words", "meaning", "citation") and reason["text"] and reason["of"]
            assert isinstance(reason["words"], list) and isinstance(reason["keys"], list)
    assert any(reason["words"] for each in papers(run, main) for reason in each["reasons"])


def test_the_reasons_of_a_paper_do_not_depend_on_the_length_of_the_list(run: Run, main: Path) -> None:
    assert papers(run, main, "-k", 3) == papers(run, main, "-k", 20)[:3]


def test_a_longer_list_goes_beyond_what_the_section_chose_among(run: Run, main: Path) -> None:
    listed = ids(papers(run, main, "--breadth", 3, "-k", 600))
    assert len(listed) > 9 and len(set(listed)) == len(listed)


def test_a_paper_that_the_draft_cites_has_its_key_and_is_not_missing(run: Run, main: Path) -> None:
    before = {each["arxiv_id"]: each for each in papers(run, main)}
    assert before[SAGE]["cited_as"] is None and before[SAGE]["entry"] is None
    cite(main)
    after = {each["arxiv_id"]: each for each in papers(run, main)}
    assert after[SAGE]["cited_as"] == after[SAGE]["entry"] == "sage"
    assert not any("sage" in reason["keys"] for reason in after[SAGE]["reasons"])
    missing = papers(run, main, "--missing")
    assert SAGE not in ids(missing) and len(missing) == 20
    done = run("papers", main, "--offline")
    assert done.out.startswith("Not cited yet 8 of 20\n") and "12 more (-k 20 shows them)" in done.out
    assert "\nCited already 1 (-v lists them in full)\n  sage\n" in done.out
    assert "cited as sage" in run("papers", main, "--offline", "-v").out


def test_an_entry_that_nothing_cites_is_missing_still(run: Run, main: Path) -> None:
    (main.parent / "refs.bib").write_text(ENTRY, "utf-8")
    (found,) = [each for each in papers(run, main, "--missing") if each["arxiv_id"] == SAGE]
    assert (found["cited_as"], found["entry"]) == (None, "sage")


def test_what_is_pinned_comes_first_and_what_is_excluded_stays_out(run: Run, main: Path) -> None:
    listed = papers(run, main, "--pin", BRUNA, "--exclude", SAGE)
    assert (listed[0]["arxiv_id"], listed[0]["pinned"], listed[0]["chosen"]) == (BRUNA, True, True)
    assert SAGE not in ids(listed)


def test_the_cut_off_and_the_project_s_own_choices_count(run: Run, main: Path) -> None:
    assert all(each["published"] < "2017-06-01" for each in papers(run, main, "--before", "2017-06-01"))
    (main.parent / "citeplug.toml").write_text('[related]\nbreadth = 2\nbefore = "2018-01-01"\n', "utf-8")
    listed = papers(run, main)
    assert sum(each["chosen"] for each in listed) == 2
    assert all(each["published"] < "2018-01-01" for each in listed)


def test_text_of_papers_and_drafts_cannot_steer_the_terminal(
    run: Run, main: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "home"))
    record = json.loads(LIBRARY.read_text("utf-8").splitlines()[0])
    record |= {"title": "Graph \x1b[31mneural\u202e networks", "abstract": "Neighbours \x07 of nodes. Neighbours."}
    snapshot = tmp_path / "odd.jsonl"
    snapshot.write_text(json.dumps(record) + "\n", "utf-8")
    assert run("index", "add", snapshot).code == 0
    change(main, "samples neighbours", "samples \x1b[2Jneighbours\x1b]0;x\x07 samples neighbours")
    done = run("papers", main, "--offline")
    assert done.code == 0 and "Graph" in done.out
    assert not any(sign in done.out + done.err for sign in "\x1b\x07\u202e")


def test_an_empty_catalogue_is_exit_3_with_the_way_out(
    run: Run, main: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "empty"))
    done = run("papers", main, "--offline", "--json")
    assert done.code == 3 and "citeplug start" in done.err and done.out == ""


def test_wrong_usage_and_a_draft_that_is_not_there_are_exit_2(run: Run, main: Path, tmp_path: Path) -> None:
    assert run("papers", main, "--offline", "-k", 0).code == 2
    assert run("papers", main, "--offline", "--breadth", 1000).code == 2
    assert run("papers", main, "--offline", "--topic", "astrology").code == 2
    assert run("papers", tmp_path / "none.tex", "--offline").code == 2
    (tmp_path / "blank.tex").write_text("\\documentclass{article}\\begin{document}\\end{document}", "utf-8")
    done = run("papers", tmp_path / "blank.tex", "--offline")
    assert done.code == 2 and "abstract" in done.err


def test_a_draft_of_2018_is_told_of_newer_papers_and_how_to_leave_them_out(run: Run, main: Path) -> None:
    change(main, "\\maketitle", "\\date{March 2018}\\maketitle")
    for command in ("papers", "related", "plan"):
        done = run(command, main, "--offline", *(["--dry-run", "-v"] if command != "papers" else []))
        assert "the draft seems to be from 2018 (\\date)" in done.err and "--before 2019-01-01" in done.err, command
    done = run("papers", main, "--offline", "--before", "2019-01-01")
    assert "newer_than" not in done.err


def test_a_plan_made_before_keeps_newer_papers_with_a_warning_that_names_them(run: Run, main: Path) -> None:
    assert run("plan", main, "--offline", "--breadth", 3).code == 0
    planned = [cite for paragraph in planned_papers(main) for cite in paragraph]
    done = run("related", main, "--offline", "--breadth", 3, "--before", "2016-01-01", "--json")
    assert done.code == 0
    (found,) = [each for each in done.json["findings"] if each["code"] == "newer_than_before"]
    assert found["severity"] == "warning"
    cited = {c["arxiv_id"] for p in done.json["section"]["paragraphs"] for s in p["sentences"] for c in s["cites"]}
    assert cited == set(planned), "what is planned stays"
    assert all(each in found["message"] for each in cited if each[:2] >= "16")


def test_a_plan_in_the_document_and_a_pin_stay_with_the_same_warning(run: Run, main: Path) -> None:
    for words in (
        f"\\begin{{citeplugplan}}\n1 describe sampling [{SAGE}]\n\\end{{citeplugplan}}\n",
        f"\\citeplugpin{{{SAGE}}}",
    ):
        text = main.read_text("utf-8")
        change(main, "\\maketitle", f"{words}\\maketitle")
        done = run("related", main, "--offline", "--dry-run", "--breadth", 2, "--before", "2016-01-01", "--json")
        (found,) = [each for each in done.json["findings"] if each["code"] == "newer_than_before"]
        assert f"arXiv:{SAGE}" in found["message"] and SAGE in done.json["tex_content"], words
        main.write_text(text, "utf-8")


def planned_papers(main: Path) -> list[list[str]]:
    text = (main.parent / "related.tex").read_text("utf-8")
    return [[c for line in block.plan.lines for c in line.cites] for block in read_related(text).blocks]


def test_a_new_plan_holds_nothing_newer(run: Run, main: Path) -> None:
    assert run("plan", main, "--offline", "--breadth", 3).code == 0
    done = run("related", main, "--offline", "--breadth", 3, "--before", "2016-01-01", "--replan", "--json")
    assert done.code == 0 and all(each["arxiv_id"][:2] < "16" for each in done.json["shortlist"])
    assert not any(each["code"] == "newer_than_before" for each in done.json["findings"])
    shutil.rmtree(main.parent / ".citeplug")


def test_what_the_author_s_own_related_tex_cites_is_cited(run: Run, main: Path) -> None:
    own = main.with_name("related.tex")
    (main.parent / "refs.bib").write_text(ENTRY, "utf-8")
    change(main, "\\section{Method}", "\\section{Related Work}\n\\input{related}\n\\section{Method}")
    own.write_text("Nodes are embedded from their features \\citep{sage}.\n", "utf-8")
    before = own.read_bytes()
    assert {each["arxiv_id"]: each["cited_as"] for each in papers(run, main)}[SAGE] == "sage"
    assert SAGE not in ids(papers(run, main, "--missing"))
    assert run("status", main, "--json").json["condition"] == "missing"
    # What citeplug writes there is no evidence of what the author cites.
    assert run("related", main, "--offline", "--force").code == 0
    assert {each["arxiv_id"]: each["cited_as"] for each in papers(run, main)}[SAGE] is None
    assert main.with_name("related.tex.bak").read_bytes() == before


def test_years_bound_the_list_and_it_is_sorted_by_year_or_by_known_citations(
    run: Run, own_home: Path, project: Path, tmp_path: Path
) -> None:
    everything = papers(run, project, "--deep", "-k", 60)
    assert {each["citations"] for each in everything} == {None}
    first, second = ids(everything)[1:3]
    lists = [{"id": "2001.00001", "cited": [second, first]}, {"id": "2001.00002", "cited": [second]}]
    (tmp_path / "lists.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lists), "utf-8")
    assert run("graph", "add", tmp_path / "lists.jsonl").code == 0
    cited = papers(run, project, "--no-deep", "--sort", "citations")
    assert [(each["arxiv_id"], each["citations"]) for each in cited][:3] == [
        (second, 2),
        (first, 1),
        (ids(cited)[2], None),
    ]
    (project.parent / "citeplug.toml").write_text("[related]\nfrom = 2017\n", "utf-8")
    bounded = papers(run, project, "--before", 2019, "--sort", "year")
    days = [each["published"] for each in bounded if each["chosen"]]
    assert days == sorted(days, reverse=True) and days
    assert all("2017" <= each["published"] < "2019" for each in bounded)
    assert run("papers", project, "--from", "2017-13").code == 2
