"""How a check of a bibliography looks: for a reader, as JSON, and as GitHub's workflow commands."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click

from citeplug.faces.console import finding_as_json, safe, say, use_colour
from citeplug.records.report import RANK, BibReport, EntryReport
from citeplug.records.review import Evidence, Finding, Severity

_COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}
_NAMES = {
    "verified": "verified",
    "differs": "different from their record",
    "not_found": "not found",
    "possibly_withdrawn": "possibly withdrawn",
    "not_arxiv": "not on arXiv",
    "unchecked": "not checked",
}
# GitHub shows so many annotations of a kind for one step, and drops the rest without a word.
_GITHUB_SHOWS = 10


def report_as_json(report: BibReport) -> list[dict[str, Any]]:
    """The document of `citeplug check --format json`: one element for each entry and each undefined key."""
    return [
        {
            "key": entry.key or None,
            "file": str(entry.file),
            "line": entry.line,
            "verdict": entry.check.verdict,
            "severity": entry.severity,
            "arxiv_id": entry.check.arxiv_id,
            "checked_against": entry.check.checked_against,
            "fields": [
                {"field": e.field, "given": e.given, "found": e.found, "verdict": e.verdict} for e in entry.check.fields
            ],
            "findings": [finding_as_json(finding) for finding in entry.findings],
            "message": entry.check.message or None,
            "fix": entry.fix,
        }
        for entry in report.entries
    ]


def show_report(report: BibReport, verbosity: int) -> None:
    """Errors first, then warnings; with -v information too. Counts at the end."""
    colour = use_colour(sys.stdout)
    least: Severity = "info" if verbosity > 0 else "error" if verbosity < 0 else "warning"
    shown = [entry for entry in report.entries if RANK[_weight(entry)] >= RANK[least]]
    for entry in sorted(shown, key=lambda entry: -RANK[_weight(entry)]):
        _show_entry(entry, least, colour)
    if verbosity < 0:
        return
    verdicts = Counter(entry.check.verdict for entry in report.entries if not _uncited(entry))
    counts = [f"{count} {_NAMES[verdict]}" for verdict, count in verdicts.most_common()]
    uncited = sum(map(_uncited, report.entries))
    severities = Counter(entry.severity for entry in report.entries)
    say(f"{sum(verdicts.values())} entries: " + (", ".join(counts) or "nothing to check"))
    say(
        f"{severities['error']} with errors, {severities['warning']} with warnings"
        + (f"; {uncited} never cited" if uncited else "")
    )


def _weight(entry: EntryReport) -> Severity:
    """The worst that is said of the entry, information included; without weight where there is nothing to do."""
    if entry.severity in ("error", "warning"):
        return entry.severity
    return "info" if messages(entry) else "none"


def _uncited(entry: EntryReport) -> bool:
    return any(finding.code == "uncited_entry" for finding in entry.findings)


def _show_entry(entry: EntryReport, least: Severity, colour: bool) -> None:
    weight = _weight(entry)
    label = click.style(weight, fg=_COLOURS[weight]) if colour else weight
    click.echo(f"{safe(_shown(entry.file))}:{entry.line}: {label}: {safe(entry.key)}")
    for finding in messages(entry):
        if RANK[finding.severity] >= RANK[least]:
            place = f" (line {finding.line})" if finding.line not in (None, entry.line) else ""
            say(f"    {finding.message}{place} [{finding.code}]")
            if finding.fix and finding.fix != entry.fix:
                say(f"        {finding.fix}")
    if RANK[entry.check.severity] >= RANK[least]:
        for evidence in entry.check.fields:
            if evidence.verdict == "differs":
                _show_evidence(evidence)
    if entry.fix:
        say(f"    fix: {entry.fix}")


def _show_evidence(evidence: Evidence) -> None:
    say(f"        {evidence.field} given:  {evidence.given or '(nothing)'}")
    say(f"        {' ' * len(evidence.field)} record: {evidence.found or '(nothing)'}")


def _shown(file: Path) -> str:
    """The path from here if the file lies beneath, else whole."""
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)


def messages(entry: EntryReport) -> list[Finding]:
    """All that is to be said of an entry as findings; the check's own message first, unless findings say it already.

    That a work is not on arXiv is no news to its author: it stands in the JSON alone.
    """
    check = entry.check
    told = any(finding.message and finding.message in check.message for finding in entry.findings)
    if told or not check.message or check.severity == "none" or check.verdict == "not_arxiv":
        return list(entry.findings)
    own = Finding(f"entry_{check.verdict}", check.severity, check.message, entry.file, entry.line, None, entry.fix)
    return [own, *entry.findings]


def show_for_github(report: BibReport) -> None:
    """GitHub's workflow commands, worst first, and how many of each kind GitHub will not show."""
    kinds = {"error": "error", "warning": "warning", "info": "notice"}
    findings = [(entry.key, finding) for entry in report.entries for finding in messages(entry)]
    findings += [("", finding) for finding in report.findings]
    counts: Counter[str] = Counter()
    for key, finding in sorted(findings, key=lambda pair: -RANK[pair[1].severity]):
        kind = kinds.get(finding.severity)
        if kind is None:
            continue
        counts[kind] += 1
        place = {
            "file": None if finding.file is None else _shown(finding.file).replace("\\", "/"),
            "line": finding.line,
        }
        given = {**place, "col": finding.column, "title": f"{key}: {finding.code}" if key else finding.code}
        properties = ",".join(f"{name}={_property(str(value))}" for name, value in given.items() if value is not None)
        text = finding.message + (f"\n{finding.fix}" if finding.fix else "")
        say(f"::{kind} {properties}::{_data(text)}")
    for kind, count in counts.items():
        if count > _GITHUB_SHOWS:
            say(f"GitHub shows {_GITHUB_SHOWS} of the {count} {kind}s above; the log has them all")


def _data(text: str) -> str:
    return safe(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
