"""Report of a check of a bibliography."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from citeplug.records.draft import BibEntry, Draft
from citeplug.records.entry_check import EntryCheck, Verdict
from citeplug.records.finding import Finding, Severity, TextEdit

FailOn = Literal["error", "warning", "never"]
RANK: dict[Severity, int] = {"none": 0, "info": 1, "warning": 2, "error": 3}

_VERDICTS: dict[Verdict, str] = {
    "verified": "verified",
    "differs": "different from the record",
    "not_found": "not found",
    "possibly_withdrawn": "possibly withdrawn",
    "not_arxiv": "with no arXiv record",
    "unchecked": "not checked",
}


def verdict_in_words(verdict: str) -> str:
    """A recorded verdict as a reader is told it; an unknown one as it is."""
    return next((words for name, words in _VERDICTS.items() if name == verdict), verdict)


def worst(severities: Iterable[Severity]) -> Severity:
    return max(severities, key=lambda severity: RANK[severity], default="none")


@dataclass(frozen=True, slots=True)
class EntryReport:
    """An entry with its check and all findings on it.

    A cited key that is defined nowhere has no `entry`; its place is that of the citation. Nor has a block that cannot
    be read as an entry; its `key` is "". `fix` is the correction of what the check's message reports, None if none is
    certain; `edits` are certain corrections of some of the findings.
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
    def page(self) -> int | None:
        """The page of a PDF."""
        return self.entry.span.page if self.entry is not None else None

    @property
    def place(self) -> str:
        """The place in words, behind the name of the file."""
        return f":{self.line}" if self.page is None else f", page {self.page}"

    @property
    def severity(self) -> Severity:
        """Worst severity of the check and the findings, findings of severity `info` left out."""
        return worst([self.check.severity, *(f.severity for f in self.findings if f.severity != "info")])

    @property
    def is_uncited(self) -> bool:
        return any(finding.code == "uncited_entry" for finding in self.findings)

    @property
    def left_out(self) -> bool:
        """True if the entry was not looked up, since the draft does not cite it."""
        return self.is_uncited and self.check.verdict == "unchecked" and self.check.severity == "none"

    @property
    def all_findings(self) -> list[Finding]:
        """The findings, after the check's own message as one, unless a finding repeats it.

        That a work is not on arXiv is only in the JSON: its author knows.
        """
        check = self.check
        repeated = any(finding.message and finding.message in check.message for finding in self.findings)
        if repeated or not check.message or check.severity == "none" or check.verdict == "not_arxiv":
            return list(self.findings)
        own = Finding(f"entry_{check.verdict}", check.severity, check.message, self.file, self.line, None, self.fix)
        return [own, *self.findings]


def report_without_entry(findings: Sequence[Finding], key: str = "") -> EntryReport:
    """The report on findings that are on no entry: of a block that cannot be read, or of a cited `key`."""
    first = findings[0]
    assert first.file is not None
    check = EntryCheck(key, None, "unchecked", first.severity, None, (), first.message)
    return EntryReport(key, first.file, first.line or 1, None, check, tuple(findings), first.fix)


@dataclass(frozen=True, slots=True)
class BibReport:
    """Report of a whole check. `findings` are on the run or a file; `outage`: a source could not be reached.

    `draft` is the project whose entries were checked, None if .bib files were given. `ignored` findings were left out
    by the author's word, `known` ones because a baseline has them.
    """

    entries: tuple[EntryReport, ...]
    findings: tuple[Finding, ...] = ()
    outage: bool = False
    draft: Draft | None = None
    ignored: int = 0
    known: int = 0

    @property
    def verdicts(self) -> Counter[Verdict]:
        """Counts of verdicts on entries; those that were left out because nothing cites them are not counted."""
        return Counter(entry.check.verdict for entry in self.entries if entry.entry is not None and not entry.left_out)

    @property
    def compared(self) -> int:
        """The number of entries that were compared with a record."""
        return sum(entry.check.verdict not in ("unchecked", "not_arxiv") for entry in self.entries)

    def worst(self) -> Severity:
        return worst(entry.severity for entry in self.entries)

    @property
    def unread(self) -> bool:
        return has_unread([*self.findings, *(finding for entry in self.entries for finding in entry.findings)])


def has_unread(findings: Iterable[Finding]) -> bool:
    """Return True if a bibliography file that is there could not be read: what was not looked at is not sound."""
    return any(finding.code == "unreadable_bib" and finding.severity == "error" for finding in findings)


def verdicts_in_words(verdicts: Mapping[Verdict, int]) -> str:
    """Return counts of verdicts in words, those of verified entries first; empty without any."""
    return ", ".join(f"{verdicts[name]} {words}" for name, words in _VERDICTS.items() if verdicts.get(name))
