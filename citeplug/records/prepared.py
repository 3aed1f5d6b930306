"""Prepared knowledge of a paper: fields, and questions that it answers (Meta Knowledge for RAG, section 3.2)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from citeplug.records.passage import Passage


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a paper's text, code points, half-open.

    `passage` is the number of a passage of its full text, or 0: the abstract, with its white space collapsed.
    """

    passage: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fact:
    """A field of a paper: `kind` such as `code`, and the value. `quote` is what stands at the place, and shows it."""

    kind: str
    value: str
    quote: str
    place: Place


@dataclass(frozen=True, slots=True)
class Pair:
    """A question that a paper answers. `quote`, which stands at the place, bears the answer out, or is the answer."""

    question: str
    answer: str
    quote: str
    place: Place


@dataclass(frozen=True, slots=True)
class PaperSource:
    """What is prepared of a paper. `paper` is an id without version; `passages` are those of its full text, if any.

    `digest` is the SHA-256 of title, abstract and full text.
    """

    paper: str
    version: int | None
    title: str
    abstract: str
    passages: tuple[Passage, ...]
    digest: str

    @property
    def of(self) -> Literal["abstract", "full text"]:
        return "full text" if self.passages else "abstract"

    def texts(self) -> dict[int, str]:
        """The texts by passage, 0 for the abstract; empty ones are left out."""
        texts = {0: self.abstract} | {passage.number: passage.text for passage in self.passages}
        return {number: text for number, text in texts.items() if text}


@dataclass(frozen=True, slots=True)
class Prepared:
    """What was made of a paper's text. `made_by` is `patterns`, or a model as `anthropic:NAME`.

    `dropped` counts what a model said and was not kept, by the reason.
    """

    paper: str
    title: str
    version: int | None
    of: Literal["abstract", "full text"]
    digest: str
    made_by: str
    facts: tuple[Fact, ...]
    pairs: tuple[Pair, ...]
    dropped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FoundPair:
    """A question of a paper that is near to another one. `score` is the cosine of the two."""

    paper: str
    title: str
    pair: Pair
    score: float
