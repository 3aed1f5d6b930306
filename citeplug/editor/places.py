"""Conversion of stretches of files to ranges and locations of the protocol."""

from lsprotocol import types as lsp

from citeplug.editor.documents import Documents
from citeplug.editor.lines import Lined
from citeplug.editor.snapshot import Snapshot, Stretch

_NOTHING = Lined("")


def range_in(lined: Lined, start: int, end: int, documents: Documents) -> lsp.Range:
    """Return the range of code points `start` to `end`."""
    first, last = lined.place(start, documents.encoding), lined.place(end, documents.encoding)
    return lsp.Range(
        start=lsp.Position(line=first.line, character=first.character),
        end=lsp.Position(line=last.line, character=last.character),
    )


def range_of(stretch: Stretch, snapshot: Snapshot, documents: Documents) -> lsp.Range:
    return range_in(snapshot.texts.get(stretch.file, _NOTHING), stretch.start, stretch.end, documents)


def location_of(stretch: Stretch, snapshot: Snapshot, documents: Documents) -> lsp.Location:
    return lsp.Location(uri=documents.uri_of(stretch.file), range=range_of(stretch, snapshot, documents))
