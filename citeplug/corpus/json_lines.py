"""JSON Lines, plain or compressed, read in constant memory."""

import io
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from citeplug.corpus.compressed import DAMAGED, plain_streams
from citeplug.errors import UnreadableInput

LONGEST_LINE = 16 * 1024 * 1024  # bytes; a record of 3,000 authors has 0.2 MB


class JsonLines:
    """The lines of one file that are not blank, each with its number from 1; to be read once.

    `skipped` counts lines that are too long. `truncated` says, after the end, in words, that the file broke off; what
    came before was read. `size` is the file's in bytes, as it lies on disk. Raises UnreadableInput if the file cannot
    be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.skipped = 0
        self.truncated: str | None = None
        self._raw: BinaryIO | None = None
        try:
            with path.open("rb"):
                self.size = path.stat().st_size
        except OSError as error:
            raise UnreadableInput(f"cannot read {path}: {error.strerror or error}", "check the path") from error

    @property
    def consumed(self) -> int:
        """Bytes of the file read so far, as it lies on disk."""
        if self._raw is None:
            return 0
        return self.size if self._raw.closed else self._raw.tell()

    def lines(self) -> Iterator[tuple[int, bytes]]:
        with ExitStack() as stack:
            self._raw = stack.enter_context(self.path.open("rb"))
            for stream in plain_streams(self.path, self._raw, stack):
                yield from self._lines(stream)

    def too_long(self, number: int) -> None:
        """Called for a line that is too long to be read."""
        self.skipped += 1

    def _lines(self, stream: io.BufferedIOBase) -> Iterator[tuple[int, bytes]]:
        number = 1
        try:
            line = stream.readline(LONGEST_LINE).removeprefix(b"\xef\xbb\xbf")
            while line:
                if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                    self.too_long(number)
                    while line and not line.endswith(b"\n"):
                        line = stream.readline(LONGEST_LINE)
                elif not line.isspace():
                    yield number, line
                line = stream.readline(LONGEST_LINE)
                number += 1
        except DAMAGED as error:
            self.truncated = f"{self.path} is damaged or cut short ({error}): what came before was taken in"
