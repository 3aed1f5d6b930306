"""The files of a project that citeplug writes: the section, its entries, and the record of both.

A draft reads the section and its entries by lines that are inserted into it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from citeplug.errors import UnreadableInput
from citeplug.files.project_files import as_given, leads_inside
from citeplug.project.author_files import as_tex_path, read_exactly
from citeplug.project.insert import check_names, insertion_edits, insertion_findings, own_related_work
from citeplug.project.merge_bases import FOLDER
from citeplug.project.provenance import PROVENANCE
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, TextEdit
from citeplug.section_file.provenance_tex import tex_record_of


@dataclass(frozen=True, slots=True)
class Targets:
    """The section's file, that of its entries, and `.citeplug/provenance.json`; all absolute."""

    tex: Path
    bib: Path
    provenance: Path

    @property
    def project(self) -> Path:
        """The folder of the draft's root."""
        return self.provenance.parents[1]

    @property
    def table(self) -> Path:
        """The file of `citeplug table`."""
        return self.tex.with_name(f"{self.tex.stem}-table.tex")

    def name_of(self, path: Path) -> str:
        """The name of a file in the record."""
        return as_tex_path(path, self.project)

    def tex_record(self, draft: Draft) -> Path | None:
        """The record for the LaTeX package; None if the draft does not load the package."""
        return tex_record_of(self.tex) if "citeplug" in draft.packages else None


def targets(root: Path, out: Path | None, bib: Path | None) -> Targets:
    """The files to write: beside the root, unless the user named others.

    Raises UnreadableInput if one of them is a folder or the root itself, if its folder does not exist, or if
    `.citeplug` is a link that leads out of the project; UsageError for a name that LaTeX cannot read.
    """
    folder = root.parent
    if not leads_inside(folder / FOLDER, folder):
        raise UnreadableInput(f"{folder / FOLDER.parts[0]} is a link that leads out of the project", "remove the link")
    files = Targets(
        as_given(out or folder / "related.tex"), as_given(bib or folder / "related.bib"), folder / PROVENANCE
    )
    for target in (files.tex, files.bib):
        if target.is_dir():
            raise UnreadableInput(f"{target} is a folder", "name a file")
        if not target.parent.is_dir():
            raise UnreadableInput(f"the folder {target.parent} does not exist", "create it first, or name another")
    check_names(as_tex_path(files.tex, folder), as_tex_path(files.bib, folder))
    if files.tex == root:
        raise UnreadableInput(
            f"the section cannot be written to {files.tex}, the main document", "name another file with --out"
        )
    return files


def own_text(draft: Draft, where: Targets) -> Finding | None:
    """The finding that the section would be read beside a related work of the author's own. Raises UnreadableInput."""
    folder = draft.root.parent
    return own_related_work(draft, _texts(draft), as_tex_path(where.tex, folder))


def insertion(draft: Draft, where: Targets) -> tuple[Sequence[TextEdit], Sequence[Finding]]:
    """The edits to the draft's files, none if it reads both already. Raises UnreadableInput, UsageError."""
    folder, texts = draft.root.parent, _texts(draft)
    names = as_tex_path(where.tex, folder), as_tex_path(where.bib, folder)
    return insertion_edits(draft, texts, *names), insertion_findings(draft, texts, *names)


def _texts(draft: Draft) -> dict[Path, str]:
    folder = draft.root.parent
    return {file: read_exactly(file)[0] for file in (folder / name for name in draft.files)}
