"""Check of a bibliography, printed: for a reader, as JSON, and as GitHub's workflow commands."""

import os
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from citeplug.bib.compare.corrections import is_close
from citeplug.bib.compare.verify import NOT_HELD
from citeplug.bibtex.places import locate_entry
from citeplug.cli.console import (
    Part,
    as_run,
    counted,
    finding_as_json,
    least_shown,
    print_json,
    safe,
    say,
)
from citeplug.files.decode import decode
from citeplug.records.entry_check import Evidence
from citeplug.records.finding import Finding, Severity
from citeplug.records.json_form import fields_of
from citeplug.records.report import RANK, BibReport, EntryReport, verdicts_in_words
from citeplug.text.people import listed

# GitHub shows at most this many annotations of a kind for one step, and drops the rest silently.
_GITHUB_SHOWS = 10


def report_as_json(report: BibReport) -> list[dict[str, Any]]:
    """Return the document of `citeplug check --format json`: one element for each entry and each undefined key."""
    return [
        {
            "key": entry.key or None,
            **fields_of(entry, "file line page"),
            "verdict": entry.check.verdict,
            "severity": entry.severity,
            **fields_of(entry.check, "arxiv_id checked_against fields"),
            "findings": [finding_as_json(finding) for finding in entry.findings],
            "message": entry.check.message or None,
            "fix": entry.fix or _first_fix(entry),
        }
        for entry in report.entries
    ]


def _first_fix(entry: EntryReport) -> str | None:
    """Return the fix of the worst finding."""
    fixes = [finding for finding in entry.findings if finding.fix and finding.severity != "info"]
    return max(fixes, key=lambda finding: RANK[finding.severity]).fix if fixes else None


def show_report(report: BibReport, verbosity: int) -> None:
    """Print errors, then warnings, with -v information too, by cause; then counts."""
    least = least_shown(verbosity)
    shown = [entry for entry in report.entries if RANK[_weight(entry)] >= RANK[least]]
    for entry in sorted(shown, key=_worst_first):
        show_entry(entry, least)
    if verbosity < 0:
        return
    if shown:
        say()
    verdicts = report.verdicts
    count = counted(verdicts.total(), "entry", "entries")
    absent = _absent(report)
    why = "" if not absent else f" ({'' if absent == verdicts['unchecked'] else f'{absent} have '}no record here)"
    say((count, "number"), f": {verdicts_in_words(verdicts) or 'nothing to check'}{why}")
    severities = Counter(entry.severity for entry in report.entries)
    uncited = sum(entry.is_uncited for entry in report.entries)
    undefined = sum(any(f.code == "undefined_key" for f in entry.findings) for entry in report.entries)
    parts: list[Part] = []
    counts: tuple[tuple[str, Severity], ...] = (("errors", "error"), ("warnings", "warning"))
    for kind, severity in counts:
        if many := severities[severity]:
            parts += [", " if parts else "", (f"{many} with {kind}", severity)]
    if not severities["error"] and not severities["warning"] and verdicts.total():
        parts = [("no errors, no warnings", "good"), " in what was checked" if verdicts["unchecked"] else ""]
    more = [f"{undefined} cited and not defined"] if undefined else []
    more += [f"{uncited} defined and never cited{'' if verbosity > 0 else ' (-v lists them)'}"] if uncited else []
    more += left_out(report)
    say(*parts, *(f"{', ' if at or parts else ''}{words}" for at, words in enumerate(more)))


def _absent(report: BibReport) -> int:
    """How many entries were not compared because the catalogue, which alone was asked, does not hold their papers."""
    checks = (entry.check for entry in report.entries)
    return sum(check.verdict == "unchecked" and check.message.startswith(NOT_HELD) for check in checks)


def next_step(report: BibReport, files: Sequence[Path]) -> tuple[str, str] | None:
    """The command that does something about the worst findings, and what it does; None if there is nothing to do.

    `files` are those that were named to be checked. After an offline run it is offline too, but to ask arXiv.
    """
    named = " ".join(shlex.quote(str(file)) for file in files)
    certain = sum(bool(entry.check.changes) or _is_escaped(entry) for entry in report.entries)
    if certain:
        does = f"shows how {counted(certain, 'entry', 'entries')} can be corrected"
        return as_run(" ".join(filter(None, ("citeplug fix", named, "--diff")))), does
    undefined = [entry.key for entry in report.entries for f in entry.findings if f.code == "undefined_key"]
    bibs = list(dict.fromkeys(entry.file for entry in report.entries if entry.file.suffix.lower() == ".bib"))
    if undefined and bibs:
        command = f"citeplug cite TITLE --append {shlex.quote(shown_path(bibs[0]))}"
        return command, f"adds the entry that {undefined[0]} lacks; TITLE may be an arXiv id or a DOI"
    if close := sum(is_close(entry.check) for entry in report.entries):
        command, does = show_titles(files, close)
        return as_run(command), does
    if (absent := _absent(report)) and report.worst() not in ("error", "warning"):
        when = "once arXiv can be reached," if report.outage else "without --offline"
        return " ".join(filter(None, ("citeplug check", named))), f"{when} asks about the {absent}"
    return None


def show_titles(files: Sequence[Path], close: int) -> tuple[str, str]:
    """The command that shows the change of titles that differ a little to those of their records, and what it does."""
    does = "shows the change to the record's title" if close == 1 else "shows the changes to the records' titles"
    return shlex.join(["citeplug", "fix", *map(str, files), "--only", "title_differs", "--diff"]), does


def left_out(report: BibReport) -> list[str]:
    """Return in words how many findings are not shown."""
    counts = ((report.ignored, "ignored"), (report.known, "in the baseline"))
    return [f"{counted(count, 'finding', 'findings')} {why}" for count, why in counts if count]


def _is_escaped(entry: EntryReport) -> bool:
    """Return True if a special character surely needs a backslash."""
    return any(finding.code in ("raw_percent", "raw_special") for finding, _ in entry.edits)


def _weight(entry: EntryReport) -> Severity:
    """Return the worst severity of the entry's findings, info included; `none` without findings."""
    if entry.severity in ("error", "warning"):
        return entry.severity
    return "info" if entry.all_findings else "none"


def _worst_first(entry: EntryReport) -> tuple[int, str]:
    """The order of entries: by severity, then by the first cause of that severity."""
    weight = _weight(entry)
    return -RANK[weight], next((finding.code for finding in entry.all_findings if finding.severity == weight), "")


def show_entry(entry: EntryReport, least: Severity) -> None:
    """Print an entry's findings from `least` on, what differs in the entry and in its record, and the fixes."""
    weight = _weight(entry)
    unknown = any(finding.code == "unknown_code" for finding in entry.findings)
    nameless = "comment" if unknown else "(no key)" if entry.file.suffix.lower() == ".bib" else "bibliography"
    say(f"{shown_path(entry.file)}{entry.place}: ", (weight, weight), ": ", (entry.key or nameless, "key"))
    alike: dict[tuple[str, str], list[Finding]] = {}
    for finding in entry.all_findings:
        if RANK[finding.severity] >= RANK[least]:
            alike.setdefault((finding.code, finding.message), []).append(finding)
    differing = [evidence for evidence in entry.check.fields if evidence.verdict == "differs"]
    for same in alike.values():
        _show_findings(same, entry, differing)
    if RANK[entry.check.severity] >= RANK[least]:
        for evidence in differing:
            if evidence.field != "year":  # its message has both values
                _show_evidence(evidence)
        if differing and not entry.fix and entry.entry is not None and entry.file.suffix.lower() == ".bib":
            _show_remedy(entry, [evidence.field for evidence in differing])
    if entry.fix:
        say(entry.fix, lead="    fix: ")


def _show_remedy(entry: EntryReport, fields: Sequence[str]) -> None:
    """Print which line is to be edited, and how; which of the two is right only the author knows."""
    take = f"take the record's {listed(fields)}"
    is_other = entry.severity == "error"
    line = _line_of(entry, "eprint" if is_other else fields[0])
    does = f"correct the id, or {take}" if is_other else f"{take}, or correct the id"
    say(f"edit {shown_path(entry.file)}:{line}: {does}", lead="    ", hang=4)


def _line_of(entry: EntryReport, name: str) -> int:
    """The line of a field's value, that of the entry where it has none."""
    assert entry.entry is not None
    span = entry.entry.span
    try:
        text = _text_of(entry.file)
    except OSError:
        return entry.line
    place = locate_entry(text, (span.start, span.end))
    value = next((field.value for field in (place.fields if place else ()) if field.name.lower() == name), None)
    return entry.line + (text.count("\n", span.start, value[0]) if value else 0)


@cache
def _text_of(file: Path) -> str:
    return decode(file.read_bytes()).text


def _show_findings(same: list[Finding], entry: EntryReport, differing: Sequence[Evidence]) -> None:
    """Print findings with the same message once, with the lines of those that are elsewhere.

    What the record says of a `differing` field stands beneath; a warning does not repeat it.
    """
    finding = same[0]
    lines = list(dict.fromkeys(str(finding.line) for finding in same if finding.line not in (None, entry.line)))
    if finding.file is not None and finding.file != entry.file:
        place = f" ({shown_path(finding.file)}:{finding.line})"
    elif lines:
        place = f" (line {', '.join(lines)})" if len(lines) == 1 else f" (lines {', '.join(lines)})"
    else:
        place = ""
    times = f", {len(same)} times" if len(same) > 1 else ""
    message = finding.message
    for evidence in differing if finding.severity == "warning" else ():
        message = message.removesuffix(f": {evidence.found}")
    say(f"    {message}{times}{place} ", (f"[{finding.code}]", "code"))
    if finding.fix and finding.fix != entry.fix:
        say(finding.fix, lead="    fix: ")


def _show_evidence(evidence: Evidence) -> None:
    say((evidence.given or "(nothing)", "error"), lead=f"        {evidence.field} given:  ")
    say((evidence.found or "(nothing)", "good"), lead=f"        {' ' * len(evidence.field)} record: ")


def shown_path(file: Path, root: Path | None = None) -> str:
    """Return the path relative to `root` or the current folder if the file is in it, else the whole path."""
    try:
        return str(file.relative_to(root or Path.cwd()))
    except ValueError:
        return str(file)


def repository_root(files: Iterable[Path]) -> Path:
    """Return the folder that paths are relative to: GITHUB_WORKSPACE if all files are in it, else the current one."""
    workspace = Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).absolute()
    return workspace if all(file.is_relative_to(workspace) for file in files) else Path.cwd()


def show_for_scanners(report: BibReport, form: str) -> None:
    """Print the report for code scanning (`sarif`), or for a workflow's log (`github`)."""
    if form == "github":
        show_for_github(report)
        return
    from citeplug.cli.sarif import report_as_sarif

    print_json(report_as_sarif(report, repository_root(entry.file for entry in report.entries)))


def show_for_github(report: BibReport) -> None:
    """Print GitHub's workflow commands, worst first, and the number that GitHub will not show."""
    kinds = {"error": "error", "warning": "warning", "info": "notice"}
    findings = [
        (entry.key + (entry.place if entry.page else ""), finding)
        for entry in report.entries
        for finding in entry.all_findings
    ]
    findings += [("", finding) for finding in report.findings]
    root = repository_root(entry.file for entry in report.entries)
    counts: Counter[str] = Counter()
    for key, finding in sorted(findings, key=lambda pair: -RANK[pair[1].severity]):
        kind = kinds.get(finding.severity)
        if kind is None:
            continue
        counts[kind] += 1
        place = {
            "file": None if finding.file is None else shown_path(finding.file, root).replace("\\", "/"),
            "line": finding.line,
        }
        annotation = {**place, "col": finding.column, "title": f"{key}: {finding.code}" if key else finding.code}
        properties = ",".join(
            f"{name}={_property(str(value))}" for name, value in annotation.items() if value is not None
        )
        text = finding.message + (f"\n{finding.fix}" if finding.fix else "")
        say(f"::{kind} {properties}::{_data(text)}")
    for kind, count in counts.items():
        if count > _GITHUB_SHOWS:
            say(f"GitHub shows {_GITHUB_SHOWS} of the {count} {kind}s above; the log has them all")


def _data(text: str) -> str:
    return safe(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
