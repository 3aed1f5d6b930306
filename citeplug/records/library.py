"""Works in the author's own library, on arXiv or not, as its files describe them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Holding:
    """Description of a work in an entry of a .bib file, a PDF or another file with its text.

    `file` is absolute. `key` and `entry` are those of a .bib entry, with macros expanded; both are empty for others.
    Title, authors and abstract are as in `Paper`, empty if unknown. `doi` is in lower case, without resolver;
    `arxiv_id` without version. `names` are possible file names of the work's text, without folder and suffix.
    `page` is the beginning of a text, folded to words.
    """

    file: Path
    kind: Literal["bib", "pdf", "text"]
    title: str
    key: str = ""
    entry: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    abstract: str = ""
    doi: str | None = None
    arxiv_id: str | None = None
    names: tuple[str, ...] = ()
    page: str = ""


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """The author's own entry for a paper: `text` whole, under `key`, from `file`. `paper` is the value of its id."""

    paper: str
    key: str
    text: str
    file: Path
