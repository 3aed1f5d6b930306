"""Open documents, with their texts in the editor, and edits of other files that are not saved or not reported yet.

And stretches of files as ranges and locations of the protocol.
"""

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from citeplug.editor.lines import Encoding, Lined
from citeplug.editor.snapshot import Snapshot, Stretch
from citeplug.files.decode import read_text
from citeplug.files.project_files import as_spelled

PROJECT_PARTS = 4  # in the path of a document that is not a file: anchor, scheme, host, project
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOTHING = Lined("")
_PATIENCE = 1.0  # seconds that an editor takes to report its own change
_GLANCE = 0.01  # seconds

Stamp = tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Document:
    """An open document. `version` is the editor's; `path` is made from `uri`, whatever its scheme.

    `typed` is the end of the last edit, for as long as the cursor may be there.
    """

    uri: str
    path: Path
    version: int
    lined: Lined
    typed: int | None = None

    def is_typed_at(self, start: int, end: int, then: Lined) -> bool:
        """Return True if the cursor may be in what is at `start` to `end` of `then`, a text of this document."""
        grown = max(len(self.lined.text) - len(then.text), 0)
        return self.typed is not None and start <= self.typed <= end + grown


class Documents:
    """All open documents. `encoding` is the position encoding."""

    def __init__(self) -> None:
        self.encoding: Encoding = "utf-16"
        self._by_uri: dict[str, Document] = {}

    def open(self, uri: str, version: int, text: str) -> Document:
        document = Document(uri, path_of(uri), version, Lined(_joined(text)))
        self._by_uri[uri] = document
        return document

    def change(self, uri: str, version: int, changes: Sequence[lsp.TextDocumentContentChangeEvent]) -> Document | None:
        """Apply changes in their order; None if no such document is open."""
        document = self._by_uri.get(uri)
        if document is None:
            return None
        lined, typed = document.lined, None
        for change in changes:
            if not isinstance(change, lsp.TextDocumentContentChangePartial):
                lined, typed = Lined(_joined(change.text)), None
                continue
            ends = (change.range.start, change.range.end)
            start, end = (lined.offset(place.line, place.character, self.encoding) for place in ends)
            lined = lined.edited(min(start, end), max(start, end), change.text)
            typed = min(start, end) + len(change.text)
            if _SURROGATE.search(change.text):  # half of a surrogate pair, whose other half may be next to it
                lined = Lined(_joined(lined.text))
        self._by_uri[uri] = Document(uri, document.path, version, lined, typed)
        return self._by_uri[uri]

    def leave(self, uri: str) -> None:
        """Note that the cursor is no longer where the document was edited last."""
        if (document := self._by_uri.get(uri)) is not None:
            self._by_uri[uri] = replace(document, typed=None)

    def close(self, uri: str) -> Document | None:
        return self._by_uri.pop(uri, None)

    def get(self, uri: str) -> Document | None:
        return self._by_uri.get(uri)

    def texts(self) -> Mapping[Path, Lined]:
        """Return the texts of open documents, by path."""
        return {document.path: document.lined for document in self._by_uri.values()}

    def at(self, path: Path) -> Document | None:
        return next((document for document in self._by_uri.values() if document.path == path), None)

    def uri_of(self, path: Path) -> str:
        """Return the URI of a file: the editor's own if it is open."""
        document = self.at(path)
        return document.uri if document is not None else _uri_of(path, self._query(path))

    def _query(self, path: Path) -> str:
        """Return the query of the URIs of a remote project: some clients name the project in it."""
        beside = [
            document
            for document in self._by_uri.values()
            if scheme_of(path) and document.path.parts[:PROJECT_PARTS] == path.parts[:PROJECT_PARTS]
        ]
        queries = (urlsplit(document.uri).query for document in beside)
        return next((query for query in queries if query), "")


@dataclass(frozen=True, slots=True)
class _Edit:
    """The text `before` became `after`; `stamp` is that of the file when it held `before`, `when` in monotonic time."""

    before: str
    after: Lined
    stamp: Stamp
    when: float


class Untold:
    """The last unreported edit of each file. Open files are as the editor reports them."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._edits: dict[Path, _Edit] = {}

    def note(self, path: Path, before: str, after: str) -> None:
        """Note that the editor has changed `before` to `after`."""
        known = self._edits.pop(path, None)
        if self._documents.at(path) is None:
            saved = saved_text(path)
            if saved == after:
                return
            # After several unsaved edits the disk still has the text before the first.
            before = known.before if known is not None and known.before == saved else before
        self._edits[path] = _Edit(before, Lined(after), stamp_of(path), time.monotonic())

    def forget(self, path: Path) -> None:
        self._edits.pop(path, None)

    def texts(self) -> Mapping[Path, Lined]:
        """Return the unsaved texts of files that are not open, as far as they are known."""
        for path, edit in list(self._edits.items()):
            if self._documents.at(path) is None and stamp_of(path) != edit.stamp and saved_text(path) != edit.before:
                del self._edits[path]  # it was saved, or changed by another program
        return {path: edit.after for path, edit in self._edits.items() if self._documents.at(path) is None}

    async def settled(self) -> None:
        """Wait until the editor has reported its changes of open files, but not for longer than editors take."""
        while self._is_waiting():
            await asyncio.sleep(_GLANCE)

    def _is_waiting(self) -> bool:
        for path, edit in list(self._edits.items()):
            document = self._documents.at(path)
            if document is None:
                continue
            if document.lined.text != edit.before or time.monotonic() - edit.when > _PATIENCE:
                del self._edits[path]
            else:
                return True
        return False


def saved_text(path: Path) -> str:
    """Return the saved text of a file; empty if there is none, or it cannot be read."""
    try:
        return read_text(path).text if path.is_file() else ""
    except OSError:
        return ""


def stamp_of(path: Path) -> Stamp:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size


def path_of(uri: str) -> Path:
    """Return the path of a URI. A document that is not a file gets a path that no file can have."""
    path = to_fs_path(uri)
    if path is not None:
        return as_spelled(Path(path))
    parts = urlsplit(uri)
    names = [name for name in unquote(parts.path).split("/") if name not in ("", ".", "..")]
    return Path(Path.cwd().anchor, f"{parts.scheme}:", unquote(parts.netloc) or "-", *names)


def scheme_of(path: Path) -> str | None:
    """Return the scheme of a document that is not a file; None for a path on disk."""
    parts = path.parts
    return parts[1][:-1] if len(parts) > 2 and _SCHEME.fullmatch(parts[1]) else None


def _uri_of(path: Path, query: str = "") -> str:
    scheme = scheme_of(path)
    if scheme is None:
        return path.absolute().as_uri()
    host = "" if path.parts[2] == "-" else path.parts[2]
    return f"{scheme}://{quote(host)}/{quote('/'.join(path.parts[3:]))}" + (f"?{query}" if query else "")


def _joined(text: str) -> str:
    """Join adjacent surrogates of the text."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def range_in(lined: Lined, start: int, end: int, documents: Documents) -> lsp.Range:
    """Return the range of code points `start` to `end`."""
    first, last = (lsp.Position(*lined.place(offset, documents.encoding)) for offset in (start, end))
    return lsp.Range(start=first, end=last)


def range_of(stretch: Stretch, snapshot: Snapshot, documents: Documents) -> lsp.Range:
    return range_in(snapshot.texts.get(stretch.file, _NOTHING), stretch.start, stretch.end, documents)


def location_of(stretch: Stretch, snapshot: Snapshot, documents: Documents) -> lsp.Location:
    return lsp.Location(uri=documents.uri_of(stretch.file), range=range_of(stretch, snapshot, documents))
