"""Judge an entry by what Crossref, OpenAlex and DBLP know of it: the rule alone, given their works.

A service's gap proves nothing, and a service's slip is not the author's: one record that fits in every field
settles an entry, whatever the others say; that nobody has it counts from two services on.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from citeplug.bib.compare.evidence import FieldDoubt, FieldEvidence, findings_of, see_people, short, shown
from citeplug.bib.write.works import is_published
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck, Evidence, FieldChange, Verdict
from citeplug.records.finding import Finding, Severity
from citeplug.records.work import SERVICE_NAMES, Service, Work
from citeplug.text.compare import Degree, compare_titles, entry_doi, entry_title, entry_year, share_of_words
from citeplug.text.folding import fold_title
from citeplug.text.people import share_of_surnames

BOOKS = frozenset(("book", "proceedings", "collection", "mvbook"))
_YEARS_APART = 1  # online and in print
_LONG_TITLE = 5  # words; other people's work of the same long title is likelier this one with wrong authors
_RETITLED = 0.5  # of the shorter title's words: with the same DOI and authors it is the same work


@dataclass(frozen=True, slots=True)
class WorkMatch:
    """An entry beside one work. `title` and `authors` are None where the entry has nothing to compare."""

    entry: BibEntry
    work: Work
    by_doi: bool
    title: Degree | None
    authors: Degree | None
    year: Literal["same", "differs", "unchecked", "missing"]
    seen: tuple[FieldEvidence, ...]

    @property
    def doubts(self) -> list[FieldDoubt]:
        return [seen.doubt for seen in self.seen if seen.doubt is not None]

    @property
    def right(self) -> bool:
        """True if enough is the same, and nothing in doubt: a title or a DOI alone proves nothing."""
        if self.doubts or self.title not in ("same", None):
            return False
        if self.title is None:
            return self.authors == "same" and self.by_doi
        return self.authors == "same" or (self.authors is None and (self.year == "same" or self.by_doi))


def compare(entry: BibEntry, work: Work, *, by_doi: bool) -> WorkMatch:
    at = SERVICE_NAMES[work.service]
    authors, people = see_people(entry, _authors(entry, work), [work.authors], more=work.more_authors, at=at)
    title, name = _see_title(entry, work, same_authors=people == "same")
    year = _see_year(entry, work)
    return WorkMatch(entry, work, by_doi, name, people, year.evidence.verdict, (title, authors, year))


def is_same_work(fit: WorkMatch) -> bool:
    """True if the record is of the work that the entry means, be it right in every field or not."""
    alike = fit.title in ("same", "close")
    if fit.by_doi:
        if fit.title is None:
            return fit.authors in (None, "same", "close")
        return alike or (fit.authors == "same" and _retitled(fit))
    if fit.title == "close":
        return fit.authors == "same"
    if fit.title != "same":
        return False
    if fit.authors in ("same", "close"):
        return True
    if fit.authors is None:
        return fit.year == "same"
    if share_of_surnames(_authors(fit.entry, fit.work), fit.work.authors) > 0:
        return True
    return len(fold_title(fit.work.title).split()) >= _LONG_TITLE and fit.year in ("same", "missing")


def _retitled(fit: WorkMatch) -> bool:
    return share_of_words(entry_title(fit.entry), fit.work.title) >= _RETITLED


def rank(fit: WorkMatch) -> tuple[bool, ...]:
    """The record that fits best comes first."""
    return (
        not fit.right,
        fit.title != "same",
        fit.authors not in ("same", None),
        fit.year not in ("same", "unchecked"),
        not fit.by_doi,
        not is_published(fit.work),
    )


def _see_title(entry: BibEntry, work: Work, *, same_authors: bool) -> tuple[FieldEvidence, Degree | None]:
    entered, recorded = entry_title(entry), short(work.title)
    if not entered:
        return FieldEvidence(Evidence("title", None, recorded, "missing")), None
    # With and without biblatex's subtitle.
    degrees = [
        compare_titles(text, work.title, same_authors=same_authors)
        for text in dict.fromkeys((entered, entry.fields["title"]))
    ]
    degree: Degree = "same" if "same" in degrees else "close" if "close" in degrees else "other"
    if degree == "same":
        return FieldEvidence(Evidence("title", shown(entered), recorded, "same")), degree
    service = SERVICE_NAMES[work.service]
    doubt = FieldDoubt("title_differs", "warning", f"the title differs a little from that at {service}: {recorded}")
    return FieldEvidence(Evidence("title", shown(entered), recorded, "differs"), doubt), degree


def _authors(entry: BibEntry, work: Work) -> str:
    """The entry's authors; of a book the editors may stand for them."""
    editors = entry.fields.get("editor", "") if work.kind in ("book", "proceedings") else ""
    return entry.fields.get("author", "") or editors


def _see_year(entry: BibEntry, work: Work) -> FieldEvidence:
    year, years = entry_year(entry), work.years or ((work.year,) if work.year else ())
    recorded = ", ".join(map(str, years)) or None
    if year is None:
        entered = entry.fields.get("year") or entry.fields.get("date")
        return FieldEvidence(Evidence("year", shown(entered) if entered else None, recorded, "missing"))
    if not years:
        return FieldEvidence(Evidence("year", str(year), None, "unchecked"))
    if min(years) - _YEARS_APART <= year <= max(years) + _YEARS_APART:
        return FieldEvidence(Evidence("year", str(year), recorded, "same"))
    if not is_published(work) or work.kind == "book" or entry.kind in BOOKS:
        return FieldEvidence(Evidence("year", str(year), recorded, "unchecked"))  # a preprint of it, or another edition
    message = f"the year is {year}, {SERVICE_NAMES[work.service]} says {recorded}"
    return FieldEvidence(
        Evidence("year", str(year), recorded, "differs"), FieldDoubt("year_differs", "warning", message)
    )


# Kinds that such services hold nearly all of; of books they hold most that have a publisher.
_ARTICLES = frozenset(("article", "inproceedings", "conference", "incollection", "inbook"))
# Kinds that they hardly hold; these are not even asked for without a DOI.
_NOT_HELD = frozenset("online electronic www software manual url webpage standard patent bookinbook set xdata".split())
_TELLING_TITLE = 3  # words that a search can find a work by
_PENDING = re.compile(
    r"to appear|submitted|in press|in preparation|forthcoming|accepted|under review|manuscript|unpublished"
    r"|working paper|personal communication|private communication|preprint|technical report|thesis",
    re.IGNORECASE,
)
_SAYS_GONE = re.compile(r"retract|withdrawn", re.IGNORECASE)
_FIRST_COVERED = 1950  # earlier volumes were taken in unevenly, many without their authors


@dataclass(frozen=True, slots=True)
class ServiceAnswer:
    """One service's answer about an entry. `of_doi` is the work of the entry's DOI, `works` what its title brought.

    `asked_doi`: the DOI was asked for, so that `of_doi` None means that the service does not know it.
    """

    service: Service
    works: tuple[Work, ...] = ()
    of_doi: Work | None = None
    asked_doi: bool = False


def is_asked(entry: BibEntry, check: EntryCheck) -> bool:
    """True if other services may know better: nothing was found, and the entry names no arXiv paper."""
    if entry.arxiv_id is not None or check.arxiv_id is not None:
        return False
    without_record = check.verdict == "differs" and check.checked_against is None  # its year is still to come
    if check.verdict not in ("not_arxiv", "not_found") and not without_record:
        return False
    return entry_doi(entry) is not None or (bool(entry_title(entry)) and entry.kind not in _NOT_HELD)


def judge_elsewhere(
    entry: BibEntry, before: EntryCheck, answers: Sequence[ServiceAnswer], *, today: date
) -> EntryCheck:
    """The verdict on an entry after some services answered.

    `before` is the check without them, and stays where they settle nothing. A service that could not be queried
    gives no answer, which is not the answer that there is nothing.
    """
    fits = [compare(entry, work, by_doi=False) for answer in answers for work in answer.works]
    fits += [compare(entry, answer.of_doi, by_doi=True) for answer in answers if answer.of_doi is not None]
    same = [fit for fit in fits if is_same_work(fit)]
    stray = _stray_doi(entry, fits, same)
    if same:
        return _found(entry, same, stray, answers)
    if stray is not None:
        message = f"{_of_another(entry, stray)}; nothing with this title and these authors was found"
        evidence = Evidence("doi", entry_doi(entry), shown(stray.title), "differs")
        return _check(
            entry, "differs", "error", stray.service, (evidence,), [FieldDoubt("doi_differs", "error", message)]
        )
    return _not_found(entry, before, answers, fits, today)


def settles(check: EntryCheck) -> bool:
    """True if no other service has to be asked."""
    return check.verdict in ("verified", "possibly_withdrawn")


def _found(
    entry: BibEntry, same: Sequence[WorkMatch], stray: Work | None, answers: Sequence[ServiceAnswer]
) -> EntryCheck:
    best = min(same, key=rank)
    agreeing = {fit.work.service for fit in same}
    # One record that was found by its title alone may be wrong itself, or another work.
    certain = best.by_doi or len(agreeing) > 1
    doi = _see_doi(entry, same, stray, best.work, answers)
    doubts = [doubt if certain else replace(doubt, severity="warning") for doubt in best.doubts]
    doubts += [doi.doubt] if doi and doi.doubt else []
    doubts.sort(key=lambda doubt: doubt.severity != "error")
    evidence = tuple(seen.evidence for seen in (*best.seen, *([doi] if doi else [])))
    verdict: Verdict = "differs"
    severity: Severity = doubts[0].severity if doubts else "none"
    gone = next((fit.work for fit in same if fit.work.retracted), None)
    remarks: list[Finding] = []
    if gone is not None:
        known = any(_SAYS_GONE.search(text) for text in entry.fields.values())
        message = f"{SERVICE_NAMES[gone.service]} says that this work was retracted or withdrawn"
        fix = f"look at {gone.url}" if gone.url else "look at its page"
        place = (entry.span.file, entry.span.line, None)
        remarks.append(Finding("retracted_work", "info" if known else "warning", message, *place, fix))
    if not doubts:
        if not best.right:
            verdict, severity = "unchecked", "info"
        elif remarks and remarks[0].severity == "warning":
            verdict, severity = "possibly_withdrawn", "warning"
        else:
            verdict = "verified"
    check = _check(entry, verdict, severity, best.work.service, evidence, doubts)
    message = check.message or (remarks[0].message if remarks else "")
    if verdict == "unchecked":
        message = "the work exists, but the entry has too few fields to compare"
    return replace(
        check,
        message=message,
        findings=(*check.findings, *remarks),
        changes=tuple(_changes(entry, best, same, doubts)) if best.title == best.authors == "same" else (),
    )


def _check(
    entry: BibEntry,
    verdict: Verdict,
    severity: Severity,
    service: Service,
    evidence: tuple[Evidence, ...],
    doubts: Sequence[FieldDoubt],
) -> EntryCheck:
    message = "; ".join(doubt.message for doubt in doubts)
    return EntryCheck(entry.key, None, verdict, severity, service, evidence, message, findings_of(entry, doubts))


def _changes(
    entry: BibEntry, best: WorkMatch, same: Sequence[WorkMatch], doubts: Sequence[FieldDoubt]
) -> list[FieldChange]:
    """Corrections of year and DOI, where the record is certain and gives one."""
    codes = {doubt.code for doubt in doubts}
    changes = []
    others = [fit.work for fit in same if fit.work.service != best.work.service and fit.title == fit.authors == "same"]
    sure_year = best.by_doi or any(work.year == best.work.year for work in others)
    if "year_differs" in codes and best.work.year and sure_year and "year" in entry.fields:
        changes.append(FieldChange("year_differs", "year", str(best.work.year)))
    if "doi_differs" in codes and best.work.doi and "doi" in entry.fields:
        changes.append(FieldChange("doi_differs", "doi", best.work.doi))
    return changes


def _not_found(
    entry: BibEntry, before: EntryCheck, answers: Sequence[ServiceAnswer], fits: Sequence[WorkMatch], today: date
) -> EntryCheck:
    asked = [SERVICE_NAMES[answer.service] for answer in answers]
    if not asked:
        return before
    listed = f"{', '.join(asked[:-1])} and {asked[-1]}" if len(asked) > 1 else asked[0]
    message = f"{listed} {'have' if len(asked) > 1 else 'has'} no such work"
    if entry_doi(entry) and any(answer.asked_doi for answer in answers):
        message += f", nor its DOI {entry_doi(entry)}"
    near = min((fit for fit in fits if fit.title in ("same", "close")), key=rank, default=None)
    if near is not None:
        people = short(", ".join(near.work.authors)) or "unknown authors"
        message += f"; the nearest is '{short(near.work.title)}' by {people} ({near.work.year or 'no year'})"
    if before.verdict == "not_found":
        return replace(before, message=f"{before.message}; {message}")
    why = _why_no_gap_counts(entry, len(asked), today)
    if why:
        return replace(before, message=f"{before.message}; {message}, which means little: {why}")
    message += "; look it up before you cite it"
    doubt = FieldDoubt("not_found", "warning", message)
    return replace(_check(entry, "not_found", "warning", answers[0].service, (), [doubt]), checked_against=None)


def _why_no_gap_counts(entry: BibEntry, asked: int, today: date) -> str:
    """The reason why no service may know a real work like this; "" if there is none."""
    year = entry_year(entry)
    text = " ".join(
        entry.fields.get(name, "") for name in ("note", "journal", "howpublished", "pubstate", "year", "type")
    )
    words = fold_title(entry_title(entry)).split()
    if asked < 2:
        return "one service's gap proves nothing"
    is_book = entry.kind in BOOKS and any(entry.fields.get(name) for name in ("isbn", "publisher"))
    if entry.kind not in _ARTICLES and not is_book:
        return f"these services have few works of kind @{entry.kind}"
    if len(words) < _TELLING_TITLE or not all(word.isascii() for word in words):
        return "its title cannot be searched for well"
    if not entry.fields.get("author") and not entry.fields.get("editor"):
        return "the entry has no authors"
    if _PENDING.search(text):
        return "it does not say that it has been published"
    if year is None or year >= today.year:
        return "it may be too new"
    if year < _FIRST_COVERED:
        return "it is old"
    return ""


def _stray_doi(entry: BibEntry, fits: Sequence[WorkMatch], same: Sequence[WorkMatch]) -> Work | None:
    """The other work that the entry's DOI is of; None if it is this one, its book, or nobody's."""
    if any(fit.by_doi for fit in same) or any(fit.work.doi == entry_doi(entry) for fit in same):
        return None
    strays = [fit for fit in fits if fit.by_doi and not _is_container(entry, fit.work)]
    # Without a title there is nothing to say that it is another.
    return next((fit.work for fit in strays if fit.title is not None), None)


def _is_container(entry: BibEntry, work: Work) -> bool:
    """True if the work is the book in which the entry's paper is, or a part of the entry's book."""
    names = [entry.fields.get(name, "") for name in ("booktitle", "maintitle", "series", "journal")]
    if any(name and compare_titles(name, work.title) != "other" for name in names):
        return True
    if work.kind in ("book", "proceedings") and entry.kind in _ARTICLES - {"article"}:
        return True  # nobody writes the titles of proceedings out
    return bool(work.venue) and entry.kind in BOOKS and compare_titles(entry_title(entry), work.venue or "") != "other"


def _see_doi(
    entry: BibEntry, same: Sequence[WorkMatch], stray: Work | None, best: Work, answers: Sequence[ServiceAnswer]
) -> FieldEvidence | None:
    entered = entry_doi(entry)
    if entered is None:
        return None
    if any(fit.by_doi or fit.work.doi == entered for fit in same):
        return FieldEvidence(Evidence("doi", entered, entered, "same"))
    evidence = Evidence("doi", entered, best.doi, "differs" if best.doi else "unchecked")
    if stray is not None:
        return FieldEvidence(
            replace(evidence, verdict="differs"), FieldDoubt("doi_differs", "error", _of_another(entry, stray))
        )
    # The registrant's other DOIs are known, so this one would be; another agency's need not be.
    asked = any(answer.asked_doi and answer.of_doi is None for answer in answers)
    if asked and best.doi and best.doi.split("/")[0] == entered.split("/")[0]:
        service = SERVICE_NAMES[best.service]
        return FieldEvidence(
            evidence,
            FieldDoubt("doi_differs", "warning", f"no service has the DOI {entered}; {service} has {best.doi}"),
        )
    return FieldEvidence(replace(evidence, verdict="unchecked"))


def _of_another(entry: BibEntry, work: Work) -> str:
    people = short(", ".join(work.authors[:3])) or "unknown authors"
    return f"the DOI {entry_doi(entry)} is that of another work: '{short(work.title)}' by {people}"
