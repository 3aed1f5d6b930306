"""Check bibliography entries against arXiv's records, field by field.

Existence proves nothing (arxiv-api.md, 22): an entry is right when its title and authors are the record's.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Literal

from citeplug.bib.compare.evidence import FieldDoubt, FieldEvidence, findings_of, gather, is_published, short
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck, Verdict
from citeplug.records.finding import Finding, Severity
from citeplug.records.paper import ArxivId, Paper
from citeplug.text.compare import compare_titles, entry_doi, entry_title, entry_year
from citeplug.text.withdrawn import possibly_withdrawn

Against = Literal["arxiv", "catalogue"]

_CLAIM = re.compile(r"ar[x\u03c7]iv|\bcorr\b|10\.48550/", re.IGNORECASE)
_PREPRINT = re.compile(r"preprint|\bcorr\b|unpublished|computing research repository", re.IGNORECASE)
# Fields that speak of other papers, of the entry's place in a library, or of where it was exported.
_SILENT = frozenset(
    "abstract keywords file title annote annotation bibsource owner groups review notes comment mendeley-tags".split()
)

NOT_HELD = "the catalogue does not hold"  # begins the message where it alone was asked


def check_entry(
    entry: BibEntry,
    record: Paper,
    *,
    against: Against | None,
    earlier: Sequence[Paper] = (),
    doubts: Sequence[FieldDoubt] = (),
    preprint: bool = True,
    title_owner: Paper | None = None,
) -> EntryCheck:
    """The verdict on one entry beside its record, with the evidence for each field and a finding for each doubt.

    `against` says whose record it is. `earlier` are other versions, whose titles and authors count as well. `doubts`
    are what was found beyond the record. `preprint` and `title_owner`: as for `gather`.
    """
    seen = gather(entry, record, earlier, preprint=preprint, title_owner=title_owner)
    all_doubts = [*doubts, *(item.doubt for item in seen if item.doubt is not None)]
    # The worst first: it is what a reader has to know.
    all_doubts.sort(key=lambda doubt: doubt.severity != "error")
    verdict, severity, message = _judge(record, seen, all_doubts)
    evidence = tuple(item.evidence for item in seen)
    findings = (*findings_of(entry, all_doubts), *_remarks(entry, record, verdict, earlier))
    return EntryCheck(entry.key, record.id.value, verdict, severity, against, evidence, message, findings)


def _judge(record: Paper, seen: Sequence[FieldEvidence], doubts: Sequence[FieldDoubt]) -> tuple[Verdict, Severity, str]:
    message = "; ".join(doubt.message for doubt in doubts)
    if any(doubt.severity == "error" for doubt in doubts):
        return "differs", "error", message
    if possibly_withdrawn(record):
        gone = f"arXiv:{record.id.value} may have been withdrawn: {short(record.comment or record.title)}"
        return "possibly_withdrawn", "warning", "; ".join(filter(None, [gone, message]))
    if doubts:
        return "differs", "warning", message
    states = {item.evidence.field: item.evidence.verdict for item in seen}
    by_title = states["title"] == "same"
    if not by_title and not (states["author"] == "same" and "same" in (states["year"], states.get("doi"))):
        return (
            "unchecked",
            "info",
            "the id exists, but the entry has too few fields to compare: an id alone proves nothing",
        )
    if not record.authors and states["author"] != "same":
        agree = "title and year agree" if states["year"] == "same" else "the title agrees"
        return "verified", "none", f"{agree}; the record has no authors to compare"
    return "verified", "none", ""


def _remarks(entry: BibEntry, record: Paper, verdict: Verdict, earlier: Sequence[Paper]) -> list[Finding]:
    """Remarks on an entry that matches its record, none of them an error."""
    file, line = entry.span.file, entry.span.line
    remarks = []
    if verdict == "possibly_withdrawn":
        message = f"arXiv:{record.id.value} may have been withdrawn"
        fix = f"look at https://arxiv.org/abs/{record.id.value}: its page has the last word"
        remarks.append(Finding("possibly_withdrawn", "warning", message, file, line, None, fix))
    named = named_version(entry)
    if named is not None and record.id.version is not None and named < record.id.version:
        message = f"the entry names version {named} of arXiv:{record.id.value}; there is a version {record.id.version}"
        fix = "check that it still says what you cite it for"
        remarks.append(Finding("newer_version", "info", message, file, line, None, fix))
    if verdict == "verified" and not is_published(entry) and _is_former(entry_title(entry), record, earlier):
        message = f"a later version of arXiv:{record.id.value} has a different title: {short(record.title)}"
        fix = "give the current title, unless you cite that version"
        remarks.append(Finding("title_changed", "info", message, file, line, None, fix))
    published = ", ".join(filter(None, [record.journal_ref, f"doi:{record.doi}" if record.doi else None]))
    if published and is_preprint(entry) and entry_doi(entry) is None and verdict in ("verified", "differs"):
        message = f"arXiv:{record.id.value} has been published: {short(published)}"
        fix = "'citeplug fix --published' replaces it with the published version"
        fix = "name the published version" if entry.kind == "bibitem" else fix
        remarks.append(Finding("published_version", "info", message, file, line, None, fix))
    return remarks


def is_preprint(entry: BibEntry) -> bool:
    """Return True if the entry names no journal or conference; a printed one has to call itself a preprint."""
    if entry.kind == "bibitem":
        return _PREPRINT.search(entry.fields.get("text", "")) is not None
    return not is_published(entry)


def _is_former(title: str, record: Paper, earlier: Sequence[Paper]) -> bool:
    """Return True if a title is that of an earlier version and not the present one."""
    if not title or compare_titles(title, record.title, same_authors=True) == "same":
        return False
    return any(compare_titles(title, paper.title, same_authors=True) == "same" for paper in earlier)


def named_version(entry: BibEntry) -> int | None:
    """The version of its arXiv paper that the entry names, None if it names none."""
    pattern = re.compile(re.escape((entry.arxiv_id or "?").split("/")[-1]) + r"[vV](\d{1,3})\b")
    return next((int(match[1]) for text in entry.fields.values() if (match := pattern.search(text))), None)


def without_record(entry: BibEntry, *, against: Against | None, complete: bool, today: date) -> EntryCheck:
    """The verdict on an entry for which nothing was found.

    `against` says who was asked, None if nobody could be. `complete`: what the catalogue lacks does not exist.
    """
    value, year = entry.arxiv_id, entry_year(entry)
    if year is not None and year > today.year + 1:
        doubt = FieldDoubt("year_differs", "warning", f"the year {year} is still to come")
        return EntryCheck(entry.key, value, "differs", "warning", None, (), doubt.message, findings_of(entry, [doubt]))
    verdict: Verdict = "unchecked"
    severity: Severity = "info"
    if value is None and not claims_arxiv(entry):
        verdict, message = "not_arxiv", "the entry does not claim to be on arXiv"
    elif value is None:
        message = "the entry mentions arXiv but has no readable arXiv id"
        if against == "arxiv" or (against and complete):
            verdict, severity = "not_found", "error"
            message += ", and nothing has its title and authors"
    elif ArxivId(value).month > today:
        verdict, severity = "not_found", "error"
        message = f"arXiv:{value} would be from {ArxivId(value).month:%Y-%m}, which is still to come"
    elif against == "arxiv":
        verdict, severity, message = "not_found", "error", f"arXiv has no paper {value}"
    elif against is None:
        message = f"no source could be asked for arXiv:{value}"
    elif complete:
        verdict, severity = "not_found", "error"
        message = f"the catalogue, which is complete for its month, has no paper {value}"
    else:
        message = f"{NOT_HELD} arXiv:{value}, but may be incomplete"
    checked = against if verdict == "not_found" or (value is not None and verdict != "not_arxiv") else None
    findings = findings_of(entry, [FieldDoubt("not_found", "error", message)]) if verdict == "not_found" else ()
    return EntryCheck(entry.key, value, verdict, severity, checked, (), message, findings)


def claims_arxiv(entry: BibEntry) -> bool:
    """True if the entry says that its paper is on arXiv, with an id or without."""
    if entry.arxiv_id is not None:
        return True
    return any(_CLAIM.search(value) for name, value in entry.fields.items() if name not in _SILENT)
