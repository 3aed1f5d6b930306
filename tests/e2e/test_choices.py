"""Options from the document and citeplug.toml as a user meets them."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Run
from tests.sync.watch.projects import change

GAT, SAGE, FAST = "1710.10903", "1706.02216", "1803.08035"


def say(main: Path, text: str) -> None:
    """Put commands of citeplug's into the document."""
    change(main, "\\begin{document}", f"\\begin{{document}}\n{text}")


def related(run: Run, main: Path, *options: object) -> Any:
    done = run("related", main, "--offline", "--json", *options)
    assert done.code == 0, done.err
    return done.json


def shortlisted(told: Any) -> list[str]:
    return [item["arxiv_id"] for item in told["shortlist"]]


def codes(told: Any) -> set[str]:
    return {finding["code"] for finding in told["findings"]}


def cited(told: Any) -> set[str]:
    return {c["arxiv_id"] for p in told["section"]["paragraphs"] for s in p["sentences"] for c in s["cites"]}


@pytest.fixture
def main(home: Path, project: Path) -> Path:
    return project


def test_the_file_the_document_and_the_command_line_in_that_order(run: Run, main: Path) -> None:
    (main.parent / "citeplug.toml").write_text("[related]\nbreadth = 6\nwords = 100\n", encoding="utf-8")
    assert len(shortlisted(related(run, main))) == 6
    say(main, "\\citeplugrelated[breadth=5]")
    assert len(shortlisted(related(run, main))) == 5
    assert len(shortlisted(related(run, main, "--breadth", 4))) == 4
    record = json.loads((main.parent / ".citeplug" / "provenance.json").read_text("utf-8"))["options"]
    assert (record["breadth"], record["words"]) == (4, 100)
    assert record["configured"] == {"breadth": 5, "words": 100}


def test_a_co_authors_clone_gets_the_same_section(run: Run, main: Path, tmp_path: Path) -> None:
    say(main, f"\\citeplugrelated[breadth=4, words=120]\\citeplugexclude{{{GAT}}}")
    related(run, main)
    clone = tmp_path / "clone"
    shutil.copytree(main.parent, clone)
    for name in ("related.tex", "related.bib"):
        (clone / name).unlink()
    shutil.rmtree(clone / ".citeplug")
    related(run, clone / main.name)
    assert (clone / "related.tex").read_bytes() == (main.parent / "related.tex").read_bytes()


def test_a_pinned_paper_is_discussed_and_an_excluded_one_is_not(run: Run, main: Path) -> None:
    before = shortlisted(related(run, main, "--breadth", 3))
    library = Path(__file__).parents[2] / "citeplug" / "demo" / "library.jsonl"
    records = [json.loads(line) for line in library.read_text("utf-8").splitlines() if line.strip()]
    ids = [each["id"] for each in records if "proposes a graph" in each["abstract"]]
    pin = next(each for each in reversed(ids) if each not in before)
    say(main, f"\\citeplugpin{{arXiv:{pin}v1}}\\citeplugexclude{{{before[0]}}}")
    told = related(run, main, "--breadth", 3)
    assert shortlisted(told)[0] == pin and len(shortlisted(told)) == 3
    assert pin in cited(told) and before[0] not in cited(told)
    assert 0 <= told["shortlist"][0]["score"] <= 1
    assert before[0] in shortlisted(related(run, main, "--breadth", 3, "--pin", before[0]))


def test_more_pins_than_the_breadth_are_all_discussed(run: Run, main: Path) -> None:
    told = related(run, main, "--breadth", 1, "--pin", GAT, "--pin", SAGE)
    assert set(shortlisted(told)) == {GAT, SAGE} == cited(told)


def test_what_is_pinned_and_not_to_be_had_is_told(run: Run, main: Path) -> None:
    say(main, "\\citeplugpin{2999.99999, 2401.00001, nobody2020}")
    told = related(run, main, "--breadth", 3)
    messages = [finding["message"] for finding in told["findings"] if finding["code"] == "pin_not_found"]
    assert len(messages) == 3 and len(shortlisted(told)) == 3


def test_a_paper_pinned_later_gets_a_paragraph_although_all_others_were_edited(run: Run, main: Path) -> None:
    told = related(run, main, "--breadth", 2, "--exclude", GAT)
    section = main.parent / "related.tex"
    text = section.read_text("utf-8")
    section.write_text(text.replace("% citeplug:end", "A sentence of mine.\n% citeplug:end"), encoding="utf-8")
    told = related(run, main, "--breadth", 2, "--pin", GAT)
    assert GAT in cited(told)
    assert section.read_text("utf-8").count("A sentence of mine.") == text.count("% citeplug:end")


PLAN = f"""\\begin{{citeplugplan}}
heading: Attention on graphs
introduce attention [{GAT}]
relate to the draft

heading: Sampling
describe sampling [{SAGE}, {FAST}]
\\end{{citeplugplan}}"""


def test_a_plan_in_the_document_is_followed_and_followed_again(run: Run, main: Path) -> None:
    say(main, PLAN)
    told = related(run, main)
    assert [p["heading"] for p in told["plan"]["paragraphs"]] == ["Attention on graphs", "Sampling"]
    assert cited(told) == {GAT, SAGE, FAST}
    before = (main.parent / "related.tex").read_bytes()
    related(run, main)
    assert (main.parent / "related.tex").read_bytes() == before
    change(main, f"describe sampling [{SAGE}, {FAST}]", f"describe sampling [{SAGE}]")
    told = related(run, main)
    assert cited(told) == {GAT, SAGE}
    assert [p["id"] for p in told["plan"]["paragraphs"]] == ["p1", "p2"]


def test_a_paragraph_that_the_author_edited_is_not_planned_a_second_time(run: Run, main: Path) -> None:
    say(main, PLAN)
    related(run, main)
    section = main.parent / "related.tex"
    change(section, "% citeplug:end p1", "A sentence of mine.\n% citeplug:end p1")
    told = related(run, main)
    assert [p["heading"] for p in told["plan"]["paragraphs"]] == ["Attention on graphs", "Sampling"]
    assert "A sentence of mine." in section.read_text("utf-8")


def test_an_excluded_paper_goes_out_of_a_plan_and_a_pin_beyond_it_is_told(run: Run, main: Path) -> None:
    say(main, f"{PLAN}\\citeplugexclude{{{FAST}}}\\citeplugpin{{1802.03480}}")
    told = related(run, main)
    assert FAST not in cited(told)
    assert {"plan_excluded", "pin_not_planned"} <= codes(told)


def test_the_plan_command_takes_the_plan_of_the_document(run: Run, main: Path) -> None:
    say(main, PLAN)
    assert run("plan", main, "--offline").code == 0
    assert "% citeplug:heading Attention on graphs" in (main.parent / "related.tex").read_text("utf-8")


@pytest.mark.parametrize("words", [120, 160, 200])
def test_the_section_has_about_the_words_that_were_asked_for(run: Run, main: Path, words: int) -> None:
    told = related(run, main, "--words", words)
    planned = sum(p["words"] for p in told["plan"]["paragraphs"])
    assert abs(planned - words) <= len(told["plan"]["paragraphs"])
    # The library's summaries are shorter than abstracts.
    for finding in told["findings"]:
        if finding["code"] == "section_length":
            said = int(re.findall(r"\d+", finding["message"])[0])
            assert 0.75 * words <= said <= 1.25 * words


def test_a_length_that_the_papers_do_not_give_is_told(run: Run, main: Path) -> None:
    assert "section_length" in codes(related(run, main, "--words", 900, "--breadth", 3))


def test_status_and_the_watcher_see_another_option_in_a_file(run: Run, main: Path) -> None:
    related(run, main, "--breadth", 5)
    told = run("status", main, "--json").json
    assert (told["condition"], told["changed"]) == ("current", [])
    toml = main.parent / "citeplug.toml"
    toml.write_text("[related]\nwords = 90\n", encoding="utf-8")
    told = run("status", main, "--json").json
    assert (told["condition"], told["changed"]) == ("due", ["options"])
    assert "--breadth 5" in told["next"][0]["command"] and "--words" not in told["next"][0]["command"]
    assert run("watch", main.parent, "--once", "--offline").code == 0
    record = json.loads((main.parent / ".citeplug" / "provenance.json").read_text("utf-8"))["options"]
    assert (record["breadth"], record["words"]) == (5, 90)
    assert run("status", main, "--json").json["condition"] == "current"
    say(main, PLAN)
    assert run("status", main, "--json").json["changed"] == ["options"]


def test_the_document_says_where_the_section_goes(run: Run, main: Path) -> None:
    (main.parent / "parts").mkdir()
    say(main, "\\citeplugrelated[file=parts/rw.tex, breadth=2]")
    related(run, main)
    assert (main.parent / "parts" / "rw.tex").is_file() and not (main.parent / "related.tex").exists()
    assert run("status", main, "--json").json["condition"] == "current"


def test_nothing_that_a_document_says_ends_a_run(run: Run, main: Path) -> None:
    hostile = (
        "llm=anthropic, max_cost=99, url={http://evil.example}, breadth=-1, file=../../x.tex, rank=debate, bredth=3"
    )
    say(main, f"\\citeplugrelated[{hostile}]\\citeplugpin{{$(rm), \\x}}")
    told = related(run, main)
    assert {"option_unknown", "option_not_allowed", "option_invalid", "option_needs_model"} <= codes(told)
    assert len(shortlisted(told)) == 20


def test_a_wrong_citeplug_toml_is_refused_with_its_line(run: Run, main: Path) -> None:
    (main.parent / "citeplug.toml").write_text("[related]\nbredth = 3\n", encoding="utf-8")
    for command in ("related", "plan", "status"):
        done = run(command, main)
        assert done.code == 2 and "citeplug.toml:2: unknown key related.bredth" in done.err
        assert "did you mean breadth" in done.err


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f'[related]\npin = ["{SAGE}"]\n\n[related]\nexclude = ["{GAT}"]\n', 4),
        ("[related]\n\nbredth = 3\n", 3),
        ('# ours\nroot = "gone.tex"\n', 2),
        ('[related]\nout = "nowhere/x.tex"\n', 2),
    ],
)
@pytest.mark.parametrize("command", ["status", "related", "plan"])
def test_a_citeplug_toml_that_cannot_be_heeded_is_named_with_its_line(
    run: Run, project: Path, command: str, text: str, line: int
) -> None:
    (project.parent / "citeplug.toml").write_text(text, "utf-8")
    done = run(command, project.parent)
    assert done.code == 2 and f"{project.parent / 'citeplug.toml'}:{line}: " in done.err


@pytest.mark.parametrize(
    "name",
    [
        "arXiv:1710.10903v2",
        "https://arxiv.org/abs/1710.10903v3",
        "Graph Attention Networks",
        "velickovic18",
        "{Graph} attention networks",
    ],
)
def test_a_paper_is_left_out_by_any_name_that_the_author_has_for_it(run: Run, main: Path, name: str) -> None:
    # The entry has no arXiv id: it is the catalogue that knows the paper.
    entry = "@misc{velickovic18, title={Graph Attention Networks}, author={Petar Veli{\\v c}kovi{\\'c} and others}}\n"
    (main.parent / "own.bib").write_text(entry, encoding="utf-8")
    change(main, "\\end{document}", "\\bibliography{own}\\end{document}")
    assert GAT in cited(related(run, main, "--breadth", 2, "--pin", name, "--dry-run"))
    told = related(run, main, "--exclude", name)
    assert GAT not in cited(told) and GAT not in shortlisted(told)


@pytest.mark.parametrize("command", ["related", "plan", "papers", "audit"])
@pytest.mark.parametrize("option", ["--pin", "--exclude"])
def test_an_unknown_paper_on_the_command_line_is_an_error_that_names_the_nearest(
    run: Run, main: Path, command: str, option: str
) -> None:
    done = run(command, main, "--offline", option, "Graph Attension Network")
    assert done.code == 2
    assert "did you mean arXiv:1710.10903, Graph Attention Networks?" in done.err


def test_a_paper_of_the_library_is_left_out_by_its_key(run: Run, own_home: Path, project: Path, tmp_path: Path) -> None:
    paper = run("papers", project, "--offline", "--json").json[0]
    (tmp_path / "mine.bib").write_text(
        f"@misc{{favourite, title={{{paper['title']}}}, author={{{' and '.join(paper['authors'])}}}}}\n",
        encoding="utf-8",
    )
    assert run("library", "add", tmp_path / "mine.bib").code == 0
    assert paper["arxiv_id"] in cited(related(run, project, "--dry-run"))
    assert paper["arxiv_id"] not in cited(related(run, project, "--exclude", "favourite"))
