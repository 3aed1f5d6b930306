"""Deterministic sample of the catalogue's records."""

import hashlib
import heapq
from collections.abc import Iterator

from citeplug.corpus.database import Database

_AT_ONCE = 10_000


def drawn_ids(database: Database, most: int) -> list[str]:
    """Return the ids of at most `most` records, chosen by a hash of the id, so that their order does not matter."""
    drawn = heapq.nsmallest(most, ((_hashed(value), value) for ids in all_ids(database) for value in ids))
    return [value for _, value in drawn]


def all_ids(database: Database) -> Iterator[list[str]]:
    """Every id once, in parts, in their order; those that are added meanwhile may come too."""
    after = ""
    while True:
        with database.reading() as db:
            query = f"SELECT id FROM papers WHERE id > ? ORDER BY id LIMIT {_AT_ONCE}"
            ids = [row[0] for row in db.execute(query, (after,))]
        if not ids:
            return
        yield ids
        after = ids[-1]


def _hashed(value: str) -> bytes:
    return hashlib.blake2b(value.encode("utf-8", "replace"), digest_size=8).digest()
