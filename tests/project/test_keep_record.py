"""The record and the bases that are kept for the user, for a section that comes back without them."""

import shutil
from pathlib import Path

import pytest

from citeplug.project import keep_record
from citeplug.project.keep_record import bring_back, keep
from citeplug.project.targets import Targets, targets

SECTION = "% citeplug: 1\n% citeplug:begin p1\nText.\n% citeplug:end p1 sha256={sha}\n"


def written(folder: Path, sha: str = "0123abcd", said: str = "{}") -> Targets:
    where = targets(folder / "main.tex", None, None)
    where.tex.write_text(SECTION.format(sha=sha), "utf-8")
    (folder / ".citeplug" / "base").mkdir(parents=True, exist_ok=True)
    (folder / ".citeplug" / "base" / f"{sha}-00000000.json").write_text("é", "utf-8")
    where.provenance.write_text(said, "utf-8")
    return where


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    folder.mkdir()
    return folder


def test_what_was_lost_on_the_way_comes_back(tmp_path: Path, paper: Path) -> None:
    where = written(paper, said='{"a": 1}')
    keep(tmp_path / "home", where)
    shutil.rmtree(paper / ".citeplug")
    assert bring_back(tmp_path / "home", where)
    assert where.provenance.read_text("utf-8") == '{"a": 1}'
    assert (paper / ".citeplug" / "base" / "0123abcd-00000000.json").read_text("utf-8") == "é"


def test_what_is_there_is_not_written_over_and_another_section_s_is_not_taken(tmp_path: Path, paper: Path) -> None:
    where = written(paper)
    keep(tmp_path / "home", where)
    assert not bring_back(tmp_path / "home", where)
    shutil.rmtree(paper / ".citeplug")
    where.tex.write_text(SECTION.format(sha="ffffffff"), "utf-8")
    assert not bring_back(tmp_path / "home", where)
    assert not (paper / ".citeplug").exists()


def test_damaged_files_mean_that_nothing_is_kept_and_the_number_is_bounded(
    tmp_path: Path, paper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keep_record, "_MOST_KEPT", 3)
    for number in range(5):
        keep(tmp_path / "home", written(paper, f"0000000{number}"))
    kept = list((tmp_path / "home" / "kept").iterdir())
    assert len(kept) == 3
    for file in kept:
        file.write_text("[]", "utf-8")
    shutil.rmtree(paper / ".citeplug")
    assert not bring_back(tmp_path / "home", targets(paper / "main.tex", None, None))
