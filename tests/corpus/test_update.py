"""Taking in files: counts, kills, and two processes at once."""

import random
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database
from citeplug.corpus.lexical.index import LexicalIndex
from citeplug.corpus.update import AddReport, add_files
from citeplug.errors import StoreBroken, UnreadableInput
from citeplug.records.paper import Filter
from tests.corpus.records import make_record, write_snapshot
from tests.harness.waiting import until

pytestmark = pytest.mark.slow

# A process of its own, that adds files and prints what came of it.
ADDER = """
import sys
from pathlib import Path
import citeplug.corpus.update as update
from citeplug.corpus.index import Corpus
update.BATCH = 200
corpus = Corpus(Path(sys.argv[1]), None, None)
report = corpus.add([Path(name) for name in sys.argv[2:]])
print(report.added, report.changed, report.unchanged)
corpus.close()
"""


class Place:
    """A catalogue with its lexical index, opened anew for each look."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.database = Database(home / "corpus" / "catalogue.sqlite3")
        self.catalogue = Catalogue(self.database)
        self.lexical = LexicalIndex(self.catalogue, home / "corpus" / "lexical")

    def add(self, *files: Path, complete: bool = False) -> AddReport:
        return add_files(files, complete, self.catalogue, self.lexical)

    def found(self, text: str) -> int:
        self.lexical.bring_up_to_date()
        return len(self.lexical.search(text, 10_000, Filter()))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.database.close()


def counts(report: AddReport) -> tuple[int, int, int, int]:
    return report.added, report.changed, report.unchanged, report.skipped


def test_records_are_counted_as_added_changed_unchanged_or_skipped(place: Place, tmp_path: Path) -> None:
    records = [make_record(number) for number in range(30)]
    path = write_snapshot(tmp_path / "a.jsonl.gz", [*records, "{"])
    assert counts(place.add(path)) == (30, 0, 0, 1)
    assert counts(place.add(path)) == (0, 0, 30, 1)
    records[3]["title"] = "A better title"
    assert counts(place.add(write_snapshot(tmp_path / "b.jsonl", records))) == (0, 1, 29, 0)
    assert place.found("better") == 1
    assert place.found("problem") == 30


def test_the_order_of_an_old_and_a_new_file_does_not_matter(place: Place, tmp_path: Path) -> None:
    versions = [{"version": "v1", "created": "2018-01-02"}, {"version": "v2", "created": "2019-01-02"}]
    old = write_snapshot(tmp_path / "old.jsonl", [make_record(1)])
    new = write_snapshot(tmp_path / "new.jsonl", [make_record(1, title="Revised", versions=versions)])
    place.add(new, old)
    assert place.catalogue.papers(["1801.00001"])["1801.00001"].title == "Revised"
    assert counts(place.add(old, new)) == (0, 0, 2, 0)


def test_a_missing_file_is_named_before_anything_is_written(place: Place, tmp_path: Path) -> None:
    path = write_snapshot(tmp_path / "a.jsonl", [make_record(1)])
    with pytest.raises(UnreadableInput, match=r"missing\.jsonl"):
        place.add(path, tmp_path / "missing.jsonl")
    assert place.catalogue.records() == 0


def test_complete_reaches_to_the_newest_v1_date(place: Place, tmp_path: Path) -> None:
    records = [make_record(1), make_record(27, update_date="2024-01-01"), '{"id": "1801.00099", "title": "cut']
    place.add(write_snapshot(tmp_path / "a.jsonl", records), complete=True)
    assert place.catalogue.complete_to() == date(2018, 1, 28)
    assert place.catalogue.is_unread("1801.00099")


def test_a_file_that_was_cut_short_declares_nothing_complete(place: Place, tmp_path: Path) -> None:
    path = write_snapshot(tmp_path / "a.jsonl.gz", [make_record(number) for number in range(3000)])
    path.write_bytes(path.read_bytes()[:-2000])
    report = place.add(path, complete=True)
    assert report.added > 0
    assert len(report.warnings) == 2
    assert place.catalogue.complete_to() is None


def test_progress_ends_with_all_that_there_is(place: Place, tmp_path: Path) -> None:
    path = write_snapshot(tmp_path / "a.jsonl.gz", [make_record(number) for number in range(10)])
    seen: list[tuple[int, int | None]] = []
    add_files([path, path], False, place.catalogue, place.lexical, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (2 * path.stat().st_size, 2 * path.stat().st_size)


def start_adding(home: Path, *files: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ADDER, str(home), *map(str, files)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(process: subprocess.Popen[str]) -> tuple[int, ...]:
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return tuple(map(int, out.split()))


def test_a_kill_loses_nothing_that_was_written_and_repeats_one_batch_at_most(tmp_path: Path) -> None:
    path = write_snapshot(tmp_path / "a.jsonl", [make_record(number) for number in range(6_000)])
    home = tmp_path / "home"
    held = 0
    rng = random.Random(7)
    for _ in range(3):
        process = start_adding(home, path)
        wait_for = held + rng.randrange(200, 1500)
        # Killed as soon as it has got so far, at whatever it is doing then.
        until(lambda: process.poll() is not None or _records(home) >= wait_for)
        process.kill()
        process.communicate(timeout=30)
        now = _records(home)
        assert now >= held
        assert now % 200 == 0
        held = now
    assert 0 < held < 6_000
    assert finished(start_adding(home, path)) == (6_000 - held, 0, held)
    place = Place(home)
    assert place.catalogue.records() == 6_000
    assert place.found("linear time") == 6_000
    place.database.close()


def _records(home: Path) -> int:
    if not (home / "corpus" / "catalogue.sqlite3").exists():
        return 0
    place = Place(home)
    try:
        return place.catalogue.records()
    finally:
        place.database.close()


def test_two_processes_that_add_at_once_end_with_every_record_once(tmp_path: Path) -> None:
    common = [make_record(number) for number in range(2000)]
    first = write_snapshot(tmp_path / "a.jsonl", [*common, *(make_record(number) for number in range(2000, 3000))])
    second = write_snapshot(tmp_path / "b.jsonl.gz", [*reversed(common), *(make_record(n) for n in range(3000, 4000))])
    home = tmp_path / "home"
    reports = [finished(process) for process in [start_adding(home, first), start_adding(home, second)]]
    assert sum(report[0] for report in reports) == 4000
    assert sum(report[2] for report in reports) == 2000
    place = Place(home)
    assert place.catalogue.records() == 4000
    assert place.found("linear time") == 4000
    place.database.close()


def test_many_processes_may_open_a_new_catalogue_at_once(tmp_path: Path) -> None:
    path = write_snapshot(tmp_path / "a.jsonl", [make_record(1)])
    reports = [finished(process) for process in [start_adding(tmp_path / "home", path) for _ in range(4)]]
    assert sum(report[0] for report in reports) == 1


def test_what_is_taken_in_is_indexed_meanwhile_and_whole_at_the_end(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.corpus.update._INDEX_EVERY", 100)
    monkeypatch.setattr("citeplug.corpus.update.BATCH", 100)
    counted: list[int] = []
    index = place.lexical.bring_up_to_date

    def here() -> None:
        counted.append(place.catalogue.records())
        index()

    monkeypatch.setattr(place.lexical, "bring_up_to_date", here)
    path = write_snapshot(tmp_path / "a.jsonl", [make_record(number) for number in range(1000)])
    assert counts(place.add(path)) == (1000, 0, 0, 0)
    assert len(counted) > 1 and counted[-1] == 1000
    assert place.found("linear time") == 1000
    changed = [make_record(number, title="Sorting in constant time") for number in range(1000)]
    assert counts(place.add(write_snapshot(tmp_path / "b.jsonl", changed)))[1] == 1000
    assert place.found("constant time") == 1000


def test_a_failure_of_the_index_meanwhile_is_told_at_the_end(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.corpus.update._INDEX_EVERY", 100)
    monkeypatch.setattr("citeplug.corpus.update.BATCH", 100)

    def full() -> None:
        raise StoreBroken("the disk is full")

    monkeypatch.setattr(place.lexical, "bring_up_to_date", full)
    path = write_snapshot(tmp_path / "a.jsonl", [make_record(number) for number in range(1000)])
    with pytest.raises(StoreBroken, match="full"):
        place.add(path)
    assert place.catalogue.records() == 1000


@pytest.mark.shared_data
def test_real_records_are_taken_in_and_found(place: Place, tmp_path: Path, shared_data: Path) -> None:
    import gzip

    with gzip.open(shared_data / "arxiv_sample.jsonl.gz", "rt", encoding="utf-8") as stream:
        path = write_snapshot(tmp_path / "part.jsonl", [next(stream).rstrip("\n") for _ in range(5000)])
    report = place.add(path)
    assert counts(report) == (5000, 0, 0, 0)
    assert counts(place.add(path)) == (0, 0, 5000, 0)
    hits = place.lexical.search("LISA (Localhost Information Service Agent)", 3, Filter())
    assert hits[0][0] == "1106.5168"
