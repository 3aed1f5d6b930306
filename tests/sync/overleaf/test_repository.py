"""The states in which a clone can be, each told with what to do; and steps that were killed."""

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from citeplug.errors import LeftToAuthor, UnsafeProject
from citeplug.sync.overleaf.repository import Repository
from citeplug.sync.overleaf.steps import Steps
from tests.harness.git_server import git, identify

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone of a bare repository in a folder, with two commits."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    git(tmp_path, "init", "-q", "--bare", "-b", "master", "remote.git")
    git(tmp_path, "clone", "-q", "remote.git", "clone")
    folder = tmp_path / "clone"
    identify(folder, "A")
    for number in range(2):
        (folder / "main.tex").write_text(f"{number}\n" * 3, "utf-8")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", f"commit {number}")
    git(folder, "push", "-q", "-u", "origin", "HEAD:master")
    return folder


def on_the_other_side(clone: Path, files: dict[str, str]) -> None:
    other = clone.parent / "other"
    if not other.exists():
        git(clone.parent, "clone", "-q", "remote.git", "other")
        identify(other, "B")
    git(other, "pull", "-q")
    for name, text in files.items():
        (other / name).write_text(text, "utf-8")
    git(other, "add", "-A")
    git(other, "commit", "-q", "-m", "other")
    git(other, "push", "-q", "origin", "HEAD:master")


def detach(clone: Path) -> None:
    git(clone, "checkout", "-q", "--detach")


def merge(clone: Path) -> None:
    git(clone, "checkout", "-q", "-b", "side", "HEAD~1")
    (clone / "main.tex").write_text("other\n", "utf-8")
    git(clone, "commit", "-q", "-a", "-m", "side")
    git(clone, "checkout", "-q", "master")
    with pytest.raises(AssertionError):
        git(clone, "merge", "side")


def rebase(clone: Path) -> None:
    git(clone, "checkout", "-q", "-b", "side", "HEAD~1")
    (clone / "main.tex").write_text("other\n", "utf-8")
    git(clone, "commit", "-q", "-a", "-m", "side")
    with pytest.raises(AssertionError):
        git(clone, "rebase", "master")


def no_remote(clone: Path) -> None:
    git(clone, "remote", "remove", "origin")


def no_upstream(clone: Path) -> None:
    git(clone, "remote", "add", "second", "nowhere")
    git(clone, "branch", "--unset-upstream")


def local_upstream(clone: Path) -> None:
    git(clone, "checkout", "-q", "-b", "side")
    git(clone, "branch", "--set-upstream-to=master")


def unborn(clone: Path) -> None:
    git(clone, "checkout", "-q", "--orphan", "fresh")


@pytest.mark.parametrize(
    ("do", "said"),
    [(detach, "detached"), (merge, "merge"), (rebase, "rebase"), (no_remote, "no remote"),
     (no_upstream, "does not track"), (local_upstream, "does not track"), (unborn, "no commit")],
)  # fmt: skip
def test_a_state_that_a_sync_cannot_begin_in_is_told_and_stays(
    clone: Path, do: Callable[[Path], None], said: str
) -> None:
    do(clone)
    before = git(clone, "status", "--porcelain", "--branch")
    with pytest.raises(LeftToAuthor, match=said) as told:
        Repository(clone)
    assert told.value.hint
    assert git(clone, "status", "--porcelain", "--branch") == before


def test_a_branch_that_the_remote_has_not_is_told(clone: Path) -> None:
    git(clone, "checkout", "-q", "-b", "mine")
    with pytest.raises(LeftToAuthor, match="no branch mine") as told:
        Repository(clone).fetch()
    assert "Overleaf has only one branch" in told.value.hint


def test_a_folder_without_a_clone_is_told_of_the_zip_too(tmp_path: Path) -> None:
    with pytest.raises(LeftToAuthor) as told:
        Repository(tmp_path)
    assert "zip" in told.value.hint


def test_a_clone_from_another_past_is_told(clone: Path) -> None:
    git(clone, "checkout", "-q", "--orphan", "fresh")
    git(clone, "commit", "-q", "-m", "unrelated")
    git(clone, "branch", "-q", "-M", "master")
    git(clone, "branch", "--set-upstream-to=origin/master")
    repository = Repository(clone)
    with pytest.raises(LeftToAuthor, match="in common"):
        repository.merge_base(repository.head(), repository.fetch())


def test_a_shallow_clone_that_does_not_reach_back_is_told(clone: Path) -> None:
    shallow = clone.parent / "shallow"
    git(clone.parent, "clone", "-q", "--depth", "1", (clone.parent / "remote.git").as_uri(), str(shallow))
    identify(shallow, "C")
    (shallow / "new.tex").write_text("x\n", "utf-8")
    git(shallow, "add", "-A")
    git(shallow, "commit", "-q", "-m", "new")
    repository = Repository(shallow)
    old = git(clone, "rev-parse", "HEAD~1")
    git(shallow, "fetch", "-q", "--depth", "1", str(clone), old)
    with pytest.raises(LeftToAuthor, match="shallow") as told:
        repository.merge_base(repository.head(), old)
    assert "--unshallow" in told.value.hint


def test_a_hostile_configuration_or_address_is_refused_before_anything_runs(clone: Path) -> None:
    git(clone, "config", "filter.x.smudge", "touch ran")
    with pytest.raises(UnsafeProject):
        Repository(clone)
    git(clone, "config", "--unset", "filter.x.smudge")
    git(clone, "remote", "set-url", "origin", "ext::sh -c 'touch ran'")
    with pytest.raises(UnsafeProject):
        Repository(clone)
    git(clone, "remote", "set-url", "origin", "https://git:olp_secretsecret@git.overleaf.com/x")
    with pytest.raises(UnsafeProject) as told:
        Repository(clone)
    assert "secretsecret" not in f"{told.value}{told.value.hint}"
    assert not list(clone.rglob("ran"))


def test_a_further_work_tree_of_a_clone_can_be_synced(clone: Path) -> None:
    git(clone, "checkout", "-q", "-b", "side")
    git(clone, "worktree", "add", "-q", "../tree", "master")
    repository = Repository(clone.parent / "tree")
    assert repository.branch == "master"
    assert repository.fetch() == repository.head()


def test_submodules_are_left_alone(clone: Path) -> None:
    part = clone.parent / "part"
    git(clone.parent, "init", "-q", "part")
    identify(part, "P")
    git(part, "commit", "-q", "--allow-empty", "-m", "part")
    git(clone, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(part), "part")
    git(clone, "commit", "-q", "-m", "with a part")
    (clone / "part" / "new.tex").write_text("x\n", "utf-8")
    repository = Repository(clone)
    assert repository.dirty() == []


def test_names_are_taken_as_names_and_never_as_options_or_patterns(clone: Path) -> None:
    for name in ("-f.tex", "*.tex", ":(top)x.tex", "a b.tex", "é.tex", "--amend"):
        (clone / name).write_text("x\n", "utf-8")
    repository = Repository(clone)
    assert repository.commit(["*.tex", ":(top)x.tex", "-f.tex", "--amend"], "odd names")
    listed = git(clone, "show", "-z", "--name-only", "--format=", "HEAD").strip("\0").split("\0")
    assert sorted(listed) == sorted(["*.tex", ":(top)x.tex", "-f.tex", "--amend"])
    new, _ = repository.untracked(["a b.tex", "é.tex"])
    assert sorted(new) == ["a b.tex", "é.tex"]


def test_a_step_that_was_killed_in_the_middle_is_brought_to_its_end(clone: Path, tmp_path: Path) -> None:
    on_the_other_side(clone, {"main.tex": "from the other side\n" * 50, "new.tex": "new\n" * 50, "third.tex": "3\n"})
    repository = Repository(clone)
    before, after = repository.head(), repository.fetch()
    steps = Steps(tmp_path / "home", clone)
    with pytest.raises(KeyboardInterrupt), steps.step("advance", before, after):
        raise KeyboardInterrupt
    assert not steps.recover(repository)
    # As a kill leaves it: one file whole, one cut short, one not begun, and the lock.
    (clone / "new.tex").write_text("new\n" * 50, "utf-8")
    (clone / "main.tex").write_text("from the other side\n" * 7 + "from the", "utf-8")
    (clone / ".git" / "index.lock").write_bytes(b"")
    marker(steps, before, after)
    assert steps.recover(repository)
    assert repository.head() == after
    assert git(clone, "status", "--porcelain") == ""
    assert not steps.recover(repository)


def test_what_an_author_saved_meanwhile_survives_the_recovery(clone: Path, tmp_path: Path) -> None:
    on_the_other_side(clone, {"main.tex": "from the other side\n", "new.tex": "new\n"})
    repository = Repository(clone)
    before, after = repository.head(), repository.fetch()
    (clone / "main.tex").write_text("mine\n", "utf-8")
    steps = Steps(tmp_path / "home", clone)
    marker(steps, before, after)
    with pytest.raises(LeftToAuthor, match=r"main\.tex"):
        steps.recover(repository)
    assert (clone / "main.tex").read_text("utf-8") == "mine\n"
    git(clone, "commit", "-q", "-m", "mine", "main.tex")
    assert steps.recover(repository)


def test_the_lock_of_somebody_else_s_git_is_not_taken_away(clone: Path, tmp_path: Path) -> None:
    repository = Repository(clone)
    lock = clone / ".git" / "index.lock"
    lock.write_bytes(b"")
    old = time.time() - 1000
    os.utime(lock, (old, old))
    steps = Steps(tmp_path / "home", clone)
    marker(steps, "", "")
    steps.recover(repository)
    assert lock.exists()
    (clone / "x.tex").write_text("x\n", "utf-8")
    with pytest.raises(LeftToAuthor, match=r"index\.lock"):
        repository.commit(["x.tex"], "x")


def marker(steps: Steps, before: str, after: str) -> None:
    said = {"step": "advance", "before": before, "after": after, "time": time.time()}
    steps._file.parent.mkdir(parents=True, exist_ok=True)
    steps._file.write_text(json.dumps(said), "utf-8")


@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not have")
@pytest.mark.parametrize("name", ["--exec=touch", "-f", "$(touch${IFS}ran)", "a;touch${IFS}ran", "é", "x/y.z"])
def test_the_name_of_a_remote_s_branch_is_a_name_alone(clone: Path, name: str) -> None:
    bare = clone.parent / "remote.git"
    git(bare, "update-ref", f"refs/heads/{name}", "refs/heads/master")
    git(bare, "symbolic-ref", "HEAD", f"refs/heads/{name}")
    other = clone.parent / "odd"
    git(clone.parent, "clone", "-q", str(bare), "odd")
    identify(other, "C")
    repository = Repository(other)
    assert repository.remote_branch == name
    (other / "x.tex").write_text("x\n", "utf-8")
    assert repository.fetch() == repository.head()
    assert repository.commit(["x.tex"], "x")
    assert repository.push(repository.head())
    assert git(bare, "rev-parse", f"refs/heads/{name}") == repository.head()
    assert not list(clone.parent.rglob("ran"))
