"""An entry of a paper's list of references, and the record that it means."""

from dataclasses import dataclass
from typing import Literal

How = Literal["printed_id", "doi", "title", "none"]


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of a printed list. `number` counts from 1, `key` is the one that the list cites it by.

    `raw` is its text on one line, LaTeX as printed, cut where it is very long. `arxiv_id`, without version, and `doi`,
    in lower case, are printed in it; arXiv's own DOI counts as the id. `title` is plain text, `others` what else in it
    may be its title. `surnames` are the authors' as far as they show.
    """

    number: int
    key: str | None
    raw: str
    arxiv_id: str | None = None
    doi: str | None = None
    title: str | None = None
    year: int | None = None
    surnames: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolved:
    """A reference and the arXiv paper that it means, with what shows that; `paper` None: no paper that is known."""

    reference: Reference
    paper: str | None
    how: How


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A sentence of the paper `citing` about another one, which `[*]` stands for, and the section that it is in."""

    citing: str
    section: str
    sentence: str
