"""`citeplug index embed` on a real catalogue, with the real model and the real store."""

from pathlib import Path

import pytest

from tests.e2e.conftest import LIBRARY, Run


@pytest.fixture
def fresh(fresh_home: Path, run: Run) -> Path:
    """A home of its own, with records and without a vector."""
    assert run("index", "add", LIBRARY).code == 0
    return fresh_home


def test_papers_get_vectors_and_are_found_by_meaning(fresh: Path, run: Run) -> None:
    done = run("index", "embed", "--count", "40", "--json").json
    assert (done["embedded"], done["left"] > 100, done["rested"]) == (40, True, 0.0)
    assert run("index", "info", "--json").json["embedded"] == 40
    some = run("index", "embed", "--category", "math", "--json").json
    assert (some["left"], some["first"]) == (0, ["math"])
    shown = run("index", "embed")
    assert shown.code == 0
    assert "0 left to embed" in shown.out
    assert run("index", "verify", "--no-repair").code == 0


def test_without_records_there_is_nothing_to_embed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "empty"))
    done = run("index", "embed")
    assert done.code == 3
    assert "citeplug start" in done.err
