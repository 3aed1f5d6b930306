"""Zip archives from elsewhere, unpacked within bounds, and written anew from the folder."""

import io
import lzma
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from citeplug.errors import CannotWrite, UnreadableInput, UnsafeProject
from citeplug.files.atomic import write_atomically
from citeplug.files.project_files import obstacle
from citeplug.text.file_names import why_no_name

MOST_ENTRIES = 10_000
MOST_BYTES = 500_000_000  # of all that is unpacked
LARGEST = 200_000_000  # of one file, and of the archive itself
_CHUNK = 1 << 16
_ENCRYPTED, _UTF8 = 0x1, 0x800
# What `zipfile` raises for archives that are damaged, or packed in ways that it does not know.
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(ValueError, OverflowError, EOFError, NotImplementedError, RuntimeError),
)


class Archive:
    """A zip archive whose entries were checked. Raises UnreadableInput, UnsafeProject.

    Refused are links and other special files, encrypted entries, names that lead out of the folder or that not every
    system can have, names that differ in case alone, and more or larger entries than the bounds above.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            if what := obstacle(path):
                raise UnreadableInput(f"{path} cannot be read: {what}", "name the zip of the project")
            if path.stat().st_size > LARGEST:
                raise UnsafeProject(f"{path} is larger than {LARGEST // 1_000_000} MB", "leave large files out of it")
            with zipfile.ZipFile(path) as opened:
                infos = opened.infolist()
                self._comment = opened.comment
        except FileNotFoundError:
            raise UnreadableInput(f"{path} does not exist", "name the zip of the project") from None
        except _DAMAGED as error:
            raise UnreadableInput(
                f"{path} is not a working zip archive: {error}", "download or pack it again"
            ) from error
        except OSError as error:
            raise UnreadableInput(
                f"{path} cannot be read: {error.strerror or error}", "check its permissions"
            ) from error
        if not infos:
            raise UnreadableInput(f"{path} has no entries", "download or pack it again")
        if len(infos) > MOST_ENTRIES:
            raise UnsafeProject(f"{path} has more than {MOST_ENTRIES} entries", "leave some out")
        self._entries = [(_checked_name(info), info) for info in infos]
        _check_together([name for name, _ in self._entries])

    def unpack(self, folder: Path) -> None:
        """Write the entries beneath `folder`. Raises UnreadableInput, UnsafeProject, CannotWrite."""
        left = MOST_BYTES
        with zipfile.ZipFile(self.path) as opened:
            for name, info in self._entries:
                place = folder / name
                try:
                    if info.is_dir():
                        place.mkdir(parents=True, exist_ok=True)
                        continue
                    place.parent.mkdir(parents=True, exist_ok=True)
                    with place.open("xb") as target:
                        for chunk in self._content(opened, info, name, min(left, LARGEST)):
                            left -= target.write(chunk)
                except OSError as error:
                    raise CannotWrite(
                        f"{name!r} cannot be unpacked: {error.strerror or error}", "check the free space"
                    ) from error

    def _content(self, opened: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, most: int) -> Iterator[bytes]:
        """The bytes of one entry, at most `most`: what an archive says of its sizes is not believed.

        An OSError is the archive's fault here as well: a damaged place is sought in vain, bzip2 tells damage with it.
        """
        size = 0
        try:
            with opened.open(info) as source:
                while chunk := source.read(_CHUNK):
                    size += len(chunk)
                    if size > most:
                        raise UnsafeProject(
                            f"{self.path} unpacks to more than {MOST_BYTES // 1_000_000} MB, or {name!r} to more than"
                            f" {LARGEST // 1_000_000} MB",
                            "leave large files out of it",
                        )
                    yield chunk
        except (*_DAMAGED, OSError) as error:
            raise UnreadableInput(f"{name!r} in {self.path} cannot be unpacked: {error}", "pack it again") from error

    def write(self, out: Path, folder: Path, *, changed_only: bool = False) -> list[str]:
        """Write what is beneath `folder` as an archive to `out`, whole or not at all; return the changed files' names.

        The entries of this archive that are still there come first, in their order, and those whose content is the same
        keep their dates; with `changed_only` they are left out. Raises CannotWrite.
        """
        changed: list[str] = []
        written: set[str] = set()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
            target.comment = self._comment
            for name, info in self._entries:
                place = folder / name
                if not place.exists():
                    continue
                written.add(name)
                same = place.is_dir() or zlib.crc32(place.read_bytes()) == info.CRC
                changed += [] if same else [name]
                if not (same and changed_only):
                    _pack(target, place, name, info)
            for place in sorted(folder.rglob("*")):
                # HFS+ gives names decomposed, and those of the archive are composed.
                name = unicodedata.normalize("NFC", place.relative_to(folder).as_posix())
                if name not in written and place.is_file() and not place.is_symlink():
                    _pack(target, place, name, None)
                    changed.append(name)
        write_atomically(out, packed.getvalue())
        return changed


def _pack(target: zipfile.ZipFile, place: Path, name: str, before: zipfile.ZipInfo | None) -> None:
    """Add one file or folder; `before` is its entry in the archive that was read."""
    entry = zipfile.ZipInfo.from_file(place, name, strict_timestamps=False)
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    entry.compress_type = zipfile.ZIP_STORED if place.is_dir() else zipfile.ZIP_DEFLATED
    data = b"" if place.is_dir() else place.read_bytes()
    if before is not None:
        entry.external_attr, entry.comment = before.external_attr, before.comment
        if zlib.crc32(data) == before.CRC:
            entry.date_time, entry.compress_type = before.date_time, before.compress_type
    target.writestr(entry, data)


def _checked_name(info: zipfile.ZipInfo) -> str:
    """The name under which an entry is unpacked, with `/`.

    Raises UnsafeProject for one that may not be: a link or another special file, an encrypted one, a name that leads
    out of the folder, or that not every system can have.
    """
    name = info.orig_filename
    if not info.flag_bits & _UTF8:
        # Apple's archives say nothing of their encoding, and it is UTF-8; `zipfile` took it for the old code page.
        with suppress(UnicodeDecodeError):
            name = name.encode("cp437").decode("utf-8")
    shown = "".join(sign if sign.isprintable() else "?" for sign in name)[:80]
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise UnsafeProject(f"the entry {shown!r} is a link", "pack the file itself")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise UnsafeProject(f"the entry {shown!r} is not a regular file", "leave it out")
    if info.flag_bits & _ENCRYPTED:
        raise UnsafeProject(f"the entry {shown!r} is encrypted", "pack it without a password")
    why = why_no_name(name.removesuffix("/"))
    if why:
        raise UnsafeProject(f"the entry {shown!r} {why}; nothing is unpacked", "rename it, and pack it again")
    return unicodedata.normalize("NFC", name)


def _check_together(names: list[str]) -> None:
    """Raise UnsafeProject if two names are one on some system, or one is a file and a folder at once."""
    files: set[str] = set()
    folders: set[str] = set()
    for name in names:
        folded = unicodedata.normalize("NFC", name).casefold()
        above = [str(parent) for parent in PurePosixPath(folded).parents][:-1]
        folders.update(above)
        if folded.endswith("/"):
            folders.add(folded.rstrip("/"))
        elif folded in files:
            raise UnsafeProject(f"the entry {name!r} occurs twice, or in upper and lower case", "leave one out")
        else:
            files.add(folded)
    if both := files & folders:
        raise UnsafeProject(f"the entry {min(both)!r} is a file and a folder at once", "pack it again")
