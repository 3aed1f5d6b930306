"""Full texts of papers: their sections, the passages into which they are cut, and their lists of references."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

How = Literal["printed_id", "doi", "title", "none"]


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of a printed list. `number` counts from 1, `key` is the one that the list cites it by.

    `raw` is its text on one line, LaTeX as printed, cut where it is very long. `arxiv_id`, without version, and `doi`,
    in lower case, are printed in it; arXiv's own DOI counts as the id. `title` is plain text, `others` what else in it
    may be its title. `surnames` are the authors' as far as they show. `place` is the page of a PDF or the line of a
    text in which it begins, 0 if that is not known. `fields` are those of an entry whose parts a
    program recorded, with its `entrytype`.
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
    place: int = 0
    fields: tuple[tuple[str, str], ...] = ()


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


TextSource = Literal["eprint", "pdf", "own"]
SOURCE_NAMES: Mapping[TextSource, str] = {
    "eprint": "the LaTeX source on arXiv",
    "pdf": "the PDF on arXiv",
    "own": "a file of yours",
}


@dataclass(frozen=True, slots=True)
class TextSection:
    """A section of a paper. `level`: 0 chapter, 1 section, 2 subsection, ...; `title` is empty before the first one.

    `text` has white space collapsed and a blank line between paragraphs; mathematics stays in `$...$`. Figures' and
    tables' captions are its last paragraphs, from the code point `captions` on. `pages` are the pages of a PDF, each
    with the code point at which it begins; empty for other texts. `place` is what a citation can name, such as
    `Sec. 3.2` or `App. B`; empty where the section has no number, or none is known.
    """

    level: int
    title: str
    text: str
    captions: int
    pages: tuple[tuple[int, int], ...] = ()
    place: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """About 200 words of a paper, cut at paragraphs, or a caption.

    `paper` is an id without version. `number` counts a text's passages from 1; `page` counts from 1, None without
    pages. `start`, `end` are code points, half-open, in the section's text, and `text` is that stretch. `place` is the
    section's, else `p. 4` or `pp. 4-5` in a PDF of arXiv; empty for none.
    """

    paper: str
    version: int | None
    section: str
    page: int | None
    number: int
    start: int
    end: int
    text: str
    source: TextSource
    place: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A citation in a paper's text: the keys of its list of references, the section, and the sentence around it.

    In the `sentence`, plain text of 300 characters at most, `[*]` stands for the citation.
    """

    keys: tuple[str, ...]
    section: str
    sentence: str


@dataclass(frozen=True, slots=True)
class PaperText:
    """The full text of a version of a paper, as it was read; `version` None: not known.

    `references` are the printed list as far as it could be read, not resolved; `mentions` cite it, in their order.
    """

    paper: str
    version: int | None
    source: TextSource
    title: str
    sections: tuple[TextSection, ...]
    references: tuple[Reference, ...] = ()
    mentions: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that a search found. `score`: larger is better, comparable within one search alone."""

    passage: Passage
    score: float
    found_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text without its paper. `doubts` are (code, message) of what is missing from it."""

    title: str
    sections: tuple[TextSection, ...]
    references: tuple[Reference, ...] = ()
    doubts: tuple[tuple[str, str], ...] = ()
    mentions: tuple[Mention, ...] = ()

    @property
    def words(self) -> int:
        return sum(len(section.text.split()) for section in self.sections)
