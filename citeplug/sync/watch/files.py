"""The files that a section depends on, and what a look at them finds: by content, not by time.

A checkout writes many files, and only the last state counts: git is asked whether it is at work in the project.
"""

import hashlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from citeplug.files.project_files import read_bytes
from citeplug.latex.scan import without_comments

# A file this young may be written again without its stamp telling: some file systems count in steps of two seconds.
_YOUNG = 3.0
# In these, comments and layout say nothing to a section; elsewhere every byte may.
_TEX = frozenset({".tex", ".ltx", ".latex", ".sty", ".cls", ".def"})
_Stamp = tuple[int, int, int, int]
_FOLDERS_UP = 40
_LONGEST = 10_000  # bytes of a file that names another folder


@dataclass(frozen=True, slots=True)
class Look:
    """The result of a look: `saved` files changed or were written again; in `telling` ones something changed that
    is not a comment or layout."""

    saved: tuple[Path, ...] = ()
    telling: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """`stamp` None: not there; `gist` is the digest of what counts."""

    stamp: _Stamp | None
    gist: str
    sure: bool


class KnownFiles:
    """The files as they were at the last look. `exact` are those in which comments count too."""

    def __init__(self) -> None:
        self._exact: frozenset[Path] = frozenset()
        self._seen: dict[Path, _Seen] = {}

    def __contains__(self, path: Path) -> bool:
        return path in self._seen

    @property
    def exact(self) -> frozenset[Path]:
        return self._exact

    @property
    def folders(self) -> set[Path]:
        return {path.parent for path in self._seen}

    def __iter__(self) -> Iterator[Path]:
        return iter(self._seen)

    def know(self, files: Iterable[Path], exact: Iterable[Path]) -> bool:
        """From now on look at these; what was seen of those that were known is kept. True if any is new."""
        self._exact = frozenset(exact)
        paths = dict.fromkeys([*files, *self._exact])
        new = any(path not in self._seen for path in paths)
        self._seen = {path: self._seen.get(path) or self._see(path, None) for path in paths}
        return new

    def stirred(self) -> bool:
        """True if a look may find something; reads no file."""
        return any(_stamp(path) != seen.stamp for path, seen in self._seen.items())

    def look(self) -> Look:
        """Read what may have changed, and remember it."""
        saved, telling = [], []
        for path, before in list(self._seen.items()):
            after = self._see(path, before)
            if after is before:
                continue
            self._seen[path] = after
            if after.stamp != before.stamp or after.gist != before.gist:
                saved.append(path)
            if after.gist != before.gist:
                telling.append(path)
        return Look(tuple(saved), tuple(telling))

    def _see(self, path: Path, before: _Seen | None) -> _Seen:
        stamp = _stamp(path)
        if before is not None and before.sure and stamp == before.stamp:
            return before
        sure = stamp is None or abs(time.time() - stamp[0] / 1e9) > _YOUNG
        try:
            data = read_bytes(path) if stamp is not None else b""
        except OSError as error:
            return _Seen(stamp, f"unreadable: {error.strerror}", False)
        return _Seen(stamp, self._gist(path, data) if stamp is not None else "", sure)

    def _gist(self, path: Path, data: bytes) -> str:
        if path not in self._exact and path.suffix.lower() in _TEX:
            # Any bytes are text in Latin-1, and what TeX reads as comment and space is ASCII.
            data = " ".join(without_comments(data.decode("latin-1")).split()).encode("latin-1")
        return hashlib.sha256(data).hexdigest()


def _stamp(path: Path) -> _Stamp | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_dev


def git_folder(folder: Path) -> Path | None:
    """The folder in which git keeps what it knows of `folder`; None outside a work tree."""
    for here in (folder, *folder.parents[:_FOLDERS_UP]):
        entry = here / ".git"
        try:
            if entry.is_dir():
                return entry
            if entry.is_file():  # a further work tree, or a submodule
                content = read_bytes(entry, _LONGEST).decode("utf-8", "replace")
                name, _, target = content.partition(":")
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
