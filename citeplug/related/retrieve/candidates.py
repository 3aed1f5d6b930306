"""Candidates for a set of queries: lexical and dense retrieval over the catalogue, and arXiv's search, fused.

The lexical stage finds papers by their words; these are embedded, if they have no vectors yet, and ranked by
similarity. The dense stage searches all vectors that there are. Papers that share authors with what the draft cites
come forward: who is cited once is often cited again. A larger embedding model reorders the first papers, if the user
chose one.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import zip_longest
from statistics import fmean

from citeplug.corpus.fusion import NEIGHBOURHOOD, Scores, best_first, combine, even_out, lift
from citeplug.protocols import PaperIndex, Rescorer, Vectors
from citeplug.records.outcome import Dense
from citeplug.records.paper import Candidate, Filter, Paper, Query
from citeplug.related.retrieve.fit import Wording
from citeplug.related.retrieve.longlist import OWN_QUERIES, best_of_own, keep
from citeplug.related.retrieve.queries import CITATIONS, PART, THEME
from citeplug.related.retrieve.space import Progress, Space, mean_direction, on_one_core
from citeplug.text.folding import fold_name, is_collective, split_name

RESCORED = 200  # papers of the first order that are scored again
WEIGHT = 0.75  # of the larger model beside the first order: benchmarks/larger_model.py
MOST_NAMES = 30  # of one work: a list of thousands tells little, and would take seconds
LEXICAL_DEPTH = 1000  # papers of the main query's lexical ranking that count
SIDE_DEPTH = 150  # of every other query's: each paper that is new costs about 20 ms once
WHOLE = 2000  # records: so small a catalogue is embedded whole, so that meaning alone finds a paper
DENSE_DEPTH = 300  # papers of a dense ranking that count
# Chosen on one half of the gold queries, confirmed on the other: benchmarks/tune_retrieval.py.
FEEDBACK_PAPERS = 5  # first of the fused ranking, taken to be relevant
FEEDBACK_SHARE = 0.5  # of their mean vector in the feedback query; the rest is the main query's
FEEDBACK_WEIGHT = 0.5
FEEDBACK_PAIRS_WEIGHT = 0.75
FEEDBACK_DEPTH = 150  # papers of its lexical ranking
WORDED = 200  # first papers whose texts are compared with the main query's: 300 and 400 find no more
PAIRS_WEIGHT = 1.0  # of the word pairs that they have in common with it
TITLE_WEIGHT = 0.3  # of what it says of their titles
CITED_WEIGHT = 1.0  # of how near a paper is to what the draft cites: benchmarks/selection.py
CITED_PAIRS_WEIGHT = 1.0  # of the word pairs that it has in common with the titles of that
AUTHORS_WEIGHT = 0.8  # standard deviations among the first papers for each unit of `share_authors`
SOURCE_WEIGHT = 0.5  # of arXiv's own ranking; each weight is beside 1 for all queries together


def search(
    text: str,
    index: PaperIndex,
    where: Filter,
    k: int,
    *,
    live: Sequence[Paper] = (),
    seconds: float | None = 2.0,
    on_progress: Progress | None = None,
) -> list[Candidate]:
    """Return at most `k` candidates for a text, best first; arguments as in `retrieve_candidates`."""
    query = Query(text, "text")
    return retrieve_candidates([query], index, where, k, live_papers=live, seconds=seconds, on_progress=on_progress)


@on_one_core
def retrieve_candidates(
    queries: Sequence[Query],
    index: PaperIndex,
    where: Filter,
    k: int,
    *,
    live_papers: Sequence[Paper] = (),
    cited: Sequence[Paper] = (),
    cited_authors: Sequence[Sequence[str]] = (),
    known_share: float = 1.0,
    depth: int = LEXICAL_DEPTH,
    side_depth: int = SIDE_DEPTH,
    most: int | None = None,
    dense: Dense = "whole",
    whole: bool = False,
    seconds: float | None = None,
    on_progress: Progress | None = None,
) -> list[Candidate]:
    """Return at most `k` papers that `where` admits, best first.

    The first of `queries` is the main one: `similarity` is to it, and 0 for a paper that has no vector; with `whole` it
    is the mean over it and the draft's parts.
    `depth` papers of its lexical ranking, 150 of that of what the draft cites, and `side_depth` of every other query's
    count, and are embedded; with `most` only so many of these, the best by all words together, and of the catalogue
    nothing else but what the draft cites is returned, and the neighbours where these are asked for.
    `live_papers` are papers from elsewhere, best first, such as `ask_sources`'s; their records are preferred to the
    catalogue's where these are incomplete or older. `cited` are records of the catalogue that the draft cites: what is
    near them counts, and they are candidates themselves where `where` admits them; `known_share` (0 to 1) is how much
    they are of all that it cites: few of many say little of the rest. `cited_authors` are the authors of each work that
    it cites, known to the catalogue or not. `dense` is explained at its type. `seconds` bounds the time for embedding
    papers, which is done in the lexical order; None: no bound. `on_progress` is called with (papers done, papers to be
    done).
    """
    if not queries or k < 1:
        return []
    live = {paper.id.value: paper for paper in live_papers if where.admits(paper)}
    with ThreadPoolExecutor(1, "embedding") as aside:
        # The model and the lexical index both release the GIL.
        embedding = aside.submit(index.embed, [query.text for query in queries])
        depths = [depth, *(SIDE_DEPTH if query.aspect == CITATIONS else side_depth for query in queries[1:])]
        lexical = [_by_query(query, index, k, where) for query, k in zip(queries, depths, strict=True)]
        total = sum(query.weight for query in queries) or 1.0
        weights = [query.weight / total for query in queries]
        lists = [Scores(ranking, weight) for ranking, weight in zip(lexical, weights, strict=True)]
        if live:
            lists.append(Scores({value: -math.log(rank) for rank, value in enumerate(live, 1)}, SOURCE_WEIGHT))
        # What shares words with a query comes first; the rest of a small catalogue, whether admitted or not, after it.
        if most is None:
            worded = _interleaved([list(ranking) for ranking in lexical])
        else:
            reserved = best_of_own(queries, lexical, [{} for _ in queries])
            worded = keep(_by_words(queries, lists, live, index), most, reserved.__contains__)
        known = index.vectors(worded, 0.0)
        query_vectors = embedding.result()
    # Whoever asks for all of a few papers gets them, those that share no word with the query last.
    few = sorted(where.among or ()) if len(worded) < k and len(where.among or ()) <= WHOLE else []
    space = Space(index, where, seconds, known, _reach(dense, index, where, k, whole=bool(few)), {*worded} - {*known})
    own = space.vectors_for([paper.id.value for paper in cited])
    space.take_in([paper.id.value for paper in cited if where.admits(paper)])
    space.take_in_live(list(live.values()))
    space.take_in(worded, on_progress)
    space.embed(index.unembedded(WHOLE), on_progress)
    space.embed(few, on_progress)
    near = [space.near(vector) for vector in query_vectors]

    lists += [Scores(ranking, weight) for ranking, weight in zip(near, weights, strict=True)]
    lists.append(Scores(space.nearness(own), CITED_WEIGHT * known_share))
    first = _records(best_first(combine(lists))[:WORDED], live, index)
    wording = Wording(first)
    lists.append(Scores(wording.pairs(queries[0].text), PAIRS_WEIGHT))
    lists.append(Scores(wording.titles(queries[0].text), TITLE_WEIGHT))
    lists += [Scores(wording.pairs(q.text), CITED_PAIRS_WEIGHT) for q in queries if q.aspect == CITATIONS]
    taken = [first[v] for v in best_first(combine(lists)) if v in first and v not in own][:FEEDBACK_PAPERS]
    lists += _feedback(query_vectors[0], taken, wording, index, where, space)
    scores = combine(lists)
    scores = even_out(scores, space.by_id(best_first(scores)[:NEIGHBOURHOOD]))
    if cited_authors:
        scores = lift(scores, share_authors(first, cited_authors, own), AUTHORS_WEIGHT)
    if most is not None:
        listed = {*worded, *live}
        scores = {value: score for value, score in scores.items() if value in listed or value in space}
    scores = rescore(
        scores, queries[0].text, index.rescorer, lambda ids: _records(ids, live, index), space.seconds_left, on_progress
    )
    own_best = best_of_own(queries, lexical, near)
    ids = keep(best_first(scores), k, own_best.__contains__)
    # Feedback finds a few papers that no query did: these have no vectors yet.
    space.take_in(ids)

    members = {
        "lexical": {value for ranking in lexical for value in ranking},
        "dense": {value for ranking in near for value in best_first(ranking)[:DENSE_DEPTH]},
        "arxiv": live.keys(),
    }
    papers = _records(ids, live, index)
    cosines = [space.cosines(vector) for vector in query_vectors]
    # The paper as a whole is as similar as its parts are on average.
    parts = [by_id for by_id, query in zip(cosines, queries, strict=True) if whole and query.aspect.startswith(PART)]
    similarity = _means([cosines[0], *parts])
    by_query = [(by_id, query) for by_id, query in zip(cosines, queries, strict=True) if query.aspect != THEME]
    cosines = [by_id for by_id, _ in by_query]
    # Its own title is among those of what the draft cites.
    aside_from = [by_id for by_id, query in by_query if query.aspect != CITATIONS]
    candidates = []
    for value in ids:
        # Feedback finds most of the same papers again; it is named only if nothing else found the paper.
        ways = tuple(way for way, members_of_way in members.items() if value in members_of_way) or ("feedback",)
        if value in papers:
            near_to = [by_id.get(value, 0.0) for by_id in (aside_from if value in own and aside_from else cosines)]
            found_one = Candidate(papers[value], similarity.get(value, 0.0), scores[value], ways)
            candidates.append(
                replace(found_one, nearest=max(near_to), average=fmean(near_to), reserved=value in own_best)
            )
    return candidates


def _means(cosines: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    return {value: sum(by_id.get(value, 0.0) for by_id in cosines) / len(cosines) for value in cosines[0]}


def _feedback(
    query: Vectors, taken: Sequence[Paper], wording: Wording, index: PaperIndex, where: Filter, space: Space
) -> list[Scores]:
    """Pseudo-relevance feedback: take the first papers to be relevant, and score papers like them.

    By their titles, as words and as word pairs, and by a mean of the query's vector and theirs (Rocchio).
    """
    titles = ". ".join(paper.title for paper in taken)
    with ThreadPoolExecutor(1, "feedback") as aside:
        words = aside.submit(index.lexical, titles, FEEDBACK_DEPTH, where)
        scores = [Scores(wording.pairs(titles), FEEDBACK_PAIRS_WEIGHT)]
        vectors = space.vectors_of([paper.id.value for paper in taken])
        if vectors:
            moved = mean_direction([query, mean_direction(vectors)], [1 - FEEDBACK_SHARE, FEEDBACK_SHARE])
            scores.append(Scores(space.near(moved), FEEDBACK_WEIGHT))
        return [Scores(dict(words.result()), FEEDBACK_WEIGHT), *scores]


def _reach(dense: Dense, index: PaperIndex, where: Filter, k: int, *, whole: bool) -> int:
    """Number of nearest neighbours of each query; `whole`: all papers that may be found are embedded."""
    if dense == "whole":
        return DENSE_DEPTH if where.among is None else max(DENSE_DEPTH, k)
    # Where every run embeds all papers and every paper is a neighbour, all runs see the same.
    return WHOLE if whole or index.records <= WHOLE else 0


def _by_query(query: Query, index: PaperIndex, depth: int, where: Filter) -> dict[str, float]:
    """The lexical ranking of a query; a model's are a few words, which are all wanted."""
    rank = index.keywords if query.aspect.startswith(OWN_QUERIES) else index.lexical
    return dict(rank(query.text, depth, where))


def _by_words(
    queries: Sequence[Query], lists: Sequence[Scores], live: Mapping[str, Paper], index: PaperIndex
) -> list[str]:
    """Order all papers of `lists` by these, and the first by their wording too; best first."""
    wording = Wording(_records(best_first(combine(lists))[:WORDED], live, index))
    pairs, titles = wording.pairs(queries[0].text), wording.titles(queries[0].text)
    return best_first(combine([*lists, Scores(pairs, PAIRS_WEIGHT), Scores(titles, TITLE_WEIGHT)]))


def _interleaved(rankings: Iterable[Sequence[str]]) -> list[str]:
    """Interleave the rankings, so that the best papers of every query are embedded first, in case time is short."""
    return list(dict.fromkeys(value for row in zip_longest(*rankings) for value in row if value is not None))


def _records(ids: Sequence[str], live: Mapping[str, Paper], index: PaperIndex) -> dict[str, Paper]:
    known = dict(index.papers(ids))
    for value in ids:
        fresh = live.get(value)
        if fresh is not None and _prefers(fresh, known.get(value)):
            known[value] = fresh
    return known


def _prefers(fresh: Paper, known: Paper | None) -> bool:
    if known is None or not known.complete:
        return True
    return fresh.complete and (fresh.id.version or 0) >= (known.id.version or 0)


def share_authors(
    papers: Mapping[str, Paper], cited: Iterable[Sequence[str]], own: Collection[str] = ()
) -> dict[str, float]:
    """For each paper the logarithm of 1 and the number of cited works that share an author with it.

    `cited` are the authors of each cited work. A paper of `own` ids is one of these, and does not count for itself.
    """
    works = [people for names in cited if (people := _people(names))]
    people_cited = Counter(person for people in works for person in people)
    shared = {}
    for value, paper in papers.items():
        mine = {person for person in _people(paper.authors) if person in people_cited}
        count = sum(not mine.isdisjoint(people) for people in works) if mine else 0
        shared[value] = math.log1p(max(0, count - (value in own)))
    return shared


def _people(names: Sequence[str]) -> frozenset[tuple[str, str]]:
    """Surname and first initial of each, which tell people well enough among the papers on one matter."""
    split = [split_name(name) for name in names[:MOST_NAMES] if not is_collective(name)]
    return frozenset((fold_name(n.surname), fold_name(n.given)[:1]) for n in split if n.given and n.surname)


def rescore(
    scores: Mapping[str, float],
    text: str,
    rescorer: Rescorer | None,
    records: Callable[[Sequence[str]], Mapping[str, Paper]],
    seconds: float | None,
    on_progress: Progress | None = None,
    weight: float = WEIGHT,
) -> dict[str, float]:
    """Reorder the first 200 papers by a weighted sum of `scores` and the model's; return scores by id.

    The papers that the model has scored exchange their places, and the scores of these places, among themselves; a
    paper that it did not score within `seconds`, or that has no record, keeps its own.
    """
    if rescorer is None:
        return dict(scores)
    first = best_first(scores)[:RESCORED]
    papers = records(first)
    cosines = rescorer.cosines(text, [papers[value] for value in first if value in papers], seconds, on_progress)
    judged = [value for value in first if value in cosines]
    if len(judged) < 2:
        return dict(scores)
    ours = Scores({value: scores[value] for value in judged})
    theirs = Scores({value: cosines[value] for value in judged}, weight)
    places = [scores[value] for value in judged]
    return {**scores, **dict(zip(best_first(combine([ours, theirs])), places, strict=True))}
