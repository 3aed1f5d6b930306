"""The findings of the last audit, at the lines where they are now; those whose line was changed are left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


def audited(findings: Sequence[Finding], then: Snapshot) -> Audited:
    """Return an audit of a copy of a snapshot."""
    lines = []
    for finding in findings:
        if finding.file is not None and (lined := then.texts.get(finding.file)) is not None:
            lines.append((finding, lined.line(min(max((finding.line or 1) - 1, 0), len(lined.starts) - 1)).strip()))
    return Audited(lines, len(findings))


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
