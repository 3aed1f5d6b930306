"""Findings as diagnostics: each at its place, with its code.

Errors are only undefined keys and entries that a verification contradicts; all else has a lower severity.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from lsprotocol import types as lsp

from citeplug.bib.cited_keys import undefined_keys
from citeplug.bib.suppress import unknown_code
from citeplug.editor.documents import Documents, range_of
from citeplug.editor.examine import Audited, Examined
from citeplug.editor.lines import Lined
from citeplug.editor.snapshot import GeneratedSection, Snapshot, Stretch
from citeplug.editor.switches import Switches
from citeplug.records.finding import Finding, advice
from citeplug.records.paper import shown_id
from citeplug.records.plan import PlanLine
from citeplug.records.provenance import RecordedSource
from citeplug.records.report import EntryReport
from citeplug.related.section.accept import Recorded
from citeplug.section_file.grammar import read_plan_line
from citeplug.text.cleaning import plain
from citeplug.text.letters import capital
from citeplug.text.suppressions import Suppression, is_suppressed, read_suppressions

SOURCE = "citeplug"

# Undefined keys, and what a record contradicts.
_CONTRADICTED = frozenset(
    ("undefined_key", "title_differs", "authors_differ", "id_differs", "not_found", "entry_differs", "entry_not_found")
)
# The fields on whose value a finding is shown; others are on the entry's key.
_FIELDS = {
    "title_differs": ("title",),
    "title_changed": ("title",),
    "authors_differ": ("author", "editor"),
    "year_differs": ("year", "date"),
    "doi_differs": ("doi",),
    "id_differs": ("eprint", "arxivid", "url"),
}
_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Warning,
    "warning": lsp.DiagnosticSeverity.Warning,
    "info": lsp.DiagnosticSeverity.Information,
    "none": lsp.DiagnosticSeverity.Hint,
}
_MOST = 500  # of one file


def diagnostics_of(
    snapshot: Snapshot,
    examined: Examined | None,
    switches: Switches,
    documents: Documents,
    audited: Audited | None = None,
) -> Mapping[Path, Sequence[lsp.Diagnostic]]:
    """Return all diagnostics of a project by file; `examined` and `audited` may be of an earlier snapshot."""
    diagnostics: dict[Path, list[lsp.Diagnostic]] = {}
    comments = {
        path: read_suppressions(lined.text, bib=path.suffix.lower() == ".bib") for path, lined in snapshot.texts.items()
    }
    for place, finding in chain(
        _unknown_codes(snapshot, comments),
        _undefined(snapshot),
        _entries(snapshot, examined) if examined is not None else (),
        _section(snapshot.section, examined, switches) if snapshot.section is not None else (),
        audited.places(snapshot) if audited is not None else (),
    ):
        lined = snapshot.texts.get(place.file)
        if lined is None or finding.code in snapshot.ignored:
            continue
        # A key that is being typed is not wrong yet.
        if finding.code == "undefined_key" and _is_typed(place, lined, documents):
            continue
        if is_suppressed(finding.code, [lined.line_of(place.start) + 1], comments[place.file]):
            continue
        some = diagnostics.setdefault(place.file, [])
        diagnostic = shown(finding, range_of(place, snapshot, documents))
        # An audit says once more what the check says.
        if len(some) < _MOST and not (audited is not None and diagnostic in some):
            some.append(diagnostic)
    return diagnostics


def _is_typed(place: Stretch, lined: Lined, documents: Documents) -> bool:
    document = documents.at(place.file)
    return document is not None and document.is_typed_at(place.start, place.end, lined)


def shown(finding: Finding, place: lsp.Range) -> lsp.Diagnostic:
    """Return the diagnostic of a finding at its place."""
    # What to do comes first: a list of problems cuts the end. Missing works all have the same advice, as quick fixes.
    parts = (finding.message,) if finding.code == "missing_work" else (advice(finding.fix), finding.message)
    return lsp.Diagnostic(
        range=place,
        message=capital(": ".join(plain(part) for part in parts if part)),
        severity=_severity(finding),
        code=finding.code,
        source=SOURCE,
        data={"message": capital(plain(finding.message)), "fix": capital(plain(advice(finding.fix)))},
    )


_Trouble = tuple[Stretch, Finding]


def _unknown_codes(snapshot: Snapshot, comments: Mapping[Path, Sequence[Suppression]]) -> Iterator[_Trouble]:
    """Yield the comments that ignore what is no code."""
    for path, some in comments.items():
        for comment in some:
            place = None if comment.known else _line(path, comment.line, comment.column, snapshot)
            if place is not None:
                yield place, unknown_code(comment, path)


def _undefined(snapshot: Snapshot) -> Iterator[_Trouble]:
    """Yield every citation of an undefined key, unless a file that was not read may define it."""
    if not snapshot.draft.files:
        return
    for report in undefined_keys(snapshot.draft):
        if report.severity != "error":
            return
        for mention in snapshot.mentions.get(report.key, ()):
            yield mention.place, report.findings[0]


def _entries(snapshot: Snapshot, examined: Examined) -> Iterator[_Trouble]:
    """Yield the findings on entries, at their present places."""
    counts: Counter[Path | None] = Counter()
    for entry, finding in examined.findings:
        file = finding.file or entry.file
        if counts[file] < _MOST and (place := _place(finding, entry, snapshot, examined.snapshot)) is not None:
            counts[file] += 1
            title = next((field for field in entry.check.fields if field.field == "title"), None)
            if finding.code == "title_differs" and title is not None and title.given and title.found:
                message = f"title “{title.given}”, in its record “{title.found}”"
                finding = replace(finding, message=message)
            yield place, finding
    for finding in examined.report.findings:
        place = _line(finding.file, finding.line, finding.column, snapshot)
        if place is not None:
            yield place, finding


def _place(finding: Finding, report: EntryReport, now: Snapshot, then: Snapshot) -> Stretch | None:
    if finding.code == "key_case":
        others = (key for key in now.mentions if key.lower() == report.key.lower() and key != report.key)
        return next((now.mentions[key][0].place for key in others), None)
    if report.entry is None or finding.file not in (None, report.file):
        return _line(finding.file, finding.line, finding.column, now)
    twins = [twin for twin in then.entries.get(report.key, ()) if twin.span.file == report.file]
    number = next((n for n, twin in enumerate(twins) if twin.span.start == report.entry.span.start), 0)
    here = [entry for entry in now.entries.get(report.key, ()) if entry.span.file == report.file]
    if number >= len(here):
        return None  # the entry was deleted
    shift = here[number].span.line - report.entry.span.line
    if finding.column is None and finding.line in (None, report.line):
        value = now.value_place(here[number], _FIELDS.get(finding.code, ()))
        return value or now.key_place(here[number])
    return _line(report.file, (finding.line or report.line) + shift, finding.column, now)


def _line(file: Path | None, line: int | None, column: int | None, snapshot: Snapshot) -> Stretch | None:
    """Return a line without its indentation, from `column` on if that is given."""
    lined = snapshot.texts.get(file) if file is not None else None
    if lined is None or file is None:
        return None
    return Stretch(file, *lined.span_of(line, column))


def _section(section: GeneratedSection, examined: Examined | None, switches: Switches) -> Iterator[_Trouble]:
    """Yield the findings on a generated section, its sentences and its plans."""
    if not section.inserted:
        message = f"the draft does not read {section.path.name} and its entries yet"
        yield (
            Stretch(section.path, *section.lined.span_of(1)),
            Finding("section_not_inserted", "info", message, fix="insert the section into the draft"),
        )
    for sentence, place in section.sentences:
        if place is None:
            continue
        for finding in doubts(sentence, examined, switches):
            yield place, finding
    for block in section.current.blocks:
        if block.state == "due":
            for place in _directives(section, block.at.start, block.at.end, None):
                message = "this plan has no text yet"
                yield place, Finding("plan_not_written", "info", message, fix="write this paragraph")
        elif block.state in ("plan", "text") and block.base is not None:
            known = {*block.base.plan.lines, *map(_planned, block.base.directives)}
            for place in _directives(section, block.at.start, block.at.end, known):
                message = "the text does not follow this line of the plan yet"
                yield place, Finding("plan_not_followed", "info", message, fix="write this paragraph again")


def doubts(sentence: Recorded, examined: Examined | None, switches: Switches) -> Iterator[Finding]:
    """Yield what speaks against a generated sentence."""
    support, judgement = sentence.attribution, sentence.judgement
    if sentence.status != "accepted" and support is not None and support < switches.low_support:
        message = f"only {100 * support:.0f} % of this sentence's words are in its sources"
        yield Finding("low_support", "info", message, fix="compare, then accept, change or reject it")
    if sentence.status != "accepted" and judgement is not None and judgement.doubt:
        code = "claim_suspected" if judgement.verdict is None else "claim_unsupported"
        fix = "compare it with its sources, then accept, change or reject it"
        yield Finding(code, "info", f"look at this sentence: {judgement.doubt}", fix=fix)
    changed = [paper for paper in _ids(sentence.sources) if examined is not None and paper in examined.changed]
    if changed:
        message = f"the source of this sentence has changed: {', '.join(map(shown_id, changed))}"
        yield Finding("source_changed", "warning", message, fix="compare it with the paper's current abstract")


_PLAN_LINE = re.compile(r"^[ \t]*%[ \t]*citeplug:[ \t]*(\d+\b[^\r\n]*)", re.MULTILINE)


def _directives(section: GeneratedSection, start: int, end: int, known: set[PlanLine] | None) -> Iterator[Stretch]:
    """Yield the lines of a plan, except those that are `known`."""
    for match in _PLAN_LINE.finditer(section.lined.text, start, end):
        if known is None or _planned(match[1]) not in known:
            yield Stretch(section.path, match.start(1), match.end(1))


def _planned(directive: str) -> PlanLine:
    """Return a line of a plan, whatever its number and its layout: a moved line counts as the same."""
    return read_plan_line(" ".join(re.sub(r"^\d+[.):]?", "", directive).split()))


def _ids(sources: Sequence[RecordedSource]) -> list[str]:
    return list(dict.fromkeys(source.arxiv_id for source in sources if source.arxiv_id))


def _severity(finding: Finding) -> lsp.DiagnosticSeverity:
    if finding.severity == "error" and finding.code in _CONTRADICTED:
        return lsp.DiagnosticSeverity.Error
    return _SEVERITIES[finding.severity]
