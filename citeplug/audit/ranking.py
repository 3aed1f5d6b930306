"""Order of an audit's findings: what a reviewer would hold against the author comes first."""

from dataclasses import dataclass

from citeplug.records.audit import Audit, CitationDoubt
from citeplug.records.finding import Finding
from citeplug.records.report import RANK, BibReport

# Findings of one severity in this order: first that a work is not what the draft takes it for, or has a better form.
_FIRST = (
    "undefined_key",
    "not_found",
    "entry_not_found",
    "id_differs",
    "title_differs",
    "authors_differ",
    "retracted_work",
    "possibly_withdrawn",
    "entry_possibly_withdrawn",
    "named_otherwise",
    "not_supported",
    "quotation_differs",
    "quotation_changed",
    "source_differs",
    "source_changed",
    "works_disagree",
    "novelty_claim",
    "uncited_name",
    "duplicate_key",
    "duplicate_entry",
    "published_version",
    "uncited_claim",
    "quotation_not_found",
    "cited_in_row",
    "newer_version",
    "title_changed",
    "fits_other_work",
    "cited_unlike_others",
)
OF_CITATIONS = (  # shown with both passages
    "named_otherwise",
    "not_supported",
    "quotation_differs",
    "quotation_changed",
    "source_differs",
    "works_disagree",
    "quotation_not_found",
    "fits_other_work",
    "cited_unlike_others",
)


@dataclass(frozen=True, slots=True)
class OnKey:
    """A finding, and the key of the entry that it is on; "" for none."""

    key: str
    finding: Finding


def ranked(report: BibReport) -> list[OnKey]:
    """Return all findings, worst first."""
    on_keys = [OnKey(entry.key, finding) for entry in report.entries for finding in entry.all_findings]
    on_keys += [OnKey("", finding) for finding in report.findings]
    order = {code: number for number, code in enumerate(_FIRST)}
    # Of equal weight in the order of the report.
    return sorted(
        on_keys, key=lambda on_key: (-RANK[on_key.finding.severity], order.get(on_key.finding.code, len(_FIRST)))
    )


def doubts_of(audit: Audit) -> list[CitationDoubt]:
    """Return the doubts whose finding is left, worst first."""
    left = [on_key.finding for on_key in ranked(audit.report) if on_key.finding.code in OF_CITATIONS]
    return [
        doubt
        for finding in left
        for doubt in audit.doubts
        if (doubt.code, doubt.file, doubt.line) == (finding.code, finding.file, finding.line)
        and doubt.sentence in finding.message
        and doubt.reason in finding.message
    ]
