"""What the files of the author's own library say of works, on arXiv or not."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Holding:
    """What one entry of a .bib file, or one PDF, says of a work.

    `file` is absolute. `key` and `entry` are those of a .bib entry, its text such as it may stand in any other file;
    both are empty for a PDF. Title, authors and abstract are as in `Paper`, empty where nothing is said. `doi` is in
    lower case, without resolver; `arxiv_id` without version. `names` are what a PDF of the work may be called, without
    folder and suffix. `page` is the beginning of a PDF's text, folded to words.
    """

    file: Path
    kind: Literal["bib", "pdf"]
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
