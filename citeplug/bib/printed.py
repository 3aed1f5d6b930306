"""Entries of printed lists of references: of a PDF, a Word document, a text, or a .bbl file."""

from pathlib import Path

from citeplug.bibtex.printed_entry import entry_of_reference
from citeplug.corpus.fulltext.text_reader import TextReader
from citeplug.errors import Unfit, UnreadableInput
from citeplug.files.project_files import read_beginning, unreadable
from citeplug.latex.bibfiles import read_bbl
from citeplug.project.any_draft import is_latex
from citeplug.records.draft import BibEntry

_HINT = "give a file with a list under a heading such as References, or the .bib file that it was made of"


def is_printed(path: Path) -> bool:
    """True for a file whose list of references is read as it is printed, and which no command changes."""
    return path.suffix.lower() == ".bbl" or not is_latex(path)


def read_printed(path: Path) -> list[BibEntry]:
    """The entries of all lists in a file, each at its line, page or paragraph. Raises UnreadableInput without any."""
    try:
        read_beginning(path, 1)
    except FileNotFoundError:
        raise UnreadableInput(f"{path} does not exist", "give a file with a list of references") from None
    except OSError as error:
        raise unreadable(path, error) from error
    if path.suffix.lower() == ".bbl":
        entries = read_bbl(path)
    else:
        try:
            with TextReader() as reader:
                references = reader.read_own(path).text.references
        except Unfit as error:
            raise UnreadableInput(f"{path} cannot be read: {error}", error.hint or _HINT) from None
        entries = [entry_of_reference(reference, path) for reference in references]
    if not entries:
        raise UnreadableInput(f"{path} has no list of references that can be read", _HINT)
    return entries
