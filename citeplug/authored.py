"""Files of the author's: read, edited in places, copied, and every byte beside that as it was."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from citeplug.adapters.files import write_atomically
from citeplug.errors import UnreadableInput
from citeplug.records.review import TextEdit
from citeplug.tex.decode import decode


def as_tex_path(path: Path, folder: Path) -> str:
    """`path` as LaTeX wants it: seen from the root's folder, with `/`; absolute only on another drive."""
    if path.is_relative_to(folder):
        return path.relative_to(folder).as_posix()
    try:
        # Links are resolved first: from a linked folder, `..` leads elsewhere.
        return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
    except ValueError:
        return path.as_posix()


def apply_edits(
    edits: Sequence[TextEdit], within: Path, check: Callable[[Path], Callable[[], None] | None] = lambda file: None
) -> None:
    """Splice `edits` into the author's files; every byte outside them stays as it was.

    What `check` gives for a file is called in the last moment, and what it raises leaves that file as it was.
    """
    by_file: dict[Path, list[TextEdit]] = {}
    for edit in edits:
        by_file.setdefault(edit.file, []).append(edit)
    for file, changes in by_file.items():
        text, encode = read_exactly(file)
        write_atomically(file, encode(edited(text, changes)), within=within, check=check(file))


def edited(text: str, edits: Sequence[TextEdit]) -> str:
    """`text` with edits that do not overlap carried out."""
    for change in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: change.start] + change.new_text + text[change.end :]
    return text


def read_exactly(file: Path) -> tuple[str, Callable[[str], bytes]]:
    """The text of a file of the author's, and the function that turns it back into the same bytes."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UnreadableInput(f"cannot read {file}: {error.strerror}", "check its permissions") from error
    decoded = decode(data)
    if decoded.exact and decoded.text.encode(decoded.encoding, "replace") == data:
        return decoded.text, lambda text: text.encode(decoded.encoding)
    raise UnreadableInput(f"{file} has bytes that fit no encoding: it is left alone", "save it as UTF-8")


def read_or_none(path: Path) -> str | None:
    """The text of a file, None if there is none. Raises UnreadableInput if it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8-sig", "replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableInput(f"cannot read {path}: {error.strerror}", "check its permissions") from error


def keep_copy(path: Path) -> Path:
    """Copy `path` beside itself as .bak (.bak2, ... if that is taken); returns the copy."""
    number = 1
    while True:
        copy = path.with_name(path.name + ".bak" + (str(number) if number > 1 else ""))
        try:
            with copy.open("xb") as stream:
                stream.write(path.read_bytes())
            return copy
        except FileExistsError:
            number += 1
