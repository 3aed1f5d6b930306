"""No citation of the author's loses its entry to a later run, though the run itself cites the paper no more."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from citeplug.bibtex.entries import parse_bib
from citeplug.section_file.cite_style import cited_keys
from tests.e2e.conftest import Run


def in_the_draft(main: Path, tex: str, key: str) -> None:
    main.write_text(main.read_text("utf-8").replace("We conclude.", f"We conclude, as \\citet{{{key}}} do."), "utf-8")


def in_the_section(main: Path, tex: str, key: str) -> None:
    """As an answer's sentence is inserted."""
    file = main.parent / "related.tex"
    text = file.read_text("utf-8")
    file.write_text(text.replace("% citeplug:end p1", f"Asked of \\citep{{{key}}}.\n% citeplug:end p1"), "utf-8")


def in_place_of_a_sentence(main: Path, tex: str, key: str) -> None:
    file = main.parent / "related.tex"
    file.write_text(file.read_text("utf-8").replace(tex, f"My words on \\citet[p.~3]{{{key}}}."), "utf-8")


@pytest.mark.parametrize("cite", [in_the_draft, in_the_section, in_place_of_a_sentence])
@pytest.mark.parametrize("options", [[], ["--replan"], ["--breadth", "3"], ["--force"]])
def test_what_the_author_cites_keeps_its_entry(
    run: Run, written: Path, cite: Callable[[Path, str, str], None], options: list[str]
) -> None:
    record = json.loads((written.parent / ".citeplug" / "provenance.json").read_text("utf-8"))
    sentence = next(each for each in reversed(record["sentences"]) if each["cites"])
    paper = sentence["cites"][0]
    key = next(entry["key"] for entry in record["entries"] if entry["arxiv_id"] == paper)
    cite(written, sentence["tex"], key)
    files = [written, written.parent / "related.tex"]
    before = [file.read_text("utf-8") for file in files]
    assert any("do." in text or "Asked" in text or "My words" in text for text in before)
    (written.parent / "citeplug.toml").write_text(f'[related]\nexclude = ["{paper}"]\n', "utf-8")
    for _ in range(2):
        done = run("related", written, "--offline", *options)
        assert done.code == 0, done.err
        tex = "\n".join(file.read_text("utf-8") for file in files)
        entries = [each.key for bib in written.parent.glob("*.bib") for each in parse_bib(bib.read_text("utf-8"))]
        assert cited_keys(tex) <= set(entries) and len(entries) == len(set(entries))
        if "--force" not in options or cite is in_the_draft:  # which gives up what was changed in the section
            assert key in cited_keys(tex) and "undefined_citation" not in done.err


def test_what_the_draft_cites_and_fits_it_is_in_the_section_under_the_draft_s_key(
    run: Run, home: Path, project: Path
) -> None:
    # Its abstract states no contribution that can be reported whole.
    entry = "@article{mine, title = {Spectral Networks and Locally Connected Networks on Graphs}, eprint = {1312.6203}}"
    bib, section = project.parent / "refs.bib", project.parent / "related.tex"
    bib.write_text(f"{bib.read_text('utf-8')}{entry}\n", "utf-8")
    assert run("related", project, "--offline").code == 0
    assert "mine" not in cited_keys(section.read_text("utf-8"))
    project.write_text(project.read_text("utf-8").replace("We conclude.", "We conclude as \\citet{mine}."), "utf-8")
    assert run("related", project, "--offline").code == 0
    assert "mine" in cited_keys(section.read_text("utf-8"))


def test_a_cited_work_without_a_record_is_named_by_its_title_if_it_is_near_and_no_tool(
    run: Run, home: Path, project: Path
) -> None:
    entries = """@misc{near, title = {Graph Attention Networks with Learned Edges}, author = {Doe, Ann}, year = {2016}}
@inproceedings{far, title = {The Breeding of Alpine Sheep}, author = {Roe, Bob}, year = {1990}}
@manual{tool, title = {A Library of Graph Neural Networks}, author = {Moe, Cy}, year = {2015}}
"""
    told = (
        "Attention over the nodes of a graph was learned by \\citet{near}. Slopes are steep \\citep{far}."
        " All experiments were implemented in \\citep{tool}. We conclude."
    )
    bib, section = project.parent / "refs.bib", project.parent / "related.tex"
    bib.write_text(f"{bib.read_text('utf-8')}{entries}", "utf-8")
    project.write_text(project.read_text("utf-8").replace("We conclude.", told), "utf-8")
    done = run("related", project, "--offline")
    assert done.code == 0, done.err
    text = section.read_text("utf-8")
    assert cited_keys(text) & {"near", "far", "tool"} == {"near"}
    assert "learned edges~\\cite" in text  # by its title, never by what the draft says of it
    assert "attention over the nodes" not in text.lower()
    listed = {
        paper["arxiv_id"] for paper in json.loads(run("papers", project, "--offline", "--json").out) if paper["chosen"]
    }
    assert "lib:near" in listed and not listed & {"lib:far", "lib:tool"}
    assert run("related", project, "--offline").code == 0
    assert section.read_text("utf-8") == text
