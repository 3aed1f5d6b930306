"""`python -m citeplug.corpus.fulltext.text_child`: full texts of files as JSON, a line for each line of a request.

Sources and PDFs are somebody's programs: a few bytes of them can ask for all memory, or never come to an end. Who
starts this process bounds its time; it bounds its own memory where the system can. A request is `{"kind": "eprint",
"own" or "first_pages", "path": ...}`. The answer has `error` and `why` in place of a text that cannot be read.
"""

import base64
import contextlib
import io
import json
import logging
import sys
import tarfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from citeplug.corpus.fulltext.from_document import read_docx, read_html, read_markdown, read_plain
from citeplug.corpus.fulltext.from_latex import read_document, read_source
from citeplug.corpus.fulltext.from_pdf import first_pages, read_pdf
from citeplug.corpus.fulltext.text_reader import SUFFIXES
from citeplug.errors import Unfit
from citeplug.files.project_files import read_bytes
from citeplug.records.passage import ReadText
from citeplug.sources.unpack import MOST_BYTES, Unpacked, unpack

_MOST_MEMORY = 1_500_000_000  # bytes of address space; a source of 100 MB, unpacked, takes 500


_READERS = {".md": read_markdown, ".txt": read_plain, ".docx": read_docx, ".html": read_html, ".htm": read_html}


def main() -> None:
    logging.disable(logging.CRITICAL)
    sys.setrecursionlimit(2_000)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    for line in sys.stdin.buffer:
        answer = _answer(json.loads(line))
        sys.stdout.buffer.write(json.dumps(answer).encode("ascii") + b"\n")
        sys.stdout.buffer.flush()
        if answer.get("error") == "memory":
            return  # what is left of its memory is in pieces


def _answer(asked: dict[str, str]) -> dict[str, Any]:
    path = Path(asked["path"])
    try:
        data = read_bytes(path, MOST_BYTES)
        if asked["kind"] == "first_pages":
            return first_pages(data)
        if asked["kind"] == "own":
            return asdict(read_own(path, data))
        read, unpacked = read_eprint(data)
        answer = asdict(read)
        answer["is_pdf"] = unpacked.pdf is not None
        if unpacked.pdf is not None:
            answer["original"] = base64.b64encode(unpacked.pdf).decode("ascii")
        elif unpacked.files:
            answer["original"] = base64.b64encode(_packed(unpacked.files)).decode("ascii")
        return answer
    except Unfit as error:
        return {"error": error.code, "why": str(error), "hint": error.hint}
    except OSError as error:
        return {"error": "unreadable", "why": f"it cannot be read: {error.strerror or error}", "hint": "check the file"}
    except MemoryError:
        return {"error": "memory", "why": "it needs too much memory", "hint": ""}
    except Exception as error:  # whatever a broken file makes a reader stumble over
        return {"error": "broken", "why": f"{type(error).__name__}: {error}"[:200], "hint": ""}


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
            "unknown_kind", f"files ending in {suffix or 'no suffix'} are not read", f"give {', '.join(SUFFIXES)}"
        )
    return _READERS[suffix](data)


def _packed(files: dict[str, bytes]) -> bytes:
    """A tar.gz of the files, the same bytes for the same files."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size = len(files[name])
            archive.addfile(member, io.BytesIO(files[name]))
    import gzip

    return gzip.compress(plain.getvalue(), 9, mtime=0)


if __name__ == "__main__":
    main()
