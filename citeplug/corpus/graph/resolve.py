"""Which record a reference means: by the id that it prints, its DOI, its title, or its title with authors and year.

A title of four words or more is enough where nothing speaks against it; a shorter one, or a part of one, wants one of
the authors and the year to be the record's. Two papers that fit alike are none.
"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from citeplug.corpus.database import select
from citeplug.corpus.graph.record_names import dois_in, names_of_title, numbers_of, papers_by_name
from citeplug.records.passage import Reference, Resolved
from citeplug.text.compare import core_of_title, share_of_words
from citeplug.text.folding import fold_title, name_forms, split_name

_AT_ONCE = 500  # references
_WORDS = 4  # of a title that tells a paper by itself
_LETTERS = 9  # of a shorter one, with the year alone
_BEFORE, _AFTER = 2, 4  # years of a reference before and after the first version at arXiv
_SAME_WORK = 0.5  # of the shorter title's words, where the DOI is the same
_MOST_ALIKE = 200  # records of one name, such as "Erratum": what more of them have tells nothing
_MOST_AUTHORS = 12  # of a record, that are looked for among a reference's


@dataclass(frozen=True, slots=True)
class _Record:
    id: str
    title: str
    authors: tuple[str, ...]
    first: int  # years of the first and the last version
    last: int
    dois: tuple[str, ...]


def resolve(db: sqlite3.Connection, references: Sequence[Reference], *, printed_ids: bool = True) -> list[Resolved]:
    """Each reference with what it means among the records, in their order; without `printed_ids` those do not count.

    A printed id counts whether or not its record is here.
    """
    resolved: list[Resolved] = []
    for start in range(0, len(references), _AT_ONCE):
        part = references[start : start + _AT_ONCE]
        records = iter(_candidates(db, [reference for reference in part if not (printed_ids and reference.arxiv_id)]))
        for reference in part:
            if printed_ids and reference.arxiv_id:
                resolved.append(Resolved(reference, reference.arxiv_id, "printed_id"))
            else:
                resolved.append(_resolved(reference, next(records)))
    return resolved


def names_of(reference: Reference) -> list[int]:
    """The names that a record shares one of, if the reference means it; see `record_names`."""
    titles = [title for title in (reference.title, *reference.others) if title]
    return numbers_of(titles, [reference.doi] if reference.doi else [])


def _candidates(db: sqlite3.Connection, references: Sequence[Reference]) -> list[list[_Record]]:
    """The records that share a name with each reference, in their order."""
    wanted = [names_of(reference) for reference in references]
    numbers = papers_by_name(db, list({name for names in wanted for name in names}))
    among = list({number for rows in numbers.values() if len(rows) <= _MOST_ALIKE for number in rows})
    query = "SELECT number, id, title, authors, published, updated, doi FROM papers WHERE number IN"
    records = {row[0]: _record(row[1:]) for row in select(db, query, among)}
    shared = (dict.fromkeys(number for name in names for number in numbers.get(name, ())) for names in wanted)
    return [[records[number] for number in some if number in records] for some in shared]


def _record(row: Sequence[Any]) -> _Record:
    value, title, authors, published, updated, doi = row
    people = tuple(json.loads(authors)[:_MOST_AUTHORS])
    return _Record(value, title, people, int(published[:4]), int(updated[:4]), tuple(dois_in(doi)))


def _resolved(reference: Reference, candidates: Sequence[_Record]) -> Resolved:
    doi = [candidate for candidate in candidates if reference.doi in candidate.dois and _may_be(reference, candidate)]
    if len(doi) == 1:
        return Resolved(reference, doi[0].id, "doi")
    fits = [(fit, candidate) for candidate in candidates if (fit := _fit(reference, candidate)) is not None]
    best = max((fit for fit, _ in fits), default=None)
    best_ones = [candidate for fit, candidate in fits if fit == best]
    if len(best_ones) == 1:
        return Resolved(reference, best_ones[0].id, "title")
    return Resolved(reference, None, "none")


def _may_be(reference: Reference, record: _Record) -> bool:
    """Return whether a record with the reference's DOI is its work, and not the book that both are in."""
    if not reference.title or _people(reference, record) == "same":
        return True
    return share_of_words(reference.title, record.title) >= _SAME_WORK


def _fit(reference: Reference, record: _Record) -> tuple[int, ...] | None:
    """Rank of a record for a reference, the larger the better; None if it does not fit."""
    whole, words = _titles(reference, record)
    people = _people(reference, record)
    if not words or people == "other":
        return None
    near = _year(reference, record)
    if whole and words >= _WORDS:
        fits = people == "same" or near or (near is None)
    elif people == "same":
        fits = near is not False
    else:
        # The record names nobody, so that the year has to do.
        tight = near is True and reference.year is not None and 0 <= reference.year - record.first <= 1
        fits = (near is True and words >= _WORDS) or (whole and tight and len(core_of_title(record.title)) >= _LETTERS)
    if not fits:
        return None
    return int(whole), int(people == "same"), int(near is True), -abs((reference.year or record.first) - record.first)


def _titles(reference: Reference, record: _Record) -> tuple[bool, int]:
    """Return whether a title of the reference is the whole of the record's, and the words that agree; 0: none do.

    Else one of the two titles is a part of the other: two that begin alike are two papers.
    """
    core, parts = core_of_title(record.title), names_of_title(record.title)
    part = 0
    for title in (reference.title, *reference.others):
        if not title:
            continue
        ours = core_of_title(title)
        if ours == core:
            return True, len(fold_title(title).split())
        if ours in parts:
            part = max(part, len(fold_title(title).split()))
        elif core in names_of_title(title):
            part = max(part, len(fold_title(record.title).split()))
    return False, part


def _people(reference: Reference, record: _Record) -> Literal["same", "other", "unknown"]:
    """Return whether one of the authors is the same; unknown where one side names none."""
    if not record.authors or not reference.surnames:
        return "unknown"
    theirs = {form for name in record.authors for form in name_forms(split_name(name).family)}
    ours = {form for name in reference.surnames for form in name_forms(name)}
    if ours & theirs:
        return "same"
    # Which of a name's words is the surname is guessed at.
    printed = f" {fold_title(reference.raw[:1000])} "
    return "same" if any(len(name) > 2 and f" {name} " in printed for name in theirs) else "other"


def _year(reference: Reference, record: _Record) -> bool | None:
    if reference.year is None:
        return None
    return record.first - _BEFORE <= reference.year <= max(record.first, record.last) + _AFTER
