"""Times at which records came into the catalogue.

A row of the table `arrivals` says that the records from the number `first` on, up to the next row, were
written at `came` (UTC).
"""

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime

from citeplug.corpus.database import Database
from citeplug.records.paper import LIBRARY

_MOMENT = "%Y-%m-%dT%H:%M:%S.%f"


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Ids of records that came since a time. Times are in UTC.

    `last`: the latest time at which any record came; writes are one after the other, so that all that comes later has a
    later time.
    """

    ids: tuple[str, ...]
    last: datetime | None


def note_arrival(db: sqlite3.Connection) -> None:
    """Note that records are about to be added, within the transaction that adds them."""
    came = datetime.now(UTC).strftime(_MOMENT)
    (last,) = db.execute("SELECT coalesce(max(number), 0) FROM papers").fetchone()
    # The numbers of records that were deleted are given again.
    db.execute("DELETE FROM arrivals WHERE first > ?", (last,))
    db.execute("INSERT INTO arrivals VALUES (?, ?)", (last + 1, came))


def arrived_since(database: Database, when: datetime) -> Arrivals:
    """Return the records of arXiv that were added at `when` or later; it has a time zone. Errors: `Database`."""
    since = when.astimezone(UTC).strftime(_MOMENT)
    with database.snapshot() as db:
        (first,) = db.execute("SELECT min(first) FROM arrivals WHERE came >= ?", (since,)).fetchone()
        rows = db.execute(
            "SELECT id FROM papers WHERE number >= ? AND month != ? ORDER BY number", (first, LIBRARY)
        ).fetchall()
        latest = db.execute("SELECT came FROM arrivals ORDER BY first DESC LIMIT 1").fetchone()
    last = None if latest is None else datetime.strptime(latest[0], _MOMENT).replace(tzinfo=UTC)
    return Arrivals(tuple(row[0] for row in rows), last)
