"""Decoding of .tex and .bib files, whatever encoding the author saved them in."""

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from citeplug.files.project_files import read_bytes

_DECLARED = re.compile(rb"\\(?:usepackage|RequirePackage)\s*\[\s*([A-Za-z0-9-]+)\s*\]\s*\{inputen[cx]\}")
_EMACS = re.compile(rb"-\*-.{0,200}?coding:\s*([A-Za-z0-9_-]+)", re.DOTALL)
# inputenc's names for what Python calls otherwise; latin1 files are written on Windows as often as not.
_NAMES = {
    "latin1": "cp1252",
    "ansinew": "cp1252",
    "cp1252": "cp1252",
    "latin2": "iso8859-2",
    "latin5": "iso8859-9",
    "latin9": "iso8859-15",
    "cp1250": "cp1250",
    "cp1251": "cp1251",
    "applemac": "mac_roman",
    "koi8-r": "koi8_r",
}
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Decoded file. `text` has no byte order mark and the file's line ends; `encoding` is a Python codec name.

    Offsets in `text` are code points. Encoding `text` with `encoding` gives the file's bytes back, unless
    `exact` is False (bytes that the encoding does not have).
    """

    text: str
    encoding: str
    exact: bool = True


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """Decode a file's bytes: byte order mark, UTF-8, the declared `inputenc`, then cp1252 or Latin-1.

    `declared` is the encoding of the document that the file is a part of, for one that declares none itself.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            try:
                return Decoded(data.decode(name), name)
            except UnicodeDecodeError:
                text = data.decode(name, errors="replace")
                return Decoded(text.removeprefix("\ufeff"), name, exact=False)
    wide = _utf16_without_mark(data)
    if wide is not None:
        return wide
    for guess in ("utf-8", declared_encoding(data) or declared, "cp1252"):
        if guess is not None:
            try:
                return Decoded(data.decode(guess), guess)
            except UnicodeDecodeError:
                continue
    return Decoded(data.decode("latin-1"), "latin-1")


def read_text(path: Path) -> Decoded:
    """Read and decode a file, within the bounds of `project_files`. Raises OSError."""
    return decode(read_bytes(path))


def declared_encoding(data: bytes) -> str | None:
    """The codec of the encoding that a file declares to `inputenc` or Emacs; None for UTF-8, and without one."""
    match = _DECLARED.search(data, 0, 20_000) or _EMACS.search(data, 0, 2_000)
    return _NAMES.get(match[1].decode("ascii").lower()) if match else None


def _utf16_without_mark(data: bytes) -> Decoded | None:
    # LaTeX is mostly ASCII: in UTF-16 every second byte of it is then zero, on one side.
    head = data[:2000]
    if len(head) < 4 or len(data) % 2 or b"\0" not in head:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    for zeros, others, name in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if zeros > len(head) * 0.4 and others == 0:
            try:
                return Decoded(data.decode(name), name)
            except UnicodeDecodeError:
                return None
    return None
