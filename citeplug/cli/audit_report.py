"""An audit, printed: one screen for a reader. What a reviewer would hold against the author comes first."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import get_terminal_size

from citeplug.audit.ranking import OF_CITATIONS, OnKey, doubts_of, ranked
from citeplug.bib.compare.corrections import is_close
from citeplug.cli.check_report import left_out, show_titles, shown_path
from citeplug.cli.console import Part, as_run, counted, safe, say
from citeplug.cli.filling import fill, one_line
from citeplug.records.audit import Audit, Balance, CitationDoubt, MissingWork, NoveltyClaim
from citeplug.records.finding import Finding, Severity, without_names
from citeplug.records.paper import shown_id
from citeplug.records.report import BibReport, worst
from citeplug.records.rules import rule
from citeplug.related.section.in_print import in_names, names_of
from citeplug.text.people import cited_people

# Of a reviewer's interest in one screen; the rest is information that --all prints.
_OF_INTEREST = frozenset(
    ("published_version", "uncited_claim", "cited_in_row", "newer_version", "title_changed", "key_case")
)
_OUTAGE = "source_unavailable"  # could not be checked: nothing that is wrong with the draft
_OF_NOVELTY = "novelty_claim"
_OF_ANONYMITY = ("author_named", "own_work_cited", "identifying_link", "people_thanked")
_OF_MISSING = ("missing_work", "newer_than_draft")  # shown with the works that are missing
LINES, DOUBTS = 10, 2  # of references, and citations, of five lines or so each
_OF_A_REASON, _OF_A_FINDING = 3, 3  # lines, of a citation, and on a reference
_KINDS = 3  # of findings that are not shown
_ALIKE = 3  # findings with one code that become one line
_WIDTH, _ROWS = 110, 40  # of a screen, at most
_NARROWEST = 40
_LABEL = 13  # columns
_NAMED = 6
_BESIDE = " " * 14  # of the texts on a claim
# How far each part of a screen is shortened, in this order, until it fits.
_LEAST = (
    *(("facts", 2), ("perhaps", 0), ("references", 6), ("missing", 2), ("facts", 1), ("doubts", 1), ("references", 2)),
    *(("missing", 0), ("facts", 0), ("doubts", 0), ("references", 0)),
)


@dataclass(frozen=True, slots=True)
class _Screen:
    """The most that is shown: lines on references, citations of five lines or so each, missing works, lines of facts.

    With `whole` all of it is, and no line is cut. `wraps`: it is a terminal, which breaks a long line.
    """

    width: int = _WIDTH
    references: int = LINES
    doubts: int = DOUBTS
    missing: int = 5
    perhaps: int = 2
    facts: int = 5
    wraps: bool = False
    whole: bool = False


def worst_of(audit: Audit) -> Severity:
    """Return the worst severity of what the draft has wrong; an outage is none of that."""
    of_run = (finding.severity for finding in audit.report.findings if finding.code != _OUTAGE)
    return worst([audit.report.worst(), *of_run])


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
    for name, least in _LEAST:
        if (count := getattr(screen, name)) > least:
            return replace(screen, **{name: count - 1})
    return None


# A line: its words, or parts of it with their styles.
_Line = str | Sequence[Part]


def _report(audit: Audit, screen: _Screen) -> Iterator[_Line]:
    """Yield the lines, none wider than the screen unless all of it is shown: a verdict, its reasons, a next step."""
    draft = audit.report.draft
    folder = Path.cwd() if draft is None else draft.root.parent
    references, doubts = _of_references(audit.report), doubts_of(audit)
    yield from _wrapped(_verdict(audit, references, doubts), "", screen, None)
    missing = audit.missing if screen.whole else audit.missing[: screen.missing]
    perhaps = audit.perhaps if screen.whole else audit.perhaps[: screen.perhaps if audit.missing else screen.missing]
    lacking = list(_lacking(audit, missing, perhaps, folder, screen))
    shown = on_screen(audit.report, screen.references, whole=screen.whole)
    last = _is_last(audit, references)
    if not last:
        yield from lacking
        yield from [""] if lacking and shown else []
    for group in shown:
        yield from _of_group(group, folder, screen)
    yield from _doubts(doubts if screen.whole else doubts[: screen.doubts], folder, screen)
    claims = audit.novelty if screen.whole else audit.novelty[: screen.doubts]
    yield from _novelty(claims, folder, screen)
    if last:
        yield from lacking
    facts = [] if audit.anonymity else list(_facts(audit.balance, folder, screen))
    hidden = Counter(item.finding.code.replace("_", " ") for item in references)
    hidden -= Counter(item.finding.code.replace("_", " ") for group in shown for item in group)
    kinds = ", ".join(f"{kind} {number}" for kind, number in hidden.most_common(_KINDS))
    left = [
        counted(number, one, many)
        for number, one, many in (
            (hidden.total(), "finding", f"findings ({kinds}{', ...' if len(hidden) > _KINDS else ''})"),
            (0 if screen.whole else len(doubts) - screen.doubts, "citation", "citations"),
            (len(audit.novelty) - len(claims), "claim of novelty", "claims of novelty"),
            (len(audit.missing) - len(missing), "work not cited", "works not cited"),
            (len(audit.perhaps) - len(perhaps), "work that may belong", "works that may belong"),
            (0 if screen.whole else len(facts) - screen.facts, "fact", "facts"),
        )
        if number > 0
    ]
    # The least screen has them in a row.
    looked_at, not_looked_at = (
        texts if screen.facts else ["; ".join(texts)] for texts in (audit.looked_at, audit.not_looked_at)
    )
    yield ""
    for label, texts in (
        ("You cite", facts if screen.whole else facts[: screen.facts]),
        ("Checked", looked_at),
        ("Not checked", not_looked_at),
        ("Left out", ["; ".join(left_out(audit.report))]),
        ("Not shown", [f"{', '.join(left)} (--all shows them)"] if left else []),
    ):
        yield from _labelled(label, [text for text in texts if text], screen)
    if (step := _next_step(audit, left)) is not None:
        yield ""
        command, does = as_run(step[0]), step[1]
        first: _Line = "next: ", (command, "command")
        if screen.wraps and len(f"next: {command}    {does}") > screen.width:
            yield first
            yield from _wrapped(does, " " * 6, screen, None)
        else:
            yield *first, f"    {does}"


def _is_last(audit: Audit, references: Sequence[OnKey]) -> bool:
    """Whether missing works weigh less than the references: these have errors or warnings, or all are too new."""
    doubted = any(item.finding.severity in ("error", "warning") for item in references)
    return doubted or _are_all_newer(audit)


def _are_all_newer(audit: Audit) -> bool:
    return all(work.newer for work in (*audit.missing, *audit.perhaps))


def _what_is_lacking(audit: Audit) -> str:
    return "newer than your draft" if _are_all_newer(audit) else "that you may have missed"


def _verdict(audit: Audit, references: Sequence[OnKey], doubts: Sequence[CitationDoubt]) -> Sequence[Part]:
    """The first line: how many errors and warnings the references have, and what else there is to look at."""
    errors = sum(item.finding.severity == "error" for item in references)
    warnings = sum(item.finding.severity == "warning" for item in references)
    counts = [(counted(errors, "error", "errors"), "error")] if errors else []
    counts += [("and", "")] if errors and warnings else []
    counts += [(counted(warnings, "warning", "warnings"), "warning")] if warnings else []
    lacking = (*audit.missing, *audit.perhaps)
    later = sum(work.newer for work in lacking)
    works = f"{counted(len(lacking), 'paper', 'papers')} {_what_is_lacking(audit)}"
    works += f", {later} newer than your draft" if 0 < later < len(lacking) else ""
    label = "Anonymity:" if audit.anonymity else "References:"
    is_partial = any(entry.check.verdict == "unchecked" and not entry.is_uncited for entry in audit.report.entries)
    nothing = f"no errors, no warnings{' in what was checked' if is_partial else ''}"
    clauses = [[(label, ""), *(counts or [(nothing, "good")])]]
    if audit.missing or audit.perhaps:
        clause = [(works, "warning" if audit.missing else "number")]
        is_last = _is_last(audit, references)
        clauses = [*clauses, clause] if is_last else [clause, [(label.lower(), ""), *clauses[0][1:]]]
    clauses += [
        [(counted(number, one, many), "")]
        for number, one, many in (
            (len(doubts), "citation to compare", "citations to compare"),
            (len(audit.novelty), "claim of novelty", "claims of novelty"),
        )
        if number
    ]
    for clause in clauses[:-1]:
        clause[-1] = f"{clause[-1][0]};", clause[-1][1]
    return [part for clause in clauses for part in clause]


def _next_step(audit: Audit, left: Sequence[str]) -> tuple[str, str] | None:
    """The one command that comes next, and what it does; None if there is nothing to do."""
    draft = audit.report.draft
    main = "" if draft is None else f" {shlex.quote(safe(shown_path(draft.root)))}"
    certain = sum(bool(entry.check.changes) for entry in audit.report.entries)
    if certain:
        return f"citeplug fix{main} --diff", f"shows how {counted(certain, 'entry', 'entries')} can be corrected"
    if close := sum(is_close(entry.check) for entry in audit.report.entries):
        return show_titles([] if draft is None else [Path(shown_path(draft.root))], close)
    if audit.missing or audit.perhaps:
        return f"citeplug papers{main} --missing", "lists the papers that you do not cite, and why they fit"
    return (f"citeplug audit{main} --all", "shows the rest") if left else None


def on_screen(report: BibReport, most: int = LINES, *, whole: bool = False) -> list[list[OnKey]]:
    """Return the findings on references that are shown, worst first, those that share a line together.

    Without `whole` they are those of a reviewer's interest, on `most` lines.
    """
    of_references = _of_references(report)
    if whole:
        return [[item] for item in of_references]
    groups: dict[tuple[Severity, str], list[OnKey]] = {}
    for item in of_references:
        if item.finding.severity != "info" or item.finding.code in _OF_INTEREST:
            groups.setdefault((item.finding.severity, item.finding.code), []).append(item)
    lines = [
        line for same in groups.values() for line in ([same] if len(same) >= _ALIKE else [[item] for item in same])
    ]
    return lines[:most]


def _of_references(report: BibReport) -> list[OnKey]:
    """Return the findings on references, worst first. That a service did not answer says nothing of a reference."""
    others = (*_OF_MISSING, *OF_CITATIONS, _OUTAGE, _OF_NOVELTY)
    return [item for item in ranked(report) if item.finding.code not in others]


def _of_group(group: Sequence[OnKey], folder: Path, screen: _Screen) -> Iterator[_Line]:
    """Yield the lines of a finding, or of several of one cause, the code at their end whatever is left out."""
    finding = group[0].finding
    if len(group) == 1:
        place = _place(finding, folder)
        key = f"{safe(group[0].key)}: " if group[0].key and group[0].key not in finding.message else ""
        words = f"{key}{safe(finding.message)}"
        words += f": {safe(finding.fix)}" if finding.code in _OF_ANONYMITY and finding.fix else ""
    else:
        names = list(dict.fromkeys(safe(item.key) or _place(item.finding, folder).rstrip(": ") for item in group))
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        place = f"{len(group)} x"
        words = f"{rule(finding.code).meaning[:-1]}: {', '.join(names[:_NAMED])}{more}"
    parts = place, (f"{finding.severity}:", finding.severity), words
    yield from _wrapped(parts, "  ", screen, _OF_A_FINDING, f"[{finding.code}]")


def _place(finding: Finding, folder: Path) -> str:
    return "" if finding.file is None else f"{_at(finding.file, finding.line, folder)}: "


def _at(file: Path, line: int | None, folder: Path) -> str:
    return f"{safe(shown_path(file, folder))}:{line or 1}"


def _doubts(doubts: Sequence[CitationDoubt], folder: Path, screen: _Screen) -> Iterator[_Line]:
    """Yield the draft's sentence of each, with the passages beside it."""
    if not doubts:
        return
    yield ""
    yield (("Citations to compare with their sources", "title"),)
    for doubt in doubts:
        by = f" ({safe(doubt.by)})" if doubt.by else ""
        reason = f"{_at(doubt.file, doubt.line, folder)}: {safe(doubt.reason)}{by}"
        yield from _wrapped(reason, "  ", screen, _OF_A_REASON, f"[{doubt.code}]")
        passages = [f"{safe(one.key)}, {one.of}: “{safe(one.text)}”" for one in (doubt.source, doubt.fits) if one]
        for text in (f"your sentence: “{safe(doubt.sentence)}”", *passages):
            yield from _wrapped(text, "     ", screen)


def _novelty(claims: Sequence[NoveltyClaim], folder: Path, screen: _Screen) -> Iterator[_Line]:
    """Yield each claim to be first or new, with the earlier works closest to it: one, or with `whole` all."""
    if not claims:
        return
    yield ""
    yield (("Claims of novelty", "title"),)
    yield from _wrapped(
        f"beside the closest of {claims[0].records:,} records before {claims[0].before:%Y-%m-%d}", "  ", screen
    )
    for number, claim in enumerate(claims, 1):
        yield from _wrapped([(_at(claim.file, claim.line, folder), "number")], f"  {number}. ", screen)
        yield from _beside("Claim:", [f"“{safe(claim.sentence)}”"], screen)
        works = [(work.paper, work.sentence) for work in claim.works]
        if (verdict := claim.verdict) is not None:
            verdict_in_words = "nothing here contradicts it" if verdict.holds else "may not hold as worded"
            yield from _beside(
                "Verdict:", [(verdict_in_words, "" if verdict.holds else "warning"), f"({safe(verdict.by)})"], screen
            )
            works = works if verdict.holds else [(verdict.work, verdict.quotation)]
        for paper, sentence in works if screen.whole else works[:1]:
            about = f"{cited_people(paper.authors)} {paper.published.year} ·"
            yield from _beside("Closest:", [(safe(paper.title), "title")], screen)
            yield from _wrapped([safe(about), (shown_id(paper.id.value), "key")], _BESIDE, screen)
            yield from _wrapped(f"“{safe(sentence)}”", _BESIDE, screen)
        if not works:
            yield from _beside("Closest:", ["none of them comes close"], screen)
        if verdict is not None and verdict.wording:
            yield from _beside("Instead:", [f"“{safe(verdict.wording)}”"], screen)


def _beside(label: str, parts: Sequence[Part], screen: _Screen) -> Iterator[_Line]:
    """Yield the lines of a text beside its label."""
    yield from _wrapped(parts, f"     {label:9}", screen, 3, further=_BESIDE)


def _wrapped(
    parts: _Line, indent: str, screen: _Screen, most: int | None = 2, code: str = "", further: str = "    "
) -> list[Sequence[Part]]:
    """Break parts at words into at most `most` lines; what is left out is marked, and `code` stands behind it."""
    parts = [parts] if isinstance(parts, str) else parts
    end = (code, "code") if code else ""
    if screen.whole and not screen.wraps:
        return [one_line(parts, indent, end)]
    further = further if len(further) > len(indent) else " " * len(indent)
    most = None if screen.whole else most
    return fill(parts, screen.width, indent=indent, further=further, most=most, end=end)


def _labelled(label: str, texts: Sequence[str], screen: _Screen) -> Iterator[_Line]:
    """Yield texts on the audit itself beside their label: they are wrapped, never cut."""
    for at, text in enumerate(texts):
        lead = f"{'' if at else label:{_LABEL}}"
        if not screen.wraps:
            yield (lead, "title"), text
            continue
        further = " " * _LABEL
        for number, line in enumerate(fill([text], screen.width, indent=lead, further=further)):
            yield (lead, "title") if number == 0 else line[0], *line[1:]


def _lacking(
    audit: Audit, missing: Sequence[MissingWork], perhaps: Sequence[MissingWork], folder: Path, screen: _Screen
) -> Iterator[_Line]:
    """Yield the works that the draft does not cite, and a note on works that are newer than it."""
    draft = audit.report.draft
    names = names_of(draft.entries) if draft is not None else {}
    shown, total = len(missing) + len(perhaps), len(audit.missing) + len(audit.perhaps)
    if shown:
        yield ""
        yield (f"Papers {_what_is_lacking(audit)}", "title"), "" if shown == total else f", {shown} of {total}"
    for note in audit.report.findings if missing else ():
        if note.code == "newer_than_draft":
            words = safe((note if screen.whole else without_names(note, note.code)).message)
            yield from _wrapped(words + (f": {safe(note.fix)}" if note.fix and screen.whole else ""), "  ", screen)
    for number, work in enumerate((*missing, *perhaps), 1):
        if missing and number == len(missing) + 1:
            yield ""
            yield (("Perhaps", "title"),)
        paper = work.paper
        year = f" {paper.published.year}" if paper.published.year > 1 else ""
        who = f"{cited_people(paper.authors)}{year}"
        yield from _wrapped([(safe(paper.title), "title")], f"  {number}. ", screen)
        later = [("· newer than your draft", "info")] if work.newer and not _are_all_newer(audit) else []
        yield from _wrapped([safe(f"{who} ·"), (shown_id(paper.id.value), "key"), *later], "     ", screen)
        if work.reasons:
            yield from _wrapped(["Why:", safe(in_names(work.reasons[0], names))], "     ", screen, further=" " * 10)
        if work.file is not None:
            place = (f"{_at(work.file, work.line, folder)}:", "number")
            yield from _wrapped(
                ["Where:", place, safe(work.near).replace(" ...", "...")], "     ", screen, further=" " * 12
            )


def _facts(balance: Balance, folder: Path, screen: _Screen) -> Iterator[str]:
    whole, parts = screen.whole, [counted(balance.works, "work", "works")]
    if balance.years is not None:
        first, middle, last = balance.years
        parts.append(f"{first} to {last}, half of them since {middle}")
    if whole and balance.author is not None:
        parts.append(f"{balance.author[1]} by {safe(balance.author[0])}")
    yield ", ".join(parts)
    if balance.own is not None:
        share = "shares" if balance.own == 1 else "share"
        yield f"{balance.own} of {counted(balance.works, 'cited work', 'cited works')} {share} an author with the draft"
    if whole and balance.venues:
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
