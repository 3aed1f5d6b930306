"""Checks of the catalogue: records against their digests, and counts."""

from collections.abc import Sequence

from citeplug.corpus.database import Database
from citeplug.corpus.record_rows import FIELDS, papers_from_rows, record_digest, text_digest

_AT_ONCE = 2000  # rows


class Soundness:
    """Checks and repairs of a catalogue. Errors: `Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def check(self, after: int) -> tuple[int, list[int], list[int]] | None:
        """Check rows after number `after`; return the last number, the unreadable ones, and those with a wrong digest.

        None at the end.
        """
        with self._database.reading() as db:
            query = f"SELECT {FIELDS}, digest, text, number FROM papers WHERE number > ? ORDER BY number LIMIT ?"
            rows = db.execute(query, (after, _AT_ONCE)).fetchall()
        if not rows:
            return None
        unreadable, wrong = [], []
        for row in rows:
            try:
                (paper,) = papers_from_rows([row[:-3]])
                fits = (record_digest(paper), text_digest(paper)) == (row[-3], row[-2])
            except (ValueError, TypeError, AttributeError):
                unreadable.append(row[-1])
                continue
            if not fits:
                wrong.append(row[-1])
        return rows[-1][-1], unreadable, wrong

    def digest_again(self, numbers: Sequence[int]) -> None:
        """Compute the digests of rows again, as a write that the derived indexes notice."""
        with self._database.writing() as (db, generation):
            for number in numbers:
                query = f"SELECT {FIELDS} FROM papers WHERE number = ?"
                for paper in papers_from_rows(db.execute(query, (number,)).fetchall()):
                    db.execute(
                        "UPDATE papers SET digest = ?, text = ?, generation = ? WHERE number = ?",
                        (record_digest(paper), text_digest(paper), generation, number),
                    )

    def drop(self, numbers: Sequence[int]) -> None:
        """Delete unreadable rows, and record their ids as unread."""
        with self._database.writing() as (db, _):
            for number in numbers:
                db.execute(
                    "INSERT OR IGNORE INTO unread SELECT id FROM papers WHERE number = ? AND id IS NOT NULL", (number,)
                )
                db.execute("DELETE FROM papers WHERE number = ?", (number,))

    def count_after(self, generation: int) -> int:
        """Count the records written after that generation."""
        with self._database.reading() as db:
            return int(db.execute("SELECT count(*) FROM papers WHERE generation > ?", (generation,)).fetchone()[0])

    def vectors(self) -> int:
        """Count the vectors of all models."""
        with self._database.reading() as db:
            return int(db.execute("SELECT count(*) FROM vectors").fetchone()[0])
