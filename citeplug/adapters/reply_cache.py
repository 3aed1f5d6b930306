"""Replies of a paper source, kept on this machine so that it is not asked twice.

A cache may always be lost: no damage to it stops a run, it only means that the source is asked again.
"""

import json
import logging
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock, Timeout

from citeplug.adapters.pace import Clock
from citeplug.records.paper import ArxivId, Paper

A_DAY = 86_400.0  # seconds: an unversioned lookup or a search
AN_HOUR = 3_600.0  # seconds: an answer that there is nothing
_NEVER = -1.0  # a version never changes
_BUSY = 5.0  # seconds to wait for another process's write

_SCHEMA = """
CREATE TABLE IF NOT EXISTS reply (
    source TEXT NOT NULL, key TEXT NOT NULL, stored REAL NOT NULL, lasts REAL NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (source, key)
) WITHOUT ROWID
"""

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class ReplyCache:
    """Records and searches of the service at `source` (its URL), in the SQLite file `path`.

    Every method opens the file anew and waits for other processes, so that threads and processes may share
    it. Nothing is ever raised for the file's sake: what cannot be read counts as not there, what cannot be
    written is not kept, and a damaged file is set aside once, beside the new one.
    """

    def __init__(self, path: Path, source: str, clock: Clock | None = None) -> None:
        self.path = path
        self._source = source
        self._clock = clock or Clock()

    def records(self, ids: Sequence[ArxivId]) -> dict[ArxivId, Paper | None]:
        """What was answered about `ids` and still holds; None is the answer that there is no such paper."""
        found = self._read([_id_key(i) for i in ids])
        return {i: _paper(found[_id_key(i)]) for i in ids if _id_key(i) in found}

    def keep_records(self, asked: Sequence[ArxivId], found: Mapping[ArxivId, Paper]) -> None:
        """Keep the answer about `asked`: the papers in `found`, and that there are no others.

        A paper is kept under its own version too, for good.
        """
        rows: dict[str, tuple[float, Any]] = {}
        for asked_id in asked:
            paper = found.get(asked_id)
            if paper is None:
                rows[_id_key(asked_id)] = (AN_HOUR, None)
                continue
            if asked_id.version is None:
                rows[_id_key(asked_id)] = (A_DAY, _plain_form(paper))
            if paper.id.version is not None:
                rows[_id_key(paper.id)] = (_NEVER, _plain_form(paper))
        self._write(rows)

    def search(self, query: str) -> list[Paper] | None:
        """The papers that a search brought, None if it was not asked, or too long ago."""
        bodies = self._read([_search_key(query)])
        return [paper for body in bodies.get(_search_key(query), []) if (paper := _paper(body))] if bodies else None

    def keep_search(self, query: str, papers: Iterable[Paper]) -> None:
        """Keep a search apart from the records: what a search said is no evidence of what an id stands for."""
        bodies = [_plain_form(paper) for paper in papers]
        self._write({_search_key(query): (A_DAY if bodies else AN_HOUR, bodies)})

    def _read(self, keys: Sequence[str]) -> dict[str, Any]:
        def read(database: sqlite3.Connection) -> dict[str, Any]:
            now, found = self._clock.now(), {}
            for key in keys:
                row = database.execute(
                    "SELECT stored, lasts, body FROM reply WHERE source = ? AND key = ?", (self._source, key)
                ).fetchone()
                # A time of storing ahead of ours means that the clock was put back: no age can be told.
                if row and (row[1] == _NEVER or 0 <= now - row[0] < row[1]):
                    found[key] = row[2]
            return found

        read_back = {}
        for key, body in (self._open(read) or {}).items() if keys and self.path.exists() else ():
            try:
                read_back[key] = _checked(key, json.loads(body))
            except (ValueError, TypeError, KeyError, AttributeError):
                _log.info("an unreadable reply in %s is not used: %s", self.path, key)
        return read_back

    def _write(self, rows: Mapping[str, tuple[float, Any]]) -> None:
        now = self._clock.now()

        def write(database: sqlite3.Connection) -> None:
            with database:
                database.execute("DELETE FROM reply WHERE lasts >= 0 AND stored + lasts < ?", (now,))
                database.executemany(
                    "INSERT OR REPLACE INTO reply VALUES (?, ?, ?, ?, ?)",
                    [
                        (self._source, key, now, lasts, json.dumps(body, ensure_ascii=False))
                        for key, (lasts, body) in rows.items()
                    ],
                )

        if rows:
            self._open(write)

    def _open(self, use: Callable[[sqlite3.Connection], _T]) -> _T | None:
        for attempt in (1, 2):
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with closing(sqlite3.connect(self.path, timeout=_BUSY)) as database:
                    database.execute(_SCHEMA)
                    return use(database)
            except (sqlite3.OperationalError, OSError) as error:
                _log.info("the cache of replies %s is not used this time: %s", self.path, error)
                return None
            except sqlite3.DatabaseError as error:
                if attempt == 2 or not self._set_aside():
                    _log.warning("the cache of replies %s is damaged and not used: %s", self.path, error)
                    return None
        return None

    def _set_aside(self) -> bool:
        """Move a damaged file out of the way, unless another process just did. Whether the place is free."""
        aside = self.path.with_name(f"{self.path.stem}.damaged{self.path.suffix}")
        try:
            with FileLock(f"{self.path}.lock", timeout=_BUSY):
                if not _is_sound(self.path):
                    self.path.replace(aside)
                    # Left behind, the journal of the old file would be played into the new one.
                    Path(f"{self.path}-journal").unlink(missing_ok=True)
                    _log.warning("the cache of replies was damaged; it was set aside as %s", aside)
            return True
        except (OSError, Timeout):
            return False


def _is_sound(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path, timeout=_BUSY)) as database:
            return bool(database.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError:
        return False


def _id_key(arxiv_id: ArxivId) -> str:
    return f"id:{arxiv_id}"


def _search_key(query: str) -> str:
    return f"search:{query}"


def _plain_form(paper: Paper) -> dict[str, Any]:
    form = asdict(paper)
    form["published"], form["updated"] = paper.published.isoformat(), paper.updated.isoformat()
    return form


def _checked(key: str, body: Any) -> Any:
    """`body` if papers can be made of it. Raises if not."""
    for form in body if key.startswith("search:") else [body]:
        _paper(form)
    return body


def _paper(form: dict[str, Any] | None) -> Paper | None:
    if form is None:
        return None
    return Paper(
        **{
            **form,
            "id": ArxivId(**form["id"]),
            "published": date.fromisoformat(form["published"]),
            "updated": date.fromisoformat(form["updated"]),
            "authors": tuple(form["authors"]),
            "categories": tuple(form["categories"]),
        }
    )
