"""A file to its text, by what it is; for a process whose time and memory are bounded."""

from dataclasses import replace
from pathlib import Path

from citeplug.corpus.fulltext.from_document import read_docx, read_html, read_markdown, read_plain
from citeplug.corpus.fulltext.from_latex import read_document, read_source
from citeplug.corpus.fulltext.from_pdf import read_pdf
from citeplug.errors import Unfit
from citeplug.records.passage import ReadText
from citeplug.sources.unpack import Unpacked, unpack

SUFFIXES = (".pdf", ".tex", ".md", ".txt", ".docx", ".html", ".htm")  # of the author's own files
_READERS = {".md": read_markdown, ".txt": read_plain, ".docx": read_docx, ".html": read_html, ".htm": read_html}


def read_eprint(data: bytes) -> tuple[ReadText, Unpacked]:
    """Read what arXiv sent as a source, which may be a PDF. Raises Unfit."""
    unpacked = unpack(data)
    if unpacked.pdf is not None:
        read = read_pdf(unpacked.pdf)
    elif unpacked.html is not None:
        read = read_html(unpacked.html)
    else:
        read = read_source(unpacked.files)
    return replace(read, doubts=(*unpacked.doubts, *read.doubts)), unpacked


def read_own(path: Path, data: bytes) -> ReadText:
    """Read a file of the author's own, by its suffix, a PDF by its first bytes. Raises Unfit."""
    if b"%PDF-" in data[:1024]:
        return read_pdf(data)
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        raise Unfit("broken", "it is not a PDF", "name a PDF")
    if suffix == ".tex":
        return read_document(path)
    if suffix not in _READERS:
        raise Unfit(
            "unknown_kind", f"files named {suffix or 'without a suffix'} are not read", f"give {', '.join(SUFFIXES)}"
        )
    return _READERS[suffix](data)
