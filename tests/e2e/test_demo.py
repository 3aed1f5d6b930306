"""What a user does in the folder of the demo, once it is there."""

import re
from pathlib import Path

import pytest

from benchmarks.pictures import IMAGES, digests
from citeplug.corpus.stores import for_project, open_corpus, settings
from citeplug.web.reviewing import Reviewing
from tests.e2e.conftest import Run


@pytest.fixture
def demo(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo made in a folder, which is the current one, with no papers but its own and no network."""
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CITEPLUG_OFFLINE", "1")
    folder = tmp_path / "example"
    done = run("demo", folder)
    assert done.code == 0
    assert re.findall(r"^next: .*$", done.out, re.MULTILINE) == [done.out.splitlines()[-1]]
    monkeypatch.chdir(folder)
    return folder


def test_every_step_after_the_demo_works_on_its_papers(demo: Path, run: Run) -> None:
    section = demo / "related.tex"
    text = section.read_text("utf-8")
    new = set(re.findall(r"^@\w+\{(.*),$", (demo / "related.bib").read_text("utf-8"), re.MULTILINE))
    assert len(new) >= 12
    assert len(re.findall(r"^\\paragraph\{", text, re.MULTILINE)) >= 2

    listed = run("papers", "--json", "--missing")
    assert listed.code == 0 and len(listed.json) >= 12
    found = run("search", "graph attention", "--json")
    assert found.code == 0 and found.json
    run("prepare", "--cited", "main.tex")
    info = run("index", "info", "--json").json
    assert info["prepared"]["papers"] > 0 and not (demo.parent / "home" / "prepared").exists()
    answer = run("ask", "What do graph attention networks replace?", "--json")
    assert answer.code == 0 and not answer.json["refused"]
    told = run("ask", "What do graph attention networks replace?").out
    assert "“" not in told and "; summary" in told

    first = re.search(r"^% citeplug:1 .* \[(\S+)\]\n", text, re.MULTILINE)
    assert first is not None
    section.write_text(text.replace(first[0], "", 1), "utf-8")
    written = run("related", "--json")
    assert written.code == 0
    sentences = [sentence for paragraph in written.json["section"]["paragraphs"] for sentence in paragraph["sentences"]]
    assert first[1] not in {cite["arxiv_id"] for sentence in sentences for cite in sentence["cites"]}
    made = [entry["verdict"] for entry in written.json["entries"] if entry["origin"] == "generated"]
    assert len(made) >= 10 and set(made) == {"verified"}

    review = Reviewing(demo, settings())
    try:
        assert {paper.paper.id.value for paper in review.papers.papers().papers} > {
            each["arxiv_id"] for each in listed.json[:5]
        }
    finally:
        review.close()


def test_what_is_outside_of_the_demo_keeps_its_own_papers(demo: Path) -> None:
    with open_corpus(for_project(settings(), demo.parent)) as corpus:
        assert corpus.is_empty()
    with open_corpus(for_project(settings(), demo / "main.tex")) as corpus:
        assert not corpus.is_empty()


@pytest.mark.parametrize("name", ["section.svg", "section-narrow.svg"])
def test_a_picture_that_names_its_section_shows_the_one_that_the_demo_writes(name: str, demo: Path) -> None:
    picture = (IMAGES / name).read_text("utf-8")
    if "<!-- section " in picture:  # as `make pictures` draws it
        assert digests((demo / "related.tex").read_text("utf-8")) in picture, "run make pictures"
