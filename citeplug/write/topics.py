"""Group papers into topics, and name each topic by what sets it apart from the others."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from citeplug.ports import Vectors
from citeplug.records.paper import Paper
from citeplug.write.attribution import words
from citeplug.write.lexicon import STOPWORDS
from citeplug.write.nounphrases import Phrases, noun_phrases

LARGEST = 5


def cluster(papers: Sequence[Paper], vectors: Mapping[str, Vectors], count: int | None = None) -> list[list[int]]:
    """Row numbers of `papers` by topic: average-linkage clustering on the cosine, in groups of at most five.

    `count` topics where that is possible; by default about one for every three papers, fewer when there are
    many. Without a vector for every paper the words of titles and abstracts decide. The same input always
    gives the same groups, each in the order of `papers`, ordered by their first paper.
    """
    n = len(papers)
    if n == 0:
        return []
    wanted = count if count is not None else topic_count(n)
    wanted = max(wanted, math.ceil(n / LARGEST))
    similarity = _similarity(papers, vectors)
    groups: list[list[int]] = [[row] for row in range(n)]
    while len(groups) > wanted:
        pair = _closest(groups, similarity)
        if pair is None:
            break
        left, right = pair
        groups[left] = sorted(groups[left] + groups[right])
        del groups[right]
    return sorted(_without_singles(groups, similarity, wanted), key=lambda group: group[0])


def topic_count(n: int) -> int:
    """How many paragraphs `n` papers make."""
    if n <= 3:
        return 1
    return max(2, round(n / 3)) if n <= 12 else max(4, round(n / 4))


def _similarity(papers: Sequence[Paper], vectors: Mapping[str, Vectors]) -> NDArray[np.float64]:
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


def _without_singles(groups: list[list[int]], similarity: NDArray[np.float64], wanted: int) -> list[list[int]]:
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


def headings(papers: Sequence[Paper], groups: Sequence[Sequence[int]]) -> list[str]:
    """A heading for each group, all different: the noun phrase that is most its own.

    Class-based TF-IDF (c-TF-IDF, BERTopic, section 3.4) over noun phrases of titles and abstracts, titles
    counting more, and phrases that several papers of the group share before those of one.
    """
    phrases = [noun_phrases(paper) for paper in papers]
    anywhere = Counter(term for found in phrases for term in found)
    chosen: list[str] = []
    for group in groups:
        ranked = sorted(_scores(group, phrases, anywhere).items(), key=lambda item: (-item[1], item[0]))
        heading = next(
            (display for display in (_display(term, group, phrases) for term, _ in ranked) if _new(display, chosen)),
            None,
        )
        chosen.append(heading or _numbered(chosen))
    return chosen


def _scores(group: Sequence[int], phrases: Sequence[Phrases], anywhere: Counter[str]) -> dict[str, float]:
    inside = Counter(term for row in group for term in phrases[row])
    scores: dict[str, float] = {}
    for term, papers_with in inside.items():
        outside = (anywhere[term] - papers_with) / max(1, len(phrases) - len(group))
        strength = sum(phrases[row][term].weight for row in group if term in phrases[row])
        coverage = papers_with / len(group)
        length = {1: 0.45, 2: 1.0, 3: 1.1, 4: 0.95}.get(len(term.split()), 0.7)
        scores[term] = strength**0.5 * (0.3 + coverage) * (1 - 0.85 * min(1.0, outside)) * length
    return scores


def _display(term: str, group: Sequence[int], phrases: Sequence[Phrases]) -> str:
    forms = Counter(phrases[row][term].display for row in group if term in phrases[row])
    form = max(forms, key=lambda f: (forms[f], f))
    return form[0].upper() + form[1:]


def _new(heading: str, chosen: Sequence[str]) -> bool:
    mine = _stems(heading)
    return all(not (mine <= _stems(other) or _stems(other) <= mine) for other in chosen)


def _stems(heading: str) -> set[str]:
    return {re.sub(r"(?:ies|es|s)$", "", word) for word in words(heading)}


def _numbered(chosen: Sequence[str]) -> str:
    name = "Further work"
    number = 1
    while name in chosen:
        number += 1
        name = f"Further work, part {number}"
    return name
