"""`citeplug index export` and its like, as a user runs them."""

from pathlib import Path

import pytest

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
