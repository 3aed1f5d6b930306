"""The comparison table of a draft: a row a work, each cell the words of a text, with their place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from citeplug.records.finding import Finding
from citeplug.records.gaps import OwnSentence, StatedPassage

THIS_WORK = "This work"


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell. `text` stands word for word in `source`: a stretch of the work's text, or a sentence of the draft.

    `verdict` answers a column that asks yes or no, by these words; None in all others.
    """

    text: str
    source: StatedPassage | OwnSentence
    verdict: Literal["yes", "no"] | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A work by its key, empty for the draft; `name` is how a reader knows it. No cell: nothing is said."""

    key: str
    name: str
    arxiv_id: str | None
    cells: tuple[TableCell | None, ...]


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """The table, the draft last. `dropped` are columns that most rows leave empty, each with its number of cells.

    `by` is the model that proposed and judged the cells, None for none; `refused` counts by reason what it said
    and what was not kept.
    """

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    dropped: tuple[tuple[str, int], ...] = ()
    by: str | None = None
    refused: Mapping[str, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """The table as it is in its file: `grid` has the cells as plain text, with the author's edits, the header first."""

    path: Path
    table: ComparisonTable
    tex: str
    grid: Sequence[Sequence[str]]
    changed: bool
    findings: tuple[Finding, ...] = ()
