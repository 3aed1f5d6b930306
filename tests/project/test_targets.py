"""Where a run writes."""

import os
from pathlib import Path

import pytest

from citeplug.errors import UnreadableInput, UsageError
from citeplug.project.targets import targets
from tests.harness.volumes import ignore_case


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own there")
@pytest.mark.parametrize("name", [".citeplug", ".citeplug/base"])
def test_a_record_that_would_lie_outside_the_project_is_refused(tmp_path: Path, name: str) -> None:
    project, outside = tmp_path / "paper", tmp_path / "outside"
    outside.mkdir()
    (project / name).parent.mkdir(parents=True)
    (project / name).symlink_to(outside)
    with pytest.raises(UnreadableInput, match="link"):
        targets(project / "main.tex", None, None)


def test_a_project_behind_a_link_of_the_users_is_none(tmp_path: Path) -> None:
    (tmp_path / "real" / ".citeplug").mkdir(parents=True)
    if os.name != "nt":
        (tmp_path / "paper").symlink_to(tmp_path / "real")
        assert targets(tmp_path / "paper" / "main.tex", None, None).project == tmp_path / "paper"


def test_the_main_document_is_no_target_in_letters_of_another_case_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "main.tex").touch()
    assert targets(tmp_path / "main.tex", tmp_path / "Main.tex", None).tex.name == "Main.tex"
    ignore_case(monkeypatch)
    with pytest.raises(UnreadableInput, match="the main document"):
        targets(tmp_path / "main.tex", tmp_path / "Main.tex", None)


def test_what_is_a_device_to_windows_is_no_target(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Windows has no file named 'aux\.tex'"):
        targets(tmp_path / "main.tex", tmp_path / "aux.tex", None)
    with pytest.raises(UsageError, match=r"NUL\.bib"):
        targets(tmp_path / "main.tex", None, tmp_path / "NUL.bib")
