"""What `citeplug fix` is asked for, and what it gives back."""

from dataclasses import dataclass
from pathlib import Path

from citeplug.records.finding import Finding
from citeplug.usecases.bib_file import BibFile, write_bib_files
from citeplug.usecases.diff import unified


@dataclass(frozen=True, slots=True)
class Fixed:
    """Something that was put right in the entry `key`; `code` is that of the finding.

    `field` with its new `value` (None: removed), or, for what is wrong in the writing and not in what it says, no
    `field` and the finding's `message`.
    """

    key: str
    file: Path
    line: int
    code: str
    field: str | None = None
    value: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class MendedFile:
    """One file; `after` is `before` where nothing was to be changed."""

    file: BibFile
    after: str

    @property
    def changed(self) -> bool:
        return self.after != self.file.text

    def diff(self) -> str:
        """A unified diff, with the line ends of the file; empty if nothing changes."""
        mark = "\ufeff" if self.file.encoding == "utf-8-sig" else ""
        return unified(mark + self.file.text, mark + self.after, self.file.path.name)

    def diff_bytes(self) -> bytes:
        """The diff in the encoding of the file, so that `patch` can apply it."""
        encoding = "utf-8" if self.file.encoding == "utf-8-sig" else self.file.encoding
        errors = "surrogateescape" if encoding == "utf-8" else "replace"
        return self.diff().encode(encoding, errors)


@dataclass(frozen=True, slots=True)
class Mended:
    """What was put right, and what is left to the author. Nothing has been written yet."""

    files: tuple[MendedFile, ...]
    fixed: tuple[Fixed, ...]
    remaining: tuple[Finding, ...]
    outage: bool

    def write(self, home: Path) -> None:
        """All files, or none. Raises as `BibFile.write`."""
        write_bib_files([(mended.file, mended.after) for mended in self.files if mended.changed], home)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user wants put right. `only`: codes of findings, empty for all; `published`: preprints replaced."""

    only: frozenset[str] = frozenset()
    published: bool = False

    def takes(self, code: str) -> bool:
        return not self.only or code in self.only
