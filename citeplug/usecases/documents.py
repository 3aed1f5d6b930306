"""Files that are asked on the spot: read once, kept by the digest of their content, and found again at once."""

import hashlib
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from citeplug.adapters.text_reader import TextReader
from citeplug.errors import UnreadableInput, UsageError
from citeplug.files.project_files import read_bytes, walk
from citeplug.fulltext.read_file import SUFFIXES
from citeplug.fulltext.store import READER, TextStore
from citeplug.fulltext.unfit import Unfit
from citeplug.fulltext.unpack import MOST_BYTES
from citeplug.records.finding import Finding
from citeplug.records.passage import PaperText
from citeplug.usecases.stores import Report

MOST_DOCUMENTS = 50
_KEPT = "doc:"  # before the digest, as the id of a document in the store
_READERS = 2
_MOST_ENTRIES = 20_000
# Files that a .tex file reads are not in its digest: it is read anew.
_INCLUDES = re.compile(rb"\\(?:input|include|subfile|import|subimport|InputIfFileExists|bibliography)\b")


@dataclass(frozen=True, slots=True)
class Document:
    """A file with a text. `name` is the user's for it, `kept` the id of its text in the store of documents."""

    name: str
    title: str
    kept: str
    digest: str


def documents_store(home: Path) -> TextStore:
    """Open the texts of files that were asked, apart from those of papers: a search among papers finds none of them."""
    return TextStore(home / "documents")


def read_documents(paths: Sequence[Path], store: TextStore, report: Report) -> tuple[list[Document], list[Finding]]:
    """The documents among these files, and those of folders; what gives no text is a finding.

    Raises UsageError for more than `MOST_DOCUMENTS`, UnreadableInput for a file that is missing, or if none has a text.
    """
    files = _files(paths)
    names = _names(files)
    findings: list[Finding] = []
    found: list[Document] = []
    with ExitStack() as stack, ThreadPoolExecutor(_READERS) as pool:
        readers = [stack.enter_context(TextReader()) for _ in range(_READERS)]
        for start in range(0, len(files), _READERS):
            report("read your files", start, len(files))
            part = files[start : start + _READERS]
            outcomes = pool.map(lambda pair: _read(pair[0], pair[1], store), zip(part, readers, strict=False))
            for file, outcome in zip(part, outcomes, strict=True):
                if isinstance(outcome, Unfit):
                    message = f"{file} gives no text: {outcome}"
                    findings.append(Finding("full_text_unreadable", "warning", message, file, fix=outcome.hint or None))
                else:
                    digest, title = outcome
                    found.append(Document(names[file], title or names[file], _KEPT + digest, digest))
    if files and not found:
        raise UnreadableInput(findings[0].message, findings[0].fix or "give a file with a text")
    return found, findings


def _read(file: Path, reader: TextReader, store: TextStore) -> tuple[str, str] | Unfit:
    """The digest and the title of a file's text, which is kept from now on."""
    try:
        data = read_bytes(file, MOST_BYTES)
    except OSError as error:
        return Unfit("unreadable", f"it cannot be read: {error.strerror or error}", "check the file")
    digest = hashlib.sha256(file.suffix.lower().encode() + b"\0" + data).hexdigest()
    kept = store.kept([_KEPT + digest]).get(_KEPT + digest)
    includes = file.suffix.lower() == ".tex" and _INCLUDES.search(data)
    if kept and kept[0].reader == READER and not includes:
        return digest, kept[0].title
    try:
        text = reader.read_own(file).text
    except Unfit as error:
        return error
    if includes:
        digest = hashlib.sha256(repr((text.title, text.sections)).encode("utf-8", "replace")).hexdigest()
    store.put(PaperText(_KEPT + digest, None, "own", text.title, text.sections), datetime.now(UTC).date())
    return digest, text.title


def _files(paths: Sequence[Path]) -> list[Path]:
    found: dict[Path, None] = {}
    for path in paths:
        path = path.expanduser().absolute()
        if path.is_dir():
            below = (each for each in walk(path, most=_MOST_ENTRIES) if each.suffix.lower() in SUFFIXES)
            found |= dict.fromkeys(sorted(each for each in below if each.is_file() and not each.name.startswith(".")))
        elif not path.exists():
            raise UnreadableInput(f"{path} does not exist", "give a file or a folder that is there")
        else:
            found[path] = None
    if len(found) > MOST_DOCUMENTS:
        raise UsageError(
            f"{len(found):,} documents are more than can be asked at once",
            f"name {MOST_DOCUMENTS} at most, or add them to your library with 'citeplug library add'",
        )
    if paths and not found:
        raise UnreadableInput("the folder has no file with a text", f"files named {', '.join(SUFFIXES)} are read")
    return list(found)


def _names(files: Sequence[Path]) -> dict[Path, str]:
    """The files' names, or their paths where two have one name."""
    names = [file.name for file in files]
    return {file: file.name if names.count(file.name) == 1 else str(file) for file in files}
