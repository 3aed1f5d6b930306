"""The ledger of a draft: of each work that it discusses what it does, what it leaves open, and the draft's answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Literal

from citeplug.errors import CiteplugError
from citeplug.records.finding import Finding

# `open`: a limit is stated, and no sentence of the draft takes it up; `draft_alone`: the draft says what a work lacks,
# or in what it differs, and no text here states just that; `none`: neither was found.
GapStatus = Literal["open", "draft_alone", "taken_up", "none"]


@dataclass(frozen=True, slots=True)
class StatedPassage:
    """Words of a text: the title, the abstract or the full text of the work itself, or a sentence of another one that
    cites it.

    `paper` is the id of the paper whose text it is. `start`, `end` are code points in the title, the abstract, or the
    text of the `section`; None in a citation, where `[*]` stands for the work.
    """

    text: str
    of: Literal["title", "abstract", "full text", "citation"]
    paper: str
    section: str = ""
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class OwnSentence:
    """A sentence of the draft, plain, without its citations; `section` is empty for the abstract."""

    text: str
    file: Path
    line: int | None
    section: str = ""


@dataclass(frozen=True, slots=True)
class WorkPosition:
    """A row of the ledger. `does`: the work's own sentence on its contribution; `limit`: what it states as its limit or
    scope, or another work of it; `draft`: the draft's sentence. `by` is the model that judged them, None for none.
    """

    key: str
    title: str
    arxiv_id: str | None
    published: date | None
    status: GapStatus
    does: StatedPassage | None = None
    limit: StatedPassage | None = None
    draft: OwnSentence | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class LookedThrough:
    """Texts in which limits were looked for: abstracts and full texts of the works, and sentences that cite them."""

    abstracts: int
    full_texts: int
    citations: int


@dataclass(frozen=True, slots=True)
class Gaps:
    """The ledger, what is worth most to its author first. `of` says which works: those of the section, or of the draft.

    `dropped` counts by reason what a model said and was not kept. `trouble` ended its asking.
    """

    root: Path
    of: Literal["section", "draft"]
    works: tuple[WorkPosition, ...]
    looked_through: LookedThrough
    findings: tuple[Finding, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    trouble: CiteplugError | None = None
