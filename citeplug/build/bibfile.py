"""A .bib file that somebody else wrote: read to the byte, and written only if it is still what was read."""

from dataclasses import dataclass
from pathlib import Path

from citeplug.adapters.files import write_atomically
from citeplug.build.locks import one_at_a_time
from citeplug.errors import UnreadableInput, WouldOverwrite
from citeplug.records.draft import BibEntry
from citeplug.tex.decode import decode
from citeplug.tex.entries import read_bib

_BOM = b"\xef\xbb\xbf"
_UNICODE = ("utf-8", "utf-8-sig", "utf-16-le", "utf-16-be")


@dataclass(frozen=True, slots=True)
class BibFile:
    """`text` has the file's line ends and no byte order mark; bytes that fit no encoding are lone surrogates in it."""

    path: Path
    data: bytes
    text: str
    encoding: str

    @property
    def takes_unicode(self) -> bool:
        """Whether letters beyond ASCII can be added to it: an old encoding has few, and is easily mistaken."""
        return self.encoding in _UNICODE

    def entries(self) -> list[BibEntry]:
        return read_bib(self.text, self.path).entries

    def encoded(self, text: str) -> bytes:
        """`text` as bytes in the file's encoding, with its byte order mark."""
        if self.encoding == "utf-8-sig":
            return _BOM + text.encode("utf-8", "surrogateescape")
        return text.encode(self.encoding)

    def write(self, text: str, home: Path) -> None:
        """Put `text` in its place, at once or not at all; locks lie in `home`.

        Raises WouldOverwrite if the file is no longer what was read, CannotWrite if the system refuses.
        """
        data = self.encoded(text)
        if data == self.data:
            return
        with one_at_a_time(home, self.path):
            if (_bytes_of(self.path) if self.path.exists() else b"") != self.data:
                raise WouldOverwrite(
                    f"{self.path} was changed in the meantime; it is left alone", "run the same command again"
                )
            write_atomically(self.path, data)


def read_bib_file(path: Path) -> BibFile:
    """Read a .bib file so that it can be written back byte for byte. Raises UnreadableInput."""
    path = path.absolute()
    data = _bytes_of(path)
    decoded = decode(data)
    text, encoding = decoded.text, decoded.encoding
    if not decoded.exact and data.startswith(_BOM):
        text = data[len(_BOM) :].decode("utf-8", "surrogateescape")
    found = BibFile(path, data, text, encoding)
    try:
        exact = found.encoded(text) == data
    except UnicodeEncodeError:
        exact = False
    if not exact:
        raise UnreadableInput(f"{path} has bytes that fit no encoding: it is left alone", "save it as UTF-8")
    return found


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise UnreadableInput(f"{path} does not exist", "name a .bib file that is there") from error
    except OSError as error:
        raise UnreadableInput(f"cannot read {path}: {error.strerror}", "check its permissions") from error
