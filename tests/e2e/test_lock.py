"""A co-author's machine: the same part of the corpus, and the same section."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from citeplug.corpus.stores import open_corpus, settings
from citeplug.records.paper import ArxivId, Filter
from tests.e2e.conftest import Run
from tests.harness.arxiv_server import ArxivServer


@pytest.fixture
def written(own_home: Path, run: Run, project: Path) -> Path:
    """A draft with a section from arXiv's own abstracts, as a catalogue has them; those of the demo are paraphrased."""
    with open_corpus(settings(offline=True)) as corpus:
        ids = [value for value, _ in corpus.catalogue.all_admitted(Filter())]
        corpus.add_papers([replace(paper, abstract_kind="abstract") for paper in corpus.papers(ids).values()])
    assert run("related", project, "--offline", "--insert").code == 0
    return project


@pytest.fixture
def lock(written: Path, run: Run) -> Path:
    assert run("index", "lock", written).code == 0
    return written.parent / "citeplug.lock"


@pytest.fixture
def elsewhere(lock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ArxivServer]:
    """arXiv, for a machine that has no catalogue."""
    with open_corpus(settings(offline=True)) as corpus:
        ids = [work["id"] for work in json.loads(lock.read_text("utf-8"))["works"]]
        papers = list(corpus.papers(ids).values())
    with ArxivServer(*papers).serve() as server:
        monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "their home"))
        monkeypatch.setenv("CITEPLUG_ARXIV_URL", server.url)
        yield server


def without_text(section: str) -> str:
    """The section with its plan alone: a block without text is a plan to be written."""
    lines = [line for line in section.splitlines(keepends=True) if line.startswith("%") or not line.strip()]
    return "".join(re.sub(r"^% citeplug:end (\w+).*", r"% citeplug:end \1", line) for line in lines)


def test_another_machine_gets_the_works_and_writes_the_same_section_from_its_plan(
    run: Run, written: Path, elsewhere: ArxivServer
) -> None:
    done = run("index", "restore", written, "--json")
    assert (done.code, done.json["differs"], done.json["missing"]) == (0, [], [])
    assert len(done.json["fetched"]) == done.json["works"] > 3
    section = written.parent / "related.tex"
    before = section.read_text("utf-8")
    section.write_text(without_text(before), "utf-8")
    assert "\\cite" not in section.read_text("utf-8")
    assert run("related", written, "--offline").code == 0
    assert section.read_text("utf-8") == before


def test_works_that_are_here_are_not_asked_for(run: Run, lock: Path, written: Path) -> None:
    done = run("index", "restore", written, "--json", "--offline")
    assert (done.code, done.json["fetched"]) == (0, [])


def test_a_work_with_another_text_and_one_that_is_missing_are_said(
    run: Run, written: Path, lock: Path, elsewhere: ArxivServer
) -> None:
    works = json.loads(lock.read_text("utf-8"))["works"]
    works[0]["text"] = "0" * 16
    works.append({"id": "lib:tutte1984", "version": None, "text": "1" * 16})
    lock.write_text(json.dumps({"citeplug_lock": 1, "works": works, "full_texts": []}), "utf-8")
    done = run("index", "restore", written)
    assert done.code == 1
    assert f"arXiv:{ArxivId(works[0]['id']).value} has another text" in done.err
    assert "tutte1984 of your library is not in the catalogue" in done.err


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"citeplug_lock": 1, "works": [{"id": "../x"}]}', "[" * 100_000, '{"citeplug_lock": 2}']
)
def test_a_lock_of_any_other_shape_is_refused(run: Run, home: Path, project: Path, text: str) -> None:
    (project.parent / "citeplug.lock").write_text(text, "utf-8")
    assert run("index", "restore", project).code == 2


def test_a_project_without_a_section_has_nothing_to_lock(run: Run, home: Path, project: Path) -> None:
    done = run("index", "lock", project)
    assert (done.code, (project.parent / "citeplug.lock").exists()) == (2, False)
