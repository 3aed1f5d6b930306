"""The first pages of PDFs, read in a process of their own whose time, memory and words are bounded."""

from dataclasses import dataclass
from pathlib import Path

from citeplug.corpus.fulltext.text_reader import TextReader
from citeplug.errors import Unfit, UnreadableInput
from citeplug.files.project_files import read_beginning

MOST_BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class FirstPages:
    """`text` of the first two pages as the file has it, `largest` its line of the largest letters, and the `title` that
    the file names, often a program's; each may be empty."""

    text: str
    largest: str = ""
    title: str = ""


def read_first_pages(path: Path, reader: TextReader) -> FirstPages:
    """Raises UnreadableInput for what is too large, encrypted, broken, too slow, or without text, such as a scan."""
    try:
        size = path.stat().st_size
        head = read_beginning(path, 1024)
    except OSError as error:
        raise UnreadableInput(f"cannot read {path}: {error.strerror}", "check the path and its permissions") from error
    if b"%PDF-" not in head:
        raise UnreadableInput(f"{path} is not a PDF", "name a PDF, or take it out of the folder")
    if size > MOST_BYTES:
        raise UnreadableInput(
            f"{path} has more than {MOST_BYTES // 1_000_000} MB: it was not read", "describe it in a .bib file"
        )
    try:
        said = reader.first_pages(path)
    except Unfit as error:
        if error.code == "encrypted":
            raise UnreadableInput(
                f"{path} is encrypted", "save it without a password, or describe it in a .bib file"
            ) from None
        raise UnreadableInput(
            f"{path} cannot be read ({error})", "save it again, or describe it in a .bib file"
        ) from None
    pages = FirstPages(*(str(said.get(name) or "") for name in ("text", "largest", "title")))
    if sum(letter.isalpha() for letter in pages.text) < 40:
        raise UnreadableInput(
            f"{path} has no text on its first pages: it may be a scan", "run a text recognition over it first"
        )
    return pages
