"""The catalogue: every record, in SQLite. The indexes are derived from it.

Each row has the number of its last write (`Database.generation`), and `derived` the last write that is in each index,
so that whatever a crash cut off is found by comparing two numbers.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from citeplug.corpus.arrivals import note_arrival
from citeplug.corpus.database import Database, select
from citeplug.corpus.record_rows import (
    FIELDS,
    admits_row,
    day_before,
    first_day,
    papers_from_rows,
    record_digest,
    row_of,
)
from citeplug.records.paper import LIBRARY, Filter, Paper
from citeplug.text.cleaning import encodable


@dataclass(frozen=True, slots=True)
class Changes:
    """Counts of given records that were new, changed and unchanged."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0

    def __add__(self, other: "Changes") -> "Changes":
        return Changes(self.added + other.added, self.changed + other.changed, self.unchanged + other.unchanged)


@dataclass(frozen=True, slots=True)
class Derived:
    """The state of a derived index: all writes up to `generation` are in it, in `rows` rows.

    `build` names its present build; when it changes, readers have to open the index again.
    """

    build: str
    generation: int
    rows: int


class Texts(NamedTuple):
    """Indexed fields of a record: `categories` separated by spaces, `published` an ISO day, `authors` as kept."""

    id: str
    title: str
    abstract: str
    categories: str
    published: str
    authors: str


class Catalogue:
    """Records, their completeness, and the state of the derived indexes. Errors: `Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, papers: Sequence[Paper], combined: Callable[[Paper, Paper], Paper] | None = None) -> Changes:
        """Add records in one transaction: unchanged, changed or new by their digest (Citegeist, 3.2.1).

        A record does not replace a better one, in the catalogue or in `papers` (see `supersedes`). If
        `combined(new, old)` is given, its result replaces an existing record.
        """
        with self._database.writing() as (db, generation):
            return self.put_within(db, generation, papers, combined)

    def put_within(
        self,
        db: sqlite3.Connection,
        generation: int,
        papers: Sequence[Paper],
        combined: Callable[[Paper, Paper], Paper] | None = None,
    ) -> Changes:
        """As `put`, within an open transaction."""
        latest: dict[str, Paper] = {}
        for paper in papers:
            if paper.id.value not in latest or supersedes(paper, latest[paper.id.value]):
                latest[paper.id.value] = paper
        if combined is not None:
            for old in papers_from_rows(select(db, f"SELECT {FIELDS} FROM papers WHERE id IN", list(latest))):
                latest[old.id.value] = combined(latest[old.id.value], old)
        digests = {value: record_digest(paper) for value, paper in latest.items()}
        known = dict(select(db, "SELECT id, digest FROM papers WHERE id IN", list(latest)))
        differing = [value for value, digest in digests.items() if known.get(value, digest) != digest]
        stored = {
            p.id.value: p for p in papers_from_rows(select(db, f"SELECT {FIELDS} FROM papers WHERE id IN", differing))
        }
        changed = [value for value in differing if supersedes(latest[value], stored[value])]
        added = [value for value in latest if value not in known]
        if added:
            note_arrival(db)
        db.executemany(
            f"INSERT INTO papers ({FIELDS}, month, digest, text, generation)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (row_of(latest[value], digests[value], generation) for value in added),
        )
        db.executemany(
            "UPDATE papers SET version = ?2, title = ?3, abstract = ?4, authors = ?5, published = ?6,"
            " updated = ?7, categories = ?8, doi = ?9, journal_ref = ?10, comment = ?11, abstract_kind = ?12,"
            " month = ?13, digest = ?14, text = ?15, generation = ?16 WHERE id = ?1",
            (row_of(latest[value], digests[value], generation) for value in changed),
        )
        return Changes(len(added), len(changed), len(papers) - len(added) - len(changed))

    def papers(self, ids: Sequence[str]) -> dict[str, Paper]:
        """Records by id without version; unknown ids are left out."""
        with self._database.reading() as db:
            return {
                p.id.value: p for p in papers_from_rows(select(db, f"SELECT {FIELDS} FROM papers WHERE id IN", ids))
            }

    def titled(self, title: str, k: int) -> list[str]:
        """Return at most `k` ids, by reading every title: those that have the words of `title` in their order."""
        words = re.findall(r"\w+", title[:2000])
        with self._database.reading() as db:
            query = "SELECT id FROM papers WHERE title LIKE ? ORDER BY length(title), id LIMIT ?"
            return [row[0] for row in db.execute(query, (f"%{'%'.join(words)}%", k if words else 0))]

    def by_doi(self, dois: Sequence[str]) -> dict[str, list[Paper]]:
        """Return arXiv's records by DOI (lower case, without resolver); unknown DOIs are left out.

        A record's DOI may be followed by other text, or be one of several (arxiv-api.md, 18).
        """
        papers_by_name: dict[str, list[Paper]] = {}
        with self._database.reading() as db:
            several = f"SELECT {FIELDS} FROM papers WHERE doi GLOB '*[ ,;:/#]10.*'"
            unclean = [(paper, (paper.doi or "").lower()) for paper in papers_from_rows(db.execute(several))]
            query = f"SELECT {FIELDS} FROM papers WHERE doi IS NOT NULL AND lower(doi) >= ? AND lower(doi) < ?"
            for doi in dict.fromkeys(dois):
                papers = list(papers_from_rows(db.execute(query, (doi, doi + "\U0010ffff"))))
                papers += [paper for paper, text in unclean if doi in text]
                own = {paper.id.value: paper for paper in papers if paper.id.on_arxiv and _carries(paper, doi)}
                if own:
                    papers_by_name[doi] = list(own.values())
        return papers_by_name

    def own_works(self) -> list[Paper]:
        """Return the records of works of the author's library that are not on arXiv."""
        with self._database.reading() as db:
            query = f"SELECT {FIELDS} FROM papers WHERE id >= ? AND id < ?"
            return list(papers_from_rows(db.execute(query, (LIBRARY, LIBRARY[:-1] + ";"))))

    def records(self) -> int:
        return self._database.number("SELECT count(*) FROM papers")

    def has_more_than(self, count: int) -> bool:
        """Return True if there are more than `count` records, without counting all."""
        return self._database.number("SELECT count(*) FROM (SELECT 1 FROM papers LIMIT ?)", (count + 1,)) > count

    def records_of_arxiv(self) -> int:
        """Count the records of arXiv, without those of the author's library."""
        return self.records() - self._database.number("SELECT count(*) FROM papers WHERE month = ?", (LIBRARY,))

    def last_change(self) -> int:
        """The generation in which a record was last written."""
        return self._database.number("SELECT coalesce(max(generation), 0) FROM papers")

    def records_after(self, generation: int) -> int:
        """Count the records written after that generation."""
        return self._database.number("SELECT count(*) FROM papers WHERE generation > ?", (generation,))

    def changed_texts(self, since: int, until: int) -> Iterator[Texts]:
        """Of the records written after generation `since`, up to and with `until`, in the order of their writes."""
        after = (since, 0)
        while True:
            with self._database.reading() as db:
                rows = db.execute(
                    "SELECT id, title, abstract, categories, published, authors, generation, number FROM papers"
                    " WHERE (generation, number) > (?, ?) AND generation > ? AND generation <= ?"
                    " ORDER BY generation, number LIMIT 2000",
                    (*after, since, until),
                ).fetchall()
            if not rows:
                return
            yield from (Texts(*row[:-2]) for row in rows)
            after = rows[-1][-2:]

    def published_between(self, first: date, after: date) -> list[Paper]:
        """Records of arXiv whose v1 date is `first` or later and before `after`, by id."""
        query = f"SELECT {FIELDS} FROM papers WHERE published >= ? AND published < ? ORDER BY id"
        with self._database.reading() as db:
            papers = list(papers_from_rows(db.execute(query, (first.isoformat(), after.isoformat()))))
        return [paper for paper in papers if paper.id.on_arxiv]

    def all_papers(self) -> Iterator[Paper]:
        """Every record once, a few thousand at a time; those that are added meanwhile may come too."""
        after = 0
        while True:
            with self._database.reading() as db:
                query = f"SELECT {FIELDS}, number FROM papers WHERE number > ? ORDER BY number LIMIT 2000"
                rows = db.execute(query, (after,)).fetchall()
            if not rows:
                return
            yield from papers_from_rows(row[:-1] for row in rows)
            after = rows[-1][-1]

    # Completeness

    def declare_complete(self, until: date, unread: Iterable[str]) -> None:
        """Record that every paper up to `until` was added, except those whose lines could not be read."""
        with self._database.writing() as (db, _):
            if (self._database.state("complete_to") or "") < until.isoformat():
                db.execute("INSERT OR REPLACE INTO state VALUES ('complete_to', ?)", (until.isoformat(),))
            db.executemany("INSERT OR IGNORE INTO unread VALUES (?)", ((value,) for value in unread))

    def note_unread(self, ids: Iterable[str]) -> None:
        """Record ids whose lines could not be read: their absence proves nothing."""
        with self._database.writing() as (db, _):
            db.executemany("INSERT OR IGNORE INTO unread VALUES (?)", ((value,) for value in ids))

    def complete_to(self) -> date | None:
        """The day up to which the catalogue was declared complete."""
        with self._database.reading():
            day = self._database.state("complete_to")
        return date.fromisoformat(day) if day else None

    def is_unread(self, value: str) -> bool:
        """Return True if a line of that id could not be read."""
        with self._database.reading() as db:
            return db.execute("SELECT 1 FROM unread WHERE id = ?", (value,)).fetchone() is not None

    def admitted(self, ids: Sequence[str], where: Filter) -> dict[str, bytes]:
        """Of these ids, those that `where` admits, with the digest of their text."""
        # An argument of the command line that is not a category's name admits nothing.
        names = [name for name in map(encodable, where.categories) if name.split() == [name]]
        listed = " OR ".join("instr(' ' || categories || ' ', ?) OR instr(' ' || categories, ?)" for _ in names)
        needles = [part for name in names for part in (f" {name} ", f" {name}.")]
        # The plus sign keeps SQLite from scanning a range of days.
        query = (
            f"SELECT id, text FROM papers WHERE +published < ? AND +published >= ?"
            f" AND ({listed or int(not where.categories)}) AND id IN"
        )
        with self._database.reading() as db:
            rows = dict(select(db, query, ids, [day_before(where), first_day(where), *needles]))
        among = rows.keys() if where.among is None else where.among
        return {value: text for value, text in rows.items() if value in among and value not in where.exclude}

    def all_admitted(self, where: Filter) -> list[tuple[str, bytes]]:
        """(id, digest of its text) of every record that `where` admits; from an index, without the records."""
        query = "SELECT id, published, categories, text FROM papers WHERE published < ?"
        with self._database.reading() as db:
            rows = db.execute(query, (day_before(where),))
            return [(row[0], row[3]) for row in rows if admits_row(where, row[0], row[1], row[2])]

    # Derived indexes

    def derived(self, name: str) -> Derived | None:
        """Return the state of a derived index; None if it was never made."""
        with self._database.reading() as db:
            row = db.execute("SELECT build, generation, rows FROM derived WHERE name = ?", (name,)).fetchone()
        return None if row is None else Derived(*row)

    def set_derived(self, name: str, state: Derived) -> None:
        """Set the state of a derived index; the caller holds its lock."""
        with self._database.reading() as db:
            row = (name, state.build, state.generation, state.rows)
            db.execute("INSERT OR REPLACE INTO derived VALUES (?, ?, ?, ?)", row)

    def advance_derived(self, name: str, seen: Derived, generation: int) -> None:
        """Advance a derived index from `seen` to `generation`, without new rows; not if its state has changed since."""
        if self._database.read_only:
            return
        with self._database.reading() as db:
            query = "UPDATE derived SET generation = ? WHERE name = ? AND build = ? AND generation = ?"
            db.execute(query, (generation, name, seen.build, seen.generation))

    # Facts

    def newest(self) -> date | None:
        """The latest v1 date of arXiv's records."""
        with self._database.reading() as db:
            query = "SELECT published FROM papers WHERE id NOT GLOB ? ORDER BY published DESC LIMIT 1"
            (day,) = db.execute(query, (f"{LIBRARY}*",)).fetchone() or (None,)
        return date.fromisoformat(day) if day else None

    def models(self) -> list[str]:
        """Names of the models that vectors were computed with."""
        return self._database.column("SELECT name FROM models ORDER BY number")

    def vectors_by_model(self) -> dict[str, int]:
        """Count the vectors of each model, also those of texts that no record has any more."""
        query = "SELECT m.name, (SELECT count(*) FROM vectors v WHERE v.model = m.number) FROM models m ORDER BY number"
        with self._database.reading() as db:
            return dict(db.execute(query).fetchall())

    def embedded_by_any(self) -> int:
        """Count the records that have a vector of any model."""
        return self._database.number("SELECT count(DISTINCT p.number) FROM vectors v JOIN papers p ON p.text = v.text")

    def categories(self) -> dict[str, int]:
        """Count the records of each category, largest first."""
        counts: dict[str, int] = {}
        with self._database.reading() as db:
            for names, count in db.execute("SELECT categories, count(*) FROM papers GROUP BY categories"):
                for name in names.split():
                    counts[name] = counts.get(name, 0) + count
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def supersedes(new: Paper, old: Paper) -> bool:
    """True if `new` may take the place of another record of the same paper.

    An abstract is never lost to a summary, a complete record never to one without authors, and a later
    version never to an earlier one: so the order in which files are added does not matter. For works of the
    author's library the latest record is used.
    """
    if not new.id.on_arxiv:
        return True
    if new.abstract_kind != old.abstract_kind:
        return new.abstract_kind == "abstract"
    if new.complete != old.complete:
        return new.complete
    if new.id.version is not None and old.id.version is not None and new.id.version != old.id.version:
        return new.id.version > old.id.version
    return new.updated >= old.updated


def _carries(paper: Paper, doi: str) -> bool:
    """Return True if the record's DOI field has `doi` and not a longer DOI."""
    text = (paper.doi or "").lower()
    return re.search(re.escape(doi) + r"(?:[.,;)]*(?:\s|$)|[#?])", text) is not None
