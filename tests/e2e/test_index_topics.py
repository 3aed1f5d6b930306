"""`citeplug index topics`, and searching in a topic."""

import contextlib
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.corpus.records import make_record, write_snapshot
from tests.corpus.topical import make_papers
from tests.e2e.conftest import Run


@pytest.fixture
def papers(tmp_path: Path, run: Run) -> list[str]:
    """Ids of 160 papers of four subjects, in a catalogue of their own."""
    found = make_papers()
    records = [
        make_record(
            int(paper.id.value[5:]),
            id=paper.id.value,
            title=paper.title,
            abstract=paper.abstract,
            categories=" ".join(paper.categories),
        )
        for paper in found
    ]
    assert run("index", "add", str(write_snapshot(tmp_path / "papers.jsonl", records))).code == 0
    return [paper.id.value for paper in found]


def test_topics_are_made_listed_and_searched_in(papers: list[str], run: Run) -> None:
    made = run("index", "topics", "--count", "4", "--json").json
    assert (made["anew"], made["method"], made["assigned"], made["without"]) == (True, "words", 160, 0)
    listed = run("index", "info", "--json").json["topics"]
    assert listed["topics"] == made["topics"]
    assert (listed["not_yet"], listed["without"]) == (0, 0)
    shown = run("index", "info").out
    topic = next(topic for topic in made["topics"] if "quark" in topic["words"])
    assert topic["name"] in shown and f"({topic['papers']})" in shown
    for wanted in (str(topic["number"]), topic["name"], topic["name"].split(",")[0].upper()):
        found = run("search", "We study", "--topic", wanted, "-k", "200", "--json").json
        assert len(found) == topic["papers"]
        assert sum(paper["categories"] == ["hep-th"] for paper in found) > 0.9 * len(found)


def test_lines_of_queries_are_asked_in_a_topic_too(papers: list[str], run: Run, tmp_path: Path) -> None:
    made = run("index", "topics", "--count", "4", "--json").json
    asked = tmp_path / "asked.jsonl"
    asked.write_text(json.dumps({"query_id": "q", "text": "We study", "before": None, "exclude": []}) + "\n", "utf-8")
    answer = run("search", "--queries", str(asked), "--topic", "1", "-k", "200").json
    assert len(answer["results"]) == made["topics"][0]["papers"]


def test_the_papers_of_a_topic_can_be_named_where_a_command_is_about_papers(papers: list[str], run: Run) -> None:
    none = run("fetch", "--topic", "quark", "--offline")
    assert none.code == 2 and "index topics" in none.err
    made = run("index", "topics", "--count", "4", "--json").json
    topic = next(topic for topic in made["topics"] if "quark" in topic["words"])
    done = run("fetch", "--topic", topic["name"], "--offline", "--json")
    assert (done.code, done.json["left"]) == (3, topic["papers"])
    joined = run("fetch", *papers, "--topic", str(topic["number"]), "--offline", "--json")
    assert joined.json["left"] == len(papers)
    assert run("fetch", "--topic", "no such topic", "--offline").code == 2


def test_run_again_topics_stay_as_they_are(papers: list[str], run: Run) -> None:
    first = run("index", "topics", "--json").json
    again = run("index", "topics", "--json").json
    assert (again["anew"], again["assigned"], again["topics"]) == (False, 0, first["topics"])
    assert run("index", "topics", "--rebuild", "--json").json["topics"] == first["topics"]


def test_what_is_no_topic_is_wrong_usage_with_the_way_out(papers: list[str], run: Run) -> None:
    before = run("search", "quark", "--topic", "1")
    assert before.code == 2 and "index topics" in before.err
    run("index", "topics", "--count", "4")
    after = run("search", "quark", "--topic", "underwater basket weaving")
    assert after.code == 2 and "index info" in after.err


def test_without_records_there_are_no_topics(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "empty"))
    done = run("index", "topics")
    assert done.code == 3 and "index add" in done.err
    assert run("index", "info", "--json").json["topics"] is None
    assert "none yet" in run("index", "info").out


@pytest.fixture
def own_home(library_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the demo's catalogue."""
    home = shutil.copytree(library_home, tmp_path / "own-home", symlinks=True)
    monkeypatch.setenv("CITEPLUG_HOME", str(home))
    return home


def test_a_section_is_made_of_the_papers_of_a_topic_and_again_of_these(run: Run, own_home: Path, project: Path) -> None:
    made = run("index", "topics", "--count", "3", "--json").json
    topic = made["topics"][0]
    found = run("search", "graph network attention", "--topic", topic["number"], "-k", "200", "--json").json
    members = {paper["id"] for paper in found}
    assert 0 < len(members) <= topic["papers"] < sum(each["papers"] for each in made["topics"])
    told = run("related", project, "--offline", "--topic", topic["name"], "--breadth", "4", "--json").json
    assert {paper["arxiv_id"] for paper in told["shortlist"]} <= members
    planned = run("plan", project, "--offline", "--topic", topic["number"], "--dry-run", "--json")
    assert planned.code == 0
    cites = {cite for p in planned.json["plan"]["paragraphs"] for line in p["lines"] for cite in line["cites"]}
    assert cites and cites <= members
    for paragraph in planned.json["plan"]["paragraphs"]:
        count = len({cite for line in paragraph["lines"] for cite in line["cites"]})
        assert planned.json["topics"][paragraph["id"]] == {
            "number": topic["number"],
            "name": topic["name"],
            "papers": count,
        }
    assert f"of topic {topic['number']} (" in run("plan", project, "--offline", "--topic", "1", "--dry-run", "-v").out


def test_a_section_of_what_is_no_topic_is_wrong_usage(run: Run, own_home: Path, project: Path) -> None:
    for made in (False, True):
        if made:
            run("index", "topics")
        done = run("related", project, "--offline", "--topic", "underwater basket weaving")
        assert done.code == 2 and "index" in done.err
    assert not (project.parent / "related.tex").exists()


def test_a_name_that_somebody_put_there_moves_no_cursor(
    papers: list[str], run: Run, tmp_path: Path, fresh_home: Path
) -> None:
    run("index", "topics", "--count", "4")
    with contextlib.closing(sqlite3.connect(fresh_home / "corpus" / "catalogue.sqlite3")) as db:
        db.execute("UPDATE topics SET name = 'red \x1b[31m alert' WHERE number = 1")
        db.commit()
    for arguments in (("info",), ("topics",)):
        shown = run("index", *arguments).out
        assert "alert" in shown and "\x1b" not in shown
