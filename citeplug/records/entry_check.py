"""Verdict on one bibliography entry, with the evidence for it."""

from dataclasses import dataclass
from typing import Literal

from citeplug.records.finding import Finding, Severity
from citeplug.records.work import Service

Verdict = Literal["verified", "differs", "not_found", "possibly_withdrawn", "not_arxiv", "unchecked"]


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
