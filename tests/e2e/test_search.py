"""`citeplug search` as a user and a script run it."""

import json
from pathlib import Path

import pytest

from tests.e2e.conftest import Run


def lines(*queries: object) -> bytes:
    return b"".join(json.dumps(query).encode() + b"\n" for query in queries)


def test_a_text_without_a_word_finds_nothing(run: Run, home: Path) -> None:
    for text in ("", " ?! "):
        done = run("search", text, "--json")
        assert (done.code, done.json) == (0, [])


def test_each_line_of_queries_is_answered_in_its_order(run: Run, home: Path, tmp_path: Path) -> None:
    queries = tmp_path / "queries.jsonl"
    queries.write_bytes(
        lines(
            {"query_id": "b", "text": "graph attention networks", "before": None, "exclude": ["1710.10903v2"]},
            {"query_id": 7, "text": "graph attention networks", "before": "2017-10-30", "exclude": []},
        )
    )
    done = run("search", "--queries", queries, "-k", "4", "--json")
    first, second = map(json.loads, done.out.splitlines())
    assert (first["query_id"], second["query_id"]) == ("b", 7)
    assert len(first["results"]) == 4
    assert "1710.10903" not in {paper["id"] for paper in first["results"]}
    assert all(paper["published"] < "2017-10-30" for paper in second["results"])


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\n",
        b"{bad\n",
        lines({"query_id": 1}),
        lines({"query_id": 1, "text": None}),
        lines({"query_id": 1, "text": "x", "exclude": "1710.10903"}),
        lines({"query_id": 1, "text": "x", "exclude": ["nothing"]}),
        lines({"query_id": 1, "text": "x", "before": "2019"}),
    ],
)
def test_a_line_that_is_no_query_is_named(run: Run, home: Path, tmp_path: Path, line: bytes) -> None:
    queries = tmp_path / "queries.jsonl"
    queries.write_bytes(b"\n" + line)
    done = run("search", "--queries", queries)
    assert done.code == 2
    assert "line 2" in done.err


@pytest.mark.parametrize("option", [("--before", "2019-01-01"), ("--exclude", "1710.10903")])
def test_what_each_query_has_is_not_taken_from_the_command_line(
    run: Run, home: Path, tmp_path: Path, option: tuple[str, str]
) -> None:
    queries = tmp_path / "queries.jsonl"
    queries.write_bytes(lines({"query_id": 1, "text": "graphs"}))
    assert run("search", "--queries", queries, *option).code == 2


def test_a_paper_of_a_small_catalogue_is_found_without_a_common_word(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "home"))
    texts = {
        "2001.00001": "Automobile crash avoidance",
        "2001.00002": "Baking bread",
        "2001.00003": "Rotating galaxies",
    }
    file = tmp_path / "papers.jsonl"
    file.write_bytes(
        lines(
            *(
                {"id": value, "title": text, "abstract": f"{text}.", "authors": "Ada Adams", "categories": "cs.AI"}
                for value, text in texts.items()
            )
        )
    )
    assert run("index", "add", file).code == 0
    first = run("search", "vehicle accident prevention", "--json").json[0]
    assert (first["id"], first["found_by"]) == ("2001.00001", ["dense"])
