"""The step from the candidates of a search to those of the search and the citation graph together.

Works outside arXiv that several of the draft's citations cite are named to the author, and never cited.
"""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import GraphUse, Options, OutsideWork
from citeplug.records.paper import Candidate, Filter
from citeplug.records.passage import Reference
from citeplug.related.progress import Tools
from citeplug.related.retrieve.deep_research import ENOUGH, POOL, THIN, GraphExpansion, GraphReach, deepen
from citeplug.related.retrieve.longlist import keep_reserved
from citeplug.related.retrieve.shortlist import draft_test
from citeplug.text.compare import entry_doi, entry_title
from citeplug.text.folding import fold_title

FEWEST = 2  # citations of the draft that cite it
MOST = 20
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
    made, expansion = deepen(
        candidates,
        text,
        tools.index,
        tools.graph,
        where,
        _wish(options),
        k,
        own=own,
        is_draft=draft_test(draft),
        seconds=None if end is None else max(0.0, end - time.monotonic()),
    )
    use = GraphUse(options.deep, expansion.used, expansion.seeds, expansion.known)
    if expansion.used:
        use = replace(use, not_on_arxiv=outside_arxiv(tools.graph.unresolved(own), draft.entries))
    # Whoever did not ask for it and has no lists of these papers has nothing to do.
    silent = options.deep is None and not expansion.known
    return made, use, [] if silent else graph_doubts(expansion)


def graph_doubts(expansion: GraphExpansion) -> list[Finding]:
    """A finding where the lists of fewer than half of the papers are known: `graph_thin`."""
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
    return bool(options.deep) or bool(tools.graph.stamp())
