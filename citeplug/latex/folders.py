"""The files of a project, from disk or as an editor has them open, found by the names in its documents.

kpathsea finds files in the same way, but belongs to a TeX installation, which need not be there.
"""

import os
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from citeplug.bibtex.entries import Bibliography, read_bib
from citeplug.files.decode import Decoded, read_text
from citeplug.files.project_files import Allowance, TooMany, names_in, obstacle, walk


class Files(Protocol):
    """The files as they are. One that is open in an editor is what the editor holds, saved or not."""

    def is_file(self, path: Path) -> bool: ...

    def read(self, path: Path) -> Decoded:
        """A file's text. Raises OSError."""
        ...

    def bibliography(self, path: Path, strings: dict[str, str]) -> Bibliography:
        """The entries of a .bib file; `strings` as in `entries.read_bib`. Raises OSError."""
        ...


class Disk:
    """The files of this machine, read anew each time; a .bib file is parsed when its text is another."""

    def is_file(self, path: Path) -> bool:
        return path.is_file()

    def read(self, path: Path) -> Decoded:
        return read_text(path)

    def bibliography(self, path: Path, strings: dict[str, str]) -> Bibliography:
        read, after = _read_cached(self.read(path).text, path, tuple(strings.items()))
        strings.update(after)
        return read


@lru_cache(maxsize=8)
def _read_cached(text: str, path: Path, strings: tuple[tuple[str, str], ...]) -> tuple[Bibliography, dict[str, str]]:
    """The bibliography in a file of this text, and the @string macros after it.

    Kept, as a watcher reads a draft again and again and mostly finds the same text.
    """
    macros = dict(strings)
    return read_bib(text, path, strings=macros), macros


DISK = Disk()


_MOST_TEXT = 40_000_000  # characters of TeX that are read of one project
_MARKS = (".git", ".hg", ".svn", ".citeplug")  # a folder, or a file: .git is one in a worktree
_MARKING_FILES = ("citeplug.toml", "latexmkrc", ".latexmkrc")


def project_folder(folder: Path) -> Path:
    """The folder that bounds a project: the nearest one above with a mark of a project, else the folder itself.

    The user's home is never taken for a project, even where it is under version control.
    """
    folder = folder.resolve()
    home = Path.home()
    for candidate in (folder, *folder.parents):
        if candidate == home or candidate == Path(candidate.anchor):
            break
        if is_marked(candidate):
            return candidate
    return folder


def is_marked(folder: Path) -> bool:
    """True if a folder has a file that only the top folder of a project has."""
    return any((folder / mark).exists() for mark in _MARKS) or any((folder / name).is_file() for name in _MARKING_FILES)


@dataclass(frozen=True, slots=True)
class FileLookup:
    """`path` as named and absolute; `outside` says that it lies beyond the project and was not looked at, `obstacle`
    what is there instead of a file."""

    path: Path
    exists: bool
    outside: bool = False
    obstacle: str | None = None


@dataclass(slots=True)
class Folders:
    """The folders in which a document's names are looked up. `base` is where TeX runs, `bound` the project.

    `skip` are files that are not read and not missed: what citeplug itself writes. `files` reads them.
    """

    base: Path
    bound: Path
    inputs: list[Path] = field(default_factory=list)
    skip: frozenset[Path] = frozenset()
    files: Files = DISK
    allowance: Allowance = field(default_factory=lambda: Allowance(_MOST_TEXT))
    _listings: dict[Path, dict[str, str]] = field(default_factory=dict)
    _answers: dict[tuple[object, ...], FileLookup] = field(default_factory=dict)
    _bound: Path | None = None

    def find(self, name: str, suffixes: tuple[str, ...], extra: tuple[Path, ...] = ()) -> FileLookup:
        """Look a name up as TeX would: with each suffix, then as written, from `base`, `extra` and `inputs`.

        A file outside the project is not opened, whatever way (`..`, an absolute path, a link) leads there.
        """
        question = (name, suffixes, extra, len(self.inputs))
        if question not in self._answers:
            self._answers[question] = self._look_up(name.strip().strip('"').strip(), suffixes, extra)
        return self._answers[question]

    def _look_up(self, name: str, suffixes: tuple[str, ...], extra: tuple[Path, ...]) -> FileLookup:
        first: Path | None = None
        outside = False
        places = [*extra, self.base, *self.inputs]
        names = _variants(name, suffixes)
        for fold in (False, True):
            for place in places:
                for variant in names:
                    path = self._existing(place / variant, fold)
                    first = first or Path(os.path.normpath(place / variant))
                    if path is None:
                        continue
                    if not self.inside(path):
                        outside = True
                        continue
                    return FileLookup(Path(os.path.normpath(path)), True)
        path = first or self.base
        return FileLookup(path, False, outside or not self.inside(path), _obstacle(places, names, suffixes))

    def read(self, path: Path) -> Decoded:
        """A file of TeX, counted among those of the project. Raises OSError."""
        decoded = self.files.read(path)
        self.allowance.take(path, len(decoded.text))
        return decoded

    def find_by_name(self, name: str) -> Path | None:
        """The only file of this name in the project, wherever it lies; None if there is none, or several."""
        wanted = name.lower()
        try:
            paths = [path for path in walk(self.bound) if path.name.lower() == wanted]
        except TooMany:
            return None
        return paths[0] if len(paths) == 1 and self.inside(paths[0]) and paths[0].is_file() else None

    def inside(self, path: Path) -> bool:
        """True if the file that a path leads to, links resolved, lies in the project."""
        try:
            if self._bound is None:
                self._bound = self.bound.resolve()
            return path.resolve().is_relative_to(self._bound)
        except (OSError, RuntimeError, ValueError):
            return False

    def _existing(self, path: Path, fold: bool) -> Path | None:
        # A file that TeX finds on the author's Mac or Windows may have another case here.
        try:
            if not fold:
                return path if self.files.is_file(path) else None
            folder = path.parent
            if not self.inside(folder):
                return None
            if folder not in self._listings:
                self._listings[folder] = {_folded(name): name for name in names_in(folder)} if folder.is_dir() else {}
            real = self._listings[folder].get(_folded(path.name))
            return folder / real if real and (folder / real).is_file() else None
        except (OSError, ValueError):
            return None


def _obstacle(places: list[Path], names: list[str], suffixes: tuple[str, ...]) -> str | None:
    """The reason why a name leads to no readable file; a folder counts only if its name ends like such a file's."""
    for path in (place / name for place in places for name in names):
        if (what := obstacle(path)) and (path.name.lower().endswith(suffixes) or not path.is_dir()):
            return what
    return None


def _folded(name: str) -> str:
    # A Mac writes accents as characters of their own.
    return unicodedata.normalize("NFC", name).lower()


def _variants(name: str, suffixes: tuple[str, ...]) -> list[str]:
    if any(name.lower().endswith(suffix) for suffix in suffixes):
        return [name, *(name + suffix for suffix in suffixes)]
    return [*(name + suffix for suffix in suffixes), name]
