"""Replies of a paper source, kept on this machine so that it is not asked twice.

A cache may always be lost: no damage to it stops a run, it only means that the source is asked again.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from citeplug.records.paper import ArxivId, Paper
from citeplug.sources.json_cache import FOR_EVER, JsonCache
from citeplug.sources.snapshot import paper_from_record, record_of

A_DAY = 86_400.0  # seconds: an unversioned lookup or a search
AN_HOUR = 3_600.0  # seconds: an answer that there is nothing


class ReplyCache(JsonCache):
    """Records and searches of a service; a file that is damaged is begun anew (`JsonCache`)."""

    def records(self, ids: Sequence[ArxivId]) -> dict[ArxivId, Paper | None]:
        """Answers about `ids` that still hold; None is the answer that there is no such paper."""
        papers = self.read([f"id:{i}" for i in ids], lambda _, body: None if body is None else paper_from_record(body))
        return {i: papers[f"id:{i}"] for i in ids if f"id:{i}" in papers}

    def keep_records(self, asked: Sequence[ArxivId], papers: Mapping[ArxivId, Paper]) -> None:
        """Keep the answer about `asked`: `papers`, and that there are no others.

        A paper is kept under its own version too, for good.
        """
        rows: dict[str, tuple[float, Any]] = {}
        for asked_id in asked:
            paper = papers.get(asked_id)
            if paper is None:
                rows[f"id:{asked_id}"] = (AN_HOUR, None)
                continue
            if asked_id.version is None:
                rows[f"id:{asked_id}"] = (A_DAY, record_of(paper))
            if paper.id.version is not None:
                rows[f"id:{paper.id}"] = (FOR_EVER, record_of(paper))
        self.write(rows)

    def search(self, query: str) -> list[Paper] | None:
        """The papers that a search brought, None if it was not asked, or too long ago."""
        key = f"search:{query}"
        return self.read([key], lambda _, bodies: [paper_from_record(body) for body in bodies]).get(key)

    def keep_search(self, query: str, papers: Iterable[Paper]) -> None:
        """Keep a search apart from the records: what a search said is no evidence of what an id stands for."""
        bodies = [record_of(paper) for paper in papers]
        self.write({f"search:{query}": (A_DAY if bodies else AN_HOUR, bodies)})
