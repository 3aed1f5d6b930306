"""The step from the candidates of a search to those of the search and the citation graph together.

Works outside arXiv that several of the draft's citations cite are named to the author, and never cited.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from citeplug.corpus.records_by_id import Lookup
from citeplug.errors import CiteplugError
from citeplug.protocols import CitationSource, LanguageModel, ListSource, PaperIndex
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.outcome import GraphUse, Options, OutsideWork
from citeplug.records.paper import ArxivId, Candidate, Filter, Paper
from citeplug.records.passage import Reference
from citeplug.related.progress import Progress, Tools
from citeplug.related.retrieve.deep_research import ENOUGH, POOL, THIN, GraphExpansion, GraphReach, deepen
from citeplug.related.retrieve.growing_graph import GrowingGraph
from citeplug.related.retrieve.longlist import keep_reserved
from citeplug.related.retrieve.shortlist import draft_test
from citeplug.text.compare import entry_doi, entry_title
from citeplug.text.folding import fold_title

FEWEST = 2  # citations of the draft that cite it
MOST = 20
_MOST_RECORDS = 100  # of papers that lists name, in one request
_EVEN = 50.0  # percent
_TELLING = 3  # words of a title; a shorter one is not one work's alone


def outside_arxiv(
    unresolved: Mapping[str, Sequence[Reference]], entries: Iterable[BibEntry] = ()
) -> tuple[OutsideWork, ...]:
    """At most 20 works that entries of two or more lists mean, those of the most lists first.

    `unresolved` are entries that mean no record, by the paper in whose list they are. What the draft has an entry for
    is left out. Two entries are of one work if they print the same DOI, or the same title of three words or more.
    """
    titles: dict[str, str] = {}  # folded title by DOI
    for reference in (entry for _, listed in sorted(unresolved.items()) for entry in listed):
        if reference.doi and _name(reference):
            titles.setdefault(reference.doi, _name(reference))
    by_name: dict[str, dict[str, Reference]] = {}
    for paper, listed in sorted(unresolved.items()):
        for reference in listed:
            name = titles.get(reference.doi or "") or _name(reference) or reference.doi
            if name and reference.title:
                by_name.setdefault(name, {}).setdefault(paper, reference)
    known = {name for entry in entries for name in (fold_title(entry_title(entry)), entry_doi(entry)) if name}
    works = [
        _work(by_paper)
        for name, by_paper in by_name.items()
        if len(by_paper) >= FEWEST and not known & {name, *(reference.doi for reference in by_paper.values())}
    ]
    return tuple(sorted(works, key=lambda work: (-len(work.cited_by), work.title))[:MOST])


def _name(reference: Reference) -> str:
    title = reference.title or ""
    return fold_title(title) if len(title.split()) >= _TELLING else ""


def _work(by_paper: Mapping[str, Reference]) -> OutsideWork:
    listed = list(by_paper.values())
    return OutsideWork(
        listed[0].title or "",
        next((reference.year for reference in listed if reference.year), None),
        next((reference.doi for reference in listed if reference.doi), None),
        tuple(by_paper),
    )


def pool(options: Options, tools: Tools, k: int) -> int:
    """Number of candidates that the ordinary search finds: `k`, or more where votes may bring later ones up."""
    return max(k, POOL) if _asked(options, tools) else k


def deep_candidates(
    candidates: Sequence[Candidate],
    text: str,
    draft: Draft,
    options: Options,
    tools: Tools,
    where: Filter,
    k: int,
    end: float | None,
    progress: Progress,
    cited: Collection[str] = (),
) -> tuple[list[Candidate], GraphUse, list[Finding]]:
    """The first `k` candidates, by the graph too unless the user said no, or lists are known for too few papers.

    With `as_published` by Algorithm 2 as LitLLM prints it, from as many papers as the section may have. Without the
    user's word, half of the lists must be known. `end` is the time at which embedding stops, as `time.monotonic`
    counts; `cited` are the ids of the records that the draft cites, with or without an id in its entries. Finding:
    `graph_thin`.
    """
    if tools.graph is None or not _asked(options, tools):
        return keep_reserved(candidates, k), GraphUse(options.deep, used=False, seeds=0, known=0), []
    keys = {key for cite in draft.cites for key in cite.keys}
    named = [e.arxiv_id for e in draft.entries if e.arxiv_id and (e.key in keys or "*" in keys)]
    own = list(dict.fromkeys([*named, *sorted(cited)]))
    growing = growing_graph(
        tools.graph,
        tools.lists,
        tools.index,
        candidates,
        lambda done, total: progress.report("ask for lists", done, total),
    )
    judge = None if tools.model is None else DebateFilter(draft.title, draft.abstract, tools.model)
    made, expansion = deepen(
        candidates,
        text,
        tools.index,
        growing or tools.graph,
        where,
        _wish(options),
        k,
        own=own,
        is_draft=draft_test(draft),
        seconds=None if end is None else max(0.0, end - time.monotonic()),
        records=records_from(tools.index, tools.lookup if tools.lists is not None else None),
        relevant=judge,
    )
    use = GraphUse(options.deep, expansion.used, expansion.seeds, expansion.known)
    if growing is not None:
        use = replace(use, fetched=growing.fetched, left=len(growing.left))
    if expansion.used:
        use = replace(use, not_on_arxiv=outside_arxiv(tools.graph.unresolved(own), draft.entries))
    # Whoever did not ask for it and has no lists of these papers has nothing to do.
    silent = options.deep is None and not expansion.known and growing is None
    doubts = [] if silent else graph_doubts(expansion, growing)
    return made, use, [*doubts, *(judge.findings if judge is not None else ())]


def growing_graph(
    graph: CitationSource,
    lists: ListSource | None,
    index: PaperIndex,
    candidates: Sequence[Candidate],
    on_progress: Callable[[int, int], None],
) -> GrowingGraph | None:
    """The graph that asks for lists that are not known; None where nobody may be asked."""
    if lists is None:
        return None
    papers = {candidate.paper.id.value: candidate.paper for candidate in candidates}

    def records(ids: Sequence[str]) -> Mapping[str, Paper]:
        return {**index.papers(ids), **{value: papers[value] for value in ids if value in papers}}

    return GrowingGraph(graph, lists, records, on_progress)


def records_from(index: PaperIndex, lookup: Lookup | None) -> Callable[[Sequence[str]], Mapping[str, Paper]]:
    """Papers by id, of `index`, and with a `lookup` some that it lacks, by their ids."""

    def records(ids: Sequence[str]) -> Mapping[str, Paper]:
        known = dict(index.papers(ids))
        missing = [ArxivId(value) for value in ids if value not in known][:_MOST_RECORDS]
        if lookup is not None and lookup.source is not None and missing:
            known |= {arxiv_id.value: paper for arxiv_id, paper in lookup.records(missing).items()}
        return known

    return records


@dataclass(slots=True)
class DebateFilter:
    """Filter of Algorithm 2 by LitLLM's debate ranking: relevant is what a model gives more than even odds.

    `trouble` is why it could not be queried any more.
    """

    title: str
    abstract: str
    model: LanguageModel
    trouble: CiteplugError | None = None

    def __call__(self, papers: Sequence[Paper]) -> Collection[str] | None:
        """The ids of the relevant ones of `papers`; None if the model does not say. Raises Cancelled."""
        from citeplug.related.rank import rank_by_debate

        if self.trouble is None:
            _, debates, self.trouble = rank_by_debate(self.title, self.abstract, papers, self.model)
        if self.trouble is not None:
            return None
        pairs = zip(papers, debates, strict=True)
        return {paper.id.value for paper, debate in pairs if (debate.probability or 0.0) > _EVEN}

    @property
    def findings(self) -> list[Finding]:
        """`model_unavailable` after trouble."""
        if self.trouble is None:
            return []
        return [model_unavailable(self.trouble, "references were chosen by their similarity")]


def graph_doubts(expansion: GraphExpansion, growing: GrowingGraph | None = None) -> list[Finding]:
    """What was followed, and what was not: `graph_grown` where lists were asked for in the run.

    Else a finding where the lists of fewer than half of the papers are known: `graph_thin`.
    """
    if growing is not None and (growing.fetched or growing.silent or growing.left):
        followed = "citations were followed" if expansion.used else "citations were not followed"
        known = f"reference lists are known for {expansion.known} of {expansion.seeds} papers"
        fix = "run it again to ask for the others" if growing.left else None
        return [Finding("graph_grown", "info", f"{followed}: {known}; of all, {growing.in_words}", fix=fix)]
    if expansion.known >= ENOUGH * expansion.seeds:
        return []
    message = f"reference lists known for {expansion.known} of {expansion.seeds} papers"
    if not expansion.used:
        message += ": the ordinary search is used"
    return [Finding("graph_thin", "info", message, fix="'citeplug graph fetch' gets the others")]


def _wish(options: Options) -> GraphReach:
    usual = GraphReach(share=THIN if options.deep else ENOUGH)
    if not options.as_published:
        return usual
    return replace(usual, seeds=max(usual.seeds, options.breadth), as_published=True)


def _asked(options: Options, tools: Tools) -> bool:
    if tools.graph is None or options.deep is False:
        return False
    return bool(options.deep) or tools.lists is not None or bool(tools.graph.stamp())
