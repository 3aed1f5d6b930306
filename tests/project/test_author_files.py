"""One process at a time changes what the user has."""

from pathlib import Path

import pytest

from citeplug.errors import StoreBusy
from citeplug.project.author_files import one_at_a_time


def test_who_waits_too_long_is_told_which_file_and_what_to_do(tmp_path: Path) -> None:
    main = tmp_path / "paper" / "main.tex"
    with (
        one_at_a_time(tmp_path / "home", main),
        pytest.raises(StoreBusy, match="another citeplug process is changing") as caught,
        one_at_a_time(tmp_path / "home", main.parent / ".." / "paper" / "main.tex", wait=0.1),
    ):
        pass
    assert "main.tex" in str(caught.value)
    assert caught.value.hint


def test_nothing_appears_beside_what_is_changed(tmp_path: Path) -> None:
    paper = tmp_path / "paper"
    paper.mkdir()
    with one_at_a_time(tmp_path / "home", paper / "refs.bib"):
        assert not list(paper.iterdir())


def test_two_files_are_changed_side_by_side(tmp_path: Path) -> None:
    with one_at_a_time(tmp_path, tmp_path / "a.bib"), one_at_a_time(tmp_path, tmp_path / "b.bib", wait=0.1):
        pass
