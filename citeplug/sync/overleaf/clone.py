"""Getting a project: a clone of its repository."""

import re
from pathlib import Path

from citeplug.errors import UnreadableInput, WouldOverwrite
from citeplug.files.project_files import as_given
from citeplug.project.git import Git, trouble
from citeplug.project.git_addresses import Address, read_address


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
        raise UnreadableInput(f"the folder {target.parent} does not exist", "make it first, or name another")
    git = Git(target.parent, protocols=address.protocols, interactive=interactive)
    words = ("clone", "--quiet", "--no-recurse-submodules", "--no-tags", "--", address.text, str(target))
    done = git.over_network(*words, may_fail=True)
    if done.code:
        raise trouble("clone", done.err)
    return target, address


def _name_of(address: Address) -> str:
    last = re.split(r"[/\\:]", address.text.rstrip("/\\"))[-1].removesuffix(".git")
    name = re.sub(r"[^\w.-]", "-", last).strip(".-")
    if not name:
        raise UnreadableInput(f"{address.shown} has no name for a folder", "name one after the address")
    return name
