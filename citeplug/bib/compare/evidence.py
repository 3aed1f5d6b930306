"""Comparison of an entry with a record: one function a field, each with its evidence and its doubt."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from citeplug.bibtex.printed_entry import reference_of_text
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import Evidence
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper
from citeplug.text.cleaning import plain
from citeplug.text.compare import (
    Degree,
    compare_titles,
    entry_doi,
    entry_title,
    entry_year,
    record_dois,
    share_of_words,
    years_in,
)
from citeplug.text.folding import fold_title, is_collective, split_name
from citeplug.text.identifiers import clean_doi, find_arxiv_id
from citeplug.text.people import compare_authors, split_authors
from citeplug.text.tex_text import decode_tex

_PREPRINT_VENUE = re.compile(
    r"arxiv|\bcorr\b|computing research repository|preprint|e-?print|unpublished", re.IGNORECASE
)
_VENUES = ("journal", "journaltitle", "booktitle", "school", "institution")
# Of 6,611 records whose DOI tells a year, 99.5 % are at most two years younger than the last version; 20 % are
# older than the first, 5 % by more than two years: many papers come to arXiv after they were published.
_VENUE_EARLIER, _VENUE_LATER = 2, 2
_LONG_PUBLISHED = 10
_ANY_TITLE = 0.4  # of the words of a title that the text of a printed entry has by chance, at most
_FEW_NAMES = 3  # of a printed entry; fewer may be misread
_RETITLED = 0.5  # of the shorter title's words: with the same authors this is a former or later title
_DOI_YEAR = re.compile(r"[./(-]((?:19|20)\d\d)[.)/-]")
_LONGEST_SHOWN = 200
_ID_FIELDS = ("eprint", "arxivid", "url", "doi", "journal", "journaltitle", "volume", "howpublished")


@dataclass(frozen=True, slots=True)
class FieldDoubt:
    """An error in a field. `code`: docs/findings.md."""

    code: str
    severity: Literal["warning", "error"]
    message: str


@dataclass(frozen=True, slots=True)
class FieldEvidence:
    """The evidence of one field, and the doubt it raises, if it does."""

    evidence: Evidence
    doubt: FieldDoubt | None = None


def findings_of(entry: BibEntry, doubts: Iterable[FieldDoubt]) -> tuple[Finding, ...]:
    file, line = entry.span.file, entry.span.line
    return tuple(Finding(doubt.code, doubt.severity, doubt.message, file, line) for doubt in doubts)


def gather(
    entry: BibEntry,
    record: Paper,
    earlier: Sequence[Paper] = (),
    *,
    preprint: bool = True,
    title_owner: Paper | None = None,
) -> list[FieldEvidence]:
    """The evidence for title, author and year, and for DOI and eprint where there is any to give.

    `earlier` are other versions of the record, whose titles and authors count as well. With `preprint` False the
    entry speaks of another form of the paper than arXiv's, which may have its own year and DOI. `title_owner` is
    another paper whose very title the entry has.
    """
    authors, people = see_people(entry, entry.fields.get("author", ""), [paper.authors for paper in (record, *earlier)])
    year, dois = _see_year(entry, record), _see_doi(entry, record)
    if not preprint:
        year, *dois = map(_unchecked, (year, *dois))
    same_doi = any(seen.evidence.verdict == "same" for seen in dois)
    return [
        _see_title(entry, record, earlier, same_authors=people == "same", same_doi=same_doi, owner=title_owner),
        authors,
        year,
        *dois,
        *_see_ids(entry, record),
    ]


def _unchecked(seen: FieldEvidence) -> FieldEvidence:
    return seen if seen.doubt is None else FieldEvidence(replace(seen.evidence, verdict="unchecked"))


def _see_title(
    entry: BibEntry,
    record: Paper,
    earlier: Sequence[Paper],
    *,
    same_authors: bool,
    same_doi: bool,
    owner: Paper | None,
) -> FieldEvidence:
    """A title of another version, or another one that arXiv's comment tells, counts as the record's own.

    `owner` is another paper whose very title the entry has.
    """
    entered = entry.fields.get("title", "")
    recorded = short(record.title)
    if entry.kind == "bibitem" and _contains(entry.fields.get("text", ""), record.title):
        return FieldEvidence(Evidence("title", shown(entered) or recorded, recorded, "same"))
    text = entry.fields.get("text", "")
    if (
        entry.kind == "bibitem"
        and _names_none(text, record.authors)
        and share_of_words(text, record.title) < _ANY_TITLE
    ):
        evidence = Evidence("title", shown(entered) or None, recorded, "differs")
        return FieldEvidence(evidence, _doubt_title(entered, record, alike=False, same_authors=False, owner=owner))
    if not entered:
        return FieldEvidence(Evidence("title", None, recorded, "unchecked" if entry.kind == "bibitem" else "missing"))
    entered = entry_title(entry)
    titles = [record.title, *(paper.title for paper in earlier), *other_titles(record.comment)]
    degrees = [compare_titles(entered, title, same_authors=same_authors) for title in titles]
    if "same" in degrees:
        return FieldEvidence(Evidence("title", shown(entered), short(titles[degrees.index("same")]), "same"))
    if entry.kind == "bibitem":  # its title is only guessed at
        return FieldEvidence(Evidence("title", shown(entered), recorded, "unchecked"))
    alike = "close" in degrees or (same_authors and share_of_words(entered, record.title) >= _RETITLED)
    if alike and same_authors and same_doi:  # published under another title, which the DOI shows
        return FieldEvidence(Evidence("title", shown(entered), recorded, "unchecked"))
    evidence = Evidence("title", shown(entered), recorded, "differs")
    return FieldEvidence(
        evidence, _doubt_title(shown(entered), record, alike=alike, same_authors=same_authors, owner=owner)
    )


def _doubt_title(entered: str, record: Paper, *, alike: bool, same_authors: bool, owner: Paper | None) -> FieldDoubt:
    """The doubt about a title; one that no other paper has, beside the right authors, may be a former or later one."""
    name, recorded = f"arXiv:{record.id.value}", short(record.title)
    if alike:
        return FieldDoubt("title_differs", "warning", f"the title differs a little from that of {name}: {recorded}")
    if owner is not None:
        message = f"{name} is another paper: {recorded}; the title is that of arXiv:{owner.id.value}"
        return FieldDoubt("title_differs", "error", message)
    if same_authors:
        other = "the title was changed, or is that of another paper by these authors"
        message = f"{other}: '{entered}' here, '{recorded}' at {name}"
        return FieldDoubt("title_differs", "warning", message)
    if not record.authors:
        message = f"the title is '{entered}' here, '{recorded}' at {name}, whose record has no authors to compare"
        return FieldDoubt("title_differs", "warning", message)
    return FieldDoubt("title_differs", "error", f"{name} is another paper: {recorded}")


def _contains(text: str, title: str) -> bool:
    wanted = fold_title(title).replace(" ", "")
    return len(wanted) > 12 and wanted in fold_title(text).replace(" ", "")


def see_people(
    entry: BibEntry, entered: str, lists: Sequence[Sequence[str]], *, more: bool = False, at: str = ""
) -> tuple[FieldEvidence, Degree | None]:
    """The evidence on the authors `entered`, in order, given names compatible; None where there is nothing to compare.

    `lists` are those of the record and of its other versions, of which any counts; `more`: the record's is cut. `at`
    names the service in the doubt.
    """
    recorded = short(", ".join(lists[0])) or None
    if entry.kind == "bibitem" and not entered:
        if _names_none(entry.fields.get("text", ""), lists[0]):
            message = f"none of the authors of the record{f' at {at}' if at else ''} is named: {recorded}"
            doubt = FieldDoubt("authors_differ", "warning", message)
            return FieldEvidence(Evidence("author", None, recorded, "differs"), doubt), "other"
        printed = reference_of_text(None, entry.fields.get("text", "")).surnames
        words = {word for person in lists[0] for word in fold_title(person).split()}
        strangers = [name for name in printed if not words.intersection(fold_title(name).split())]
        known = bool(lists[0]) and not any(map(is_collective, lists[0]))
        if known and len(printed) >= _FEW_NAMES and len(strangers) > len(printed) / 2:
            message = f"the authors differ: {', '.join(strangers)} are not among them"
            doubt = FieldDoubt("authors_differ", "warning", message)
            return FieldEvidence(Evidence("author", ", ".join(printed), recorded, "differs"), doubt), "other"
        first = fold_title(split_name(lists[0][0]).family) if lists[0] else ""
        is_there = bool(first) and f" {first} " in f" {fold_title(entry.fields.get('text', ''))} "
        return FieldEvidence(
            Evidence("author", None, recorded, "same" if is_there else "unchecked")
        ), "same" if is_there else None
    if not entered:
        return FieldEvidence(Evidence("author", None, recorded, "missing")), None
    if not lists[0]:
        return FieldEvidence(Evidence("author", shown(entered), None, "unchecked")), None
    compared = [compare_authors(entered, people) for people in lists if people]
    names = split_authors(entered)[0]
    if more and compared[0].degree != "same" and len(names) > len(lists[0]):
        compared = [compare_authors(" and ".join(names[: len(lists[0])]), lists[0])]
    best = min(compared, key=lambda item: ("same", "close", "other").index(item.degree))
    if best.degree == "same":
        return FieldEvidence(Evidence("author", shown(entered), recorded, "same")), "same"
    severity: Literal["warning", "error"] = "warning" if best.degree == "close" else "error"
    message = f"the authors differ{f' from those at {at}' if at else ''}: {best.why}"
    doubt = FieldDoubt("authors_differ", severity, message)
    return FieldEvidence(Evidence("author", shown(entered), recorded, "differs"), doubt), best.degree


def _names_none(text: str, people: Sequence[str]) -> bool:
    """True if the text of a printed entry has no surname of these people; letters with accents may be lost in it."""
    names = [fold_title(split_name(name).family).replace(" ", "") for name in people if name.isascii()]
    names = [name for name in names if len(name) > 2]
    letters = fold_title(text).replace(" ", "")
    return bool(names) and not any(map(is_collective, people)) and not any(name in letters for name in names)


def _see_year(entry: BibEntry, record: Paper) -> FieldEvidence:
    """arXiv's own export gives the latest version's year, its API the first's; a journal has its own."""
    first, last = record.published.year, max(record.published.year, record.updated.year)
    journal = set(years_in(record.journal_ref))
    recorded = str(first) if first == last else f"{first} to {last}"
    recorded += "".join(f", {year}" for year in sorted(journal - set(range(first, last + 1))))
    year = entry_year(entry)
    if year is None:
        entered = entry.fields.get("year") or entry.fields.get("date")
        state: Literal["unchecked", "missing"] = "unchecked" if entry.kind == "bibitem" else "missing"
        return FieldEvidence(Evidence("year", shown(entered) if entered else None, recorded, state))
    if first <= year <= last or year in journal:
        return FieldEvidence(Evidence("year", str(year), recorded, "same"))
    if is_published(entry) and not journal and _may_be_of_venue(year, first, last, record):
        return FieldEvidence(Evidence("year", str(year), recorded, "unchecked"))
    message = f"the year is {year}, but arXiv's record says {recorded}"
    return FieldEvidence(
        Evidence("year", str(year), recorded, "differs"), FieldDoubt("year_differs", "warning", message)
    )


def _may_be_of_venue(year: int, first: int, last: int, record: Paper) -> bool:
    """True if a journal whose year arXiv does not know may have printed the paper in `year`."""
    doi = clean_doi(record.doi)
    if doi is None:
        return first - _VENUE_EARLIER <= year <= last + _VENUE_LATER
    years = [int(match) for match in _DOI_YEAR.findall(doi)]
    return first - _LONG_PUBLISHED <= year <= last + _VENUE_LATER or any(abs(year - printed) <= 1 for printed in years)


def is_published(entry: BibEntry) -> bool:
    """True if the entry speaks of a journal or conference, whose year arXiv may not know."""
    venue = " ".join(entry.fields.get(name, "") for name in _VENUES).strip()
    if _PREPRINT_VENUE.search(venue):
        return False
    return bool(venue) or entry.kind in ("book", "inbook", "incollection", "phdthesis", "mastersthesis", "thesis")


def _see_doi(entry: BibEntry, record: Paper) -> list[FieldEvidence]:
    entered = entry_doi(entry)
    if entered is None:
        return []
    known = record_dois(record)
    if not known:
        return [FieldEvidence(Evidence("doi", entered, None, "unchecked"))]
    if entered in known:
        return [FieldEvidence(Evidence("doi", entered, entered, "same"))]
    recorded = ", ".join(known)
    message = f"the DOI is {entered}, but arXiv's record says {recorded}"
    return [FieldEvidence(Evidence("doi", entered, recorded, "differs"), FieldDoubt("doi_differs", "warning", message))]


def named_ids(entry: BibEntry) -> dict[str, str]:
    """The arXiv ids that the entry's fields carry, each with the first field that does."""
    named: dict[str, str] = {}
    context = {k: v for k, v in entry.fields.items() if k in ("archiveprefix", "eprinttype", "primaryclass")}
    for name in _ID_FIELDS:
        value = entry.fields.get(name)
        if not value:
            continue
        # Mendeley puts several addresses into one field.
        has_own = entry.arxiv_id is not None and entry.arxiv_id in value
        identifier = (
            entry.arxiv_id if has_own else find_arxiv_id({**(context if name == "eprint" else {}), name: value})
        )
        if identifier:
            named.setdefault(identifier, name)
    return named


def _see_ids(entry: BibEntry, record: Paper) -> list[FieldEvidence]:
    """An entry whose fields carry different arXiv ids mixes two papers."""
    named = named_ids(entry)
    if len(named) < 2:
        return []
    entered = ", ".join(f"{value} ({name})" for value, name in named.items())
    evidence = Evidence("eprint", entered, record.id.value, "differs")
    return [FieldEvidence(evidence, FieldDoubt("id_differs", "error", f"the entry names several papers: {entered}"))]


def shown(text: str) -> str:
    """The plain text of a field, short enough for a message."""
    return short(decode_tex(text))


def short(text: str) -> str:
    clean = plain(text)
    return clean if len(clean) <= _LONGEST_SHOWN else clean[: _LONGEST_SHOWN - 1] + "…"


_LONGEST = 2_000  # characters of a comment that are read
_NAMED = r"(?:titled?|entitled|called|known\s+as|named|under|as)"
# How authors introduce it. A companion, a sequel or an earlier "paper" is another one: a "version" is not.
_CUES = tuple(
    re.compile(rf"\b{cue}", re.IGNORECASE)
    for cue in (
        r"(?:formerly|previous(?:ly)?|original(?:ly)?|initial(?:ly)?|earlier|old(?:er)?|former|first|prior|preliminary|v\d+)"
        r"\s+(?:(?:arxiv\s+)?(?:version|draft|preprint|manuscript)s?\s+)?(?:(?:of\s+this\s+(?:paper|work)|v?\d+|was|were|"
        rf"had|appeared|published|posted|circulated|the)\s+){{0,4}}{_NAMED}\b",
        r"(?:published|publishes|appear(?:ed|s|ing)?|accepted|printed|presented|posted|circulated|submitted)\s+"
        r"(?:as|under|with)\b",
        r"under\s+(?:(?:the|an?|another|different|new|old|slightly)\s+){0,3}(?:title|name)\b",
        r"(?:title\s+(?:was\s+|has\s+been\s+)?changed|changed\s+(?:the\s+)?title|retitled|renamed)\s+from\b",
        r"(?:published|journal|final|new)\s+(?:version\s+)?(?:has\s+the\s+|is\s+)?(?:title|(?:en)?titled)\b",
        r"(?:full|extended|expanded|long(?:er)?|journal|complete|short(?:er)?)\s+version\s+of\s+(?=[^\"'“‘`]{0,60}[\"'“‘`])"
        r"[^\"'“‘`]{0,60}",
    )
)
# What is between; an article only before one of these words, since a title may begin with one.
_WORDS = r"(?:different|another|new|slightly|name|titled?|entitled)"
_FILLERS = re.compile(
    rf"(?:[\s:,]*\b(?:was|is|as|under|with|of|this\s+paper|(?:the|an?)\s+(?={_WORDS}\b)|{_WORDS})\b)*[\s:,\"'“”‘`]*",
    re.IGNORECASE,
)
_END = re.compile(r"[\"”]|['’]{2}|['’](?=\W|$)|[.;,](?=\s|$)|\s(?=(?:in|to|at|by)\s)|\s*\(")
_LONGEST_TITLE = 300
_MOST_ENDS, _MOST = 12, 60


def other_titles(comment: str | None) -> list[str]:
    """Possible titles in a comment: after words that introduce one, up to each place where a title may end."""
    titles: list[str] = []
    for whole in _introduced((comment or "")[:_LONGEST]):
        titles += [whole, *(whole[: end.start()] for end in islice(_END.finditer(whole), _MOST_ENDS))]
    return [title for title in dict.fromkeys(titles[:_MOST]) if len(fold_title(title)) > 5]


def _introduced(comment: str) -> Iterator[str]:
    for cue in _CUES:
        for match in cue.finditer(comment):
            filler = _FILLERS.match(comment, match.end())
            start = filler.end() if filler else match.end()
            yield comment[start : start + _LONGEST_TITLE]
