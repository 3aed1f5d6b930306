"""The longlist: relevance against diversity (Citegeist, section 3.1, Eq. 1), of the candidates that fit the draft.

Places are reserved for what a language model's own queries find, and those made of a theme of the draft's citations:
each of these queries weighs little in the fused score, so that a paper that it alone finds would come too late.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import attrgetter
from types import MappingProxyType
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from citeplug.corpus.fusion import Scores, best_first, combine
from citeplug.errors import UsageError
from citeplug.protocols import Vectors
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import Candidate, Query
from citeplug.related.retrieve.fit import SURELY, DraftFit
from citeplug.related.retrieve.queries import THEME

OWN_QUERIES = "model:"  # how the aspects of these queries begin
BEST_OF_OWN = 3  # papers of each

T = TypeVar("T")

MOST_BREADTH = 100
CANDIDATES_PER_PAPER = 6
LONGLISTED_PER_PAPER = 3
# At the usual diversity 1 loses 1.4 % of the cited papers, 1.5 to 2 .8 %, and 3 2.6 %: benchmarks/selection.py
STEEPNESS = 1.5

Penalty = Literal["max", "min"]


def best_of_own(
    queries: Sequence[Query], lexical: Sequence[Mapping[str, float]], near: Sequence[Mapping[str, float]]
) -> frozenset[str]:
    """The ids of the best papers of each of these queries, by words and meaning."""
    return frozenset(
        value
        for query, words, meaning in zip(queries, lexical, near, strict=True)
        if query.aspect.startswith((OWN_QUERIES, THEME))
        for value in best_first(combine([Scores(words), Scores(meaning)]))[:BEST_OF_OWN]
    )


def keep(items: Sequence[T], k: int, reserved: Callable[[T], bool]) -> list[T]:
    """The first `k`, where later ones that are `reserved` take the last places, at most half of all."""
    late = [item for item in items[k:] if reserved(item)][: k // 2]
    first, left = list[T](), len(late)
    for item in reversed(items[:k]):
        if left and not reserved(item):
            left -= 1
        else:
            first.append(item)
    return [*reversed(first), *late][:k]


def keep_reserved(candidates: Sequence[Candidate], k: int) -> list[Candidate]:
    """The first `k`, those that are reserved in place of the last others."""
    return keep(candidates, k, attrgetter("reserved"))


def select_longlist(
    candidates: Sequence[Candidate],
    vectors: Mapping[str, Vectors],
    breadth: int = 20,
    diversity: float = 0.3,
    *,
    cited: Collection[str] = (),
    as_published: bool = False,
) -> list[Candidate]:
    """Return at most 3 x `breadth` of the first 6 x `breadth` candidates, in the order in which Eq. 1 chooses them.

    What Eq. 1 weighs against spread is their relevance (`rate`), and closeness is the largest cosine; with
    `as_published` it is the cosine to the draft, and closeness the smallest, as Citegeist prints it (`choose`).
    Those whose ids are `cited`, by the draft itself, come before all others: an author who cites several papers on one
    matter wants them all. Those that are reserved have a place. `vectors` holds unit vectors (d,)
    by id; candidates without one come last. Raises UsageError unless 1 <= breadth <= 100 and 0 <= diversity <= 1.
    """
    if not 1 <= breadth <= MOST_BREADTH:
        raise UsageError(f"breadth {breadth} is out of range", f"give a number from 1 to {MOST_BREADTH}")
    if not 0 <= diversity <= 1:
        raise UsageError(f"diversity {diversity:g} is out of range", "give a number from 0 to 1")
    first = keep_reserved(candidates, CANDIDATES_PER_PAPER * breadth)
    weight = attrgetter("similarity" if as_published else "relevance")
    known = [candidate for candidate in first if candidate.paper.id.value in vectors]
    rest = [candidate for candidate in first if candidate.paper.id.value not in vectors]
    length = LONGLISTED_PER_PAPER * breadth
    longlist: list[Candidate] = []
    if known:
        matrix = np.stack([vectors[candidate.paper.id.value] for candidate in known])
        weights = np.array([*map(weight, known)], np.float64)
        certain = [row for row, candidate in enumerate(known) if candidate.paper.id.value in cited]
        # In full where places are kept for later ones.
        depth = len(known) if any(candidate.reserved for candidate in known) else length
        rows = choose(weights, matrix, depth, diversity, "min" if as_published else "max", certain)
        longlist = [known[row] for row in rows]
    rest.sort(key=weight, reverse=True)
    return keep_reserved(longlist + rest, length)


def rate(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of one retrieval with their relevance: the fused score, brought to the scale of a cosine.

    It is the logistic of the standardised score: papers far above the others count as about equal, so that spread
    decides among them, and so do papers far below. Rounded, so that the last bits of a sum decide nothing.
    """
    if not candidates:
        return []
    scores = np.array([candidate.score for candidate in candidates], dtype=np.float64)
    standard = (scores - scores.mean()) / (scores.std() + 1e-9)
    relevance = np.round(1 / (1 + np.exp(-STEEPNESS * standard)), 6).tolist()
    return [replace(candidate, relevance=rating) for candidate, rating in zip(candidates, relevance, strict=True)]


def choose(
    similarity: NDArray[np.float64],
    vectors: Vectors,
    k: int,
    diversity: float,
    penalty: Penalty = "max",
    certain: Sequence[int] = (),
) -> list[int]:
    """Order rows by relevance and diversity (Citegeist, Eq. 1).

    `similarity` is (n,), `vectors` (n, d) with unit rows; returns at most `k` row numbers, best first. The most
    similar row is first (or the `certain` rows are, as they are given); then always the one that has the largest

        (1 - diversity) * similarity + diversity * (1 - closeness to the rows chosen before)

    Closeness is the largest cosine (`max`: maximal marginal relevance, Carbonell and Goldstein 1998) or the
    smallest (`min`: as Citegeist prints it, by which both of two near-duplicates can be chosen). Of equal rows
    the earlier one is taken. Raises ValueError unless 0 <= diversity <= 1.
    """
    if not 0 <= diversity <= 1:
        raise ValueError(f"diversity is {diversity}, not between 0 and 1")
    if penalty not in ("max", "min"):
        raise ValueError(f"penalty is {penalty!r}, not 'max' or 'min'")
    count = len(similarity)
    if count == 0 or k < 1:
        return []
    rows = np.asarray(vectors, dtype=np.float64)
    relevance = (1 - diversity) * similarity
    nearer = np.maximum if penalty == "max" else np.minimum
    rows_chosen = list(certain[:k]) or [int(np.argmax(similarity))]
    # One row at a time: on a busy machine a product of whole matrices waits 15 ms for its threads.
    closeness = reduce(nearer, (rows @ rows[row] for row in rows_chosen))
    taken = np.zeros(count, dtype=bool)
    taken[rows_chosen] = True
    while len(rows_chosen) < min(k, count):
        worth = relevance + diversity * (1 - closeness)
        worth[taken] = -np.inf
        row = int(np.argmax(worth))
        rows_chosen.append(row)
        taken[row] = True
        closeness = nearer(closeness, rows @ rows[row])
    return rows_chosen


@dataclass(frozen=True, slots=True)
class Longlist:
    """Candidates by relevance and spread: `papers` that fit the draft, and `others`; `spare` were not longlisted.

    `wanted` of the papers are to be discussed; the others that fit stand in for those that may not be cited. `fitting`
    has the log-odds of `DraftFit` of all candidates that fit, by id, longlisted or not, and of no others.
    """

    papers: list[Candidate]
    wanted: int
    others: list[Candidate]
    spare: list[Candidate]
    fitting: Mapping[str, float] = field(default_factory=dict)


def make_longlist(
    candidates: Sequence[Candidate],
    vectors: Mapping[str, Vectors],
    words: Mapping[str, float],
    options: Options,
    cited: Collection[str] = (),
    own: Mapping[str, float] = MappingProxyType({}),
    works: Sequence[Candidate] = (),
) -> Longlist:
    """The candidates by relevance and spread (Eq. 1), those that fit first.

    `words`, `cited` and `own` are as in `DraftFit`. As published every candidate is taken to fit, and what the draft
    cites is not preferred. `works` that it cites without a record are among them. Those with an abstract come right
    behind what else it cites. Of the others only the titles can be told: those that surely fit have half of the places
    that are left, and what no other paper takes of the rest.
    """
    all_fit = options.as_published
    fit = DraftFit(candidates, vectors, words, {*cited, *(work.paper.id.value for work in works)}, own)
    certain = () if all_fit else {c.paper.id.value for c in candidates if c.paper.id.value in cited and fit.fits(c)}
    selected = select_longlist(
        candidates, vectors, options.breadth, options.diversity, cited=certain, as_published=options.as_published
    )
    papers = selected if all_fit else fit.among(selected, options.breadth)
    best = sorted(works, key=fit.score, reverse=True)
    told = [work for work in best if work.paper.has_abstract and fit.fits(work)]
    titles = [work for work in best if not work.paper.has_abstract and fit.score(work) >= SURELY]
    papers = [*papers[: len(certain)], *told, *papers[len(certain) :]]
    room = options.breadth - min(options.breadth, len(certain) + len(told))
    titles = titles[: max(room // 2, options.breadth - len(papers))]
    place = options.breadth - len(titles)
    papers = [*papers[:place], *titles, *papers[place:]]
    used, taken = ({candidate.paper.id.value for candidate in some} for some in (papers, selected))
    others = [candidate for candidate in selected if candidate.paper.id.value not in used]
    spare = [candidate for candidate in candidates if candidate.paper.id.value not in taken]
    fitting = {
        candidate.paper.id.value: fit.score(candidate) for candidate in candidates if all_fit or fit.fits(candidate)
    }
    return Longlist(papers, min(options.breadth, len(papers)), others, spare, fitting)


def left_out(count: int, number: int, breadth: int) -> list[Finding]:
    """A finding where fewer of the `count` papers are discussed than the breadth allows: `papers_left_out`."""
    most = min(breadth, count)
    if number >= most:
        return []
    papers = f"{number} paper{'s' * (number > 1)}"
    message = f"{papers} instead of {most}: the others that were found do not fit the draft well enough"
    fix = "'citeplug papers' lists them; --pin adds one"
    return [Finding("papers_left_out", "info", message, fix=fix)]
