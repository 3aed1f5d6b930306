"""What an audit of a draft found, beside its bibliography's report."""

from dataclasses import dataclass
from pathlib import Path

from citeplug.records.paper import Paper
from citeplug.records.reason import Reason
from citeplug.records.report import BibReport


@dataclass(frozen=True, slots=True)
class MissingWork:
    """A paper that the draft does not cite, why it belongs there, and the paragraph that it is nearest to.

    `near` are that paragraph's first words; it is empty, and `file` and `line` are None, where the draft has no text.
    """

    paper: Paper
    reasons: tuple[Reason, ...]
    file: Path | None = None
    line: int | None = None
    near: str = ""


@dataclass(frozen=True, slots=True)
class Balance:
    """Facts on what the draft cites, which are no findings.

    `works` are those that it cites; `years` the first, the middle and the last year of those that have one. `author`
    is the most frequent author of them, with the number of works, None if nobody has three. `paragraphs` cite
    something; `single` are the places of longer ones with one work alone.
    """

    works: int
    years: tuple[int, int, int] | None
    author: tuple[str, int] | None
    paragraphs: int
    single: tuple[tuple[Path, int], ...]


@dataclass(frozen=True, slots=True)
class Audit:
    """`report` has all findings, those on the bibliography by entry. `looked_at` and `not_looked_at` are sentences."""

    report: BibReport
    missing: tuple[MissingWork, ...]
    balance: Balance
    looked_at: tuple[str, ...]
    not_looked_at: tuple[str, ...]
