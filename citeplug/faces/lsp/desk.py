"""The files of a project as the author sees them: what is open in the editor, and the disk behind it."""

import os
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from citeplug.bibtex.entries import Bibliography, read_bib
from citeplug.faces.lsp.bibs import BibReader
from citeplug.faces.lsp.documents import PROJECT_PARTS, scheme_of
from citeplug.faces.lsp.lines import Lined
from citeplug.files.decode import Decoded, read_text

_MOST_KEPT = 500  # files


@dataclass(slots=True)
class Shelf:
    """What was read before, for as long as the file is the same. Used by one thread at a time."""

    files: OrderedDict[Path, tuple[tuple[int, int], Decoded, Lined]] = field(default_factory=OrderedDict)
    bibs: OrderedDict[Path, BibReader] = field(default_factory=OrderedDict)

    def file(self, path: Path) -> tuple[Decoded, Lined]:
        """A file of the disk. Raises OSError."""
        stat = path.stat()
        stamp = (stat.st_mtime_ns, stat.st_size)
        kept = self.files.get(path)
        if kept is None or kept[0] != stamp:
            decoded = read_text(path)
            kept = (stamp, decoded, Lined(decoded.text))
            self.files[path] = kept
        self.files.move_to_end(path)
        while len(self.files) > _MOST_KEPT:
            self.files.popitem(last=False)
        return kept[1], kept[2]

    def bib(self, path: Path) -> BibReader:
        reader = self.bibs.setdefault(path, BibReader(path))
        self.bibs.move_to_end(path)
        while len(self.bibs) > _MOST_KEPT:
            self.bibs.popitem(last=False)
        return reader


class Desk:
    """Implements `tex.disk.Files` for one reading. `read_texts` and `decoded` are what was read, by path.

    `remote` is what the client said of files that it alone can read, None for what is not there; `wanted` are those of
    them that it was not asked for yet. Without `remote` it is never asked.
    """

    def __init__(
        self, buffers: Mapping[Path, Lined], shelf: Shelf, remote: Mapping[Path, Lined | None] | None = None
    ) -> None:
        self._buffers = buffers
        self._shelf = shelf
        self._remote = remote
        self.wanted: set[Path] = set()
        self.read_texts: dict[Path, Lined] = {}
        self.decoded: dict[Path, Decoded] = {}

    @property
    def open_files(self) -> list[Path]:
        return list(self._buffers)

    def is_file(self, path: Path) -> bool:
        if path in self._buffers:
            return True
        if scheme_of(path) is None:
            return path.is_file()
        found = Path(os.path.normpath(path))
        if self._remote is None or found.parts[:PROJECT_PARTS] != path.parts[:PROJECT_PARTS]:
            return False
        if found not in self._remote:
            self.wanted.add(found)
        return found in self._buffers or self._remote.get(found) is not None

    def read(self, path: Path) -> Decoded:
        lined = self._buffers.get(path)
        if lined is None and scheme_of(path) is not None:
            lined = self._remote.get(path) if self._remote is not None and self.is_file(path) else None
            if lined is None:
                raise FileNotFoundError(path)
        if lined is not None:
            self.read_texts[path] = lined
            self.decoded[path] = Decoded(lined.text, "utf-8")
        else:
            self.decoded[path], self.read_texts[path] = self._shelf.file(path)
        return self.decoded[path]

    def bibliography(self, path: Path, strings: dict[str, str]) -> Bibliography:
        self.read(path)
        # What is wrong with a file is told by the check, which reads it more closely.
        return Bibliography(list(self._shelf.bib(path).read(self.read_texts[path], strings)))


class Taken:
    """Implements `tex.disk.Files` over what was read once, and nothing else."""

    def __init__(self, decoded: Mapping[Path, Decoded]) -> None:
        self._decoded = decoded

    def is_file(self, path: Path) -> bool:
        return path in self._decoded

    def read(self, path: Path) -> Decoded:
        if path not in self._decoded:
            raise FileNotFoundError(path)
        return self._decoded[path]

    def bibliography(self, path: Path, strings: dict[str, str]) -> Bibliography:
        return read_bib(self.read(path).text, path, strings=strings)
