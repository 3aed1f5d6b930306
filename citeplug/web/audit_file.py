"""An audit as HTML: one file without script that asks for nothing, and the part of it that the review page shows."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from citeplug.audit.ranking import OF_CITATIONS, OnKey, doubts_of, ranked
from citeplug.records.audit import Audit
from citeplug.records.finding import Severity
from citeplug.records.paper import shown_id
from citeplug.records.rules import rule
from citeplug.text.identifiers import as_arxiv_id
from citeplug.web.assets import templates

_OF_MISSING = ("missing_work", "newer_than_draft")
_ELSEWHERE = (*_OF_MISSING, *OF_CITATIONS, "novelty_claim")


def audit_values(audit: Audit) -> dict[str, Any]:
    """Return what the template `audit_found.html` shows; paths are from the folder of the main file."""
    draft = audit.report.draft
    folder = Path.cwd() if draft is None else draft.root.parent
    found = [each for each in ranked(audit.report) if each.finding.code not in _ELSEWHERE]
    notes = [each.finding for each in ranked(audit.report) if each.finding.code == "newer_than_draft"]
    causes: dict[tuple[Severity, str], list[OnKey]] = {}
    for each in found:  # worst first, so that the causes are, too
        causes.setdefault((each.finding.severity, each.finding.code), []).append(each)
    return {
        "audit": audit,
        "groups": [(rule(code), severity, group) for (severity, code), group in causes.items()],
        "notes": notes,
        "doubts": doubts_of(audit),
        "place": lambda file, line: "" if file is None else f"{_relative(file, folder)}:{line or 1}",
        "shown_id": shown_id,
        "arxiv": lambda value: (known := as_arxiv_id(value)) and f"https://arxiv.org/abs/{known}",
    }


def audit_as_html(audit: Audit) -> str:
    """Return the document of `citeplug audit --format html`. Texts of papers and drafts are escaped."""
    draft = audit.report.draft
    values: Mapping[str, Any] = {**audit_values(audit), "root": "" if draft is None else draft.root.name}
    return templates().get_template("audit_file.html").render(values) + "\n"


def _relative(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else str(file)
