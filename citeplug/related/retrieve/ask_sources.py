"""Searches at services beside the catalogue, by one query or by several (LitLLM, section 3.1)."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, zip_longest

from citeplug.errors import SourceUnavailable
from citeplug.protocols import SearchSource
from citeplug.records.paper import Paper, Query
from citeplug.related.retrieve.longlist import OWN_QUERIES

FEWEST = 10  # papers of each query, however many queries there are


@dataclass(frozen=True, slots=True)
class SourceAnswers:
    """What services answered: papers, best first, each once, and the queries with the names of those they went to.

    `outages` has the first failure of each service; it was not asked again.
    """

    papers: list[Paper]
    queries: tuple[Query, ...]
    outages: tuple[SourceUnavailable, ...] = ()


def queries_to_send(queries: Sequence[Query]) -> list[Query]:
    """Those that a service is asked: the model's, in the words of the field; without any the main query."""
    return [query for query in queries if query.aspect.startswith(OWN_QUERIES)] or list(queries[:1])


def ask_sources(
    queries: Sequence[Query],
    sources: Sequence[SearchSource],
    limit: int,
    before: date | None = None,
    *,
    stage: Callable[[SearchSource], AbstractContextManager[None]] = lambda source: nullcontext(),
    on_progress: Callable[[str, int, int], None] = lambda name, done, total: None,
    must_answer: bool = False,
) -> SourceAnswers:
    """Ask each source each query; at most `limit` papers, an equal number of each query's first ones.

    `queries` come back in their order, those that were sent with `asked`. `stage` is entered for each source,
    `on_progress` is called with its name and queries (done, to be done). With `must_answer` raises SourceUnavailable if
    no query was answered at all.
    """
    sent = queries_to_send(queries)
    share = max(FEWEST, -(-limit // max(1, len(sent))))
    answers: list[list[Paper]] = []
    outages: list[SourceUnavailable] = []
    asked: dict[str, list[str]] = {}
    for source in sources:
        with stage(source):
            for done, query in enumerate(sent):
                on_progress(source.name, done, len(sent))
                asked.setdefault(query.text, []).append(source.name)
                try:
                    answers.append(source.search(query.text, share, before))
                except SourceUnavailable as error:
                    outages.append(error)
                    break
    if must_answer and outages and not answers:
        raise outages[0]
    by_id: dict[str, Paper] = {}
    for paper in filter(None, chain.from_iterable(zip_longest(*answers))):
        by_id.setdefault(paper.id.value, paper)
    marked = tuple(replace(query, asked=tuple(asked.get(query.text, ()))) for query in queries)
    return SourceAnswers(list(by_id.values())[:limit], marked, tuple(outages))
