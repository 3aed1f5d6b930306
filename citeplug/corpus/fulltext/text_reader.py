"""Full texts of files, read in a process of their own whose time, memory and words are bounded."""

import base64
import json
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal

from citeplug.corpus.fulltext.packed import references_of
from citeplug.errors import Unfit, UnreadableInput
from citeplug.files.project_files import read_beginning
from citeplug.records.passage import Mention, ReadText, TextSection

SUFFIXES = (".pdf", ".tex", ".md", ".txt", ".docx", ".html", ".htm")  # of the author's own files that are read
SECONDS = 60.0  # for one file; a source takes a tenth of one, a PDF of 1,000 pages ten
_MOST_SAID = 150_000_000  # bytes of an answer
_MOST_BYTES = 100_000_000  # of a PDF whose first pages are read
_MOST_READ = 200  # files that one process reads, so that none grows without end


@dataclass(frozen=True, slots=True)
class FirstPages:
    """`text` of the first two pages as the file has it, `largest` its line of the largest letters, and the `title` that
    the file names, often a program's; each may be empty."""

    text: str
    largest: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that was read. `original`: the files of a source, packed, or the PDF; `is_pdf`: arXiv sent that."""

    text: ReadText
    original: bytes | None = None
    is_pdf: bool = False


class TextReader:
    """Reads one file at a time; close it, or use it in a `with` block. `seconds` bounds the time for a file."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._read = 0

    def __enter__(self) -> "TextReader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process, and remove what it left."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            for pipe in (self._child.stdin, self._child.stdout):
                if pipe is not None:
                    pipe.close()
            self._child = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def read_eprint(self, data: bytes) -> Reading:
        """Read what arXiv sent as a paper's source or PDF. Raises Unfit."""
        self._start()
        assert self._folder is not None
        path = Path(self._folder.name) / "received"
        path.write_bytes(data)
        try:
            return _reading(self._ask("eprint", path))
        finally:
            path.unlink(missing_ok=True)

    def read_own(self, path: Path) -> Reading:
        """Read a file of the author's own, by its suffix. Raises Unfit."""
        return _reading(self._ask("own", path))

    def first_pages(self, path: Path) -> dict[str, Any]:
        """The `text` of a PDF's first pages, and what may be its title: `largest` and `title`. Raises Unfit."""
        return self._ask("first_pages", path)

    def _start(self) -> "subprocess.Popen[bytes]":
        if self._child is not None and (self._read >= _MOST_READ or self._child.poll() is not None):
            self.close()
        if self._child is None:
            self._folder = tempfile.TemporaryDirectory(prefix="citeplug-", ignore_cleanup_errors=True)
            # What a killed process leaves unpacked goes with this folder.
            environment = {**os.environ, "TMPDIR": self._folder.name, "TEMP": self._folder.name}
            # -P: a package in the folder in which citeplug was started must not stand in for one of ours.
            command = [sys.executable, "-P", "-m", "citeplug.corpus.fulltext.text_child"]
            self._child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
            )
            self._read = 0
        return self._child

    def _ask(self, kind: Literal["eprint", "own", "first_pages"], path: Path) -> dict[str, Any]:
        child = self._start()
        self._read += 1
        assert child.stdin is not None and child.stdout is not None
        try:
            child.stdin.write(json.dumps({"kind": kind, "path": str(path)}).encode("ascii") + b"\n")
            child.stdin.flush()
            line = _line_within(child.stdout, self._seconds)
            answer: Any = json.loads(line) if line is not None else None
        except (OSError, ValueError):
            answer = {"error": "broken", "why": "its reader was stopped", "hint": ""}
        if answer is None:
            answer = {"error": "too_slow", "why": f"it could not be read within {self._seconds:g} seconds", "hint": ""}
        if "error" in answer:
            if answer["error"] in ("broken", "too_slow", "memory"):
                self.close()
            raise Unfit(str(answer["error"]), str(answer["why"]), str(answer.get("hint") or ""))
        return dict(answer)


def read_first_pages(path: Path, reader: TextReader) -> FirstPages:
    """Raises UnreadableInput for what is too large, encrypted, broken, too slow, or without text, such as a scan."""
    try:
        size = path.stat().st_size
        head = read_beginning(path, 1024)
    except OSError as error:
        raise UnreadableInput(f"cannot read {path}: {error.strerror}", "check the path and its permissions") from error
    if b"%PDF-" not in head:
        raise UnreadableInput(f"{path} is not a PDF", "name a PDF, or take it out of the folder")
    if size > _MOST_BYTES:
        raise UnreadableInput(
            f"{path} has more than {_MOST_BYTES // 1_000_000} MB: it was not read", "describe it in a .bib file"
        )
    try:
        answer = reader.first_pages(path)
    except Unfit as error:
        if error.code == "encrypted":
            raise UnreadableInput(
                f"{path} is encrypted", "save it without a password, or describe it in a .bib file"
            ) from None
        raise UnreadableInput(
            f"{path} cannot be read ({error})", "save it again, or describe it in a .bib file"
        ) from None
    pages = FirstPages(*(str(answer.get(name) or "") for name in ("text", "largest", "title")))
    if sum(letter.isalpha() for letter in pages.text) < 40:
        raise UnreadableInput(
            f"{path} has no text on its first pages: it may be a scan", "run text recognition (OCR) on it first"
        )
    return pages


def _line_within(stream: IO[bytes], seconds: float) -> bytes | None:
    """The next line; None if it does not come in time. The stream can then only be closed."""
    chunks: list[bytes] = []
    # A pipe has no time-out of its own on every system.
    thread = threading.Thread(target=lambda: chunks.append(stream.readline(_MOST_SAID)), daemon=True)
    thread.start()
    thread.join(seconds)
    return chunks[0] if chunks else None


def _reading(answer: dict[str, Any]) -> Reading:
    sections = tuple(
        TextSection(**{**section, "pages": tuple((at, page) for at, page in section["pages"])})
        for section in answer["sections"]
    )
    references = references_of(answer["references"])
    doubts = tuple((code, message) for code, message in answer["doubts"])
    original = base64.b64decode(answer["original"]) if answer.get("original") else None
    mentions = tuple(Mention(**{**mention, "keys": tuple(mention["keys"])}) for mention in answer["mentions"])
    return Reading(
        ReadText(answer["title"], sections, references, doubts, mentions), original, bool(answer.get("is_pdf"))
    )
