"""The longlist: relevance against diversity (Citegeist, section 3.1, Eq. 1)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import attrgetter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from citeplug.errors import UsageError
from citeplug.protocols import Vectors
from citeplug.records.paper import Candidate
from citeplug.related.retrieve.reserved import keep_reserved

MOST_BREADTH = 100
CANDIDATES_PER_PAPER = 6
LONGLISTED_PER_PAPER = 3
# At the usual diversity 1 loses 1.4 % of the cited papers, 1.5 to 2 .8 %, and 3 2.6 %: benchmarks/selection.py
STEEPNESS = 1.5

Penalty = Literal["max", "min"]


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
    wanted = LONGLISTED_PER_PAPER * breadth
    chosen: list[Candidate] = []
    if known:
        matrix = np.stack([vectors[candidate.paper.id.value] for candidate in known])
        weights = np.array([*map(weight, known)], np.float64)
        certain = [row for row, candidate in enumerate(known) if candidate.paper.id.value in cited]
        # In full where places are kept for later ones.
        depth = len(known) if any(candidate.reserved for candidate in known) else wanted
        rows = choose(weights, matrix, depth, diversity, "min" if as_published else "max", certain)
        chosen = [known[row] for row in rows]
    rest.sort(key=weight, reverse=True)
    return keep_reserved(chosen + rest, wanted)


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
    return [replace(candidate, relevance=each) for candidate, each in zip(candidates, relevance, strict=True)]


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
    chosen = list(certain[:k]) or [int(np.argmax(similarity))]
    # One row at a time: on a busy machine a product of whole matrices waits 15 ms for its threads.
    closeness = reduce(nearer, (rows @ rows[row] for row in chosen))
    taken = np.zeros(count, dtype=bool)
    taken[chosen] = True
    while len(chosen) < min(k, count):
        worth = relevance + diversity * (1 - closeness)
        worth[taken] = -np.inf
        row = int(np.argmax(worth))
        chosen.append(row)
        taken[row] = True
        closeness = nearer(closeness, rows @ rows[row])
    return chosen
