"""From a draft to the papers that it should discuss: queries, candidates, longlist, shortlist."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from citeplug.bibliography.records_by_id import Lookup
from citeplug.errors import CorpusEmpty, SourceUnavailable, UsageError
from citeplug.pipeline.input_digests import digest_of
from citeplug.pipeline.run import Run, Tools
from citeplug.ports import Vectors
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, source_unavailable
from citeplug.records.outcome import Options
from citeplug.records.paper import LIBRARY, ArxivId, Candidate, Filter, Paper, Query, Shortlisted
from citeplug.retrieve.candidates import ask_source, retrieve_candidates
from citeplug.retrieve.longlist import select_longlist
from citeplug.retrieve.queries import queries_from_draft
from citeplug.retrieve.shortlist import admissible, select_shortlist

# A section needs a few dozen good papers, not a thousand ranked ones: the first run on a large catalogue then
# embeds some 500 abstracts (a dozen seconds on two cores) in place of 1,750, and finds the same at the top.
LONG_ENOUGH = 300
SIDE_DEPTH = 40

STAGE = "shortlist"


@dataclass(frozen=True, slots=True)
class Found:
    """The shortlist, and vectors of its papers, of the longlist's too, by arXiv id.

    `longlist` is what the shortlist was chosen from; empty where an earlier run is remembered, or for pinned papers.
    """

    shortlist: list[Shortlisted]
    vectors: Mapping[str, Vectors]
    longlist: Sequence[Candidate] = ()


def find_shortlist(draft: Draft, options: Options, tools: Tools, *, before: date, run: Run) -> Found:
    """The papers to discuss. Raises CorpusEmpty if no paper passes the filters, SourceUnavailable if there is no
    catalogue and arXiv cannot be reached."""
    among = _among(options, tools)
    with run.stage("queries"):
        known = tools.index.papers([entry.arxiv_id for entry in draft.entries if entry.arxiv_id])
        queries = queries_from_draft(draft, list(known.values()))
    if tools.model is not None:
        from citeplug.retrieve.model_queries import more_queries

        with run.stage("model queries", tools.model):
            queries += more_queries(draft, tools.model, run.findings)
    inputs = _inputs(queries, draft, options, tools, before)
    kept = _recalled(inputs, tools)
    if kept is not None:
        with run.stage("shortlist"):
            return Found(kept, tools.index.vectors_of([item.paper for item in kept], tools.seconds))
    where = Filter(before, options.categories, frozenset(options.exclude))
    found: list[Paper] = []
    if tools.search_source is not None:
        with run.stage("ask arXiv", tools.search_source):
            found = _ask(queries[0].text, tools, 6 * options.breadth, before, run)
            found = [paper for paper in found if paper.id.value not in where.exclude]
            among = _among(options, tools, found)
    where = replace(where, among=among)
    end = None if tools.seconds is None else time.monotonic() + tools.seconds
    with run.stage("retrieve"):
        candidates = retrieve_candidates(
            queries,
            tools.index,
            where,
            # Spare candidates stand in for those that may not be cited.
            k=8 * options.breadth + 20,
            depth=max(LONG_ENOUGH, 8 * options.breadth),
            side_depth=SIDE_DEPTH,
            found=found,
            seconds=tools.seconds,
            on_progress=lambda done, total: run.report("embed", done, total),
        )
    with run.stage("shortlist", tools.lookup.source):
        candidates = _with_text(_complete(admissible(candidates, draft), tools.lookup), options.breadth, run)
        if not candidates:
            raise CorpusEmpty(
                "no paper that can be written about passes the filters",
                "add records with 'citeplug index add' or abstracts to your library, or relax --before, --category"
                " or --topic",
            )
        left = None if end is None else max(0.0, end - time.monotonic())
        vectors = tools.index.vectors_of([candidate.paper for candidate in candidates], left)
        longlist = select_longlist(candidates, vectors, options.breadth, options.diversity)
        shortlist = select_shortlist(longlist, options.breadth)
    if tools.model is not None and options.rank != "hybrid":
        from citeplug.rank import shortlist_by

        with run.stage("rank", tools.model):
            shortlist = shortlist_by(options.rank, draft, longlist, options.breadth, tools.model, run.findings)
    if tools.memory is not None:
        tools.memory.keep(STAGE, inputs, [[item.paper.id.value, item.score] for item in shortlist])
    return Found(shortlist, vectors, longlist)


def _among(options: Options, tools: Tools, found: Sequence[Paper] = ()) -> frozenset[str] | None:
    """The papers of the topics that the user named. Raises UsageError if one of them is none."""
    if not options.topics:
        return None
    if tools.topics is None:
        raise UsageError("there are no topics to look in", "leave --topic out")
    return tools.topics.within(options.topics, found)


def _inputs(queries: Sequence[Query], draft: Draft, options: Options, tools: Tools, before: date) -> str:
    """The digest of all that a shortlist depends on, but for the catalogue and its embedding model."""
    asked = [[query.text, query.aspect, query.weight] for query in queries]
    own = [draft.title, draft.abstract, sorted(entry.arxiv_id for entry in draft.entries if entry.arxiv_id)]
    ranked_by = tools.model.name if tools.model is not None else None
    chosen = [options.breadth, options.diversity, options.categories, options.exclude, options.rank, options.topics]
    said = [asked, own, chosen, before.isoformat(), tools.search_source is not None, ranked_by]
    return digest_of(said)


def _recalled(inputs: str, tools: Tools) -> list[Shortlisted] | None:
    """The shortlist that was made from the same inputs, if every paper in it is known still."""
    said = tools.memory.recall(STAGE, inputs) if tools.memory is not None else None
    try:
        scores = {str(value): float(score) for value, score in said or ()}
    except (TypeError, ValueError):
        return None
    papers = tools.index.papers(list(scores))
    whole = scores and all(value in papers and papers[value].complete for value in scores)
    return [Shortlisted(papers[value], score) for value, score in scores.items()] if whole else None


def _ask(text: str, tools: Tools, limit: int, before: date, run: Run) -> list[Paper]:
    assert tools.search_source is not None
    try:
        return ask_source(text, tools.search_source, limit, before)
    except SourceUnavailable as error:
        if not tools.index.records:
            raise
        run.findings.append(source_unavailable(error, "only the local catalogue was searched"))
        return []


def _with_text(candidates: Sequence[Candidate], breadth: int, run: Run) -> list[Candidate]:
    """The candidates to choose among. Works of the author's library without an abstract wait until they are named.

    A bare title fits a query better than it should, and a section of mere titles says nothing. Finding:
    `library_titles`.
    """
    silent = [c for c in candidates[: 6 * breadth] if not c.paper.id.on_arxiv and not c.paper.abstract]
    if silent:
        keys = [c.paper.id.value.removeprefix(LIBRARY) for c in silent]
        named = ", ".join(keys[:5]) + (f" and {len(keys) - 5} more" if len(keys) > 5 else "")
        run.findings.append(
            Finding(
                "library_titles",
                "info",
                f"of works of your library that may fit only the titles are known: {named}",
                fix="add their abstracts or PDFs with 'citeplug library add', or name them with --pin or in a plan",
            )
        )
    return [c for c in candidates if c.paper.id.on_arxiv or c.paper.abstract][: 6 * breadth]


def _complete(candidates: Sequence[Candidate], lookup: Lookup) -> list[Candidate]:
    """Fill in records without authors by id where arXiv may be asked; those that stay incomplete go."""
    missing = [c.paper.id for c in candidates if not c.paper.complete and c.paper.id.on_arxiv]
    full = lookup.records([ArxivId(i.value) for i in missing]) if missing and lookup.source is not None else {}
    by_value = {asked.value: paper for asked, paper in full.items() if paper.complete}
    filled = (replace(c, paper=by_value.get(c.paper.id.value, c.paper)) for c in candidates)
    return [candidate for candidate in filled if candidate.paper.complete]
