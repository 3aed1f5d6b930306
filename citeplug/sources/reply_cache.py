"""Replies of a paper source, kept on this machine so that it is not asked twice.

A cache may always be lost: no damage to it stops a run, it only means that the source is asked again.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from citeplug.records.paper import ArxivId, Paper
from citeplug.sources.json_cache import FOR_EVER, JsonCache
from citeplug.sources.pace import Clock
from citeplug.sources.snapshot import paper_from_record, record_of

A_DAY = 86_400.0  # seconds: an unversioned lookup or a search
AN_HOUR = 3_600.0  # seconds: an answer that there is nothing


class ReplyCache:
    """Records and searches of the service at `source` (its URL), in the SQLite file `path`.

    Threads and processes may share it, and nothing is ever raised for the file's sake (`JsonCache`).
    """

    def __init__(self, path: Path, source: str, clock: Clock | None = None) -> None:
        self._cache = JsonCache(path, source, clock)

    @property
    def path(self) -> Path:
        return self._cache.path

    def records(self, ids: Sequence[ArxivId]) -> dict[ArxivId, Paper | None]:
        """Answers about `ids` that still hold; None is the answer that there is no such paper."""
        found = self._cache.read([_id_key(i) for i in ids], _read_record)
        return {i: found[_id_key(i)] for i in ids if _id_key(i) in found}

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
                rows[_id_key(asked_id)] = (A_DAY, record_of(paper))
            if paper.id.version is not None:
                rows[_id_key(paper.id)] = (FOR_EVER, record_of(paper))
        self._cache.write(rows)

    def search(self, query: str) -> list[Paper] | None:
        """The papers that a search brought, None if it was not asked, or too long ago."""
        return self._cache.read([_search_key(query)], _read_search).get(_search_key(query))

    def keep_search(self, query: str, papers: Iterable[Paper]) -> None:
        """Keep a search apart from the records: what a search said is no evidence of what an id stands for."""
        bodies = [record_of(paper) for paper in papers]
        self._cache.write({_search_key(query): (A_DAY if bodies else AN_HOUR, bodies)})


def _id_key(arxiv_id: ArxivId) -> str:
    return f"id:{arxiv_id}"


def _search_key(query: str) -> str:
    return f"search:{query}"


def _read_record(key: str, body: Any) -> Paper | None:
    return None if body is None else paper_from_record(body)


def _read_search(key: str, bodies: Any) -> list[Paper]:
    return [paper_from_record(body) for body in bodies]
