"""The longlist: relevance against spread (Citegeist, section 3.1, Eq. 1)."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from citeplug.errors import UsageError
from citeplug.ports import Vectors
from citeplug.records.paper import Candidate

MOST_BREADTH = 100
CANDIDATES_PER_PAPER = 6
LONGLISTED_PER_PAPER = 3

Penalty = Literal["max", "min"]


def select_longlist(
    candidates: Sequence[Candidate],
    vectors: Mapping[str, Vectors],
    breadth: int = 10,
    diversity: float = 0.3,
    penalty: Penalty = "max",
) -> list[Candidate]:
    """At most 3 x `breadth` of the first 6 x `breadth` candidates, in the order in which Eq. 1 chooses them.

    `vectors` holds unit vectors (d,) by id; candidates without one come last, by similarity. `penalty` as in
    `choose`. Raises UsageError unless 1 <= breadth <= 100 and 0 <= diversity <= 1.
    """
    if not 1 <= breadth <= MOST_BREADTH:
        raise UsageError(f"breadth {breadth} is out of range", f"give a number from 1 to {MOST_BREADTH}")
    if not 0 <= diversity <= 1:
        raise UsageError(f"diversity {diversity:g} is out of range", "give a number from 0 to 1")
    first = list(candidates)[: CANDIDATES_PER_PAPER * breadth]
    known = [candidate for candidate in first if candidate.paper.id.value in vectors]
    rest = [candidate for candidate in first if candidate.paper.id.value not in vectors]
    wanted = LONGLISTED_PER_PAPER * breadth
    chosen: list[Candidate] = []
    if known:
        similarity = np.array([candidate.similarity for candidate in known], dtype=np.float64)
        matrix = np.stack([vectors[candidate.paper.id.value] for candidate in known])
        chosen = [known[row] for row in choose(similarity, matrix, wanted, diversity, penalty)]
    rest.sort(key=lambda candidate: -candidate.similarity)
    return (chosen + rest)[:wanted]


def choose(
    similarity: NDArray[np.float64], vectors: Vectors, k: int, diversity: float, penalty: Penalty = "max"
) -> list[int]:
    """Order rows by relevance and spread (Citegeist, Eq. 1).

    `similarity` is (n,), `vectors` (n, d) with unit rows; returns at most `k` row numbers, best first. The most
    similar row is first; then always the one that has the largest

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
    chosen = [int(np.argmax(similarity))]
    # One row at a time: on a busy machine a product of whole matrices waits 15 ms for its threads.
    closeness = rows @ rows[chosen[0]]
    taken = np.zeros(count, dtype=bool)
    taken[chosen[0]] = True
    while len(chosen) < min(k, count):
        worth = relevance + diversity * (1 - closeness)
        worth[taken] = -np.inf
        row = int(np.argmax(worth))
        chosen.append(row)
        taken[row] = True
        closeness = nearer(closeness, rows @ rows[row])
    return chosen
