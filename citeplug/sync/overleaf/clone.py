"""A clone: getting one, and the states in which it can be when a sync is to begin, with what to do in each that it
cannot begin in.
"""

import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from citeplug.errors import LeftToAuthor, UnreadableInput, UnsafeProject, WouldOverwrite
from citeplug.files.project_files import as_given
from citeplug.project.git import Git, git_message
from citeplug.project.git_addresses import Address, read_address

_UNDER_WAY: Mapping[str, tuple[str, str]] = {
    "MERGE_HEAD": ("a merge", "git merge --continue' or 'git merge --abort"),
    "rebase-merge": ("a rebase", "git rebase --continue' or 'git rebase --abort"),
    "rebase-apply": ("a rebase", "git rebase --continue' or 'git rebase --abort"),
    "CHERRY_PICK_HEAD": ("a cherry-pick", "git cherry-pick --continue' or 'git cherry-pick --abort"),
    "REVERT_HEAD": ("a revert", "git revert --continue' or 'git revert --abort"),
    "BISECT_LOG": ("a bisection", "git bisect reset"),
}


def clone(url: str, folder: Path | None, *, interactive: bool) -> tuple[Path, Address]:
    """Clone the repository into `folder` (default: named as the repository); returns the clone's folder.

    Raises UnsafeProject for an address that is not taken, WouldOverwrite for a folder that has something in it, and
    RemoteUnavailable. What git leaves of a failed clone it removes itself.
    """
    address = read_address(url)
    target = as_given(folder or Path(_name_of(address)))
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise WouldOverwrite(f"{target} exists and is not empty", "name another folder")
    if not target.parent.is_dir():
        raise UnreadableInput(f"the folder {target.parent} does not exist", "create it first, or name another")
    git = Git(target.parent, protocols=address.protocols, interactive=interactive)
    words = ("clone", "--quiet", "--no-recurse-submodules", "--no-tags", "--", address.text, str(target))
    git.over_network(*words)
    return target, address


def _name_of(address: Address) -> str:
    last = re.split(r"[/\\:]", address.text.rstrip("/\\"))[-1].removesuffix(".git")
    name = re.sub(r"[^\w.-]", "-", last).strip(".-")
    if not name:
        raise UnreadableInput(f"{address.shown} has no name for a folder", "name one after the address")
    return name


def need_rest(git: Git, git_folder: Path) -> None:
    """Raise LeftToAuthor if a merge, a rebase or the like was begun here and not ended."""
    for name, (what, how) in _UNDER_WAY.items():
        if (git_folder / name).exists():
            raise LeftToAuthor(f"{what} is in progress in {git.folder}", f"finish it first: '{how}'")
    if git.run("ls-files", "--unmerged", "-z").out:
        raise LeftToAuthor(f"{git.folder} has conflicts that are not resolved", "resolve and commit them first")


def work_tree(folder: Path) -> Path:
    here = folder.resolve()
    for candidate in (here, *here.parents):
        if (candidate / ".git").exists():
            return candidate
    raise LeftToAuthor(
        f"{folder} is not in a clone of a repository",
        "get one with 'citeplug overleaf clone URL', or send a zip: citeplug related project.zip -o out.zip",
    )


def git_folder(git: Git) -> Path:
    ran = git.run("rev-parse", "--absolute-git-dir", may_fail=True)
    if ran.code:
        if "dubious ownership" in ran.err:
            raise LeftToAuthor(
                f"{git.folder} belongs to another user, and git does not work in it",
                "clone it yourself: citeplug overleaf clone URL",
            )
        raise LeftToAuthor(f"{git.folder} is not a working clone: {git_message(ran.err)}", "clone the project again")
    return Path(ran.text)


def common_folder(git: Git) -> Path:
    path = git.run("rev-parse", "--git-common-dir").text
    return (git.folder / path).resolve()


def branch_of(git: Git) -> str:
    ran = git.run("symbolic-ref", "--quiet", "HEAD", may_fail=True)
    if ran.code or not ran.text.startswith("refs/heads/"):
        raise LeftToAuthor(
            "no branch is checked out here (HEAD is detached)", "check one out: git checkout master, or main"
        )
    branch = ran.text.removeprefix("refs/heads/")
    if git.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}", may_fail=True).code:
        raise LeftToAuthor(f"the branch {branch} has no commit yet", "commit the draft first, and push it")
    return branch


def upstream_of(git: Git, branch: str) -> tuple[str, str]:
    """The remote of the branch, and the branch's name there."""

    def setting(name: str) -> str:
        return git.run("config", "--local", "--get", name, may_fail=True).text

    remotes = git.run("remote").text.split()
    remote, merge = setting(f"branch.{branch}.remote"), setting(f"branch.{branch}.merge")
    if not remotes:
        raise LeftToAuthor(
            "this repository has no remote",
            "name one: git remote add origin URL, then git push -u origin " + shlex.quote(branch),
        )
    if not (remote and merge) and len(remotes) == 1:
        # What was never pushed has no counterpart, unless there is only one place and name that it can be.
        remote, merge = remotes[0], f"refs/heads/{branch}"
    if remote not in remotes or not merge.startswith("refs/heads/"):
        raise LeftToAuthor(
            f"the branch {branch} does not track a branch of a remote",
            f"git branch --set-upstream-to={shlex.quote(f'REMOTE/{branch}')}",
        )
    return remote, merge.removeprefix("refs/heads/")


def address_of(git: Git, remote: str) -> Address:
    """The remote's address, after the user's own `url.insteadOf`."""
    lines = [
        line
        for kind in ((), ("--push",))
        for line in git.run("remote", "get-url", *kind, "--all", "--", remote).text.splitlines()
    ]
    try:
        addresses = [read_address(line) for line in lines]
    except UnsafeProject as error:
        raise UnsafeProject(
            str(error), f"{error.hint}; set it with: git remote set-url {shlex.quote(remote)} ADDRESS"
        ) from None
    return addresses[0]
