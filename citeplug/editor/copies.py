"""Working copy of a project in which a section is written, with the texts in the editor in place of the saved ones.

The author's files are not changed. The result becomes edits for the editor, and citeplug's own record.
"""

import contextlib
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path

from citeplug.editor.documents import PROJECT_PARTS, scheme_of
from citeplug.editor.edits import Planned, difference
from citeplug.editor.lines import Lined
from citeplug.editor.remote import own_files, project_of
from citeplug.editor.snapshot import Snapshot
from citeplug.errors import CannotWrite, CiteplugError
from citeplug.files.atomic import Change, write_together
from citeplug.files.decode import read_text
from citeplug.files.project_files import leads_inside, names_in, read_bytes, walk
from citeplug.latex.folders import project_folder
from citeplug.latex.project import read_draft
from citeplug.project.author_files import bytes_or_none, read_exactly
from citeplug.project.find_project import find_project
from citeplug.project.provenance import PROVENANCE
from citeplug.records.finding import Finding
from citeplug.related.section.edit_section import drop_entries, edit_section, reject
from citeplug.section_file.cite_style import cited_keys
from citeplug.section_file.edit import with_paragraphs_of
from citeplug.settings.known_settings import BIB, OUT
from citeplug.settings.project_toml import read_configuration

_OWN = PROVENANCE.parent
_LONGEST_SHOWN = 7 * 24 * 3600  # seconds
_SETTINGS = ("citeplug.toml", "latexmkrc", ".latexmkrc")


@dataclass(frozen=True, slots=True)
class WorkingCopy:
    """A working copy. `folder` is the copy of `bound`, the folder of the project; `snapshot` is what was copied.

    `held` are the texts in the editor, in place of saved ones or of files that do not exist. `record` is the folder of
    citeplug's record, and `record_before` a digest of it when it was copied.
    """

    folder: Path
    bound: Path
    snapshot: Snapshot
    held: Mapping[Path, Lined]
    record: Path
    record_before: str

    @property
    def root(self) -> Path:
        return self._there(self.snapshot.root)

    def make(self) -> None:
        """Copy all files that were read of the project, and citeplug's record.

        Raises CannotWrite if the record's folder is a link out of the project.
        """
        self._check_record(self.record / _OWN)
        own = self.root.parent / _OWN
        own.mkdir(parents=True)
        project = self.snapshot.root.parent
        wanted = {*self.snapshot.decoded, *(parent / name for parent in (project, self.bound) for name in _SETTINGS)}
        wanted |= {
            project / name for name in _names(project) if name.startswith("related") and name.endswith((".bib", ".tex"))
        } | set(own_files(self.snapshot.root))
        self._copy(sorted(wanted))
        self._copy(self._named())
        record = self.record / _OWN
        for path in walk(record):
            if path.is_file():
                _copy_file(path, own / path.relative_to(record))

    def _check_record(self, path: Path) -> None:
        if not leads_inside(path, self.record):
            raise CannotWrite(f"{path} is a link that leads out of the project; nothing was written", "remove the link")

    def _copy(self, paths: Iterable[Path]) -> None:
        for path in paths:
            if not path.is_relative_to(self.bound):
                continue
            there = self._there(path)
            there.parent.mkdir(parents=True, exist_ok=True)  # a new section is written to this folder
            if path in self.held:
                there.write_bytes(self.held[path].text.encode("utf-8", "replace"))
            elif path.exists():
                _copy_file(path, there)

    def _named(self) -> list[Path]:
        """Return the files that the document and citeplug.toml name for the section and its entries, in existing
        folders inside the project, links followed."""
        named = [(self.root.parent, self.snapshot.draft.options.values.get(OUT.name))]
        with contextlib.suppress(CiteplugError):  # the run reports the error
            configuration = read_configuration(self.root.parent)
            if configuration.path is not None:
                named += [(configuration.path.parent, configuration.values.get(choice.name)) for choice in (OUT, BIB)]
        names = []
        for folder, name in named:
            path = self._here(Path(os.path.normpath(folder / name))) if isinstance(name, str) else None
            with contextlib.suppress(OSError, RuntimeError, ValueError):
                if path is not None and path.parent.is_dir() and path.resolve().is_relative_to(self.bound.resolve()):
                    names.append(path)
        return names

    def record_fits(self) -> bool:
        """Return True if citeplug's record has not changed since it was copied."""
        return _digest(self.record / PROVENANCE) == self.record_before

    def planned(self, files: Iterable[Path]) -> dict[Path, Planned]:
        """Return the edits that change the author's files to those in the copy; for a new file, all of its text.

        Raises CannotWrite for a file that is a link out of the project: the editor would follow it.
        """
        copies = {}
        for there in files:
            path = self._here(there)
            if path is None or there.is_relative_to(self.root.parent / _OWN) or not there.is_file():
                continue
            lined = self.held.get(path) or Lined(read_text(path).text if path.is_file() else "")
            copies[path] = difference(path, lined, read_text(there).text)
            if copies[path].edits and path.is_symlink() and not leads_inside(path, self.bound):
                raise CannotWrite(
                    f"{path} is a link that leads out of the project; nothing was written", "remove the link"
                )
        return {path: change for path, change in copies.items() if change.edits}

    def made(self, planned: Iterable[Path]) -> dict[Path, bytes]:
        """Return what a run made in the copy: the files that are planned, and citeplug's record."""
        own = (path for path in walk(self.root.parent / _OWN) if path.is_file())
        return {path: read_bytes(path) for path in (*map(self._there, planned), *own)}

    def without(
        self, places: Collection[str], planned: Mapping[Path, Planned], made: Mapping[Path, bytes], home: Path
    ) -> dict[Path, Planned]:
        """Return what is planned of what a run `made`, if some places are left out, in the copy as well.

        A sentence (`p1:2`) is rejected. A paragraph (`p1`) stays as it was before the run, and goes if there was none.
        An entry of the run that nothing cites then goes too. Raises UsageError on an unknown place.
        """
        for path, data in made.items():
            path.write_bytes(data)
        project = find_project(self.root)
        paragraphs = [place for place in places if ":" not in place]
        sentences = [place for place in places if place.partition(":")[0] not in paragraphs]
        before = {self._there(path): change.lined.text for path, change in planned.items()}
        if sentences:
            reject(project, home, sentences)
        if paragraphs:
            old = before.get(project.where.tex, "")
            edit_section(project, home, partial(with_paragraphs_of, old, paragraphs))
        if places and project.where.bib in before:
            draft = read_draft(self.root)
            cited = {key for cite in draft.cites for key in cite.keys} | cited_keys(read_exactly(project.where.tex)[0])
            drop_entries(project.where.bib, before[project.where.bib], cited)
        return self.planned([self._there(path) for path in planned])

    def take_record(self) -> Callable[[], None]:
        """Write citeplug's record to the project; return a function that undoes it.

        Raises CannotWrite, with nothing written.
        """
        made = self.root.parent / _OWN
        changes, before = [], []
        try:
            for source in walk(made):
                path = self.record / _OWN / source.relative_to(made)
                data, old = read_bytes(source), bytes_or_none(path)
                if data != old:
                    self._check_record(path)
                    changes.append(Change(path, data, makes_folder=True))
                    before.append(Change(path, old))
            write_together(changes)
        except (OSError, CiteplugError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or error
            raise CannotWrite(
                f"citeplug's record cannot be written to {self.record / _OWN}: {reason}; nothing was changed",
                "make that folder writable, and try again",
            ) from error

        def undo() -> None:
            with contextlib.suppress(OSError, CiteplugError):
                write_together(before)
            # Folders that were made for the record.
            for folder in sorted({change.path.parent for change in before}, key=lambda folder: -len(folder.parts)):
                with contextlib.suppress(OSError):
                    folder.rmdir()

        return undo

    def remove(self) -> None:
        with contextlib.suppress(OSError):
            shutil.rmtree(self.folder)

    def in_project(self, text: str) -> str:
        """Replace paths of the copy in a message by those of the author's files."""
        return text.replace(str(self.folder), str(self.bound))

    def finding_in_project(self, finding: Finding) -> Finding:
        """Return a finding of the copy as one of the author's files."""
        file = Path(self.in_project(str(finding.file))) if finding.file is not None else None
        return replace(finding, file=file, message=self.in_project(finding.message))

    def _there(self, path: Path) -> Path:
        return self.folder / path.relative_to(self.bound)

    def _here(self, there: Path) -> Path | None:
        return self.bound / there.relative_to(self.folder) if there.is_relative_to(self.folder) else None


def working_copy(snapshot: Snapshot, home: Path, held: Mapping[Path, Lined]) -> WorkingCopy:
    """Return a working copy of a project, in a folder of its own in the user's data directory; not made yet.

    Raises as `find_project`.
    """
    root = snapshot.root
    remote = scheme_of(root) is not None
    bound = Path(*root.parts[:PROJECT_PARTS]) if remote else project_folder(root.parent)
    if not root.is_relative_to(bound):  # a link leads there
        bound = root.parent
    name = hashlib.sha256(str(root).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    record = project_of(root, home).where.project if remote else root.parent
    return WorkingCopy(
        _new_folder(home / "editing", name), bound, snapshot, dict(held), record, _digest(record / PROVENANCE)
    )


def _names(folder: Path) -> list[str]:
    return names_in(folder) if folder.is_dir() else []


def _copy_file(path: Path, there: Path) -> None:
    data = bytes_or_none(path)
    if data is not None:
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_bytes(data)


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(read_bytes(path)).hexdigest()
    except OSError:
        return ""


def _new_folder(folder: Path, name: str) -> Path:
    """Make a folder; remove those that a killed server has left.

    It gets the first free name, not one drawn by chance: each project in the user's data directory leaves a lock file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        with contextlib.suppress(OSError):
            if time.time() - old.stat().st_mtime > _LONGEST_SHOWN:
                shutil.rmtree(old)
    for number in count():
        with contextlib.suppress(FileExistsError):
            (folder / f"{name}-{number}").mkdir()
            break
    return folder / f"{name}-{number}"
