"""The file of topics: the topics, the model that assigns them, and the topic of each record."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from citeplug.corpus.topics.model import Fitted, TopicModel
from citeplug.corpus.trouble import telling_disk_trouble
from citeplug.corpus.unwritable import connect
from citeplug.errors import StoreBroken
from citeplug.records.paper import Paper
from citeplug.records.topics import Topic

NAME = "topics.sqlite3"
# `generation` and `number` in `state` are those of the last row of the catalogue that was given its topic.
_TABLES = """
CREATE TABLE state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE topics (number INTEGER PRIMARY KEY, name TEXT NOT NULL, words TEXT NOT NULL);
CREATE TABLE model (data BLOB NOT NULL);
CREATE TABLE papers (id TEXT PRIMARY KEY, topic INTEGER) WITHOUT ROWID;
CREATE INDEX papers_topic ON papers (topic)
"""


def make_file(folder: Path, fitted: Fitted) -> None:
    """Make a new file in a new folder, in which no record has a topic yet."""
    with telling_disk_trouble(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with opened(folder, fresh=True) as db:
        db.execute("BEGIN IMMEDIATE")
        for statement in _TABLES.split(";\n"):
            db.execute(statement)
        named = enumerate(zip(fitted.names, fitted.words, strict=True), 1)
        db.executemany("INSERT INTO topics VALUES (?, ?, ?)", ((n, name, json.dumps(w)) for n, (name, w) in named))
        db.execute("INSERT INTO model VALUES (?)", (fitted.model.to_bytes(),))
        made = datetime.now(UTC).isoformat(timespec="seconds")
        facts = {"made": made, "method": fitted.method, "generation": 0, "number": 0}
        db.executemany("INSERT INTO state VALUES (?, ?)", facts.items())
        db.execute("COMMIT")


@contextmanager
def opened(folder: Path, *, fresh: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the file in `folder`. Raises StoreBroken if it does not exist or cannot be read."""
    path = folder / NAME
    if not fresh and not path.exists():
        raise _unreadable(path, "it does not exist")
    try:
        with telling_disk_trouble(path):
            db, _ = connect(path)
            try:
                yield db
            finally:
                with suppress(sqlite3.Error):
                    if db.in_transaction:
                        db.execute("ROLLBACK")
                db.close()
    except (ValueError, KeyError) as error:
        raise _unreadable(path, str(error)) from error
    except StoreBroken as error:
        code = getattr(error.__cause__, "sqlite_errorcode", None)
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
            raise _unreadable(path, str(error.__cause__)) from error
        raise


def _unreadable(path: Path, why: str) -> StoreBroken:
    return StoreBroken(f"the topics in {path} cannot be read ({why})", "make them again with 'citeplug index topics'")


def text_of(title: str, abstract: str) -> str:
    """Return the text by which a record is assigned to a topic."""
    return f"{title}. {abstract}"


def state_of(db: sqlite3.Connection) -> dict[str, Any]:
    """Return when and how the topics were made, and the last record that was assigned."""
    facts = dict(db.execute("SELECT name, value FROM state").fetchall())
    if missing := {"made", "method", "generation", "number"} - facts.keys():
        raise KeyError(f"it lacks {', '.join(sorted(missing))}")
    return facts


def count_papers(db: sqlite3.Connection) -> int:
    """Count the records that were assigned or have no topic."""
    return int(db.execute("SELECT count(*) FROM papers").fetchone()[0])


def count_without(db: sqlite3.Connection) -> int:
    """Count the records without a topic."""
    return int(db.execute("SELECT count(*) FROM papers WHERE topic IS NULL").fetchone()[0])


def members(db: sqlite3.Connection, numbers: Iterable[int]) -> frozenset[str]:
    """Ids of the records of these topics."""
    query = "SELECT id FROM papers WHERE topic = ?"
    return frozenset(row[0] for number in numbers for row in db.execute(query, (number,)))


def nearest(db: sqlite3.Connection, papers: Sequence[Paper]) -> dict[str, int]:
    """Return the nearest topics by id, for papers that need not be in the catalogue."""
    if not papers:
        return {}
    found = model_in(db).assigner()([text_of(paper.title, paper.abstract) for paper in papers])
    return {paper.id.value: n + 1 for paper, n in zip(papers, found, strict=True) if n is not None}


def model_in(db: sqlite3.Connection) -> TopicModel:
    """Raises ValueError if there is none."""
    row = db.execute("SELECT data FROM model").fetchone()
    if row is None or not isinstance(row[0], bytes):
        raise ValueError("the model of the topics is missing")
    return TopicModel.from_bytes(row[0])


def topics_in(db: sqlite3.Connection, *, counted: bool = True) -> tuple[Topic, ...]:
    """Return the topics by number; their numbers of papers only if `counted`."""
    counts = dict(db.execute("SELECT topic, count(*) FROM papers GROUP BY topic")) if counted else {}
    rows = db.execute("SELECT number, name, words FROM topics ORDER BY number").fetchall()
    return tuple(
        Topic(number, str(name), tuple(map(str, json.loads(words))), counts.get(number, 0))
        for number, name, words in rows
    )
