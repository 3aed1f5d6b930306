"""`citeplug review` as a user runs it, with nobody who looks at the page."""

import os
import shutil
from pathlib import Path

import click
import pytest

from tests.e2e.conftest import Run

AT_ONCE = 0.0001  # minutes


@pytest.mark.parametrize("minutes", ["0", "-1", "nan", "soon"])
def test_no_time_to_wait_is_a_usage_error(run: Run, home: Path, project: Path, minutes: str) -> None:
    done = run("review", project, "--no-browser", "--idle", minutes)
    assert done.code == 2 and "--idle" in done.err and not done.out


def test_the_changes_in_a_zip_are_kept_and_named_at_the_end(
    run: Run, home: Path, written: Path, tmp_path: Path
) -> None:
    packed = Path(shutil.make_archive(str(tmp_path / "thesis"), "zip", written.parent))
    before = packed.read_bytes()
    first = run("review", packed, "--no-browser", "--idle", AT_ONCE)
    assert (first.code, "Changed are" in first.err) == (0, False)
    (kept,) = [file for file in (home / "zips").rglob("related.tex") if file.read_bytes() == section(written)]
    kept.write_bytes(section(written) + b"% mine\n")
    again = run("review", packed, "--no-browser", "--idle", AT_ONCE)
    assert "going on with the last review" in again.err and "Changed are related.tex" in again.err
    assert str(kept.parent) in again.err and kept.read_bytes().endswith(b"% mine\n")
    assert packed.read_bytes() == before
    listed = run("index", "prune", "--json")
    assert "zips" not in {part["part"] for part in listed.json["parts"]}


def test_a_browser_is_opened_without_the_secret_in_its_arguments(
    run: Run, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []

    def launch(argument: str) -> int:
        file = Path(argument)
        opened.append((file, file.stat().st_mode & 0o777, file.read_text("utf-8")))
        return 0

    monkeypatch.setattr(click, "launch", launch)
    address = run("review", project, "--idle", AT_ONCE).out.strip()
    ((file, mode, page),) = opened
    assert f'content="0; url={address}"' in page and address.partition("token=")[2] not in str(file)
    assert mode == 0o600 or os.name == "nt"
    assert not file.exists()


def section(main: Path) -> bytes:
    return (main.parent / "related.tex").read_bytes()
