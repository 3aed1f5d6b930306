"""When records came into the catalogue."""

from datetime import UTC, datetime
from pathlib import Path

from citeplug.corpus.arrivals import Arrivals, arrived_since
from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database
from tests.corpus.records import make_paper

DAYS = [datetime(2026, 1, day, 12, tzinfo=UTC) for day in range(1, 5)]


def add(database: Database, value: str, when: datetime) -> None:
    """Add a record as if it were `when`."""
    Catalogue(database).put([make_paper(value)])
    with database.writing() as (db, _):
        query = "UPDATE arrivals SET came = ? WHERE first = (SELECT max(first) FROM arrivals)"
        db.execute(query, (f"{when:%Y-%m-%dT%H:%M:%S.%f}",))


def test_records_come_back_by_the_time_of_their_first_arrival(tmp_path: Path) -> None:
    database = Database(tmp_path / "catalogue.sqlite3")
    for number, when in enumerate(DAYS[:3]):
        add(database, f"1801.0000{number}", when)
    Catalogue(database).put([make_paper("1801.00000", doi="10.1/x")])
    assert arrived_since(database, DAYS[0]) == Arrivals(("1801.00000", "1801.00001", "1801.00002"), DAYS[2])
    assert arrived_since(database, DAYS[1]).ids == ("1801.00001", "1801.00002")
    assert arrived_since(database, DAYS[3]) == Arrivals((), DAYS[2])
    database.close()


def test_a_number_that_is_given_again_has_the_new_time(tmp_path: Path) -> None:
    database = Database(tmp_path / "catalogue.sqlite3")
    for number, when in enumerate(DAYS[:3]):
        add(database, f"1801.0000{number}", when)
    with database.writing() as (db, _):
        db.execute("DELETE FROM papers WHERE id != '1801.00000'")
    add(database, "1801.00009", DAYS[3])
    assert arrived_since(database, DAYS[3]).ids == ("1801.00009",)
    assert arrived_since(database, DAYS[1]).ids == ("1801.00009",)
    database.close()


def test_works_of_the_library_are_no_arrivals(tmp_path: Path) -> None:
    database = Database(tmp_path / "catalogue.sqlite3")
    Catalogue(database).put([make_paper("lib:smith1998"), make_paper("1801.00001")])
    assert arrived_since(database, DAYS[0]).ids == ("1801.00001",)
    database.close()
