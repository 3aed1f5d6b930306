"""Check bibliography entries against arXiv's records, field by field.

Existence proves nothing (arxiv-api.md, 22): an entry is right when its title and authors are the record's.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Literal

from citeplug.bibliography.compare import compare_authors, compare_titles, entry_year, years_in
from citeplug.bibliography.entries import clean_doi
from citeplug.records.draft import BibEntry
from citeplug.records.folding import fold_title, split_name
from citeplug.records.identifiers import find_arxiv_id
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.review import EntryCheck, Evidence, Severity, Verdict
from citeplug.records.tex_text import decode_tex
from citeplug.records.text import plain
from citeplug.records.withdrawn import possibly_withdrawn

Against = Literal["arxiv", "catalogue"]

_FORMERLY = re.compile(
    r"(?:formerly|previously|originally|earlier|old(?:er)?|former|first|original|published|prior)\s+(?:version(?:s)?\s+)?"
    r"(?:was\s+|were\s+|had\s+)?(?:the\s+)?(?:title[d]?|called|known\s+as|entitled|circulated\s+as|appeared\s+as)"
    r"(?:\s+(?:was|is|as|under|the|of|this|paper))*\s*[:\"'“`]*\s*(.+)",
    re.IGNORECASE,
)
_TITLE_ENDS = (r"[\"”']{1,2}(?:\W|$)", r"\.(?:\s|$)", r"[;,](?:\s|$)")
_PREPRINT_KINDS = frozenset({"misc", "unpublished", "online", "electronic", "techreport", "report", "bibitem"})
_PREPRINT_VENUE = re.compile(r"arxiv|\bcorr\b|computing research repository|preprint|e-?print", re.IGNORECASE)
# A published version may come out some time before or after the preprint.
_VENUE_EARLIER, _VENUE_LATER = 1, 2
_LONGEST_SHOWN = 200


def check_entry(
    entry: BibEntry,
    record: Paper | None,
    *,
    against: Against | None,
    complete: bool,
    covered: bool,
    today: date,
    earlier: Sequence[Paper] = (),
) -> EntryCheck:
    """The verdict on one entry, with the evidence for each field.

    `record` is what is known under the entry's arXiv id, None if nothing is; `against` says who was asked, None
    if nobody could be. `complete`: an id that the catalogue lacks does not exist; `covered`: the catalogue
    covers the id's month. `earlier` are other versions, whose titles and authors count as well.
    """
    if record is None:
        return _without_record(entry, against, complete, covered, today)
    authors = _check_authors(entry, record, earlier)
    evidence = [
        _check_title(entry, record, earlier, same_authors=authors[0].verdict == "same"),
        authors,
        _check_year(entry, record),
        *_check_doi(entry, record),
        *_check_ids(entry),
    ]
    serious = [reason for _, degree, reason in evidence if degree == "error"]
    minor = [reason for _, degree, reason in evidence if degree == "warning"]
    fields = tuple(item for item, _, _ in evidence)
    seen = {item.field: item.verdict for item in fields}
    compared = seen["title"] == "same" or (seen["author"] == "same" and "same" in (seen["year"], seen.get("doi")))

    verdict: Verdict = "verified"
    severity: Severity = "none"
    message = ""
    if serious:
        verdict, severity, message = "differs", "error", "; ".join(serious + minor)
    elif possibly_withdrawn(record):
        verdict, severity = "possibly_withdrawn", "warning"
        said = f"arXiv:{record.id.value} is possibly withdrawn: {_short(record.comment or record.title)}"
        message = "; ".join([said, *minor])
    elif minor:
        verdict, severity, message = "differs", "warning", "; ".join(minor)
    elif not compared:
        verdict, severity = "unchecked", "info"
        message = "the id exists, but the entry has too little to compare: an id alone proves nothing"
    return EntryCheck(entry.key, record.id.value, verdict, severity, against, fields, message)


def _without_record(entry: BibEntry, against: Against | None, complete: bool, covered: bool, today: date) -> EntryCheck:
    value = entry.arxiv_id
    verdict: Verdict = "unchecked"
    severity: Severity = "info"
    if value is None and not _claims_arxiv(entry):
        verdict, message = "not_arxiv", "the entry does not claim to be on arXiv"
    elif value is None:
        message = "the entry speaks of arXiv but has no arXiv id that can be read"
        if against == "arxiv" or (against and complete):
            verdict, severity = "not_found", "error"
    elif ArxivId(value).month > today:
        verdict, severity = "not_found", "error"
        message = f"arXiv:{value} would be of {ArxivId(value).month:%Y-%m}, which has not come yet"
    elif against == "arxiv":
        verdict, severity, message = "not_found", "error", f"arXiv has no paper {value}"
    elif against is None:
        message = f"nobody could be asked for arXiv:{value}"
    elif complete:
        verdict, severity = "not_found", "error"
        message = f"the catalogue, which is complete for its month, has no paper {value}"
    elif covered:
        severity = "warning"
        message = f"the catalogue covers the month of arXiv:{value} but does not hold it; it may be incomplete"
    else:
        message = f"the catalogue does not hold arXiv:{value}; ask arXiv itself, without --offline"
    checked = against if value is not None and verdict != "not_arxiv" else None
    return EntryCheck(entry.key, value, verdict, severity, checked, (), message)


def _claims_arxiv(entry: BibEntry) -> bool:
    silent = ("abstract", "keywords", "file", "title")
    return any("arxiv" in value.lower() for name, value in entry.fields.items() if name not in silent)


# Each check gives its evidence, what it means (`ok`, `warning`, `error`), and why.
_Checked = tuple[Evidence, Literal["ok", "warning", "error"], str]


def _check_title(entry: BibEntry, record: Paper, earlier: Sequence[Paper], *, same_authors: bool) -> _Checked:
    given = entry.fields.get("title", "")
    found = _short(record.title)
    if entry.kind == "bibitem" and _contains(entry.fields.get("text", ""), record.title):
        return Evidence("title", _shown(given) or found, found, "same"), "ok", ""
    if not given:
        return Evidence("title", None, found, "unchecked" if entry.kind == "bibitem" else "missing"), "ok", ""
    titles = [record.title, *(paper.title for paper in earlier), *_former_titles(record.comment)]
    degrees = [compare_titles(given, title, same_authors=same_authors) for title in titles]
    if "same" in degrees:
        return Evidence("title", _shown(given), _short(titles[degrees.index("same")]), "same"), "ok", ""
    evidence = Evidence("title", _shown(given), found, "differs")
    if "close" in degrees:
        return evidence, "warning", f"the title is not quite that of arXiv:{record.id.value}: {found}"
    if entry.kind == "bibitem":  # its title is only guessed at
        return Evidence("title", _shown(given), found, "unchecked"), "ok", ""
    return evidence, "error", f"arXiv:{record.id.value} is another paper: {found}"


def _former_titles(comment: str | None) -> list[str]:
    """Titles that arXiv's comment says the paper had; each is also tried cut at its first quotation mark or stop."""
    titles = []
    for match in _FORMERLY.finditer(comment or ""):
        whole = match[1]
        titles += [whole, *(re.split(mark, whole)[0] for mark in _TITLE_ENDS)]
    return [title for title in titles if len(fold_title(title)) > 5]


def _contains(text: str, title: str) -> bool:
    wanted = fold_title(title).replace(" ", "")
    return len(wanted) > 12 and wanted in fold_title(text).replace(" ", "")


def _check_authors(entry: BibEntry, record: Paper, earlier: Sequence[Paper]) -> _Checked:
    given = entry.fields.get("author", "")
    found = _short(", ".join(record.authors)) or None
    if entry.kind == "bibitem" and not given:
        first = split_name(record.authors[0]).family if record.authors else ""
        shown = bool(first) and f" {fold_title(first)} " in f" {fold_title(entry.fields.get('text', ''))} "
        return Evidence("author", None, found, "same" if shown else "unchecked"), "ok", ""
    if not given:
        return Evidence("author", None, found, "missing"), "ok", ""
    if not record.authors:
        return Evidence("author", _shown(given), None, "unchecked"), "ok", ""
    compared = [compare_authors(given, paper.authors) for paper in (record, *earlier) if paper.authors]
    degrees = [item.degree for item in compared]
    if "same" in degrees:
        return Evidence("author", _shown(given), found, "same"), "ok", ""
    best = compared[degrees.index("close")] if "close" in degrees else compared[0]
    evidence = Evidence("author", _shown(given), found, "differs")
    return evidence, "warning" if best.degree == "close" else "error", f"the authors differ: {best.why}"


def _check_year(entry: BibEntry, record: Paper) -> _Checked:
    """arXiv's own export gives the latest version's year, its API the first's; a journal has its own."""
    first, last = record.published.year, max(record.published.year, record.updated.year)
    journal = set(years_in(record.journal_ref))
    found = str(first) if first == last else f"{first} to {last}"
    found += "".join(f", {year}" for year in sorted(journal - set(range(first, last + 1))))
    year = entry_year(entry)
    if year is None:
        given = entry.fields.get("year") or entry.fields.get("date")
        missing = Evidence("year", _shown(given) if given else None, found, "missing")
        return (replace(missing, verdict="unchecked") if entry.kind == "bibitem" else missing), "ok", ""
    if first <= year <= last or year in journal:
        return Evidence("year", str(year), found, "same"), "ok", ""
    if _is_published(entry) and not journal and first - _VENUE_EARLIER <= year <= last + _VENUE_LATER:
        return Evidence("year", str(year), found, "unchecked"), "ok", ""
    return Evidence("year", str(year), found, "differs"), "warning", f"the year is {year}, arXiv's record says {found}"


def _is_published(entry: BibEntry) -> bool:
    """Whether the entry speaks of a journal or conference, whose year arXiv may not know."""
    names = ("journal", "journaltitle", "booktitle", "publisher", "school")
    venue = " ".join(entry.fields.get(name, "") for name in names)
    if _PREPRINT_VENUE.search(venue):
        return False
    return bool(venue.strip()) or entry.kind not in _PREPRINT_KINDS | {"article"}


def _check_doi(entry: BibEntry, record: Paper) -> list[_Checked]:
    given = clean_doi(entry.doi or entry.fields.get("doi"))
    if given is None:
        return []
    known = {doi for doi in map(clean_doi, re.split(r"[\s,;]+(?=10\.|doi|http)", record.doi or "")) if doi}
    if not known:
        return [(Evidence("doi", given, None, "unchecked"), "ok", "")]
    found = ", ".join(sorted(known))
    if given in known:
        return [(Evidence("doi", given, given, "same"), "ok", "")]
    return [(Evidence("doi", given, found, "differs"), "warning", f"the DOI is {given}, arXiv's record says {found}")]


def _check_ids(entry: BibEntry) -> list[_Checked]:
    """An entry whose fields carry different arXiv ids mixes two papers."""
    named: dict[str, str] = {}
    for name in ("eprint", "url", "doi", "journal", "volume", "howpublished"):
        value = entry.fields.get(name)
        context = {k: v for k, v in entry.fields.items() if k in ("archiveprefix", "eprinttype", "primaryclass")}
        found = find_arxiv_id({**(context if name == "eprint" else {}), name: value}) if value else None
        if found:
            named.setdefault(found, name)
    if len(named) < 2:
        return []
    shown = ", ".join(f"{value} ({name})" for value, name in named.items())
    return [(Evidence("eprint", shown, entry.arxiv_id, "differs"), "error", f"the entry names several papers: {shown}")]


def _shown(text: str) -> str:
    return _short(decode_tex(text))


def _short(text: str) -> str:
    clean = plain(text)
    return clean if len(clean) <= _LONGEST_SHOWN else clean[: _LONGEST_SHOWN - 1] + "…"
