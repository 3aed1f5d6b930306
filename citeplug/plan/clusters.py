"""Group papers into topics, and name each topic by what sets it apart from the others."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from citeplug.ports import Vectors
from citeplug.records.paper import ArxivId, Paper
from citeplug.text.cited_text import words
from citeplug.text.letters import capital
from citeplug.text.lexicon import PRODUCTS
from citeplug.text.nounlists import GENERIC
from citeplug.text.nounphrases import noun_phrases, singular, small_words
from citeplug.text.stems import stem, stemmed
from citeplug.text.stop_words import STOPWORDS

LARGEST = 8
_ONE_TOPIC = 6  # papers that are not divided
_FITS = (0.6, 0.4)  # of a group's papers are about its heading, or, where there is none, these
_COMMON = 0.7  # of the other papers: what so many are about names no part of them
_HEADLINE = 20  # words; of longer texts a single word says too little
_METHOD = re.compile(r"\b(?:with|using|via|by|through|based on)\b", re.IGNORECASE)
_THE_DRAFTS = 1.6  # by which the draft's own phrases come before others


def cluster(papers: Sequence[Paper], vectors: Mapping[str, Vectors], count: int | None = None) -> list[list[int]]:
    """Row numbers of `papers` by topic: average-linkage clustering on the cosine, in groups of at most `LARGEST`.

    `count` topics where that is possible; by default one for up to `_ONE_TOPIC` papers, then about one for every five. Without a
    vector for every paper the words of titles and abstracts decide. The same input always gives the same groups, each
    in the order of `papers`, ordered by their first paper.
    """
    n = len(papers)
    if n == 0:
        return []
    wanted = count if count is not None else topic_count(n)
    wanted = max(wanted, math.ceil(n / LARGEST))
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


def topic_count(n: int) -> int:
    """Number of paragraphs for `n` papers."""
    return 1 if n <= _ONE_TOPIC else max(2, round(n / 5))


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


def headings(
    papers: Sequence[Paper], groups: Sequence[Sequence[int]], taken: Sequence[str] = (), own: Sequence[str] = ()
) -> list[str | None]:
    """A heading for each group, all different and none of them `taken`; None where no phrase fits most of the group.

    The noun phrase that is most the group's own: class-based TF-IDF (c-TF-IDF, BERTopic, section 3.4) over noun phrases
    of titles and abstracts, titles counting more. Phrases of `own`, texts of the draft's, come before others.
    """
    themes = Themes(papers, own)
    chosen: list[str | None] = list(taken)
    for group in groups:
        shared = (name for fit in _FITS for name in themes.names(group, fit) if themes.fits(name))
        titled = (name for name in themes.in_titles(group) if themes.fits(name))
        name = next((name for name in (*shared, *titled) if _is_new(name, chosen)), None)
        chosen.append(None if name is None else capital(name))
    return chosen[len(taken) :]


def with_headings(
    papers: Sequence[Paper],
    groups: Sequence[Sequence[int]],
    vectors: Mapping[str, Vectors],
    taken: Sequence[str] = (),
    own: Sequence[str] = (),
) -> list[tuple[str, list[int]]]:
    """Groups with headings that fit them.

    A group that none fits joins the one nearest to it, if that has room and still has a heading then; what is left is put
    together in groups without a heading, "". So is a group that is the only one.
    """
    if not papers:
        return []
    similarity = similarity_of(papers, vectors)
    names = headings(papers, groups, taken, own)
    named = [list(group) for group, name in zip(groups, names, strict=True) if name is not None]
    left: list[list[int]] = []
    for group in (list(group) for group, name in zip(groups, names, strict=True) if name is None):
        room = [other for other in named if len(other) + len(group) <= LARGEST]
        near = max(room, key=lambda other: (float(similarity[np.ix_(group, other)].mean()), -other[0]), default=None)
        joined = [sorted([*other, *group]) if other is near else other for other in named]
        if near is not None and None not in headings(papers, joined, taken, own):
            named = joined
        else:
            left.append(group)
    found = list(zip(headings(papers, named, taken, own), named, strict=True))
    chosen = [(name or "", group) for name, group in found]
    packed: list[list[int]] = []
    for group in left:
        if packed and len(packed[-1]) + len(group) <= LARGEST:
            packed[-1] = sorted([*packed[-1], *group])
        else:
            packed.append(group)
    chosen = [*(("", group) for group in packed), *chosen]
    return chosen if len(chosen) > 1 or taken else [("", group) for _, group in chosen]


class Themes:
    """Noun phrases of papers, and which papers they are about."""

    def __init__(self, papers: Sequence[Paper], own: Sequence[str] = ()) -> None:
        """`own` are texts of the draft's."""
        small = small_words(papers)
        self._papers = papers
        self._phrases = [noun_phrases(paper, small) for paper in papers]
        self._titles = [text for text in own if len(text.split()) <= _HEADLINE]
        self._own_stems = {stem(word) for text in own for word in words(text) if word not in STOPWORDS}
        self._own = {
            term for text in own for term in phrases_of(text, small) if " " in term or len(text.split()) <= _HEADLINE
        }

    def in_titles(self, group: Sequence[int]) -> list[str]:
        """Runs of two to four words that two titles of the group have, in any of their forms, and few others; longest first.

        Each as a title or an abstract has it in the plural, or as a noun that is not counted.
        """
        runs = [_runs(paper.title) for paper in self._papers]
        inside = Counter(run for row in group for run in runs[row])
        outside = Counter(run for row in range(len(runs)) if row not in group for run in runs[row])
        # One that no title ends with may be half of a name: "quantitative susceptibility" (mapping).
        whole = {run for row in group for run, ends in runs[row].items() if ends}
        text = " . ".join(f"{self._papers[row].title} . {self._papers[row].abstract}" for row in group).lower()
        found = []
        for run in sorted(whole, key=lambda run: (-len(run), -inside[run], run)):
            if inside[run] > max(1, outside[run]):
                forms = [form for form in _forms(run, text) if singular(form) != form or form.endswith(_UNCOUNTED)]
                found += [max(forms, key=lambda form: (text.count(form), form))] if forms else []
        return found

    def common(self, group: Sequence[int]) -> str | None:
        """A theme that two or more of the group's papers share, and a title of the draft's names."""
        named = self.names(group, 0) if len(group) > 1 else []
        return next((name for name in named if self._is_on(name)), None)

    def _is_on(self, name: str) -> bool:
        """Return True if a title of the draft's, its own or one that it cites, has the phrase, and it is no mere kind."""
        told = [word for word in words(name) if word not in STOPWORDS and word not in PRODUCTS]
        return len(told) > 1 and any(has_theme(text, name) for text in self._titles)

    def fits(self, name: str) -> bool:
        """Return True if a phrase has a word of the draft's, where there is a draft."""
        return not self._own_stems or bool(self._own_stems & _stems(name))

    def names(self, group: Sequence[int], fit: float) -> list[str]:
        """Phrases that at least `fit` of the group's papers are about, and two where there are two, best first.

        Each is in the plural or needs no article, so that it can follow "work on". What nearly all other papers
        are about, too, is left out.
        """
        least = min(len(group), max(2, math.ceil(fit * len(group))))
        others = [row for row in range(len(self._papers)) if row not in group]
        scores: dict[str, float] = {}
        for term in {term for row in group for term in self._phrases[row]}:
            about = sum(self._is_about(row, term) for row in group)
            outside = sum(self._is_about(row, term) for row in others) / max(1, len(others))
            titled = sum(term in self._phrases[row] and self._phrases[row][term].in_title for row in group) / len(group)
            if about < least or outside > _COMMON or not titled or not self._says_enough(term):
                continue
            length = _LENGTH.get(len(term.split()), 0.6)
            own = _THE_DRAFTS if term in self._own else 1.0
            scores[term] = (0.2 + about / len(group)) * (0.4 + titled) * (1 - 0.7 * outside) * length * own
        ranked = sorted(scores, key=lambda term: (-scores[term], term))
        return [name for term in ranked if (name := self._display(term, group))]

    def _is_about(self, row: int, term: str) -> bool:
        """True if the phrase is in the title, or twice in the abstract."""
        phrase = self._phrases[row].get(term)
        return phrase is not None and (phrase.in_title or phrase.weight >= 2)

    def _says_enough(self, term: str) -> bool:
        """Return True if a phrase can name a theme; a single word does where it is the draft's."""
        return term not in GENERIC and (len(term.split()) > 1 or (term in self._own and len(term) > 5))

    def _display(self, term: str, group: Sequence[int]) -> str | None:
        """The form that the group's papers use most, in the plural where they count it; None for a bare singular."""
        forms = Counter(self._phrases[row][term].display for row in group if term in self._phrases[row])
        best = max(forms, key=lambda form: (forms[form], singular(form) != form, form))
        text = " . ".join(f"{self._papers[row].title} . {self._papers[row].abstract}" for row in group)
        last = best.split()[-1]
        plurals = text.count(f"{best}s")
        if singular(last) != last:
            return best
        if plurals and 2 * plurals >= text.count(best):
            return f"{best}s"
        counted = f"{last}s" in text and not last.endswith(("ing", "data"))
        return best if last.endswith(_UNCOUNTED) and not counted else None


def _runs(title: str) -> dict[tuple[str, ...], bool]:
    """Runs of two to four words of a title, as stems, none with a stop word; True where a longer one ends with it."""
    found, run = dict[tuple[str, ...], bool](), list[str]()
    for word in [*words(title), ""]:
        if word.isalpha() and word not in STOPWORDS:
            run.append(word)
            continue
        for size in (4, 3, 2):
            for end in range(size, len(run) + 1):
                part = run[end - size : end]
                if " ".join(part) not in GENERIC and not {part[-1], singular(part[-1])} & PRODUCTS:
                    key = tuple(map(stem, part))
                    found[key] = found.get(key, False) or end == len(run)
        run = []
    return found


def _forms(run: tuple[str, ...], text: str) -> set[str]:
    """The forms in which `text`, in small letters, has a run of stems."""
    said = words(text)
    return {
        " ".join(said[start : start + len(run)])
        for start in range(len(said) - len(run) + 1)
        if tuple(map(stem, said[start : start + len(run)])) == run
    }


def has_theme(title: str, theme: str) -> bool:
    """Return True if a title has the words of `theme`, in any of their forms, before it names a method."""
    return bool(words(theme)) and stemmed(theme) in stemmed(before_method(title))


def before_method(title: str) -> str:
    """What a title says before it names a method: "with", "using", "by"."""
    return _METHOD.split(title)[0].strip()


def phrases_of(text: str, small: frozenset[str]) -> frozenset[str]:
    """The noun phrases of a text, by their normal form."""
    return frozenset(noun_phrases(Paper(ArxivId(""), text, "", (), date.min, date.min), small))


# Two and three words make the best headings, one word a last resort.
_LENGTH = {1: 0.05, 2: 1.0, 3: 1.1, 4: 0.95}
# Nouns that need no article, as they are not counted.
_UNCOUNTED = (
    "ing",
    "tion",
    "ics",
    "sis",
    "ity",
    "ism",
    "ment",
    "ance",
    "ence",
    "data",
    "ware",
    "val",
    "theory",
    "control",
    "acy",
)


def _is_new(heading: str, chosen: Sequence[str | None]) -> bool:
    mine = _stems(heading)
    return all(not (mine <= _stems(other) or _stems(other) <= mine) for other in chosen if other is not None)


def _stems(text: str) -> set[str]:
    return {stem(word) for word in words(text)}
