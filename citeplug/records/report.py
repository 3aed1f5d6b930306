"""What a check of a bibliography found."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from citeplug.records.draft import BibEntry, Draft
from citeplug.records.entry_check import EntryCheck
from citeplug.records.finding import Finding, Severity, TextEdit

FailOn = Literal["error", "warning", "never"]
RANK: dict[Severity, int] = {"none": 0, "info": 1, "warning": 2, "error": 3}


def worst(severities: Iterable[Severity]) -> Severity:
    return max(severities, key=lambda severity: RANK[severity], default="none")


@dataclass(frozen=True, slots=True)
class EntryReport:
    """One entry with its check and everything that was found about it.

    A cited key that is defined nowhere has no `entry`; its place is that of the citation. Neither has a block that
    cannot be read as one; its `key` is "". `fix` says what to do about the check's message, None if nothing is
    certain; `edits` are those that surely mend some of the findings.
    """

    key: str
    file: Path
    line: int
    entry: BibEntry | None
    check: EntryCheck
    findings: tuple[Finding, ...] = ()
    fix: str | None = None
    edits: tuple[tuple[Finding, TextEdit], ...] = ()

    @property
    def severity(self) -> Severity:
        """The worst of the check and the findings; mere information does not mark an entry that is right."""
        return worst([self.check.severity, *(f.severity for f in self.findings if f.severity != "info")])

    @property
    def told(self) -> list[Finding]:
        """All that is to be said of it as findings; the check's own message first, unless findings say it already.

        That a work is not on arXiv is no news to its author: it stands in the JSON alone.
        """
        check = self.check
        said = any(finding.message and finding.message in check.message for finding in self.findings)
        if said or not check.message or check.severity == "none" or check.verdict == "not_arxiv":
            return list(self.findings)
        own = Finding(f"entry_{check.verdict}", check.severity, check.message, self.file, self.line, None, self.fix)
        return [own, *self.findings]


@dataclass(frozen=True, slots=True)
class BibReport:
    """A whole check. `findings` are about the run or a file, not about one entry; `outage`: something was not asked.

    `draft` is the project whose entries were checked, None if .bib files were named.
    """

    entries: tuple[EntryReport, ...]
    findings: tuple[Finding, ...] = ()
    outage: bool = False
    draft: Draft | None = None

    def worst(self) -> Severity:
        return worst(entry.severity for entry in self.entries)
