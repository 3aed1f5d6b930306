"""Whether git is at work."""

from pathlib import Path

from citeplug.sync.watch.files import git_folder, git_is_busy


def test_a_lock_on_the_index_means_that_git_is_busy(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "paper").mkdir()
    git = git_folder(tmp_path / "paper")
    assert git == tmp_path / ".git"
    assert not git_is_busy(git)
    (tmp_path / ".git" / "index.lock").touch()
    assert git_is_busy(git)


def test_a_further_work_tree_names_its_folder(tmp_path: Path) -> None:
    (tmp_path / "main" / ".git" / "worktrees" / "w").mkdir(parents=True)
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / ".git").write_text("gitdir: ../main/.git/worktrees/w\n", "utf-8")
    assert git_folder(tmp_path / "w") == tmp_path / "main" / ".git" / "worktrees" / "w"


def test_outside_a_work_tree_git_is_never_busy() -> None:
    assert not git_is_busy(git_folder(Path(Path.cwd().anchor)))
    assert not git_is_busy(None)
