"""Search for the project, and the files that citeplug writes in it, from a folder, a draft or a section."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from citeplug.errors import UnreadableInput, WouldOverwrite
from citeplug.files.decode import declared_encoding
from citeplug.files.project_files import as_given
from citeplug.latex.project import find_root
from citeplug.latex.roots import roots_in
from citeplug.project.any_draft import is_latex, root_of
from citeplug.project.author_files import bytes_or_none, read_or_none
from citeplug.project.provenance import PROVENANCE, read_provenance
from citeplug.project.section_targets import entries_beside, named_targets, written_once
from citeplug.project.targets import Targets, targets
from citeplug.records.provenance import Provenance
from citeplug.section_file.grammar import was_generated

_FOLDERS_UP = 4


@dataclass(frozen=True, slots=True)
class Project:
    """A project. `root` is the main file, `where` the files that citeplug writes; all absolute."""

    root: Path
    where: Targets

    @property
    def encoding(self) -> str | None:
        """The encoding that the draft declares for its files, as Python names it; None for UTF-8."""
        return declared_encoding(bytes_or_none(self.root) or b"") if is_latex(self.root) else None


def find_project(
    path: Path | None = None,
    out: Path | None = None,
    bib: Path | None = None,
    held: Mapping[Path, str] | None = None,
) -> Project:
    """Find the project of a folder, of a draft's file or of a section; without `path`, of the current folder.

    The section is `out`, else `path` if that is one, else the one that the document or citeplug.toml names, else the
    one that was last written, else `related.tex`. A citeplug.toml `held` by an editor replaces the one on disk. Raises
    UnreadableInput without a root document, WrongConfiguration on an invalid citeplug.toml.
    """
    here = as_given(path or Path.cwd())
    if out is None and here.is_file() and was_generated(read_or_none(here) or ""):
        out = here
    root = _root_of(here, held)
    folder = root.parent
    written = read_provenance(folder / PROVENANCE).written
    named = named_targets(root, held)
    beside = entries_beside(out, root, written) if out is not None else None
    out = out or named.out or written_once(written, folder, ".tex")
    bib = bib or named.bib or beside or written_once(written, folder, ".bib")
    return Project(root, targets(root, out, bib))


def find_section(path: Path | None = None) -> Path:
    """Find the section: `path` if it is a section, else that of its project."""
    here = as_given(path or Path.cwd())
    if here.is_file() and (path is None or was_generated(read_or_none(here) or "")):
        return here
    if here.is_dir() and (here / "related.tex").is_file():
        return here / "related.tex"
    if not here.exists():
        raise UnreadableInput(f"{here} does not exist", "give the file of the section, such as related.tex")
    tex = find_project(here).where.tex
    if not tex.is_file():
        raise UnreadableInput(
            f"there is no section: {tex} does not exist", "write one with 'citeplug related MAIN.tex'"
        )
    return tex


def _root_of(path: Path, held: Mapping[Path, str] | None) -> Path:
    if not is_latex(path):
        return root_of(path)
    try:
        root = find_root(path, held=held)
    except UnreadableInput:
        # The draft does not read the section yet: its record is in the project's folder.
        folders = list(path.parents[:_FOLDERS_UP]) if path.is_file() else [path]
        for folder in folders:
            if (folder / PROVENANCE).is_file():
                return _text_in(folder) or find_root(folder, held=held)
        raise
    # With a PDF or text for its draft a section is the only LaTeX file.
    return (was_generated(read_or_none(root) or "") and _text_in(root.parent)) or root


def need_own_section(root: Path, record: Provenance) -> None:
    """Raise WouldOverwrite for a PDF or text beside another draft, of which the section in the folder is."""
    folder = root.parent
    if is_latex(root) or not record.written:
        return
    owner = _text_in(folder, record) or next(iter(roots_in(folder)), root)
    if owner != root:
        raise WouldOverwrite(
            f"{folder} has the section of {owner.name}; nothing was changed",
            f"move {root.name} into a folder of its own, or remove that section with 'citeplug remove'",
        )


def _text_in(folder: Path, record: Provenance | None = None) -> Path | None:
    """The PDF or text in the folder for which its section was written."""
    name = (record or read_provenance(folder / PROVENANCE)).draft
    # The record came with the project: it names no file elsewhere.
    text = folder / name if name and Path(name).name == name else None
    return text if text is not None and not is_latex(text) and text.is_file() else None
