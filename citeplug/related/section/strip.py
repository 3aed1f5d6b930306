"""`citeplug section strip`: the section without citeplug's comments, to standard output or into a file.

For a submission: arXiv publishes sources with their comments.
"""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from citeplug.errors import UnreadableInput, WouldOverwrite
from citeplug.files.atomic import Change, write_together
from citeplug.files.project_files import as_given
from citeplug.project.author_files import bytes_or_none, copy_kept, read_exactly
from citeplug.project.find_project import find_section
from citeplug.section_file.grammar import read_related

_DIRECTIVE = re.compile(r"[ \t]*%+[ \t]*citeplug[ \t]*:([ \t]*)(.*?)[ \t]*", re.IGNORECASE)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_KNOWN = re.compile(r"\d+\b|(?:begin|end|heading|ignore|ignore-file|keep|note)\b")
_BOM = "\ufeff"
FOLDER = "stripped"


@dataclass(frozen=True, slots=True)
class Stripped:
    """A section without comments. `data` is in the encoding of the source file; `removed` counts lines.

    `unwritten` are blocks with a plan and no text: nothing of them is left.
    """

    source: Path
    data: bytes
    removed: int
    unwritten: tuple[str, ...]


def strip_section(path: Path | None) -> Stripped:
    """Strip citeplug's comments from the section at `path`, a file, a draft or a folder. Raises UnreadableInput."""
    source = find_section(path)
    text, encode = read_exactly(source)
    stripped = strip_comments(text)
    blocks = read_related(text).blocks
    return Stripped(
        source,
        encode(stripped),
        len(text.splitlines()) - len(stripped.splitlines()),
        tuple(block.id for block in blocks if not block.text.strip()),
    )


def write_stripped(stripped: Stripped, out: Path, home: Path, *, force: bool) -> bool:
    """Write the result to `out`; False if `out` has that content already.

    A file that is not an earlier result (whose hash is in `home`) is overwritten only with `force`, and a copy is
    kept. Raises WouldOverwrite, UnreadableInput, CannotWrite.
    """
    out = as_given(out)
    if out.is_dir() or not out.parent.is_dir():
        raise UnreadableInput(
            f"{out} cannot be written: it is a folder, or its folder does not exist", "give a file with -o"
        )
    note = home / FOLDER / hashlib.sha256(str(out).encode("utf-8", "replace")).hexdigest()[:16]
    there = bytes_or_none(out)
    changes = []
    if there is not None and there != stripped.data and _digest(there) != _recorded(note):
        if not force:
            raise WouldOverwrite(
                f"{out} exists and was not written by 'citeplug section strip'; it was not changed",
                "give another file, or use --force (a copy is kept as .bak)",
            )
        changes.append(copy_kept(out))
    if there != stripped.data:
        changes.append(Change(out, stripped.data))
    changes.append(Change(note, _digest(stripped.data).encode(), makes_folder=True, at_home=True))
    write_together(changes)
    return there != stripped.data


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _recorded(note: Path) -> str | None:
    try:
        return note.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None


def strip_comments(text: str) -> str:
    """Return `text` without citeplug's comment lines, of any grammar; every other line stays byte for byte.

    In a block, every line that begins with `% citeplug:` is citeplug's. Outside, such a line with a space and then
    other words is a remark of the author's, and stays. Blank lines between removed lines become one.
    """
    mark = _BOM if text.startswith(_BOM) else ""
    lines: list[str] = []
    inside = removed = False
    for line in _LINE.findall(text[len(mark) :]):
        directive = _DIRECTIVE.fullmatch(line.rstrip("\r\n"))
        if directive is not None and (inside or not directive[1] or _KNOWN.match(directive[2])):
            word = directive[2].partition(" ")[0].lower()
            inside = word == "begin" or (inside and word != "end")
            removed = True
        elif not (removed and not line.strip() and lines and not lines[-1].strip()):
            lines.append(line)
            removed = False
    return mark + "".join(lines)
