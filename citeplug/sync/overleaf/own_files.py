"""The files of a project that are citeplug's own: the section, its entries, the record and the bases of merges."""

from dataclasses import dataclass
from pathlib import Path

from citeplug.errors import LeftToAuthor, UnsafeProject
from citeplug.project import merge_bases
from citeplug.project.author_files import read_or_none
from citeplug.project.find_project import Project
from citeplug.section_file.grammar import has_conflict_marks, was_generated
from citeplug.section_file.provenance_tex import is_tex_record, tex_record_of
from citeplug.sync.overleaf.repository import Repository


@dataclass(frozen=True, slots=True)
class OwnFiles:
    """Their paths from the top of the clone, with `/`; `bases` is a folder, `for_tex` what the LaTeX package
    reads, None where a file of that name is the author's."""

    tex: str
    bib: str
    record: str
    bases: str
    for_tex: str | None = None

    def __contains__(self, path: str) -> bool:
        return path in (self.tex, self.bib, self.record, self.for_tex) or self.is_base(path)

    def is_base(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        return folder == self.bases and merge_bases.is_base_name(name)

    def is_hidden(self, path: str) -> bool:
        """True if it lies in `.citeplug/`."""
        return path == self.record or self.is_base(path)

    @property
    def places(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.tex, self.bib, self.record, self.bases, self.for_tex)))


def own_files(repository: Repository, project: Project) -> OwnFiles:
    """Raises UnsafeProject if one of them lies outside the clone, or is reached by a link."""
    where, top = project.where, repository.top
    folder = where.project / merge_bases.FOLDER
    tex, bib, record, base = (_inside(path, top) for path in (where.tex, where.bib, where.provenance, folder))
    for_tex = tex_record_of(where.tex)
    is_own = is_tex_record(read_or_none(for_tex) or "")
    return OwnFiles(tex, bib, record, base, _inside(for_tex, top) if is_own else None)


def _inside(path: Path, top: Path) -> str:
    try:
        # A folder above the clone may be a link of the user's; within it, nothing may lead anywhere else.
        place = path.parent.resolve() / path.name
        name = place.relative_to(top)
    except (OSError, RuntimeError, ValueError):
        raise UnsafeProject(f"{path} lies outside the clone {top}", "let citeplug write inside the project") from None
    for number in range(1, len(name.parts) + 1):
        if (top / Path(*name.parts[:number])).is_symlink():
            raise UnsafeProject(
                f"{path} is a link, or is reached through one; nothing is written there", "remove the link"
            )
    if path.is_relative_to(top) and path.relative_to(top) != name:
        raise UnsafeProject(f"{path} is reached through a link; nothing is written there", "remove the link")
    return name.as_posix()


def need_sound(repository: Repository, own: OwnFiles) -> None:
    """Raise LeftToAuthor if a file of citeplug's has the marks of a merge, or is none of citeplug's."""
    for name in (own.tex, own.bib):
        text = read_or_none(repository.top / name)
        if text is not None and has_conflict_marks(text):
            raise LeftToAuthor(f"{name} has conflict markers (<<<<<<<)", "resolve them, and commit")
    text = read_or_none(repository.top / own.tex)
    if text and text.strip() and not was_generated(text):
        raise LeftToAuthor(f"{own.tex} was not written by citeplug", "give the section another name")


def present(repository: Repository, own: OwnFiles, *, hidden: bool) -> list[str]:
    """Those that the last commit, the index or the folder has: what a commit of citeplug's may name.

    Without `hidden` new files in `.citeplug/` are left out.
    """
    tracked = repository.tracked(own.places)
    new, _ = repository.untracked(own.places)
    return [
        *(path for path in tracked if path in own),
        *(path for path in new if path in own and path not in tracked and (hidden or not own.is_hidden(path))),
    ]
