"""`citeplug section strip` as a user runs it."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.conftest import Run

SECTION = (
    "% citeplug: 1\r\n% citeplug:begin p1 words=20\r\n% citeplug:1 say it [1706.02216]\r\nText with a caf\u00e9.\r\n"
    "% citeplug:end p1 sha256=00\r\n\r\n% mine\r\n"
)
BARE = "Text with a caf\u00e9.\r\n\r\n% mine\r\n"


@pytest.fixture
def section(tmp_path: Path) -> Path:
    (tmp_path / "related.tex").write_bytes(SECTION.encode())
    return tmp_path / "related.tex"


def test_the_section_itself_is_not_changed(run: Run, section: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(section.parent)
    done = run("strip")
    assert (done.code, done.out) == (0, BARE)
    assert section.read_bytes() == SECTION.encode()


def test_the_result_goes_into_a_file_and_again_over_its_own(run: Run, section: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.tex"
    assert run("strip", section, "-o", out).code == 0
    assert out.read_bytes() == BARE.encode()
    section.write_bytes(SECTION.replace("Text", "Prose").encode())
    assert run("strip", section, "-o", out).code == 0
    assert out.read_bytes() == BARE.replace("Text", "Prose").encode()


def test_what_somebody_wrote_is_not_overwritten(run: Run, section: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.tex"
    out.write_text("mine", "utf-8")
    done = run("strip", section, "-o", out)
    assert done.code == 1
    assert "--force" in done.err
    assert out.read_text("utf-8") == "mine"
    assert run("strip", section, "-o", section).code == 1
    assert section.read_bytes() == SECTION.encode()


def test_force_keeps_a_copy(run: Run, section: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.tex"
    out.write_text("mine", "utf-8")
    assert run("strip", section, "-o", out, "--force").code == 0
    assert out.read_bytes() == BARE.encode()
    assert (tmp_path / "out.tex.bak").read_text("utf-8") == "mine"


def test_a_project_without_a_section_is_told_how_to_get_one(run: Run, project: Path) -> None:
    done = run("strip", project)
    assert done.code == 2
    assert "citeplug related" in done.err


@pytest.mark.system
def test_the_stripped_section_compiles_like_the_section(run: Run, home: Path, project: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("TeX is not installed")
    run("related", project, "--offline", "--insert")
    section = project.parent / "related.tex"
    pages(project)  # writes main.aux, which the next runs read
    with_comments = pages(project)
    assert run("strip", section, "-o", project.parent / "bare.tex").code == 0
    section.write_bytes((project.parent / "bare.tex").read_bytes())
    assert b"citeplug" not in section.read_bytes()
    assert pages(project) == with_comments


def pages(main: Path) -> str:
    """The text of the typeset draft, as its boxes are logged."""
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", r"\showoutput\input{main}"]
    unbroken = {**os.environ, "max_print_line": "10000"}  # a line of the log would end within "line 57"
    done = subprocess.run(command, cwd=main.parent, env=unbroken, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    log = (main.parent / "main.log").read_text("latin-1")
    typeset = log[log.index("Completed box being shipped out") : log.index("Here is how much")]
    # A warning names the line of the file, which the comments move.
    return re.sub(r"(lines?\s)\d+(--\d+)?", r"\1N", typeset)
