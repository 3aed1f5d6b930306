"""Findings that the author has said are known and stay, taken out of a report: by comments and by `citeplug.toml`."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

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

    kept = without(report, drop)
    unknown = [
        report_without_entry([finding])
        for path, suppressions in comments.items()
        for suppression in suppressions
        if not suppression.known and (finding := unknown_code(suppression, path)).code not in ignored
    ]
    entries = (*kept.entries, *(each for each in unknown if each not in kept.entries))
    return replace(kept, entries=entries, ignored=report.ignored + _count(report) - _count(kept))


def without(report: BibReport, drop: Drop) -> BibReport:
    """Return the report without the findings for which `drop` is True, and without the corrections of these."""
    entries = [_without(entry, drop) for entry in report.entries]
    kept = tuple(each for each in entries if each is not None)
    return replace(
        report, entries=kept, findings=tuple(finding for finding in report.findings if not drop(finding, None))
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
        message = "; ".join(dict.fromkeys(each.message for each in of_check))
        severity = worst(each.severity for each in of_check)
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
