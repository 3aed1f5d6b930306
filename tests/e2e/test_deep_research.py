"""`--deep`, as a user runs it: a graph is added, and citations count."""

import json
from pathlib import Path

import pytest

from tests.corpus.records import write_snapshot
from tests.e2e.conftest import LIBRARY, Run

TEXT = "graph attention networks"


@pytest.fixture
def own_home(tmp_path: Path, run: Run) -> Path:
    """A catalogue of some of the demo's library, to which a graph may be added."""
    snapshot = tmp_path / "library.jsonl"
    snapshot.write_text("".join(LIBRARY.read_text("utf-8").splitlines(keepends=True)[:50]), "utf-8")
    assert run("index", "add", snapshot).code == 0
    assert run("search", TEXT, "--wait").code == 0  # all have vectors from now on, however busy the machine
    return tmp_path


def searched(run: Run, *args: object) -> list[str]:
    return [paper["id"] for paper in run("search", TEXT, "--json", *args).json]


def test_citations_bring_a_paper_up_say_why_and_leave_the_plain_search_alone(run: Run, own_home: Path) -> None:
    before = searched(run, "-k", 50)
    last = before[-1]
    graph = [{"id": value, "cited": [last, "1412.9999"]} for value in before[:10]]
    assert run("graph", "add", write_snapshot(own_home / "e.jsonl", graph)).code == 0
    assert searched(run, "-k", 50) == before
    assert last not in before[:10]

    done = run("search", TEXT, "--deep", "-k", 10, "--json")
    assert done.json == run("search", TEXT, "--deep", "-k", 10, "--json").json
    (paper,) = (each for each in done.json if each["id"] == last)
    assert paper["why"] == "cited by 10 of the first 50 papers found"
    assert paper["found_by"][-1] == "graph"
    assert paper["links"]["cited_by_found"] == sorted(before[:10]) and paper["links"]["sentences"] is None
    assert "cited by 10 of the first 50 papers found" in run("search", TEXT, "--deep", "-k", 10).out

    queries = own_home / "q.jsonl"
    queries.write_text(json.dumps({"query_id": "q", "text": TEXT, "before": None, "exclude": before[:9]}) + "\n")
    (line,) = run("search", "--queries", queries, "--deep", "-k", 50).out.splitlines()
    assert not {each["id"] for each in json.loads(line)["results"]} & set(before[:9])
    assert run("search", TEXT, "--deep", "--as-published", "--json").code == 0


def test_with_too_few_lists_the_ordinary_search_stands_and_says_so(run: Run, own_home: Path) -> None:
    plain = searched(run, "-k", 20)
    graph = [{"id": value, "cited": [plain[-1]]} for value in plain[:3]]
    assert run("graph", "add", write_snapshot(own_home / "e.jsonl", graph)).code == 0
    done = run("search", TEXT, "--deep", "-k", 20)
    assert done.code == 0
    assert "reference lists known for 3 of 20 papers" in done.err and "citeplug graph fetch" in done.err
    assert searched(run, "-k", 20, "--deep") == plain


def test_bounds_of_the_graph_go_with_deep_and_have_a_range(run: Run, own_home: Path) -> None:
    assert run("search", TEXT, "--rounds", 1).code == 2
    assert run("search", TEXT, "--deep", "--seeds", 0).code == 2


def test_a_section_uses_the_graph_by_itself_says_so_and_can_do_without(
    run: Run, own_home: Path, project: Path, fresh_home: Path
) -> None:
    plain = run("related", project, "--offline", "--dry-run", "--json").json
    assert plain["deep"] == {
        "wanted": None,
        "used": False,
        "seeds": 0,
        "known": 0,
        "fetched": 0,
        "left": 0,
        "not_on_arxiv": [],
    }
    assert all(item["why"] is None for item in plain["shortlist"])
    ids = searched(run, "-k", 50)
    cited = plain["shortlist"][-1]["arxiv_id"]
    graph = [{"id": value, "cited": [cited]} for value in ids if value != cited]
    assert run("graph", "add", write_snapshot(own_home / "e.jsonl", graph)).code == 0
    mine = [value for value in ids if value != cited][:2]
    (project.parent / "refs.bib").write_text(
        "".join(
            f"@misc{{k{n}, title={{T}}, eprint={{{value}}}, archivePrefix={{arXiv}}}}\n" for n, value in enumerate(mine)
        )
    )
    project.write_text(project.read_text().replace("We conclude.", r"We conclude \cite{k0,k1}."))
    lists = own_home / "lists"
    for value in mine:
        (lists / value).mkdir(parents=True)
        (lists / value / "main.bbl").write_text(
            "\\begin{thebibliography}{1}\n\\bibitem{v} V. Vapnik.\n\\newblock The nature of statistical learning."
            "\n\\newblock Springer, 1995.\n\\end{thebibliography}\n"
        )
    assert run("graph", "add", lists).code == 0

    done = run("related", project, "--offline", "--json").json
    assert (done["deep"]["wanted"], done["deep"]["used"]) == (None, True)
    (work,) = done["deep"]["not_on_arxiv"]
    assert (work["title"], work["cited_by"]) == ("The nature of statistical learning", sorted(mine))
    assert "Vapnik" not in done["bib_content"]
    shown = run("papers", project, "--offline").out
    assert f"The nature of statistical learning (1995), by {', '.join(sorted(mine))}" in shown
    assert "Not on arXiv" not in run("papers", project, "--offline", "--no-deep").out
    (item,) = (each for each in done["shortlist"] if each["arxiv_id"] == cited)
    assert item["why"].startswith("cited by 2 of your 2 citations")
    record = json.loads((project.parent / ".citeplug" / "provenance.json").read_text("utf-8"))
    assert record["deep"]["used"] and record["deep"]["links"][cited] == item["why"]

    assert record["dense"] == "candidates"
    (fresh_home / "config.toml").write_text('dense = "whole"\n')
    assert run("related", project, "--offline").code == 0
    assert json.loads((project.parent / ".citeplug" / "provenance.json").read_text("utf-8"))["dense"] == "whole"

    without = run("related", project, "--offline", "--dry-run", "--no-deep", "--json").json
    assert (without["deep"]["wanted"], without["deep"]["used"]) == (False, False)
    assert run("plan", project, "--offline", "--dry-run", "--deep", "--json").json["deep"]["wanted"] is True
