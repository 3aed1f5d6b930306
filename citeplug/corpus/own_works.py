"""The author's own library: entries and PDFs, stored beside the catalogue and searched with it.

A work that the catalogue has from arXiv is only linked to its record. Any other one becomes a record of its own, with
an id of `lib:` and a key, which is embedded, indexed and found like the rest.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database, select
from citeplug.corpus.lexical.index import LexicalIndex
from citeplug.records.paper import LIBRARY, Paper
from citeplug.records.work import Holding, OwnEntry


class Library:
    """Entries and PDFs of the author's library, with their papers in the catalogue. Errors: `Database`."""

    def __init__(self, database: Database, catalogue: Catalogue, lexical: LexicalIndex) -> None:
        self._database = database
        self._catalogue = catalogue
        self._lexical = lexical

    def holdings(self) -> list[tuple[str, Holding]]:
        """Return all entries and PDFs, each with the value of its paper's id, in the order in which they were added."""
        with self._database.reading() as db:
            rows = db.execute("SELECT paper, holding FROM library ORDER BY number").fetchall()
        return [(row[0], _holding(row[1])) for row in rows]

    def entries(self, ids: Sequence[str]) -> dict[str, OwnEntry]:
        """The author's own entries of these papers, by id; of several for one paper the first."""
        found: dict[str, OwnEntry] = {}
        with self._database.reading() as db:
            query = "SELECT paper, key, entry, file, number FROM library WHERE entry <> '' AND paper IN"
            for row in sorted(select(db, query, ids), key=lambda row: int(row[4])):
                found.setdefault(row[0], OwnEntry(row[0], row[1], row[2], Path(row[3])))
        return found

    def pdfs(self, ids: Sequence[str]) -> dict[str, list[Path]]:
        """The author's PDFs of these papers, by id, in the order in which they were added."""
        found: dict[str, list[Path]] = {}
        with self._database.reading() as db:
            query = "SELECT paper, file, number FROM library WHERE paper IN"
            for row in sorted(select(db, query, ids), key=lambda row: int(row[2])):
                if row[1].lower().endswith(".pdf"):
                    found.setdefault(row[0], []).append(Path(row[1]))
        return found

    def works(self) -> int:
        """Count the works of the library, on arXiv or not."""
        with self._database.reading() as db:
            return int(db.execute("SELECT count(DISTINCT paper) FROM library").fetchone()[0])

    def replace(self, holdings: Sequence[tuple[str, Holding]], papers: Mapping[str, Paper]) -> None:
        """Replace the whole library in one transaction; `papers` are the records of works outside arXiv, by id."""
        with self._database.writing() as (db, generation):
            db.execute("DELETE FROM library")
            db.executemany(
                "INSERT INTO library (paper, file, key, entry, holding) VALUES (?, ?, ?, ?, ?)",
                ((paper, str(h.file), h.key, h.entry, _as_json(h)) for paper, h in holdings),
            )
            query = "SELECT id FROM papers WHERE id >= ? AND id < ?"
            there = {row[0] for row in db.execute(query, (LIBRARY, LIBRARY[:-1] + ";"))}
            gone = sorted(there - papers.keys())
            db.executemany("DELETE FROM papers WHERE id = ?", ((value,) for value in gone))
            self._catalogue.put_within(db, generation, list(papers.values()))
        self._lexical.take_out(gone)
        self._lexical.bring_up_to_date()


def _as_json(holding: Holding) -> str:
    return json.dumps({**asdict(holding), "file": str(holding.file)}, ensure_ascii=False)


def _holding(text: str) -> Holding:
    fields = json.loads(text)
    return Holding(
        **{**fields, "file": Path(fields["file"]), "authors": tuple(fields["authors"]), "names": tuple(fields["names"])}
    )
