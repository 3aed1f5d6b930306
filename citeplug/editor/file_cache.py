"""Files of a project as the author sees them: open documents in the editor, else the disk."""

import os
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from citeplug.bibtex.entries import Bibliography, read_bib
from citeplug.editor.bibs import BibReader
from citeplug.editor.documents import PROJECT_PARTS, scheme_of
from citeplug.editor.lines import Lined
from citeplug.files.decode import Decoded, read_text

_MOST_KEPT = 500  # files


@dataclass(slots=True)
class FileCache:
    """Cache of files, valid as long as they do not change on disk. Used by one thread at a time."""

    files: OrderedDict[Path, tuple[tuple[int, int], Decoded, Lined]] = field(default_factory=OrderedDict)
    bibs: OrderedDict[Path, BibReader] = field(default_factory=OrderedDict)

    def file(self, path: Path) -> tuple[Decoded, Lined]:
        """Read a file of the disk. Raises OSError."""
        stat = path.stat()
        stamp = (stat.st_mtime_ns, stat.st_size)
        entry = self.files.get(path)
        if entry is None or entry[0] != stamp:
            decoded = read_text(path)
            entry = (stamp, decoded, Lined(decoded.text))
            self.files[path] = entry
        self.files.move_to_end(path)
        while len(self.files) > _MOST_KEPT:
            self.files.popitem(last=False)
        return entry[1], entry[2]

    def bib(self, path: Path) -> BibReader:
        reader = self.bibs.setdefault(path, BibReader(path))
        self.bibs.move_to_end(path)
        while len(self.bibs) > _MOST_KEPT:
            self.bibs.popitem(last=False)
        return reader


class ProjectFiles:
    """Implementation of `latex.disk.Files` for one reading. `read_texts` and `decoded` are what was read, by path.

    `remote` has the client's answers on files that only it can read, None for a missing one; `wanted` are those that it
    has not been asked for yet. Without `remote` it is never asked.
    """

    def __init__(
        self, buffers: Mapping[Path, Lined], cache: FileCache, remote: Mapping[Path, Lined | None] | None = None
    ) -> None:
        self._buffers = buffers
        self._cache = cache
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
        place = Path(os.path.normpath(path))
        if self._remote is None or place.parts[:PROJECT_PARTS] != path.parts[:PROJECT_PARTS]:
            return False
        if place not in self._remote:
            self.wanted.add(place)
        return place in self._buffers or self._remote.get(place) is not None

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
            self.decoded[path], self.read_texts[path] = self._cache.file(path)
        return self.decoded[path]

    def bibliography(self, path: Path, strings: dict[str, str]) -> Bibliography:
        self.read(path)
        # Errors in the file are reported by the check.
        return Bibliography(list(self._cache.bib(path).read(self.read_texts[path], strings)))


class ReadFiles:
    """Implementation of `latex.disk.Files` over files that were read before, and no others."""

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
