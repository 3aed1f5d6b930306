"""A check as SARIF 2.1.0, for code scanning: OASIS Standard, 27 March 2020."""

import hashlib
from pathlib import Path
from typing import Any

import citeplug
from citeplug.faces.checked import messages
from citeplug.records.report import BibReport, EntryReport
from citeplug.records.review import Finding

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note", "none": "none"}
_RULES = {
    "entry_differs": "The entry differs from the record of its paper.",
    "entry_not_found": "No such paper was found.",
    "entry_possibly_withdrawn": "The record of the paper speaks of its withdrawal.",
    "entry_not_arxiv": "The entry does not claim to be on arXiv.",
    "entry_unchecked": "The entry could not be checked.",
    "undefined_key": "A key is cited that no bibliography file defines.",
    "uncited_entry": "The entry is never cited.",
    "duplicate_entry": "The same paper stands under two keys.",
    "duplicate_key": "A key is defined twice.",
    "newer_version": "There is a later version than the one cited.",
    "published_version": "The paper has been published.",
}


def report_as_sarif(report: BibReport, root: Path) -> dict[str, Any]:
    """One SARIF log with one run. Files beneath `root` are named relative to it, as `%SRCROOT%`."""
    results = [
        _result(finding, entry, root)
        for entry in report.entries
        for finding in messages(entry)
        if finding.severity != "none"
    ]
    results += [_result(finding, None, root) for finding in report.findings if finding.severity != "none"]
    codes = sorted({result["ruleId"] for result in results})
    for result in results:
        result["ruleIndex"] = codes.index(result["ruleId"])
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "citeplug",
                        "semanticVersion": citeplug.__version__,
                        "rules": [{"id": code, "shortDescription": {"text": _describe(code)}} for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"%SRCROOT%": {"uri": root.as_uri().rstrip("/") + "/"}},
                "invocations": [{"executionSuccessful": not report.outage}],
                "results": results,
            }
        ],
    }


def _describe(code: str) -> str:
    return _RULES.get(code, code.replace("_", " ").capitalize() + ".")


def _result(finding: Finding, entry: EntryReport | None, root: Path) -> dict[str, Any]:
    text = finding.message + (f". {finding.fix[0].upper()}{finding.fix[1:]}." if finding.fix else "")
    key = entry.key if entry else ""
    digest = hashlib.sha256(f"{finding.code}\0{key}\0{finding.message}".encode()).hexdigest()
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        # The key and not the line: an entry that moves is the same entry.
        "partialFingerprints": {"citeplug/v1": digest[:32]},
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
    return result


def _location(file: Path, root: Path) -> dict[str, Any]:
    try:
        relative = file.relative_to(root).as_posix()
    except ValueError:
        return {"uri": file.as_uri()}
    from urllib.parse import quote

    return {"uri": quote(relative), "uriBaseId": "%SRCROOT%"}
