"""Files in the author's project: written whole or not at all."""

import contextlib
import errno
import hashlib
import os
import secrets
import stat
import time
from collections.abc import Callable
from pathlib import Path

from citeplug.errors import CannotWrite

# Sharing violations of Windows: a virus scanner, an indexer or an editor has the file open for a moment.
_HELD_BY_ANOTHER = (5, 32, 33)
_REPLACE_TRIES = 8
_FIRST_PAUSE = 0.02  # seconds, doubled at each try: 2.5 s in all

_ADVICE = {
    errno.ENOSPC: ("the disk is full", "free some space and run the same command again"),
    errno.EDQUOT: ("your disk quota is used up", "free some space and run the same command again"),
    errno.EFBIG: ("the file would be larger than this system allows", "raise the limit on file sizes"),
    errno.EROFS: ("the file system is read-only", "write to another place, or mount it for writing"),
    errno.EACCES: ("permission denied", "check who owns the file and its folder, and whether you may write there"),
    errno.EPERM: ("permission denied", "check who owns the file and its folder, and whether you may write there"),
    errno.ENOENT: ("the folder does not exist", "make it first, or name another"),
    errno.ENOTDIR: ("a part of its path is not a folder", "name another place"),
    errno.ENAMETOOLONG: ("the name is too long", "name another file"),
    errno.ELOOP: ("its symbolic links lead in a circle", "mend the links, or name another file"),
}


def write_atomically(
    path: Path, data: bytes, *, within: Path | None = None, check: Callable[[], None] | None = None
) -> None:
    """Replace the content of `path` by `data` at once: whoever reads it, or is killed, has the old or the new.

    A file that is there keeps its permission bits; a new one gets those of the user's umask. A symbolic link
    is followed, and stays, if what it leads to lies in the tree of `within`; without `within`, in the folder
    of `path`. After a kill a file `.citeplug-*.tmp` may be left beside it, and nothing else. `check` is called in the
    last moment; what it raises leaves everything as it was.

    Raises CannotWrite, with what to do, if the place is outside that tree, is no ordinary file, is marked
    read-only, or if the system refuses (full disk, permissions); the old content is then untouched.
    """
    try:
        target = _follow(path, within)
        mode = _mode_of(target)
        temporary = target.parent / f".citeplug-{secrets.token_hex(8)}.tmp"
        try:
            _write_new(temporary, data, mode)
            if check is not None:
                check()
            _replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)
    except (OSError, RuntimeError) as error:
        raise _explained(path, error) from error


def _follow(path: Path, within: Path | None) -> Path:
    """The real place of `path`, every link followed. Raises CannotWrite if that lies outside the tree."""
    target = path.resolve()
    tree = (path.parent if within is None else within).resolve()
    if not target.is_relative_to(tree):
        how = "is a link that leads out of" if path.is_symlink() else "lies outside"
        raise CannotWrite(f"{path} {how} {tree}; it is left alone", "name a file inside the project")
    return target


def _mode_of(target: Path) -> int | None:
    """The permission bits of the file that is there, None if there is none."""
    try:
        found = target.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found):
        raise CannotWrite(f"{target} is not an ordinary file", "name another file")
    # Replacing needs no right to the file itself, so the author's protection of it is asked for here.
    if not found & 0o222 or not os.access(target, os.W_OK):
        raise CannotWrite(f"{target} is read-only", "make it writable, or name another file")
    return stat.S_IMODE(found)


def _write_new(temporary: Path, data: bytes, mode: int | None) -> None:
    with temporary.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    if mode is not None:
        # Some file systems (FAT, network shares) keep no permission bits; the content matters more.
        with contextlib.suppress(PermissionError, NotImplementedError):
            temporary.chmod(mode)


def _replace(temporary: Path, target: Path) -> None:
    for attempt in range(_REPLACE_TRIES):
        try:
            temporary.replace(target)
            return
        except PermissionError as error:
            if getattr(error, "winerror", None) not in _HELD_BY_ANOTHER or attempt == _REPLACE_TRIES - 1:
                raise
            time.sleep(_FIRST_PAUSE * 2**attempt)


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power cut, where the system lets a folder be synced."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _explained(path: Path, error: OSError | RuntimeError) -> CannotWrite:
    number = getattr(error, "errno", None)
    if isinstance(error, RuntimeError):  # pathlib's word for a circle of links
        number = errno.ELOOP
    if getattr(error, "winerror", None) in (32, 33):
        return CannotWrite(f"cannot write {path}: another program has it open", "close it there and try again")
    reason, hint = _ADVICE.get(number or 0, (getattr(error, "strerror", None) or str(error), "try another place"))
    return CannotWrite(f"cannot write {path}: {reason}", hint)


def name_for(path: Path) -> str:
    """The name (16 hexadecimal digits) under which the user's data directory keeps what belongs to this file."""
    return hashlib.sha256(str(path.resolve()).encode("utf-8", "replace")).hexdigest()[:16]
