"""`--sources` with `related` and `search`: two services are searched, and no work is taken on trust."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from citeplug.sources.snapshot import SnapshotReader
from tests.e2e.conftest import LIBRARY, Run
from tests.harness.arxiv_server import ArxivServer, Fault
from tests.harness.work_server import Published, WorkServer, inverted, published

TITLE = "Propagation Depth of Graph Neural Networks in Practice"
ABSTRACT = (
    "We study graph neural networks whose propagation depth is learned for each node. We propose a gate that weighs the"
    " representations of successive propagation steps, and an importance sampling scheme for training graph neural"
    " networks on large graphs with bounded memory. Experiments on node classification show that learned depth helps."
)
DOI = "10.5555/depth.2019"


def outside(title: str = TITLE, **more: Any) -> Published:
    """A work that arXiv does not have, as each service describes it."""
    given = {"openalex": {"abstract_inverted_index": inverted(ABSTRACT)}, "semanticscholar": {"abstract": ABSTRACT}}
    return published(title, "Noether, Emmy", "Hopper, Grace", year=2019, **{"doi": DOI, "more": given, **more})


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch, arxiv_server: ArxivServer, own_home: Path) -> Iterator[WorkServer]:
    arxiv_server.add(*SnapshotReader(LIBRARY))
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    with WorkServer(outside()).serve() as server:
        for name, value in cast(WorkServer, server).environment().items():
            monkeypatch.setenv(name, value)
        yield cast(WorkServer, server)


def related(run: Run, project: Path, *options: str) -> Any:
    return run("related", project, "--online", "--breadth", "20", *options, "--json")


@pytest.mark.parametrize("service", ["openalex", "semantic-scholar"])
def test_a_work_outside_arxiv_is_cited_by_the_record_of_its_doi(
    run: Run, works: WorkServer, project: Path, service: str
) -> None:
    done = related(run, project, "--sources", service)
    assert done.code == 0, done.err
    (entry,) = (entry for entry in done.json["entries"] if (entry["arxiv_id"] or "").startswith("lib:"))
    assert (entry["verdict"], entry["checked_against"]) == ("verified", "crossref")
    assert f"{{{DOI}}}" in done.json["bib_content"]
    assert entry["key"] in done.json["tex_content"]
    assert "Noether" in done.json["bib_content"]
    assert ABSTRACT[:40] not in done.json["bib_content"]
    # What is sent is shown, word for word.
    shown = [
        line for line in done.err.splitlines() if line.startswith(("asking OpenAlex:", "asking Semantic Scholar:"))
    ]
    assert len(shown) == 1
    assert done.json["queries"][0]["asked"] == ["arXiv", "OpenAlex" if service == "openalex" else "Semantic Scholar"]


def test_a_dry_run_keeps_nothing(run: Run, works: WorkServer, project: Path, own_home: Path) -> None:
    done = related(run, project, "--sources", "openalex", "--dry-run")
    assert DOI in done.json["bib_content"]
    assert not (own_home / "found-works.bib").exists()
    assert run("library", "list", "--json").json == []


def test_a_plan_keeps_the_works_that_it_names(run: Run, works: WorkServer, project: Path, own_home: Path) -> None:
    done = run("plan", project, "--online", "--sources", "openalex", "--breadth", "20", "--json")
    assert done.code == 0, done.err
    assert DOI in (own_home / "found-works.bib").read_text()
    written = run("related", project, "--offline", "--json")
    assert DOI in written.json["bib_content"]


def test_the_next_run_knows_the_work_offline(run: Run, works: WorkServer, project: Path, own_home: Path) -> None:
    first = related(run, project, "--sources", "openalex")
    assert DOI in (own_home / "found-works.bib").read_text()
    asked = len(works.requests)
    again = run("related", project, "--offline", "--json")
    assert again.code == 0, again.err
    assert again.json["bib_content"] == first.json["bib_content"]
    assert len(works.requests) == asked
    assert "plan_unknown_paper" not in {finding["code"] for finding in again.json["findings"]}
    assert DOI in json.dumps(run("library", "list", "--json").json)


@pytest.mark.parametrize(
    "lie",
    [
        {"crossref": {"title": ["On the Cultivation of Tea"], "author": [{"family": "Tea", "given": "Earl"}]}},
        {"crossref": {"DOI": "10.5555/another"}},
        {"crossref": {"updated-by": [{"type": "retraction", "DOI": "10.5555/notice"}]}},
        {"crossref": {"author": []}},
    ],
    ids=["another work", "no such DOI", "retracted", "nobody's"],
)
def test_a_work_whose_doi_says_otherwise_is_never_cited(
    run: Run, works: WorkServer, project: Path, lie: dict[str, Any]
) -> None:
    works.works = [outside(more={**outside().more, **lie})]
    done = related(run, project, "--sources", "openalex")
    assert done.code == 0, done.err
    assert DOI not in done.json["bib_content"]
    assert not any((item["arxiv_id"] or "").startswith("lib:") for item in done.json["shortlist"])


def test_where_dois_cannot_be_verified_no_work_is_cited_and_it_is_said(
    run: Run, works: WorkServer, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_CROSSREF_URL", "http://127.0.0.1:9")
    done = related(run, project, "--sources", "openalex")
    assert done.code == 0, done.err
    assert DOI not in done.json["bib_content"]
    assert "source_unavailable" in {finding["code"] for finding in done.json["findings"]}


def test_an_outage_of_one_service_leaves_what_the_others_found(run: Run, works: WorkServer, project: Path) -> None:
    works.replay(lambda asked: Fault.http(403) if asked.path.startswith("/openalex") else None)
    done = related(run, project, "--sources", "openalex,semanticscholar")
    assert done.code == 0, done.err
    assert DOI in done.json["bib_content"]
    (said,) = {f["message"] for f in done.json["findings"] if f["code"] == "source_unavailable"}
    assert "OpenAlex" in said


def test_a_work_at_arxiv_is_arxiv_s_record(
    run: Run, works: WorkServer, project: Path, arxiv_server: ArxivServer
) -> None:
    record = next(iter(SnapshotReader(LIBRARY)))
    place = {"landing_page_url": f"https://arxiv.org/abs/{record.id.value}", "source": None}
    at_arxiv = {"locations": [place], "abstract_inverted_index": inverted("graph neural networks")}
    works.works = [published("Another title of graph neural networks", doi="10.5555/x", more={"openalex": at_arxiv})]
    done = run("search", "graph neural networks", "--online", "--sources", "openalex", "--json", "-k", "200")
    assert done.code == 0, done.err
    (found,) = (paper for paper in done.json if paper["id"] == record.id.value)
    assert found["title"] == record.title
    assert not any(paper["title"].startswith("Another title") for paper in done.json)


def test_search_finds_the_work_and_keeps_nothing(run: Run, works: WorkServer, own_home: Path) -> None:
    done = run("search", "propagation depth gate", "--online", "--sources", "semanticscholar", "--json")
    assert done.code == 0, done.err
    assert TITLE in {paper["title"] for paper in done.json}
    assert not (own_home / "found-works.bib").exists()


@pytest.mark.parametrize("command", ["related", "search"])
def test_services_are_searched_with_online_alone(run: Run, works: WorkServer, project: Path, command: str) -> None:
    done = run(command, project if command == "related" else "graphs", "--sources", "openalex")
    assert done.code == 2
    assert "--online" in done.err
    assert not works.requests
