"""`citeplug review` as a user runs it."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import Run
from tests.harness.waiting import until
from tests.web.browser import PATIENCE, Browser

AT_ONCE = 0.0001  # minutes


def test_the_page_is_served_at_the_printed_address_until_it_is_interrupted(project: Path, home: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "citeplug", "review", str(project), "--no-browser"],
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        assert process.stdout is not None
        browser = Browser(process.stdout.readline().strip())
        assert browser.start().status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0


def served(*words: object) -> subprocess.CompletedProcess[str]:
    """`citeplug review WORDS...`, ended at once. Its loop and signals are not for the process that runs the tests."""
    command = [sys.executable, "-m", "citeplug", "review", *map(str, words), "--idle", str(AT_ONCE)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=10 * PATIENCE)


def test_a_page_that_nobody_uses_ends(project: Path, home: Path) -> None:
    done = served(project, "--no-browser")
    assert done.returncode == 0 and done.stdout.startswith("http://127.0.0.1:")


def test_several_projects_are_served_at_one_address_each_once(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "home"))  # which keeps the zip's files
    other = Path(shutil.copytree(written.parent, tmp_path / "other"))
    packed = shutil.make_archive(str(tmp_path / "thesis"), "zip", written.parent)
    projects = [written, other, packed, written.parent, str(written)]
    process = subprocess.Popen(
        [sys.executable, "-m", "citeplug", "review", *map(str, projects), "--no-browser"],
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        assert process.stdout is not None
        browser = Browser(process.stdout.readline().strip())
        browser.start()
        page = browser.open()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    listed = re.findall(r'<h2><a href="/[0-9a-f]{12}/">([^<]*)<', page)
    assert listed == [f"{written.parent.name}/main.tex", "other", "thesis.zip"]


def test_of_several_projects_one_that_cannot_be_read_is_refused_before_a_page_is_served(
    run: Run, home: Path, project: Path, tmp_path: Path
) -> None:
    done = run("review", project, tmp_path / "nowhere", "--no-browser")
    assert done.code == 2 and "nowhere" in done.err and not done.out


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


@pytest.mark.parametrize("minutes", ["0", "-1", "nan", "soon"])
def test_no_time_to_wait_is_a_usage_error(run: Run, home: Path, project: Path, minutes: str) -> None:
    done = run("review", project, "--no-browser", "--idle", minutes)
    assert done.code == 2 and "--idle" in done.err and not done.out


def test_the_changes_in_a_zip_are_kept_and_named_at_the_end(
    run: Run, home: Path, written: Path, tmp_path: Path
) -> None:
    packed = Path(shutil.make_archive(str(tmp_path / "thesis"), "zip", written.parent))
    before = packed.read_bytes()
    first = served(packed, "--no-browser")
    assert (first.returncode, "Changed are" in first.stderr) == (0, False)
    (kept,) = [file for file in (home / "zips").rglob("related.tex") if file.read_bytes() == section(written)]
    kept.write_bytes(section(written) + b"% mine\n")
    again = served(packed, "--no-browser").stderr
    assert "continuing the last review" in again and "changed files: related.tex" in again
    assert str(kept.parent) in again and kept.read_bytes().endswith(b"% mine\n")
    assert packed.read_bytes() == before
    listed = run("index", "prune", "--json")
    assert "zips" not in {part["part"] for part in listed.json["parts"]}


@pytest.mark.skipif(sys.platform != "linux", reason="another program opens files here")
def test_a_browser_is_opened_without_the_secret_in_its_arguments(home: Path, project: Path, tmp_path: Path) -> None:
    mode, page, named = (tmp_path / name for name in ("mode", "page", "named"))
    opener = tmp_path / "xdg-open"
    steps = (
        f'stat -c %a "$1" > "{mode}"',
        f'cp "$1" "{page}"',
        f'echo "$1" > "{named}.now"',
        f'mv "{named}.now" "{named}"',
    )
    opener.write_text("\n".join(("#!/bin/sh", *steps, "")), "utf-8")
    opener.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-m", "citeplug", "review", str(project)],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
    )
    with process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        until(lambda: named.exists() or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    file = named.read_text("utf-8").strip()
    assert f'content="0; url={address}"' in page.read_text("utf-8")
    assert address.partition("token=")[2] not in file and not Path(file).exists()
    assert mode.read_text("utf-8").strip() == "600"


def section(main: Path) -> bytes:
    return (main.parent / "related.tex").read_bytes()
