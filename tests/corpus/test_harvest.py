"""Updates: what they take in, where they begin, and what they leave as it was."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from citeplug.corpus.harvest import HarvestMarks, HarvestProgress, UpdateReport, update_catalogue
from citeplug.errors import SourceUnavailable, UsageError
from citeplug.protocols import HarvestPage
from citeplug.records.paper import Filter, Paper
from citeplug.text.withdrawn import possibly_withdrawn
from tests.corpus.records import make_paper
from tests.corpus.test_update import Place

TODAY = date(2026, 11, 21)
DAY = timedelta(days=1)


class Days:
    """A service in memory: pages by day; `asked` are the days it was asked for."""

    def __init__(self, pages: dict[date, list[HarvestPage]] | None = None, fails_on: date | None = None) -> None:
        self.by_day = pages or {}
        self.fails_on = fails_on
        self.asked: list[tuple[date, str | None]] = []

    def pages(self, day: date, of_set: str | None) -> Iterator[HarvestPage]:
        self.asked.append((day, of_set))
        yield from self.by_day.get(day, [HarvestPage(())])
        if day == self.fails_on:
            raise SourceUnavailable("gone")

    @property
    def days(self) -> list[date]:
        return [day for day, _ in self.asked]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.database.close()


def update(place: Place, source: Days, **given: Any) -> UpdateReport:
    settings: dict[str, Any] = {"sets": (), "since": None, "today": TODAY, **given}
    return update_catalogue(source, place.catalogue, place.lexical, HarvestMarks(place.database), **settings)


def counts(report: UpdateReport) -> tuple[int, ...]:
    return report.added, report.changed, report.unchanged, report.deleted, report.skipped


def harvested(paper: Paper) -> Paper:
    """The record as OAI-PMH tells it: without a version unless it is the first."""
    return replace(paper, id=replace(paper.id, version=1 if paper.id.version == 1 else None))


def test_an_update_without_a_day_begins_a_day_before_the_end_of_the_last(place: Place) -> None:
    first = Days()
    update(place, first, since=TODAY - 3 * DAY)
    assert first.days == [TODAY - 3 * DAY, TODAY - 2 * DAY, TODAY - DAY, TODAY]
    second = Days()
    report = update(place, second, today=TODAY + 2 * DAY)
    assert second.days == [TODAY - DAY, TODAY, TODAY + DAY, TODAY + 2 * DAY]
    assert (report.since, report.until) == (TODAY - DAY, TODAY + 2 * DAY)


def test_the_first_update_after_a_complete_snapshot_begins_at_its_end(place: Place) -> None:
    place.catalogue.declare_complete(TODAY - DAY, ())
    source = Days()
    update(place, source)
    assert source.days[0] == TODAY - 2 * DAY


def test_an_update_of_nothing_known_asks_for_a_day(place: Place) -> None:
    with pytest.raises(UsageError, match="no update has been finished yet") as caught:
        update(place, Days())
    assert "--since" in caught.value.hint


def test_an_outage_keeps_what_came_and_the_next_run_goes_on_with_the_last_finished_day(place: Place) -> None:
    start = TODAY - 9 * DAY
    pages = {TODAY - 4 * DAY: [HarvestPage([make_paper()])]}
    with pytest.raises(SourceUnavailable):
        update(place, Days(pages, fails_on=TODAY - 4 * DAY), since=start)
    assert place.catalogue.records() == 1
    assert place.found("transformer") == 1
    again = Days(pages)
    report = update(place, again, since=start)
    assert again.days[0] == TODAY - 5 * DAY
    assert counts(report) == (0, 0, 1, 0, 0)
    once_more = Days()
    update(place, once_more, since=start)
    assert once_more.days[0] == start


def test_an_interrupt_keeps_what_came_findable(place: Place) -> None:
    def stop(now: HarvestProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        update(place, Days({TODAY: [HarvestPage([make_paper()])]}), since=TODAY, progress=stop)
    assert len(place.lexical.search("transformer", 5, Filter())) == 1
    assert HarvestMarks(place.database).finished(None) is None


def test_a_broken_run_is_continued_without_a_day_too(place: Place) -> None:
    with pytest.raises(SourceUnavailable):
        update(place, Days(fails_on=TODAY - 2 * DAY), since=TODAY - 9 * DAY)
    again = Days()
    update(place, again)
    assert again.days[0] == TODAY - 3 * DAY


def test_days_left_out_are_told_and_read_by_the_next_update(place: Place) -> None:
    update(place, Days(), since=TODAY - 20 * DAY, today=TODAY - 18 * DAY)
    report = update(place, Days(), since=TODAY - 2 * DAY)
    assert report.gap == (TODAY - 18 * DAY, TODAY - 3 * DAY)
    source = Days()
    update(place, source)
    assert source.days[0] == TODAY - 19 * DAY


def test_each_set_remembers_its_own_day_and_what_holds_it(place: Place) -> None:
    update(place, Days(), since=TODAY - 5 * DAY, today=TODAY - 3 * DAY, sets=("cs",))
    source = Days()
    update(place, source, sets=("cs:cs:LG",))
    assert source.asked[0] == (TODAY - 4 * DAY, "cs:cs:LG")
    with pytest.raises(UsageError):
        update(place, Days(), sets=("math",))


def test_a_clock_that_is_ahead_skips_no_day(place: Place) -> None:
    pages = {TODAY - DAY: [HarvestPage((), responded=TODAY)]}
    report = update(place, Days(pages), since=TODAY - DAY, today=TODAY + 900 * DAY)
    assert report.until == TODAY
    source = Days()
    update(place, source)
    assert source.days[0] == TODAY - DAY


@pytest.mark.parametrize(
    "stored",
    [
        make_paper(version=1),
        make_paper(version=3, updated=date(2017, 12, 6)),
        make_paper(version=3, updated=date(2018, 1, 1), doi="10.1000/x", comment="12 pages", journal_ref="J. 1"),
        make_paper(version=None),
    ],
)
def test_a_record_that_has_not_changed_counts_as_unchanged(place: Place, stored: Paper) -> None:
    place.catalogue.put([stored])
    # arXiv tells the day of the last version, the snapshot also later days on which only metadata changed.
    told = replace(harvested(stored), updated=min(stored.updated, date(2017, 12, 6)))
    report = update(place, Days({TODAY: [HarvestPage([told])]}), since=TODAY)
    assert counts(report) == (0, 0, 1, 0, 0)
    assert place.catalogue.papers([stored.id.value])[stored.id.value] == stored


def test_a_later_version_comes_without_its_number_and_keeps_the_first_date(place: Place) -> None:
    place.catalogue.put([make_paper(version=2, updated=date(2017, 6, 20))])
    new = make_paper(version=None, title="Attention", published=date(2017, 6, 1), updated=date(2023, 8, 2))
    assert counts(update(place, Days({TODAY: [HarvestPage([new])]}), since=TODAY)) == (0, 1, 0, 0, 0)
    kept = place.catalogue.papers(["1706.03762"])["1706.03762"]
    assert (kept.id.version, kept.title, kept.published) == (None, "Attention", date(2017, 6, 12))


def test_a_reference_that_arrives_later_is_taken_in_and_the_version_stays(place: Place) -> None:
    place.catalogue.put([make_paper(version=3, updated=date(2018, 1, 1))])
    new = make_paper(version=None, updated=date(2017, 12, 6), doi="10.1000/x")
    assert counts(update(place, Days({TODAY: [HarvestPage([new])]}), since=TODAY)) == (0, 1, 0, 0, 0)
    kept = place.catalogue.papers(["1706.03762"])["1706.03762"]
    assert (kept.id.version, kept.doi) == (3, "10.1000/x")


def test_a_record_without_authors_or_day_is_completed(place: Place) -> None:
    place.catalogue.put([make_paper(version=None, authors=(), published=date(2017, 6, 1), updated=date(2017, 6, 1))])
    assert update(place, Days({TODAY: [HarvestPage([make_paper()])]}), since=TODAY).changed == 1
    kept = place.catalogue.papers(["1706.03762"])["1706.03762"]
    assert (kept.published, kept.complete) == (date(2017, 6, 12), True)


def test_a_removed_record_is_kept_as_possibly_withdrawn_until_it_comes_back(place: Place) -> None:
    place.catalogue.put([make_paper(comment="15 pages")])
    gone = Days({TODAY: [HarvestPage((), deleted=("1706.03762", "1706.99999"))]})
    assert counts(update(place, gone, since=TODAY)) == (0, 0, 1, 1, 0)
    kept = place.catalogue.papers(["1706.03762"])["1706.03762"]
    assert possibly_withdrawn(kept)
    assert kept.comment is not None and kept.comment.endswith("15 pages")
    assert counts(update(place, gone, since=TODAY)) == (0, 0, 2, 0, 0)
    back = Days({TODAY: [HarvestPage([make_paper(comment="15 pages")])]})
    assert update(place, back, since=TODAY).changed == 1
    assert not possibly_withdrawn(place.catalogue.papers(["1706.03762"])["1706.03762"])


def test_what_could_not_be_read_is_counted_and_its_absence_proves_nothing(place: Place) -> None:
    place.catalogue.declare_complete(TODAY - DAY, ())
    page = HarvestPage([make_paper("2611.00001", published=TODAY)], skipped=2, unread=frozenset({"2611.00002"}))
    report = update(place, Days({TODAY: [page]}))
    assert report.skipped == 2
    assert place.catalogue.is_unread("2611.00002")
    assert place.catalogue.complete_to() == TODAY


def test_progress_estimates_what_is_still_to_come(place: Place) -> None:
    seen: list[HarvestProgress] = []
    papers = [make_paper(f"1801.{number:05d}") for number in range(10)]
    update(place, Days({TODAY - DAY: [HarvestPage(papers)]}), since=TODAY - DAY, progress=seen.append)
    assert [(each.day, each.records, each.expected) for each in seen] == [(TODAY - DAY, 10, 20), (TODAY, 10, 10)]
