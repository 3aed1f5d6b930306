"""A copy of a project in which a section is written: what the author has open in place of what is saved.

The author's files are not touched there. What was made becomes edits for the editor, and citeplug's own record.
"""

import contextlib
import hashlib
import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from citeplug.adapters.files import write_atomically
from citeplug.lsp.edits import Planned, difference
from citeplug.lsp.lines import Lined
from citeplug.lsp.snapshot import Snapshot
from citeplug.provenance import PROVENANCE
from citeplug.tex.decode import read_text
from citeplug.tex.folders import project_folder

_OWN = PROVENANCE.parent
_LONGEST_SHOWN = 7 * 24 * 3600  # seconds
_SETTINGS = ("citeplug.toml", "latexmkrc", ".latexmkrc")


@dataclass(frozen=True, slots=True)
class WorkingCopy:
    """`folder` stands for `bound`, the folder of the project, and `snapshot` is what was copied.

    `record_before` is a digest of the section's record when it was.
    """

    folder: Path
    bound: Path
    snapshot: Snapshot
    record_before: str

    @property
    def root(self) -> Path:
        return self._there(self.snapshot.root)

    def make(self, buffers: Mapping[Path, Lined]) -> None:
        """Copy all that was read of the project, and citeplug's record of it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / _OWN).mkdir(parents=True)
        project = self.snapshot.root.parent
        wanted = {*self.snapshot.decoded, *(each / name for each in (project, self.bound) for name in _SETTINGS)}
        wanted |= set(project.glob("related*.bib")) | set(project.glob("related*.tex"))
        if (project / _OWN).is_dir():
            wanted |= {path for path in (project / _OWN).rglob("*") if path.is_file()}
        for path in sorted(wanted):
            if not path.is_relative_to(self.bound):
                continue
            there = self._there(path)
            there.parent.mkdir(parents=True, exist_ok=True)
            if path in buffers:
                there.write_bytes(buffers[path].text.encode("utf-8", "replace"))
            elif path.is_file():
                shutil.copyfile(path, there)

    def put_aside(self, name: str) -> "WorkingCopy":
        """Move the copy to where no other run comes by; returns it as it lies there."""
        shown = self.folder.parent.parent / "shown" / name
        shown.parent.mkdir(parents=True, exist_ok=True)
        _forget_old(shown.parent)
        self.folder.replace(shown)
        return replace(self, folder=shown)

    def still_fits(self, planned: Mapping[Path, Planned], buffers: Mapping[Path, Lined]) -> bool:
        """Whether the files on the disk, and the record of the section, are what they were when the copy was made."""
        for path, each in planned.items():
            now = read_text(path).text if path.is_file() else ""
            if path not in buffers and now != each.lined.text:
                return False
        return _digest(self.snapshot.root.parent / PROVENANCE) == self.record_before

    def planned(self, files: Iterable[Path]) -> dict[Path, Planned]:
        """The edits that make the author's files what they became in the copy; of a new file, all of it."""
        found = {}
        for there in files:
            path = self._here(there)
            if path is None or there.is_relative_to(self.root.parent / _OWN) or not there.is_file():
                continue
            lined = self.snapshot.texts.get(path)
            if lined is None:
                lined = Lined(read_text(path).text if path.is_file() else "")
            found[path] = difference(path, lined, read_text(there).text)
        return {path: each for path, each in found.items() if each.edits}

    def take_record(self) -> Callable[[], None]:
        """Put citeplug's record beside the author's files; what is given back takes it away again."""
        made = self.root.parent / _OWN
        project = self.snapshot.root.parent
        before: dict[Path, bytes | None] = {}
        for there in sorted(path for path in made.rglob("*") if path.is_file()):
            path = project / _OWN / there.relative_to(made)
            data = there.read_bytes()
            there_now = path.read_bytes() if path.is_file() else None
            if there_now != data:
                before[path] = there_now
                path.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(path, data)

        def undo() -> None:
            for path, data in before.items():
                if data is None:
                    path.unlink(missing_ok=True)
                else:
                    write_atomically(path, data)
            # Folders that were made for it.
            for folder in sorted({path.parent for path in before}, key=lambda each: -len(each.parts)):
                with contextlib.suppress(OSError):
                    folder.rmdir()

        return undo

    def remove(self) -> None:
        with contextlib.suppress(OSError):
            shutil.rmtree(self.folder)

    def _there(self, path: Path) -> Path:
        return self.folder / path.relative_to(self.bound)

    def _here(self, there: Path) -> Path | None:
        return self.bound / there.relative_to(self.folder) if there.is_relative_to(self.folder) else None


def working_copy(snapshot: Snapshot, home: Path) -> WorkingCopy:
    """The copy of a project, in the user's data directory; not made yet."""
    root = snapshot.root
    bound = project_folder(root.parent)
    if not root.is_relative_to(bound):  # a link leads there
        bound = root.parent
    name = hashlib.sha256(str(root).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return WorkingCopy(home / "editing" / name, bound, snapshot, _digest(root.parent / PROVENANCE))


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _forget_old(folder: Path) -> None:
    """Remove what a server that was killed has left here."""
    for old in folder.iterdir():
        with contextlib.suppress(OSError):
            if time.time() - old.stat().st_mtime > _LONGEST_SHOWN:
                shutil.rmtree(old)
