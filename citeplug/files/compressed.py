"""Streaming decompression of .gz, .zip and .zst files, with a clear error if a file is cut short."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, cast

from citeplug.errors import UnreadableInput

# Exceptions of a stream whose file is cut short or damaged.
DAMAGED = (EOFError, OSError, zlib.error, zipfile.BadZipFile)
_BUFFER = 1 << 20


def plain_streams(path: Path, raw: BinaryIO, stack: ExitStack) -> Iterator[io.BufferedIOBase]:
    """Yield the plain contents of the open file `raw`, one stream for each file in it; first bytes give the type.

    `path` is for messages; `stack` closes what was opened. Reading may raise one of `DAMAGED`.
    Raises UnreadableInput if the file is an archive that cannot be opened at all.
    """
    magic = raw.read(4)
    raw.seek(0)
    if magic[:2] == b"\x1f\x8b":
        import gzip

        # Without another buffer: if the file is cut, its content would be lost.
        yield stack.enter_context(gzip.GzipFile(fileobj=raw))
    elif magic == b"\x28\xb5\x2f\xfd":
        yield _buffered(_ZstdStream(raw), stack)
    elif magic[:2] == b"PK":
        try:
            archive = stack.enter_context(zipfile.ZipFile(raw))
        except (zipfile.BadZipFile, OSError) as error:
            raise UnreadableInput(f"cannot read {path}: {error}", "the archive is incomplete: get it again") from error
        for member in archive.infolist():
            if member.is_dir():
                continue
            try:
                opened = archive.open(member)
            except (RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
                raise UnreadableInput(f"cannot read {path}: {error}", "unpack it and give the file inside") from error
            yield _buffered(opened, stack)
    else:
        yield _buffered(raw, stack)


def _buffered(stream: object, stack: ExitStack) -> io.BufferedReader:
    return stack.enter_context(io.BufferedReader(cast(io.RawIOBase, stream), _BUFFER))


class _ZstdStream(io.RawIOBase):
    """Reader of Zstandard frames; the library's own does not notice a cut file."""

    def __init__(self, raw: BinaryIO) -> None:
        import zstandard

        self._raw = raw
        # 2 GiB: files made with `zstd --long=31`, as large dumps are
        self._decompressor = zstandard.ZstdDecompressor(max_window_size=1 << 31)
        self._error = zstandard.ZstdError
        self._frame = self._decompressor.decompressobj()
        self._inside = False
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            if not self._fill():
                return 0
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _fill(self) -> bool:
        rest = self._frame.unused_data if self._frame.eof else b""
        if self._frame.eof:
            self._frame, self._inside = self._decompressor.decompressobj(), False
        data = rest or self._raw.read(1 << 17)
        if not data:
            if self._inside:
                raise EOFError("the compressed data ends in the middle")
            return False
        try:
            self._ready = self._frame.decompress(data)
        except self._error as error:
            raise EOFError(str(error)) from error
        self._inside = True
        return True
