"""The files of a project, from disk or as an editor has them open."""

from functools import lru_cache
from pathlib import Path
from typing import Protocol

from citeplug.bibtex.entries import Bibliography, read_bib
from citeplug.files.decode import Decoded, read_text


class Files(Protocol):
    """The files as they are. One that is open in an editor is what the editor holds, saved or not."""

    def is_file(self, path: Path) -> bool: ...

    def read(self, path: Path) -> Decoded:
        """A file's text. Raises OSError."""
        ...

    def bibliography(self, path: Path, strings: dict[str, str]) -> Bibliography:
        """The entries of a .bib file; `strings` as in `entries.read_bib`. Raises OSError."""
        ...


class Disk:
    """The files of this machine, read anew each time; a .bib file is parsed when its text is another."""

    def is_file(self, path: Path) -> bool:
        return path.is_file()

    def read(self, path: Path) -> Decoded:
        return read_text(path)

    def bibliography(self, path: Path, strings: dict[str, str]) -> Bibliography:
        read, after = _read_kept(self.read(path).text, path, tuple(strings.items()))
        strings.update(after)
        return read


@lru_cache(maxsize=8)
def _read_kept(text: str, path: Path, strings: tuple[tuple[str, str], ...]) -> tuple[Bibliography, dict[str, str]]:
    """The bibliography in a file of this text, and the @string macros after it.

    Kept, as a watcher reads a draft again and again and mostly finds the same text.
    """
    macros = dict(strings)
    return read_bib(text, path, strings=macros), macros


DISK = Disk()
