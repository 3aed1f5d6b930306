"""The author's .bib files: read byte for byte, and written only if they have not changed since."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from citeplug.bib.exported import need_own
from citeplug.bibtex.entries import read_bib
from citeplug.errors import UnreadableInput, WouldOverwrite
from citeplug.files.atomic import Change, write_together
from citeplug.files.decode import decode
from citeplug.files.project_files import read_bytes, unreadable
from citeplug.project.author_files import one_at_a_time
from citeplug.records.draft import BibEntry

_BOM = b"\xef\xbb\xbf"
_UNICODE = ("utf-8", "utf-8-sig", "utf-16-le", "utf-16-be")


@dataclass(frozen=True, slots=True)
class BibFile:
    """A .bib file. `text` has its line ends and no byte order mark; undecodable bytes are lone surrogates in it."""

    path: Path
    data: bytes
    text: str
    encoding: str

    @property
    def takes_unicode(self) -> bool:
        """True if letters beyond ASCII can be added: an old encoding has few of them, and may be guessed wrongly."""
        return self.encoding in _UNICODE

    def entries(self) -> list[BibEntry]:
        return read_bib(self.text, self.path).entries

    def encoded(self, text: str) -> bytes:
        """Return `text` as bytes in the file's encoding, with its byte order mark."""
        if self.encoding == "utf-8-sig":
            return _BOM + text.encode("utf-8", "surrogateescape")
        return text.encode(self.encoding)

    def write(self, text: str, home: Path) -> None:
        """Replace the file's content by `text`; locks are in `home`.

        Raises WouldOverwrite if the file has changed since it was read, CannotWrite if the system refuses.
        """
        write_bib_files([(self, text)], home)

    def need_unchanged(self) -> None:
        """Raise WouldOverwrite if the file has changed since it was read."""
        if (_bytes_of(self.path) if self.path.exists() else b"") != self.data:
            raise WouldOverwrite(
                f"{self.path} was changed in the meantime; nothing was written", "run the same command again"
            )


def write_bib_files(texts: Sequence[tuple[BibFile, str]], home: Path) -> None:
    """Replace the content of these files, of all or of none; locks are in `home`. Raises as `BibFile.write`."""
    changes = [
        Change(file.path, data, check=file.need_unchanged)
        for file, text in texts
        if (data := file.encoded(text)) != file.data
    ]
    for change in changes:
        need_own(change.path)
    with ExitStack() as locks:
        for path in sorted(
            change.path for change in changes
        ):  # in one order, so that two processes never wait for each other
            locks.enter_context(one_at_a_time(home, path))
        write_together(changes)


def read_bib_file(path: Path) -> BibFile:
    """Read a .bib file so that it can be written back byte for byte. Raises UnreadableInput."""
    path = path.absolute()
    data = _bytes_of(path)
    decoded = decode(data)
    text, encoding = decoded.text, decoded.encoding
    if not decoded.exact and data.startswith(_BOM):
        text = data[len(_BOM) :].decode("utf-8", "surrogateescape")
    file = BibFile(path, data, text, encoding)
    try:
        exact = file.encoded(text) == data
    except UnicodeEncodeError:
        exact = False
    if not exact:
        raise UnreadableInput(f"{path} has bytes that fit no encoding; it was not changed", "save it as UTF-8")
    return file


def _bytes_of(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except FileNotFoundError as error:
        raise UnreadableInput(f"{path} does not exist", "give an existing .bib file") from error
    except OSError as error:
        raise unreadable(path, error) from error
