"""Zip archives: unpacked within bounds, and written again with every other entry as it was, byte for byte.

The entries that stay are copied as they lie there, compressed, with their names and dates in whatever encoding; only
the directory at the end is written anew.
"""

import os
import secrets
import stat
import struct
import time
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from citeplug.adapters.zip_names import check_together, checked_name
from citeplug.errors import CannotWrite, UnreadableInput, UnsafeProject
from citeplug.files.project_files import obstacle

MOST_ENTRIES = 10_000
MOST_BYTES = 500_000_000  # of all that is unpacked
LARGEST = 200_000_000  # of one file, and of the archive itself
_CHUNK = 1 << 16
_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_UTF8 = 0x800


@dataclass(frozen=True, slots=True)
class _Entry:
    """`name` is how it is unpacked; `record` its record in the directory; its data lie from `start` to `end`."""

    name: str
    info: zipfile.ZipInfo
    record: bytes
    start: int
    end: int


class Archive:
    """A zip archive that was looked through. Raises UnreadableInput, UnsafeProject.

    Refused are links and other special files, encrypted entries, names that lead out of the folder or that not every
    system can have, names that differ in case alone, and more or larger entries than the bounds above.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            if what := obstacle(path):
                raise UnreadableInput(f"{path} cannot be read: {what}", "name the zip of the project")
            size = path.stat().st_size
            if size > LARGEST:
                raise UnsafeProject(f"{path} is larger than {LARGEST // 1_000_000} MB", "leave large files out of it")
            with zipfile.ZipFile(path) as opened:
                infos = opened.infolist()
                start = getattr(opened, "start_dir", 0)
                self._comment = opened.comment
            self._entries = self._read(infos, start)
        except FileNotFoundError:
            raise UnreadableInput(f"{path} does not exist", "name the zip of the project") from None
        except (zipfile.BadZipFile, struct.error, ValueError, EOFError, NotImplementedError) as error:
            raise UnreadableInput(
                f"{path} is no sound zip archive: {error}", "download or pack it once more"
            ) from error
        except OSError as error:
            raise UnreadableInput(f"{path} cannot be read: {error.strerror or error}", "check its rights") from error

    def _read(self, infos: list[zipfile.ZipInfo], start: int) -> list[_Entry]:
        if len(infos) > MOST_ENTRIES:
            raise UnsafeProject(f"{self.path} has more than {MOST_ENTRIES} entries", "leave some out")
        with self.path.open("rb") as stream:
            records = _records(stream, start, len(infos))
            offsets = [_CENTRAL.unpack_from(record)[16] for record in records]
            if any(info.header_offset != offset for info, offset in zip(infos, offsets, strict=True)):
                raise UnsafeProject(f"{self.path} has something in front of its first entry", "pack it once more")
            ends = dict(zip(sorted(offsets), [*sorted(offsets)[1:], start], strict=True))
            if len(ends) != len(offsets):
                raise UnsafeProject(f"{self.path} has entries that overlap", "pack it once more")
            entries = []
            for info, record in zip(infos, records, strict=True):
                end = ends[info.header_offset]
                _check_extent(stream, info, end, self.path)
                entries.append(_Entry(checked_name(info, _raw_name(record)), info, record, info.header_offset, end))
        check_together([entry.name for entry in entries])
        return entries

    def unpack(self, folder: Path) -> dict[str, bytes]:
        """Write the entries beneath `folder`; returns the digest of each file, by its name with `/`."""
        import hashlib

        left = MOST_BYTES
        found: dict[str, bytes] = {}
        with zipfile.ZipFile(self.path) as opened:
            for entry in self._entries:
                place = folder.joinpath(*PurePosixPath(entry.name).parts)
                if entry.info.is_dir():
                    place.mkdir(parents=True, exist_ok=True)
                    continue
                if entry.name.startswith("__MACOSX/"):
                    continue
                place.parent.mkdir(parents=True, exist_ok=True)
                digest = hashlib.sha256()
                most = min(left, LARGEST)
                try:
                    with opened.open(entry.info) as source, place.open("xb") as target:
                        while chunk := source.read(_CHUNK):
                            most -= len(chunk)
                            left -= len(chunk)
                            if most < 0:
                                raise UnsafeProject(
                                    f"{self.path} unpacks to more than {MOST_BYTES // 1_000_000} MB, or {entry.name!r}"
                                    f" to more than {LARGEST // 1_000_000} MB",
                                    "leave large files out of it",
                                )
                            digest.update(chunk)
                            target.write(chunk)
                except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
                    raise UnreadableInput(
                        f"{entry.name!r} in {self.path} cannot be unpacked: {error}", "pack it once more"
                    ) from error
                except OSError as error:
                    raise CannotWrite(
                        f"{entry.name!r} cannot be unpacked: {error.strerror or error}", "see that there is room"
                    ) from error
                found[entry.name] = digest.digest()
        return found

    def write(self, out: Path, changed: Mapping[str, bytes | None]) -> None:
        """Write the archive to `out` at once, with these files replaced, added, or, where None, taken out.

        Raises CannotWrite; what stood at `out` before is then as it was.
        """
        temporary = out.parent / f".citeplug-{secrets.token_hex(8)}.tmp"
        try:
            with self.path.open("rb") as source, temporary.open("xb") as target:
                self._copy(source, target, dict(changed))
                target.flush()
                os.fsync(target.fileno())
            temporary.replace(out)
        except OSError as error:
            raise CannotWrite(f"cannot write {out}: {error.strerror or error}", "name another place") from error
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)

    def _copy(self, source: BinaryIO, target: BinaryIO, changed: Mapping[str, bytes | None]) -> None:
        records: list[bytes] = []
        for entry in self._entries:
            at = target.tell()
            if entry.name not in changed:
                source.seek(entry.start)
                left = entry.end - entry.start
                while left and (chunk := source.read(min(_CHUNK, left))):
                    left -= len(chunk)
                    target.write(chunk)
                records.append(_moved(entry.record, at))
            elif (data := changed[entry.name]) is not None:
                attributes = entry.info.external_attr
                records.append(
                    _written(target, _raw_name(entry.record), data, attributes, entry.info.flag_bits & _UTF8)
                )
        there = {entry.name for entry in self._entries}
        for name, data in changed.items():
            if name not in there and data is not None:
                records.append(_written(target, name.encode(), data, (stat.S_IFREG | 0o644) << 16, _UTF8))
        start = target.tell()
        for record in records:
            target.write(record)
        size = target.tell() - start
        if len(records) > 0xFFFF or start + size > 0xFFFFFFFF:
            raise CannotWrite("the archive becomes too large for a zip", "leave large files out of it")
        counts = (len(records), len(records))
        target.write(_END.pack(b"PK\5\6", 0, 0, *counts, size, start, len(self._comment)) + self._comment)


def _records(stream: BinaryIO, start: int, count: int) -> list[bytes]:
    """The records of the directory, as they lie there."""
    stream.seek(start)
    found = []
    for _ in range(count):
        head = stream.read(_CENTRAL.size)
        fields = _CENTRAL.unpack(head)
        if fields[0] != b"PK\1\2":
            raise zipfile.BadZipFile("its directory is damaged")
        found.append(head + stream.read(fields[10] + fields[11] + fields[12]))
    return found


def _raw_name(record: bytes) -> bytes:
    return record[_CENTRAL.size : _CENTRAL.size + _CENTRAL.unpack_from(record)[10]]


def _moved(record: bytes, at: int) -> bytes:
    """A record of the directory for the same entry at another place."""
    return record[:42] + struct.pack("<L", at) + record[46:]


def _written(target: BinaryIO, name: bytes, data: bytes, attributes: int, flags: int) -> bytes:
    """Write an entry; returns its record for the directory."""
    at = target.tell()
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(data) + packer.flush()
    now = time.localtime()
    day = max(0, now.tm_year - 1980) << 9 | now.tm_mon << 5 | now.tm_mday
    clock = now.tm_hour << 11 | now.tm_min << 5 | now.tm_sec // 2
    common = (flags, zipfile.ZIP_DEFLATED, clock, day, zlib.crc32(data), len(packed), len(data), len(name), 0)
    target.write(_LOCAL.pack(b"PK\3\4", 20, *common) + name + packed)
    unix = 3 << 8 | 20
    return _CENTRAL.pack(b"PK\1\2", unix, 20, *common, 0, 0, 0, attributes, at) + name


def _check_extent(stream: BinaryIO, info: zipfile.ZipInfo, end: int, path: Path) -> None:
    """Whether what the entry says of its size fits between its beginning and that of the next."""
    stream.seek(info.header_offset)
    fields = _LOCAL.unpack(stream.read(_LOCAL.size))
    if fields[0] != b"PK\3\4":
        raise zipfile.BadZipFile("an entry is not where the directory says")
    if info.header_offset + _LOCAL.size + fields[9] + fields[10] + info.compress_size > end:
        raise UnsafeProject(f"{path} has entries that overlap", "pack it once more")
