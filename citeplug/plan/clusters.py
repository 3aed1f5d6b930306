"""Group papers into topics, and name each topic by what sets it apart from the others."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from citeplug.ports import Vectors
from citeplug.records.paper import ArxivId, Paper
from citeplug.text.cited_text import words
from citeplug.text.letters import capital
from citeplug.text.nounlists import GENERIC
from citeplug.text.nounphrases import Phrases, as_theme, noun_phrases, singular, small_words
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

LARGEST = 6
_FIT = 0.5  # of a group's papers have the words of its heading
_HEADLINE = 20  # words; of longer texts a single word says too little
_THE_DRAFTS = 1.6  # by which the draft's own phrases come before others


def cluster(papers: Sequence[Paper], vectors: Mapping[str, Vectors], count: int | None = None) -> list[list[int]]:
    """Row numbers of `papers` by topic: average-linkage clustering on the cosine, in groups of at most `LARGEST`.

    `count` topics where that is possible; by default about one for every four papers. Without a vector for every paper the words of titles and abstracts decide. The same input always
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
    return 1 if n <= 4 else max(2, round(n / 4))


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


def headings(
    papers: Sequence[Paper], groups: Sequence[Sequence[int]], taken: Sequence[str] = (), own: Sequence[str] = ()
) -> list[str | None]:
    """A heading for each group, all different and none of them `taken`; None where no phrase fits half of the group.

    The noun phrase that is most the group's own: class-based TF-IDF (c-TF-IDF, BERTopic, section 3.4) over noun phrases
    of titles and abstracts, titles counting more. Phrases of `own`, texts of the draft's, come before others.
    """
    small = small_words(papers)
    phrases = [noun_phrases(paper, small) for paper in papers]
    titles = [stemmed(paper.title) for paper in papers]
    texts = [f"{title}|{stemmed(paper.abstract)}" for title, paper in zip(titles, papers, strict=True)]
    drafts = {term for text in own for term in phrases_of(text, small) if " " in term or len(text.split()) <= _HEADLINE}
    chosen: list[str | None] = list(taken)
    for group in groups:
        scores = _scores(group, phrases, titles, texts, drafts)
        names = (
            _display(term, group, phrases, papers) for term in sorted(scores, key=lambda term: (-scores[term], term))
        )
        chosen.append(next((name for name in names if _is_new(name, chosen)), None))
    return chosen[len(taken) :]


def with_headings(
    papers: Sequence[Paper],
    groups: Sequence[Sequence[int]],
    vectors: Mapping[str, Vectors],
    taken: Sequence[str] = (),
    own: Sequence[str] = (),
) -> list[tuple[str, list[int]]]:
    """Groups with headings that fit them.

    A group that none fits joins the one nearest to it, if that still has a heading then; what is left makes one group.
    """
    if not papers:
        return []
    similarity = _similarity(papers, vectors)
    names = headings(papers, groups, taken, own)
    named = [list(group) for group, name in zip(groups, names, strict=True) if name is not None]
    left: list[int] = []
    for group in (list(group) for group, name in zip(groups, names, strict=True) if name is None):
        near = max(named, key=lambda other: (float(similarity[np.ix_(group, other)].mean()), -other[0]), default=None)
        joined = [sorted([*other, *group]) if other is near else other for other in named]
        if near is not None and None not in headings(papers, joined, taken, own):
            named = joined
        else:
            left += group
    found = list(zip(headings(papers, named, taken, own), named, strict=True))
    chosen = [(name, group) for name, group in found if name is not None]
    return [*chosen, (_untitled(taken), sorted(left))] if left else chosen


def _scores(
    group: Sequence[int],
    phrases: Sequence[Phrases],
    titles: Sequence[str],
    texts: Sequence[str],
    drafts: set[str],
) -> dict[str, float]:
    others = [row for row in range(len(phrases)) if row not in group]
    scores: dict[str, float] = {}
    for term in {term for row in group for term in phrases[row]}:
        wanted = stemmed(term)
        having = [phrases[row][term] for row in group if term in phrases[row]]
        fitting = sum(wanted in texts[row] for row in group) / len(group)
        if fitting < _FIT or (len(group) > 2 and fitting * len(group) < 2) or not _names_theme(term, drafts):
            continue
        outside = sum(1.0 if term in phrases[r] else 0.5 * (wanted in texts[r]) for r in others) / max(1, len(others))
        titled = sum(wanted in titles[row] for row in group) / len(group)
        score = sum(phrase.weight for phrase in having) ** 0.5 * (0.2 + fitting) * (0.4 + titled) * (1 - 0.7 * outside)
        score *= _LENGTH.get(len(term.split()), 0.6) * (_THE_DRAFTS if term in drafts else 1.0)
        scores[term] = score
    return scores


def _names_theme(term: str, drafts: Collection[str]) -> bool:
    """Return True if a phrase says enough to head a paragraph; a single word does where it is the draft's."""
    return term not in GENERIC and (len(term.split()) > 1 or (term in drafts and len(term) > 5))


def stemmed(text: str) -> str:
    """The stems of a text's words in their order, to look phrases up in."""
    return f" {' '.join(stem(word) for word in words(text))} "


def phrases_of(text: str, small: frozenset[str]) -> frozenset[str]:
    """The noun phrases of a text, by their normal form."""
    return frozenset(noun_phrases(Paper(ArxivId(""), text, "", (), date.min, date.min), small))


# Two and three words make the best headings, one word a last resort.
_LENGTH = {1: 0.05, 2: 1.0, 3: 1.1, 4: 0.95}


def _display(term: str, group: Sequence[int], phrases: Sequence[Phrases], papers: Sequence[Paper]) -> str:
    """The form that the group's papers use most, the plural where they have it counted."""
    forms = Counter(phrases[row][term].display for row in group if term in phrases[row])
    best = max(forms, key=lambda form: (forms[form], singular(form) != form, form))
    return capital(as_theme(best, " . ".join(f"{papers[row].title} . {papers[row].abstract}" for row in group)))


def _is_new(heading: str, chosen: Sequence[str | None]) -> bool:
    mine = _stems(heading)
    return all(not (mine <= _stems(other) or _stems(other) <= mine) for other in chosen if other is not None)


def _stems(text: str) -> set[str]:
    return {stem(word) for word in words(text)}


def _untitled(taken: Sequence[str]) -> str:
    name = "Further work"
    number = 1
    while name in taken:
        number += 1
        name = f"Further work, part {number}"
    return name
