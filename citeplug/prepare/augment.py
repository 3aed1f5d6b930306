"""Simple questions beside a query, and what the set answers to it (Meta Knowledge for RAG, section 3.4 and appendix D).

The published augmentation has a model write questions from a summary of the set (`by_model/augment.py`). Without one they are
prepared questions of the set itself, so that each is one that a paper answers.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from citeplug.protocols import Vectors
from citeplug.records.prepared import FoundPair, Prepared
from citeplug.related.retrieve.longlist import choose

MOST = 5  # questions
LEAST = 0.35  # cosine of a question to the query
_NEAR = 40  # questions among which these are chosen
_DIVERSITY = 0.3  # as for a longlist


def augment(
    asked: Vectors, prepared: Sequence[Prepared], vectors: Mapping[str, Vectors], most: int = MOST
) -> list[FoundPair]:
    """At most `most` prepared questions near a query and apart from each other (Eq. 1 of Citegeist), one of a paper, each once.

    `asked` is the query's unit vector (d,), `vectors` those of the questions. None that is far from the query.
    """
    best: dict[str, FoundPair] = {}
    for made in prepared:
        for pair in made.pairs:
            if pair.question not in vectors:
                continue
            score = round(float(vectors[pair.question] @ asked), 6)
            if score >= max(LEAST, best[made.paper].score if made.paper in best else 0.0):
                best[made.paper] = FoundPair(made.paper, made.title, pair, score)
    once: dict[str, FoundPair] = {}
    for each in sorted(best.values(), key=lambda each: (-each.score, each.paper)):
        once.setdefault(each.pair.question, each)
    near = list(once.values())[:_NEAR]
    if not near:
        return []
    matrix = np.stack([vectors[each.pair.question] for each in near])
    scores = np.array([each.score for each in near], np.float64)
    return [near[row] for row in choose(scores, matrix, most, _DIVERSITY)]
