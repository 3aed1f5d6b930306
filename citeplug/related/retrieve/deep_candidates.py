"""Candidates of a search, and those that the citation graph adds to them: Deep Research (`deep_research`)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

import numpy as np

from citeplug.corpus.fusion import best_first
from citeplug.protocols import CitationSource, PaperIndex
from citeplug.records.paper import ArxivId, Candidate, Filter, Paper
from citeplug.related.retrieve.deep_research import Expansion, Wish, as_published, expand
from citeplug.related.retrieve.reserved import keep_reserved

POOL = 1000  # candidates of the ordinary search among which votes count
_GRAPH = "graph"


def deepen(
    candidates: Sequence[Candidate],
    text: str | None,
    index: PaperIndex,
    source: CitationSource,
    where: Filter,
    wish: Wish,
    k: int,
    *,
    own: Sequence[str] = (),
    is_draft: Callable[[Paper], bool] = lambda paper: False,
    seconds: float | None = None,
) -> tuple[list[Candidate], Expansion]:
    """At most `k` candidates by the search's score and the graph together, and how the graph was used.

    Where too few lists are known these are the first of `candidates`, as they are. `text` is the search's main query,
    which `as_published` needs; with None papers that the graph adds have similarity 0. `own` are ids of papers that the
    draft cites. Papers that `where` does not admit, or that are the draft, count neither as candidates nor as seeds; of
    a paper without a record the month of its id must be before `where.before`. `seconds` bounds the time for embedding
    papers that the graph adds.
    """
    by_id = {candidate.paper.id.value: candidate for candidate in candidates if not is_draft(candidate.paper)}
    added: dict[str, Paper] = {}

    def admit(ids: Sequence[str]) -> set[str]:
        found = {v: p for v, p in index.papers(ids).items() if where.admits(p) and not is_draft(p)}
        added.update(found)
        return set(found)

    own = _seedable(own, index, where, is_draft)
    scores = {value: candidate.score for value, candidate in by_id.items()}
    if wish.as_published:
        assert text is not None
        return _as_published(by_id, text, index, source, admit, added, wish, k)
    aside = where.exclude.union(each.paper.id.value for each in candidates if is_draft(each.paper))

    def counts(citing: str) -> bool:
        return citing not in aside and _older(None, citing, where.before)

    expansion = expand(scores, own, source, admit, wish, counts)
    if not expansion.used:
        return keep_reserved(candidates, k), expansion
    order = best_first(expansion.scores)
    late = [value for value in order[k:] if value in by_id and by_id[value].reserved]
    order = [*order[:k], *late]
    new = [value for value in order if value not in by_id]
    similarity = _similarities(text, new, index, seconds)
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
    wish: Wish,
    k: int,
) -> tuple[list[Candidate], Expansion]:
    """Algorithm 2, its papers ordered by similarity; relevant is what is as similar to `text` as half of the seeds."""
    seeds = list(by_id)[: wish.seeds]
    similarity = {value: by_id[value].similarity for value in seeds}
    least = float(np.median(list(similarity.values()))) if similarity else 0.0
    states = source.states(seeds)
    known = sum(states.get(value) in ("known", "none") for value in seeds)
    if not known or known < wish.share * len(seeds):
        scores = {value: candidate.score for value, candidate in by_id.items()}
        return keep_reserved(list(by_id.values()), k), Expansion(scores, {}, len(seeds), known, used=False)

    def relevant(ids: Sequence[str]) -> set[str]:
        new = sorted(admit([value for value in ids if value not in similarity]))
        similarity.update(_similarities(text, new, index, None))
        return {value for value in ids if similarity.get(value, -1.0) >= least}

    final = as_published(seeds, source, relevant, most=wish.most)
    final.sort(key=lambda value: (-similarity[value], value))
    made = [
        replace(by_id[v], score=similarity[v])
        if v in by_id
        else Candidate(added[v], similarity[v], similarity[v], (_GRAPH,), nearest=similarity[v], average=similarity[v])
        for v in final[:k]
    ]
    return made, Expansion({v: similarity[v] for v in final}, {}, len(seeds), known, used=True)


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


def _similarities(text: str | None, ids: Sequence[str], index: PaperIndex, seconds: float | None) -> dict[str, float]:
    if not ids or text is None:
        return {}
    vectors = index.vectors(ids, seconds)
    (asked,) = index.embed([text])
    return {value: min(1.0, max(-1.0, float(vector @ asked))) for value, vector in vectors.items()}
