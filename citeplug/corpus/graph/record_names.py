"""Records by what a reference may name them by, their titles and DOIs: derived from the catalogue, kept in its file.

A name is 64 bits of a hash, so that 3 million records take some 100 MB; whoever finds a record by it compares the text.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b

from citeplug.corpus.database import Database, select
from citeplug.records.paper import LIBRARY
from citeplug.text.compare import core_of_title, title_names
from citeplug.text.folding import fold_title

NAME = "names-1"  # another number whenever the names below change: they are then made anew
_AT_ONCE = 2000  # records of one write
_TABLE = """
CREATE TABLE IF NOT EXISTS record_names (name INTEGER NOT NULL, paper INTEGER NOT NULL, PRIMARY KEY (name, paper))
WITHOUT ROWID
"""
_LATER = "FROM papers WHERE (generation, number) > (?, ?) AND generation >= ?"
_TAIL = re.compile(r":\s+|\s[-–—]+\s|---?\s*|—")
_TAIL_WORDS = 4  # of what is behind a colon, by which a paper is known
_ONE_OF_SEVERAL = re.compile(r"10\.\d{4,9}/[^\s,;]+")

# Called with the names of the records that came, by number, as a part of the write that takes them in.
Arrived = Callable[[sqlite3.Connection, dict[int, list[int]]], None]


def names_of_title(title: str) -> set[str]:
    """Names that a title may be found by: the whole, the part before a subtitle, and that behind a name and a colon.

    All are folded and squeezed. Two titles that may be one paper's share one of them.
    """
    names = title_names(title)
    colon = _TAIL.search(title)
    if colon is not None:
        tail = title[colon.end() :]
        if len(fold_title(tail).split()) >= _TAIL_WORDS:
            names.add(core_of_title(tail))
    return names - {""}


def hashed(names: Iterable[str]) -> list[int]:
    """The number that stands for each name."""
    return [int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big", signed=True) for name in names]


def numbers_of(titles: Iterable[str], dois: Iterable[str]) -> list[int]:
    """The names of a work, as the table has them."""
    return hashed({*(f"doi:{doi}" for doi in dois), *(name for title in titles for name in names_of_title(title))})


class RecordNames:
    """The table of names. Errors: `Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def are_made(self) -> bool:
        """Return whether they were ever asked for; before that nothing has to be kept current."""
        with self._database.reading() as db:
            return _come_to(db) is not None

    def bring_up_to_date(self, arrived: Arrived, report: Callable[[int], None] | None = None) -> None:
        """Take in the names of records that were written since; where nothing can be written, they stay as they are."""
        if self._database.read_only:
            return
        done = 0
        while self._is_behind():
            done += self._take_in_some(arrived)
            if report is not None:
                report(done)

    def _is_behind(self) -> bool:
        with self._database.reading() as db:
            place = _come_to(db)
            return place is None or bool(db.execute(f"SELECT 1 {_LATER} LIMIT 1", (*place, place[0])).fetchone())

    def _take_in_some(self, arrived: Arrived) -> int:
        with self._database.writing() as (db, _):
            db.execute(_TABLE)
            place = _come_to(db)
            if place is None:
                place = (0, 0)
                db.execute("DELETE FROM record_names")
            query = f"SELECT number, id, title, doi, generation {_LATER} ORDER BY generation, number LIMIT ?"
            rows = db.execute(query, (*place, place[0], _AT_ONCE)).fetchall()
            names = {row[0]: numbers_of((row[2],), dois_in(row[3])) for row in rows if not row[1].startswith(LIBRARY)}
            db.executemany(
                "INSERT OR IGNORE INTO record_names VALUES (?, ?)",
                sorted((name, number) for number, record_names in names.items() for name in record_names),
            )
            arrived(db, names)
            if rows:
                place = rows[-1][4], rows[-1][0]
            db.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (NAME, f"{place[0]}/{place[1]}"))
            return len(rows)


def papers_by_name(db: sqlite3.Connection, names: Sequence[int]) -> dict[int, list[int]]:
    numbers_by_name: dict[int, list[int]] = {}
    if _come_to(db) is not None:
        for name, paper in select(db, "SELECT name, paper FROM record_names WHERE name IN", names):
            numbers_by_name.setdefault(name, []).append(paper)
    return numbers_by_name


def _come_to(db: sqlite3.Connection) -> tuple[int, int] | None:
    """Generation and number of the last record whose names are taken in; None if they were never made."""
    row = db.execute("SELECT value FROM state WHERE name = ?", (NAME,)).fetchone()
    if row is None:
        return None
    generation, _, number = row[0].partition("/")
    return int(generation), int(number)


def dois_in(text: str | None) -> list[str]:
    """The DOIs of a record's field, in lower case."""
    if not text:
        return []
    return [
        identifier.rstrip(".)").lower()
        for identifier in _ONE_OF_SEVERAL.findall(text)
        if not identifier.startswith("10.48550/")
    ]
