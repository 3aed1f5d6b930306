"""The published work that an arXiv paper became, as a service of works has it."""

import re
from collections.abc import Iterator, Sequence

from citeplug.bib.write.published import read_journal_ref
from citeplug.bib.write.works import is_published
from citeplug.errors import SourceUnavailable
from citeplug.protocols import WorkSource
from citeplug.records.paper import Paper
from citeplug.records.work import Work
from citeplug.text.compare import compare_titles, record_dois
from citeplug.text.folding import fold_title, split_name
from citeplug.text.people import compare_authors

# Years around the versions at arXiv: of the same people and title, but far off, it may be a thesis or a later edition.
_EARLIER, _LATER = 2, 5


def find_published(record: Paper, sources: Sequence[WorkSource]) -> Work | None:
    """The published version of an arXiv paper, all of it one service's record; None if no service has one.

    By the DOI that arXiv's record gives, else by title and authors, which must both be the same then. The
    sources are asked in their order. Raises SourceUnavailable if none was found and one could not be queried.
    """
    outage: SourceUnavailable | None = None
    for ask in (_by_doi, _by_title):
        for source in sources:
            try:
                work = next(ask(record, source), None)
            except SourceUnavailable as error:
                outage = error
                continue
            if work is not None:
                return work
    if outage is not None:
        raise outage
    return None


def _by_doi(record: Paper, source: WorkSource) -> Iterator[Work]:
    for doi in record_dois(record) if source.knows_dois else ():
        work = source.by_doi(doi)
        if work is not None and is_published(work) and _is_of(record, work):
            yield work


def other_work(record: Paper, sources: Sequence[WorkSource]) -> Work | None:
    """The work of other people, or of another title, that a service has under the DOI of arXiv's record; None if none.

    arXiv's DOIs are typed by authors: where one is wrong, the `journal_ref` beside it may be, too.
    """
    for source in sources:
        for doi in record_dois(record) if source.knows_dois else ():
            try:
                work = source.by_doi(doi)
            except SourceUnavailable:
                continue
            if work is not None and not _is_of(record, work):
                return work
    return None


def _is_of(record: Paper, work: Work) -> bool:
    """True if title and authors are the record's, and the place in a journal, as far as both have one.

    People give titles to several papers, the second with a subtitle, and type the DOI of another paper of theirs. So a
    title that differs at all is the record's only where volume and first page say so.
    """
    degree = compare_authors(" and ".join(record.authors), work.authors).degree
    title = compare_titles(record.title, work.title, same_authors=degree == "same")
    if degree == "other" or title == "other" or (degree, title) == ("close", "close"):
        return False
    place = read_journal_ref(record)
    if place is None or work.year is None:
        return fold_title(record.title) == fold_title(work.title)
    if work.volume and work.pages:
        first, theirs = (re.split(r"\s*[-–—]", pages.strip())[0] for pages in (place.pages, work.pages))
        return (place.volume, first) == (work.volume, theirs)
    return place.volume == work.volume if work.volume else place.year == work.year


def _by_title(record: Paper, source: WorkSource) -> Iterator[Work]:
    for work in source.by_title(record.title, [split_name(name).surname for name in record.authors]):
        if (
            is_published(work)
            and _is_of(record, work)
            and compare_authors(" and ".join(record.authors), work.authors).degree == "same"
            and compare_titles(record.title, work.title, same_authors=True) == "same"
            and work.year is not None
            and record.published.year - _EARLIER <= work.year <= record.updated.year + _LATER
            and work.arxiv_id in (None, record.id.value)
        ):
            yield work
