"""Prepared knowledge in SQLite: what was made of each paper's text, by its digest, the model and the prompt's version.

A file of its own: questions are embedded as a kind of vectors by themselves, and never searched with abstracts or
passages. What is made of one paper is one transaction, so that whatever ends a run keeps the papers before it.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any, ClassVar

from citeplug.corpus.database import VECTOR_TABLES, Database, select
from citeplug.records.prepared import Fact, Pair, Place, Prepared

PATTERNS = "patterns"
_BY_PATTERNS = 2  # another number when what is made without a model changes
_BY_MODEL = 1  # another number when the prompt or the checks of its answers change
_TABLES = """
CREATE TABLE state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE prepared (
    number INTEGER PRIMARY KEY,
    paper TEXT NOT NULL,
    made_by TEXT NOT NULL,
    prompt INTEGER NOT NULL,
    digest TEXT NOT NULL,
    title TEXT NOT NULL,
    version INTEGER,
    of TEXT NOT NULL,
    facts TEXT NOT NULL,
    dropped TEXT NOT NULL
);
CREATE UNIQUE INDEX prepared_paper ON prepared (paper, made_by);
CREATE TABLE questions (
    number INTEGER PRIMARY KEY,
    prepared INTEGER NOT NULL REFERENCES prepared,
    key BLOB NOT NULL,
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    quote TEXT NOT NULL,
    passage INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL
);
CREATE INDEX questions_prepared ON questions (prepared);
CREATE INDEX questions_key ON questions (key)
"""


class PreparedDatabase(Database):
    """The file of the prepared knowledge. Errors: `Database`."""

    tables: ClassVar[str] = VECTOR_TABLES + _TABLES


class PreparedStore:
    """What was prepared, in `home`/prepared."""

    def __init__(self, home: Path) -> None:
        self.database = PreparedDatabase(place(home))

    def close(self) -> None:
        self.database.close()

    def is_current(self, paper: str, digest: str, made_by: str) -> bool:
        """True if what is kept was made from this text, by this maker, with the prompt in use."""
        query = "SELECT 1 FROM prepared WHERE paper = ? AND made_by = ? AND digest = ? AND prompt = ?"
        with self.database.reading() as db:
            return db.execute(query, (paper, made_by, digest, prompt_version(made_by))).fetchone() is not None

    def put(self, made: Prepared) -> None:
        """Keep what was made of a paper in place of what the same maker made of it before."""
        with self.database.writing() as (db, _):
            _delete(db, "paper = ? AND made_by = ?", (made.paper, made.made_by))
            row = (
                made.paper,
                made.made_by,
                prompt_version(made.made_by),
                made.digest,
                made.title,
                made.version,
                made.of,
                json.dumps([asdict(fact) for fact in made.facts], ensure_ascii=False),
                json.dumps(dict(made.dropped)),
            )
            number = db.execute(
                "INSERT INTO prepared (paper, made_by, prompt, digest, title, version, of, facts, dropped)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            ).lastrowid
            db.executemany(
                "INSERT INTO questions (prepared, key, question, answer, quote, passage, start, stop)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (number, question_key(pair.question), pair.question, pair.answer, pair.quote, *astuple(pair.place))
                    for pair in made.pairs
                ),
            )

    def read(self, papers: Sequence[str]) -> list[Prepared]:
        """What was made of these papers, in their order, by patterns before by models."""
        with self.database.snapshot() as db:
            rows = list(select(db, f"SELECT {_FIELDS} FROM prepared WHERE paper IN", list(dict.fromkeys(papers))))
            pairs = _pairs(db, [row[0] for row in rows])
        order = {paper: at for at, paper in enumerate(papers)}
        rows.sort(key=lambda row: (order[row[1]], row[2] != PATTERNS, row[2]))
        return [_prepared(row, pairs.get(row[0], ())) for row in rows]

    def papers(self) -> list[str]:
        """The ids of all papers of which something was made."""
        return self.database.column("SELECT DISTINCT paper FROM prepared ORDER BY paper")

    def remove(self, papers: Iterable[str]) -> None:
        """Delete what was made of these papers."""
        with self.database.writing() as (db, _):
            for paper in papers:
                _delete(db, "paper = ?", (paper,))

    def facts(self) -> dict[str, int]:
        """Counts of what is kept; `vectors` are those of questions by all models, and `orphaned` the ones without it."""
        kinds = {
            "papers": "count(DISTINCT paper) FROM prepared",
            "questions": "count(*) FROM questions",
            "vectors": "count(*) FROM vectors",
            "orphaned": f"count(*) {ORPHANS}",
        }
        with self.database.reading() as db:
            counts = {kind: int(db.execute(f"SELECT {count}").fetchone()[0]) for kind, count in kinds.items()}
        path = self.database.path
        return {**counts, "size_bytes": sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))}


@contextmanager
def open_prepared(home: Path) -> Iterator[PreparedStore | None]:
    """Open what was prepared; None where nothing was, and no file is made. Raises StoreBroken."""
    if not place(home).is_file():
        yield None
        return
    with closing(PreparedStore(home)) as store:
        yield store


def place(home: Path) -> Path:
    """The file of the prepared knowledge."""
    return home / "prepared" / "prepared.sqlite3"


def prompt_version(made_by: str) -> int:
    """Number of the patterns or of the prompt that are in use."""
    return _BY_PATTERNS if made_by == PATTERNS else _BY_MODEL


def question_key(question: str) -> bytes:
    """First 16 bytes of the SHA-256 of a question: the key of its vectors."""
    return hashlib.sha256(question.encode("utf-8", "replace")).digest()[:16]


ORPHANS = "FROM vectors WHERE text NOT IN (SELECT key FROM questions)"
_FIELDS = "number, paper, made_by, digest, title, version, of, facts, dropped"


def _delete(db: Any, which: str, parameters: Sequence[Any]) -> None:
    db.execute(f"DELETE FROM questions WHERE prepared IN (SELECT number FROM prepared WHERE {which})", parameters)
    db.execute(f"DELETE FROM prepared WHERE {which}", parameters)


def _pairs(db: Any, numbers: Sequence[int]) -> dict[int, tuple[Pair, ...]]:
    query = "SELECT prepared, question, answer, quote, passage, start, stop FROM questions WHERE prepared IN"
    pairs: dict[int, tuple[Pair, ...]] = {}
    for number, question, answer, quote, *place in select(db, query, list(numbers)):
        pairs[number] = (*pairs.get(number, ()), Pair(question, answer, quote, Place(*place)))
    return pairs


def _prepared(row: Sequence[Any], pairs: tuple[Pair, ...]) -> Prepared:
    _, paper, made_by, digest, title, version, of, facts, dropped = row
    read = tuple(Fact(f["kind"], f["value"], f["quote"], Place(**f["place"])) for f in json.loads(facts))
    return Prepared(paper, title, version, of, digest, made_by, read, pairs, json.loads(dropped))
