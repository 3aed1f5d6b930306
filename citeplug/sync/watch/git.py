"""Git at work in a project: a checkout writes many files, and only the last state counts."""

from pathlib import Path

from citeplug.files.project_files import read_bytes

_FOLDERS_UP = 40
_LONGEST = 10_000  # bytes of a file that names another folder


def git_folder(folder: Path) -> Path | None:
    """The folder in which git keeps what it knows of `folder`; None outside a work tree."""
    for here in (folder, *folder.parents[:_FOLDERS_UP]):
        found = here / ".git"
        try:
            if found.is_dir():
                return found
            if found.is_file():  # a further work tree, or a submodule
                said = read_bytes(found, _LONGEST).decode("utf-8", "replace")
                name, _, target = said.partition(":")
                return (here / target.strip()).resolve() if name.strip() == "gitdir" else None
        except OSError:
            return None
    return None


def git_is_busy(git: Path | None) -> bool:
    """True if git holds its index, as it does while it writes the work tree."""
    try:
        return git is not None and (git / "index.lock").exists()
    except OSError:
        return False
