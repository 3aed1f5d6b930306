"""A written section: paragraphs, sentences, and the sources of each sentence."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Source:
    """A passage of a text that supports a sentence.

    `start`, `end` are code points, half-open, in the text with its white space collapsed: the abstract of
    `arxiv_id`, or the draft's own abstract when `arxiv_id` is None. `text` is that passage.
    """

    arxiv_id: str | None
    version: int | None
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the section.

    `text` is plain text in which `{{cite:ID}}` stands for a parenthetical citation and `{{author:ID}}` for
    a textual one (`\\citet`); several ids are joined by commas. Only the printer makes LaTeX of it.
    Math of the source stays in `$...$`. `cites` are arXiv ids or the author's own keys, in order.
    `attribution` is 0 to 1: the ROUGE-1 precision of the sentence against its sources, once it has been computed.
    `quoted`: eight or more words in a row are the source's (in quotation marks, or else reported); `by_model`: a
    language model wrote it.
    """

    text: str
    kind: Literal["paper", "draft"]
    cites: tuple[str, ...]
    sources: tuple[Source, ...]
    attribution: float = 0.0
    status: Literal["unreviewed", "accepted"] = "unreviewed"
    quoted: bool = False
    by_model: bool = False


@dataclass(frozen=True, slots=True)
class SectionParagraph:
    """A written paragraph; `id` is that of its plan."""

    id: str
    heading: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Section:
    paragraphs: tuple[SectionParagraph, ...]
