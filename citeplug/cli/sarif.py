"""Check as SARIF 2.1.0, for code scanning (OASIS Standard, 27 March 2020, with errata 01)."""

import hashlib
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import citeplug
from citeplug.records.finding import Finding, TextEdit
from citeplug.records.report import BibReport, EntryReport
from citeplug.records.rules import rule

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note", "none": "none"}
# In a message, brackets make a link and a number in braces stands for an argument (sections 3.11.5 and 3.11.6).
_LINK = re.compile(r"([\[\]\\])")
_PLACEHOLDER = re.compile(r"\{(\d+)\}")


def report_as_sarif(report: BibReport, root: Path) -> dict[str, Any]:
    """Return a SARIF log with one run. Paths of files in `root` are relative to it, as `%SRCROOT%`.

    Verified entries give no result. An outage is reported in the invocation.
    """
    pairs: list[tuple[Finding, EntryReport | None]] = [
        *((finding, entry) for entry in report.entries for finding in entry.all_findings),
        *((finding, None) for finding in report.findings),
    ]
    pairs = [(finding, entry) for finding, entry in pairs if finding.severity != "none"]
    codes = sorted({finding.code for finding, _ in pairs})
    numbers = {code: number for number, code in enumerate(codes)}
    seen: dict[str, int] = {}
    results = [_result(finding, entry, root, numbers, seen) for finding, entry in pairs]
    driver = {
        "name": "citeplug",
        "semanticVersion": citeplug.__version__,
        "rules": [_rule(code) for code in codes],
    }
    invocation: dict[str, Any] = {"executionSuccessful": not report.outage}
    if report.outage:
        outages = [finding for finding in report.findings if finding.code == "source_unavailable"]
        invocation["toolExecutionNotifications"] = [
            {"level": "error", "message": {"text": _escaped(finding.message)}} for finding in outages
        ]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"%SRCROOT%": {"uri": root.as_uri().rstrip("/") + "/"}},
                "invocations": [invocation],
                "results": results,
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    known = rule(code)
    return {
        "id": code,
        "shortDescription": {"text": known.meaning},
        "fullDescription": {"text": known.meaning},
        "help": {"text": known.help},
        "defaultConfiguration": {"level": _LEVELS[known.severity]},
    }


def _result(
    finding: Finding, entry: EntryReport | None, root: Path, numbers: dict[str, int], seen: dict[str, int]
) -> dict[str, Any]:
    where = f" (page {entry.page})" if entry and entry.page else ""
    text = finding.message + where + (f". {finding.fix[0].upper()}{finding.fix[1:]}." if finding.fix else "")
    key = entry.key if entry else ""
    # The key and not the line: an entry that moves is the same entry. Equal results get a number.
    identity = f"{finding.code}\0{key}\0{finding.message}"
    seen[identity] = seen.get(identity, 0) + 1
    digest = hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": numbers[finding.code],
        "level": _LEVELS[finding.severity],
        "message": {"text": _escaped(text)},
        "partialFingerprints": {"citeplugFinding/v1": f"{digest[:32]}:{seen[identity]}"},
    }
    file = finding.file or (entry.file if entry else None)
    if file is not None:
        place: dict[str, Any] = {"artifactLocation": _location(file, root)}
        if finding.line is not None:
            place["region"] = {"startLine": finding.line}
            if finding.column is not None:
                place["region"]["startColumn"] = finding.column
        location: dict[str, Any] = {"physicalLocation": place}
        if key:
            location["logicalLocations"] = [{"name": key, "kind": "member"}]
        result["locations"] = [location]
    if entry is not None:
        result["properties"] = {"verdict": entry.check.verdict, "arxivId": entry.check.arxiv_id}
        fixes = [_fix(finding, edit, root) for of, edit in entry.edits if of == finding]
        if fixes:
            result["fixes"] = fixes
    return result


def _fix(finding: Finding, edit: TextEdit, root: Path) -> dict[str, Any]:
    """Return the edit of a finding; it starts at the finding's place and ends in the same line."""
    line, column = finding.line or 1, finding.column or 1
    region = {"startLine": line, "startColumn": column, "endLine": line, "endColumn": column + edit.end - edit.start}
    replacement = {"deletedRegion": region, "insertedContent": {"text": edit.new_text}}
    return {
        "description": {"text": _escaped(finding.fix or "")},
        "artifactChanges": [{"artifactLocation": _location(edit.file, root), "replacements": [replacement]}],
    }


def _escaped(text: str) -> str:
    return _PLACEHOLDER.sub(r"{{\1}}", _LINK.sub(r"\\\1", text))


def _location(file: Path, root: Path) -> dict[str, Any]:
    try:
        return {"uri": quote(file.relative_to(root).as_posix()), "uriBaseId": "%SRCROOT%"}
    except ValueError:
        return {"uri": file.as_uri()}
