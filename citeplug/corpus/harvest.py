"""Updates of the catalogue: harvest arXiv's changes, day by day (Citegeist, 3.2.1)."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database
from citeplug.corpus.lexical.index import LexicalIndex
from citeplug.errors import CiteplugError, UsageError
from citeplug.protocols import Harvester, HarvestPage
from citeplug.records.paper import ArxivId, Paper

EARLIEST = date(2005, 9, 16)  # first of arXiv's datestamps
REMOVED = "withdrawn by arXiv (removed there, says its OAI-PMH service)"
_INDEX_EVERY = 10_000  # changed records between two updates of the lexical index
_DAY = timedelta(days=1)
_FINISHED, _RUN = "oai_to:", "oai_run:"  # in the catalogue's state, before the name of a set


@dataclass(frozen=True, slots=True)
class HarvestProgress:
    """Progress of an update: `day` is being read, `records` are read so far, of about `expected`."""

    day: date
    of_set: str | None
    records: int
    expected: int
    seconds: float


@dataclass(slots=True)
class UpdateReport:
    """The result of an update. `deleted` records are kept, marked as withdrawn; `until` is the last day that was read.

    `gap` is set if days before `since` were never read: (first, last) of them.
    """

    since: date
    until: date
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    skipped: int = 0
    seconds: float = 0.0
    gap: tuple[date, date] | None = None

    @property
    def records(self) -> int:
        return self.added + self.changed + self.unchanged + self.deleted + self.skipped


class HarvestMarks:
    """Progress of updates, stored in the catalogue for each set of arXiv. Errors: `Database`.

    A set is named as OAI-PMH does (`cs`, `physics:hep-th`), None stands for all of arXiv.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def finished(self, of_set: str | None) -> date | None:
        """The last day up to which everything touched is here, by an update of that set or of one that holds it."""
        with self._database.reading():
            states = [self._database.state(_FINISHED + name) for name in _holding(of_set)]
        days = [day for day in states if day]
        return date.fromisoformat(max(days)) if days else None

    def finished_by_set(self) -> dict[str, date]:
        """Return the last finished day of each updated set; the name of all of arXiv is empty."""
        query = "SELECT name, value FROM state WHERE name GLOB ? ORDER BY name"
        with self._database.reading() as db:
            rows = db.execute(query, (f"{_FINISHED}*",)).fetchall()
        return {name.removeprefix(_FINISHED): date.fromisoformat(day) for name, day in rows}

    def unfinished(self, of_set: str | None) -> tuple[date, date] | None:
        """Return the first day and the last finished day of an interrupted update; None if there is none."""
        with self._database.reading():
            run = self._database.state(_RUN + (of_set or ""))
        return None if not run else (date.fromisoformat(json.loads(run)[0]), date.fromisoformat(json.loads(run)[1]))

    def note_day(self, of_set: str | None, since: date, day: date) -> None:
        """Remember that an update from `since` on has finished `day`."""
        self._set(_RUN + (of_set or ""), json.dumps([since.isoformat(), day.isoformat()]))

    def note_finished(self, of_set: str | None, until: date) -> None:
        """Remember that everything touched up to `until` is here."""
        self._set(_FINISHED + (of_set or ""), until.isoformat())
        self.forget_unfinished(of_set)

    def forget_unfinished(self, of_set: str | None) -> None:
        """Delete the mark of an unfinished update."""
        self._set(_RUN + (of_set or ""), "")

    def _set(self, name: str, value: str) -> None:
        with self._database.reading() as db:
            db.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))


def _holding(of_set: str | None) -> Iterator[str]:
    """All of arXiv, the sets that hold this one, and itself: ``, `cs`, `cs:cs`, `cs:cs:LG`."""
    yield ""
    parts = (of_set or "").split(":") if of_set else []
    for count in range(1, len(parts) + 1):
        yield ":".join(parts[:count])


def update_catalogue(
    source: Harvester,
    catalogue: Catalogue,
    lexical: LexicalIndex,
    marks: HarvestMarks,
    *,
    sets: Sequence[str],
    since: date | None,
    today: date,
    progress: Callable[[HarvestProgress], None] | None = None,
) -> UpdateReport:
    """Add arXiv's changes from `since` to `today` (UTC), each set by itself; no sets: all of arXiv.

    Each page is one transaction, and each finished day is recorded: an interrupted update goes on with its last day.
    Without `since` an update begins a day before the end of the last one, or else before the day up to which files
    were added with `--complete`. Raises UsageError if there is neither, and SourceUnavailable on an outage.
    """
    began = time.monotonic()
    runs = [(name, *_start(catalogue, marks, name, since, today)) for name in sets or (None,)]
    report = UpdateReport(min(asked for _, asked, _ in runs), today)
    try:
        for number, (name, asked, first) in enumerate(runs):
            _harvest(source, catalogue, lexical, marks, name, asked, first, report, began, len(runs) - number, progress)
    except BaseException:
        # So that new records are found at once; if it fails, the next search does it.
        with suppress(CiteplugError):
            lexical.bring_up_to_date()
        raise
    lexical.bring_up_to_date()
    report.seconds = time.monotonic() - began
    return report


def _start(
    catalogue: Catalogue, marks: HarvestMarks, of_set: str | None, since: date | None, today: date
) -> tuple[date, date]:
    """Return the first day of the update and the day to begin with: a later one if the update was interrupted."""
    if since is not None and since > today:
        raise UsageError(f"--since {since} is in the future", "give an earlier day")
    broken = marks.unfinished(of_set)
    if broken is not None and since in (None, broken[0]):
        return broken
    if since is None:
        last = marks.finished(of_set) or catalogue.complete_to()
        if last is None:
            newest = catalogue.newest()
            example = f", such as {newest}, the day of the newest record here" if newest else ""
            raise UsageError(
                "no update has been finished yet, so the day to start from is not known",
                f"give --since YYYY-MM-DD{example}; for all of arXiv, add the snapshot first ('citeplug index add')",
            )
        # A day of overlap, for late changes of a day and for clocks that differ.
        since = min(last, today) - _DAY
    since = max(since, EARLIEST)
    return since, since


def _harvest(
    source: Harvester,
    catalogue: Catalogue,
    lexical: LexicalIndex,
    marks: HarvestMarks,
    of_set: str | None,
    asked: date,
    first: date,
    report: UpdateReport,
    began: float,
    runs_left: int,
    progress: Callable[[HarvestProgress], None] | None,
) -> None:
    day, until, newest, unindexed = first, report.until, date.min, 0
    while day <= until:
        for page in source.pages(day, of_set):
            # If this machine's clock is ahead, days to come must not be marked as finished.
            until = min(until, page.responded or until)
            before = report.added + report.changed + report.deleted
            _take_in(catalogue, page, report)
            newest = max([newest, *(paper.published for paper in page.papers)])
            unindexed += report.added + report.changed + report.deleted - before
            if unindexed >= _INDEX_EVERY:
                lexical.bring_up_to_date()
                unindexed = 0
            if progress is not None:
                days = (day - first).days + 1
                expected = report.records * ((until - first).days + 1) * runs_left // days
                progress(HarvestProgress(day, of_set, report.records, expected, time.monotonic() - began))
        if day <= until:
            marks.note_day(of_set, asked, day)
        day += _DAY
    report.until = min(report.until, until)
    _finish(catalogue, marks, of_set, asked, until, newest, report)


def _finish(
    catalogue: Catalogue,
    marks: HarvestMarks,
    of_set: str | None,
    asked: date,
    until: date,
    newest: date,
    report: UpdateReport,
) -> None:
    last = marks.finished(of_set)
    complete = catalogue.complete_to()
    if of_set is None and complete is not None and asked <= complete and newest > complete:
        catalogue.declare_complete(newest, ())
    if last is not None and asked > last + _DAY:
        report.gap = (last, asked - _DAY)
        marks.forget_unfinished(of_set)
        return
    marks.note_finished(of_set, max(until, last or until))


def _take_in(catalogue: Catalogue, page: HarvestPage, report: UpdateReport) -> None:
    done = catalogue.put(page.papers, brought_up_to_date)
    known = catalogue.papers(page.deleted)
    gone = [_removed(paper) for paper in known.values() if not (paper.comment or "").startswith(REMOVED)]
    marked = catalogue.put(gone)
    report.added += done.added
    report.changed += done.changed
    report.unchanged += done.unchanged + len(page.deleted) - marked.changed
    report.deleted += marked.changed
    report.skipped += page.skipped
    if page.unread:
        catalogue.note_unread(page.unread)


def brought_up_to_date(new: Paper, old: Paper) -> Paper:
    """Combine a harvested record with the existing one, for fields that OAI-PMH does not have.

    It has no version: that of `old` is kept unless the paper was updated since. v1's date never changes.
    """
    later = new.updated > old.updated
    guessed = old.published == old.id.month
    return replace(
        new,
        id=ArxivId(new.id.value, new.id.version if later or old.id.version is None else old.id.version),
        abstract=new.abstract or old.abstract,
        published=new.published if guessed else old.published,
        updated=max(new.updated, old.updated),
    )


def _removed(paper: Paper) -> Paper:
    """Mark a removed record as withdrawn by a comment; it is kept, since drafts cite it."""
    return replace(paper, comment=f"{REMOVED}. {paper.comment or ''}".strip())
