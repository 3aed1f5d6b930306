"""Baseline: the findings that a project has accepted, in a file, so that a report says only what is new.

A finding is known by its code, the entry that it is on, and its message without line numbers; not by its place, so that
it stays the same finding when the text around it moves.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from citeplug.bib.suppress import without
from citeplug.errors import UnreadableInput
from citeplug.files.atomic import write_atomically
from citeplug.files.project_files import read_bytes, unreadable
from citeplug.records.finding import Finding
from citeplug.records.report import BibReport, EntryReport

_VERSION = 1
_LARGEST = 20_000_000  # bytes
_PLACES = re.compile(r"\b(?:lines?|columns?) \d+(?:(?:, | and |-)\d+)*")


def fingerprint(finding: Finding, key: str) -> str:
    """Return 32 hexadecimal digits that stay the same while the finding does; `key` is the entry's, or empty."""
    message = " ".join(_PLACES.sub("", finding.message).split())
    return hashlib.sha256(f"{finding.code}\0{key}\0{message}".encode("utf-8", "replace")).hexdigest()[:32]


def only_new(report: BibReport, baseline: Path) -> BibReport:
    """Return the report without what the baseline has; of equal findings as many as it has. Raises UnreadableInput."""
    left = _read(baseline)
    known = 0

    def drop(finding: Finding, entry: EntryReport | None) -> bool:
        nonlocal known
        name = fingerprint(finding, entry.key if entry else "")
        if finding.severity == "none" or left[name] < 1:
            return False
        left[name] -= 1
        known += 1
        return True

    kept = without(report, drop)
    return replace(kept, known=known)


def write_baseline(report: BibReport, baseline: Path) -> int:
    """Write the report's findings to a file, and return how many they are. Raises UnreadableInput, CannotWrite."""
    if baseline.exists():
        _read(baseline)  # any other file is not overwritten
    found: dict[str, dict[str, object]] = {}
    counts: Counter[str] = Counter()
    for finding, key in _findings(report):
        name = fingerprint(finding, key)
        counts[name] += 1
        found[name] = {"code": finding.code, "on": key or None, "message": finding.message, "count": counts[name]}
    ordered = sorted(found.items(), key=lambda item: (str(item[1]["code"]), str(item[1]["on"]), item[0]))
    document = {"citeplug_baseline": _VERSION, "findings": dict(ordered)}
    write_atomically(baseline.absolute(), f"{json.dumps(document, indent=1)}\n".encode())
    return counts.total()


def _findings(report: BibReport) -> Iterator[tuple[Finding, str]]:
    for entry in report.entries:
        yield from ((finding, entry.key) for finding in entry.all_findings if finding.severity != "none")
    yield from ((finding, "") for finding in report.findings if finding.severity != "none")


def _read(path: Path) -> Counter[str]:
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
    found = document.get("findings") if version == _VERSION else None
    if not isinstance(found, dict):
        newer = isinstance(version, int) and version > _VERSION
        raise UnreadableInput(f"{path} is {'of a newer version' if newer else 'not a baseline'}", hint)
    counts = {name: each.get("count", 1) for name, each in found.items() if isinstance(each, dict)}
    return Counter({name: count for name, count in counts.items() if isinstance(count, int)})
