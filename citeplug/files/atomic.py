"""Files in the author's project: written whole or not at all, several of them all or none.

Libraries for atomic writes replace one file, and several here belong together.
"""

import contextlib
import errno
import hashlib
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from citeplug.errors import CannotWrite
from citeplug.files.project_files import as_spelled

try:
    import fcntl
except ImportError:  # Windows, where an open file could not be renamed either
    fcntl = None  # type: ignore[assignment]

_TEMPORARY = re.compile(r"\.citeplug-[0-9a-f]{16}\.tmp")
# Sharing violations of Windows: a virus scanner, an indexer or an editor has the file open for a moment.
_HELD_BY_ANOTHER = (5, 32, 33)
# Windows' path not found, which it says of a path that is too long as well, and file name too long.
_TOO_LONG = (3, 206)
_LONGEST = 259 - len(".citeplug-0123456789abcdef.tmp")  # characters of a folder, unless long paths are allowed there
_REPLACE_TRIES = 8
_FIRST_PAUSE = 0.02  # seconds, doubled at each try: 2.5 s in all

_ADVICE = {
    errno.ENOSPC: ("the disk is full", "free some space and run the same command again"),
    errno.EDQUOT: ("your disk quota is used up", "free some space and run the same command again"),
    errno.EFBIG: ("the file would be larger than this system allows", "raise the limit on file sizes"),
    errno.EROFS: ("the file system is read-only", "write to another place, or mount it for writing"),
    errno.EACCES: ("permission denied", "check who owns the file and its folder, and whether you may write there"),
    errno.EPERM: ("permission denied", "check who owns the file and its folder, and whether you may write there"),
    errno.ENOENT: ("the folder does not exist", "create it first, or choose another"),
    errno.ENOTDIR: ("a part of its path is not a folder", "choose another place"),
    errno.EEXIST: ("a part of its path is not a folder", "choose another place"),
    errno.EISDIR: ("it is a folder", "choose another file"),
    errno.EBUSY: ("it is mounted or in use", "release it, or choose another file"),
    errno.EXDEV: ("it is mounted from another file system", "unmount it, or choose another file"),
    errno.ENAMETOOLONG: ("the name is too long", "choose a shorter name"),
    errno.ELOOP: ("its symbolic links form a loop", "correct the links, or choose another file"),
}
_PLACE = (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENOTDIR, errno.EEXIST, errno.ELOOP)
_HOME_HINT = "make it writable, or set the variable CITEPLUG_HOME to another folder"


@dataclass(frozen=True, slots=True)
class Change:
    """New content of a file: `data`, None to delete it.

    A symbolic link is followed, and stays, if its target is in the folder `within`; without `within`, in the folder of
    `path`. `check` is called right before the file is replaced; if it raises, all files stay as they were. With
    `makes_folder`, missing folders are made. With `at_home` the place is the user's data directory.
    """

    path: Path
    data: bytes | None
    within: Path | None = None
    check: Callable[[], None] | None = None
    makes_folder: bool = False
    at_home: bool = False


@dataclass(slots=True)
class _Prepared:
    """A change with the resolved path of its file and the temporary file of its new content.

    `held` is that file, locked, as the sign that it is no leftover.
    """

    change: Change
    target: Path
    mode: int | None
    temporary: Path
    before: bytes | None = None
    held: BinaryIO | None = None

    def release(self) -> None:
        if self.held is not None:
            with contextlib.suppress(OSError):  # on a full disk what is left to be written fails once more
                self.held.close()


def write_together(changes: Sequence[Change]) -> None:
    """Make all changes, or none. An existing file keeps its permission bits; a new one gets those of the umask.

    The new contents are first written to temporary files beside the old ones, so that errors (full disk, permissions)
    come before anything is changed. Then the files are replaced in the order given; if that fails, or a `check` raises,
    the files replaced by then get their old content back. A reader sees the old or the new file, never a part; after
    a kill the first files may be new, the others old, and files `.citeplug-*.tmp` may be left beside them: the next
    call that writes there removes them, but not on Windows.

    Raises CannotWrite, with the file and what to do, if a place is outside its tree, is no ordinary file, is marked
    read-only, or if the system refuses.
    """
    prepared: list[_Prepared] = []
    changed: list[_Prepared] = []
    folders: list[Path] = []
    try:
        for change in changes:
            with telling_of(change.path, at_home=change.at_home):
                _prepare(change, prepared, folders)
        for item in prepared:
            if item.change.check is not None:
                item.change.check()
        for item in prepared:
            with telling_of(item.change.path, at_home=item.change.at_home):
                _carry_out(item, changed)
    except BaseException as error:
        unrestored = [item.change.path for item in reversed(changed) if not _restore(item)]
        for item in prepared:
            item.release()
            with contextlib.suppress(OSError):
                item.temporary.unlink(missing_ok=True)
        for folder in reversed(folders):
            with contextlib.suppress(OSError):
                folder.rmdir()
        if unrestored:
            names = ", ".join(map(str, unrestored))
            raise CannotWrite(f"{error}; {names} could not be restored and are changed", _hint_of(error)) from error
        raise
    finally:
        for item in prepared:
            item.release()
    for folder in dict.fromkeys(item.target.parent for item in prepared):
        _sync_folder(folder)


def write_atomically(
    path: Path, data: bytes, *, within: Path | None = None, check: Callable[[], None] | None = None
) -> None:
    """Replace the content of `path` by `data` at once; see `write_together` and `Change`."""
    write_together([Change(path, data, within, check)])


def write_at_home(path: Path, data: bytes) -> None:
    """Replace a file in the user's data directory; missing folders are made."""
    write_together([Change(path, data, makes_folder=True, at_home=True)])


@contextmanager
def telling_of(path: Path, *, at_home: bool = False) -> Iterator[None]:
    """Raise CannotWrite in place of an OSError about `path`; `at_home` if it is in the user's data directory."""
    try:
        yield
    except TimeoutError:  # a lock that another process holds
        raise
    except OSError as error:
        raise explained(path, error, at_home=at_home) from error


def _prepare(change: Change, prepared: list[_Prepared], folders: list[Path]) -> None:
    target = _follow(change.path, change.within)
    mode = _mode_of(target)
    if change.makes_folder:
        _make_folder(target.parent, folders)
    if all(target.parent != other.target.parent for other in prepared):
        _remove_leftovers(target.parent)
    item = _Prepared(change, target, mode, target.parent / f".citeplug-{secrets.token_hex(8)}.tmp")
    prepared.append(item)
    if change.data is not None:
        _write_new(item, change.data)
    elif not os.access(target.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _make_folder(folder: Path, made: list[Path]) -> None:
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    for parent in reversed(missing):
        parent.mkdir(exist_ok=True)
        made.append(parent)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def _carry_out(item: _Prepared, changed: list[_Prepared]) -> None:
    if item.change.check is not None:
        item.change.check()
    with contextlib.suppress(FileNotFoundError):
        item.before = item.target.read_bytes()
    # Before the call: an interrupt may come right after it.
    changed.append(item)
    if item.change.data is not None:
        _replace(item.temporary, item.target)
    else:
        item.target.unlink(missing_ok=True)


def _restore(item: _Prepared) -> bool:
    """Restore the old content of a file; False if another program has saved the file since, or it cannot be written."""
    try:
        now = item.target.read_bytes() if item.target.exists() else None
        if now == item.before:
            return True
        if now != item.change.data:
            return False
        if item.before is None:
            item.target.unlink()
        else:
            item.release()
            _write_new(item, item.before)
            _replace(item.temporary, item.target)
    except OSError:
        return False
    return True


def _hint_of(error: BaseException) -> str:
    return getattr(error, "hint", "") or "check these files, and run the same command again"


def _follow(path: Path, within: Path | None) -> Path:
    """Return `path` with every link followed. Raises CannotWrite if that is outside the tree."""
    try:
        target = path.resolve()
        tree = (path.parent if within is None else within).resolve()
    except RuntimeError as error:  # pathlib raises it for a loop of links
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from error
    if not target.is_relative_to(tree):
        how = "is a link that leads out of" if path.is_symlink() else "is outside"
        raise CannotWrite(f"{path} {how} {tree}; it was not changed", "choose a file inside the project")
    return target


def _mode_of(target: Path) -> int | None:
    """Return the permission bits of the file, None if there is none."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise CannotWrite(f"{target} is not a regular file", "choose another file")
    # Replacing a file needs no permission on the file itself, so its read-only bit is checked here.
    if not mode & 0o222 or not os.access(target, os.W_OK):
        raise CannotWrite(f"{target} is read-only", "make it writable, or choose another file")
    return stat.S_IMODE(mode)


def _write_new(item: _Prepared, data: bytes) -> None:
    """Write the temporary file, and hold it until it is released."""
    item.held = stream = _made(item.temporary)
    stream.write(data)
    stream.flush()
    os.fsync(stream.fileno())
    if fcntl is None:
        stream.close()
    if item.mode is not None:
        # Some file systems (FAT, network shares) keep no permission bits; the content matters more.
        with contextlib.suppress(PermissionError, NotImplementedError):
            item.temporary.chmod(item.mode)


def _made(temporary: Path) -> BinaryIO:
    """A new file, locked where the system can; the lock ends with the process, however that ends."""
    while True:
        stream = temporary.open("xb")
        if fcntl is not None:
            with contextlib.suppress(OSError):  # some network shares have no locks, and no leftover is removed there
                fcntl.flock(stream, fcntl.LOCK_EX)
            # Another process may have taken it for a leftover before it was locked.
            if os.fstat(stream.fileno()).st_nlink == 0:
                stream.close()
                continue
        return stream


def _remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of processes that were killed: those that nobody holds."""
    if fcntl is None:
        return
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if _TEMPORARY.fullmatch(path.name):
                with contextlib.suppress(OSError):
                    _remove_unless_held(path)


def _remove_unless_held(path: Path) -> None:
    """Raises OSError if another process holds the file, or it is none."""
    if not stat.S_ISREG(path.lstat().st_mode):
        return
    with path.open("rb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()


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
    """Sync the folder, so that the new name survives a power cut; not on Windows."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def explained(path: Path, error: OSError, *, at_home: bool = False) -> CannotWrite:
    """Return an OSError about `path` as CannotWrite, with a hint; `at_home` if it is in the user's data directory."""
    number = error.errno
    if getattr(error, "winerror", None) in (32, 33):
        return CannotWrite(f"cannot write {path}: another program has it open", "close it there and try again")
    if getattr(error, "winerror", None) in _TOO_LONG and len(str(path.parent.absolute())) >= _LONGEST:
        hint = "use a folder with a shorter path, or set LongPathsEnabled in the registry of Windows"
        return CannotWrite(f"cannot write {path}: the path is longer than Windows allows", hint)
    reason, hint = _ADVICE.get(number or 0, (error.strerror or str(error), "try another place"))
    return CannotWrite(f"cannot write {path}: {reason}", _HOME_HINT if at_home and number in _PLACE else hint)


def unexpected(error: OSError) -> CannotWrite:
    """Return an OSError that no caller has handled as CannotWrite, with a hint."""
    where = error.filename if isinstance(error.filename, str) else "a file"
    reason, hint = _ADVICE.get(
        error.errno or 0, (error.strerror or str(error), "check that it can be read and written")
    )
    return CannotWrite(f"cannot read or write {where}: {reason}", hint)


def name_for(path: Path) -> str:
    """Return the name (16 hexadecimal digits) of this file's data in the user's data directory."""
    return hashlib.sha256(str(as_spelled(path.resolve())).encode("utf-8", "replace")).hexdigest()[:16]
