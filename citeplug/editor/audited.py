"""The findings of the last audit, at the lines where they are now; those whose line was changed are left out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citeplug.editor.snapshot import Snapshot, Stretch
from citeplug.records.finding import Finding


@dataclass(frozen=True, slots=True)
class Audited:
    """An audit of a project: findings, each with the text of its line, and the number of all findings."""

    findings: Sequence[tuple[Finding, str]]
    count: int

    def places(self, now: Snapshot) -> Iterator[tuple[Stretch, Finding]]:
        """Yield the findings on lines that there still are."""
        for finding, line in self.findings:
            place = _place(finding, line, now)
            if place is not None:
                yield place, finding


def audited(result: Mapping[str, Any], then: Snapshot) -> Audited:
    """Read what the writer process found in a copy of a snapshot."""
    found = []
    for each in result["findings"]:
        file, number = each["file"] and Path(each["file"]), each["line"]
        if file not in then.texts:
            continue
        lined = then.texts[file]
        line = lined.line(min(max((number or 1) - 1, 0), len(lined.starts) - 1)).strip()
        finding = Finding(each["code"], each["severity"], each["message"], file, number, None, each["fix"] or None)
        found.append((finding, line))
    return Audited(found, len(result["findings"]))


def _place(finding: Finding, line: str, now: Snapshot) -> Stretch | None:
    """Return the line with that text which is nearest to where it was."""
    file = finding.file
    if file is None or file not in now.texts:
        return None
    lined = now.texts[file]
    start, count = min(max((finding.line or 1) - 1, 0), len(lined.starts) - 1), len(lined.starts)
    for number in sorted(range(count), key=lambda each: abs(each - start)):
        text = lined.line(number)
        if text.strip() == line:
            first = lined.starts[number] + len(text) - len(text.lstrip())
            return Stretch(file, first, first + len(line))
    return None
