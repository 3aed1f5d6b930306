"""An audit, printed: one screen for a reader, or as JSON. What a reviewer would hold against the author comes first."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from textwrap import wrap
from typing import Any

from citeplug.audit.ranking import OF_CITATIONS, OnKey, doubts_of, ranked
from citeplug.faces.cli.check_report import left_out, report_as_json, shown_path
from citeplug.faces.cli.console import counted, finding_as_json, first_authors, safe, say
from citeplug.records.audit import Audit, Balance, CitationDoubt, CitedPassage, MissingWork
from citeplug.records.finding import Finding, Severity
from citeplug.records.paper import shown_id
from citeplug.records.report import BibReport, worst
from citeplug.records.rules import rule

# Of a reviewer's interest in one screen; the rest is information that --all prints.
_OF_INTEREST = frozenset(
    ("published_version", "uncited_claim", "cited_in_row", "newer_version", "title_changed", "key_case")
)
_OF_MISSING = ("missing_work", "newer_than_draft")  # shown with the works that are missing
_LINES = 10  # of references
DOUBTS = 2  # citations, of five lines or so each
_ALIKE = 3  # findings with one code that become one line
_WIDTH = 110
_NAMED = 6


def worst_of(audit: Audit) -> Severity:
    return worst([audit.report.worst(), *(finding.severity for finding in audit.report.findings)])


def audit_as_json(audit: Audit) -> dict[str, Any]:
    """Return the document of `citeplug audit --format json`."""
    draft = audit.report.draft
    return {
        "root": None if draft is None else str(draft.root),
        "entries": report_as_json(audit.report),
        "findings": [{"key": each.key or None, **finding_as_json(each.finding)} for each in ranked(audit.report)],
        "citations": [_doubt_as_json(each) for each in doubts_of(audit)],
        "missing": [_missing_as_json(each) for each in audit.missing],
        "perhaps_missing": [_missing_as_json(each) for each in audit.perhaps],
        "balance": _balance_as_json(audit.balance),
        "ignored": audit.report.ignored,
        "in_baseline": audit.report.known,
        "looked_at": list(audit.looked_at),
        "not_looked_at": list(audit.not_looked_at),
    }


def _doubt_as_json(doubt: CitationDoubt) -> dict[str, Any]:
    return {**asdict(doubt), "file": str(doubt.file)}


def _missing_as_json(missing: MissingWork) -> dict[str, Any]:
    paper = missing.paper
    return {
        "arxiv_id": paper.id.value,
        "title": paper.title,
        "authors": list(paper.authors),
        "year": paper.published.year if paper.published.year > 1 else None,
        "reasons": [asdict(reason) for reason in missing.reasons],
        "file": None if missing.file is None else str(missing.file),
        "line": missing.line,
        "near": missing.near or None,
    }


def _balance_as_json(balance: Balance) -> dict[str, Any]:
    years, author = balance.years, balance.author
    return {
        "works": balance.works,
        "years": None if years is None else {"first": years[0], "middle": years[1], "last": years[2]},
        "author": None if author is None else {"name": author[0], "works": author[1]},
        "own": balance.own,
        "venues": [{"name": name, "works": works} for name, works in balance.venues],
        "unlinked": None if balance.unlinked is None else list(balance.unlinked),
        "paragraphs": balance.paragraphs,
        "single_source": [{"file": str(file), "line": line} for file, line in balance.single],
    }


def show_audit(audit: Audit, *, whole: bool) -> None:
    """Print the audit; on one screen unless `whole`. Paths are from the folder of the main file."""
    draft = audit.report.draft
    folder = Path.cwd() if draft is None else draft.root.parent
    _show_references(audit.report, folder, whole)
    _show_doubts(doubts_of(audit), folder, whole)
    _show_missing(audit, folder, whole)
    _show_balance(audit.balance, folder, whole)
    say()
    say("Looked at: " + "; ".join(audit.looked_at))
    say("Not looked at: " + "; ".join(audit.not_looked_at))
    for words in left_out(audit.report):
        say(words)


def on_screen(report: BibReport, *, whole: bool = False) -> list[list[OnKey]]:
    """Return the findings on references that are shown, worst first, those that share a line together.

    Without `whole` they are those of a reviewer's interest, on one screen.
    """
    of_references = _of_references(report)
    if whole:
        return [[each] for each in of_references]
    groups: dict[tuple[Severity, str], list[OnKey]] = {}
    for each in of_references:
        if each.finding.severity != "info" or each.finding.code in _OF_INTEREST:
            groups.setdefault((each.finding.severity, each.finding.code), []).append(each)
    lines = [
        line for same in groups.values() for line in ([same] if len(same) >= _ALIKE else [[each] for each in same])
    ]
    return lines[:_LINES]


def _of_references(report: BibReport) -> list[OnKey]:
    return [each for each in ranked(report) if each.finding.code not in (*_OF_MISSING, *OF_CITATIONS)]


def _show_references(report: BibReport, folder: Path, whole: bool) -> None:
    found, shown = _of_references(report), on_screen(report, whole=whole)
    errors = sum(each.finding.severity == "error" for each in found)
    warnings = sum(each.finding.severity == "warning" for each in found)
    say(f"References: {counted(errors, 'error', 'errors')}, {counted(warnings, 'warning', 'warnings')}")
    for group in shown:
        say(f"  {_line(group, folder, whole)}")
    if hidden := len(found) - sum(map(len, shown)):
        say(f"  and {counted(hidden, 'finding', 'findings')} more (--all)")


def _line(group: Sequence[OnKey], folder: Path, whole: bool) -> str:
    finding = group[0].finding
    if len(group) == 1:
        key = f"{safe(group[0].key)}: " if group[0].key and group[0].key not in finding.message else ""
        return _cut(f"{_place(finding, folder)}{key}{safe(finding.message)}", whole) + f" [{finding.code}]"
    names = list(dict.fromkeys(safe(each.key) or _place(each.finding, folder).rstrip(": ") for each in group))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    line = f"{len(group)} x {rule(finding.code).meaning[:-1]}: {', '.join(names[:_NAMED])}{more}"
    return _cut(line, whole) + f" [{finding.code}]"


def _place(finding: Finding, folder: Path) -> str:
    return "" if finding.file is None else f"{_at(finding.file, finding.line, folder)}: "


def _at(file: Path, line: int | None, folder: Path) -> str:
    return f"{safe(shown_path(file, folder))}:{line or 1}"


def _cut(line: str, whole: bool) -> str:
    return line if whole or len(line) <= _WIDTH else line[: _WIDTH - 4].rsplit(" ", 1)[0] + " ..."


def _show_doubts(ranked: Sequence[CitationDoubt], folder: Path, whole: bool) -> None:
    """Show the draft's sentence of each, with the passages beside it."""
    if not ranked:
        return
    say()
    say("Citations to compare with their sources:")
    for doubt in ranked if whole else ranked[:DOUBTS]:
        by = f" ({safe(doubt.by)})" if doubt.by else ""
        passages = [_quoted(each) for each in (doubt.source, doubt.fits) if each is not None]
        for line in _wrapped(f"{_at(doubt.file, doubt.line, folder)}: {safe(doubt.reason)}{by} [{doubt.code}]", whole):
            say(f"  {line}")
        for text in (f"your sentence: “{safe(doubt.sentence)}”", *passages):
            for line in _wrapped(text, whole):
                say(f"     {line}")
    if len(ranked) > DOUBTS and not whole:
        say(f"  and {counted(len(ranked) - DOUBTS, 'citation', 'citations')} more (--all)")


def _wrapped(text: str, whole: bool) -> list[str]:
    return wrap(text, _WIDTH, max_lines=None if whole else 2, placeholder=" ...", break_on_hyphens=False)


def _quoted(passage: CitedPassage) -> str:
    return f"{safe(passage.key)}, {passage.of}: “{safe(passage.text)}”"


def _show_missing(audit: Audit, folder: Path, whole: bool) -> None:
    perhaps = audit.perhaps if whole else ()
    if audit.missing or audit.perhaps:
        say()
        say("Not cited, and near your draft:")
    for number, each in enumerate((*audit.missing, *perhaps), 1):
        if number == len(audit.missing) + 1:
            say("  perhaps:")
        _show_work(number, each, folder)
    if audit.perhaps and not whole:
        more = counted(len(audit.perhaps), "more work", "more works") if audit.missing else len(audit.perhaps)
        say(f"  {'and ' if audit.missing else ''}{more} that may belong (--all)")
    for note in audit.report.findings:
        if note.code == "newer_than_draft":
            say(f"  {safe(note.message)}" + (f": {safe(note.fix)}" if note.fix else ""))


def _show_work(number: int, missing: MissingWork, folder: Path) -> None:
    paper = missing.paper
    year = f" {paper.published.year}" if paper.published.year > 1 else ""
    who = f"{first_authors(paper.authors[:1])}{' et al.' if len(paper.authors) > 1 else ''}{year}"
    why = f"; {missing.reasons[0].text}" if missing.reasons else ""
    say(f"  {number}. {_cut(safe(paper.title), False)}")
    say(f"     {safe(f'{who}, {shown_id(paper.id.value)}{why}')}")
    if missing.file is not None:
        say(f"     belongs to {_at(missing.file, missing.line, folder)}: {safe(missing.near)}")


def _show_balance(balance: Balance, folder: Path, whole: bool) -> None:
    say()
    parts = [counted(balance.works, "work", "works")]
    if balance.years is not None:
        first, middle, last = balance.years
        parts.append(f"{first} to {last}, half of them since {middle}")
    if balance.author is not None:
        parts.append(f"{balance.author[1]} by {safe(balance.author[0])}")
    say(f"Cited, for your information: {', '.join(parts)}")
    if balance.own is not None:
        share = "shares" if balance.own == 1 else "share"
        say(f"{balance.own} of {counted(balance.works, 'cited work', 'cited works')} {share} an author with the draft")
    if balance.venues:
        say("most often from " + ", ".join(f"{safe(name)} ({works})" for name, works in balance.venues))
    if balance.unlinked:
        keys = balance.unlinked if whole else balance.unlinked[:_NAMED]
        more = f" and {len(balance.unlinked) - len(keys)} more" if len(keys) < len(balance.unlinked) else ""
        say(f"cited by no paper near yours whose references are known: {safe(', '.join(keys))}{more}")
    if balance.single:
        places = [_at(file, line, folder) for file, line in balance.single]
        named = places if whole else places[:_NAMED]
        more = f" and {len(places) - len(named)} more" if len(named) < len(places) else ""
        of = f"{len(places)} of {counted(balance.paragraphs, 'paragraph', 'paragraphs')} that cite"
        say(f"{of} have one source alone in four sentences or more: {', '.join(named)}{more}")
