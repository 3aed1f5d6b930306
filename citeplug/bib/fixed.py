"""Corrections of a bibliography: those to make, and those made, with the files before and after."""

from dataclasses import dataclass
from pathlib import Path

from citeplug.bib.bib_file import BibFile, read_bib_file, write_bib_files
from citeplug.errors import ChangedMeanwhile
from citeplug.records.finding import Finding
from citeplug.text.three_way_merge import unified


@dataclass(frozen=True, slots=True)
class Fixed:
    """A correction in the entry `key`; `code` is that of the finding.

    `field` with its new `value` (None: removed), or, for an error of syntax, the finding's `message` and no `field`.
    `record` is the id or the service that says so, None if the file itself does.
    """

    key: str
    file: Path
    line: int
    code: str
    field: str | None = None
    value: str | None = None
    message: str | None = None
    record: str | None = None


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A .bib file and its corrected text `after`, which is the old one if nothing was changed."""

    file: BibFile
    after: str

    @property
    def changed(self) -> bool:
        return self.after != self.file.text

    def diff(self) -> str:
        """Return a unified diff, with the line ends of the file; empty if nothing changes."""
        mark = "\ufeff" if self.file.encoding == "utf-8-sig" else ""
        return unified(mark + self.file.text, mark + self.after, self.file.path.name)

    def diff_bytes(self) -> bytes:
        """Return the diff in the encoding of the file, so that `patch` can apply it."""
        encoding = "utf-8" if self.file.encoding == "utf-8-sig" else self.file.encoding
        errors = "surrogateescape" if encoding == "utf-8" else "replace"
        return self.diff().encode(encoding, errors)


@dataclass(frozen=True, slots=True)
class FixResult:
    """Corrections, and the findings left to the author. Nothing is written yet.

    `close` counts the entries left whose titles differ a little from their records' (`is_close`).
    """

    files: tuple[FixedFile, ...]
    fixed: tuple[Fixed, ...]
    remaining: tuple[Finding, ...]
    outage: bool
    close: int = 0

    def write(self, home: Path) -> None:
        """Write all files, or none. Raises as `BibFile.write`."""
        write_bib_files([(file.file, file.after) for file in self.files if file.changed], home)

    def take_back(self, home: Path) -> None:
        """Write the files as they were, all or none. Raises ChangedMeanwhile if one is not as it was corrected."""
        current = [(fixed, read_bib_file(fixed.file.path)) for fixed in self.files if fixed.changed]
        for fixed, file in current:
            if file.text != fixed.after:
                raise ChangedMeanwhile(
                    f"this cannot be undone: {file.path.name} was changed since, by another program",
                    "change it back by hand",
                )
        write_bib_files([(file, fixed.file.text) for fixed, file in current], home)


@dataclass(frozen=True, slots=True)
class FixRequest:
    """Corrections to make. `only`: codes of findings, empty for all; `published`: replace preprints.

    `camera_ready`: also those that are made before a paper is printed.
    """

    only: frozenset[str] = frozenset()
    published: bool = False
    camera_ready: bool = False

    def takes(self, code: str) -> bool:
        return not self.only or code in self.only
