"""Steps from a draft to the papers that it should discuss: queries, candidates, ranking."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from citeplug.corpus.records_by_id import Lookup
from citeplug.errors import CorpusEmpty, UsageError
from citeplug.protocols import Vectors
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, source_unavailable
from citeplug.records.outcome import GraphUse, Options
from citeplug.records.paper import LIBRARY, ArxivId, Candidate, Filter, Paper, Query, Shortlisted
from citeplug.related.progress import Progress, Tools
from citeplug.related.retrieve.ask_sources import SourceAnswers, ask_sources
from citeplug.related.retrieve.candidates import retrieve_candidates
from citeplug.related.retrieve.cited_papers import cited_authors, cited_papers
from citeplug.related.retrieve.cited_works import Queries, found_works, rate_works, works_without_record
from citeplug.related.retrieve.fit import share_own, share_words
from citeplug.related.retrieve.graph_candidates import deep_candidates, pool
from citeplug.related.retrieve.longlist import Longlist, keep_reserved, rate
from citeplug.related.retrieve.queries import THEME, cited_entries, only_used, queries_from_draft
from citeplug.related.retrieve.shortlist import admissible, rank_as_published, rank_longlist

# Of each lexical ranking so many count, and of all together the first `EMBEDDED` are embedded, in two seconds on two
# cores: all find .004 more of the cited papers in the first 20 and .01 more in the first 50 (benchmarks/results.md).
EMBEDDED = 180
LONG_ENOUGH = 600
SIDE_DEPTH = 40
SHOWN_PER_PAPER = 2  # candidates that a model is shown, with whole abstracts, for each paper that it is to choose


@dataclass(frozen=True, slots=True)
class Candidates:
    """Papers that may be written about, best first, and unit vectors (d,) of them by arXiv id.

    `words` says how many of the queries' words they have (`related.retrieve.fit.share_words`), `own` how many of
    their own the queries have (`share_own`).
    `cited` are the ids of those that the draft cites. `pinned` has the relevance of the author's own choices, which are
    not among them, by arXiv id. `queries` are those that all were found by, with the services that these went to.
    """

    papers: list[Candidate]
    vectors: Mapping[str, Vectors]
    words: Mapping[str, float] = field(default_factory=dict)
    own: Mapping[str, float] = field(default_factory=dict)
    cited: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()
    graph: GraphUse | None = None
    pinned: Mapping[str, float] = field(default_factory=dict)
    queries: tuple[Query, ...] = ()
    # What the draft cites and no record is known of.
    works: Sequence[Candidate] = ()


@dataclass(frozen=True, slots=True)
class PaperRanking:
    """Papers in the order in which the section prefers them, the first `wanted` of which it is to discuss.

    `fitting` papers fit the draft; the others are not discussed, whatever is refused. `vectors` are unit vectors
    (d,) by arXiv id. `longlist` is what was ranked, `spare` the candidates that were left out of it, best first, and
    `queries` are those that they were found by; all empty for pinned papers alone. `graph` says
    how citations counted; None: nothing was searched for.
    `pinned` is as in `Candidates`. `fit` has the log-odds of all that was found and fits, by id, `spare` or not.
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
    pinned: Mapping[str, float] = field(default_factory=dict)
    fit: Mapping[str, float] = field(default_factory=dict)

    @property
    def unfit(self) -> tuple[Shortlisted, ...]:
        """The papers that fit the draft too little, best first."""
        return tuple(self.papers[self.fitting :])

    def __add__(self, other: "PaperRanking") -> "PaperRanking":
        """This ranking of pinned papers, with those of the other behind it, which may have rated the pinned ones."""
        mine = [replace(item, score=other.pinned.get(item.paper.id.value, item.score)) for item in self.papers]
        return PaperRanking(
            [*mine, *other.papers],
            self.wanted + other.wanted,
            self.fitting + other.fitting,
            {**self.vectors, **other.vectors},
            other.longlist or self.longlist,
            (*self.findings, *other.findings),
            other.spare or self.spare,
            other.queries or self.queries,
            other.graph or self.graph,
            fit={**self.fit, **other.fit},
        )


def make_queries(draft: Draft, options: Options, tools: Tools, progress: Progress, before: date) -> Queries:
    """Queries on aspects of the draft, or on the whole of it; with a model, those that it proposes too."""
    with progress.stage("queries"):
        known = cited_papers(draft, tools.index, tools.lookup.index)
        aside = only_used(draft)
        cited = {key: paper for key, paper in known.items() if key not in aside}
        used = _ids({key: paper for key, paper in known.items() if key in aside}) - _ids(cited)
        queries = queries_from_draft(draft, cited, whole=options.whole_draft)
        # Citegeist's own form knows of no citations.
        authors = () if options.as_published else tuple(cited_authors(draft, cited))
    if tools.model is None:
        return Queries(tuple(queries), cited, authors, used=used, tools=aside)
    from citeplug.related.retrieve.model_queries import more_queries

    with progress.stage("model queries", tools.model):
        more, doubts = more_queries(draft, tools.model, options.model_queries)
    return Queries((*queries, *more), cited, authors, tuple(doubts), used, aside)


def compares_first_alone(options: Options, tools: Tools) -> bool:
    """Return True if only the first candidates by words are compared with the draft by meaning, and not all.

    What a model's queries ask for is read in full: it waits longer for the model than for that.
    """
    return tools.dense == "candidates" and tools.model is None and not pool(options, tools, 0)


def find_candidates(
    queries: Queries,
    draft: Draft,
    options: Options,
    tools: Tools,
    *,
    before: date,
    progress: Progress,
    pinned: Collection[str] = (),
) -> Candidates:
    """Retrieve the papers that the section could discuss, with their vectors; those `pinned` are rated beside them.

    Raises CorpusEmpty if no paper passes the filters, SourceUnavailable if there is no catalogue and arXiv cannot be
    reached.
    """
    out = (queries.used | frozenset(options.exclude)).difference(pinned)
    where = Filter(before, options.categories, out, first_day=options.first_day)
    answers = _ask(queries.queries, tools, 6 * options.breadth, before, progress)
    live = [paper for paper in answers.papers if paper.id.value not in where.exclude]
    findings = [source_unavailable(error, "only the local catalogue was searched") for error in answers.outages]
    where = replace(where, among=among_topics(options, tools, live))
    end = None if tools.seconds is None else time.monotonic() + tools.seconds
    # Spare candidates stand in for those that may not be cited.
    k = 8 * options.breadth + 20
    wide = pool(options, tools, k)
    with progress.stage("retrieve"):
        candidates = retrieve_candidates(
            queries.queries,
            tools.index,
            where,
            k=wide,
            depth=max(LONG_ENOUGH, 8 * options.breadth),
            side_depth=SIDE_DEPTH,
            most=max(EMBEDDED, k) if compares_first_alone(options, tools) else None,
            dense=tools.dense,
            whole=options.as_published and options.whole_draft,
            live_papers=live,
            cited=list({paper.id.value: paper for paper in queries.cited.values()}.values()),
            cited_authors=queries.authors,
            known_share=len(queries.cited) / max(1, len(cited_entries(draft))),
            seconds=tools.seconds,
            on_progress=lambda done, total: progress.report("embed", done, total),
        )
    with progress.stage("deep research"):
        main = queries.queries[0].text
        candidates, graph, thin = deep_candidates(
            candidates, main, draft, options, tools, where, k, end, progress, _ids(queries.cited)
        )
    with progress.stage("candidates", tools.lookup.source):
        complete = _complete(admissible(candidates, draft), tools.lookup)
        candidates, silent = _with_text(complete, options.breadth)
        if not candidates:
            raise CorpusEmpty(
                "no paper that can be written about passes the filters",
                "add records with 'citeplug index add' or abstracts to your library, or relax --from, --before,"
                " --category or --topic",
            )
        left = None if end is None else max(0.0, end - time.monotonic())
        searched = found_works(draft, candidates, queries)
        own_works = works_without_record(draft, queries, searched, {*where.exclude, *pinned}, options, tools)
        vectors = tools.index.vectors_of([*(candidate.paper for candidate in candidates), *own_works], left)
    # What else speaks for a paper has its say in the candidates' scores: all that follows goes by these.
    doubts = (*queries.findings, *findings, *thin, *silent)
    rated = rate(candidates)
    scores = {candidate.paper.id.value: candidate.relevance for candidate in rated}
    others = [candidate for candidate in rated if candidate.paper.id.value not in pinned]
    # A pinned paper that was not found is as relevant as the last that was.
    by_pin = {value: scores.get(value, min(scores.values())) for value in pinned}
    drafts = [query for query in queries.queries if query.aspect != THEME]
    words = share_words(drafts, [candidate.paper.id.value for candidate in others], tools.index)
    own = share_own(drafts, others)
    cited, works = _ids(queries.cited) | searched.keys(), rate_works(own_works, vectors, drafts, tools)
    return Candidates(others, vectors, words, own, cited, doubts, graph, by_pin, answers.queries, works)


def rank(
    longlist: Longlist,
    candidates: Candidates,
    draft: Draft,
    options: Options,
    tools: Tools,
    progress: Progress,
) -> PaperRanking:
    """The longlist's papers in the order in which they are preferred, by retrieval or by the model.

    A model that says which papers do not belong is believed; one that says of none is given the measure of fit.
    """
    fitting, count = longlist.papers, longlist.wanted
    ranked = rank_as_published(fitting) if options.as_published else rank_longlist(fitting)
    others = rank_longlist(longlist.others)
    spare, findings = longlist.spare, list[Finding]()
    ranker = options.rank or "permutation"
    if tools.model is not None and ranker != "hybrid":
        from citeplug.related.rank import RANKERS

        everything = [*fitting, *longlist.others]
        shown = [*keep_reserved(everything, SHOWN_PER_PAPER * options.breadth), *candidates.works]
        others += rank_longlist(candidates.works)
        with progress.stage("rank", tools.model):
            order, findings, debates = RANKERS[ranker](draft, shown, tools.model, candidates.cited, options.breadth)
        ranked, others = (
            [replace(item, debate=debates.get(item.paper.id.value)) for item in items] for items in (ranked, others)
        )
        by_id = {item.paper.id.value: item for item in (*ranked, *others)}
        values = [shown[row].paper.id.value for row in order]
        if len(order) == len(shown):
            fits = {candidate.paper.id.value for candidate in [*fitting, *candidates.works]}
            values = [value for value in values if value in fits]
        else:
            others = []
        count = min(options.breadth, len(values))
        used = {*values, *(item.paper.id.value for item in others)}
        spare = [*(candidate for candidate in everything if candidate.paper.id.value not in used), *spare]
        ranked = [by_id[value] for value in values]
    return PaperRanking(
        [*ranked, *others],
        count,
        len(ranked),
        candidates.vectors,
        [*fitting, *longlist.others],
        (*candidates.findings, *findings),
        spare,
        candidates.queries,
        candidates.graph,
        pinned=candidates.pinned,
        fit=longlist.fitting,
    )


def _ids(cited: Mapping[str, Paper]) -> frozenset[str]:
    return frozenset(paper.id.value for paper in cited.values())


def among_topics(options: Options, tools: Tools, live: Sequence[Paper] = ()) -> frozenset[str] | None:
    """The papers of the topics that the user named. Raises UsageError for an unknown topic."""
    if not options.topics:
        return None
    if tools.topics is None:
        raise UsageError("there are no topics to look in", "leave --topic out")
    return tools.topics.within(options.topics, live)


def _ask(queries: Sequence[Query], tools: Tools, limit: int, before: date, progress: Progress) -> SourceAnswers:
    return ask_sources(
        queries,
        tools.search_sources,
        limit,
        before,
        stage=lambda source: progress.stage(f"ask {source.name}", source),
        on_progress=lambda name, done, total: progress.report(f"ask {name}", done, total),
        must_answer=not tools.index.records,
    )


def _with_text(candidates: Sequence[Candidate], breadth: int) -> tuple[list[Candidate], list[Finding]]:
    """The candidates to choose among. Works of the author's library without an abstract wait until they are named.

    A bare title fits a query better than it should, and a section of mere titles says nothing. Finding:
    `library_titles`.
    """
    left = keep_reserved([c for c in candidates if c.paper.id.on_arxiv or c.paper.abstract], 6 * breadth)
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
    by_value = {arxiv_id.value: paper for arxiv_id, paper in full.items() if paper.complete}
    filled = (replace(c, paper=by_value.get(c.paper.id.value, c.paper)) for c in candidates)
    return [candidate for candidate in filled if candidate.paper.complete]
