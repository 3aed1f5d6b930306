"""Group papers by theme: a noun phrase that titles share heads a paragraph, and what is about it stands there."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from citeplug.protocols import Vectors
from citeplug.records.paper import Paper
from citeplug.text.cited_text import words
from citeplug.text.letters import capital
from citeplug.text.lexicon import PRODUCTS
from citeplug.text.nounphrases import GENERIC, noun_phrases, singular, small_words
from citeplug.text.stems import stem, stemmed
from citeplug.text.stop_words import STOPWORDS

LARGEST = 8  # papers in a paragraph

ONE_TOPIC = 6  # papers that are not divided
_FEWEST = 3  # papers about a theme, two of them by their titles
_BY_ABSTRACT = 0.5  # of a paper whose title has the theme, one whose abstract has it
_COMMON = 0.7  # of all papers: what so many are about divides nothing
_FIT = 0.6  # of a paragraph's papers are about its theme
_APART = 0.4  # of a paragraph's papers more than of the others have the phrase that heads it
_DWELLING = 2  # mentions in an abstract
_THE_DRAFTS = 1.5  # by which the draft's own phrases come before others
_TOGETHER = 0.5  # of each paper that the draft cites beside another of the theme
# By words, those of a compound counted: two to four name a theme best.
_BY_LENGTH = {1: 0.3, 2: 1.0, 3: 1.15, 4: 1.15, 5: 1.0}
_METHOD = re.compile(r"\b(?:with|using|via|by|through|based on)\b", re.IGNORECASE)
# Nouns that need no article, as they are not counted.
UNCOUNTED = tuple("ing tion ics sis ity ism ment ance ence data ware val theory control acy".split())


def cluster(papers: Sequence[Paper], vectors: Mapping[str, Vectors], count: int) -> list[list[int]]:
    """Row numbers of `papers` by likeness: average-linkage clustering on the cosine, in groups of at most `LARGEST`.

    `count` groups where that is possible. Without a vector for every paper the words of titles and abstracts decide.
    The same input always gives the same groups, each in the order of `papers`, ordered by their first paper.
    """
    n = len(papers)
    if n == 0:
        return []
    target = max(count, math.ceil(n / LARGEST))
    similarity = similarity_of(papers, vectors)
    groups: list[list[int]] = [[row] for row in range(n)]
    while len(groups) > target:
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


@dataclass(frozen=True, slots=True)
class Theme:
    """A phrase that can follow "work on", by its stems too, and the rows of the papers that are about it.

    `titled` are those whose titles have it; `weight` is for its length, and for being the draft's. What
    `is_common` to most of many papers divides nothing.
    """

    name: str
    stems: str
    rows: frozenset[int]
    titled: frozenset[int]
    weight: float
    is_common: bool = False

    def among(self, rows: Collection[int]) -> "Theme":
        members = frozenset(rows)
        return replace(self, rows=self.rows & members, titled=self.titled & members)

    @property
    def stands(self) -> bool:
        return len(self.rows) >= _FEWEST and len(self.titled) >= 2

    def is_new(self, headings: Iterable[str]) -> bool:
        """Return True if neither it nor any of the headings has all words of the other."""
        mine = set(self.stems.split())
        return all(
            not (mine <= other or other <= mine) for other in (set(stemmed(heading).split()) for heading in headings)
        )


@dataclass(frozen=True, slots=True)
class Group:
    """The row numbers of the papers of a paragraph, in their order; `theme` is None where none fits."""

    theme: Theme | None
    rows: tuple[int, ...]

    @property
    def heading(self) -> str:
        return "" if self.theme is None else capital(self.theme.name)

    @property
    def place(self) -> int:
        """In the section: 0 on what is common to most papers, 1 on no theme, 2 on one that sets papers apart."""
        return 1 if self.theme is None else 0 if self.theme.is_common else 2


def group_by_theme(
    papers: Sequence[Paper],
    themes: Sequence[Theme],
    vectors: Mapping[str, Vectors],
    taken: Sequence[str] = (),
    together: Sequence[Collection[str]] = (),
    own: Sequence[str] = (),
) -> list[Group]:
    """Groups of `papers`, `LARGEST` in each at most.

    The theme that weighs most takes its papers first, then the next that of what is left. A paper without a theme joins
    the nearest group that stays on its theme, or one of those without. `taken` headings are not given again; `together`
    are sets of arXiv ids that the draft cites at one place; `own` texts of the draft's name its themes. `vectors` are unit vectors (d,) by arXiv id; without one for
    every paper, words decide. The same input always gives the same groups.
    """
    similarity = similarity_of(papers, vectors) if papers else np.zeros((0, 0))
    if len(papers) <= ONE_TOPIC and not taken:
        themes = ()
    pairs = _pairs(papers, together)
    left, groups, headings = set(range(len(papers))), list[tuple[Theme, list[int]]](), list(taken)
    dividing = [theme for theme in themes if not theme.is_common]
    while open_to := [
        (candidate, part) for candidate in dividing if (part := candidate.among(left)).stands and part.is_new(headings)
    ]:
        theme, part = max(open_to, key=lambda both: (_value(both[1], pairs), both[1].name))
        rows = _nearest(part, similarity)
        groups.append((theme, rows))
        headings.append(theme.name)
        left -= set(rows)
    rest = _join(sorted(left), groups, similarity)
    grouped = [Group(theme, tuple(sorted(rows))) for theme, rows in groups]
    for rows in _packed([papers[row] for row in rest], vectors):
        grouped.append(_with_common([rest[row] for row in rows], themes, [*headings, *(g.heading for g in grouped)]))
    if len(grouped) == 1 and not taken:
        return [Group(None, group.rows) for group in grouped]
    return list(_labelled(grouped, papers, taken, own))


def _with_common(rows: Sequence[int], themes: Sequence[Theme], taken: Sequence[str]) -> Group:
    """A group of what is left, under the longest theme that most of it is about, be it common to the other papers too."""
    parts = [
        (part, theme) for theme in themes if (part := theme.among(rows)).stands and part.is_new(filter(None, taken))
    ]
    fitting = [(p.weight, len(p.rows), t.name, t) for p, t in parts if len(p.rows) >= _FIT * len(rows)]
    theme = max(fitting, key=lambda option: option[:3], default=None)
    return Group(None if theme is None else theme[3], tuple(rows))


def _labelled(
    groups: Sequence[Group], papers: Sequence[Paper], taken: Sequence[str], own: Sequence[str]
) -> Iterator[Group]:
    """The groups, one that is on no theme under a phrase of its papers that the others have not, of a title or of three
    words: of "Markov decision processes" a title may have only the end.

    Half of its papers only have to name it, so that the heading claims of none that it is on that. A single word must
    stand in the draft's title, the first of its `own` texts, and in two of its papers'.
    """
    small = small_words(papers)
    phrases = [noun_phrases(paper, small) for paper in papers]
    titles = [stemmed(paper.title) for paper in papers]
    texts = [f"{paper.title} . {paper.abstract}" for paper in papers]
    stems_of, text, drafts = list(map(stemmed, texts)), " . ".join(texts).lower(), " . ".join(map(stemmed, own[:1]))
    headings = [*taken, *(group.heading for group in groups if group.theme is not None)]

    def named(key: str, group: Group) -> tuple[float, int, str, Theme] | None:
        stems, length = stemmed(key), len(key.replace("-", " ").split())
        having = frozenset(row for row, text_stems in enumerate(stems_of) if stems in text_stems)
        titled = frozenset(row for row in group.rows if stems in titles[row])
        inside = len(having.intersection(group.rows))
        apart = inside / len(group.rows) - (len(having) - inside) / max(1, len(papers) - len(group.rows))
        if key in GENERIC or inside < max(_FEWEST, len(group.rows) / 2) or apart < _APART or not (titled or length > 2):
            return None
        if length == 1 and (stems not in drafts or len(titled) < 2):
            return None
        forms = Counter(phrase[key].display for phrase in phrases if key in phrase)
        name = plural_form(forms, text)
        if name is None:
            return None
        theme = Theme(name, stems, having, titled, _BY_LENGTH.get(length, 1.0))
        return (theme.weight * apart, forms.total(), name, theme) if theme.is_new(headings) else None

    for group in groups:
        keys = sorted({key for row in group.rows for key in phrases[row]}) if group.theme is None else ()
        namings = [naming for key in keys if (naming := named(key, group)) is not None]
        if namings:
            group = Group(max(namings, key=lambda naming: naming[:3])[3], group.rows)
            headings.append(group.heading)
        yield group


def find_themes(papers: Sequence[Paper], own: Sequence[str] = ()) -> Iterator[Theme]:
    """Noun phrases of titles that papers are about; of each the draft has a word."""
    small = small_words(papers)
    phrases = [noun_phrases(paper, small) for paper in papers]
    titles, abstracts = [stemmed(before_method(p.title)) for p in papers], [stemmed(p.abstract) for p in papers]
    text = " . ".join(f"{paper.title} . {paper.abstract}" for paper in papers).lower()
    drafts = " . ".join(map(stemmed, own))
    for key in sorted({key for in_paper in phrases for key, phrase in in_paper.items() if phrase.in_title}):
        parts = key.replace("-", " ").split()
        stems = stemmed(key)
        telling = {stem(word) for word in parts if word not in STOPWORDS and word not in PRODUCTS}
        if key in GENERIC or not telling or (len(parts) == 1 and (len(key) < 6 or stems not in drafts)):
            continue
        if drafts and not any(f" {word} " in drafts for word in telling):
            continue
        titled = frozenset(row for row, title in enumerate(titles) if stems in title)
        told = titled | {row for row, abstract in enumerate(abstracts) if abstract.count(stems) >= _DWELLING}
        # What is the draft's own is a theme of each paper that speaks of it.
        rows = told | {row for row, abstract in enumerate(abstracts) if stems in drafts and stems in abstract}
        is_common = len(rows) > _COMMON * len(papers) and len(papers) > LARGEST
        forms = Counter(phrase[key].display for phrase in phrases if key in phrase)
        name = plural_form(forms, text)
        if name is not None and len(titled) >= (2 if len(parts) > 1 else _FEWEST):
            weight = _BY_LENGTH.get(len(parts), 1.0) * (_THE_DRAFTS if stems in drafts else 1.0)
            yield Theme(name, stems, rows, titled, weight, is_common)


def _value(theme: Theme, pairs: Collection[frozenset[int]]) -> float:
    beside = {row for pair in pairs if pair <= theme.rows for row in pair}
    papers = len(theme.titled) + _BY_ABSTRACT * len(theme.rows - theme.titled) + _TOGETHER * len(beside)
    return theme.weight * min(papers, LARGEST)


def _pairs(papers: Sequence[Paper], together: Sequence[Collection[str]]) -> frozenset[frozenset[int]]:
    """The rows of every two papers that are cited together."""
    row = {paper.id.value: number for number, paper in enumerate(papers)}
    known = (sorted(row[value] for value in ids if value in row) for ids in together)
    return frozenset(frozenset(pair) for rows in known for pair in combinations(rows, 2))


def _nearest(theme: Theme, similarity: NDArray[np.float64]) -> list[int]:
    """The papers of a theme that a paragraph has room for: by their titles first, then those most like the others."""
    rows = sorted(theme.rows)
    near = {row: float(similarity[row, rows].mean()) for row in rows}
    return sorted(rows, key=lambda row: (row not in theme.titled, -near[row], row))[:LARGEST]


def _join(
    rows: Sequence[int],
    groups: Sequence[tuple[Theme, list[int]]],
    similarity: NDArray[np.float64],
) -> list[int]:
    """Put rows without a theme into the nearest groups that stay on theirs; those that are left.

    One that is nearer to the others without a theme is left. Too few for a paragraph join the nearest in any case.
    """

    def near(row: int, group: Sequence[int]) -> float:
        return float(similarity[row, group].mean())

    def joins(row: int, homes: Sequence[list[int]], others: Sequence[int] = ()) -> bool:
        home = max(homes, key=lambda group: (near(row, group), -group[0]), default=None)
        if home is None or (others and near(row, others) > near(row, home)):
            return False
        home.append(row)
        return True

    def open_to(row: int, *, any_theme: bool) -> list[list[int]]:
        room = [(theme.rows, group) for theme, group in groups if len(group) < LARGEST]
        about = [group for on, group in room if row in on]
        return about or [g for on, g in room if any_theme or len(on.intersection(g)) >= _FIT * (len(g) + 1)]

    left = [r for r in rows if not joins(r, open_to(r, any_theme=False), [other for other in rows if other != r])]
    return left if len(left) >= _FEWEST else [row for row in left if not joins(row, open_to(row, any_theme=True))]


def _packed(papers: Sequence[Paper], vectors: Mapping[str, Vectors]) -> list[list[int]]:
    """Row numbers of papers without a theme, near ones together, in as few groups as there must be."""
    return cluster(papers, vectors, math.ceil(len(papers) / LARGEST)) if papers else []


def plural_form(forms: Mapping[str, int], text: str) -> str | None:
    """The form that can follow "work on", by `text` in small letters: the plural where it has one.

    None for a noun that is counted without a plural there, and for the end of a compound: "model-agnostic learning".
    """
    best = max(forms, key=lambda form: (forms[form], singular(form) != form, form))
    last = best.split()[-1]
    low, first = re.escape(best.lower()), re.escape(best.split()[0].lower())
    if len(re.findall(rf"[\w]-{first}\b", text)) > len(re.findall(rf"(?<![\w-]){first}\b", text)):
        return None
    if singular(last) != last:
        return best
    plurals, singulars = len(re.findall(rf"\b{low}s\b", text)), len(re.findall(rf"\b{low}\b", text))
    if plurals and (2 * plurals >= singulars or not last.endswith(UNCOUNTED[1:])):
        return f"{best}s"
    counted = re.search(rf"\ban? (?:[\w-]+ )?{low}\b", text) and not last.endswith(UNCOUNTED)
    return None if counted else best


def before_method(title: str) -> str:
    """What a title says before it names a method: "with", "using", "by"."""
    return _METHOD.split(title)[0].strip()
