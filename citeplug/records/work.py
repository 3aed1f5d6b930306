"""A published work as a service beside arXiv knows it."""

from dataclasses import dataclass
from typing import Literal

Service = Literal["crossref", "openalex", "dblp"]


@dataclass(frozen=True, slots=True)
class Work:
    """One service's record of a work; no two services' records are ever mixed.

    `kind` is the BibTeX type that fits (`article`, `inproceedings`, `book`, ...), `venue` the journal or the
    title of the proceedings. `authors` are "Given Family" in order. `year` is that of publication. `url` is a
    page that a reader can open. `arxiv_id`, without version, where the service says that it is on arXiv.
    """

    service: Service
    title: str
    authors: tuple[str, ...]
    year: int | None = None
    kind: str = "misc"
    venue: str | None = None
    volume: str | None = None
    number: str | None = None
    pages: str | None = None
    publisher: str | None = None
    doi: str | None = None
    url: str | None = None
    arxiv_id: str | None = None
