"""An audit, printed: one screen for a reader, or as JSON. What a reviewer would hold against the author comes first."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from citeplug.audit.ranking import OF_CITATIONS, OnKey, doubts_of, ranked
from citeplug.cli.check_report import left_out, report_as_json, shown_path
from citeplug.cli.console import Part, counted, finding_as_json, first_authors, safe, say
from citeplug.records.audit import Audit, Balance, CitationDoubt, CitedPassage, MissingWork
from citeplug.records.finding import Finding, Severity
from citeplug.records.json_form import fields_of
from citeplug.records.paper import shown_id
from citeplug.records.report import BibReport, worst
from citeplug.records.rules import rule

# Of a reviewer's interest in one screen; the rest is information that --all prints.
_OF_INTEREST = frozenset(
    ("published_version", "uncited_claim", "cited_in_row", "newer_version", "title_changed", "key_case")
)
_OF_MISSING = ("missing_work", "newer_than_draft")  # shown with the works that are missing
LINES, DOUBTS = 10, 2  # of references, and citations, of five lines or so each
_OF_A_REASON, _OF_A_FINDING = 3, 2  # lines, of a citation, and on a reference
_ALIKE = 3  # findings with one code that become one line
_WIDTH, _ROWS = 110, 40  # of a screen, at most
_NARROWEST = 40
_NAMED = 6


@dataclass(frozen=True, slots=True)
class _Screen:
    """The most that is shown: lines on references, citations of five lines or so each, missing works, lines of facts.

    With `whole` all of it is, and no line is cut. `wraps`: it is a terminal, which breaks a long line.
    """

    width: int = _WIDTH
    references: int = LINES
    doubts: int = DOUBTS
    missing: int = 5
    facts: int = 5
    wraps: bool = False
    whole: bool = False


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


def show_audit(audit: Audit, *, whole: bool) -> None:
    """Print the audit; on one screen unless `whole`. Paths are from the folder of the main file."""
    columns, rows = get_terminal_size((0, 0))
    screen = _Screen(max(_NARROWEST, min(columns or _WIDTH, _WIDTH)), wraps=columns > 0, whole=whole)
    lines = list(_report(audit, screen))
    room = min(_ROWS, rows - 1) if rows else _ROWS  # the prompt takes one
    while not whole and len(lines) > room and (smaller := _smaller(screen)) is not None:
        screen = smaller
        lines = list(_report(audit, screen))
    for line in lines:
        say(*((line,) if isinstance(line, str) else line))


def _smaller(screen: _Screen) -> _Screen | None:
    """Return a screen with one thing less, what weighs least first; None for the smallest."""
    if screen.facts > 1:
        return replace(screen, facts=screen.facts - 1)
    if screen.references > 6:
        return replace(screen, references=screen.references - 1)
    if screen.missing > 2:
        return replace(screen, missing=screen.missing - 1)
    if screen.doubts > 1:
        return replace(screen, doubts=1)
    if screen.references > 2:
        return replace(screen, references=screen.references - 1)
    if screen.missing > 0:
        return replace(screen, missing=screen.missing - 1)
    if screen.facts or screen.doubts:
        return replace(screen, facts=0, doubts=0)
    return replace(screen, references=screen.references - 1) if screen.references else None


# A line: its words, or parts of it with their styles.
_Line = str | Sequence[Part]


def _report(audit: Audit, screen: _Screen) -> Iterator[_Line]:
    """Yield the lines, none wider than the screen unless all of it is shown."""
    draft = audit.report.draft
    folder = Path.cwd() if draft is None else draft.root.parent
    references, doubts = _of_references(audit.report), doubts_of(audit)
    errors = sum(each.finding.severity == "error" for each in references)
    warnings = sum(each.finding.severity == "warning" for each in references)
    count = counted(errors, "error", "errors"), counted(warnings, "warning", "warnings")
    yield "References: ", (count[0], "error" if errors else ""), ", ", (count[1], "warning" if warnings else "")
    shown = on_screen(audit.report, screen.references, whole=screen.whole)
    for group in shown:
        yield from _of_group(group, folder, screen)
    yield from _doubts(doubts if screen.whole else doubts[: screen.doubts], folder, screen)
    missing = audit.missing if screen.whole else audit.missing[: screen.missing]
    yield from _missing(missing, audit.perhaps if screen.whole else (), folder, screen)
    for note in audit.report.findings if missing else ():
        if note.code == "newer_than_draft":
            yield from _wrapped(safe(note.message) + (f": {safe(note.fix)}" if note.fix else ""), "  ", screen, 1)
    yield ""
    facts = list(_facts(audit.balance, folder, screen))
    for fact in facts if screen.whole else facts[: screen.facts]:
        yield from _said(fact, screen)
    left = [
        counted(number, one, many)
        for number, one, many in (
            (len(references) - sum(map(len, shown)), "finding", "findings"),
            (0 if screen.whole else len(doubts) - screen.doubts, "citation", "citations"),
            (len(audit.missing) - len(missing), "work not cited", "works not cited"),
            (0 if screen.whole else len(audit.perhaps), "work that may belong", "works that may belong"),
            (0 if screen.whole else len(facts) - screen.facts, "line of facts", "lines of facts"),
        )
        if number > 0
    ]
    if left:
        yield from _said(f"More, with --all: {', '.join(left)}", screen)
    yield from _said("Looked at: " + "; ".join(audit.looked_at), screen)
    yield from _said("Not looked at: " + "; ".join(audit.not_looked_at), screen)
    for words in left_out(audit.report):
        yield from _said(words, screen)


def on_screen(report: BibReport, most: int = LINES, *, whole: bool = False) -> list[list[OnKey]]:
    """Return the findings on references that are shown, worst first, those that share a line together.

    Without `whole` they are those of a reviewer's interest, on `most` lines.
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
    return lines[:most]


def _of_references(report: BibReport) -> list[OnKey]:
    return [each for each in ranked(report) if each.finding.code not in (*_OF_MISSING, *OF_CITATIONS)]


def _of_group(group: Sequence[OnKey], folder: Path, screen: _Screen) -> Iterator[_Line]:
    """Yield the lines of a finding, or of several of one cause, the code at their end whatever is left out."""
    finding = group[0].finding
    if len(group) == 1:
        place = _place(finding, folder)
        key = f"{safe(group[0].key)}: " if group[0].key and group[0].key not in finding.message else ""
        words = f"{key}{safe(finding.message)}"
    else:
        names = list(dict.fromkeys(safe(each.key) or _place(each.finding, folder).rstrip(": ") for each in group))
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        place = f"{len(group)} x "
        words = f"{rule(finding.code).meaning[:-1]}: {', '.join(names[:_NAMED])}{more}"
    code = f"[{finding.code}]"
    for line in _wrapped(f"{place}{finding.severity}: {words} {code}", "  ", screen, _OF_A_FINDING, code):
        before, severity, behind = line.partition(f"{finding.severity}: ")
        if before.strip() not in ("", place.strip()):
            before, severity, behind = line, "", ""
        own = code if (behind or before).endswith(code) else ""
        before, behind = (before, behind.removesuffix(own)) if behind else (before.removesuffix(own), behind)
        yield before, (severity, finding.severity), behind, (own, "code")


def _place(finding: Finding, folder: Path) -> str:
    return "" if finding.file is None else f"{_at(finding.file, finding.line, folder)}: "


def _at(file: Path, line: int | None, folder: Path) -> str:
    return f"{safe(shown_path(file, folder))}:{line or 1}"


def _doubts(doubts: Sequence[CitationDoubt], folder: Path, screen: _Screen) -> Iterator[str]:
    """Yield the draft's sentence of each, with the passages beside it."""
    if not doubts:
        return
    yield ""
    yield "Citations to compare with their sources:"
    for doubt in doubts:
        by = f" ({safe(doubt.by)})" if doubt.by else ""
        reason = f"{_at(doubt.file, doubt.line, folder)}: {safe(doubt.reason)}{by} [{doubt.code}]"
        yield from _wrapped(reason, "  ", screen, _OF_A_REASON, f"[{doubt.code}]")
        passages = [_quoted(each) for each in (doubt.source, doubt.fits) if each is not None]
        for text in (f"your sentence: “{safe(doubt.sentence)}”", *passages):
            yield from _wrapped(text, "     ", screen)


def _wrapped(text: str, indent: str, screen: _Screen, most: int | None = 2, end: str = "") -> list[str]:
    """Break a text at words into at most `most` lines; what is left out is marked, and `end` stands behind it."""
    if screen.whole and not screen.wraps:
        return [indent + text]
    return wrap(
        text,
        screen.width,
        max_lines=None if screen.whole else most,
        placeholder=f" ... {end}".rstrip(),
        initial_indent=indent,
        subsequent_indent=" " * max(4, len(indent)),
        break_on_hyphens=False,
    )


def _said(text: str, screen: _Screen) -> list[str]:
    """Return a sentence on the audit itself: it is wrapped, never cut."""
    if not screen.wraps:
        return [text]
    return wrap(text, screen.width, subsequent_indent="  ", break_on_hyphens=False)


def _quoted(passage: CitedPassage) -> str:
    return f"{safe(passage.key)}, {passage.of}: “{safe(passage.text)}”"


def _missing(
    missing: Sequence[MissingWork], perhaps: Sequence[MissingWork], folder: Path, screen: _Screen
) -> Iterator[_Line]:
    if missing or perhaps:
        yield ""
        yield "Not cited, and near your draft:"
    for number, each in enumerate((*missing, *perhaps), 1):
        if number == len(missing) + 1:
            yield "  perhaps:"
        paper = each.paper
        year = f" {paper.published.year}" if paper.published.year > 1 else ""
        who = f"{first_authors(paper.authors[:1])}{' et al.' if len(paper.authors) > 1 else ''}{year}"
        yield from (((line, "title"),) for line in _wrapped(safe(paper.title), f"  {number}. ", screen, 1))
        why = f"; {each.reasons[0].text}" if each.reasons else ""
        yield from _wrapped(safe(f"{who}, {shown_id(paper.id.value)}{why}"), "     ", screen)
        if each.file is not None:
            yield from _wrapped(
                f"belongs to {_at(each.file, each.line, folder)}: {safe(each.near)}", "     ", screen, 1
            )


def _facts(balance: Balance, folder: Path, screen: _Screen) -> Iterator[str]:
    whole = screen.whole
    parts = [counted(balance.works, "work", "works")]
    if balance.years is not None:
        first, middle, last = balance.years
        parts.append(f"{first} to {last}, half of them since {middle}")
    if balance.author is not None:
        parts.append(f"{balance.author[1]} by {safe(balance.author[0])}")
    yield f"Cited, for your information: {', '.join(parts)}"
    if balance.own is not None:
        share = "shares" if balance.own == 1 else "share"
        yield f"{balance.own} of {counted(balance.works, 'cited work', 'cited works')} {share} an author with the draft"
    if balance.venues:
        yield "most often from " + ", ".join(f"{safe(name)} ({works})" for name, works in balance.venues)
    if balance.unlinked:
        keys = balance.unlinked if whole else balance.unlinked[:_NAMED]
        more = f" and {len(balance.unlinked) - len(keys)} more" if len(keys) < len(balance.unlinked) else ""
        yield f"cited by no paper near yours whose references are known: {safe(', '.join(keys))}{more}"
    if balance.single:
        places = [_at(file, line, folder) for file, line in balance.single]
        named = places if whole else places[:_NAMED]
        more = f" and {len(places) - len(named)} more" if len(named) < len(places) else ""
        of = f"{len(places)} of {counted(balance.paragraphs, 'paragraph', 'paragraphs')} that cite"
        yield f"{of} have only one source in four sentences or more: {', '.join(named)}{more}"
