"""Published works from a service other than arXiv, and works as the files of the author's own library describe them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

Service = Literal["crossref", "openalex", "dblp", "semanticscholar"]
SERVICES: tuple[Service, ...] = get_args(Service)
# In their own spelling.
SERVICE_NAMES: dict[Service, str] = {
    "crossref": "Crossref",
    "openalex": "OpenAlex",
    "dblp": "DBLP",
    "semanticscholar": "Semantic Scholar",
}
SEARCHED: tuple[Service, ...] = ("openalex", "semanticscholar")  # those that are searched by subject


@dataclass(frozen=True, slots=True)
class Work:
    """One service's record of a work; records of two services are never mixed.

    `kind` is the BibTeX type that fits (`article`, `inproceedings`, `book`, ..., `misc` for a preprint), `venue`
    the journal or the title of the proceedings. `authors` are "Given Family" in order, `surnames` the family name
    of each, "" where the service does not tell it apart; `more_authors` says that the list is cut. `year` is that
    of publication, `years` all that the service gives: online, in print. `url` is a page that a reader can open.
    `doi` is in lower case, without resolver. `arxiv_id`, without version, where the service says that it is on
    arXiv. `retracted`: the service says that the work was retracted or withdrawn. `own_id` is the service's id of the
    work, and `references` those of the works that it cites, None where that was not asked or not answered.
    `abstract` is empty where it was not asked or is not known.
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
    years: tuple[int, ...] = ()
    surnames: tuple[str, ...] = ()
    more_authors: bool = False
    retracted: bool = False
    own_id: str | None = None
    references: tuple[str, ...] | None = None
    abstract: str = ""


@dataclass(frozen=True, slots=True)
class Holding:
    """Description of a work in an entry of a .bib file, a PDF or another file with its text.

    `file` is absolute. `key` and `entry` are those of a .bib entry, with macros expanded; both are empty for others.
    Title, authors and abstract are as in `Paper`, empty if unknown. `doi` is in lower case, without resolver;
    `arxiv_id` without version. `names` are possible file names of the work's text, without folder and suffix.
    `page` is the beginning of a text, folded to words. `collections` are those of Zotero, or JabRef's groups.
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
    collections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """The author's own entry for a paper: `text` whole, under `key`, from `file`. `paper` is the value of its id."""

    paper: str
    key: str
    text: str
    file: Path
    collections: tuple[str, ...] = ()
