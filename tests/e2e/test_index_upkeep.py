"""`citeplug index export` and its like, as a user runs them."""

from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from citeplug.corpus.fulltext.store import TextStore
from citeplug.records.passage import PaperText, TextSection, TextSource
from tests.e2e.conftest import LIBRARY, Run


def test_an_exported_library_is_taken_in_elsewhere_as_it_was(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "all.jsonl.gz"
    done = run("index", "export", file, "--json")
    assert done.code == 0, done.err
    records = run("index", "info", "--json").json["records"]
    assert (done.json["records"], done.json["size_bytes"]) == (records, file.stat().st_size)
    assert run("index", "export", file).code == 1
    assert run("index", "add", file, "--json").json["unchanged"] == records
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "other"))
    assert run("index", "add", file, "--json").json["added"] == records


def test_a_form_that_cannot_be_written_is_wrong_usage(run: Run, home: Path, tmp_path: Path) -> None:
    assert run("index", "export", tmp_path / "all.zip").code == 2


def test_what_is_off_is_told_mended_and_then_no_more_there(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path))
    assert run("index", "add", LIBRARY, "-q").code == 0
    assert run("index", "verify", "--json").json["problems"] == []
    for meta in (tmp_path / "corpus" / "lexical").glob("*/meta.json"):
        meta.write_bytes(b"{")
    told = run("index", "verify", "--no-repair")
    assert told.code == 1
    assert "lexical: 1 the lexical index cannot be read" in told.out
    done = run("index", "verify", "--json")
    assert (done.code, done.json["sound"]) == (0, True)
    assert [(each["part"], each["kind"], each["mended"]) for each in done.json["problems"]] == [
        ("lexical", "damaged", True)
    ]
    assert run("index", "verify", "--no-repair", "--json").json["problems"] == []


def test_what_is_not_needed_is_told_first_and_goes_when_it_is_said_twice(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path))
    assert run("index", "add", LIBRARY, "-q").code == 0
    records = run("index", "info", "--json").json["records"]
    assert run("index", "prune").out.strip() == "nothing to delete"
    old = tmp_path / "corpus" / "lexical" / "old"
    old.mkdir()
    (old / "data").write_bytes(b"x" * 2_000_000)
    told = run("index", "prune")
    assert "1 old folders of indexes: 2.0 MB" in told.out
    assert "--yes" in told.out
    assert old.exists()
    assert run("index", "prune", "--yes", "--json").json["bytes"] == 2_000_000
    assert not old.exists()
    gone = run("index", "prune", "--before", "2016-01-01", "--yes", "--json").json["parts"]
    assert (gone[0]["part"], gone[0]["count"] > 0) == ("records", True)
    assert run("index", "info", "--json").json["records"] == records - gone[0]["count"]
    assert run("index", "prune", "--model", "nosuch").code == 2


def keep_text(home: Path, paper: str, words: str, source: TextSource = "eprint") -> None:
    sections = (TextSection(1, "Method", words, len(words)),)
    with closing(TextStore(home)) as store:
        store.put(PaperText(paper, None if source == "own" else 1, source, "T", sections), date(2026, 1, 2))


def test_full_texts_are_counted_checked_and_go_with_their_records(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path))
    assert run("index", "add", LIBRARY, "-q").code == 0
    assert run("index", "info", "--json").json["texts"] is None
    assert not (tmp_path / "fulltext").exists()
    papers = [each["id"] for each in run("search", "graph", "-k", "2", "--json").json]
    for paper in papers:
        keep_text(tmp_path, paper, f"Nodes of {paper} pass messages along edges. " * 20)
    keep_text(tmp_path, papers[0], "My own copy of it says so. " * 20, "own")
    run("search", "--passages", "messages", "--wait")
    facts = run("index", "info", "--json").json["texts"]
    assert (facts["papers"], facts["texts"], facts["own"], facts["orphaned"]) == (2, 3, 1, 0)
    assert facts["passages"] == facts["vectors"] > 0
    assert "of 2 papers in" in run("index", "info").out
    assert "of 2 papers, in" in run("doctor", "--offline", "--quick", "-v").out

    listed = run("index", "prune", "--before", "2030-01-01", "--json").json["parts"]
    assert ("texts", 2) in [(each["part"], each["count"]) for each in listed]
    assert run("index", "prune", "--before", "2030-01-01", "--yes").code == 0
    left = run("index", "info", "--json").json
    assert left["records"] == 0
    assert (left["texts"]["papers"], left["texts"]["texts"], left["texts"]["own"]) == (1, 1, 1)
    assert left["texts"]["orphaned"] == 0
    assert "My own copy" in run("read", papers[0], "--section", "1").out


def test_a_damaged_file_of_full_texts_is_said_and_the_catalogue_is_still_shown(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path))
    assert run("index", "add", LIBRARY, "-q").code == 0
    (tmp_path / "fulltext").mkdir()
    (tmp_path / "fulltext" / "texts.sqlite3").write_bytes(b"no database at all " * 500)
    shown = run("index", "info", "--json")
    assert shown.code == 0 and shown.json["texts"] is None and "texts.sqlite3" in shown.json["texts_damage"]
    assert run("index", "info").code == 0
    checked = run("index", "verify", "--json")
    assert checked.code == 1 and [each["part"] for each in checked.json["problems"]] == ["texts"]
    assert "is damaged" in run("doctor", "--offline", "--quick", "-v").out
    assert (tmp_path / "fulltext" / "texts.sqlite3").read_bytes().startswith(b"no database")
