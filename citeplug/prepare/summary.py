"""Summary of what a set of papers knows, from its prepared questions (Meta Knowledge for RAG, section 3.3).

The published one is written by a model, for further questions, which find no more here (benchmarks/results.md).
This one is the questions that are most central to the set, each with its answer, so that every sentence has its source.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from citeplug.protocols import Vectors
from citeplug.records.prepared import FoundPair, Prepared
from citeplug.related.retrieve.longlist import choose
from citeplug.related.retrieve.space import mean_direction

LEAST = 5  # papers with a question; of fewer the most central says nothing of a set
MOST = 7  # questions
_DIVERSITY = 0.3  # as for a longlist


def summarise(prepared: Sequence[Prepared], vectors: Mapping[str, Vectors], most: int = MOST) -> list[FoundPair] | None:
    """The most central questions of a set, at most one of a paper, the first one the most central; None for a set of
    fewer than `LEAST` papers with a question.

    `vectors` are unit vectors (d,) by question. The centre is the mean over papers, so that one with many questions does
    not decide; questions are then chosen as Eq. 1 of Citegeist chooses papers, near the centre and apart.
    """
    by_paper: dict[str, list[FoundPair]] = {}
    for paper in prepared:
        for pair in paper.pairs:
            if pair.question in vectors:
                by_paper.setdefault(paper.paper, []).append(FoundPair(paper.paper, paper.title, pair, 0.0))
    if len(by_paper) < LEAST:
        return None
    centre = mean_direction(
        [mean_direction([vectors[pair.pair.question] for pair in pairs]) for pairs in by_paper.values()]
    )
    best = [
        max(pairs, key=lambda pair: (float(vectors[pair.pair.question] @ centre), pair.pair.question))
        for pairs in by_paper.values()
    ]
    best.sort(key=lambda pair: pair.paper)
    matrix = np.stack([vectors[pair.pair.question] for pair in best])
    cosines = np.round(matrix @ centre, 6).astype(np.float64)
    rows = choose(cosines, matrix, most, _DIVERSITY)
    return [FoundPair(best[row].paper, best[row].title, best[row].pair, float(cosines[row])) for row in rows]
