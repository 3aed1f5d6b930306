"""git, run in a project that is not trusted."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from citeplug.errors import GitUnusable, RemoteUnavailable, UnsafeProject
from citeplug.project import git as adapter
from citeplug.project.git import Git, find_git, git_message, trouble
from citeplug.project.git_config import check_configuration
from tests.harness.git_server import git, identify
from tests.harness.hostile_git import REFUSED

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    identify(folder, "A")
    (folder / "main.tex").write_text("x\n", "utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    return folder


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_a_clone_s_own_configuration_that_could_start_programs_is_refused(clone: Path, name: str, value: str) -> None:
    git(clone, "config", "--local", name, value.format(evil="./ran"))
    with pytest.raises(UnsafeProject) as refused:
        check_configuration(Git(clone), clone / ".git")
    assert name.split(".")[0].lower() in str(refused.value)
    assert not (clone / "ran").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [("core.autocrlf", "true"), ("user.name", "A"), ("credential.helper", "store"), ("pull.rebase", "false"),
     ("credential.helper", "osxkeychain"), ("credential.helper", "cache --timeout=3600"), ("core.editor", "vim"),
     ("http.postBuffer", "524288000"), ("core.hooksPath", ".husky"), ("branch.main.merge", "refs/heads/main"),
     ("remote.origin.url", "https://git@git.overleaf.com/x"), ("alias.co", "checkout"),
     ("filter.lfs.clean", "git-lfs clean -- %f")],
)  # fmt: skip
def test_usual_settings_are_accepted(clone: Path, name: str, value: str) -> None:
    git(clone, "config", "--local", name, value)
    check_configuration(Git(clone), clone / ".git")


def test_what_the_configuration_may_set_starts_no_program_all_the_same(clone: Path) -> None:
    if os.name == "nt":
        pytest.skip("the mode of a file")
    ran = clone.parent / "ran"
    script = clone.parent / "evil"
    script.write_text(f"#!/bin/sh\ntouch '{ran}'\n", "utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    hooks = clone.parent / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-index-change", "fsmonitor-watchman", "reference-transaction", "post-commit"):
        shutil.copy2(script, hooks / name)
    git(clone, "config", "--local", "core.hooksPath", str(hooks))
    git(clone, "config", "--local", "alias.status", f"!{script}")
    git(clone, "config", "--local", "commit.gpgSign", "true")
    for name in ("core.fsmonitor", "core.pager", "core.editor"):
        git(clone, "config", "--local", name, str(script))
    (clone / "main.tex").write_text("y\n", "utf-8")
    tool = Git(clone)
    tool.run("status", "--porcelain")
    tool.run("commit", "--only", "--quiet", "-m", "x", "--", "main.tex")
    assert not ran.exists()


def test_variables_that_lead_to_another_repository_do_not_count(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, "/nowhere")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "/nowhere")
    assert Git(clone).run("rev-parse", "--show-toplevel").text == clone.resolve().as_posix()


@pytest.mark.parametrize("address", ["ext::sh -c 'touch ran'", "file:///nowhere"])
def test_no_other_protocol_than_that_of_the_address_is_used(clone: Path, address: str) -> None:
    done = Git(clone, protocols="https").over_network("fetch", "--", address, may_fail=True)
    assert "not allowed" in done.err
    assert not (clone / "ran").exists()


def test_git_is_not_looked_for_where_citeplug_happens_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / ("git.exe" if os.name == "nt" else "git")
    fake.write_text("#!/bin/sh\ntouch ran\n", "utf-8")
    fake.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", str(tmp_path), os.environ["PATH"]]))
    find_git.cache_clear()
    try:
        assert find_git().parent != tmp_path
        monkeypatch.setenv("PATH", str(tmp_path))
        find_git.cache_clear()
        with pytest.raises(GitUnusable) as missing:
            find_git()
        assert "zip" in missing.value.hint
    finally:
        find_git.cache_clear()


def test_a_git_that_is_too_old_is_told_so(tmp_path: Path) -> None:
    if os.name == "nt":
        pytest.skip("the mode of a file")
    old = tmp_path / "git"
    old.write_text("#!/bin/sh\necho git version 2.17.1\n", "utf-8")
    old.chmod(0o755)
    with pytest.raises(GitUnusable, match=r"2\.17\.1"):
        adapter._need_version(old)


def test_a_git_that_does_not_end_is_ended(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RemoteUnavailable):
        Git(clone).run("cat-file", "--batch", data=None, seconds=0.0)


@pytest.mark.parametrize(
    ("err", "said"),
    [
        ("fatal: Authentication failed for 'https://git.overleaf.com/x/'", "refused access"),
        ("fatal: could not read Password for 'https://git@h': terminal prompts disabled", "refused access"),
        ("fatal: unable to access 'https://h/': The requested URL returned error: 403", "refused access"),
        ("git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.", "refused access"),
        ("fatal: repository 'https://h/x/' not found", "no such repository"),
        ("fatal: unable to access 'https://h/': Could not resolve host: h", "cannot be reached"),
        ("fatal: early EOF", "cannot be reached"),
    ],
)
def test_what_went_wrong_with_a_remote_is_told_with_a_hint(err: str, said: str) -> None:
    error = trouble("fetch", err)
    assert said in str(error)
    assert error.hint


def test_only_the_lines_that_say_something_are_shown() -> None:
    assert git_message("Cloning into 'x'...\nremote: one\nfatal: two\n") == "remote: one; fatal: two"


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_an_interrupt_waits_until_a_step_that_writes_the_work_tree_has_ended(clone: Path) -> None:
    code = (
        "import os, signal, sys, threading, time\nfrom pathlib import Path\n"
        "from citeplug.project.git import Git\n"
        f"git = Git(Path({str(clone)!r}))\n"
        "threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n git.run('-c', 'alias.slow=!sleep 0.5; touch done', 'slow', whole=True)\n"
        "except KeyboardInterrupt:\n print(Path('done').exists())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=clone, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "True", done.stderr
