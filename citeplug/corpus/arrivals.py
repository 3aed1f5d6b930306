"""Times at which records came into the catalogue.

A row of the table `arrivals` says that the records from the number `first` on, up to the next row, were
written at `came` (UTC). Of records that an older citeplug added the time is not known.
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
    later time. With `known_from`, of earlier records the time is not known.
    """

    ids: tuple[str, ...]
    last: datetime | None = None
    known_from: datetime | None = None


def note_arrival(db: sqlite3.Connection, now: datetime | None = None) -> None:
    """Note that records are about to be added, within the transaction that adds them."""
    came = (now or datetime.now(UTC)).astimezone(UTC).strftime(_MOMENT)
    (last,) = db.execute("SELECT coalesce(max(number), 0) FROM papers").fetchone()
    # The numbers of records that were deleted are given again.
    db.execute("DELETE FROM arrivals WHERE first > ?", (last,))
    db.execute("INSERT INTO arrivals VALUES (?, ?)", (last + 1, came))


def arrived_since(database: Database, when: datetime) -> Arrivals:
    """Return the records of arXiv that were added at `when` or later; it has a time zone. Errors: `Database`."""
    since = when.astimezone(UTC).strftime(_MOMENT)
    with database.snapshot() as db:
        if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'arrivals'").fetchone() is None:
            # An older file, in a folder that cannot be written.
            return Arrivals((), None, datetime.now(UTC))
        (first,) = db.execute("SELECT min(first) FROM arrivals WHERE came >= ?", (since,)).fetchone()
        rows = db.execute(
            "SELECT id FROM papers WHERE number >= ? AND month != ? ORDER BY number", (first, LIBRARY)
        ).fetchall()
        oldest, latest = (
            db.execute(f"SELECT first, came FROM arrivals ORDER BY first {order} LIMIT 1").fetchone() or (2**62, None)
            for order in ("ASC", "DESC")
        )
        undated = db.execute("SELECT 1 FROM papers WHERE number < ? LIMIT 1", (oldest[0],)).fetchone() is not None
    known = _moment(oldest[1]) or datetime.now(UTC)
    return Arrivals(tuple(row[0] for row in rows), _moment(latest[1]), known if undated and when < known else None)


def _moment(came: str | None) -> datetime | None:
    return None if came is None else datetime.strptime(came, _MOMENT).replace(tzinfo=UTC)
