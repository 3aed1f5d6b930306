"""What prepared papers say to the questions that a draft's own contribution answers."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from citeplug.errors import CiteplugError
from citeplug.records.finding import Finding
from citeplug.records.prepared import Place

# Without a model: "near", papers state something near it, or "nothing_near". By a model's judgement: "answered" or
# "unanswered", or "not_compared" where its answers had no quotation.
GapStatus = Literal["near", "nothing_near", "answered", "unanswered", "not_compared"]


@dataclass(frozen=True, slots=True)
class DraftQuestion:
    """A question that the draft answers, by its text `said`, which is verbatim up to its TeX.

    `section` is the heading of the section that it is in, empty for the abstract; `line` is that of the heading.
    """

    question: str
    said: str
    section: str = ""
    file: Path | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """What a prepared paper states, word for word at `place`, and the prepared question that it answers, if any.

    `score` is the cosine to the draft's sentence, None where a model chose it. `cited`: the draft cites the paper.
    """

    paper: str
    title: str
    published: date | None
    quote: str
    place: Place
    question: str | None = None
    score: float | None = None
    cited: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """A question of the draft, and what was found: `statements` are near it or answer it, best first, each of another
    paper; `nearest` is the nearest one where there are none.
    """

    asked: DraftQuestion
    status: GapStatus
    statements: tuple[Statement, ...] = ()
    nearest: Statement | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """Two papers that answer a question differently, as a model judges; `how` in its words."""

    question: str
    how: str
    one: Statement
    other: Statement


@dataclass(frozen=True, slots=True)
class LookedThrough:
    """What the draft was compared with: `papers`, `full_texts` of them, and their prepared `questions`.

    `own` are papers that were left out since they have the draft's title.
    """

    papers: int
    full_texts: int
    questions: int
    own: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gaps:
    """`differences` is None where papers were not compared with each other, which only a model does.

    `dropped` counts by reason what a model said and was not kept. `trouble` ended its asking.
    """

    root: Path
    looked_through: LookedThrough
    compared: tuple[Compared, ...]
    differences: tuple[Difference, ...] | None
    dropped: dict[str, int]
    findings: tuple[Finding, ...]
    trouble: CiteplugError | None = None
