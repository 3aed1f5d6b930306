"""Rules for the entries of a zip archive: those that may be unpacked, and their names on any system."""

import stat
import unicodedata
import zipfile
from contextlib import suppress
from pathlib import PurePosixPath

from citeplug.errors import UnsafeProject

_DEEPEST = 30
_LONGEST = 240  # characters of a name, and of a part of it
_RESERVED = frozenset("con prn aux nul clock$ conin$ conout$".split()) | {
    f"{name}{number}" for name in ("com", "lpt") for number in "123456789¹²³"
}
_ENCRYPTED, _UTF8 = 0x1, 0x800


def checked_name(info: zipfile.ZipInfo) -> str:
    """The name under which an entry is unpacked, with `/`.

    Raises UnsafeProject for one that may not be: a link or another special file, an encrypted one, a name that leads
    out of the folder, or that not every system can have.
    """
    name = info.orig_filename
    if not info.flag_bits & _UTF8:
        # Apple's archives say nothing of their encoding, and it is UTF-8; `zipfile` took it for the old code page.
        with suppress(UnicodeDecodeError):
            name = name.encode("cp437").decode("utf-8")
    shown = "".join(sign if sign.isprintable() else "?" for sign in name)[:80]
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise UnsafeProject(f"the entry {shown!r} is a link", "pack the file itself")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise UnsafeProject(f"the entry {shown!r} is not a regular file", "leave it out")
    if info.flag_bits & _ENCRYPTED:
        raise UnsafeProject(f"the entry {shown!r} is encrypted", "pack it without a password")
    why = _why_not(name.removesuffix("/"))
    if why:
        raise UnsafeProject(f"the entry {shown!r} {why}; nothing is unpacked", "rename it, and pack it again")
    return unicodedata.normalize("NFC", name)


def _why_not(name: str) -> str:
    if not name or any(ord(sign) < 32 or ord(sign) == 127 for sign in name):
        return "has a name that no file can have"
    if name.startswith("/") or "\\" in name or ":" in name:
        return "leads out of the archive, or has a name for one system only"
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "leads out of the archive"
    if len(parts) > _DEEPEST or len(name) > _LONGEST:
        return "is too many folders deep, or has too long a name"
    for part in parts:
        if part[-1] in ". " or any(sign in '<>"|?*' for sign in part) or part.split(".")[0].lower() in _RESERVED:
            return "has a name that Windows does not allow"
    return ""


def check_together(names: list[str]) -> None:
    """Raise UnsafeProject if two names are one on some system, or one is a file and a folder at once."""
    files: set[str] = set()
    folders: set[str] = set()
    for name in names:
        folded = unicodedata.normalize("NFC", name).casefold()
        above = [str(parent) for parent in PurePosixPath(folded).parents][:-1]
        folders.update(above)
        if folded.endswith("/"):
            folders.add(folded.rstrip("/"))
        elif folded in files:
            raise UnsafeProject(f"the entry {name!r} is there twice, or in upper and lower case", "leave one out")
        else:
            files.add(folded)
    if both := files & folders:
        raise UnsafeProject(f"the entry {min(both)!r} is a file and a folder at once", "pack it again")
