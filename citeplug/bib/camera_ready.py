"""What a bibliography needs before the final version of a paper is sent, beyond that it is right.

A preprint that is published by now, a title that was changed, a list of authors that is cut before the style would do
so, pages and a DOI that the record has, and one venue written in several ways. Nothing is taken from a record of
another form of the work: volume and year must be the entry's own.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from citeplug.bib.compare.evidence import is_published
from citeplug.bib.compare.verify import is_preprint, named_version
from citeplug.bib.style_file import StyleFile
from citeplug.bib.write.find_published import find_published
from citeplug.bib.write.published import read_journal_ref
from citeplug.corpus.records_by_id import Lookup
from citeplug.errors import SourceUnavailable
from citeplug.protocols import WorkSource
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck, FieldChange
from citeplug.records.finding import Finding, source_unavailable
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.report import BibReport, EntryReport
from citeplug.records.work import SERVICE_NAMES
from citeplug.text.compare import entry_doi, entry_year, record_dois
from citeplug.text.folding import fold
from citeplug.text.people import split_authors
from citeplug.text.tex_text import decode_tex

# Notes that are to be seen to before a paper is printed.
_RAISED = frozenset(
    ("published_version", "title_changed", "newer_version", "uncited_entry", "missing_field", "key_case", "shared_id")
)
_Doubt = tuple[Finding | None, FieldChange | None]


def check_for_print(
    entries: Sequence[BibEntry],
    checks: Sequence[EntryCheck],
    lookup: Lookup,
    others: Sequence[WorkSource],
    style: StyleFile | None = None,
) -> list[EntryCheck]:
    """Return the checks with what is to be seen to before the paper is printed; `others` are asked for published works.

    A list of authors may be cut where `style` prints the same of the whole one.
    Raises nothing: an outage is noted in `lookup`.
    """
    ids = [ArxivId(check.arxiv_id) for check in checks if check.arxiv_id is not None and check.verdict == "verified"]
    records = lookup.records(list(dict.fromkeys(ids)))
    venues = dict(_venues(entries))
    done = []
    for number, (entry, check) in enumerate(zip(entries, checks, strict=True)):
        record = records.get(ArxivId(check.arxiv_id)) if check.arxiv_id and check.verdict == "verified" else None
        doubts: list[_Doubt] = [venues[number]] if number in venues else []
        if record is not None:
            doubts += _of_record(entry, check, record, style)
            doubts += _published(entry, check, record, lookup, others)
        findings = tuple(finding for finding, _ in doubts if finding is not None)
        changes = tuple(change for _, change in doubts if change is not None)
        done.append(replace(check, findings=(*check.findings, *findings), changes=(*check.changes, *changes)))
    return done


def raise_severities(report: BibReport) -> BibReport:
    """Return the report with warnings in place of the notes that are to be seen to before the paper is printed."""
    return replace(report, entries=tuple(map(_raised, report.entries)))


def _raised(entry: EntryReport) -> EntryReport:
    def raised(findings: Sequence[Finding]) -> tuple[Finding, ...]:
        return tuple(
            replace(f, severity="warning") if f.code in _RAISED and f.severity == "info" else f for f in findings
        )

    check = replace(entry.check, findings=raised(entry.check.findings))
    return replace(entry, findings=raised(entry.findings), check=check)


def _of_record(entry: BibEntry, check: EntryCheck, record: Paper, style: StyleFile | None) -> Iterator[_Doubt]:
    name = f"arXiv:{record.id.value}"
    names, cut = split_authors(entry.fields.get("author", ""))
    whole = len(record.authors)
    if cut and whole > len(names) and (style is None or not style.prints_alike(entry.kind, len(names), whole)):
        message = f"the authors end in “and others” after {len(names)}; {name} has {whole}"
        if style is not None and (shown := style.shown_of(entry.kind, whole)) is not None:
            message += f", and {style.name} prints {'them all' if shown >= whole else shown}"
        change = FieldChange("authors_cut", "author", " and ".join(record.authors))
        yield _finding("authors_cut", message, entry, "give them all: the style cuts the list if it has to"), change
    if any(finding.code == "title_changed" for finding in check.findings) and named_version(entry) is None:
        yield None, FieldChange("title_changed", "title", record.title)
    place = read_journal_ref(record)
    if place is None or not is_published(entry) or entry_year(entry) != place.year:
        return
    if decode_tex(entry.fields.get("volume", "")).strip() != place.volume:
        return
    dois = record_dois(record)
    if entry_doi(entry) is None and len(dois) == 1:
        message = f"the entry has no DOI; {name} has {dois[0]}"
        yield _finding("doi_missing", message, entry, "add it"), FieldChange("doi_missing", "doi", dois[0])
    pages = re.sub(r"\s*[-–—]+\s*", "-", decode_tex(entry.fields.get("pages", "")).strip())
    if pages != place.pages and ("-" in place.pages or not pages):
        message = f"the pages are {pages or 'missing'}, but {name} says {place.pages}"
        # Of another first page the entry may well be right, and of an article number, too.
        certain = not pages or pages == place.pages.split("-")[0]
        completed = FieldChange("pages_differ", "pages", place.pages.replace("-", "--")) if certain else None
        yield _finding("pages_differ", message, entry, "compare with the journal"), completed


def _published(
    entry: BibEntry, check: EntryCheck, record: Paper, lookup: Lookup, others: Sequence[WorkSource]
) -> Iterator[_Doubt]:
    """Yield that a service knows a published version of a preprint of which arXiv does not."""
    if not others or not is_preprint(entry) or any(finding.code == "published_version" for finding in check.findings):
        return
    try:
        work = find_published(record, others)
    except SourceUnavailable as error:
        lookup.outage = error
        lookup.findings.append(source_unavailable(error, "published versions were not searched for"))
        return
    if work is not None:
        where = ", ".join(filter(None, [work.venue, str(work.year or ""), work.doi and f"doi:{work.doi}"]))
        message = f"arXiv:{record.id.value} has been published, says {SERVICE_NAMES[work.service]}: {where}"
        yield _finding("published_version", message, entry, "`citeplug fix --published` takes its record"), None


_SMALL = frozenset("the of on in and for".split())


def _venues(entries: Sequence[BibEntry]) -> Iterator[tuple[int, _Doubt]]:
    """Yield, by number, what is to be said of entries that write a venue in another way than most do.

    Two ways are of one venue if their words are the same but for case, signs and small words, which is certain, or if
    the one abbreviates the other word by word or has its initials, which is not.
    """
    forms: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, entry in enumerate(entries):
        for field in ("journal", "journaltitle", "booktitle"):
            text = " ".join(decode_tex(entry.fields.get(field, "")).split())
            if text and not re.search(r"\d", text):  # of a year's proceedings, each has its own name
                forms[text].append((number, field))
    counts = Counter({form: len(places) for form, places in forms.items()})
    order = sorted(forms, key=lambda form: (-counts[form], -len(form), form))
    leaders: list[str] = []
    for form in order:
        alike = [leader for leader in leaders if _same_words(form, leader)]
        short = [] if alike else [leader for leader in leaders if _abbreviates(form, leader)]
        if len(alike) + len(short) != 1:  # of none, or of one of several
            leaders.append(form)
            continue
        leader = (alike or short)[0]
        others = f"{counts[leader]} {'entry writes' if counts[leader] == 1 else 'entries write'}"
        for number, field in forms[form]:
            message = f"the {field} is “{form}” here; {others} “{leader}”"
            change = FieldChange("venue_varies", field, leader) if alike else None
            yield number, (_finding("venue_varies", message, entries[number], "write it in one way"), change)


def _words(venue: str) -> list[str]:
    return [word for word in re.findall(r"\w+\.?", fold(venue).lower().replace("&", " and ")) if word not in _SMALL]


def _same_words(one: str, other: str) -> bool:
    return [word.rstrip(".") for word in _words(one)] == [word.rstrip(".") for word in _words(other)]


def _abbreviates(one: str, other: str) -> bool:
    """True if one is a short form of the other, whichever it is."""
    ours, theirs = _words(one), _words(other)
    if len(ours) == len(theirs) > 1:
        return all(
            a.rstrip(".") == b.rstrip(".") or _is_short(a, b) or _is_short(b, a)
            for a, b in zip(ours, theirs, strict=True)
        )
    short, whole = sorted((one, other), key=len)
    initials = "".join(word[0] for word in _words(whole))
    return short.isupper() and len(short) > 2 and len(_words(short)) == 1 and initials.endswith(short.lower())


def _is_short(short: str, whole: str) -> bool:
    """True if a word with a full stop is the beginning of another one without."""
    return short.endswith(".") and not whole.endswith(".") and whole.startswith(short[:-1])


def _finding(code: str, message: str, entry: BibEntry, fix: str) -> Finding:
    return Finding(code, "warning", message, entry.span.file, entry.span.line, None, fix)
