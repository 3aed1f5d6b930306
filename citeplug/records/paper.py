"""Papers and their identifiers, and the reason why one is proposed for a draft."""

import re
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from citeplug.records.debate import Debate

# Both schemes of arXiv (arxiv-api.md, 15): 4 digits until 1412, 5 from 1501; before 0704 archive/YYMMNNN.
_NEW = r"(?:\d{2}(?:0[1-9]|1[0-2]))\.\d{4,5}"
_OLD = r"[a-z]+(?:-[a-z]+)?(?:\.[A-Za-z]{2})?/\d{2}(?:0[1-9]|1[0-2])\d{3}"
_ID = re.compile(rf"(?P<value>{_NEW}|{_OLD})(?:[vV](?P<version>[1-9]\d*))?", re.IGNORECASE)
_PREFIX = re.compile(
    r"^(?:arxiv\s*:\s*|(?:https?://)?(?:[\w.-]*\.)?arxiv\.org/(?:abs|pdf|html|format|src|e-print)/"
    r"|(?:https?://(?:dx\.)?doi\.org/|doi\s*:\s*)?10\.48550/arxiv\.)+",
    re.IGNORECASE,
)
# Prefix of the ids of works that are only in the author's own library.
LIBRARY = "lib:"


@dataclass(frozen=True, slots=True, order=True)
class ArxivId:
    """An arXiv identifier. `value` never has a version; `version` counts from 1, or is None.

    A work outside arXiv, known from the author's own library or the draft's bibliography, has `lib:` and a key for its
    `value`: no arXiv id has a colon, `parse` refuses it, and no service is asked for it.
    """

    value: str
    version: int | None = None

    @classmethod
    def parse(cls, text: str) -> "ArxivId":
        """Read an id in any form authors use: bare, `arXiv:`, a URL, an arXiv DOI, with a version or not.

        Raises ValueError if the whole text is not one id. A subject class is kept out of the value
        (`math.GT/0309136` is `math/0309136`), as arXiv itself does.
        """
        match = _ID.fullmatch(text) or _ID.fullmatch(_bare(text))
        if match is None or not _digits_fit(match["value"]):
            raise ValueError(f"not an arXiv id: {text!r}")
        value = match["value"].lower()
        if "/" in value:
            archive, number = value.split("/")
            value = f"{archive.split('.')[0]}/{number}"
        return cls(value, int(match["version"]) if match["version"] else None)

    @property
    def on_arxiv(self) -> bool:
        """True if the id is arXiv's, and not one of the author's library."""
        return not self.value.startswith(LIBRARY)

    @property
    def month(self) -> date:
        """First day of the month in which the id was assigned; arXiv's ids only."""
        digits = self.value.split("/")[-1]
        year, month = int(digits[:2]), int(digits[2:4])
        return date(1900 + year if year >= 91 else 2000 + year, month, 1)

    def __str__(self) -> str:
        return self.value if self.version is None else f"{self.value}v{self.version}"


def library_id(name: str) -> ArxivId:
    """Return the id of a work of the library from its key; `name` may be that id already."""
    return ArxivId(name if name.startswith(LIBRARY) else LIBRARY + name)


def shown_id(value: str) -> str:
    """Return an id for display: `arXiv:1706.03762`, or `smith1998 of your library`."""
    return f"{value.removeprefix(LIBRARY)} of your library" if value.startswith(LIBRARY) else f"arXiv:{value}"


def _bare(text: str) -> str:
    """Strip prefixes and suffixes that authors write around an id."""
    bare = _PREFIX.sub("", text.strip())
    bare = re.sub(r"\.pdf$", "", bare.strip().rstrip("/"), flags=re.IGNORECASE)
    return re.sub(r"\s*\[[\w.-]+\]$", "", bare)


def _digits_fit(value: str) -> bool:
    if "/" in value:
        return True
    left, right = value.split(".")
    return len(right) == (5 if int(left) >= 1501 else 4)


@dataclass(frozen=True, slots=True)
class Paper:
    """A record of arXiv, or of a work that is only in the author's library.

    `id` carries the version that the texts were taken from, if known. `title` and `abstract` have their
    white space collapsed and LaTeX kept as arXiv has it. `authors` are "Given Family" strings, in order;
    empty when the record is incomplete, and then the paper may not be cited before a source completes it.
    `published` is v1's date (the first of the id's month if the day is unknown), `updated` that of the
    latest version known. `categories` starts with the primary one. `abstract_kind` is "summary" if
    the text is a summary and not arXiv's abstract: quotes then come from the summary; "draft" if all that is known of
    the work is what the draft says where it cites it; `abstract_file` is the name of the draft's .bib file or of the
    library's file with the abstract, where no record has it. For a work of the library or of the draft's bibliography
    `published` is the first day of its year, or of the year 1 if that is not known.
    """

    id: ArxivId
    title: str
    abstract: str
    authors: tuple[str, ...]
    published: date
    updated: date
    categories: tuple[str, ...] = ()
    doi: str | None = None
    journal_ref: str | None = None
    comment: str | None = None
    abstract_kind: Literal["abstract", "summary", "draft"] = "abstract"
    abstract_file: str = field(default="", compare=False)

    @property
    def quoted_text(self) -> str:
        """The text that is quoted, in words for a reader."""
        if self.abstract_kind == "draft":
            return "your own sentences on it"
        if not self.id.on_arxiv:
            return f"the abstract in {self.abstract_file or 'your library'}"
        return "a summary, not arXiv's abstract" if self.abstract_kind == "summary" else "arXiv's abstract"

    @property
    def has_abstract(self) -> bool:
        """True if there is an abstract or a summary to quote from, and not the draft's own words alone."""
        return bool(self.abstract) and self.abstract_kind != "draft"

    @property
    def complete(self) -> bool:
        """True if the record has title and authors, as a bibliography entry needs."""
        return bool(self.title and self.authors)


@dataclass(frozen=True, slots=True)
class Clue:
    """A way to search for a paper: by its DOI, or by `words` (lower-case ASCII) of its title and a surname.

    `surname` is an author's. `doi` is as written in the entry, without resolver: a service may be case-sensitive. A
    clue with words and DOI matches by either.
    """

    words: tuple[str, ...] = ()
    surname: str | None = None
    doi: str | None = None


@dataclass(frozen=True, slots=True)
class Links:
    """Citations between one paper and those that a search went out from, by id.

    `own` papers were those that the draft cites, `found` the first that the search found.
    """

    cited_by_own: tuple[str, ...] = ()
    cites_own: tuple[str, ...] = ()
    own: int = 0
    cited_by_found: tuple[str, ...] = ()
    cites_found: tuple[str, ...] = ()
    found: int = 0

    @property
    def reason(self) -> str:
        """In words: `cited by 9 of your 14 citations, cites 2 of the first 20 papers found`."""
        yours, first = f"of your {self.own} citations", f"of the first {self.found} papers found"
        counted = [
            ("cited by", len(self.cited_by_own), yours),
            ("cites", len(self.cites_own), yours),
            ("cited by", len(self.cited_by_found), first),
            ("cites", len(self.cites_found), first),
        ]
        return ", ".join(f"{verb} {count} {of}" for verb, count, of in counted if count)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper that retrieval found.

    `similarity` is the cosine between the paper and the draft's main query (-1 to 1), `score` the fused score (larger
    is better, comparable only within one retrieval). `found_by` names the ways it was found, of `lexical`, `dense`,
    `arxiv`, `feedback`, `graph`, in that order. `relevance` is the score on a scale from 0 to 1, among the candidates
    that papers are chosen from (`related.retrieve.longlist.rate`). `links`: the citations that count in the score.
    `nearest` is the largest of the cosines to the queries, `average` their mean; of a paper that the draft cites, of
    those to queries not made of its citations. `reserved`: one of the best for a query that a language model wrote.
    """

    paper: Paper
    similarity: float
    score: float
    found_by: tuple[str, ...]
    relevance: float = 0.0
    links: Links | None = None
    nearest: float = 0.0
    average: float = 0.0
    reserved: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A search query. `aspect` is its origin: `abstract`, `title`, `section:NAME`, ...

    `weight` is its weight in the fusion, 1.0 for the main query. `asked` are the names of the services that it was sent
    to.
    """

    text: str
    aspect: str
    weight: float = 1.0
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions on the papers of a search.

    `before`: only papers whose v1 is earlier than that day. `categories`: only papers in one of them; `cs` is the
    whole archive. `exclude`: not these ids (without version). `among`: only these ids, if given. `first_day`: only
    papers whose v1 is of that day or later.
    """

    before: date | None = None
    categories: tuple[str, ...] = ()
    exclude: frozenset[str] = frozenset()
    among: frozenset[str] | None = None
    first_day: date | None = None

    def admits(self, paper: Paper) -> bool:
        """Return True if the paper meets all conditions."""
        if self.before is not None and paper.published >= self.before:
            return False
        if self.first_day is not None and paper.published < self.first_day:
            return False
        if paper.id.value in self.exclude or (self.among is not None and paper.id.value not in self.among):
            return False
        return not self.categories or any(
            have == want or have.startswith(want + ".") for have in paper.categories for want in self.categories
        )


@dataclass(frozen=True, slots=True)
class Shortlisted:
    """A paper chosen to be discussed. `score` is 0 to 1, the mean similarity of its texts to the draft.

    `links` as in `Candidate`. `debate` is a model's on whether to cite it, None without one.
    """

    paper: Paper
    score: float
    links: Links | None = None
    debate: Debate | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """`kind`: citations lead to the paper (`graph`), it has words of a part of the draft (`words`), is near in meaning
    to a part (`meaning`), or to what the draft cites (`citation`).

    `text` is for a reader, without control characters of its own but with words of the draft as written. `of` is the
    part of the draft: `abstract`, `introduction`, `related work`, `method`, `citations`, ... `words` are the draft's,
    the most telling first; `keys` those of the citations. `says` is the paper's sentence that `text` quotes, if any.
    """

    kind: Literal["graph", "words", "meaning", "citation"]
    text: str
    of: str
    words: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    says: str = ""
