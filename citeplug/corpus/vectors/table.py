"""Every vector ever computed, by model and by digest of the text it was computed from."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

from citeplug.corpus.database import Database, select
from citeplug.corpus.record_rows import admits_row, day_before
from citeplug.errors import ModelUnavailable
from citeplug.protocols import Vectors
from citeplug.records.paper import LIBRARY, Filter

Key = TypeVar("Key", str, bytes)
_FEW = 20_000  # vectors up to which lookups are faster than a scan


def is_own(value: str) -> bool:
    """Return True for the id of a work of the author's library."""
    return value.startswith(LIBRARY)


class VectorTable:
    """Vectors of one model, in half precision (which changes a cosine by less than 0.0001)."""

    def __init__(self, database: Database, model: str) -> None:
        self._database = database
        self._name = model
        query = "SELECT number FROM models WHERE name = ?"
        with database.reading() as db:
            row = db.execute(query, (model,)).fetchone()
        if row is None and not database.read_only:
            with database.writing() as (db, _):
                db.execute("INSERT OR IGNORE INTO models (name) VALUES (?)", (model,))
                row = db.execute(query, (model,)).fetchone()
        # No model has the number 0: a read-only table without this model has no vectors.
        self._model = 0 if row is None else int(row[0])

    def check(self, dimensions: int) -> None:
        """Raises ModelUnavailable if the vectors kept of this model have another number of dimensions."""
        with self._database.reading() as db:
            row = db.execute("SELECT dimensions FROM models WHERE number = ?", (self._model,)).fetchone()
        known = None if row is None else row[0]
        if known is not None and known != dimensions:
            raise ModelUnavailable(
                f"the stored vectors of the model {self._name} have {known} dimensions, but it now gives {dimensions}",
                "another model has the same name: rename it, or use another CITEPLUG_HOME",
            )

    def put(self, keys: Sequence[bytes], vectors: Vectors) -> Vectors:
        """Keep vectors by text digest; `vectors` is (n, d). Those that are there already stay.

        Returns them as they will be read, so that the first run and the next see the same numbers. Raises
        ModelUnavailable if earlier vectors have another number of dimensions.
        """
        self.check(vectors.shape[1])
        halves = np.asarray(vectors, dtype="<f2")
        with self._database.writing() as (db, generation):
            db.execute("UPDATE models SET dimensions = ? WHERE number = ?", (vectors.shape[1], self._model))
            db.executemany(
                "INSERT OR IGNORE INTO vectors (model, text, vector, generation) VALUES (?, ?, ?, ?)",
                ((self._model, key, half.tobytes(), generation) for key, half in zip(keys, halves, strict=True)),
            )
        return as_kept(vectors)

    def by_text(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        """Unit vectors (d,) float32 by text digest; those not computed yet are left out."""
        with self._database.reading() as db:
            rows = list(select(db, f"SELECT text, vector FROM vectors WHERE model = {self._model} AND text IN", keys))
        return _by_key(rows)

    def joined(self, table: str) -> tuple[list[int], Vectors]:
        """Numbers of the rows of `table` whose `key` has a vector, in order, and these: (n, d) float32, unit rows."""
        query = (
            f"SELECT t.number, v.vector FROM {table} t CROSS JOIN vectors v"
            f" ON v.model = {self._model} AND v.text = t.key ORDER BY t.number"
        )
        with self._database.reading() as db:
            rows = db.execute(query).fetchall()
        return [row[0] for row in rows], _unpack([row[1] for row in rows], len(rows))

    def have(self, keys: Sequence[bytes]) -> set[bytes]:
        """Return those of these text digests that have a vector."""
        with self._database.reading() as db:
            rows = select(db, f"SELECT text FROM vectors WHERE model = {self._model} AND text IN", keys)
            return {row[0] for row in rows}

    def by_id(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """Unit vectors (d,) float32 by paper id; those not computed yet are left out."""
        query = (
            # CROSS JOIN makes SQLite use this order: the other one reads every vector of the model.
            f"SELECT p.id, v.vector FROM papers p CROSS JOIN vectors v"
            f" ON v.model = {self._model} AND v.text = p.text WHERE p.id IN"
        )
        with self._database.reading() as db:
            rows = list(select(db, query, ids))
        return _by_key(rows)

    def missing(self) -> list[str]:
        """Ids of the papers that have no vector yet, newest first."""
        query = (
            f"SELECT id FROM papers WHERE text NOT IN (SELECT text FROM vectors WHERE model = {self._model})"
            " ORDER BY published DESC, id DESC"
        )
        return self._database.column(query)

    def missing_in(self, categories: Sequence[str], size: int) -> Iterator[list[str]]:
        """As `missing`, in parts of `size` and without holding all: papers listed in one of `categories`, or all.

        Each part is of papers that had no vector when it was read.
        """
        condition, parameters = self._listed(categories)
        query = (
            f"SELECT published, categories, id FROM papers p WHERE (published, categories, id) < (?, ?, ?)"
            f" AND {condition} ORDER BY published DESC, categories DESC, id DESC LIMIT {size}"
        )
        after = ("9999-12-31", "~", "~")
        while True:
            with self._database.reading() as db:
                rows = db.execute(query, (*after, *parameters)).fetchall()
            if not rows:
                return
            after = rows[-1]
            yield [row[2] for row in rows]

    def count_missing(self, categories: Sequence[str]) -> int:
        """Count the papers in one of `categories`, or all, that have no vector."""
        condition, parameters = self._listed(categories)
        return self._database.number(f"SELECT count(*) FROM papers p WHERE {condition}", parameters)

    def _listed(self, categories: Sequence[str]) -> tuple[str, list[str]]:
        """The condition on a paper `p`, and its parameters; an archive such as `cs` takes its categories too."""
        unknown = f"NOT EXISTS (SELECT 1 FROM vectors v WHERE v.model = {self._model} AND v.text = p.text)"
        if not categories:
            return unknown, []
        names = ("' ' || categories || ' ' GLOB '* ' || ? || '[ .]*'" for _ in categories)
        return f"({' OR '.join(names)}) AND {unknown}", [*categories]

    def embedded_papers(self) -> int:
        """Count the papers that have a vector."""
        query = f"SELECT count(*) FROM vectors v CROSS JOIN papers p ON p.text = v.text WHERE v.model = {self._model}"
        return self._database.number(query)

    def categories(self) -> dict[str, int]:
        """Count the papers that have a vector, by primary category."""
        query = (
            "SELECT p.categories, count(*) FROM vectors v CROSS JOIN papers p ON p.text = v.text"
            f" WHERE v.model = {self._model} GROUP BY p.categories"
        )
        counts: Counter[str] = Counter()
        with self._database.reading() as db:
            for names, count in db.execute(query):
                counts[names.split()[0] if names.strip() else ""] += count
        del counts[""]
        return dict(counts)

    def changed(self, since: int, most: int) -> list[tuple[str, bytes, int]]:
        """(id, text digest, generation) of embedded papers whose text or vector is newer than `since`, oldest first.

        Whole generations only: `most` or more rows, unless fewer have changed.
        """
        # Few of all papers have a vector, so the first time the vectors lead; later the newly written papers do.
        newer = "vectors v CROSS JOIN papers p" if since == 0 else "papers p CROSS JOIN vectors v"
        arms = (
            # The later write of the two counts, so that a row comes once.
            ("vectors v CROSS JOIN papers p ON p.text = v.text AND p.generation <= v.generation", "v.generation"),
            (f"{newer} ON v.text = p.text AND v.generation < p.generation", "p.generation"),
        )
        parameters = {"model": self._model, "since": since, "most": most, "until": 1 << 62}
        rows: list[tuple[str, bytes, int]] = []
        with self._database.snapshot() as db:
            for arm, column in arms:
                source = f"FROM {arm} WHERE v.model = :model AND {column} > :since"
                query = f"SELECT {column} {source} ORDER BY {column} LIMIT 1 OFFSET :most - 1"
                if boundary := db.execute(query, parameters).fetchone():
                    parameters["until"] = min(parameters["until"], boundary[0])
            for arm, column in arms:
                source = f"FROM {arm} WHERE v.model = :model AND {column} > :since"
                query = f"SELECT p.id, p.text, {column} {source} AND {column} <= :until"
                rows += db.execute(query, parameters).fetchall()
        return sorted(rows, key=lambda row: row[2])

    def are_few(self) -> bool:
        """Return True if so few texts have a vector that a scan of the vectors is faster than one of the records."""
        vectors, papers = (
            self._database.number(f"SELECT coalesce(max(number), 0) FROM {name}") for name in ("vectors", "papers")
        )
        return bool(4 * vectors < papers)

    def admitted(self, where: Filter) -> list[tuple[str, bytes]]:
        """(id, digest of its text) of every embedded record that `where` admits."""
        query = (
            "SELECT p.id, p.published, p.categories, p.text FROM vectors v CROSS JOIN papers p ON p.text = v.text"
            f" WHERE v.model = {self._model} AND p.published < ?"
        )
        with self._database.reading() as db:
            rows = db.execute(query, (day_before(where),))
            return [(row[0], row[3]) for row in rows if admits_row(where, row[0], row[1], row[2])]

    def own(self) -> list[str]:
        """Ids of the works of the author's library."""
        return self._database.column("SELECT id FROM papers WHERE id >= ? AND id < ?", (LIBRARY, LIBRARY[:-1] + ";"))

    def matrix(self, keys: Sequence[bytes]) -> tuple[list[bytes], Vectors]:
        """As `by_text`, for any number of texts: the digests found, and their vectors as the rows of (n, d)."""
        query = f"SELECT text, vector FROM vectors WHERE model = {self._model}"
        wanted = set(keys)
        with self._database.reading() as db:
            rows = select(db, f"{query} AND text IN", keys) if len(keys) < _FEW else db.execute(query)
            listed = [row for row in rows if row[0] in wanted]
        return [text for text, _ in listed], _unpack([blob for _, blob in listed], len(listed))


def _by_key(rows: Sequence[tuple[Key, bytes]]) -> dict[Key, Vectors]:
    return dict(zip((key for key, _ in rows), _unpack([blob for _, blob in rows], len(rows)), strict=True))


def as_kept(vectors: Vectors) -> Vectors:
    """Return vectors as they are read from the table: unit rows, in half precision."""
    return _unpack([np.asarray(vectors, dtype="<f2").tobytes()], len(vectors))


def _unpack(blobs: Sequence[bytes], rows: int) -> Vectors:
    """(rows, d) float32 with unit rows: half precision is undone by normalising again."""
    if not rows:
        return np.zeros((0, 0), np.float32)
    wide = np.frombuffer(b"".join(blobs), dtype="<f2").reshape(rows, -1).astype(np.float32)
    norms = np.sqrt(np.einsum("ij,ij->i", wide, wide))
    unit: Vectors = wide / np.maximum(norms, 1e-12)[:, None]
    return unit
