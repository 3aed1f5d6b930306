"""Papers that came into the catalogue since a draft's last run."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from citeplug.records.finding import Finding
from citeplug.records.paper import Paper, Reason


@dataclass(frozen=True, slots=True)
class SameClaim:
    """A sentence of the draft that states its contribution, and one of a paper that is near it in meaning.

    `cosine` is that of their vectors; `concurrent`: the paper is no older than a year.
    """

    said: str
    quote: str
    cosine: float
    concurrent: bool


@dataclass(frozen=True, slots=True)
class NewPaper:
    """A paper, the reasons for which it is on the draft's reading list, and what both of them claim, if so."""

    paper: Paper
    reasons: tuple[Reason, ...]
    claim: SameClaim | None = None


@dataclass(frozen=True, slots=True)
class News:
    """The new papers for a draft, those that claim the same first.

    `arrived` counts the records that came since `since`. `last` is when any record came last. Times have a time zone.
    """

    root: Path
    since: datetime
    arrived: int
    papers: tuple[NewPaper, ...]
    last: datetime | None = None
    findings: tuple[Finding, ...] = ()
