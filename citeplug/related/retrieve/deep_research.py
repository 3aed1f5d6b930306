"""Papers found through the citation graph: Deep Research (LitLLM, section 3.2 and Algorithm 2).

Algorithm 2 puts the papers that a search found into a queue, adds what the first one cites if a model finds it
relevant, and goes on with what was added. Here it is the best paper that is gone out from next, by the search's score
and votes together: of a seed, for what it cites and, less, for what cites it. What several papers that fit have in
common is likely to fit. The votes stay in the score: to order by text alone afterwards loses all that they bring.
Algorithm 2 as it is printed is `as_published`.
"""

import math
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from citeplug.corpus.fusion import Scores, best_first, combine
from citeplug.protocols import CitationSource, PaperIndex
from citeplug.records.paper import ArxivId, Candidate, Filter, Links, Paper
from citeplug.related.retrieve.longlist import keep_reserved

# Chosen on gold queries of two fields: benchmarks/deep_research.py. Citers alone, or as much as references, do harm.
REFERENCE_VOTE = 1.0  # for a paper, by each seed that cites it
CITER_VOTE = 0.3  # by each seed that it cites
HALF = 10  # found papers gone out from before one whose vote counts half
# Of the logarithm of the votes, beside the search's score brought to variance 1. Votes are not brought to it: where few
# lists are known they are few, and count little.
VOTES_WEIGHT = 3.0
VOTES_SCALE = 2.0  # in that logarithm
# Of the logarithm of how often a paper is cited at all: of two with equal votes, the one that a field cites.
POPULAR_WEIGHT = 0.2
POPULAR = 400  # best papers that it counts for
MOST_LINKS = 1000  # citations of one paper that are looked at, in either direction
MOST_OWN = 200  # papers that the draft cites
LOOKED_AT = 20  # first papers found by whose lists it is seen whether enough are known
THIN = 0.2  # share of their lists; with fewer the ordinary search is left alone
ENOUGH = 0.5  # share from which the graph is used without being asked for
PUBLISHED_DEPTH = 4
JUDGED = 20  # references of one paper that a model judges: a request or two
_TRIES = 5  # times as many papers with votes are looked at as may be added

Admit = Callable[[Sequence[str]], Collection[str]]
# The ids of those papers that belong to the draft; None: it does not say.
Judge = Callable[[Sequence[Paper]], Collection[str] | None]

POOL = 1000  # candidates of the ordinary search among which votes count
_GRAPH = "graph"


@dataclass(frozen=True, slots=True)
class GraphReach:
    """Extent of the search: `rounds` times from `seeds` more papers, adding `most` that the search had not found.

    `share` of the lists of the first ones must be known, or nothing is done. `as_published`: Algorithm 2 as printed.
    """

    rounds: int = 2
    seeds: int = 25
    most: int = 200
    share: float = THIN
    as_published: bool = False


@dataclass(frozen=True, slots=True)
class GraphExpansion:
    """Scores of all papers, the search's own and those that were added, and citations that speak for them, by id.

    Of `seeds` papers, those that the draft cites and the first that were found, `known` have a list; `used`: these were
    enough, and the scores are not the search's alone.
    """

    scores: Mapping[str, float]
    links: Mapping[str, Links]
    seeds: int
    known: int
    used: bool


def expand(
    scores: Mapping[str, float],
    own: Sequence[str],
    source: CitationSource,
    admit: Admit,
    wish: GraphReach = GraphReach(),
    counts: Callable[[str], bool] = lambda citing: True,
) -> GraphExpansion:
    """Raise papers that the first ones by `scores`, and `own` ones that the draft cites, cite or are cited by.

    Of these, and of the search's best, those that many papers cite are raised more; `counts` says which citing papers
    do, by id.

    `admit` returns those of some ids that may be found: no paper that is too new, unknown, or the draft itself. Neither
    these nor papers that are neither in `scores` nor in `own` are ever asked for their lists. Equal input gives equal
    output, whatever the order of the graph's rows.
    """
    own = list(dict.fromkeys(own))[:MOST_OWN]
    mine = frozenset(own)
    first = [*own, *_next(scores, mine, min(wish.seeds, LOOKED_AT))]
    states = source.states(first)
    known = sum(states.get(value) in ("known", "none") for value in first)
    if not known or known < wish.share * len(first):
        return GraphExpansion(scores, {}, len(first), known, used=False)
    standard = combine([Scores(scores)])
    worst = min(standard.values(), default=0.0)
    fused, links, gone_out = standard, dict[str, Links](), list[str]()
    for _ in range(wish.rounds):
        gone_out += _next(fused, mine.union(gone_out), wish.seeds)
        links = _links([*own, *gone_out], mine, source)
        weights = {value: HALF / (HALF + number) for number, value in enumerate(gone_out)} | dict.fromkeys(own, 1.0)
        votes = {value: _votes(link, weights) for value, link in links.items()}
        added = sorted(_admitted(votes, scores, admit, wish.most))
        fused = {value: standard.get(value, worst) + _worth(votes.get(value, 0.0)) for value in (*scores, *added)}
    for value, citing in source.citers(best_first(fused)[:POPULAR], MOST_LINKS).items():
        fused[value] += POPULAR_WEIGHT * math.log1p(sum(map(counts, {*citing} - {value})))
    return GraphExpansion(fused, {v: links[v] for v in fused if v in links}, len(first), known, used=True)


def as_published(
    seeds: Sequence[str],
    source: CitationSource,
    relevant: Admit,
    depth: int = PUBLISHED_DEPTH,
    most: int = 200,
) -> list[str]:
    """Algorithm 2 of LitLLM: seeds and what is added to them, in the order in which it is.

    First in, first out; `relevant` returns those of a paper's references that are kept. The papers' threshold is not
    published, and a model judges there.
    """
    final = list(dict.fromkeys(seeds))
    visited = set(final)
    queue = deque((value, 0) for value in final)
    while queue and len(final) < most:
        paper, level = queue.popleft()
        if level >= depth:
            continue
        cited = source.references([paper], MOST_LINKS).get(paper, ())
        relevant_ids = relevant([value for value in cited if value not in visited])
        for value in cited:
            if value in relevant_ids and value not in visited and len(final) < most:
                visited.add(value)
                final.append(value)
                queue.append((value, level + 1))
    return final


def _next(scores: Mapping[str, float], before: Collection[str], count: int) -> list[str]:
    """The best `count` papers that are not among those `before`."""
    return [value for value in best_first(scores)[: count + len(before)] if value not in before][:count]


def _links(seeds: Sequence[str], own: frozenset[str], source: CitationSource) -> dict[str, Links]:
    """Citations between the seeds and other papers, by these; a seed may be another's."""
    cited_by = _turned(source.references(seeds, MOST_LINKS))
    cites = _turned(source.citers(seeds, MOST_LINKS))
    mine = sum(value in own for value in seeds)
    return {
        value: Links(
            tuple(v for v in cited_by.get(value, ()) if v in own),
            tuple(v for v in cites.get(value, ()) if v in own),
            mine,
            tuple(v for v in cited_by.get(value, ()) if v not in own),
            tuple(v for v in cites.get(value, ()) if v not in own),
            len(seeds) - mine,
        )
        for value in sorted(cited_by.keys() | cites.keys())
    }


def _turned(neighbours: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Papers by their neighbours; one that is its own is left out."""
    turned: dict[str, list[str]] = {}
    for value, others in sorted(neighbours.items()):
        for other in dict.fromkeys(others):
            if other != value:
                turned.setdefault(other, []).append(value)
    return turned


def _votes(links: Links, weights: Mapping[str, float]) -> float:
    cited_by = math.fsum(weights[value] for value in (*links.cited_by_own, *links.cited_by_found))
    cites = math.fsum(weights[value] for value in (*links.cites_own, *links.cites_found))
    return REFERENCE_VOTE * cited_by + CITER_VOTE * cites


def _worth(votes: float) -> float:
    return VOTES_WEIGHT * math.log1p(VOTES_SCALE * votes)


def _admitted(votes: Mapping[str, float], scores: Mapping[str, float], admit: Admit, most: int) -> set[str]:
    """At most `most` papers with votes that may be added to those of `scores`, those with the most votes first."""
    new = [value for value in best_first(votes) if value not in scores]
    admitted: list[str] = []
    for start in range(0, min(len(new), _TRIES * most), max(1, most)):
        allowed = admit(part := new[start : start + most])
        admitted += [value for value in part if value in allowed]
        if len(admitted) >= most:
            break
    return set(admitted[:most])


def deepen(
    candidates: Sequence[Candidate],
    text: str | None,
    index: PaperIndex,
    source: CitationSource,
    where: Filter,
    wish: GraphReach,
    k: int,
    *,
    own: Sequence[str] = (),
    is_draft: Callable[[Paper], bool] = lambda paper: False,
    seconds: float | None = None,
    records: Callable[[Sequence[str]], Mapping[str, Paper]] | None = None,
    relevant: Judge | None = None,
) -> tuple[list[Candidate], GraphExpansion]:
    """At most `k` candidates by the search's score and the graph together, and how the graph was used.

    Where too few lists are known these are the first of `candidates`, as they are. `text` is the search's main query,
    which `as_published` needs; with None papers that the graph adds have similarity 0. `own` are ids of papers that the
    draft cites. Papers that `where` does not admit, or that are the draft, count neither as candidates nor as seeds; of
    a paper without a record the month of its id must be before `where.before`. `seconds` bounds the time for embedding
    papers that the graph adds. `records` gives papers by id, of `index` alone unless it says otherwise. `relevant`
    returns the ids of those papers that belong to the draft, for `as_published`; without it similarity decides.
    """
    by_id = {candidate.paper.id.value: candidate for candidate in candidates if not is_draft(candidate.paper)}
    added: dict[str, Paper] = {}

    def admit(ids: Sequence[str]) -> set[str]:
        papers = (records or index.papers)(ids)
        admissible = {v: p for v, p in papers.items() if p.complete and where.admits(p) and not is_draft(p)}
        added.update(admissible)
        return set(admissible)

    own = _seedable(own, index, where, is_draft)
    scores = {value: candidate.score for value, candidate in by_id.items()}
    if wish.as_published:
        assert text is not None
        return _as_published(by_id, text, index, source, admit, added, wish, k, relevant)
    aside = where.exclude.union(candidate.paper.id.value for candidate in candidates if is_draft(candidate.paper))

    def counts(citing: str) -> bool:
        return citing not in aside and _older(None, citing, where.before)

    expansion = expand(scores, own, source, admit, wish, counts)
    if not expansion.used:
        return keep_reserved(candidates, k), expansion
    order = best_first(expansion.scores)
    late = [value for value in order[k:] if value in by_id and by_id[value].reserved]
    order = [*order[:k], *late]
    new = [value for value in order if value not in by_id]
    similarity = _similarities(text, [added[value] for value in new], index, seconds)
    made = []
    for value in order:
        links = expansion.links.get(value)
        near = similarity.get(value, 0.0)
        known = by_id.get(value) or Candidate(added[value], near, 0.0, (), nearest=near, average=near)
        ways = (*known.found_by, _GRAPH) if links else known.found_by
        made.append(replace(known, score=expansion.scores[value], found_by=ways, links=links))
    return keep_reserved(made, k), expansion


def _as_published(
    by_id: dict[str, Candidate],
    text: str,
    index: PaperIndex,
    source: CitationSource,
    admit: Callable[[Sequence[str]], set[str]],
    added: dict[str, Paper],
    wish: GraphReach,
    k: int,
    judge: Judge | None,
) -> tuple[list[Candidate], GraphExpansion]:
    """Algorithm 2, its papers ordered by similarity; relevant is what is as similar to `text` as half of the seeds.

    With `judge` it is what that finds relevant of the most similar references of each paper, LitLLM's debate ranking.
    """
    seeds = list(by_id)[: wish.seeds]
    similarity = {value: by_id[value].similarity for value in seeds}
    least = float(np.median(list(similarity.values()))) if similarity else 0.0
    states = source.states(seeds)
    known = sum(states.get(value) in ("known", "none") for value in seeds)
    if not known or known < wish.share * len(seeds):
        scores = {value: candidate.score for value, candidate in by_id.items()}
        return keep_reserved(list(by_id.values()), k), GraphExpansion(scores, {}, len(seeds), known, used=False)

    def relevant(ids: Sequence[str]) -> Collection[str]:
        new = sorted(admit([value for value in ids if value not in similarity]))
        similarity.update(_similarities(text, [added[value] for value in new], index, None))
        if judge is None:
            return {value for value in ids if similarity.get(value, -1.0) >= least}
        near = sorted((v for v in new if v in similarity), key=lambda v: (-similarity[v], v))[:JUDGED]
        judged = judge([added[value] for value in near]) if near else ()
        return judged if judged is not None else {value for value in near if similarity[value] >= least}

    final = as_published(seeds, source, relevant, most=wish.most)
    final.sort(key=lambda value: (-similarity[value], value))
    made = [
        replace(by_id[v], score=similarity[v])
        if v in by_id
        else Candidate(added[v], similarity[v], similarity[v], (_GRAPH,), nearest=similarity[v], average=similarity[v])
        for v in final[:k]
    ]
    return made, GraphExpansion({v: similarity[v] for v in final}, {}, len(seeds), known, used=True)


def _seedable(ids: Sequence[str], index: PaperIndex, where: Filter, is_draft: Callable[[Paper], bool]) -> list[str]:
    """Those of the papers that the draft cites that may be gone out from."""
    papers = index.papers(ids)
    return [
        value
        for value in dict.fromkeys(ids)
        if value not in where.exclude
        and _older(papers.get(value), value, where.before)
        and not (value in papers and is_draft(papers[value]))
    ]


def _older(paper: Paper | None, value: str, before: date | None) -> bool:
    if before is None:
        return True
    if paper is not None:
        return paper.published < before
    try:
        return ArxivId.parse(value).month < before.replace(day=1)
    except ValueError:
        return False


def _similarities(
    text: str | None, papers: Sequence[Paper], index: PaperIndex, seconds: float | None
) -> dict[str, float]:
    if not papers or text is None:
        return {}
    vectors = index.vectors_of(papers, seconds)
    (query_vector,) = index.embed([text])
    return {value: min(1.0, max(-1.0, float(vector @ query_vector))) for value, vector in vectors.items()}
