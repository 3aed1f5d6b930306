"""Topics over the catalogue: derived from it, stored beside it, compared with it, and updated when it has grown.

Each making has a folder of its own with one SQLite file: the topics, their model, and the topic of every record.
Records that come later are given one of the topics that there are; none moves until the topics are made anew.
The model is in `model.py`; this is the index alone.
"""

import logging
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from citeplug.corpus.catalogue import Catalogue, Derived
from citeplug.corpus.database import Database, select
from citeplug.corpus.locking import exclusive
from citeplug.corpus.topics.choice import chosen
from citeplug.corpus.topics.file import (
    count_papers,
    count_without,
    make_file,
    members,
    model_in,
    nearest,
    opened,
    state_of,
    text_of,
    topics_in,
)
from citeplug.corpus.topics.model import EMBEDDED, SAMPLE, Fitted, drawn_ids, fit, topics_for
from citeplug.corpus.vectors.table import VectorTable
from citeplug.errors import CorpusEmpty, StoreBroken, StoreBusy, UsageError
from citeplug.protocols import Vectors
from citeplug.records.paper import Paper
from citeplug.records.topics import Topic, TopicsMade

NAME = "topics-1"  # another number whenever the tables or the model below change: topics are then made anew
_log = logging.getLogger(__name__)
_AT_ONCE = 2000  # records assigned between two commits
_AT_A_SEARCH = 10_000  # in a search, about a second; the rest is left to the next search
_MOSTLY = (
    0.9  # share of the sample that must have vectors, else words are used: subjects without vectors would be missing
)
_TRIES = 5
Tell = Callable[[str, int, int | None], None]
Answer = TypeVar("Answer")
# Vectors by id of those of these papers that have one.
VectorsOf = Callable[[Sequence[str]], dict[str, Vectors]]


class TopicIndex:
    """Topics of the records of `catalogue`; their files are in `folder`, one subfolder per build.

    Any number of processes may read while one writes. Raises StoreBroken where the files cannot be read.
    """

    def __init__(self, database: Database, catalogue: Catalogue, folder: Path) -> None:
        self._database = database
        self._catalogue = catalogue
        self._folder = folder

    def make(
        self, count: int | None, vectors_of: VectorsOf | None = None, tell: Tell | None = None, *, anew: bool = False
    ) -> TopicsMade:
        """Find topics if there are none, they cannot be read, or with `anew`; then assign records to them.

        `count` topics; None: by the number of records. `vectors_of`: by default the vectors computed so far. The old
        topics are used until the new ones are complete. It may be stopped at any moment. The caller holds the lock.
        Raises CorpusEmpty.
        """
        began, say = time.monotonic(), tell or (lambda stage, done, total: None)
        state = self._catalogue.derived(NAME)
        if anew or state is None or self.damage() is not None:
            anew = True
            build = f"{NAME}-{secrets.token_hex(4)}"
            try:
                make_file(self._folder / build, self._found(count, vectors_of or self._known_vectors, say))
                self._assign(build, None, say)
            except BaseException:
                shutil.rmtree(self._folder / build, ignore_errors=True)
                raise
            self._catalogue.set_derived(NAME, Derived(build, 0, 0))
            self._forget_others(build)
        else:
            build = state.build
        with opened(self._folder / build) as db:
            before = 0 if anew else count_papers(db)
        self._assign(build, None, say)
        self._forget_gone(build)
        with opened(self._folder / build) as db:
            facts, topics, rows, without = state_of(db), topics_in(db), count_papers(db), count_without(db)
        seconds = time.monotonic() - began
        return TopicsMade(topics, facts["method"], facts["made"], anew, max(0, rows - before), without, seconds)

    def bring_up_to_date(self, most: int, wait: float = 0) -> int:
        """Assign topics to new records, at most about `most`; return the number of those left.

        Raises StoreBusy if another process does the same for longer than `wait` seconds.
        """
        if self._read(self._pending):
            with exclusive(self.lock, wait):
                self._assign(self._needed().build, most, lambda stage, done, total: None)
        return self._read(self._pending)

    @property
    def made(self) -> bool:
        """True if there are topics, even damaged ones."""
        return self._catalogue.derived(NAME) is not None

    @property
    def lock(self) -> Path:
        return self._folder / "write.lock"

    def info(self) -> dict[str, Any] | None:
        """Return the topics for `citeplug index info --json`; None if there are none."""

        def ask(db: sqlite3.Connection) -> dict[str, Any]:
            facts = state_of(db)
            topics = [
                {"number": topic.number, "name": topic.name, "words": list(topic.words), "papers": topic.papers}
                for topic in topics_in(db)
            ]
            known = {"made": facts["made"], "method": facts["method"], "without": count_without(db)}
            return {**known, "not_yet": self._pending(db), "topics": topics}

        return self._read(ask) if self.made else None

    def choose(self, wanted: Sequence[str]) -> tuple[Topic, ...]:
        """Return the topics for numbers, names or words of names. Raises UsageError if one matches none."""
        return self._read(lambda db: chosen(wanted, topics_in(db)))

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

        def ask(db: sqlite3.Connection) -> frozenset[str]:
            numbers = {topic.number for topic in chosen(wanted, topics_in(db, counted=False))}
            here = members(db, numbers)
            return here | {value for value, number in nearest(db, papers).items() if number in numbers}

        return self._read(ask)

    def of(self, ids: Sequence[str]) -> dict[str, Topic]:
        """The topics of these records, by id; those that have none are left out."""

        def ask(db: sqlite3.Connection) -> dict[str, Topic]:
            topics = {topic.number: topic for topic in topics_in(db, counted=False)}
            rows = select(db, "SELECT id, topic FROM papers WHERE id IN", ids)
            return {value: topics[number] for value, number in rows if number in topics}

        return self._read(ask) if self.made else {}

    def damage(self) -> str | None:
        """Return the reason why the topics cannot be read; None if they can."""
        state = self._catalogue.derived(NAME)
        if state is None:
            return None
        try:
            with opened(self._folder / state.build) as db:
                result = db.execute("PRAGMA quick_check(1)").fetchone()[0]
                if result != "ok":
                    return str(result)
                if model_in(db).topics != len(topics_in(db, counted=False)):
                    return "the topics do not fit their model"
                state_of(db)
        except StoreBroken as error:
            return str(error)
        return None

    def counts(self) -> tuple[int, int]:
        """Count the records written since the last assignment, and the rows."""
        with opened(self._folder / self._needed().build) as db:
            return self._pending(db), count_papers(db)

    def assign_again(self) -> None:
        """Have every record assigned again; the caller holds the lock."""
        with opened(self._folder / self._needed().build) as db:
            db.execute("UPDATE state SET value = 0 WHERE name IN ('generation', 'number')")

    def _needed(self) -> Derived:
        state = self._catalogue.derived(NAME)
        if state is None:
            raise UsageError("there are no topics yet", "make them with 'citeplug index topics'")
        return state

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
            texts = {row[0]: text_of(row[1], row[2]) for row in select(db, f"{_TEXTS} WHERE id IN", ids)}
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

    def _assign(self, build: str, most: int | None, say: Tell) -> None:
        """Assign records in the order of their writes; progress is stored with each part."""
        with opened(self._folder / build) as db:
            total = self._pending(db)
            if not total:
                return
            assign = model_in(db).assigner()
            done = 0
            while most is None or done < most:
                say("topics: assign records", done, max(done, total))
                facts = state_of(db)
                after = (facts["generation"], facts["number"])
                with self._database.reading() as catalogue:
                    rows = catalogue.execute(
                        "SELECT id, title, abstract, generation, number FROM papers WHERE (generation, number) > (?, ?)"
                        " AND generation >= ? ORDER BY generation, number LIMIT ?",
                        (*after, after[0], _AT_ONCE),
                    ).fetchall()
                if not rows:
                    return
                found = assign([text_of(row[1], row[2]) for row in rows])
                db.execute("BEGIN IMMEDIATE")
                db.executemany(
                    "INSERT OR REPLACE INTO papers VALUES (?, ?)",
                    ((row[0], None if n is None else n + 1) for row, n in zip(rows, found, strict=True)),
                )
                db.executemany(
                    "UPDATE state SET value = ? WHERE name = ?",
                    ((rows[-1][3], "generation"), (rows[-1][4], "number")),
                )
                db.execute("COMMIT")
                done += len(rows)

    def _pending(self, db: sqlite3.Connection) -> int:
        """Count the records written after the last assigned one."""
        facts = state_of(db)
        given = (facts["generation"], facts["number"], facts["generation"])
        query = "SELECT count(*) FROM papers WHERE (generation, number) > (?, ?) AND generation >= ?"
        with self._database.reading() as catalogue:
            return int(catalogue.execute(query, given).fetchone()[0])

    def _forget_gone(self, build: str) -> None:
        """Delete rows of records that are no longer in the catalogue."""
        with opened(self._folder / build) as db:
            if count_papers(db) <= self._catalogue.records():
                return
            after = ""
            while rows := [r[0] for r in db.execute("SELECT id FROM papers WHERE id > ? LIMIT 20000", (after,))]:
                with self._database.reading() as catalogue:
                    there = {row[0] for row in select(catalogue, "SELECT id FROM papers WHERE id IN", rows)}
                db.execute("BEGIN IMMEDIATE")
                db.executemany("DELETE FROM papers WHERE id = ?", ((v,) for v in rows if v not in there))
                db.execute("COMMIT")
                after = rows[-1]

    def _forget_others(self, build: str) -> None:
        if self._folder.is_dir():
            for old in self._folder.iterdir():
                if old.is_dir() and old.name != build:
                    # Another process may be reading it still; Windows then keeps it until the next time.
                    shutil.rmtree(old, ignore_errors=True)

    def _read(self, ask: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Run a query on the present topics; repeat it if they are replaced and deleted meanwhile."""
        for _ in range(_TRIES):
            state = self._needed()
            try:
                with opened(self._folder / state.build) as db:
                    answer = ask(db)
            except StoreBroken:
                if self._is_present(state):
                    raise
            else:
                if self._is_present(state):
                    return answer
        raise StoreBusy("the topics keep being replaced", "run the same command again when that is done")

    def _is_present(self, state: Derived) -> bool:
        now = self._catalogue.derived(NAME)
        return now is not None and now.build == state.build


_TEXTS = "SELECT id, title, abstract FROM papers"


def check_topics(topics: TopicIndex, catalogue: Catalogue, repair: bool) -> Iterator[tuple[str, int, str]]:
    """Yield (kind, count, message) of the problems; none without topics. With `repair` they are repaired.

    Raises StoreBusy if another process is making topics.
    """
    if not topics.made:
        return
    with exclusive(topics.lock):
        damage = topics.damage()
        if damage is not None:
            if repair:
                topics.make(None, anew=True)
            yield "damaged", 1, f"the topics cannot be read ({damage[:200]})"
            return
        behind, rows = topics.counts()
        if behind:
            yield "behind", behind, "records without an assigned topic yet"
            if not repair:
                return  # rows can only be counted against records that were assigned
            topics.make(None)
            _, rows = topics.counts()
        difference = catalogue.records() - rows
        if difference and repair:
            topics.assign_again()
            topics.make(None)
        if difference > 0:
            yield "missing", difference, "records missing from the topics"
        if difference < 0:
            yield "extra", -difference, "rows of the topics without a record"
