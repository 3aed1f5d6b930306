"""`citeplug news`, and the news of the watcher."""

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from citeplug.corpus.stores import open_corpus, settings
from citeplug.project.find_project import find_project
from citeplug.records.paper import ArxivId, Paper
from citeplug.sync.watch.context import WatchContext, WatchOverrides
from citeplug.sync.watch.news import NewsDesk
from tests.e2e.conftest import Run

CLAIM = "We propose GraphOther, a graph network that samples neighbours and learns node representations by attention."


def record(value: str, title: str, abstract: str) -> str:
    """A line for `citeplug index add`."""
    versions = [{"version": "v1", "created": "2026-01-05"}]
    fields = {"id": value, "title": title, "abstract": abstract, "authors": "Ada Lovelace", "categories": "cs.LG"}
    return json.dumps({**fields, "versions": versions, "update_date": "2026-01-05"}) + "\n"


ARRIVED = (
    record("2601.00001", "GraphOther: Sampling Neighbours with Attention", f"Graphs are large. {CLAIM} It is fast.")
    + record("2601.00002", "Scaling graph neural networks to millions of nodes",
             "Neural networks on large graphs are hard to scale. We survey sampling of neighbours and attention.")
    + record("2601.00003", "Light curves of a cepheid", "We observe the light of a pulsating star for many nights.")
)  # fmt: skip


@pytest.fixture
def own_home(library_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with the demo's library, which came long ago."""
    home = tmp_path / "home"
    shutil.copytree(library_home, home, symlinks=True)
    with closing(sqlite3.connect(home / "corpus" / "catalogue.sqlite3")) as file, file:
        file.execute("UPDATE arrivals SET came = '2025-01-01T00:00:00.000000'")
    monkeypatch.setenv("CITEPLUG_HOME", str(home))
    return home


def add_news(run: Run, folder: Path) -> None:
    (folder / "new.jsonl").write_text(ARRIVED)
    assert run("index", "add", folder / "new.jsonl").code == 0


def test_what_came_since_the_last_run_is_listed_and_concurrent_work_is_first(
    run: Run, own_home: Path, project: Path, tmp_path: Path
) -> None:
    assert run("related", project, "--offline", "--insert").code == 0
    before = {path: path.read_bytes() for path in project.parent.rglob("*") if path.is_file()}
    found = run("news", project, "--offline", "--json").json
    assert (found["arrived"], found["papers"]) == (0, [])
    add_news(run, tmp_path)
    found = run("news", project, "--offline", "--json").json
    assert found["arrived"] == 3
    assert [each["arxiv_id"] for each in found["papers"]] == ["2601.00001", "2601.00002"]
    first, second = found["papers"]
    assert first["claim"]["quote"] == CLAIM and first["claim"]["concurrent"] is True
    assert second["claim"] is None and second["reasons"]
    shown = run("news", project, "--offline").out
    assert "  1. concurrent work: GraphOther: Sampling Neighbours with Attention" in shown
    assert {path: path.read_bytes() for path in project.parent.rglob("*") if path.is_file()} == before


def test_a_draft_without_a_run_needs_a_day(run: Run, own_home: Path, project: Path, tmp_path: Path) -> None:
    done = run("news", project, "--offline")
    assert done.code == 2 and "--since" in done.err
    add_news(run, tmp_path)
    found = run("news", project, "--offline", "--since", "2025-06-01", "--json").json
    assert "2601.00001" in [each["arxiv_id"] for each in found["papers"]]
    assert run("news", project, "--offline", "--since", "2999-01-01", "--json").json["papers"] == []
    assert run("news", project, "--since", "yesterday").code == 2


def test_a_paper_on_another_matter_claims_nothing_of_the_draft(
    run: Run, own_home: Path, project: Path, tmp_path: Path
) -> None:
    stars = (
        "We observe the light of pulsating stars for many nights, and measure their distance and their metallicity. "
    )
    (tmp_path / "new.jsonl").write_text(record("2601.00004", "Light curves of many cepheids", 3 * stars + CLAIM))
    assert run("index", "add", tmp_path / "new.jsonl").code == 0
    found = run("news", project, "--offline", "--since", "2025-06-01", "--json").json
    assert "2601.00004" not in [each["arxiv_id"] for each in found["papers"] if each["claim"]]


def test_an_empty_catalogue_is_refused(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "empty"))
    assert run("news", project, "--offline", "--since", "2025-06-01").code == 3


def test_what_is_cited_or_excluded_is_no_news(run: Run, own_home: Path, project: Path, tmp_path: Path) -> None:
    add_news(run, tmp_path)
    title = "GraphOther: Sampling Neighbours with Attention"
    entry = f"@misc{{lov, title={{{title}}}, author={{Ada Lovelace}}, year=2026, eprint={{2601.00001}}}}\n"
    (project.parent / "refs.bib").write_text(entry)
    text = project.read_text("utf-8")
    project.write_text(text.replace("We conclude.", r"We conclude \citep{lov}."), "utf-8")
    since = ("--since", "2025-06-01")
    found = run("news", project, "--offline", *since, "--exclude", "2601.00002", "--json").json
    assert not {"2601.00001", "2601.00002"} & {each["arxiv_id"] for each in found["papers"]}


def test_the_watcher_reports_once_a_day_and_is_quiet_otherwise(
    run: Run, own_home: Path, project: Path, tmp_path: Path
) -> None:
    assert run("related", project, "--offline", "--insert").code == 0
    today = date(2026, 2, 1)
    chosen = settings(offline=True)
    with open_corpus(chosen) as corpus:

        def desk() -> NewsDesk:
            context = WatchContext(WatchOverrides(), chosen, corpus, lambda event: None)
            return NewsDesk(find_project(project), context, today=lambda: today)

        first = desk()
        assert first.is_due() and first.look() is None
        assert not first.is_due() and not desk().is_due()
        add_news(run, tmp_path)
        assert first.is_due()
        said = first.look()
        assert said is not None and said.kind == "news"
        assert said.message.startswith("2 new papers for this draft: concurrent work: GraphOther")
        assert "citeplug papers main.tex --new --since" in said.hint
        day = date(2026, 1, 4)
        corpus.add_papers([Paper(ArxivId("2601.00009", 1), "Attention", CLAIM, ("A B",), day, day, ("cs.LG",))])
        assert not first.is_due()
        today = date(2026, 2, 2)
        assert first.is_due()
        said = first.look()
        assert said is not None and "2601.00009" in said.message and "2601.00001" not in said.message


def test_the_watcher_of_one_look_reports_too(run: Run, own_home: Path, project: Path, tmp_path: Path) -> None:
    assert run("related", project, "--offline", "--insert").code == 0
    add_news(run, tmp_path)
    done = run("watch", project.parent, "--offline", "--once", "--news", "--json")
    events = [json.loads(line)["event"] for line in done.out.splitlines()]
    assert "news" in events
    done = run("watch", project.parent, "--offline", "--once", "--news", "--json")
    assert "news" not in [json.loads(line)["event"] for line in done.out.splitlines()]
