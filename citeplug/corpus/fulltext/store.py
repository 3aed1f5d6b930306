"""Full texts in SQLite: by id, version and source, with the passages of each paper's newest text and an index of words.

A file of its own beside the catalogue: passages and abstracts are never found or embedded together. Each text is one
transaction, so that whatever ends a run leaves whole texts alone.
"""

import hashlib
import re
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, ClassVar

from citeplug.corpus.database import VECTOR_TABLES, Database, select
from citeplug.corpus.fulltext.packed import FIELDS, pack, sections_of, text_of
from citeplug.corpus.fulltext.passages import place_in, placed_passages, words_of
from citeplug.records.passage import PaperText, Passage, TextSource

READER = 5  # another number when texts are to be read anew from the sources that are kept
_BEST_FIRST: tuple[TextSource, ...] = ("eprint", "own", "pdf")
_TABLES = """
CREATE TABLE state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE texts (
    number INTEGER PRIMARY KEY,
    paper TEXT NOT NULL,
    version INTEGER NOT NULL,
    source TEXT NOT NULL,
    digest BLOB NOT NULL,
    title TEXT NOT NULL,
    reader INTEGER NOT NULL,
    kept TEXT NOT NULL,
    body BLOB NOT NULL,
    printed BLOB NOT NULL
);
CREATE UNIQUE INDEX texts_paper ON texts (paper, version, source);
CREATE TABLE originals (
    paper TEXT NOT NULL, version INTEGER NOT NULL, digest BLOB NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (paper, version)
);
CREATE TABLE absences (
    paper TEXT NOT NULL, version INTEGER NOT NULL, code TEXT NOT NULL, why TEXT NOT NULL, day TEXT NOT NULL,
    PRIMARY KEY (paper, version)
);
CREATE TABLE passages (
    number INTEGER PRIMARY KEY,
    text INTEGER NOT NULL REFERENCES texts,
    place INTEGER NOT NULL,
    section INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    page INTEGER,
    key BLOB NOT NULL
);
CREATE INDEX passages_text ON passages (text);
CREATE VIRTUAL TABLE passage_words USING fts5 (words, tokenize = "unicode61 remove_diacritics 0");
CREATE VIRTUAL TABLE passage_terms USING fts5vocab (passage_words, row)
"""


class TextDatabase(Database):
    """The file of the full texts. Errors: `Database`."""

    tables: ClassVar[str] = VECTOR_TABLES + _TABLES


@dataclass(frozen=True, slots=True)
class KeptText:
    """A text that is kept; `reader`: the number of the reader that read it; `digest`: SHA-256 of its content."""

    paper: str
    version: int | None
    source: TextSource
    title: str
    reader: int
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Absence:
    """The answer that a version has no text: `code` as in `Unfit`, on this day."""

    code: str
    why: str
    day: date


class TextStore:
    """The texts in `home`/fulltext."""

    def __init__(self, home: Path) -> None:
        self.database = TextDatabase(home / "fulltext" / "texts.sqlite3")

    def close(self) -> None:
        self.database.close()

    # Keeping

    def put(self, text: PaperText, day: date, original: bytes | None = None) -> bool:
        """Keep a text in place of an earlier one of the same version and source; False if that was the same.

        `original` are the files that it was read from, packed, or the PDF. A text that has not changed keeps
        its passages.
        """
        body, printed = pack(text)
        digest = hashlib.sha256(body + printed).digest()
        where = (text.paper, text.version or 0, text.source)
        with self.database.writing() as (db, _):
            query = "SELECT number, digest FROM texts WHERE paper = ? AND version = ? AND source = ?"
            row = db.execute(query, where).fetchone()
            if original is not None:
                values = (text.paper, text.version or 0, hashlib.sha256(original).digest(), original)
                db.execute("INSERT OR REPLACE INTO originals VALUES (?, ?, ?, ?)", values)
            db.execute("DELETE FROM absences WHERE paper = ? AND version = ?", where[:2])
            if row is not None and row[1] == digest:
                db.execute("UPDATE texts SET reader = ?, kept = ? WHERE number = ?", (READER, day.isoformat(), row[0]))
                return False
            if row is not None:
                _take_out(db, [row[0]])
                db.execute("DELETE FROM texts WHERE number = ?", (row[0],))
            db.execute(
                "INSERT INTO texts (paper, version, source, digest, title, reader, kept, body, printed)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*where, digest, text.title, READER, day.isoformat(), body, printed),
            )
            self._index_newest(db, text.paper)
        return True

    def forget_oldest(self, most: int, most_vectors: int, spared: Collection[str]) -> None:
        """Take out the texts that were kept first until `most` are left.

        Vectors without a passage go with them, or when there are more than `most_vectors` in all.
        """
        with self.database.reading() as db:
            rows = db.execute("SELECT number, paper FROM texts ORDER BY kept DESC, number DESC").fetchall()
            vectors = db.execute("SELECT count(*) FROM vectors").fetchone()[0]
        old = [number for number, paper in rows[most:] if paper not in spared]
        if old or vectors > most_vectors:
            with self.database.writing() as (db, _):
                _take_out(db, old)
                db.executemany("DELETE FROM texts WHERE number = ?", ((number,) for number in old))
                db.execute("DELETE FROM vectors WHERE text NOT IN (SELECT key FROM passages)")

    def _index_newest(self, db: sqlite3.Connection, paper: str) -> None:
        """Put the passages of the paper's newest text into the index, and take those of the others out."""
        rows = db.execute("SELECT number, version, source FROM texts WHERE paper = ?", (paper,)).fetchall()
        if not rows:
            return
        best = min(rows, key=_rank)[0]
        _take_out(db, [row[0] for row in rows if row[0] != best])
        if db.execute("SELECT 1 FROM passages WHERE text = ? LIMIT 1", (best,)).fetchone():
            return
        text = text_of(db.execute(f"SELECT {FIELDS} FROM texts WHERE number = ?", (best,)).fetchone())
        query = "INSERT INTO passages (text, place, section, start, stop, page, key) VALUES (?, ?, ?, ?, ?, ?, ?)"
        for place, (section, passage) in enumerate(placed_passages(text)):
            row = (best, place, section, passage.start, passage.end, passage.page, passage_key(passage))
            number = db.execute(query, row).lastrowid
            words = " ".join(words_of(embedded_passage(passage)))
            db.execute("INSERT INTO passage_words (rowid, words) VALUES (?, ?)", (number, words))

    def remove(self, texts: Sequence[int]) -> None:
        """Delete texts by their number, with their passages and what they were read from; an older one takes over."""
        with self.database.writing() as (db, _):
            rows = list(select(db, "SELECT number, paper, version, source FROM texts WHERE number IN", list(texts)))
            _take_out(db, [row[0] for row in rows])
            for number, paper, version, source in rows:
                db.execute("DELETE FROM texts WHERE number = ?", (number,))
                if source != "own":
                    db.execute("DELETE FROM originals WHERE paper = ? AND version = ?", (paper, version))
            for paper in sorted({row[1] for row in rows}):
                self._index_newest(db, paper)

    def note_absence(self, paper: str, version: int | None, code: str, why: str, day: date) -> None:
        """Keep the answer that a version has no text."""
        with self.database.writing() as (db, _):
            values = (paper, version or 0, code, why, day.isoformat())
            db.execute("INSERT OR REPLACE INTO absences VALUES (?, ?, ?, ?, ?)", values)

    # Reading

    def with_digest(self, digest: str) -> str | None:
        """The id of the text with this content."""
        with self.database.reading() as db:
            row = db.execute("SELECT paper FROM texts WHERE digest = ?", (bytes.fromhex(digest),)).fetchone()
        return None if row is None else str(row[0])

    def kept(self, papers: Sequence[str]) -> dict[str, list[KeptText]]:
        """The texts of these papers, the newest and best of each first; papers without one are left out."""
        query = "SELECT number, version, source, paper, title, reader, digest FROM texts WHERE paper IN"
        with self.database.reading() as db:
            rows = sorted(select(db, query, list(dict.fromkeys(papers))), key=_rank)
        texts: dict[str, list[KeptText]] = {}
        for _, version, source, paper, title, reader, digest in rows:
            texts.setdefault(paper, []).append(KeptText(paper, version or None, source, title, reader, digest.hex()))
        return texts

    def absence(self, paper: str, version: int | None) -> Absence | None:
        """The answer that was kept of a version that has no text."""
        query = "SELECT code, why, day FROM absences WHERE paper = ? AND version = ?"
        with self.database.reading() as db:
            row = db.execute(query, (paper, version or 0)).fetchone()
        return None if row is None else Absence(row[0], row[1], date.fromisoformat(row[2]))

    def read(self, paper: str, version: int | None = None) -> PaperText | None:
        """The newest and best text of a paper, or of one version; None without one."""
        query = f"SELECT number, version, source, {FIELDS} FROM texts WHERE paper = ?"
        with self.database.reading() as db:
            rows = db.execute(query, (paper,)).fetchall()
        rows = [row for row in rows if version is None or row[1] == version]
        return text_of(min(rows, key=_rank)[3:]) if rows else None

    def original(self, paper: str, version: int | None) -> bytes | None:
        """The packed files, or the PDF, that the text of a version was read from."""
        query = "SELECT content FROM originals WHERE paper = ? AND version = ?"
        with self.database.reading() as db:
            row = db.execute(query, (paper, version or 0)).fetchone()
        return None if row is None else bytes(row[0])

    def passages(self, numbers: Sequence[int]) -> dict[int, Passage]:
        """Passages by their number in the index; unknown numbers are left out."""
        query = "SELECT number, text, place, section, start, stop, page FROM passages WHERE number IN"
        with self.database.snapshot() as db:
            rows = list(select(db, query, list(numbers)))
            wanted = sorted({row[1] for row in rows})
            texts = {
                row[0]: row[1:] for row in select(db, f"SELECT number, {_SECTIONS} FROM texts WHERE number IN", wanted)
            }
        bodies = {number: (*row[:3], sections_of(row[3])) for number, row in texts.items()}
        passages: dict[int, Passage] = {}
        for number, text, place, at, start, stop, page in rows:
            paper, version, source, sections = bodies[text]
            within = sections[at]
            words, named = within.text[start:stop], place_in(within, start, stop, source)
            passages[number] = Passage(
                paper, version or None, within.title, page, place + 1, start, stop, words, source, named
            )
        return passages

    def own_passages(self, papers: Sequence[str]) -> dict[str, list[int]]:
        """Numbers, by paper, of the passages that say what the paper itself does: neither its abstract nor its account
        of other works."""
        query = "SELECT number, paper, version, source, body FROM texts WHERE paper IN"
        numbers: dict[str, list[int]] = {}
        with self.database.snapshot() as db:
            best: dict[str, tuple[Any, ...]] = {}
            for row in sorted(select(db, query, list(papers)), key=lambda row: _rank((row[0], row[2], row[3]))):
                best.setdefault(row[1], row)
            for paper, row in best.items():
                others = {at for at, section in enumerate(sections_of(row[4])) if _NOT_ITS_OWN.match(section.title)}
                rows = db.execute("SELECT number, section FROM passages WHERE text = ? ORDER BY place", (row[0],))
                numbers[paper] = [number for number, section in rows if section not in others]
        return {paper: numbers[paper] for paper in papers if numbers.get(paper)}

    def papers(self) -> list[str]:
        """The ids of all papers with a text."""
        return self.database.column("SELECT DISTINCT paper FROM texts ORDER BY paper")

    def stamp(self) -> str:
        """A text that is another one after each change of the texts."""
        with self.database.reading() as db:
            rows = db.execute("SELECT paper, version, source, digest FROM texts ORDER BY number").fetchall()
        return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


_NOT_ITS_OWN = re.compile(
    r"[\s\d.IVX]*(?:abstract|(?:\w+ and )?(?:related|prior|previous|earlier) works?\b|(?:literature|state of the art)\b"
    r"|acknowled|funding|author contributions|references|bibliography)",
    re.IGNORECASE,
)
_SECTIONS = "paper, version, source, body"


def passage_key(passage: Passage) -> bytes:
    """First 16 bytes of the SHA-256 of the text that is embedded: the key of its vectors."""
    return hashlib.sha256(embedded_passage(passage).encode("utf-8")).digest()[:16]


def embedded_passage(passage: Passage) -> str:
    """Return the text of a passage that is embedded: its section's title and its own words."""
    return f"{passage.section}. {passage.text}" if passage.section else passage.text


def _rank(row: Sequence[Any]) -> tuple[int, int]:
    """Order of texts of one paper by (number, version, source, ...): newest version first, then by source."""
    return -row[1], _BEST_FIRST.index(row[2])


def _take_out(db: sqlite3.Connection, texts: Iterable[int]) -> None:
    for text in texts:
        numbers = db.execute("SELECT number FROM passages WHERE text = ?", (text,)).fetchall()
        db.executemany("DELETE FROM passage_words WHERE rowid = ?", numbers)
        db.execute("DELETE FROM passages WHERE text = ?", (text,))
