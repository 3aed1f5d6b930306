"""Verdict on one bibliography entry, with the evidence for it."""

from dataclasses import dataclass
from typing import Literal

from citeplug.records.finding import Finding, Severity
from citeplug.records.work import SERVICE_NAMES, Service

Verdict = Literal["verified", "differs", "not_found", "possibly_withdrawn", "not_arxiv", "unchecked"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Comparison of one field with the record: `same`, `differs`, `missing` (in the entry) or `unchecked`."""

    field: str
    given: str | None
    found: str | None
    verdict: Literal["same", "differs", "missing", "unchecked"]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A certain correction of one field of an entry; `code` is that of the finding that it corrects.

    `value` is plain text as the source has it (authors as "Given Family", joined by " and "), to be printed
    in the file's own dialect; None removes the field.
    """

    code: str
    field: str
    value: str | None


@dataclass(frozen=True, slots=True)
class EntryCheck:
    """The verdict on one bibliography entry, with its evidence.

    `findings` add to the verdict: a newer version, a published one. `changes` are certain corrections, all from
    the one record that the entry was checked against: that of `arxiv_id`, or another service's.
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

    @property
    def record(self) -> str | None:
        """The record that the entry was compared with, in words: the paper's id, or the service; None without one."""
        if self.checked_against in ("crossref", "openalex", "dblp", "semanticscholar"):
            return SERVICE_NAMES[self.checked_against]
        return f"arXiv:{self.arxiv_id}" if self.arxiv_id else None
