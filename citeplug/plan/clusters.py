"""Group papers into topics, and name each topic by what sets it apart from the others."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from citeplug.ports import Vectors
from citeplug.records.paper import Paper
from citeplug.text.cited_text import words
from citeplug.text.letters import capital
from citeplug.text.nounlists import GENERIC
from citeplug.text.nounphrases import Phrases, noun_phrases, small_words
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

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
    """Number of paragraphs for `n` papers."""
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


def headings(papers: Sequence[Paper], groups: Sequence[Sequence[int]], taken: Sequence[str] = ()) -> list[str]:
    """A heading for each group, all different and none of them `taken`: the noun phrase that is most its own.

    Class-based TF-IDF (c-TF-IDF, BERTopic, section 3.4) over noun phrases of titles and abstracts, titles
    counting more, and phrases that several papers of the group share before those of one.
    """
    small = small_words(papers)
    phrases = [noun_phrases(paper, small) for paper in papers]
    titles = [_stems(paper.title) for paper in papers]
    stems = [title | _stems(paper.abstract) for title, paper in zip(titles, papers, strict=True)]
    chosen = list(taken)
    for group in groups:
        scores = _scores(group, phrases, titles, stems)
        names = (_display(term, group, phrases) for term in sorted(scores, key=lambda term: (-scores[term], term)))
        chosen.append(next((name for name in names if _is_new(name, chosen)), None) or _numbered(chosen))
    return chosen[len(taken) :]


def _scores(
    group: Sequence[int], phrases: Sequence[Phrases], titles: Sequence[set[str]], stems: Sequence[set[str]]
) -> dict[str, float]:
    others = [row for row in range(len(phrases)) if row not in group]
    scores: dict[str, float] = {}
    for term in {term for row in group for term in phrases[row]}:
        wanted = _stems(term)
        having = [phrases[row][term] for row in group if term in phrases[row]]
        inside = (len(having) + 0.5 * sum(term not in phrases[r] and wanted <= stems[r] for r in group)) / len(group)
        outside = sum(1.0 if term in phrases[r] else 0.5 * (wanted <= stems[r]) for r in others) / max(1, len(others))
        titled = sum(wanted <= titles[row] for row in group) / len(group)
        score = sum(phrase.weight for phrase in having) ** 0.5 * (0.2 + inside) * (0.4 + titled) * (1 - 0.7 * outside)
        score *= _LENGTH.get(len(term.split()), 0.6)
        scores[term] = score * (0.25 if term in GENERIC else 1.0)
    return scores


# Two and three words make the best headings.
_LENGTH = {1: 0.45, 2: 1.0, 3: 1.1, 4: 0.95}


def _display(term: str, group: Sequence[int], phrases: Sequence[Phrases]) -> str:
    """The form that the group's papers use most, the plural where they use both alike."""
    forms = Counter(phrases[row][term].display for row in group if term in phrases[row])
    return capital(max(forms, key=lambda form: (forms[form], form.endswith("s"), form)))


def _is_new(heading: str, chosen: Sequence[str]) -> bool:
    mine = _stems(heading)
    return all(not (mine <= _stems(other) or _stems(other) <= mine) for other in chosen)


def _stems(text: str) -> set[str]:
    return {stem(word) for word in words(text)}


def _numbered(chosen: Sequence[str]) -> str:
    name = "Further work"
    number = 1
    while name in chosen:
        number += 1
        name = f"Further work, part {number}"
    return name
