"""The first pages of PDFs, read in a process of their own whose time, memory and words are bounded."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citeplug.errors import UnreadableInput
from citeplug.files.project_files import read_beginning

MOST_BYTES = 100_000_000
SECONDS = 30.0  # a paper takes a third of one; a machine may be busy
_MOST_SAID = 1_000_000  # bytes of JSON that are read


@dataclass(frozen=True, slots=True)
class FirstPages:
    """`text` of the first two pages as the file has it, `largest` its line of the largest letters, and the `title` that
    the file names, often a program's; each may be empty."""

    text: str
    largest: str = ""
    title: str = ""


def read_first_pages(path: Path, seconds: float = SECONDS) -> FirstPages:
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
    said = _asked(path, seconds)
    problem = said.get("error")
    if problem == "encrypted":
        raise UnreadableInput(f"{path} is encrypted", "save it without a password, or describe it in a .bib file")
    if problem is not None:
        why = str(said.get("why") or "it asks for too much memory")
        raise UnreadableInput(f"{path} cannot be read ({why})", "save it again, or describe it in a .bib file")
    pages = FirstPages(*(str(said.get(name) or "") for name in ("text", "largest", "title")))
    if sum(letter.isalpha() for letter in pages.text) < 40:
        raise UnreadableInput(
            f"{path} has no text on its first pages: it may be a scan", "run a text recognition over it first"
        )
    return pages


def _asked(path: Path, seconds: float) -> dict[str, Any]:
    # -P: a package in the folder in which citeplug was started must not stand in for one of ours.
    command = [sys.executable, "-P", "-m", "citeplug.corpus.fulltext.first_pages_child", str(path)]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=seconds
        )
        found = json.loads(done.stdout[:_MOST_SAID])
    except subprocess.TimeoutExpired:
        raise UnreadableInput(
            f"{path} could not be read within {seconds:g} seconds", "save it again, or describe it in a .bib file"
        ) from None
    except ValueError:
        return {"error": "broken", "why": "its reader was stopped"}
    return found if isinstance(found, dict) else {"error": "broken", "why": "its reader was stopped"}
