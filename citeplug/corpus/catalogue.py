"""The catalogue: an SQLite file that holds every record and every vector ever computed. It is the truth.

The lexical index and the vector store are derived from it. Every write has a number, one larger than the
last (`generation`); each row remembers the write that touched it, and `derived` how far each derived index
has come, so that whatever a crash cut off is found by comparing two numbers.
"""

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from citeplug.corpus.serialise import record_digest, text_digest
from citeplug.corpus.trouble import telling_disk_trouble
from citeplug.errors import StoreBroken
from citeplug.ports import Vectors
from citeplug.records.paper import ArxivId, Filter, Paper

SCHEMA = 1
_FEW = 20_000  # vectors that are faster looked up one by one than picked out of all
_AT_ONCE = 500  # ids in one SELECT; old builds of SQLite allow 999 parameters

_TABLES = """
CREATE TABLE state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE papers (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    version INTEGER,
    title TEXT NOT NULL,
    abstract TEXT NOT NULL,
    authors TEXT NOT NULL,
    published TEXT NOT NULL,
    updated TEXT NOT NULL,
    categories TEXT NOT NULL,
    doi TEXT,
    journal_ref TEXT,
    comment TEXT,
    abstract_kind TEXT NOT NULL,
    month TEXT NOT NULL,
    digest BLOB NOT NULL,
    text BLOB NOT NULL,
    generation INTEGER NOT NULL
);
CREATE INDEX papers_generation ON papers (generation);
CREATE INDEX papers_text ON papers (text);
CREATE INDEX papers_month ON papers (month);
CREATE INDEX papers_filter ON papers (published, categories, id, text);
CREATE TABLE models (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE vectors (
    number INTEGER PRIMARY KEY,
    model INTEGER NOT NULL REFERENCES models,
    text BLOB NOT NULL,
    vector BLOB NOT NULL,
    generation INTEGER NOT NULL
);
CREATE UNIQUE INDEX vectors_text ON vectors (model, text);
CREATE INDEX vectors_generation ON vectors (model, generation);
CREATE TABLE derived (
    name TEXT PRIMARY KEY, build TEXT NOT NULL, generation INTEGER NOT NULL, rows INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE unread (id TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_FIELDS = (
    "id, version, title, abstract, authors, published, updated, categories, doi, journal_ref, comment, abstract_kind"
)


@dataclass(frozen=True, slots=True)
class Changes:
    """How many of the given records were new, changed, and left as they were."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0


@dataclass(frozen=True, slots=True)
class Derived:
    """How far a derived index has come: all writes up to `generation` are in it, in `rows` rows.

    `build` names its present form; another name says that readers have to open it anew.
    """

    build: str
    generation: int
    rows: int


class Catalogue:
    """One open catalogue; safe to use from several threads. The file is made when it is not there.

    Raises StoreBroken if it cannot be opened, is damaged, or was made by a newer citeplug; every method may
    raise StoreBroken (full disk, read-only folder) and StoreBusy.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        with telling_disk_trouble(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            # With WAL, NORMAL can lose the last commits in a power failure, but never tears the file.
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA cache_size = -32000")
            self._make_or_check()

    def _make_or_check(self) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                if self._db.execute("PRAGMA user_version").fetchone()[0] == 0:
                    for statement in _TABLES.split(";\n"):
                        self._db.execute(statement)
                    self._db.execute("INSERT INTO state VALUES ('generation', 0)")
                    self._db.execute(f"PRAGMA user_version = {SCHEMA}")
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
        elif version > SCHEMA:
            raise StoreBroken(
                f"{self.path} was made by a newer citeplug", "update citeplug, or name another folder in CITEPLUG_HOME"
            )

    def close(self) -> None:
        with self._lock:
            self._db.close()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, telling_disk_trouble(self.path):
            yield self._db

    @contextmanager
    def _writing(self) -> Iterator[tuple[sqlite3.Connection, int]]:
        """A write transaction and its generation; rolled back on any error."""
        with self._lock, telling_disk_trouble(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                generation = self._state("generation") + 1
                yield self._db, generation
                self._db.execute("UPDATE state SET value = ? WHERE name = 'generation'", (generation,))
                self._db.execute("COMMIT")
            except BaseException:
                # A full disk rolls back by itself.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _state(self, name: str) -> Any:
        row = self._db.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
        return None if row is None else row[0]

    @property
    def generation(self) -> int:
        """Number of the last write, by any process."""
        with self._reading():
            return int(self._state("generation"))

    # Records

    def put(self, papers: Sequence[Paper]) -> Changes:
        """Take in records in one transaction: unchanged, changed or new by their digest (Citegeist, 3.2.1).

        A record that is poorer than the one that is there (see `supersedes`) leaves it as it is. Of two
        records with one id among `papers` the later counts.
        """
        latest = {paper.id.value: paper for paper in papers}
        digests = {value: record_digest(paper) for value, paper in latest.items()}
        with self._writing() as (db, generation):
            known = dict(_select(db, "SELECT id, digest FROM papers WHERE id IN", list(latest)))
            differing = [value for value, digest in digests.items() if known.get(value, digest) != digest]
            stored = {
                p.id.value: p for p in _papers(_select(db, f"SELECT {_FIELDS} FROM papers WHERE id IN", differing))
            }
            changed = [value for value in differing if supersedes(latest[value], stored[value])]
            added = [value for value in latest if value not in known]
            db.executemany(
                f"INSERT INTO papers ({_FIELDS}, month, digest, text, generation)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (_row(latest[value], digests[value], generation) for value in added),
            )
            db.executemany(
                "UPDATE papers SET version = ?2, title = ?3, abstract = ?4, authors = ?5, published = ?6,"
                " updated = ?7, categories = ?8, doi = ?9, journal_ref = ?10, comment = ?11, abstract_kind = ?12,"
                " month = ?13, digest = ?14, text = ?15, generation = ?16 WHERE id = ?1",
                (_row(latest[value], digests[value], generation) for value in changed),
            )
        return Changes(len(added), len(changed), len(papers) - len(added) - len(changed))

    def papers(self, ids: Sequence[str]) -> dict[str, Paper]:
        """Records by id without version; unknown ids are left out."""
        with self._reading() as db:
            return {p.id.value: p for p in _papers(_select(db, f"SELECT {_FIELDS} FROM papers WHERE id IN", ids))}

    def records(self) -> int:
        """How many records there are."""
        with self._reading() as db:
            return int(db.execute("SELECT count(*) FROM papers").fetchone()[0])

    def last_change(self) -> int:
        """The generation in which a record was last written."""
        with self._reading() as db:
            return int(db.execute("SELECT coalesce(max(generation), 0) FROM papers").fetchone()[0])

    def changed_papers(self, since: int, until: int) -> Iterator[Paper]:
        """Records written after generation `since`, up to and with `until`, in the order of their writes."""
        after = (since, 0)
        while True:
            with self._reading() as db:
                rows = db.execute(
                    f"SELECT {_FIELDS}, generation, number FROM papers"
                    " WHERE (generation, number) > (?, ?) AND generation > ? AND generation <= ?"
                    " ORDER BY generation, number LIMIT 2000",
                    (*after, since, until),
                ).fetchall()
            if not rows:
                return
            yield from _papers(row[:-2] for row in rows)
            after = rows[-1][-2:]

    # What is known to be there in full

    def declare_complete(self, until: date, unread: Iterable[str]) -> None:
        """Remember that every paper up to `until` was taken in, save those whose lines could not be read."""
        with self._writing() as (db, _):
            if self._state("complete_to") is None or self._state("complete_to") < until.isoformat():
                db.execute("INSERT OR REPLACE INTO state VALUES ('complete_to', ?)", (until.isoformat(),))
            db.executemany("INSERT OR IGNORE INTO unread VALUES (?)", ((value,) for value in unread))

    def complete_to(self) -> date | None:
        """The day up to which the catalogue was declared complete."""
        with self._reading():
            day = self._state("complete_to")
        return date.fromisoformat(day) if day else None

    def is_unread(self, value: str) -> bool:
        """Whether a line of that id was there and could not be read."""
        with self._reading() as db:
            return db.execute("SELECT 1 FROM unread WHERE id = ?", (value,)).fetchone() is not None

    def holds_month(self, arxiv_id: ArxivId) -> bool:
        """Whether there is a record of that id's month (and archive, for ids of the old scheme)."""
        with self._reading() as db:
            return db.execute("SELECT 1 FROM papers WHERE month = ?", (_month(arxiv_id),)).fetchone() is not None

    # Vectors

    def model_number(self, name: str) -> int | None:
        """The number that stands for a model, None if it has no vector here."""
        with self._reading() as db:
            row = db.execute("SELECT number FROM models WHERE name = ?", (name,)).fetchone()
        return None if row is None else int(row[0])

    def add_model(self, name: str) -> int:
        """The number that stands for a model, from now on."""
        with self._writing() as (db, _):
            db.execute("INSERT OR IGNORE INTO models (name) VALUES (?)", (name,))
            return int(db.execute("SELECT number FROM models WHERE name = ?", (name,)).fetchone()[0])

    def put_vectors(self, model: int, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Keep vectors by text digest; `vectors` is (n, d). Those that are there already stay."""
        halves = np.asarray(vectors, dtype="<f2")
        with self._writing() as (db, generation):
            db.executemany(
                "INSERT OR IGNORE INTO vectors (model, text, vector, generation) VALUES (?, ?, ?, ?)",
                ((model, key, half.tobytes(), generation) for key, half in zip(keys, halves, strict=True)),
            )

    def vectors_by_text(self, model: int, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        """Unit vectors (d,) float32 by text digest; those not computed yet are left out."""
        with self._reading() as db:
            rows = list(_select(db, f"SELECT text, vector FROM vectors WHERE model = {model} AND text IN", keys))
        return dict(zip((row[0] for row in rows), _unpack(row[1] for row in rows), strict=True))

    def vectors_by_id(self, model: int, ids: Sequence[str]) -> dict[str, Vectors]:
        """Unit vectors (d,) float32 by paper id; those not computed yet are left out."""
        query = (
            # CROSS JOIN holds SQLite to this order: the other one reads every vector of the model.
            f"SELECT p.id, v.vector FROM papers p CROSS JOIN vectors v"
            f" ON v.model = {model} AND v.text = p.text WHERE p.id IN"
        )
        with self._reading() as db:
            rows = list(_select(db, query, ids))
        return dict(zip((row[0] for row in rows), _unpack(row[1] for row in rows), strict=True))

    def text_keys(self, ids: Sequence[str]) -> dict[str, bytes]:
        """Digests of the texts that stand for papers in the vector space, by id."""
        with self._reading() as db:
            return dict(_select(db, "SELECT id, text FROM papers WHERE id IN", ids))

    def changed_vectors(self, model: int, since: int, most: int) -> list[tuple[str, bytes, int]]:
        """(id, text digest, generation) of embedded papers whose text or vector is newer than `since`, oldest first.

        Whole generations only: `most` or more rows, unless fewer have changed. A paper may come twice.
        """
        arms = (
            ("vectors v CROSS JOIN papers p ON p.text = v.text WHERE v.model = :model", "v.generation"),
            ("papers p CROSS JOIN vectors v ON v.model = :model AND v.text = p.text WHERE true", "p.generation"),
        )
        given = {"model": model, "since": since, "most": most, "until": 1 << 62}
        rows: list[tuple[str, bytes, int]] = []
        with self._reading() as db:
            for arm, column in arms:
                query = f"SELECT {column} FROM {arm} AND {column} > :since ORDER BY {column} LIMIT 1 OFFSET :most - 1"
                boundary = db.execute(query, given).fetchone()
                given["until"] = min(given["until"], boundary[0]) if boundary else given["until"]
            for arm, column in arms:
                query = f"SELECT p.id, p.text, {column} FROM {arm} AND {column} > :since AND {column} <= :until"
                rows += db.execute(query, given).fetchall()
        return sorted(rows, key=lambda row: row[2])

    def matrix(self, model: int, where: Filter) -> tuple[list[str], Vectors]:
        """Ids and vectors (n, d) of all embedded papers that `where` admits."""
        with self._reading() as db:
            # The index papers_filter answers this alone, without the records.
            query = "SELECT id, published, categories, text FROM papers WHERE published < ?"
            rows = db.execute(query, (_before(where),))
            wanted = [(row[0], row[3]) for row in rows if _admits(where, row[0], row[1], row[2])]
            # Two papers may have one text: withdrawn and submitted again, for example.
            texts = {text for _, text in wanted}
            query = f"SELECT text, vector FROM vectors WHERE model = {model}"
            found = _select(db, f"{query} AND text IN", list(texts)) if len(texts) < _FEW else db.execute(query)
            blobs = {text: blob for text, blob in found if text in texts}
        ids = [(value, text) for value, text in wanted if text in blobs]
        return [value for value, _ in ids], _unpack(blobs[text] for _, text in ids)

    def admitted(self, ids: Sequence[str], where: Filter) -> dict[str, bytes]:
        """Of these ids, those that `where` admits, with the digest of their text."""
        with self._reading() as db:
            rows = _select(db, "SELECT id, published, categories, text FROM papers WHERE id IN", ids)
            return {row[0]: row[3] for row in rows if _admits(where, row[0], row[1], row[2])}

    # Derived indexes

    def derived(self, name: str) -> Derived | None:
        """How far the derived index of that name has come; None if it was never made."""
        with self._reading() as db:
            row = db.execute("SELECT build, generation, rows FROM derived WHERE name = ?", (name,)).fetchone()
        return None if row is None else Derived(*row)

    def set_derived(self, name: str, state: Derived) -> None:
        """Remember how far it has come; only for who holds the lock of that index."""
        with self._lock, telling_disk_trouble(self.path):
            row = (name, state.build, state.generation, state.rows)
            self._db.execute("INSERT OR REPLACE INTO derived VALUES (?, ?, ?, ?)", row)

    def advance_derived(self, name: str, seen: Derived, generation: int) -> None:
        """Say that nothing between `seen` and `generation` concerns that index; unless it has moved meanwhile."""
        with self._lock, telling_disk_trouble(self.path):
            query = "UPDATE derived SET generation = ? WHERE name = ? AND build = ? AND generation = ?"
            self._db.execute(query, (generation, name, seen.build, seen.generation))

    # Facts

    def newest(self) -> date | None:
        """The latest v1 date."""
        with self._reading() as db:
            day = db.execute("SELECT max(published) FROM papers").fetchone()[0]
        return date.fromisoformat(day) if day else None

    def models(self) -> list[str]:
        """Names of the models that vectors were computed with."""
        with self._reading() as db:
            return [row[0] for row in db.execute("SELECT name FROM models ORDER BY number")]

    def embedded_by_any(self) -> int:
        """How many records have a vector of some model."""
        with self._reading() as db:
            query = "SELECT count(DISTINCT p.number) FROM vectors v JOIN papers p ON p.text = v.text"
            return int(db.execute(query).fetchone()[0])

    def categories(self) -> dict[str, int]:
        """How many records are listed in each category, most first."""
        counts: dict[str, int] = {}
        with self._reading() as db:
            for names, count in db.execute("SELECT categories, count(*) FROM papers GROUP BY categories"):
                for name in names.split():
                    counts[name] = counts.get(name, 0) + count
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def supersedes(new: Paper, old: Paper) -> bool:
    """Whether `new` may take the place of another record of the same paper.

    An abstract is never lost to a summary, a complete record never to one without authors, and a later
    version never to an earlier one: so the order in which files are added does not matter.
    """
    if new.abstract_kind != old.abstract_kind:
        return new.abstract_kind == "abstract"
    if new.complete != old.complete:
        return new.complete
    if new.id.version is not None and old.id.version is not None and new.id.version != old.id.version:
        return new.id.version > old.id.version
    return new.updated >= old.updated


def _row(paper: Paper, digest: bytes, generation: int) -> tuple[object, ...]:
    return (
        paper.id.value,
        paper.id.version,
        paper.title,
        paper.abstract,
        json.dumps(paper.authors, ensure_ascii=False),
        paper.published.isoformat(),
        paper.updated.isoformat(),
        " ".join(paper.categories),
        paper.doi,
        paper.journal_ref,
        paper.comment,
        paper.abstract_kind,
        _month(paper.id),
        digest,
        text_digest(paper),
        generation,
    )


def _papers(rows: Iterable[Sequence[Any]]) -> Iterator[Paper]:
    for row in rows:
        yield Paper(
            id=ArxivId(row[0], row[1]),
            title=row[2],
            abstract=row[3],
            authors=tuple(json.loads(row[4])),
            published=date.fromisoformat(row[5]),
            updated=date.fromisoformat(row[6]),
            categories=tuple(row[7].split()),
            doi=row[8],
            journal_ref=row[9],
            comment=row[10],
            abstract_kind=row[11],
        )


def _select(db: sqlite3.Connection, query: str, keys: Sequence[str] | Sequence[bytes]) -> Iterator[Any]:
    """Rows of `query` (which ends in `IN`) for any number of keys."""
    for start in range(0, len(keys), _AT_ONCE):
        part = keys[start : start + _AT_ONCE]
        yield from db.execute(f"{query} ({','.join('?' * len(part))})", tuple(part)).fetchall()


def _unpack(blobs: Iterable[bytes]) -> Vectors:
    """(n, d) float32 with unit rows: half precision is undone by normalising again."""
    kept = list(blobs)
    if not kept:
        return np.zeros((0, 0), np.float32)
    wide = np.frombuffer(b"".join(kept), dtype="<f2").reshape(len(kept), -1).astype(np.float32)
    norms = np.sqrt(np.einsum("ij,ij->i", wide, wide))
    unit: Vectors = wide / np.maximum(norms, 1e-12)[:, None]
    return unit


def _month(arxiv_id: ArxivId) -> str:
    """`1706` for 1706.03762; `hep-th/9301` for hep-th/9301001, whose archive counted for itself."""
    value = arxiv_id.value
    return value.split(".")[0] if "/" not in value else value[: value.index("/") + 5]


def _before(where: Filter) -> str:
    return where.before.isoformat() if where.before is not None else "9999-99-99"


def _admits(where: Filter, value: str, published: str, categories: str) -> bool:
    """`Filter.admits` on the raw columns, without making a Paper."""
    if published >= _before(where) or value in where.exclude:
        return False
    return not where.categories or any(
        have == want or have.startswith(want + ".") for have in categories.split() for want in where.categories
    )
