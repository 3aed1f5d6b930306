"""Findings that the author has said are known and stay, taken out of a report: by comments and by `citeplug.toml`."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from citeplug.errors import UnreadableInput
from citeplug.files.atomic import write_atomically
from citeplug.files.project_files import read_bytes, unreadable
from citeplug.latex.folders import DISK, Files
from citeplug.records.finding import Finding
from citeplug.records.report import BibReport, EntryReport, report_without_entry, worst
from citeplug.settings.known_settings import IGNORE
from citeplug.settings.project_toml import read_configuration
from citeplug.text.suppressions import Suppression, is_suppressed, read_suppressions

Drop = Callable[[Finding, EntryReport | None], bool]


def ignored_codes(folder: Path, held: Mapping[Path, str] | None = None) -> frozenset[str]:
    """Return the codes that the project's `citeplug.toml` ignores. `held` and errors as for `read_configuration`."""
    return frozenset(read_configuration(folder, held).values.get(IGNORE.name, IGNORE.default))


def suppress(report: BibReport, ignored: Collection[str], files: Files = DISK) -> BibReport:
    """Return the report without what comments in its files and the codes `ignored` are on.

    Every comment with an unknown code is a finding of its own. A report may come here again with more findings.
    """
    comments = {path: _read(path, files) for path in _files_of(report)}

    def drop(finding: Finding, entry: EntryReport | None) -> bool:
        file = finding.file or (entry.file if entry else None)
        if finding.code in ignored:
            return True
        if file is None or finding.code == "unknown_code":
            return False
        lines = [finding.line, entry.line if entry and entry.entry and entry.file == file else None]
        return is_suppressed(finding.code, lines, comments.get(file, ()))

    remaining = without(report, drop)
    unknown = [
        report_without_entry([finding])
        for path, suppressions in comments.items()
        for suppression in suppressions
        if not suppression.known and (finding := unknown_code(suppression, path)).code not in ignored
    ]
    entries = (*remaining.entries, *(entry for entry in unknown if entry not in remaining.entries))
    return replace(remaining, entries=entries, ignored=report.ignored + _count(report) - _count(remaining))


def without(report: BibReport, drop: Drop) -> BibReport:
    """Return the report without the findings for which `drop` is True, and without the corrections of these."""
    entries = [_without(entry, drop) for entry in report.entries]
    remaining = tuple(entry for entry in entries if entry is not None)
    return replace(
        report, entries=remaining, findings=tuple(finding for finding in report.findings if not drop(finding, None))
    )


def unknown_code(suppression: Suppression, file: Path) -> Finding:
    """Return the finding on a comment that names no code that there is."""
    what = f"there is no finding called {suppression.code}" if suppression.code else "no finding is named"
    fix = "write a code as shown in brackets in reports"
    return Finding("unknown_code", "warning", f"{what} to ignore", file, suppression.line, suppression.column, fix)


def _without(report: EntryReport, drop: Drop) -> EntryReport | None:
    """Return the report on an entry with what is left of it; None for one that was of the dropped findings alone."""
    dropped = [finding for finding in report.all_findings if drop(finding, report)]
    if not dropped:
        return report
    codes = {finding.code for finding in dropped}
    left = tuple(finding for finding in report.findings if finding not in dropped)
    if report.entry is None and not left:
        return None
    check = report.check
    of_check = tuple(finding for finding in check.findings if finding.code not in codes)
    if len(of_check) < len(check.findings) or f"entry_{check.verdict}" in codes:
        # The verdict is as it was; what is left of it decides how bad it is.
        message = "; ".join(dict.fromkeys(finding.message for finding in of_check))
        severity = worst(finding.severity for finding in of_check)
        check = replace(check, severity=severity, message=message, findings=of_check)
    check = replace(check, changes=tuple(change for change in check.changes if change.code not in codes))
    edits = tuple((finding, edit) for finding, edit in report.edits if finding not in dropped)
    return replace(report, check=check, findings=left, edits=edits, fix=report.fix if check.changes else None)


def _count(report: BibReport) -> int:
    return sum(len(entry.all_findings) for entry in report.entries) + len(report.findings)


def _files_of(report: BibReport) -> list[Path]:
    own: Iterable[Path] = ()
    if report.draft is not None:
        own = (*(report.draft.root.parent / file for file in report.draft.files), *report.draft.bib_files)
    return list(dict.fromkeys([*own, *(entry.file for entry in report.entries)]))


def _read(path: Path, files: Files) -> list[Suppression]:
    try:
        return read_suppressions(files.read(path).text, bib=path.suffix.lower() == ".bib")
    except OSError:
        return []  # reported where the file is read for itself


_VERSION = 1
_LARGEST = 20_000_000  # bytes
_PLACES = re.compile(r"\b(?:lines?|columns?) \d+(?:(?:, | and |-)\d+)*")


def fingerprint(finding: Finding, key: str) -> str:
    """Return 32 hexadecimal digits that stay the same while the finding does; `key` is the entry's, or empty."""
    message = " ".join(_PLACES.sub("", finding.message).split())
    return hashlib.sha256(f"{finding.code}\0{key}\0{message}".encode("utf-8", "replace")).hexdigest()[:32]


def only_new(report: BibReport, baseline: Path) -> BibReport:
    """Return the report without what the baseline has; of equal findings as many as it has. Raises UnreadableInput."""
    left = _read_baseline(baseline)
    known = 0

    def drop(finding: Finding, entry: EntryReport | None) -> bool:
        nonlocal known
        name = fingerprint(finding, entry.key if entry else "")
        if finding.severity == "none" or left[name] < 1:
            return False
        left[name] -= 1
        known += 1
        return True

    remaining = without(report, drop)
    return replace(remaining, known=known)


def write_baseline(report: BibReport, baseline: Path) -> int:
    """Write the report's findings to a file, and return how many they are. Raises UnreadableInput, CannotWrite."""
    if baseline.exists():
        _read_baseline(baseline)  # any other file is not overwritten
    rows: dict[str, dict[str, object]] = {}
    counts: Counter[str] = Counter()
    for finding, key in _findings(report):
        name = fingerprint(finding, key)
        counts[name] += 1
        rows[name] = {"code": finding.code, "on": key or None, "message": finding.message, "count": counts[name]}
    ordered = sorted(rows.items(), key=lambda item: (str(item[1]["code"]), str(item[1]["on"]), item[0]))
    document = {"citeplug_baseline": _VERSION, "findings": dict(ordered)}
    write_atomically(baseline.absolute(), f"{json.dumps(document, indent=1)}\n".encode())
    return counts.total()


def _findings(report: BibReport) -> Iterator[tuple[Finding, str]]:
    for entry in report.entries:
        yield from ((finding, entry.key) for finding in entry.all_findings if finding.severity != "none")
    yield from ((finding, "") for finding in report.findings if finding.severity != "none")


def _read_baseline(path: Path) -> Counter[str]:
    hint = "'--write-baseline' makes one"
    try:
        document = json.loads(read_bytes(path, _LARGEST).decode("utf-8"))
    except FileNotFoundError as error:
        raise UnreadableInput(f"{path} does not exist", hint) from error
    except OSError as error:
        raise unreadable(path, error) from error
    except (ValueError, RecursionError) as error:
        raise UnreadableInput(f"{path} is not a baseline: it is not JSON", hint) from error
    version = document.get("citeplug_baseline") if isinstance(document, dict) else None
    rows = document.get("findings") if version == _VERSION else None
    if not isinstance(rows, dict):
        newer = isinstance(version, int) and version > _VERSION
        raise UnreadableInput(f"{path} is {'of a newer version' if newer else 'not a baseline'}", hint)
    counts = {name: row.get("count", 1) for name, row in rows.items() if isinstance(row, dict)}
    return Counter({name: count for name, count in counts.items() if isinstance(count, int)})
