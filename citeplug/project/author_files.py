"""Reading, editing and copying files of the author's; every byte outside the edits stays.

Locks: one citeplug process at a time writes a project's files, or one .bib file.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from citeplug.errors import ChangedMeanwhile, CiteplugError, StoreBusy, UnreadableInput
from citeplug.files.atomic import Change, name_for, telling_of
from citeplug.files.decode import decode
from citeplug.files.project_files import read_bytes, unreadable
from citeplug.records.finding import TextEdit


def as_tex_path(path: Path, folder: Path) -> str:
    """`path` as LaTeX wants it: seen from the root's folder, with `/`; absolute only on another drive."""
    if path.is_relative_to(folder):
        return path.relative_to(folder).as_posix()
    try:
        # Links are resolved first: from a linked folder, `..` leads elsewhere.
        return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
    except ValueError:
        return path.as_posix()


def edits_as_changes(
    edits: Sequence[TextEdit], within: Path, check: Callable[[Path], Callable[[], None] | None] = lambda file: None
) -> list[Change]:
    """The author's files with `edits` spliced in; every byte outside them stays as it was.

    What `check` gives for a file is called in the last moment. Raises UnreadableInput, also if the file's encoding
    lacks a character.
    """
    by_file: dict[Path, list[TextEdit]] = {}
    for edit in edits:
        by_file.setdefault(edit.file, []).append(edit)
    files = []
    for file, changes in by_file.items():
        text, encode = read_exactly(file)
        files.append(Change(file, encoded(edited(text, changes), file, encode), within, check(file)))
    return files


def encoded(text: str, file: Path, encode: Callable[[str], bytes]) -> bytes:
    """The bytes of `text` in the file's encoding. Raises UnreadableInput if that lacks a character."""
    try:
        return encode(text)
    except UnicodeEncodeError as error:
        sign = text[error.start : error.end][:1]
        raise UnreadableInput(
            f"{file} is in {error.encoding}, which has no “{sign}”; it was not changed", "save it as UTF-8"
        ) from error


def edited(text: str, edits: Sequence[TextEdit]) -> str:
    """`text` with edits that do not overlap carried out."""
    for change in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: change.start] + change.new_text + text[change.end :]
    return text


def read_exactly(file: Path, declared: str | None = None) -> tuple[str, Callable[[str], bytes]]:
    """The text of a file of the author's, and the function that turns it back into the same bytes.

    `declared` is as in `decode`; a file of ASCII alone, which fits every encoding, is written in that one.
    """
    data = _read(file)
    decoded = decode(data, declared)
    if decoded.exact and decoded.text.encode(decoded.encoding, "replace") == data:
        encoding = declared if declared and decoded.encoding == "utf-8" and data.isascii() else decoded.encoding
        return decoded.text, lambda text: text.encode(encoding)
    raise UnreadableInput(f"{file} has bytes that fit no encoding, so it was not changed", "save it as UTF-8")


def read_or_none(path: Path, declared: str | None = None) -> str | None:
    """The text of a file, None if there is none; `declared` is as in `decode`.

    Raises UnreadableInput if it cannot be read.
    """
    data = bytes_or_none(path)
    return None if data is None else decode(data, declared).text


def bytes_or_none(path: Path) -> bytes | None:
    """The content of a file, None if there is none. Raises UnreadableInput if it cannot be read."""
    try:
        return read_bytes(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable(path, error) from error


def copy_kept(path: Path) -> Change:
    """A copy of `path` beside itself as .bak (.bak2, ... if that is taken)."""
    number = 1
    while True:
        copy = path.with_name(path.name + ".bak" + (str(number) if number > 1 else ""))
        if not copy.exists() and not copy.is_symlink():
            break
        number += 1

    def still_free() -> None:
        if copy.exists() or copy.is_symlink():
            raise ChangedMeanwhile(
                f"{copy} was made in the meantime, so it was not changed", "run the same command again"
            )

    return Change(copy, _read(path), check=still_free)


def _read(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except OSError as error:
        raise unreadable(path, error) from error


@contextmanager
def one_at_a_time(home: Path, path: Path, wait: float = 10.0) -> Iterator[None]:
    """Let one process at a time change `path`, a file or the main file of a project; the lock is in `home`.

    Raises StoreBusy after `wait` seconds, CannotWrite if no lock can be made there.
    """
    # Not in the project, so that no lock file appears beside the author's files.
    busy = StoreBusy(f"another citeplug process is changing {path}", "try again when it has finished")
    with locked(home / "locks" / f"{name_for(path)}.lock", lambda: busy, wait):
        yield


@contextmanager
def locked(lock: Path, busy: Callable[[], CiteplugError], wait: float = 0.0) -> Iterator[None]:
    """Hold a lock file in the user's data directory; the system lets it go with the process, however that ends.

    Raises what `busy` gives if another process still holds it after `wait` seconds, CannotWrite if it cannot be made.
    """
    from filelock import FileLock, Timeout

    held = FileLock(lock, timeout=wait)
    try:
        with telling_of(lock, at_home=True):
            lock.parent.mkdir(parents=True, exist_ok=True)
            held.acquire()
    except Timeout as error:
        raise busy() from error
    try:
        yield
    finally:
        held.release()
