"""Edits that the editor has made for the server and not reported yet: in unsaved files, or with a delay."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from citeplug.editor.documents import Documents
from citeplug.editor.lines import Lined
from citeplug.files.decode import read_text

_PATIENCE = 1.0  # seconds that an editor takes to report its own change
_GLANCE = 0.01  # seconds

Stamp = tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class _Edit:
    """The text `before` became `after`; `stamp` is that of the file when it held `before`, `when` in monotonic time."""

    before: str
    after: Lined
    stamp: Stamp
    when: float


class Untold:
    """The last unreported edit of each file. Open files are as the editor reports them."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._edits: dict[Path, _Edit] = {}

    def note(self, path: Path, before: str, after: str) -> None:
        """Note that the editor has changed `before` to `after`."""
        known = self._edits.pop(path, None)
        if self._documents.at(path) is None:
            saved = saved_text(path)
            if saved == after:
                return
            # After several unsaved edits the disk still has the text before the first.
            before = known.before if known is not None and known.before == saved else before
        self._edits[path] = _Edit(before, Lined(after), stamp_of(path), time.monotonic())

    def forget(self, path: Path) -> None:
        self._edits.pop(path, None)

    def texts(self) -> Mapping[Path, Lined]:
        """Return the unsaved texts of files that are not open, as far as they are known."""
        for path, edit in list(self._edits.items()):
            if self._documents.at(path) is None and stamp_of(path) != edit.stamp and saved_text(path) != edit.before:
                del self._edits[path]  # it was saved, or changed by another program
        return {path: edit.after for path, edit in self._edits.items() if self._documents.at(path) is None}

    async def settled(self) -> None:
        """Wait until the editor has reported its changes of open files, but not for longer than editors take."""
        while self._is_waiting():
            await asyncio.sleep(_GLANCE)

    def _is_waiting(self) -> bool:
        for path, edit in list(self._edits.items()):
            document = self._documents.at(path)
            if document is None:
                continue
            if document.lined.text != edit.before or time.monotonic() - edit.when > _PATIENCE:
                del self._edits[path]
            else:
                return True
        return False


def saved_text(path: Path) -> str:
    """Return the saved text of a file; empty if there is none, or it cannot be read."""
    try:
        return read_text(path).text if path.is_file() else ""
    except OSError:
        return ""


def stamp_of(path: Path) -> Stamp:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size
