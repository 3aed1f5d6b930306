"""Keys that a draft cites and no entry has, or has in another case."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from citeplug.records.draft import Cite, Draft
from citeplug.records.finding import Finding, Severity
from citeplug.records.report import EntryReport, report_without_entry
from citeplug.text.compare import most_like

_NEAR = 0.85  # of difflib's ratio: a letter or two of a usual key
_MOST_COMPARED = 3_000  # keys; more would take a tenth of a second for each mistyped one
# Findings on a file of entries that is absent, or was not read, or not as a whole.
MISSING = "missing_bib"
UNREAD = (MISSING, "bib_outside_project", "unreadable_bib", "bibliography_too_large")


def causes_of_undefined_keys(draft: Draft) -> Iterator[EntryReport]:
    """Yield a report for each file that was not read and may define the cited keys that no entry has."""
    count = sum(1 for _ in undefined_keys(draft))
    for finding in draft.findings if count else ():
        if finding.code not in UNREAD or finding.file is None or finding.severity == "info":
            continue
        severity: Severity = "error" if finding.code == MISSING else finding.severity
        keys = f"{count} cited key{' is' if count == 1 else 's are'}"
        message = f"{finding.message}: {keys} defined in no other file"
        yield report_without_entry([replace(finding, severity=severity, message=message)])


def undefined_keys(draft: Draft) -> Iterator[EntryReport]:
    """Yield a report for each cited key that no entry has: an error only if all files of entries were read."""
    unread = any(finding.code in UNREAD for finding in draft.findings)
    known = list(dict.fromkeys(entry.key for entry in draft.entries))
    lower = {key.lower(): key for key in known}
    defined = set(known)
    seen: set[str] = set()
    for cite in draft.cites:
        for key in cite.keys:
            if key in defined or key in seen or key == "*":
                continue
            seen.add(key)
            if draft.bib_engine != "bibtex" or key.lower() not in lower:
                yield _undefined_key(key, cite, lower.get(key.lower()) or _near(key, known), unread)


def _undefined_key(key: str, cite: Cite, other: str | None, unread: bool) -> EntryReport:
    message = f"{key} is cited, but no bibliography file defines it"
    fix = "add the entry, or correct the key"
    if other:
        same = other.lower() == key.lower()
        fix = f"write {other}, as it is defined" if same else f"write {other} if you mean that, or add the entry"
    severity: Severity = "error"
    if unread:
        message = f"{key} is cited, but no bibliography file that was read defines it"
        severity, fix = "info", "check whether the file that was not read defines it"
    finding = Finding("undefined_key", severity, message, cite.span.file, cite.span.line, None, fix, other)
    return report_without_entry([finding], key)


def _near(key: str, known: Sequence[str]) -> str | None:
    """Return the key that is most like a mistyped one; None if none is near, or there are too many to compare."""
    if len(known) > _MOST_COMPARED:
        return None
    return most_like(key, known, _NEAR)


def keys_in_other_case(draft: Draft) -> Iterator[tuple[int, Finding]]:
    """Yield findings on keys cited in another case than defined: BibTeX accepts one other form, not two."""
    if draft.bib_engine != "bibtex":
        return
    forms: dict[str, dict[str, Cite]] = {}
    for cite in draft.cites:
        for key in cite.keys:
            forms.setdefault(key.lower(), {}).setdefault(key, cite)
    for number, entry in enumerate(draft.entries):
        cites = forms.get(entry.key.lower(), {})
        for key, cite in cites.items():
            if key != entry.key:
                message = f"{entry.key} is cited as {key}"
                message += ", and elsewhere in another case: BibTeX stops with an error" if len(cites) > 1 else ""
                severity: Severity = "error" if len(cites) > 1 else "info"
                file, line = cite.span.file, cite.span.line
                yield number, Finding("key_case", severity, message, file, line, None, f"write {entry.key}", entry.key)
