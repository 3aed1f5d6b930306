"""The whole path against a server on loopback that speaks the arXiv API, honest and not."""

from pathlib import Path
from typing import Any

import pytest

from citeplug.records.paper import Paper
from citeplug.sources.snapshot import SnapshotReader
from tests.e2e.conftest import LIBRARY, Run
from tests.harness.arxiv_server import ArxivServer, Fault, paper


@pytest.fixture
def arxiv(arxiv_server: ArxivServer, monkeypatch: pytest.MonkeyPatch, own_home: Path) -> ArxivServer:
    """A server that knows the library's papers, asked by a user whose catalogue holds them too."""
    arxiv_server.add(*library())
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    return arxiv_server


def cited_in(document: Any) -> set[str]:
    """The papers that the section of a JSON document cites."""
    return {c["arxiv_id"] for p in document["section"]["paragraphs"] for s in p["sentences"] for c in s["cites"]}


def library() -> list[Paper]:
    return list(SnapshotReader(LIBRARY))


def test_entries_are_checked_at_arxiv_by_default(run: Run, arxiv: ArxivServer, project: Path) -> None:
    done = run("related", project, "--json")
    assert done.code == 0, done.err
    assert {(e["verdict"], e["checked_against"]) for e in done.json["entries"]} == {("verified", "arxiv")}
    assert arxiv.asked_ids()
    assert not arxiv.asked_queries()


@pytest.mark.parametrize("title", ["Graph Attention with Learned Edges", "On the Cultivation of Tea"])
def test_a_cited_work_that_the_catalogue_lacks_is_described_by_its_record_if_that_is_its_own(
    run: Run, arxiv: ArxivServer, project: Path, title: str
) -> None:
    abstract = "We introduce a graph neural network with attention that learns which edges of the graph matter."
    arxiv.add(paper("1812.01234", title, abstract))
    entry = "@misc{mine, title = {Graph Attention with Learned Edges}, author = {Lovelace, Ada and Babbage, Charles},"
    bib = project.parent / "refs.bib"
    bib.write_text(f"{bib.read_text('utf-8')}{entry} year = {{2018}}, eprint = {{1812.01234}}}}\n", "utf-8")
    told = "Edges of a graph neural network were learned by \\citet{mine}. We conclude."
    project.write_text(project.read_text("utf-8").replace("We conclude.", told), "utf-8")
    done = run("related", project)
    assert done.code in (0, 1), done.err
    text = (project.parent / "related.tex").read_text("utf-8")
    described = "learns which edges of the graph matter" in text
    assert described == (title != "On the Cultivation of Tea")
    assert not described or "{mine}" in text
    assert "1812.01234" in {value for ids in arxiv.asked_ids() for value in ids} and not arxiv.asked_queries()
    assert run("related", project).code == done.code
    assert (project.parent / "related.tex").read_text("utf-8") == text


def test_a_paper_that_arxiv_knows_by_another_title_is_not_cited(run: Run, arxiv: ArxivServer, project: Path) -> None:
    victim = run("related", project, "--offline", "--dry-run", "--json").json["entries"][0]
    arxiv.lie(victim["arxiv_id"], "On the Cultivation of Tea in Cold Climates")
    document = run("related", project, "--json").json
    check = {entry["arxiv_id"]: entry for entry in document["entries"]}[victim["arxiv_id"]]
    assert (check["verdict"], check["checked_against"]) == ("differs", "arxiv")
    assert victim["key"] not in document["bib_content"]
    assert victim["key"] not in document["tex_content"]
    assert victim["arxiv_id"] not in document["tex_content"]
    assert "entry_refused" in {finding["code"] for finding in document["findings"]}
    # The next paper of the longlist takes its place, before anything is planned.
    assert len(cited_in(document)) == sum(paper["fits"] for paper in document["shortlist"]) > 5
    planned = {c for p in document["plan"]["paragraphs"] for line in p["lines"] for c in line["cites"]}
    assert planned == cited_in(document)
    assert [
        paper["arxiv_id"]
        for paper in document["shortlist"]
        if paper["fits"] and paper["arxiv_id"] not in cited_in(document)
    ] == []


def test_a_pinned_paper_that_arxiv_knows_by_another_title_is_neither_planned_nor_cited(
    run: Run, arxiv: ArxivServer, project: Path
) -> None:
    victim = run("related", project, "--offline", "--dry-run", "--json").json["entries"][0]["arxiv_id"]
    arxiv.lie(victim, "On the Cultivation of Tea in Cold Climates")
    for command in ("plan", "related"):
        done = run(command, project, "--pin", victim, "--json")
        assert "entry_refused" in {finding["code"] for finding in done.json["findings"]}
        assert victim not in (project.parent / "related.tex").read_text()


def test_an_outage_in_the_middle_is_no_verdict(run: Run, arxiv: ArxivServer, project: Path) -> None:
    arxiv.fail_always(Fault.too_fast(retry_after="86400"))
    document = run("related", project, "--json").json
    assert {entry["verdict"] for entry in document["entries"]} == {"verified"}
    assert {entry["checked_against"] for entry in document["entries"]} == {"catalogue"}
    assert "source_unavailable" in {finding["code"] for finding in document["findings"]}


def test_online_shows_what_it_asks_and_cites_what_only_arxiv_has(
    run: Run, arxiv: ArxivServer, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "empty home"))
    done = run("related", project, "--online", "--breadth", "3", "--json")
    assert done.code == 0, done.err
    (query,) = set(arxiv.asked_queries())
    assert f"asking arXiv: {query}" in done.err
    assert 0 < len(done.json["entries"]) <= 3
    assert {entry["checked_against"] for entry in done.json["entries"]} == {"arxiv"}


def test_online_search_merges_and_says_how_a_paper_was_found(run: Run, arxiv: ArxivServer) -> None:
    done = run("search", "graph attention networks", "--online", "--json", "-k", "5")
    assert done.code == 0, done.err
    assert len({paper["id"] for paper in done.json}) == 5
    assert any({"arxiv", "lexical"} <= set(paper["found_by"]) for paper in done.json)


def test_nothing_to_search_in_and_arxiv_out_of_reach_is_exit_3(
    run: Run, arxiv: ArxivServer, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "empty home"))
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", "http://127.0.0.1:9/api/query")
    done = run("related", project, "--online")
    assert done.code == 3
    assert not (project.parent / "related.tex").exists()


@pytest.mark.parametrize("command", ["related", "plan", "papers", "audit"])
def test_a_search_that_arxiv_did_not_answer_is_said_in_text_and_json(
    run: Run, arxiv: ArxivServer, project: Path, command: str
) -> None:
    arxiv.fail_always(Fault(401, b"no"))
    words = "only the local catalogue was searched"
    text = run(command, project, "--online")
    said = run(command, project, "--online", "--json")
    assert text.code == said.code == 0
    assert words in " ".join((text.out + text.err).split())
    if command == "papers":  # its document is a list of papers
        assert words in said.err
    else:
        outages = [f for f in said.json["findings"] if f["code"] == "source_unavailable"]
        assert any(words in finding["message"] for finding in outages)
