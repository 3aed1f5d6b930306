"""Findings, plans, sections, and the outcome of a run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from citeplug.errors import BudgetReached, CiteplugError, SourceUnavailable
from citeplug.records.paper import Paper
from citeplug.records.work import Service

Severity = Literal["none", "info", "warning", "error"]
Verdict = Literal["verified", "differs", "not_found", "possibly_withdrawn", "not_arxiv", "unchecked"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Doubt about the author's text, an entry, or a generated sentence. Codes: docs/findings.md.

    `file` is absolute or None; `line` and `column` count from 1; `fix` is a sentence that says what to do.
    """

    code: str
    severity: Severity
    message: str
    file: Path | None = None
    line: int | None = None
    column: int | None = None
    fix: str | None = None


def source_unavailable(error: SourceUnavailable, consequence: str) -> Finding:
    """The finding that stands for an outage which did not stop the run."""
    return Finding("source_unavailable", "warning", f"{error}; {consequence}", fix=error.hint or None)


def model_unavailable(error: CiteplugError, consequence: str) -> Finding:
    """As `source_unavailable`, for a language model that could not be asked, or no further (`budget_reached`)."""
    code = "budget_reached" if isinstance(error, BudgetReached) else "model_unavailable"
    return Finding(code, "warning", f"{error}; {consequence}", fix=error.hint or None)


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace `file`'s code points `start` to `end` (half-open) by `new_text`."""

    file: Path
    start: int
    end: int
    new_text: str


@dataclass(frozen=True, slots=True)
class Source:
    """The stretch of a text that supports a sentence.

    `start`, `end` are code points, half-open, in the text with its white space collapsed: the abstract of
    `arxiv_id`, or the draft's own abstract when `arxiv_id` is None. `text` is that stretch.
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
    a textual one (`\\citet`); several ids are joined by commas. LaTeX is made of it by the printer alone.
    Math of the source stays in `$...$`. `cites` are arXiv ids or the author's own keys, in order.
    `attribution` is 0 to 1: the ROUGE-1 precision of the sentence against its sources.
    `quoted` says that eight or more words in a row are the source's (set in quotation marks or reported);
    `by_model` that a language model worded it.
    """

    text: str
    kind: Literal["paper", "draft"]
    cites: tuple[str, ...]
    sources: tuple[Source, ...]
    attribution: float
    status: Literal["unreviewed", "accepted"] = "unreviewed"
    quoted: bool = False
    by_model: bool = False


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One planned sentence: what it does and which papers it cites (arXiv ids, or keys of the draft)."""

    intent: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanParagraph:
    """One planned paragraph. `id` is stable (`p1`, ...); `words` is the target length."""

    id: str
    heading: str
    lines: tuple[PlanLine, ...]
    words: int
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    paragraphs: tuple[PlanParagraph, ...]


@dataclass(frozen=True, slots=True)
class SectionParagraph:
    """A written paragraph; `id` is that of its plan."""

    id: str
    heading: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Section:
    paragraphs: tuple[SectionParagraph, ...]


@dataclass(frozen=True, slots=True)
class Shortlisted:
    """A paper chosen to be discussed. `score` is 0 to 1, the mean similarity of its texts to the draft."""

    paper: Paper
    score: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a check of one field found: `same`, `differs`, `missing` (in the entry) or `unchecked`."""

    field: str
    given: str | None
    found: str | None
    verdict: Literal["same", "differs", "missing", "unchecked"]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A certain correction of one field of an entry; `code` is that of the finding which it mends.

    `value` is plain text as the source has it (authors as "Given Family", joined by " and "), to be printed
    in the file's own dialect; None removes the field.
    """

    code: str
    field: str
    value: str | None


@dataclass(frozen=True, slots=True)
class EntryCheck:
    """The verdict on one bibliography entry, with its evidence.

    `findings` say more than the verdict does: a newer version, a published one. `changes` are corrections
    that are certain, all from the one record that it was checked against: the one under `arxiv_id`, or another
    service's.
    """

    key: str
    arxiv_id: str | None
    verdict: Verdict
    severity: Severity
    checked_against: Literal["arxiv", "catalogue", "library"] | Service | None
    fields: tuple[Evidence, ...] = ()
    message: str = ""
    findings: tuple[Finding, ...] = ()
    changes: tuple[FieldChange, ...] = ()
