"""`citeplug review` as a user runs it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import Run
from tests.faces.web.browser import PATIENCE, Browser


def test_the_page_is_served_at_the_printed_address_until_it_is_interrupted(project: Path, home: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "citeplug", "review", str(project), "--no-browser"],
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        assert process.stdout is not None
        browser = Browser(process.stdout.readline().strip())
        assert browser.start().status == 303
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0


def test_a_page_that_nobody_uses_ends(project: Path, home: Path) -> None:
    # A process of its own: a server's event loop, signals and loggers are not for the one that runs the tests.
    words = [sys.executable, "-m", "citeplug", "review", str(project), "--no-browser", "--idle", "0"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0 and done.stdout.startswith("http://127.0.0.1:")


def test_without_its_packages_the_command_that_installs_them_is_named(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "starlette", None)
    done = run("review", project, "--no-browser")
    assert done.code == 2 and "pip install 'citeplug[web]'" in done.err


def test_what_cannot_be_reviewed_is_refused_before_a_page_is_served(run: Run, tmp_path: Path) -> None:
    (tmp_path / "project.zip").write_bytes(b"no zip")
    for path in (tmp_path / "nowhere", tmp_path, tmp_path / "project.zip"):
        assert run("review", path, "--no-browser").code == 2
