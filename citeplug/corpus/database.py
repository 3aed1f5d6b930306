"""The SQLite file of the corpus: its tables, its transactions, and the number of each write."""

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from citeplug.corpus.locking import WAIT
from citeplug.corpus.trouble import telling_disk_trouble
from citeplug.errors import StoreBroken, StoreBusy

_FORBIDDEN = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
_AT_ONCE = 500  # keys in one SELECT; old builds of SQLite allow 999 parameters

# Vectors by model and digest of the text; a file of full texts has the same.
VECTOR_TABLES = """
CREATE TABLE models (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimensions INTEGER);
CREATE TABLE vectors (
    number INTEGER PRIMARY KEY,
    model INTEGER NOT NULL REFERENCES models,
    text BLOB NOT NULL,
    vector BLOB NOT NULL,
    generation INTEGER NOT NULL
);
CREATE UNIQUE INDEX vectors_text ON vectors (model, text);
"""
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
CREATE INDEX vectors_generation ON vectors (model, generation);
CREATE TABLE derived (
    name TEXT PRIMARY KEY, build TEXT NOT NULL, generation INTEGER NOT NULL, rows INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE unread (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE INDEX papers_doi ON papers (lower(doi)) WHERE doi IS NOT NULL;
CREATE INDEX papers_dois ON papers (doi) WHERE doi GLOB '*[ ,;:/#]10.*';
CREATE TABLE arrivals (first INTEGER PRIMARY KEY, came TEXT NOT NULL);
CREATE TABLE edges (
    citing TEXT NOT NULL,
    cited TEXT NOT NULL,
    how TEXT NOT NULL,
    section TEXT,
    sentence TEXT,
    PRIMARY KEY (citing, cited)
) WITHOUT ROWID;
CREATE INDEX edges_cited ON edges (cited, citing);
CREATE TABLE reference_lists (
    citing TEXT NOT NULL,
    source TEXT NOT NULL,
    state TEXT NOT NULL,
    asked TEXT NOT NULL,
    PRIMARY KEY (citing, source)
) WITHOUT ROWID;
CREATE TABLE reference_entries (
    row INTEGER PRIMARY KEY,
    citing TEXT NOT NULL,
    source TEXT NOT NULL,
    number INTEGER NOT NULL,
    key TEXT,
    raw TEXT NOT NULL,
    arxiv_id TEXT,
    doi TEXT,
    title TEXT,
    year INTEGER,
    surnames TEXT NOT NULL,
    others TEXT NOT NULL,
    paper TEXT,
    how TEXT NOT NULL,
    UNIQUE (citing, source, number)
);
CREATE INDEX reference_entries_unresolved ON reference_entries (citing) WHERE paper IS NULL;
CREATE TABLE unresolved_names (
    name INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (name, row)
) WITHOUT ROWID;
CREATE TABLE mentions (
    citing TEXT NOT NULL, number INTEGER NOT NULL, key TEXT NOT NULL, section TEXT NOT NULL, sentence TEXT NOT NULL,
    PRIMARY KEY (citing, number, key)
) WITHOUT ROWID;
CREATE TABLE library (
    number INTEGER PRIMARY KEY,
    paper TEXT NOT NULL,
    file TEXT NOT NULL,
    key TEXT NOT NULL,
    entry TEXT NOT NULL,
    holding TEXT NOT NULL
);
CREATE INDEX library_paper ON library (paper);
CREATE INDEX library_key ON library (key COLLATE NOCASE)
"""


def made_by_newer(path: Path) -> StoreBroken:
    """The error for a file that this version does not know: it is left as it is."""
    hint = "update citeplug, or set CITEPLUG_HOME to another folder"
    return StoreBroken(f"{path} was made by a newer citeplug", hint)


class Database:
    """The open file; safe to use from several threads. It is created if it does not exist, with `tables`.

    Every write has a number, one larger than the last: the `generation`. In a folder that cannot be written the file is
    `read_only`. Raises StoreBroken if the file cannot be opened, is damaged, or was made by a newer citeplug; every
    method may raise StoreBroken (full disk, read-only folder) and StoreBusy.
    """

    tables: ClassVar[str] = VECTOR_TABLES + _TABLES
    schema: ClassVar[int] = 1

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        with telling_disk_trouble(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if _version_in(path) > self.schema:  # before SQLite makes its files beside it
                raise made_by_newer(path)
            self._db, self.read_only = _connect(path)
            self._seen = self._stamp()
            # With WAL, NORMAL can lose the last commits in a power failure, but never tears the file.
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA cache_size = -32000")
            try:
                self._make_or_check()
            except BaseException:
                self._db.close()
                raise

    def _make_or_check(self) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                if self._db.execute("PRAGMA user_version").fetchone()[0] == 0:
                    for statement in self.tables.split(";\n"):
                        self._db.execute(statement)
                    self._db.execute("INSERT INTO state VALUES ('generation', 0)")
                    self._db.execute(f"PRAGMA user_version = {self.schema}")
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
        elif version > self.schema:
            raise made_by_newer(self.path)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Hold the connection, for this thread alone."""
        with self._lock, telling_disk_trouble(self.path):
            if self.read_only and not self._db.in_transaction and self._seen != (now := self._stamp()):
                # SQLite assumes that nobody writes a file that it cannot write itself.
                self._db.close()
                (self._db, self.read_only), self._seen = _connect(self.path), now
            yield self._db

    def _stamp(self) -> tuple[int, int]:
        state = self.path.stat()
        return state.st_mtime_ns, state.st_size

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """As `reading`; all reads see one state, even if other processes write meanwhile."""
        with self.reading() as db:
            db.execute("BEGIN")
            try:
                yield db
            finally:
                db.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[tuple[sqlite3.Connection, int]]:
        """A write transaction and its generation; rolled back on any error."""
        with self._lock, telling_disk_trouble(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                generation = self.state("generation") + 1
                yield self._db, generation
                self._db.execute("UPDATE state SET value = ? WHERE name = 'generation'", (generation,))
                self._db.execute("COMMIT")
            except BaseException:
                # On a full disk SQLite has rolled back by itself.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def state(self, name: str) -> Any:
        """A value of the table `state`; only inside `reading` or `writing`."""
        row = self._db.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
        return None if row is None else row[0]

    def column(self, query: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """The first value of each row of a query."""
        with self.reading() as db:
            return [row[0] for row in db.execute(query, parameters)]

    def number(self, query: str, parameters: Sequence[Any] = ()) -> int:
        """The whole number that a query gives."""
        return int(self.column(query, parameters)[0])

    def remove_vectors(self, which: str, models: Sequence[str], *, dry_run: bool) -> tuple[int, int]:
        """Delete vectors by a condition with a parameter for each of `models`; return how many, and their bytes."""
        with self.reading() as db:
            query = f"SELECT count(*), coalesce(sum(length(vector)), 0) FROM vectors WHERE {which}"
            count, size = db.execute(query, models).fetchone()
        if count and not dry_run:
            with self.writing() as (db, _):
                db.execute(f"DELETE FROM vectors WHERE {which}", models)
        return count, size

    def damage(self) -> str:
        """The first error of SQLite's check of the file; empty for a sound one."""
        try:
            with self.reading() as db:
                result = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
        except StoreBroken as error:
            return str(error)
        return "" if result == "ok" else result

    def shrink(self) -> None:
        """Give the free space of the file back. If another process reads it, the space is used again instead."""
        with suppress(StoreBusy), self.reading() as db:
            free, pages = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count"))
            if free * 20 > pages:
                db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @property
    def generation(self) -> int:
        """Number of the last write, by any process."""
        with self.reading():
            return int(self.state("generation"))


def _connect(path: Path) -> tuple[sqlite3.Connection, bool]:
    """Open the SQLite file, created if it does not exist; return the connection, and True if it is read-only.

    It is in a folder that cannot be written, such as another user's or a snapshot. Raises sqlite3.Error if it cannot be
    read either.
    """
    db = _open(str(path))
    try:
        _keep_a_log(db)
        return db, False
    except sqlite3.OperationalError as error:
        db.close()
        # Without the content of its log, the file may be in the middle of a write.
        log = path.with_name(f"{path.name}-wal")
        if (
            error.sqlite_errorcode & 0xFF not in _FORBIDDEN
            or not path.is_file()
            or (log.exists() and log.stat().st_size)
        ):
            raise
    return _open(f"{path.absolute().as_uri()}?immutable=1"), True


def _version_in(path: Path) -> int:
    """The `user_version` in the header of a file; what is in its log is not seen."""
    try:
        with path.open("rb") as file:
            header = file.read(64)
    except OSError:
        return 0
    return int.from_bytes(header[60:]) if header.startswith(b"SQLite format 3\0") else 0


def _keep_a_log(db: sqlite3.Connection) -> None:
    """Switch to WAL, with retries: SQLite's timeout does not apply if several processes do so at the same time."""
    end = time.monotonic() + WAIT
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return


def _open(name: str) -> sqlite3.Connection:
    uri = name.startswith("file:")
    return sqlite3.connect(name, timeout=WAIT, isolation_level=None, check_same_thread=False, uri=uri)


def select(
    db: sqlite3.Connection,
    query: str,
    keys: Sequence[str] | Sequence[bytes] | Sequence[int],
    parameters: Sequence[str] = (),
) -> Iterator[Any]:
    """Rows of `query` (which ends in `IN`) for any number of keys; `parameters` are those before them."""
    for start in range(0, len(keys), _AT_ONCE):
        part = keys[start : start + _AT_ONCE]
        yield from db.execute(f"{query} ({','.join('?' * len(part))})", (*parameters, *part)).fetchall()
