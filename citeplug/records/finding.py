"""Findings on a text, and edits of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from citeplug.errors import BudgetReached, CiteplugError, SourceUnavailable

Severity = Literal["none", "info", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Doubt about the author's text, an entry, or a generated sentence. Codes: docs/findings.md.

    `file` is absolute or None; `line` and `column` count from 1; `fix` is a sentence that says what to do;
    `instead` is the key to cite in place of the one that the finding is on, `arxiv_id` the paper to cite there.
    """

    code: str
    severity: Severity
    message: str
    file: Path | None = None
    line: int | None = None
    column: int | None = None
    fix: str | None = None
    instead: str | None = None
    arxiv_id: str | None = None


def advice(fix: str | None) -> str:
    """What to do, for a reader outside a terminal: the parts, between semicolons, without a command or an option."""
    parts = (fix or "").removesuffix("(citeplug fix does it)").strip().split("; ")
    return "; ".join(part for part in parts if "--" not in part and "'citeplug" not in part)


def source_unavailable(error: SourceUnavailable, consequence: str) -> Finding:
    """Return the finding on an outage that did not stop the run."""
    return Finding("source_unavailable", "warning", f"{error}; {consequence}", fix=error.hint or None)


def without_text(names: Sequence[str], done: str, fix: str, most: int = 5) -> Finding:
    """Return the finding on papers that were not `done`, such as asked, as there is neither text nor abstract."""
    more = f" and {len(names) - most:,} more" if names[most:] else ""
    papers = "1 paper was" if len(names) == 1 else f"{len(names):,} papers were"
    message = f"{papers} not {done} (no text here): {', '.join(names[:most])}{more}"
    return Finding("full_text_missing", "warning", message, fix=fix)


def without_names(finding: Finding, code: str, instead: str = "") -> Finding:
    """Return a finding of `code` without the names behind its colon, `instead` in their place; another one as it is."""
    return finding if finding.code != code else replace(finding, message=finding.message.partition(": ")[0] + instead)


def model_unavailable(error: CiteplugError, consequence: str) -> Finding:
    """Return the finding on a language model that could not be reached, or whose budget is used up."""
    code = "budget_reached" if isinstance(error, BudgetReached) else "model_unavailable"
    return Finding(code, "warning", f"{error}; {consequence}", fix=error.hint or None)


def of_dry_run(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings without those on a model that gave no answer: in a dry run it gives none, by design."""
    return tuple(finding for finding in findings if finding.code != "model_unavailable")


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace `file`'s code points `start` to `end` (half-open) by `new_text`."""

    file: Path
    start: int
    end: int
    new_text: str
