"""JSON Lines of a file, plain or compressed, or of standard input, read in constant memory."""

import gzip
import json
import math
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from citeplug.errors import UnreadableInput
from citeplug.files.project_files import NotRead, open_regular

LONGEST_LINE = 16 * 1024 * 1024  # bytes; a record of 3,000 authors has 0.2 MB
_BLOCK = 1 << 20
_BLANK = re.compile(rb"[\t-\r ]*")
# What reading a stream raises whose file is cut short or damaged.
_DAMAGED = (EOFError, OSError, zlib.error, zipfile.BadZipFile)


class JsonLines:
    """The lines of one file that are not blank, each with its number from 1; to be read once.

    `skipped` counts lines that are too long. `truncated` says, after the end, in words, that the file broke off; what
    came before was read. With `whole` either is an error instead. `size` is the file's in bytes, as it lies on disk.
    With `or_stdin` the path "-" is standard input. `on_block` is called after each megabyte. Raises UnreadableInput if
    the path is no regular file that can be opened.
    """

    def __init__(self, path: Path, *, whole: bool = False, or_stdin: bool = False) -> None:
        self.path = path
        self.skipped = 0
        self.truncated: str | None = None
        self.on_block: Callable[[], None] = lambda: None
        self.size = 0
        self._whole = whole
        self._stdin = or_stdin and str(path) == "-"
        self._raw: BinaryIO | None = None
        if not self._stdin:
            with self._open():
                self.size = path.stat().st_size

    @property
    def consumed(self) -> int:
        """Bytes of the file read so far, as it lies on disk."""
        if self._raw is None:
            return 0
        return self.size if self._raw.closed else self._raw.tell()

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines, without white space before them. Raises UnreadableInput."""
        if self._stdin:
            yield from self._lines(_blocks_of(sys.stdin.buffer))
            return
        with self._open() as self._raw:
            for blocks in _contents(self.path, self._raw):
                yield from self._lines(blocks)

    def too_long(self, number: int) -> None:
        """Called for a line that is too long to be read."""
        self.skipped += 1
        if self._whole:
            message = f"{self.path}, line {number} is longer than {LONGEST_LINE >> 20} MB"
            raise UnreadableInput(message, "write one JSON object per line")

    def _open(self) -> BinaryIO:
        try:
            return open_regular(self.path)
        except OSError as error:
            hint = error.advice if isinstance(error, NotRead) else "check the path"
            raise UnreadableInput(f"cannot read {self.path}: {error.strerror or error}", hint) from error

    def _lines(self, plain: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
        number, rest, inside = 1, b"", False  # `inside` a line that is too long
        for block in self._checked(plain):
            here, searched = 0, len(rest)
            text = rest + block
            if inside:
                here = text.find(b"\n") + 1
                if not here:
                    continue
                number, inside = number + 1, False
            while True:
                # Blank lines in one step: a small archive can hold hundreds of millions.
                content = _BLANK.match(text, here).end()  # type: ignore[union-attr]
                number += text.count(b"\n", here, content)
                end = text.find(b"\n", max(content, searched))
                here = content
                if end < 0:
                    break
                if end - here < LONGEST_LINE:
                    yield number, text[here : end + 1]
                else:
                    self.too_long(number)
                here, number = end + 1, number + 1
            rest = text[here:]
            if len(rest) >= LONGEST_LINE:
                self.too_long(number)
                rest, inside = b"", True
        if rest:
            yield number, rest

    def _checked(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        mark = b"\xef\xbb\xbf"
        try:
            for block in blocks:
                yield block.removeprefix(mark)
                mark = b""
                self.on_block()
        except _DAMAGED as error:
            self.truncated = f"{self.path} is damaged or truncated ({error}): what precedes the damage was added"
            if self._whole:
                raise UnreadableInput(self.truncated, "download the file again") from error


def _contents(path: Path, raw: BinaryIO) -> Iterator[Iterator[bytes]]:
    """The plain contents, in blocks, of each file in the open file `raw`, a .gz, .zst or .zip by its first bytes.

    Reading may raise one of `_DAMAGED`. Raises UnreadableInput for an archive that cannot be opened at all.
    """
    magic = raw.read(4)
    raw.seek(0)
    if magic[:2] == b"\x1f\x8b":
        yield _blocks_of(gzip.GzipFile(fileobj=raw))
    elif magic == b"\x28\xb5\x2f\xfd":
        yield _zstd_blocks(raw)
    elif magic[:2] == b"PK":
        try:
            with zipfile.ZipFile(raw) as archive:
                for member in archive.infolist():
                    if not member.is_dir():
                        with archive.open(member) as stream:
                            yield _blocks_of(stream)
        except (RuntimeError, NotImplementedError) as error:
            raise UnreadableInput(f"cannot read {path}: {error}", "unpack it and give the file inside") from error
        except (zipfile.BadZipFile, OSError) as error:
            raise UnreadableInput(f"cannot read {path}: {error}", "the archive is incomplete: get it again") from error
    else:
        yield _blocks_of(raw)


def _blocks_of(stream: Any) -> Iterator[bytes]:
    """What can be read, as it comes: who writes queries into a pipe waits for the answer to each."""
    while block := stream.read1(_BLOCK):
        yield block


def _zstd_blocks(raw: BinaryIO) -> Iterator[bytes]:
    """The contents of Zstandard frames. The library's own reader does not notice a cut file."""
    import zstandard

    # 2 GiB: files made with `zstd --long=31`, as large dumps are
    decompressor = zstandard.ZstdDecompressor(max_window_size=1 << 31)
    frame, data, complete = decompressor.decompressobj(), b"", True
    while data := data or raw.read(1 << 17):
        try:
            if block := frame.decompress(data):
                yield block
        except zstandard.ZstdError as error:
            raise EOFError(str(error)) from error
        data, complete = frame.unused_data, frame.eof
        if complete:
            frame = decompressor.decompressobj()
    if not complete:
        raise EOFError("the compressed data ends prematurely")


def read_json(line: bytes, once: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """Return the value of a line of JSON; `once` makes its objects of their names and values.

    Raises ValueError for what is none: numbers that are not finite and too deep a nesting as well.
    """
    try:
        return json.loads(line.decode("utf-8-sig"), parse_constant=_refuse, parse_float=_finite, object_pairs_hook=once)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is out of range")
    return number
