"""The author's .bib entries and PDFs, grouped by the work that they belong to; what a PDF's first pages say of it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from citeplug.records.paper import LIBRARY, ArxivId, Paper
from citeplug.records.work import Holding
from citeplug.text.cleaning import plain
from citeplug.text.folding import fold, fold_title, split_name
from citeplug.text.identifiers import as_arxiv_id, clean_doi
from citeplug.text.sameness import Described, Register

_LEAST = 150  # characters; less is a heading, or a column cut in two
_MOST = 4_000
_STAMP = re.compile(r"\barXiv:\s*([a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?\b")
_DOI = re.compile(r"(?:doi\.org/|\bdoi\s*[:=]?\s*)(10\.\d{4,9}/\S+)", re.IGNORECASE)
_HEADING = re.compile(r"^[ \t]*(?:abstract|summary)\b[ \t]*[.:—–-]*[ \t]*", re.IGNORECASE | re.MULTILINE)
# What follows an abstract, at the beginning of a line.
_END = re.compile(
    r"^[ \t]*(?:(?:\d+|I)?[ \t]*[.:]?[ \t]*introduction\b|(?:key[ \t-]?words|index terms|ccs concepts|categories and "
    r"subject|acm reference|general terms|jel\b|msc\b|contents\b|1[ \t.]+[A-Z])|(?:19|20)\d\d mathematics subject)",
    re.IGNORECASE | re.MULTILINE,
)
# Signs that TeX's old fonts print beside the letter that they belong to.
_LOOSE_ACCENT = re.compile(r"\s?[\u00a8\u00b4\u0060\u02c6\u02dc\u00af\u02d8\u02c7\u02dd\u00b8\u02da]\s?")
_HYPHEN = re.compile(r"(?<=[a-z])-[ \t]*\n[ \t]*(?=[a-z])")
_LIGATURES = str.maketrans({"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl"})


def find_stamp(text: str) -> str | None:
    """The id that arXiv prints into the margin of a first page, without version; only where one alone is named."""
    ids = {as_arxiv_id(match[1]) for match in _STAMP.finditer(text)} - {None}
    return ids.pop() if len(ids) == 1 else None


def find_printed_doi(text: str) -> str | None:
    """The DOI that the first page prints as such; only where one alone is named."""
    dois = {doi for match in _DOI.finditer(text) if (doi := clean_doi(match[1]))}
    return dois.pop() if len(dois) == 1 else None


def find_abstract(text: str) -> str:
    """The paragraph under the heading of the abstract, words joined over line ends; empty if its end is not plain."""
    heading = _HEADING.search(text)
    if heading is None:
        return ""
    rest = text[heading.end() : heading.end() + 2 * _MOST]
    end = _END.search(rest)
    if end is None:
        return ""
    abstract = tidy(rest[: end.start()])
    return abstract if _LEAST <= len(abstract) <= _MOST else ""


def tidy(text: str) -> str:
    """Text of a page as one line: words joined over line ends, ligatures as letters."""
    return plain(_HYPHEN.sub("", text.translate(_LIGATURES)))


def words_of_page(text: str) -> str:
    """Lower-case ASCII words with one space between, to look for titles and names in."""
    bare = _LOOSE_ACCENT.sub("", tidy(text)).replace("\u0131", "i")
    return " ".join(re.findall(r"[^\W_]+", fold(bare.lower())))


_LONG_ENOUGH = 15  # letters of a title that proves something where it is on a page
_SHORTEST, _LONGEST = 150, 4_000  # characters of an abstract
_BEGINNING = 1_500  # characters of a page in which its title and its authors are
# What programs put into a PDF's title, and what no title is.
_NO_TITLE = re.compile(r"(?:microsoft word|untitled|paper|main|manuscript|document|\S+\.(?:docx?|tex|dvi|pdf))\b", re.I)


@dataclass(slots=True)
class LibraryWork:
    """`holdings` all speak of one work, the .bib entries first. `known` is the id that it had before."""

    holdings: list[Holding] = field(default_factory=list)
    known: str | None = None

    @property
    def key(self) -> str:
        """The author's key; for a PDF alone the name of its file."""
        return self.holdings[0].key or self.holdings[0].file.stem

    @property
    def arxiv_id(self) -> str | None:
        """The id that one of them names, without version."""
        return next((h.arxiv_id for h in self.holdings if h.arxiv_id), None)

    @property
    def doi(self) -> str | None:
        return next((h.doi for h in self.holdings if h.doi), None)

    def paper(self, value: str) -> Paper:
        """The record of the work outside arXiv under the id `value`.

        A PDF gives what entries leave open, but no authors: those that are guessed from a page are nobody's entry,
        and without authors a paper is found and never cited.
        """
        first = self.holdings[0]
        year = next((h.year for h in self.holdings if h.year and 1 <= h.year <= 9999), None)
        day = date(year, 1, 1) if year else date.min
        people = next((h.authors for h in self.holdings if h.kind == "bib" and h.authors), ())
        abstract = next((h.abstract for h in self.holdings if h.abstract), "")
        return Paper(ArxivId(value), first.title, abstract, people, day, day, doi=self.doi)


def holding_of_pdf(file: Path, text: str, largest: str, title: str) -> Holding:
    """A holding from the first pages of a PDF; the title in the file's metadata counts if it is on the page."""
    page = words_of_page(text)
    named, shown = plain(title), tidy(largest)
    proven = len(fold_title(named)) >= _LONG_ENOUGH and fold_title(named) in page[:_BEGINNING]
    likely = shown if len(shown) >= 8 else named
    best_title = named if proven and not _NO_TITLE.match(named) else likely
    return Holding(
        file,
        "pdf",
        best_title or file.stem,
        abstract=find_abstract(text),
        doi=find_printed_doi(text),
        arxiv_id=find_stamp(text) or as_arxiv_id(file.stem),
        names=(file.stem,),
        page=page[:_BEGINNING],
    )


def holding_of_text(file: Path, title: str, abstract: str, beginning: str) -> Holding:
    """A holding from another file with a work's text: its title, its abstract if it has one, and how it begins."""
    page = words_of_page(f"{title}\n{beginning[: 2 * _BEGINNING]}")
    usable = abstract if _SHORTEST <= len(abstract) <= _LONGEST else ""
    return Holding(
        file,
        "text",
        plain(title) or file.stem,
        abstract=plain(usable),
        arxiv_id=as_arxiv_id(file.stem),
        names=(file.stem,),
        page=page[:_BEGINNING],
    )


def works_of(holdings: Iterable[tuple[str | None, Holding]]) -> list[LibraryWork]:
    """The works that all these speak of, in the order of their first entries; each with the id that it had before.

    Two entries are one work as `same_paper` tells; without authors, by title and key. A PDF belongs to the entry that
    names its file, or whose key is its name, or whose title and author are on its page; another file with a text
    also to the entry with its title.
    """
    works: list[LibraryWork] = []
    register: Register[LibraryWork] = Register()
    by_name: dict[tuple[str, ...], LibraryWork] = {}
    ordered = sorted(holdings, key=lambda holding: holding[1].kind)
    for known, holding in ordered:
        described = describe_holding(holding)
        work = next((work for _, work in register.same(described) if not _apart(work, holding)), None)
        named = (by_name[name] for name in _names(holding) if name in by_name)
        work = work or next((work for work in named if _fits(work, holding)), None)
        if work is None and holding.kind != "bib":
            work = next((work for work in works if _is_page_of(holding, work.holdings[0])), None)
        if work is None:
            work = LibraryWork()
            works.append(work)
        work.holdings.append(holding)
        work.known = work.known or known
        register.add(described, work)
        for name in _names(holding):
            by_name.setdefault(name, work)
    return works


def describe_holding(holding: Holding) -> Described:
    """The description of a holding's work; the title of a PDF is only a guess."""
    names = tuple(name for name in holding.authors if name != "others")
    cut, title = len(names) < len(holding.authors), holding.title if holding.kind == "bib" else ""
    dois = frozenset({holding.doi} if holding.doi else ())
    return Described(title, names, cut, holding.year, holding.year, holding.arxiv_id, dois)


def _names(holding: Holding) -> list[tuple[str, ...]]:
    """Further index terms of a work, the surest first."""
    title = fold_title(holding.title)
    own = [("page", title)] if holding.kind != "bib" else [("title", title, holding.key)] if not holding.authors else []
    return [*own, *(("file", name.casefold()) for name in holding.names)]


def _apart(work: LibraryWork, holding: Holding) -> bool:
    """True if they name different ids, or, of entries, different DOIs."""
    if work.arxiv_id and holding.arxiv_id:
        return work.arxiv_id != holding.arxiv_id
    return bool(work.doi and holding.doi and holding.kind == "bib" and work.doi != holding.doi)


def _fits(work: LibraryWork, holding: Holding) -> bool:
    """True if nothing that they name tells them apart, and, of two entries, no name of a file alone joins them."""
    if _apart(work, holding):
        return False
    both = holding.kind == "bib" and work.holdings[0].kind == "bib"
    return not both or fold_title(work.holdings[0].title) == fold_title(holding.title)


def is_text_of(text: Holding, entry: Holding) -> bool:
    """True if a file has the text of an entry's work: by its id or DOI, or by its title and an author on the page."""
    if text.arxiv_id and entry.arxiv_id:
        return text.arxiv_id == entry.arxiv_id
    return bool(text.doi and text.doi == entry.doi) or _is_page_of(text, entry)


def _is_page_of(pdf: Holding, entry: Holding) -> bool:
    title = fold_title(entry.title)
    if entry.kind != "bib" or len(title) < _LONG_ENOUGH or f" {title} " not in f" {pdf.page} ":
        return False
    # A PDF's title is guessed from its letters; another file's is its own.
    titled = pdf.kind == "text" and fold_title(pdf.title) == title
    return titled or any(fold_title(split_name(author).family) in pdf.page for author in entry.authors)


def with_ids(works: Sequence[LibraryWork], find: Callable[[LibraryWork], str | None]) -> Mapping[str, LibraryWork]:
    """The works under their ids: arXiv's where `find` knows the record, else `lib:` and the author's key."""
    by_id: dict[str, LibraryWork] = {}
    left: list[LibraryWork] = []
    for work in works:
        value = find(work)
        if value is None:
            left.append(work)
        elif value in by_id:
            by_id[value].holdings += work.holdings
        else:
            by_id[value] = work
    # Those that have an id keep it, whatever comes along.
    for work in sorted(left, key=lambda work: not (work.known or "").startswith(LIBRARY)):
        known = work.known if (work.known or "").startswith(LIBRARY) else None
        base = known or LIBRARY + re.sub(r"[^\w.:+/*'@!?=|-]+", "-", work.key)
        value, number = base, 1
        while value in by_id:
            number += 1
            value = f"{base}-{number}"
        by_id[value] = work
    return by_id
