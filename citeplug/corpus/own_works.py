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

    def texts(self) -> list[Holding]:
        """The PDFs and other files with an abstract, in the order in which they were added."""
        with self._database.reading() as db:
            rows = db.execute("SELECT holding FROM library WHERE entry = '' ORDER BY number").fetchall()
        return [holding for row in rows if (holding := _holding(row[0])).abstract]

    def entries(self, ids: Sequence[str]) -> dict[str, OwnEntry]:
        """The author's own entries of these papers, by id; of several for one paper the first."""
        entries: dict[str, OwnEntry] = {}
        with self._database.reading() as db:
            query = "SELECT paper, holding, number FROM library WHERE entry <> '' AND paper IN"
            for row in sorted(select(db, query, ids), key=lambda row: int(row[2])):
                own = _holding(row[1])
                entries.setdefault(row[0], OwnEntry(row[0], own.key, own.entry, own.file, own.collections))
        return entries

    def by_key(self, typed: str, most: int) -> list[str]:
        """The ids of at most `most` papers with an entry whose key begins so, whatever the case, by key."""
        with self._database.reading() as db:
            query = "SELECT paper FROM library WHERE key >= ? COLLATE NOCASE AND key < ? COLLATE NOCASE ORDER BY key"
            rows = db.execute(f"{query} COLLATE NOCASE LIMIT ?", (typed, typed + "\U0010ffff", most))
            return list(dict.fromkeys(row[0] for row in rows))

    def pdfs(self, ids: Sequence[str]) -> dict[str, list[Path]]:
        """The author's PDFs of these papers, by id, in the order in which they were added."""
        files: dict[str, list[Path]] = {}
        with self._database.reading() as db:
            query = "SELECT paper, file, number FROM library WHERE paper IN"
            for row in sorted(select(db, query, ids), key=lambda row: int(row[2])):
                if row[1].lower().endswith(".pdf"):
                    files.setdefault(row[0], []).append(Path(row[1]))
        return files

    def works(self) -> int:
        """Count the works of the library, on arXiv or not."""
        return self._database.number("SELECT count(DISTINCT paper) FROM library")

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
    lists = {name: tuple(fields.get(name, ())) for name in ("authors", "names", "collections")}
    return Holding(**{**fields, **lists, "file": Path(fields["file"])})
