"""Reading of a project's files: regular files only, of bounded size, inside the project.

A project comes by git, by mail or from a co-author, so a name in it may belong to a pipe that nobody writes to, an
endless device, a link that leads elsewhere, or to more bytes than there is memory. All files of a project are read
here; citeplug's own files, in the user's data directory, need not be.
"""

import errno
import os
import stat
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from citeplug.errors import UnreadableInput

# Largest file that is read, in bytes, by extension: less than 20 s and 1 GB of memory, whatever is in it. A thesis
# has 2 MB of TeX, a .bib of a working group 5 MB, the record of a section less than 1 MB.
_LARGEST: Mapping[str, int] = {".bib": 60_000_000, ".json": 20_000_000}
_LARGEST_OTHER = 20_000_000
MOST_ENTRIES = 100_000  # files and folders in a listing of a project
# With these flags a pipe opens without waiting for its other end, and a terminal does not become the process's own.
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
    """A file exists and is not read: `why` gives the reason, with the bound, and `advice` what the author can do."""

    def __init__(self, path: Path, why: str, advice: str) -> None:
        super().__init__(0, why, str(path))
        self.why = why
        self.advice = advice


class TooMany(NotRead):
    """A folder has more files than are listed."""


def as_given(path: str | Path) -> Path:
    """The absolute path of what a user named, `expanded`, in the spelling of the disk."""
    return as_spelled(expanded(path).absolute())


def as_spelled(path: Path) -> Path:
    """An absolute path in letters of the case that the folders have, where a volume takes both for the same.

    Composed (NFC), where it takes decomposed letters for the same, as those of macOS do: one file has one name then.
    """
    composed = Path(unicodedata.normalize("NFC", str(path)))
    if str(composed) != str(path) and _are_same(composed, path):
        path = composed
    if not os.path.exists(path) and path.parent != path:  # noqa: PTH110 - Path.exists may raise
        return as_spelled(path.parent) / path.name
    other = path.with_name(path.name.swapcase()) if path.name else path
    if str(other) == str(path) or not _are_same(other, path):
        return path
    spelled = Path(path.anchor)
    for part in path.parts[1:]:
        try:
            names = names_in(spelled)
        except OSError:
            names = []
        alike = (unicodedata.normalize("NFC", name) for name in names if _folded(name) == _folded(part))
        spelled /= part if part in names else next(alike, part)
    return spelled


def _are_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def expanded(path: str | Path) -> Path:
    """The path in which `~name` is a home directory, or a file if there is no such user."""
    try:
        return Path(path).expanduser()
    except RuntimeError:  # shells take the name as it is, too
        return Path(path)


def unreadable(path: Path, error: OSError) -> UnreadableInput:
    """Return the error for a file that a command cannot do without."""
    advice = error.advice if isinstance(error, NotRead) else "check its permissions"
    return UnreadableInput(f"{path} cannot be read: {error.strerror or error}", advice)


def largest(path: Path) -> int:
    """Return the largest size, in bytes, at which a file of this name is read."""
    return _LARGEST.get(path.suffix.lower(), _LARGEST_OTHER)


def in_megabytes(size: int) -> str:
    return f"{size / 1e6:g} MB" if size >= 1_000_000 else f"{size / 1e3:g} kB"


def read_bytes(path: Path, most: int | None = None, *, within: Path | None = None) -> bytes:
    """Read a regular file of at most `most` bytes (default: `largest`).

    With `within`, a folder, a link that leads out of it is not followed. Raises OSError; NotRead if the file exists.
    """
    most = largest(path) if most is None else most
    handle = _open_file(path, within)
    with os.fdopen(handle, "rb") as stream:
        data = stream.read(most + 1) if os.fstat(handle).st_size <= most else None
    if data is None or len(data) > most:
        raise NotRead(path, f"it is larger than {in_megabytes(most)}", "split it, or remove what is not needed")
    return data


def read_beginning(path: Path, size: int) -> bytes:
    """Read at most the first `size` bytes of a regular file, however large. Raises OSError."""
    with os.fdopen(_open_file(path, None), "rb") as stream:
        return stream.read(size)


def open_regular(path: Path) -> BufferedReader:
    """Open a regular file of any size, to be read in parts. Raises OSError."""
    return os.fdopen(_open_file(path, None), "rb")


def obstacle(path: Path) -> str | None:
    """Return why a path is not a regular file, such as "it is a pipe, not a file"; None for a file or no file."""
    try:
        return _kind(path.stat().st_mode)
    except OSError as error:
        return error.strerror if error.errno in (errno.ELOOP, errno.EACCES) else None
    except ValueError:
        return None


def leads_inside(path: Path, folder: Path) -> bool:
    """Return True if a path, links followed, is the folder or in it."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        return False


def names_in(folder: Path, most: int = MOST_ENTRIES) -> list[str]:
    """Return the names in a folder, sorted. Raises OSError, TooMany beyond `most`."""
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
    """Yield the files in a folder and its subfolders, sorted by name, a folder's own files before those of subfolders.

    Folders for whose name `skip` is true are left out, and so are links to folders and folders that cannot be listed.
    Raises TooMany after `most` files and folders.
    """
    waiting, count = [top], 0
    while waiting:
        folder = waiting.pop()
        folders: list[str] = []
        files: list[str] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    count += 1
                    if count > most:
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
    """Limit on the bytes, or characters, that are read of all files of a project together."""

    most: int
    taken: int = 0

    def take(self, path: Path, size: int) -> None:
        """Count a file of `size`. Raises NotRead if that is more than is left."""
        if self.taken + size > self.most:
            why = f"the files of the project are larger than {in_megabytes(self.most)} together"
            raise NotRead(path, why, "remove what is not needed")
        self.taken += size


def _open_file(path: Path, within: Path | None) -> int:
    # Before opening: some devices act on being opened.
    _need_ordinary(path, path.stat().st_mode)
    if within is not None and not leads_inside(path, within):
        raise NotRead(path, "it is a link that leads out of the project", "copy the file into the project")
    handle = os.open(path, _FLAGS)
    try:
        _need_ordinary(path, os.fstat(handle).st_mode)  # it may have been replaced since
    except OSError:
        os.close(handle)
        raise
    return handle


def _need_ordinary(path: Path, mode: int) -> None:
    if what := _kind(mode):
        raise NotRead(path, what, "put a file there, or choose another")


def _kind(mode: int) -> str | None:
    if stat.S_ISREG(mode):
        return None
    return f"it is {next((name for test, name in _KINDS if test(mode)), 'something else')}, not a file"


def _too_many(folder: Path, most: int) -> TooMany:
    return TooMany(folder, f"it holds more than {most:,} files and folders", "give the path of the file")
