"""Files that are asked on the spot: read once, kept by the digest of their content, and found again at once."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from citeplug.corpus.fulltext.store import READER, KeptText, TextStore
from citeplug.corpus.fulltext.text_reader import SUFFIXES, TextReader
from citeplug.corpus.stores import Report
from citeplug.errors import Unfit, UnreadableInput, UsageError
from citeplug.files.project_files import TooMany, as_given, read_bytes, unreadable, walk
from citeplug.records.finding import Finding
from citeplug.records.passage import PaperText
from citeplug.sources.unpack import MOST_BYTES

MOST_DOCUMENTS = 50
_KEPT = "doc:"  # before the digest, as the id of a document in the store
_MOST_KEPT = 1_000  # documents, of this and of earlier questions
_MOST_VECTORS = 300_000  # of passages and of sentences that were compared: 240 MB
_READERS = 2
_MOST_ENTRIES = 20_000
_INCLUDES = re.compile(rb"\\(?:input|include|subfile|import|subimport|InputIfFileExists)\b")


@dataclass(frozen=True, slots=True)
class Document:
    """A file with a text. `name` is the user's for it, `kept` the id of its text in the store, `digest` that text's."""

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
    documents: list[Document] = []
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
                    documents.append(Document(names[file], outcome.title or names[file], outcome.paper, outcome.digest))
    store.forget_oldest(_MOST_KEPT, _MOST_VECTORS, [document.kept for document in documents])
    if files and not documents:
        raise UnreadableInput(findings[0].message, findings[0].fix or "give a file with a text")
    return documents, findings


def _read(file: Path, reader: TextReader, store: TextStore) -> KeptText | Unfit:
    """A file's text, which is kept from now on."""
    try:
        data = read_bytes(file, MOST_BYTES)
    except OSError as error:
        return Unfit("unreadable", f"it cannot be read: {error.strerror or error}", "check the file")
    beside = _beside(file) if file.suffix.lower() == ".tex" and _INCLUDES.search(data) else ""
    name = _KEPT + hashlib.sha256(f"{file.suffix.lower()} {beside}".encode() + b"\0" + data).hexdigest()
    texts = store.kept([name]).get(name)
    if texts and texts[0].reader == READER:
        return texts[0]
    try:
        text = reader.read_own(file).text
    except Unfit as error:
        return error
    store.put(PaperText(name, None, "own", text.title, text.sections), datetime.now(UTC).date())
    return store.kept([name])[name][0]


def _beside(file: Path) -> str:
    """A text that is another one when a file changes that this .tex file may read."""
    documents = []
    with suppress(TooMany):
        for path in walk(file.parent, most=_MOST_ENTRIES):
            if path.suffix.lower() == ".tex":
                with suppress(OSError):
                    state = path.stat()
                    documents.append((str(path), state.st_size, state.st_mtime_ns))
    return repr(sorted(documents))


def _files(paths: Sequence[Path]) -> list[Path]:
    files: dict[Path, None] = {}
    for path in paths:
        path = as_given(path)
        if path.is_dir():
            files |= dict.fromkeys(sorted(_below(path)))
        elif not path.exists():
            raise UnreadableInput(f"{path} does not exist", "give an existing file or folder")
        else:
            files[path] = None
    if len(files) > MOST_DOCUMENTS:
        raise UsageError(
            f"{len(files):,} documents are more than can be searched at once",
            f"name {MOST_DOCUMENTS} at most, or add them to your library with 'citeplug library add'",
        )
    if paths and not files:
        raise UnreadableInput("the folder has no file with a text", f"files ending in {', '.join(SUFFIXES)} are read")
    return list(files)


def _below(folder: Path) -> Iterator[Path]:
    try:
        for path in walk(folder, most=_MOST_ENTRIES):
            if path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file():
                yield path
    except TooMany as error:
        raise unreadable(folder, error) from error


def _names(files: Sequence[Path]) -> dict[Path, str]:
    """The files' names, or their paths where two have one name."""
    names = [file.name for file in files]
    return {file: file.name if names.count(file.name) == 1 else str(file) for file in files}
