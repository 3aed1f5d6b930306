"""From what the user names, a folder, a draft or a section, to the project and its files."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citeplug import delivery
from citeplug.build.placing import named_targets
from citeplug.errors import UnreadableInput
from citeplug.tex.edits import was_generated
from citeplug.tex.project import find_root

_FOLDERS_UP = 4


@dataclass(frozen=True, slots=True)
class Project:
    """`root` is the main file, `where` the files that citeplug writes; all absolute."""

    root: Path
    where: delivery.Targets


def find_project(path: Path | None = None, out: Path | None = None, bib: Path | None = None) -> Project:
    """The project of a folder, of a draft's file or of a section; of the current folder without `path`.

    The section is `out`, else `path` if that is one, else the one that the document or citeplug.toml names, else the
    one that was last written, else `related.tex`. Raises UnreadableInput if no root document can be told, or if
    citeplug.toml is wrong.
    """
    here = (path or Path.cwd()).expanduser().absolute()
    if out is None and here.is_file() and was_generated(delivery.read_or_none(here) or ""):
        out = here
    root = _root_of(here)
    written = _written(root)
    folder = root.parent
    named = named_targets(root)
    out = out or named.out or _one(written, folder, ".tex")
    bib = bib or named.bib or _one(written, folder, ".bib")
    return Project(root, delivery.targets(root, out, bib))


def find_section(path: Path | None = None) -> Path:
    """The section that is meant: `path` if it is a file that holds one, else that of the project."""
    here = (path or Path.cwd()).expanduser().absolute()
    if here.is_file() and (path is None or was_generated(delivery.read_or_none(here) or "")):
        return here
    if here.is_dir() and (here / "related.tex").is_file():
        return here / "related.tex"
    if not here.exists():
        raise UnreadableInput(f"{here} does not exist", "name the section, such as related.tex")
    tex = find_project(here).where.tex
    if not tex.is_file():
        raise UnreadableInput(
            f"there is no section: {tex} does not exist", "write one with 'citeplug related MAIN.tex'"
        )
    return tex


def _root_of(path: Path) -> Path:
    try:
        return find_root(path)
    except UnreadableInput:
        # A section that nothing reads yet: the folder of its record may know better.
        for folder in path.parents[:_FOLDERS_UP] if path.is_file() else ():
            if (folder / delivery.PROVENANCE).is_file():
                return find_root(folder)
        raise


def _written(root: Path) -> Mapping[str, Any]:
    written = delivery.read_provenance(root.parent / delivery.PROVENANCE).get("written")
    return written if isinstance(written, dict) else {}


def _one(written: Mapping[str, Any], folder: Path, suffix: str) -> Path | None:
    """The only file of this kind that was written and is there, None for the usual name.

    The record came with the project, so it cannot lead out of it.
    """
    usual = f"related{suffix}"
    if usual in written:
        return None
    found = [folder / name for name in written if isinstance(name, str) and name.endswith(suffix)]
    inside = [file for file in found if file.is_file() and file.resolve().is_relative_to(folder.resolve())]
    return inside[0] if len(inside) == 1 else None
