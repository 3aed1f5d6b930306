"""An audit as the document of `citeplug audit --format json`."""

from dataclasses import asdict
from typing import Any

from citeplug.audit.ranking import doubts_of, ranked
from citeplug.cli.check_report import report_as_json
from citeplug.cli.console import finding_as_json
from citeplug.records.audit import Audit, Balance, CitationDoubt, MissingWork, NoveltyClaim
from citeplug.records.json_form import fields_of


def audit_as_json(audit: Audit) -> dict[str, Any]:
    """Return the document of `citeplug audit --format json`."""
    draft = audit.report.draft
    return {
        "root": None if draft is None else str(draft.root),
        "entries": report_as_json(audit.report),
        "findings": [{"key": entry.key or None, **finding_as_json(entry.finding)} for entry in ranked(audit.report)],
        "citations": [_doubt_as_json(doubt) for doubt in doubts_of(audit)],
        "missing": [_missing_as_json(work) for work in audit.missing],
        "perhaps_missing": [_missing_as_json(work) for work in audit.perhaps],
        "novelty": [_claim_as_json(claim) for claim in audit.novelty],
        "balance": _balance_as_json(audit.balance),
        "ignored": audit.report.ignored,
        "in_baseline": audit.report.known,
        **fields_of(audit, "looked_at not_looked_at"),
    }


def _doubt_as_json(doubt: CitationDoubt) -> dict[str, Any]:
    return {**asdict(doubt), "file": str(doubt.file)}


def _missing_as_json(missing: MissingWork) -> dict[str, Any]:
    paper = missing.paper
    return {
        "arxiv_id": paper.id.value,
        **fields_of(paper, "title authors"),
        "year": paper.published.year if paper.published.year > 1 else None,
        **fields_of(missing, "reasons file line"),
        "near": missing.near or None,
    }


def _claim_as_json(claim: NoveltyClaim) -> dict[str, Any]:
    verdict = claim.verdict
    return {
        "file": str(claim.file),
        **fields_of(claim, "line sentence records"),
        "before": claim.before.isoformat(),
        "works": [
            {
                "arxiv_id": work.paper.id.value,
                **fields_of(work.paper, "title authors"),
                "year": work.paper.published.year,
                **fields_of(work, "sentence nearness"),
            }
            for work in claim.works
        ],
        "verdict": None
        if verdict is None
        else {"arxiv_id": verdict.work.id.value, **fields_of(verdict, "holds by quotation wording")},
    }


def _balance_as_json(balance: Balance) -> dict[str, Any]:
    years, author = balance.years, balance.author
    return {
        "works": balance.works,
        "years": None if years is None else {"first": years[0], "middle": years[1], "last": years[2]},
        "author": None if author is None else {"name": author[0], "works": author[1]},
        "own": balance.own,
        "venues": [{"name": name, "works": works} for name, works in balance.venues],
        **fields_of(balance, "unlinked paragraphs"),
        "single_source": [{"file": str(file), "line": line} for file, line in balance.single],
    }
