"""Steps from a draft to the papers that it should discuss: queries, candidates, ranking."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from citeplug.bibliography.records_by_id import Lookup
from citeplug.errors import CorpusEmpty, SourceUnavailable, UsageError
from citeplug.pipeline.cited_papers import cited_papers
from citeplug.pipeline.deep_candidates import deep_candidates, pool
from citeplug.pipeline.input_digests import digest_of
from citeplug.pipeline.longlist import Longlist
from citeplug.pipeline.progress import Progress, Tools
from citeplug.ports import Vectors
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, source_unavailable
from citeplug.records.graph_use import GraphUse, OutsideWork
from citeplug.records.outcome import Options
from citeplug.records.paper import LIBRARY, ArxivId, Candidate, Filter, Links, Paper, Query, Shortlisted
from citeplug.retrieve.candidates import ask_source, retrieve_candidates
from citeplug.retrieve.longlist import rate
from citeplug.retrieve.queries import cited_entries, queries_from_draft
from citeplug.retrieve.shortlist import admissible, rank_as_published, rank_longlist

# A section needs a few dozen good papers, not a thousand ranked ones: the first run on a large catalogue then embeds
# some 800 abstracts (ten seconds or so on two cores) in place of 1,750. 300 find .003 fewer of the cited papers in the
# first 20 and .01 fewer in the first 100, 1,000 find no more in the first 20.
LONG_ENOUGH = 600
SIDE_DEPTH = 40

STAGE = "shortlist"


@dataclass(frozen=True, slots=True)
class Candidates:
    """Papers that may be written about, best first, and unit vectors (d,) of them by arXiv id.

    `cited` are the ids of those that the draft cites.
    """

    papers: list[Candidate]
    vectors: Mapping[str, Vectors]
    cited: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()
    graph: GraphUse | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Papers in the order in which the section prefers them, the first `wanted` of which it is to discuss.

    `fitting` papers fit the draft; the others are not discussed, whatever is refused. `vectors` are unit vectors
    (d,) by arXiv id. `longlist` is what was ranked; empty where the result of an earlier run is used, or for pinned
    papers alone, as `spare` is, the candidates that were left out of it, best first. `queries` are those that they were
    found by; empty for pinned papers alone. `graph` says how citations counted; None: nothing was searched for.
    """

    papers: list[Shortlisted]
    wanted: int
    fitting: int
    vectors: Mapping[str, Vectors]
    longlist: Sequence[Candidate] = ()
    findings: tuple[Finding, ...] = ()
    spare: Sequence[Candidate] = ()
    queries: Sequence[Query] = ()
    graph: GraphUse | None = None

    def __add__(self, other: "Ranking") -> "Ranking":
        """This ranking, with the papers of the other behind it."""
        return Ranking(
            [*self.papers, *other.papers],
            self.wanted + other.wanted,
            self.fitting + other.fitting,
            {**self.vectors, **other.vectors},
            other.longlist or self.longlist,
            (*self.findings, *other.findings),
            other.spare or self.spare,
            other.queries or self.queries,
            other.graph or self.graph,
        )


@dataclass(frozen=True, slots=True)
class Queries:
    """Search queries made from a draft. `cited` are the records of what the draft cites, by its keys."""

    queries: tuple[Query, ...]
    cited: Mapping[str, Paper]
    findings: tuple[Finding, ...] = ()


def make_queries(draft: Draft, tools: Tools, progress: Progress) -> Queries:
    """Queries that look at different aspects of the draft; with a model, those that it proposes too."""
    with progress.stage("queries"):
        cited = cited_papers(draft, tools.index, tools.lookup.index)
        queries = queries_from_draft(draft, cited)
    if tools.model is None:
        return Queries(tuple(queries), cited)
    from citeplug.retrieve.model_queries import more_queries

    with progress.stage("model queries", tools.model):
        more, findings = more_queries(draft, tools.model)
    return Queries((*queries, *more), cited, tuple(findings))


def find_candidates(
    queries: Queries, draft: Draft, options: Options, tools: Tools, *, before: date, progress: Progress
) -> Candidates:
    """Retrieve the papers that the section could discuss, with their vectors.

    Raises CorpusEmpty if no paper passes the filters, SourceUnavailable if there is no catalogue and arXiv cannot be
    reached.
    """
    where = Filter(before, options.categories, frozenset(options.exclude))
    found: list[Paper] = []
    findings: list[Finding] = []
    if tools.search_source is not None:
        with progress.stage("ask arXiv", tools.search_source):
            found, findings = _ask(queries.queries[0].text, tools, 6 * options.breadth, before)
            found = [paper for paper in found if paper.id.value not in where.exclude]
    where = replace(where, among=_among(options, tools, found))
    end = None if tools.seconds is None else time.monotonic() + tools.seconds
    # Spare candidates stand in for those that may not be cited.
    k = 8 * options.breadth + 20
    with progress.stage("retrieve"):
        candidates = retrieve_candidates(
            queries.queries,
            tools.index,
            where,
            k=pool(options, tools, k),
            depth=max(LONG_ENOUGH, 8 * options.breadth),
            side_depth=SIDE_DEPTH,
            dense=tools.dense,
            found=found,
            cited=list({paper.id.value: paper for paper in queries.cited.values()}.values()),
            known_share=len(queries.cited) / max(1, len(cited_entries(draft))),
            seconds=tools.seconds,
            on_progress=lambda done, total: progress.report("embed", done, total),
        )
    with progress.stage("deep research"):
        main = queries.queries[0].text
        candidates, graph, thin = deep_candidates(
            candidates, main, draft, options, tools, where, k, end, _ids(queries.cited)
        )
    with progress.stage("candidates", tools.lookup.source):
        complete = _complete(admissible(candidates, draft), tools.lookup)
        candidates, silent = _with_text(complete, options.breadth)
        if not candidates:
            raise CorpusEmpty(
                "no paper that can be written about passes the filters",
                "add records with 'citeplug index add' or abstracts to your library, or relax --before, --category"
                " or --topic",
            )
        left = None if end is None else max(0.0, end - time.monotonic())
        vectors = tools.index.vectors_of([candidate.paper for candidate in candidates], left)
    # What else speaks for a paper has its say in the candidates' scores: all that follows goes by these.
    doubts = (*queries.findings, *findings, *thin, *silent)
    return Candidates(rate(candidates), vectors, _ids(queries.cited), doubts, graph)


def rank(
    longlist: Longlist,
    candidates: Candidates,
    draft: Draft,
    options: Options,
    tools: Tools,
    progress: Progress,
) -> Ranking:
    """The longlist's papers in the order in which they are preferred, by retrieval or by the model.

    A model that says which papers do not belong is believed; one that says of none is given the measure of fit.
    """
    fitting, wanted = longlist.papers, longlist.wanted
    ranked = rank_as_published(fitting) if options.as_published else rank_longlist(fitting)
    others = rank_longlist(longlist.others)
    spare, findings = longlist.spare, list[Finding]()
    ranker = options.rank or "permutation"
    if tools.model is not None and ranker != "hybrid":
        from citeplug.rank import RANKERS

        everything = [*fitting, *longlist.others]
        by_id = {item.paper.id.value: item for item in (*ranked, *others)}
        with progress.stage("rank", tools.model):
            order, findings = RANKERS[ranker](draft, everything, tools.model, candidates.cited)
        if len(order) == len(everything):
            order = [row for row in order if row < len(fitting)]
        else:
            wanted, others = min(options.breadth, len(order)), []
            spare = [*(each for row, each in enumerate(everything) if row not in order), *spare]
        ranked = [by_id[value] for row in order if (value := everything[row].paper.id.value) in by_id]
    return Ranking(
        [*ranked, *others],
        wanted,
        len(ranked),
        candidates.vectors,
        [*fitting, *longlist.others],
        (*candidates.findings, *findings),
        spare,
        graph=candidates.graph,
    )


def remember(ranking: Ranking, queries: Queries, draft: Draft, options: Options, tools: Tools, before: date) -> None:
    """Keep a ranking for later runs with the same inputs."""
    if tools.memory is not None:
        inputs = _inputs(queries, draft, options, tools, before)
        papers = [[item.paper.id.value, item.score, item.links and asdict(item.links)] for item in ranking.papers]
        graph = ranking.graph and asdict(ranking.graph)
        tools.memory.keep(
            STAGE, inputs, {"papers": papers, "fitting": ranking.fitting, "wanted": ranking.wanted, "graph": graph}
        )


def recall(queries: Queries, draft: Draft, options: Options, tools: Tools, before: date) -> Ranking | None:
    """The ranking that an earlier run made from the same inputs, if every paper in it is still known.

    Raises UsageError if one of the topics that the user named is none.
    """
    _among(options, tools)
    if tools.memory is None:
        return None
    said = tools.memory.recall(STAGE, _inputs(queries, draft, options, tools, before))
    try:
        scores = {str(value): (float(score), _links(links)) for value, score, links in said["papers"]}
        wanted, fit, graph = int(said["wanted"]), int(said["fitting"]), _graph_use(said["graph"])
    except (KeyError, TypeError, ValueError):
        return None
    papers = tools.index.papers(list(scores))
    if not scores or not all(value in papers and papers[value].complete for value in scores):
        return None
    ranked = [Shortlisted(papers[value], score, links) for value, (score, links) in scores.items()]
    first = [item.paper for item in ranked[: options.breadth]]
    vectors = tools.index.vectors_of(first, tools.seconds)
    return Ranking(ranked, wanted, fit, vectors, findings=queries.findings, graph=graph)


def _links(kept: Any) -> Links | None:
    """Links from JSON, which has lists for tuples."""
    if kept is None:
        return None
    found: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in kept.items()}
    return Links(**found)


def _graph_use(kept: Any) -> GraphUse | None:
    if kept is None:
        return None
    works = (OutsideWork(**{**work, "cited_by": tuple(work["cited_by"])}) for work in kept["not_on_arxiv"])
    return GraphUse(**{**kept, "not_on_arxiv": tuple(works)})


def _inputs(queries: Queries, draft: Draft, options: Options, tools: Tools, before: date) -> str:
    """The digest of all that a ranking depends on, but for the records and their embedding model."""
    asked = [[query.text, query.aspect, query.weight] for query in queries.queries]
    ids = {entry.arxiv_id for entry in draft.entries if entry.arxiv_id} | _ids(queries.cited)
    own = [draft.title, draft.abstract, sorted(ids)]
    ranked_by = tools.model.name if tools.model is not None else None
    chosen = [options.breadth, options.diversity, options.categories, options.exclude, options.rank, options.topics]
    chosen += [options.deep, tools.graph is not None and options.deep is not False and tools.graph.stamp()]
    ways = [options.as_published, tools.dense]
    return digest_of([asked, own, chosen, ways, before.isoformat(), tools.search_source is not None, ranked_by])


def _ids(cited: Mapping[str, Paper]) -> frozenset[str]:
    return frozenset(paper.id.value for paper in cited.values())


def _among(options: Options, tools: Tools, found: Sequence[Paper] = ()) -> frozenset[str] | None:
    """The papers of the topics that the user named. Raises UsageError if one of them is none."""
    if not options.topics:
        return None
    if tools.topics is None:
        raise UsageError("there are no topics to look in", "leave --topic out")
    return tools.topics.within(options.topics, found)


def _ask(text: str, tools: Tools, limit: int, before: date) -> tuple[list[Paper], list[Finding]]:
    assert tools.search_source is not None
    try:
        return ask_source(text, tools.search_source, limit, before), []
    except SourceUnavailable as error:
        if not tools.index.records:
            raise
        return [], [source_unavailable(error, "only the local catalogue was searched")]


def _with_text(candidates: Sequence[Candidate], breadth: int) -> tuple[list[Candidate], list[Finding]]:
    """The candidates to choose among. Works of the author's library without an abstract wait until they are named.

    A bare title fits a query better than it should, and a section of mere titles says nothing. Finding:
    `library_titles`.
    """
    left = [c for c in candidates if c.paper.id.on_arxiv or c.paper.abstract][: 6 * breadth]
    silent = [c for c in candidates[: 6 * breadth] if not c.paper.id.on_arxiv and not c.paper.abstract]
    if not silent:
        return left, []
    keys = [c.paper.id.value.removeprefix(LIBRARY) for c in silent]
    named = ", ".join(keys[:5]) + (f" and {len(keys) - 5} more" if len(keys) > 5 else "")
    message = f"of works of your library that may fit only the titles are known: {named}"
    fix = "add their abstracts or PDFs with 'citeplug library add', or name them with --pin or in a plan"
    return left, [Finding("library_titles", "info", message, fix=fix)]


def _complete(candidates: Sequence[Candidate], lookup: Lookup) -> list[Candidate]:
    """Fill in records without authors by id where arXiv may be asked; those that stay incomplete go."""
    missing = [c.paper.id for c in candidates if not c.paper.complete and c.paper.id.on_arxiv]
    full = lookup.records([ArxivId(i.value) for i in missing]) if missing and lookup.source is not None else {}
    by_value = {asked.value: paper for asked, paper in full.items() if paper.complete}
    filled = (replace(c, paper=by_value.get(c.paper.id.value, c.paper)) for c in candidates)
    return [candidate for candidate in filled if candidate.paper.complete]
