"""Sections, records and links that are not where they usually are: nothing is lost, or written beyond the project."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from citeplug.editor.process import Listener, Writer
from citeplug.errors import UsageError
from tests.editor.conftest import DEMO
from tests.editor.editor import Editor, after
from tests.editor.test_generation import files
from tests.editor.test_previews import ask

pytestmark = pytest.mark.asyncio(loop_scope="module")

LINKS = pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
OUT = '[related]\nout = "parts/section.tex"\n'


def draft(own: Editor, name: str, settings: str = "") -> Path:
    folder = own.folder / name
    shutil.copytree(DEMO / "example", folder)
    if settings:
        (folder / "citeplug.toml").write_text(settings, "utf-8")
    own.open(folder / "main.tex", (folder / "main.tex").read_text("utf-8"))
    return folder


async def test_a_section_in_a_folder_of_its_own_that_no_file_reads_keeps_the_authors_words(own: Editor) -> None:
    folder = draft(own, "elsewhere", OUT)
    (folder / "parts").mkdir()
    section = folder / "parts" / "section.tex"
    result = await ask(own, "generate", folder, breadth=3)
    assert result["done"] is True, result
    made = after(own.applied[-1], section, "")
    section.write_text(f"{made}\nWords of mine.\n", "utf-8")
    shown = await ask(own, "generate", folder, breadth=2, replan=True, preview=True)
    (change,) = [each for each in shown["changes"] if each["uri"] == section.as_uri()]
    assert change["before"].endswith("\nWords of mine.\n")
    assert "\nWords of mine.\n" in change["after"]


async def test_what_is_said_of_a_file_names_the_authors_and_not_the_copy(own: Editor) -> None:
    folder = draft(own, "named", OUT)
    result = await ask(own, "generate", folder, breadth=3)
    assert result["done"] is False
    assert f"{folder / 'citeplug.toml'}:2" in result["message"] and str(own.home) not in result["message"]


async def test_a_section_written_by_hand_stays_and_a_way_out_is_told_that_an_editor_has(own: Editor) -> None:
    folder = draft(own, "by-hand")
    (folder / "related.tex").write_text("Words of mine.\n", "utf-8")
    before = files(folder)
    result = await ask(own, "generate", folder, breadth=3)
    assert (
        result["done"] is False
        and "not written by citeplug" in result["message"]
        and "citeplugrelated[file=" in result["message"]
    )
    assert files(folder) == before


async def test_no_edit_is_made_of_which_no_record_can_be_kept(own: Editor) -> None:
    folder = draft(own, "recordless")
    (folder / ".citeplug").write_text("a file", "utf-8")
    before, edits = files(folder), len(own.applied)
    shown = await ask(own, "generate", folder, breadth=3, preview=True)
    done = await ask(own, "applyPreview", folder, preview=shown["preview"])
    assert done["done"] is False and ".citeplug" in done["message"]
    assert files(folder) == before and len(own.applied) == edits


@LINKS
async def test_a_section_that_is_a_link_out_of_the_project_is_not_written(own: Editor, tmp_path: Path) -> None:
    folder = draft(own, "linked")
    (folder / "related.tex").symlink_to(tmp_path / "not-there-yet")
    result = await ask(own, "generate", folder, breadth=3)
    assert result["done"] is False and "link" in result["message"]


@LINKS
async def test_a_folder_that_is_a_link_out_of_the_project_takes_no_section(own: Editor, tmp_path: Path) -> None:
    folder = draft(own, "linked-folder", OUT)
    (folder / "parts").symlink_to(tmp_path, target_is_directory=True)
    result = await ask(own, "generate", folder, breadth=3)
    assert result["done"] is False and not list(tmp_path.iterdir())


@LINKS
@pytest.mark.parametrize("name", [".citeplug", ".citeplug/base"])
async def test_a_record_that_is_a_link_out_of_the_project_is_not_written(
    own: Editor, tmp_path: Path, name: str
) -> None:
    folder = draft(own, f"linked-record-{name.count('/')}")
    link = folder / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path, target_is_directory=True)
    edits = len(own.applied)
    result = await ask(own, "generate", folder, breadth=3)
    assert result["done"] is False and "link" in result["message"], result
    assert not list(tmp_path.iterdir()) and len(own.applied) == edits


@pytest.mark.own_interpreter
async def test_nothing_of_the_folder_that_the_server_runs_in_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json.py", "citeplug.py", "lsprotocol.py"):
        (tmp_path / name).write_text("import pathlib\npathlib.Path('ran').touch()\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "home"))
    task: dict[str, Any] = {"root": str(tmp_path / "none.tex"), "given": {}, "insert": False, "only": []}
    task |= {"replan": False, "stream": False, "llm": None, "online": False}

    async def consent(_: str) -> bool:
        return False

    writer = Writer()
    with pytest.raises(UsageError):
        await writer.run(task, Listener(lambda *_: None, lambda _: None, lambda _: None, consent))
    await writer.ended()
    assert not (tmp_path / "ran").exists()
