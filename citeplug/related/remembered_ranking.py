"""The ranking that an earlier run made from the same inputs."""

from dataclasses import asdict
from datetime import date
from typing import Any

from citeplug.records.debate import Debate
from citeplug.records.draft import Draft
from citeplug.records.from_json import record_from
from citeplug.records.json_form import json_form
from citeplug.records.outcome import GraphUse, Options, OutsideWork
from citeplug.records.paper import Links, Query, Shortlisted
from citeplug.related.input_digests import digest_of
from citeplug.related.progress import Tools
from citeplug.related.rank import proved
from citeplug.related.retrieve.fit import FITS
from citeplug.related.retrieve.stages import PaperRanking, Queries, among_topics

STAGE = "shortlist"


def remember(
    ranking: PaperRanking, queries: Queries, draft: Draft, options: Options, tools: Tools, before: date
) -> None:
    """Keep a ranking for later runs with the same inputs."""
    if tools.memory is not None:
        inputs = _inputs(queries, draft, options, tools, before)
        papers = [
            [item.paper.id.value, item.score, item.links and asdict(item.links), item.debate and json_form(item.debate)]
            for item in ranking.papers
        ]
        record = {
            "papers": papers,
            "wanted": ranking.wanted,
            "fitting": ranking.fitting,
            "graph": ranking.graph and asdict(ranking.graph),
            "pinned": dict(ranking.pinned),
            "queries": [asdict(query) for query in ranking.queries],
        }
        tools.memory.keep(STAGE, inputs, record)


def recall(queries: Queries, draft: Draft, options: Options, tools: Tools, before: date) -> PaperRanking | None:
    """The ranking that an earlier run made from the same inputs, if every paper in it is still known.

    Raises UsageError if the user named an unknown topic.
    """
    among_topics(options, tools)
    if tools.memory is None:
        return None
    record = tools.memory.recall(STAGE, _inputs(queries, draft, options, tools, before))
    try:
        scores = {
            str(value): (float(score), _links(links), debate and record_from(Debate, debate))
            for value, score, links, debate in record["papers"]
        }
        count, fit, graph = int(record["wanted"]), int(record["fitting"]), _graph_use(record["graph"])
        pinned = {str(value): float(score) for value, score in record["pinned"].items()}
        asked = [Query(**{**query, "asked": tuple(query["asked"])}) for query in record["queries"]]
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    papers = tools.papers(list(scores))
    if not scores or not all(value in papers and papers[value].complete for value in scores):
        return None
    ranked = [
        Shortlisted(papers[value], score, links, debate and proved(debate, papers[value].abstract))
        for value, (score, links, debate) in scores.items()
    ]
    first = [item.paper for item in ranked[: options.breadth]]
    vectors = tools.index.vectors_of(first, tools.seconds)
    just = {item.paper.id.value: FITS for item in ranked[:fit]}
    return PaperRanking(
        ranked, count, fit, vectors, findings=queries.findings, graph=graph, pinned=pinned, fit=just, queries=asked
    )


def _links(record: Any) -> Links | None:
    """Links from JSON, which has lists for tuples."""
    if record is None:
        return None
    fields: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in record.items()}
    return Links(**fields)


def _graph_use(record: Any) -> GraphUse | None:
    if record is None:
        return None
    works = (OutsideWork(**{**work, "cited_by": tuple(work["cited_by"])}) for work in record["not_on_arxiv"])
    return GraphUse(**{**record, "not_on_arxiv": tuple(works)})


def _inputs(queries: Queries, draft: Draft, options: Options, tools: Tools, before: date) -> str:
    """The digest of all that a ranking depends on, but for the records and their embedding model."""
    query_parts = [[query.text, query.aspect, query.weight] for query in queries.queries]
    ids = {entry.arxiv_id for entry in draft.entries if entry.arxiv_id} | {
        paper.id.value for paper in queries.cited.values()
    }
    own = [draft.title, draft.abstract, sorted(ids), queries.authors]
    ranked_by = tools.model.name if tools.model is not None else None
    option_parts = [
        options.breadth,
        options.diversity,
        options.categories,
        options.first_day,
        options.exclude,
        options.rank,
        options.topics,
    ]
    option_parts.append(options.pin)
    option_parts += [options.deep, tools.graph is not None and options.deep is not False and tools.graph.stamp()]
    ways: list[Any] = [options.as_published, tools.dense]
    if tools.model is not None:
        ways.append([[value, work.title, work.abstract] for value, work in tools.works.items()])
    if options.depth and tools.texts is not None:
        ways += [options.depth, tools.texts.stamp()]
    return digest_of(
        [
            query_parts,
            own,
            option_parts,
            ways,
            before.isoformat(),
            [source.name for source in tools.search_sources],
            ranked_by,
        ]
    )
