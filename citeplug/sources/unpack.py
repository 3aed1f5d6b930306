"""Sources of papers as arXiv sends them: recognised by their first bytes, and unpacked within bounds.

Only in a process whose time and memory are bounded. Of an archive regular files alone are taken, with names that lead
nowhere else, and of those only what TeX reads; nothing is written here, and nothing is ever run.
"""

import io
import re
import tarfile
import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from citeplug.errors import Unfit

MOST_BYTES = 100_000_000  # of what is sent, and of all that is unpacked
MOST_MEMBERS = 2_000
MOST_RATIO = 100  # of unpacked to packed bytes; LaTeX has 3 to 10
MOST_KEPT = 40_000_000  # bytes of the kept files together
KEPT = (".tex", ".ltx", ".latex", ".bbl", ".bib", ".sty")
_SMALL = 1_000_000  # bytes up to which the ratio does not count: a short file of blanks is no bomb
_DEEPEST = 20
_LONGEST_NAME = 240  # bytes: file systems take 255, of a part of it
_ODD = re.compile(r"[\x00-\x1f\x7f<>:\"|?*\\]")
# Atomic and possessive: a comment ends where it ends, and no other way of reading hundreds of them is tried.
_HTML = re.compile(
    rb"\s*+(?>(?:<\?xml[^>]*>|<!--.*?-->)\s*){0,5}+<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_TEX = re.compile(rb"\\(?:documentclass|documentstyle|begin|input|section|title|magnification|font|def|bye|end)\b")
_WITHDRAWN = re.compile(rb"withdrawn|retracted", re.IGNORECASE)
_AUTO_IGNORE = re.compile(rb"\s*%\s*auto-ignore", re.IGNORECASE)
_NOTICE = 3_000  # bytes of a file that may say no more than that a paper was withdrawn


@dataclass(frozen=True, slots=True)
class Unpacked:
    """`files` by their names in the archive, `/` between folders; or else `pdf` or `html`.

    `doubts` as in `ReadText`.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    pdf: bytes | None = None
    html: bytes | None = None
    doubts: tuple[tuple[str, str], ...] = ()


def unpack(data: bytes) -> Unpacked:
    """The contents of a source. Raises Unfit for what is none, was withdrawn, or is larger than the bounds."""
    if len(data) > MOST_BYTES:
        raise _too_large()
    packed = data.startswith(b"\x1f\x8b")
    plain = _gunzipped(data) if packed else data
    if plain.startswith(b"\x1f\x8b"):
        raise Unfit("not_a_source", "it is packed twice")
    if _is_tar(plain):
        return _from_tar(plain)
    if b"%PDF-" in plain[:1024]:
        return Unpacked(pdf=plain)
    head = plain[:_NOTICE]
    if _HTML.match(head):
        if _WITHDRAWN.search(plain[:200_000]) and not packed:
            raise Unfit("withdrawn", "the paper was withdrawn")
        if not packed:
            raise Unfit(
                "web_page",
                "a web page was returned instead of the source",
                "log in to the network you are on, or check the address set for it",
            )
        return Unpacked(html=plain)
    if _is_notice(plain):
        raise Unfit("withdrawn", "the paper was withdrawn")
    if plain.startswith((b"%!PS", b"\x04%!PS")):
        raise Unfit("not_a_source", "it is PostScript")
    if b"\x00" in head or not _TEX.search(plain):
        raise Unfit("not_a_source", "it is neither LaTeX nor a PDF")
    return Unpacked(files={"main.tex": plain})


def _too_large() -> Unfit:
    return Unfit("too_large", f"it unpacks to more than {MOST_BYTES // 1_000_000} MB")


def _gunzipped(data: bytes) -> bytes:
    """All members of a gzip file, as far as the bounds allow."""
    out = bytearray()
    rest = data
    while rest.startswith(b"\x1f\x8b"):
        stream = zlib.decompressobj(31)
        try:
            while rest and not stream.eof:
                out += stream.decompress(rest, 1 << 20)
                rest = stream.unconsumed_tail
                _check_size(len(out), len(data))
            out += stream.flush()
        except zlib.error as error:
            raise Unfit("broken", f"it is damaged ({error})", "get it again") from None
        if not stream.eof:
            raise Unfit("broken", "it is truncated", "get it again")
        rest = stream.unused_data
    return bytes(out)


def _check_size(size: int, packed: int) -> None:
    if size > MOST_BYTES:
        raise _too_large()
    if size > _SMALL and size > MOST_RATIO * packed:
        raise Unfit("too_large", f"it unpacks to more than {MOST_RATIO} times its size")


def _is_tar(data: bytes) -> bool:
    if data[257:262] == b"ustar":
        return True
    try:  # archives from before 1988 have no mark, but a sum of their own
        tarfile.TarInfo.frombuf(data[:512], "utf-8", "replace")
    except (tarfile.HeaderError, ValueError):
        return False
    return len(data) >= 1024


def _from_tar(data: bytes) -> Unpacked:
    files: dict[str, bytes] = {}
    left_out: Counter[str] = Counter()
    pdf: bytes | None = None
    size = count = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:", errors="replace") as archive:
            for member in archive:
                count += 1
                if count > MOST_MEMBERS:
                    raise Unfit("too_large", f"it has more than {MOST_MEMBERS:,} files")
                why = _why_not(member)
                if why:
                    left_out[why] += 1
                    continue
                name = member.name.removeprefix("./")
                wanted = name.lower().endswith(KEPT) or PurePosixPath(name).name.lower().startswith("00readme")
                if not member.isreg() or not (wanted or name.lower().endswith(".pdf")):
                    continue
                opened = archive.extractfile(member)
                content = opened.read() if opened is not None else b""
                if not wanted:
                    pdf = max(pdf or b"", content, key=len)
                    continue
                size += len(content)
                if size > MOST_KEPT:
                    raise _too_large()
                files[name] = content
    except (tarfile.TarError, EOFError, ValueError, UnicodeError) as error:
        if not files:
            raise Unfit("broken", f"it is a damaged archive ({error})", "get it again") from None
        left_out["behind a damaged place"] += 1
    texts = [content for name, content in files.items() if name.lower().endswith(KEPT[:3])]
    if texts and all(_is_notice(content) for content in texts):
        raise Unfit("withdrawn", "the paper was withdrawn")
    doubts = tuple(("full_text_partial", f"left out of its source: {n} {why}") for why, n in sorted(left_out.items()))
    return Unpacked(files, pdf if pdf and not texts else None, None, doubts)


def _is_notice(content: bytes) -> bool:
    """True for a file that says no more than that the paper was withdrawn."""
    bare = re.sub(rb"(?m)%.*$", b"", content)
    marked = _AUTO_IGNORE.match(content) is not None
    return len(bare) < _NOTICE and _WITHDRAWN.search(content) is not None and (marked or len(bare.split()) < 150)


def _why_not(member: tarfile.TarInfo) -> str:
    """The reason why a member is left out; folders, and files that TeX does not read, are passed over without one."""
    if member.issym() or member.islnk():
        return "links"
    if not (member.isreg() or member.isdir()):
        return "special files"
    if member.issparse():
        return "files with holes"
    name = member.name.removeprefix("./")
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or _ODD.search(name) or len(parts) > _DEEPEST:
        return "" if member.isdir() and name in (".", "") else "names that lead elsewhere"
    return "names that are too long" if len(name.encode("utf-8", "replace")) > _LONGEST_NAME else ""
