"""The files of a project as they are opened: ordinary ones, in bounds, and from inside it.

A project comes by git, by mail or from a co-author, so a name in it may belong to a pipe that nobody writes to, a
device without end, a link that leads elsewhere, or to more bytes than there is memory. Whatever citeplug reads of a
project it reads here; its own files, in the user's data directory, it need not.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from citeplug.errors import UnreadableInput

# Bytes of one file that are read, by the end of its name: what takes less than 20 s and 1 GB, whatever is in it. A
# thesis has 2 MB of TeX, a .bib of a working group 5 MB, the record of a section less than 1 MB.
_LARGEST: Mapping[str, int] = {".bib": 60_000_000, ".json": 20_000_000}
_LARGEST_OTHER = 20_000_000
MOST_ENTRIES = 100_000  # files and folders of a project that are looked at when it is looked through
# A pipe or a terminal is then opened without waiting for its other end, or becoming the process's own.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_NONBLOCK", 0)
)
_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


class NotRead(OSError):
    """A file that is there and is not read: `why` says so in plain words, with the bound, and `advice` what the
    author may do."""

    def __init__(self, path: Path, why: str, advice: str) -> None:
        super().__init__(0, why, str(path))
        self.why = why
        self.advice = advice


class TooMany(NotRead):
    """A folder that holds more than is looked through."""


def unreadable(path: Path, error: OSError) -> UnreadableInput:
    """What to raise to the user where there is no doing without a file."""
    advice = error.advice if isinstance(error, NotRead) else "check its permissions"
    return UnreadableInput(f"{path} cannot be read: {error.strerror or error}", advice)


def largest(path: Path) -> int:
    """The bytes of a file of this name that are read."""
    return _LARGEST.get(path.suffix.lower(), _LARGEST_OTHER)


def in_megabytes(size: int) -> str:
    return f"{size / 1e6:g} MB" if size >= 1_000_000 else f"{size / 1e3:g} kB"


def read_bytes(path: Path, most: int | None = None, *, within: Path | None = None) -> bytes:
    """The content of an ordinary file of at most `most` bytes (default: as `largest` says).

    With `within`, a folder, a link that leads out of it is not followed. Raises OSError, NotRead if the file is there.
    """
    most = largest(path) if most is None else most
    handle = _opened(path, within)
    with os.fdopen(handle, "rb") as stream:
        data = stream.read(most + 1) if os.fstat(handle).st_size <= most else None
    if data is None or len(data) > most:
        raise NotRead(path, f"it is larger than {in_megabytes(most)}", "split it, or leave out what is not needed")
    return data


def read_beginning(path: Path, size: int) -> bytes:
    """At most the first `size` bytes of an ordinary file, however large. Raises OSError."""
    with os.fdopen(_opened(path, None), "rb") as stream:
        return stream.read(size)


def obstacle(path: Path) -> str | None:
    """What stands where a file should, such as "it is a pipe, not a file"; None for a file, and for nothing."""
    try:
        return _kind(path.stat().st_mode)
    except OSError as error:
        return error.strerror if error.errno in (errno.ELOOP, errno.EACCES) else None
    except ValueError:
        return None


def leads_inside(path: Path, folder: Path) -> bool:
    """Whether what a path leads to, links followed, lies in a folder or is that."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        return False


def names_in(folder: Path, most: int = MOST_ENTRIES) -> list[str]:
    """The names in a folder, sorted. Raises OSError, TooMany beyond `most`."""
    names = []
    with os.scandir(folder) as entries:
        for entry in entries:
            names.append(entry.name)
            if len(names) > most:
                raise _too_many(folder, most)
    return sorted(names)


def walk(
    top: Path, skip: Callable[[str], bool] = lambda name: name.startswith("."), most: int = MOST_ENTRIES
) -> Iterator[Path]:
    """Whatever lies in a folder and beneath it and is no folder, by name, a folder's own before what lies beneath.

    Folders of which `skip` says so, by name, are left out, and so are those to which a link leads; what cannot be
    listed is passed over. Raises TooMany after `most` files and folders.
    """
    waiting, seen = [top], 0
    while waiting:
        folder = waiting.pop()
        folders: list[str] = []
        files: list[str] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    seen += 1
                    if seen > most:
                        raise _too_many(top, most)
                    (folders if entry.is_dir(follow_symlinks=False) else files).append(entry.name)
        except TooMany:
            raise
        except OSError:
            continue
        yield from (folder / name for name in sorted(files))
        waiting += [folder / name for name in sorted(folders, reverse=True) if not skip(name)]


@dataclass(slots=True)
class Allowance:
    """The bytes, or characters, that may still be read of the files of one project together."""

    most: int
    taken: int = 0

    def take(self, path: Path, size: int) -> None:
        """Count `size` of a file. Raises NotRead if that is more than is left."""
        if self.taken + size > self.most:
            why = f"the files of the project are larger than {in_megabytes(self.most)} together"
            raise NotRead(path, why, "leave out what is not needed")
        self.taken += size


def _opened(path: Path, within: Path | None) -> int:
    # Before it is opened: to some devices that alone does something.
    _need_ordinary(path, path.stat().st_mode)
    if within is not None and not leads_inside(path, within):
        raise NotRead(path, "it is a link that leads out of the project", "put the file itself there")
    handle = os.open(path, _FLAGS)
    try:
        _need_ordinary(path, os.fstat(handle).st_mode)  # it may be another by now
    except OSError:
        os.close(handle)
        raise
    return handle


def _need_ordinary(path: Path, mode: int) -> None:
    if what := _kind(mode):
        raise NotRead(path, what, "put a file there, or name another")


def _kind(mode: int) -> str | None:
    if stat.S_ISREG(mode):
        return None
    return f"it is {next((name for test, name in _KINDS if test(mode)), 'something else')}, not a file"


def _too_many(folder: Path, most: int) -> TooMany:
    return TooMany(folder, f"it holds more than {most:,} files and folders", "name the file that is meant")
