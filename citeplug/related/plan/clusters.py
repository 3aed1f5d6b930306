"""Group papers that are alike."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from citeplug.protocols import Vectors
from citeplug.records.paper import Paper
from citeplug.text.cited_text import words
from citeplug.text.stop_words import STOPWORDS

LARGEST = 8  # papers in a paragraph


def cluster(papers: Sequence[Paper], vectors: Mapping[str, Vectors], count: int) -> list[list[int]]:
    """Row numbers of `papers` by likeness: average-linkage clustering on the cosine, in groups of at most `LARGEST`.

    `count` groups where that is possible. Without a vector for every paper the words of titles and abstracts decide.
    The same input always gives the same groups, each in the order of `papers`, ordered by their first paper.
    """
    n = len(papers)
    if n == 0:
        return []
    wanted = max(count, math.ceil(n / LARGEST))
    similarity = similarity_of(papers, vectors)
    groups: list[list[int]] = [[row] for row in range(n)]
    while len(groups) > wanted:
        pair = _closest(groups, similarity)
        if pair is None:
            break
        left, right = pair
        groups[left] = sorted(groups[left] + groups[right])
        del groups[right]
    return sorted(_without_singles(groups, similarity), key=lambda group: group[0])


def similarity_of(papers: Sequence[Paper], vectors: Mapping[str, Vectors]) -> NDArray[np.float64]:
    """The cosine of every two papers (n, n), of their vectors or, without one for every paper, of their words."""
    if all(paper.id.value in vectors for paper in papers):
        rows = np.stack([np.asarray(vectors[paper.id.value], dtype=np.float64) for paper in papers])
    else:
        rows = _term_vectors(papers)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = rows / np.where(lengths > 0, lengths, 1.0)
    # Rounding makes the order of sums visible in the last digits; ties must not depend on it.
    return np.asarray(np.round(rows @ rows.T, 9))


def _term_vectors(papers: Sequence[Paper]) -> NDArray[np.float64]:
    counts = [Counter(w for w in words(f"{p.title} {p.title} {p.abstract}") if w not in STOPWORDS) for p in papers]
    spread = Counter(term for count in counts for term in count)
    column = {term: index for index, term in enumerate(sorted(spread))}
    rows = np.zeros((len(papers), max(1, len(column))))
    for row, count in enumerate(counts):
        for term, times in count.items():
            rows[row, column[term]] = (1 + math.log(times)) * math.log((1 + len(papers)) / spread[term])
    return rows


def _closest(groups: list[list[int]], similarity: NDArray[np.float64]) -> tuple[int, int] | None:
    best: tuple[float, int, int] | None = None
    for left in range(len(groups)):
        for right in range(left + 1, len(groups)):
            size = len(groups[left]) + len(groups[right])
            if size > LARGEST:
                continue
            # Even groups read better: a large one must be that much closer to grow.
            score = float(similarity[np.ix_(groups[left], groups[right])].mean()) - 0.03 * size
            if best is None or score > best[0]:
                best = score, left, right
    return best[1:] if best else None


def _without_singles(groups: list[list[int]], similarity: NDArray[np.float64]) -> list[list[int]]:
    """A paper alone joins the nearest group with room, or draws the nearest member of a large one to it."""
    for single in sorted((g for g in groups if len(g) == 1), key=lambda g: g[0]):
        if len(groups) == 1 or len(single) != 1:
            continue
        row = single[0]
        room = [g for g in groups if g is not single and len(g) < LARGEST]
        if room:
            home = max(room, key=lambda g: (float(similarity[row, g].mean()), -g[0]))
            home[:] = sorted([*home, row])
            groups = [g for g in groups if g is not single]
            continue
        giver = max(groups, key=lambda g: (len(g), float(similarity[row, g].max()), -g[0]))
        taken = max(giver, key=lambda other: (similarity[row, other], -other))
        giver.remove(taken)
        single[:] = sorted([row, taken])
    return groups
