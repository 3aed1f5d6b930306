"""Topics over the catalogue: derived from it, stored in its file, and updated when it has grown.

Each making is a build: the topics, their model, and the topic of every record. Records that come later are given one
of the topics that there are; none moves until the topics are made anew. The model itself is in `model.py`.
"""

import json
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database, select
from citeplug.corpus.locking import exclusive
from citeplug.corpus.topics.choice import chosen
from citeplug.corpus.topics.model import EMBEDDED, SAMPLE, Fitted, TopicModel, drawn_ids, fit, topics_for
from citeplug.corpus.vectors.table import VectorTable
from citeplug.errors import CorpusEmpty, StoreBroken, StoreBusy, UsageError
from citeplug.protocols import Vectors
from citeplug.records.paper import Paper
from citeplug.records.topics import Topic, TopicsMade

# `generation` and `number` are those of the last record that was given its topic; an unfinished build is not yet used.
_TABLES = """
CREATE TABLE IF NOT EXISTS topic_builds (
    build INTEGER PRIMARY KEY, made TEXT NOT NULL, method TEXT NOT NULL, model BLOB NOT NULL,
    generation INTEGER NOT NULL, number INTEGER NOT NULL, finished INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS topics (
    build INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, words TEXT NOT NULL,
    PRIMARY KEY (build, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS topic_papers (
    build INTEGER NOT NULL, paper INTEGER NOT NULL, topic INTEGER, PRIMARY KEY (build, paper)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS topic_papers_topic ON topic_papers (build, topic)
"""
_log = logging.getLogger(__name__)
_AT_ONCE = 2000  # records assigned between two commits
_AT_A_SEARCH = 10_000  # in a search, about a second; the rest is left to the next search
_MOSTLY = (
    0.9  # share of the sample that must have vectors, else words are used: subjects without vectors would be missing
)
Tell = Callable[[str, int, int | None], None]
# Vectors by id of those of these papers that have one.
VectorsOf = Callable[[Sequence[str]], dict[str, Vectors]]


class _Build(NamedTuple):
    """A row of `topic_builds` without its model."""

    build: int
    made: str
    method: str


class TopicIndex:
    """Topics of the records of `catalogue`; whoever writes holds the lock in `folder`. Errors: `Database`.

    Raises StoreBroken if the model of the topics cannot be read.
    """

    def __init__(self, database: Database, catalogue: Catalogue, folder: Path) -> None:
        self._database = database
        self._catalogue = catalogue
        self.lock = folder / "write.lock"

    def make(
        self, count: int | None, vectors_of: VectorsOf | None = None, tell: Tell | None = None, *, anew: bool = False
    ) -> TopicsMade:
        """Find topics if there are none, they cannot be read, or with `anew`; then assign records to them.

        `count` topics; None: by the number of records. `vectors_of`: by default the vectors computed so far. The old
        topics are used until the new ones are complete. It may be stopped at any moment. The caller holds the lock.
        Raises CorpusEmpty.
        """
        began, say = time.monotonic(), tell or (lambda stage, done, total: None)
        anew = anew or not self.made or self.damage() is not None
        if anew:
            build = self._add_build(self._found(count, vectors_of or self._known_vectors, say))
            before = 0
        else:
            build = self._current()
            with self._database.reading() as db:
                before, _ = _counts(db, build)
        self._assign(build, None, say)
        with self._database.writing() as (db, _):
            db.execute("UPDATE topic_builds SET finished = 1 WHERE build = ?", (build.build,))
            for table in ("topic_builds", "topics", "topic_papers"):
                db.execute(f"DELETE FROM {table} WHERE build <> ?", (build.build,))
            # Records that are no longer in the catalogue.
            db.execute("DELETE FROM topic_papers WHERE paper NOT IN (SELECT number FROM papers)")
            topics, (rows, without) = _topics(db, build), _counts(db, build)
        seconds = time.monotonic() - began
        return TopicsMade(topics, build.method, build.made, anew, max(0, rows - before), without, seconds)

    def bring_up_to_date(self, most: int, wait: float = 0) -> int:
        """Assign topics to new records, at most about `most`; return the number of those left.

        Raises StoreBusy if another process does the same for longer than `wait` seconds.
        """
        if self._pending():
            with exclusive(self.lock, wait):
                self._assign(self._current(), most, lambda stage, done, total: None)
        return self._pending()

    @property
    def made(self) -> bool:
        """True if there are topics, even damaged ones."""
        with self._database.reading() as db:
            return _build_in(db) is not None

    def info(self) -> dict[str, Any] | None:
        """Return the topics for `citeplug index info --json`; None if there are none."""
        with self._database.snapshot() as db:
            build = _build_in(db)
            if build is None:
                return None
            topics = [
                {"number": topic.number, "name": topic.name, "words": list(topic.words), "papers": topic.papers}
                for topic in _topics(db, build)
            ]
            known = {"made": build.made, "method": build.method, "without": _counts(db, build)[1]}
            return {**known, "not_yet": _pending(db, build), "topics": topics}

    def size(self) -> int:
        """Bytes of the model of the topics."""
        with self._database.reading() as db:
            if _build_in(db) is None:
                return 0
            return int(db.execute("SELECT sum(length(model)) FROM topic_builds").fetchone()[0])

    def choose(self, wanted: Sequence[str]) -> tuple[Topic, ...]:
        """Return the topics for numbers, names or words of names. Raises UsageError if one matches none."""
        with self._database.snapshot() as db:
            return chosen(wanted, _topics(db, _needed(db)))

    def within(self, wanted: Sequence[str], papers: Sequence[Paper] = ()) -> frozenset[str]:
        """Implement `protocols.TopicSource.within`; new records are assigned first."""
        self.choose(wanted)
        try:
            left = self.bring_up_to_date(_AT_A_SEARCH)
        except (StoreBusy, StoreBroken) as error:
            _log.info("%s: new papers have no topic yet", error)
        else:
            if left:
                _log.warning("%d papers have no topic yet: 'citeplug index topics' assigns theirs", left)
        query = "SELECT p.id FROM topic_papers t JOIN papers p ON p.number = t.paper WHERE t.build = ? AND t.topic = ?"
        with self._database.snapshot() as db:
            build = _needed(db)
            numbers = {topic.number for topic in chosen(wanted, _topics(db, build))}
            ids = {row[0] for number in numbers for row in db.execute(query, (build.build, number))}
            nearest = _model(db, build).assigner()([_text_of(p.title, p.abstract) for p in papers]) if papers else []
        return frozenset(ids) | {
            paper.id.value
            for paper, topic in zip(papers, nearest, strict=True)
            if topic is not None and topic + 1 in numbers
        }

    def of(self, ids: Sequence[str]) -> dict[str, Topic]:
        """The topics of these records, by id; those that have none are left out."""
        with self._database.snapshot() as db:
            build = _build_in(db)
            if build is None:
                return {}
            topics = {topic.number: topic for topic in _topics(db, build)}
            query = (
                "SELECT p.id, t.topic FROM papers p CROSS JOIN topic_papers t"
                f" ON t.build = {build.build} AND t.paper = p.number WHERE p.id IN"
            )
            return {value: topics[number] for value, number in select(db, query, ids) if number in topics}

    def damage(self) -> str | None:
        """Return the reason why the topics cannot be read; None if they can."""
        try:
            with self._database.snapshot() as db:
                build = _build_in(db)
                if build is not None and _model(db, build).topics != len(_topics(db, build)):
                    return "the topics do not fit their model"
        except StoreBroken as error:
            return str(error)
        return None

    def check(self, *, repair: bool) -> Iterator[tuple[str, int, str]]:
        """Yield (kind, count, message) of the problems; none without topics. With `repair` they are repaired.

        Raises StoreBusy if another process is making topics.
        """
        if not self.made:
            return
        with exclusive(self.lock):
            damage = self.damage()
            if damage is not None:
                if repair:
                    self.make(None, anew=True)
                yield "damaged", 1, f"the topics cannot be read ({damage[:200]})"
                return
            if behind := self._pending():
                yield "behind", behind, "records without an assigned topic yet"
                if not repair:
                    return  # rows can only be counted against records that were assigned
                self.make(None)
            with self._database.reading() as db:
                difference = self._catalogue.records() - _counts(db, _needed(db))[0]
            if difference and repair:
                with self._database.writing() as (db, _):
                    db.execute("UPDATE topic_builds SET generation = 0, number = 0")
                self.make(None)
            if difference > 0:
                yield "missing", difference, "records missing from the topics"
            if difference < 0:
                yield "extra", -difference, "rows of the topics without a record"

    def _current(self) -> _Build:
        with self._database.reading() as db:
            return _needed(db)

    def _add_build(self, fitted: Fitted) -> _Build:
        """Add a build in which no record has a topic yet; one that a run left unfinished goes."""
        made = datetime.now(UTC).isoformat(timespec="seconds")
        with self._database.writing() as (db, generation):
            for statement in _TABLES.split(";\n"):
                db.execute(statement)
            for table in ("topics", "topic_papers"):
                db.execute(f"DELETE FROM {table} WHERE build NOT IN (SELECT build FROM topic_builds WHERE finished)")
            db.execute("DELETE FROM topic_builds WHERE NOT finished")
            row = (generation, made, fitted.method, fitted.model.to_bytes())
            db.execute("INSERT INTO topic_builds VALUES (?, ?, ?, ?, 0, 0, 0)", row)
            named = enumerate(zip(fitted.names, fitted.words, strict=True), 1)
            rows = ((generation, number, name, json.dumps(words)) for number, (name, words) in named)
            db.executemany("INSERT INTO topics VALUES (?, ?, ?, ?)", rows)
        return _Build(generation, made, fitted.method)

    def _found(self, count: int | None, vectors_of: VectorsOf, say: Tell) -> Fitted:
        records = self._catalogue.records()
        say("topics: choose records", 0, None)
        ids = drawn_ids(self._database, SAMPLE)
        if not ids:
            raise CorpusEmpty("the catalogue on this machine is empty", "add papers with 'citeplug index add FILE'")
        known = vectors_of(ids[:EMBEDDED])
        with_vector = [value for value in ids[:EMBEDDED] if value in known]
        enough = len(with_vector) >= _MOSTLY * min(len(ids), EMBEDDED)
        vectors = np.stack([known[value] for value in with_vector]) if enough else None
        if enough:
            taken = set(with_vector)
            ids = [*with_vector, *(value for value in ids if value not in taken)]
        with self._database.reading() as db:
            rows = select(db, "SELECT id, title, abstract FROM papers WHERE id IN", ids)
            texts = {value: _text_of(title, abstract) for value, title, abstract in rows}
        return fit(
            [texts.get(value, "") for value in ids],
            count or topics_for(records),
            vectors,
            lambda stage: say(f"topics: {stage}", 0, None),
        )

    def _known_vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """Return vectors of the model with the most vectors."""
        counts = self._catalogue.vectors_by_model()
        best = max(counts, key=lambda name: counts[name], default=None)
        return {} if best is None else VectorTable(self._database, best).by_id(ids)

    def _assign(self, build: _Build, most: int | None, say: Tell) -> None:
        """Assign records in the order of their writes; progress is stored with each part."""
        with self._database.reading() as db:
            total = _pending(db, build)
            if not total:
                return
            assign = _model(db, build).assigner()
        done = 0
        while most is None or done < most:
            say("topics: assign records", done, max(done, total))
            with self._database.reading() as db:
                query = f"SELECT number, title, abstract, generation {_LATER} ORDER BY generation, number LIMIT ?"
                rows = db.execute(query, (*_last(db, build), _AT_ONCE)).fetchall()
            if not rows:
                return
            topics = assign([_text_of(row[1], row[2]) for row in rows])
            with self._database.writing() as (db, _):
                db.executemany(
                    f"INSERT OR REPLACE INTO topic_papers VALUES ({build.build}, ?, ?)",
                    ((row[0], None if n is None else n + 1) for row, n in zip(rows, topics, strict=True)),
                )
                last = (rows[-1][3], rows[-1][0], build.build)
                db.execute("UPDATE topic_builds SET generation = ?, number = ? WHERE build = ?", last)
            done += len(rows)

    def _pending(self) -> int:
        with self._database.snapshot() as db:
            return _pending(db, _needed(db))


_LATER = "FROM papers WHERE (generation, number) > (?, ?) AND generation >= ?"


def _text_of(title: str, abstract: str) -> str:
    """Return the text by which a record is assigned to a topic."""
    return f"{title}. {abstract}"


def _build_in(db: sqlite3.Connection) -> _Build | None:
    """The build that is used; None if there are no topics."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'topic_builds'").fetchone() is None:
        return None
    query = "SELECT build, made, method FROM topic_builds WHERE finished ORDER BY build DESC LIMIT 1"
    row = db.execute(query).fetchone()
    return None if row is None else _Build(*row)


def _needed(db: sqlite3.Connection) -> _Build:
    build = _build_in(db)
    if build is None:
        raise UsageError("there are no topics yet", "make them with 'citeplug index topics'")
    return build


def _last(db: sqlite3.Connection, build: _Build) -> tuple[int, int, int]:
    """The last record that was assigned, as the parameters of `_LATER`."""
    query = "SELECT generation, number FROM topic_builds WHERE build = ?"
    generation, number = db.execute(query, (build.build,)).fetchone()
    return generation, number, generation


def _pending(db: sqlite3.Connection, build: _Build) -> int:
    """Count the records written after the last assigned one."""
    return int(db.execute(f"SELECT count(*) {_LATER}", _last(db, build)).fetchone()[0])


def _counts(db: sqlite3.Connection, build: _Build) -> tuple[int, int]:
    """Count the records that were assigned, and those of them without a topic."""
    query = "SELECT count(*), coalesce(sum(topic IS NULL), 0) FROM topic_papers WHERE build = ?"
    rows, without = db.execute(query, (build.build,)).fetchone()
    return int(rows), int(without)


def _model(db: sqlite3.Connection, build: _Build) -> TopicModel:
    """Raises StoreBroken if it cannot be read."""
    (data,) = db.execute("SELECT model FROM topic_builds WHERE build = ?", (build.build,)).fetchone()
    try:
        return TopicModel.from_bytes(data)
    except ValueError as error:
        raise StoreBroken(
            f"the topics cannot be read ({error})", "make them again with 'citeplug index topics'"
        ) from error


def _topics(db: sqlite3.Connection, build: _Build) -> tuple[Topic, ...]:
    """The topics by number, each with the number of its papers."""
    query = "SELECT topic, count(*) FROM topic_papers WHERE build = ? GROUP BY topic"
    counts = dict(db.execute(query, (build.build,)).fetchall())
    query = "SELECT number, name, words FROM topics WHERE build = ? ORDER BY number"
    return tuple(
        Topic(number, name, tuple(json.loads(words)), counts.get(number, 0))
        for number, name, words in db.execute(query, (build.build,))
    )
