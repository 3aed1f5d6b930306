"""Papers that a section could discuss: those that it would, those next to them, and the author's word on each.

Reasons are found for the papers of a list, from the texts by which these were searched, after the choice is made: they
compare the papers with each other, and change nothing in their order.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import combinations
from typing import Literal

from citeplug.bib.compare.duplicates import match_existing
from citeplug.corpus.stores import Announce, Report, open_corpus
from citeplug.project.any_draft import read_any_draft, root_of
from citeplug.project.provenance import read_provenance
from citeplug.project.section_targets import generated_files, named_targets
from citeplug.project.targets import targets
from citeplug.protocols import CitationSource, LanguageModel, Vectors
from citeplug.records.debate import Debate
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import GraphUse, Options
from citeplug.records.paper import ArxivId, Candidate, Links, Paper, Query, Reason, Shortlisted
from citeplug.related.draft_date import date_findings
from citeplug.related.job import Job, open_tools
from citeplug.related.options import check_options, options_for_run
from citeplug.related.progress import Progress, Tools
from citeplug.related.rank import proved
from citeplug.related.retrieve.fit import SURELY
from citeplug.related.retrieve.queries import CITATIONS, LONGEST_PHRASE, THEME, key_phrases
from citeplug.related.retrieve.stages import PaperRanking
from citeplug.related.run import rank_papers
from citeplug.related.write.extractive.contributions import find_contributions
from citeplug.settings.environment import Settings
from citeplug.text.compare import entry_title
from citeplug.text.stems import stem
from citeplug.text.tex_text import decode_tex
from citeplug.text.withdrawn import possibly_withdrawn

_PHRASES = 80  # of a part of the draft that are looked for in the papers
_SHOWN = 3  # words or phrases of one reason
_SHOWN_KEYS = 2
_NEAR = 0.55  # cosine of a paper and a cited title: below it they rarely share more than a field
_NAMED_FOR = 4  # one of so many papers of a list are those nearest to a citation, for which it is named
_IN_TITLE = 3  # times that a word of the title counts
_COMMON = math.log(3)  # rarity of a word that half of the papers have
_WORD = re.compile(r"[^\W_]+")
# The title and the key phrases say nothing that the other parts do not; the citations are a reason of their own.
_NO_PARTS = ("title", "phrases", CITATIONS, THEME)

_Gram = tuple[str, ...]

_MENTIONS = 2_000  # sentences about one paper that are counted
_RELATED = re.compile(r"related|literature|prior work|previous work|background|state of the art", re.IGNORECASE)
_CITED = 200  # titles of citations that papers are compared with, what is cited most often first


def explain(
    papers: Sequence[Paper],
    vectors: Mapping[str, Vectors],
    queries: Sequence[tuple[Query, Vectors]],
    cited: Sequence[tuple[str, Vectors]] = (),
    own: Mapping[str, str] | None = None,
) -> dict[str, tuple[Reason, ...]]:
    """Reasons for each of the papers, by id; none for a paper of which nothing can be said.

    `vectors` are unit vectors (d,) of papers by id; `queries` are the draft's, each with its unit vector (d,), the main
    one first; `cited` are keys of what the draft cites, with unit vectors of the titles. `own` are the draft's keys of
    the papers themselves, by id: a paper is no reason for itself.
    """
    texts = {paper.id.value: _Text(paper) for paper in papers}
    rarity = _rarity(list(texts.values()))
    telling = [pair for pair in queries if pair[0].aspect not in _NO_PARTS] or queries[:1]
    parts = [_DraftPart(query, vector, texts, vectors, rarity) for query, vector in telling]
    near = _near_citations(texts, vectors, cited, own or {})
    reasons_by_id: dict[str, tuple[Reason, ...]] = {}
    for value in texts:
        # The part that says most for this paper beside the others; of equals the main one, which comes first.
        best = min(parts, key=lambda part: part.place[value], default=None)
        reasons = [] if best is None else best.reasons(value, near=value in vectors)
        reasons_by_id[value] = (*reasons, *near.get(value, ()))
    return reasons_by_id


class _Text:
    """Counts of each stem in a paper, those of its title weighted more, and the runs of up to four stems in it."""

    def __init__(self, paper: Paper) -> None:
        title, abstract = _stems(paper.title), _stems(paper.abstract)
        self.times = Counter(title * _IN_TITLE + abstract)
        self.grams = frozenset([*_grams(title), *_grams(abstract)])


class _DraftPart:
    """A part of the draft beside the papers.

    `place` is that of each paper among the others, from 0, by words and by meaning, summed; `common` are words.
    """

    def __init__(
        self,
        query: Query,
        vector: Vectors,
        texts: Mapping[str, _Text],
        vectors: Mapping[str, Vectors],
        rarity: Mapping[str, float],
    ) -> None:
        self.name = query.aspect.removeprefix("section:")
        phrases = [_WORD.findall(phrase) for phrase in key_phrases(query.text, _PHRASES)]
        stems = [[stem(word) for word in words] for words in phrases]
        counts = Counter(_stems(query.text))
        # A single word that the draft says in passing, or that most of the papers have, is no reason to read one.
        alone = {word for word in counts if counts[word] > 1 and rarity.get(word, 0.0) > _COMMON and len(word) > 1}
        near = {value: float(vectors[value] @ vector) if value in vectors else 0.0 for value in texts}
        worded: dict[str, float] = {}
        self.common: dict[str, tuple[str, ...]] = {}
        for value, text in texts.items():
            runs = dict(_shared(phrases, stems, alone, text))
            weights = {run: math.fsum(_weight(word, counts, text, rarity) for word in run) for run in runs}
            worded[value] = math.fsum(weights.values())
            self.common[value] = _most_telling(runs, weights)
        self.place: Counter[str] = Counter()
        for scores in (near, worded):
            self.place.update(
                {text: place for place, text in enumerate(sorted(texts, key=lambda value: -scores[value]))}
            )

    def reasons(self, value: str, *, near: bool) -> list[Reason]:
        if words := self.common[value]:
            return [Reason("words", f"shares with your {self.name}: {', '.join(words)}", self.name, words)]
        return [Reason("meaning", f"near your {self.name} in meaning", self.name)] if near else []


def _weight(word: str, counts: Mapping[str, int], text: _Text, rarity: Mapping[str, float]) -> float:
    """The share of a stem in the likeness of a part of the draft and a paper (tf-idf, with damped counts)."""
    return rarity[word] ** 2 * (1 + math.log(counts[word])) * (1 + math.log(text.times[word]))


def _shared(
    phrases: Sequence[list[str]], stems: Sequence[list[str]], alone: Collection[str], text: _Text
) -> Iterator[tuple[_Gram, str]]:
    """The longest run of each phrase that the paper has side by side, as stems and as the draft writes it.

    One of a single word only if that is among `alone`, and the paper has it in its title or often.
    """
    for words, phrase_stems in zip(phrases, stems, strict=True):
        for start, end in sorted(combinations(range(len(phrase_stems) + 1), 2), key=lambda bound: bound[0] - bound[1]):
            run = tuple(phrase_stems[start:end])
            if run in text.grams and (len(run) > 1 or (run[0] in alone and text.times[run[0]] >= _IN_TITLE)):
                yield run, " ".join(words[start:end])
                break


def _most_telling(runs: Mapping[_Gram, str], weights: Mapping[_Gram, float]) -> tuple[str, ...]:
    shown: list[_Gram] = []
    for run in sorted(runs, key=lambda run: (-weights[run], run)):
        if len(shown) < _SHOWN and not any(set(run) & set(other) for other in shown):
            shown.append(run)
    return tuple(runs[run] for run in shown)


def _near_citations(
    texts: Mapping[str, _Text],
    vectors: Mapping[str, Vectors],
    cited: Sequence[tuple[str, Vectors]],
    own: Mapping[str, str],
) -> dict[str, list[Reason]]:
    """For papers the citations that they are nearest to. A citation that is near all of them is named for few."""
    near_by_id: dict[str, list[tuple[float, str]]] = {}
    for key, vector in cited:
        cosines = [(float(vectors[value] @ vector), value) for value in texts if value in vectors]
        others = sorted((pair for pair in cosines if own.get(pair[1]) != key), reverse=True)
        for cosine, value in others[: max(1, len(texts) // _NAMED_FOR)]:
            if cosine >= _NEAR:
                near_by_id.setdefault(value, []).append((cosine, key))
    reasons = {}
    for value, near in near_by_id.items():
        keys = tuple(key for _, key in sorted(near, key=lambda pair: (-pair[0], pair[1]))[:_SHOWN_KEYS])
        reasons[value] = [Reason("citation", f"like what you cite as {' and '.join(keys)}", "citations", keys=keys)]
    return reasons


def _rarity(texts: Sequence[_Text]) -> dict[str, float]:
    """Of stems, by how few of the papers have them: what all have in common tells nothing of one."""
    having = Counter(mention for text in texts for mention in text.times)
    return {word: math.log(1 + len(texts) / count) for word, count in having.items()}


def _stems(text: str) -> list[str]:
    return [stem(word) for word in _WORD.findall(text.lower())]


def _grams(stems: Sequence[str]) -> Iterator[_Gram]:
    for length in range(1, LONGEST_PHRASE + 1):
        yield from (tuple(stems[start : start + length]) for start in range(len(stems) - length + 1))


@dataclass(frozen=True, slots=True)
class ListedPaper:
    """One paper. `score` is 0 to 1, its relevance to the draft beside the others; None for one that was not looked for.

    `found_by` are the ways of `Candidate`; `chosen`: the section would discuss it; `choice` is the author's; `key` that
    of the draft's own entry, which the text cites if `cited`; `sound`: its record is whole, and says nothing of a
    withdrawal; `fits`: near enough to the draft for a section to discuss it, whatever else was found; `surely`: so near
    that hardly one such paper does not belong. `debate` is a model's on whether to cite it, None without one.
    """

    paper: Paper
    score: float | None
    found_by: tuple[str, ...]
    chosen: bool
    choice: Literal["pin", "exclude"] | None
    key: str | None
    cited: bool
    sound: bool
    fits: bool
    surely: bool
    reasons: tuple[Reason, ...] = ()
    debate: Debate | None = None


def list_papers(
    draft: Draft,
    options: Options,
    tools: Tools,
    *,
    before: date,
    progress: Progress,
    most: int | None = None,
    missing: bool = False,
) -> tuple[list[ListedPaper], list[Finding], GraphUse | None]:
    """The papers among which the section chooses, in its order, then what is excluded. Raises as `rank_papers`.

    With `most` at most so many, for which the search is followed further, and nothing that is excluded. `missing`: only
    those that the draft does not cite. With them come findings, and how citations counted.
    """
    check_options(options, with_model=tools.model is not None)
    ranking = rank_papers(draft, options, tools, before=before, progress=progress)
    shortlisted = {item.paper.id.value for item in ranking.papers[: ranking.wanted]}
    items = [*ranking.papers, *map(_beyond, ranking.spare)]
    scores = {item.paper.id.value: item.score for item in items}
    if most is None:
        excluded = tools.index.papers([name for name in options.exclude if _is_id(name)])
        papers = [*(item.paper for item in ranking.papers), *excluded.values()]
    else:
        papers = [item.paper for item in items]
    keys = match_existing(papers, draft.entries, draft.cites)
    cited = _cited_papers(keys, draft)
    papers = [paper for paper in papers if not (missing and paper.id.value in cited)][:most]
    links = {item.paper.id.value: item.links for item in items}
    debates = {item.paper.id.value: item.debate for item in items}
    ways = {candidate.paper.id.value: candidate.found_by for candidate in (*ranking.longlist, *ranking.spare)}
    with progress.stage("reasons"):
        # Of all that was found, so that a paper has the same reasons in a longer list.
        reasons = _reasons([item.paper for item in items], ranking, draft, keys, tools)
    listed = [
        ListedPaper(
            paper,
            scores.get(value),
            ways.get(value, ()),
            value in shortlisted,
            "exclude" if value in options.exclude else "pin" if value in options.pin else None,
            keys.get(value),
            value in cited,
            paper.complete and not possibly_withdrawn(paper),
            value in ranking.fit or value in options.pin,
            ranking.fit.get(value, 0.0) >= SURELY or value in options.pin,
            (*graph_reason(value, links.get(value), tools.graph), *reasons.get(value, ())),
            debates.get(value),
        )
        for paper in papers
        for value in (paper.id.value,)
    ]
    return listed, list(ranking.findings), ranking.graph


def _cited_papers(keys: Mapping[str, str], draft: Draft) -> set[str]:
    """The ids of the papers whose entries the text cites; BibTeX takes keys in either case for the same."""
    cited_keys = {key.lower() for cite in draft.cites for key in cite.keys}
    return {value for value, key in keys.items() if key.lower() in cited_keys or "*" in cited_keys}


def _beyond(candidate: Candidate) -> Shortlisted:
    return Shortlisted(candidate.paper, candidate.relevance, candidate.links)


def graph_reason(value: str, links: Links | None, graph: CitationSource | None) -> tuple[Reason, ...]:
    """The citations that speak for a paper, and how often those who cite it name it in their related work."""
    if links is None or not links.reason:
        return ()
    citers = {*links.cited_by_own, *links.cited_by_found}
    mentions = graph.mentions(value, _MENTIONS) if graph is not None and citers else ()
    times = sum(mention.citing in citers and bool(_RELATED.search(mention.section)) for mention in mentions)
    named = f", {times} {'times' if times > 1 else 'time'} in their related work" if times else ""
    return (Reason("graph", links.reason + named, "citations"),)


def _reasons(
    papers: Sequence[Paper], ranking: PaperRanking, draft: Draft, keys: Mapping[str, str], tools: Tools
) -> dict[str, tuple[Reason, ...]]:
    if not papers or not ranking.queries:
        return {}
    titles = _cited_titles(draft)
    vectors = tools.index.embed([*(query.text for query in ranking.queries), *titles.values()])
    query_vectors = list(zip(ranking.queries, vectors, strict=False))
    cited = list(zip(titles, vectors[len(query_vectors) :], strict=True))
    return explain(papers, ranking.vectors, query_vectors, cited, keys)


def _cited_titles(draft: Draft) -> dict[str, str]:
    """Titles of the entries that the draft cites, by key."""
    times = Counter(key for cite in draft.cites for key in cite.keys)
    entries = sorted((entry for entry in draft.entries if entry.key in times), key=lambda entry: -times[entry.key])
    titles = {entry.key: decode_tex(entry_title(entry)) for entry in entries[:_CITED]}
    return {key: title for key, title in titles.items() if title}


def _is_id(name: str) -> bool:
    try:
        ArxivId.parse(name)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Listing:
    """Papers for a draft, findings, and the part that citations had; None without a graph."""

    papers: tuple[ListedPaper, ...]
    findings: tuple[Finding, ...]
    graph: GraphUse | None = None


def list_for_draft(
    job: Job,
    settings: Settings,
    *,
    online: bool,
    report: Report,
    announce: Announce | None = None,
    model: LanguageModel | None = None,
    most: int | None = None,
    missing: bool = False,
) -> Listing:
    """Read the draft and look for its papers, as `citeplug related` does. `most`, `missing` as for `list_papers`.

    A paper that is not debated now has the debate that is recorded of it. Raises as `write_related` does.
    """
    root = root_of(job.main)
    where = targets(root, job.out or named_targets(root).out, job.bib)
    draft = read_any_draft(root, skip=generated_files(where))
    options, doubts = options_for_run(
        job.options,
        job.given or {},
        draft,
        with_model=model is not None,
        open_corpus=partial(open_corpus, settings),
    )
    with open_tools(settings, online, announce, model) as tools:
        before = options.before or date.today()
        progress = Progress(report)
        papers, findings, graph = list_papers(
            draft, options, tools, before=before, progress=progress, most=most, missing=missing
        )
    debates = read_provenance(where.provenance).debates
    papers = [
        replace(listed, debate=proved(debates[value], listed.paper.abstract))
        if listed.debate is None and (value := listed.paper.id.value) in debates
        else listed
        for listed in papers
    ]
    doubts += date_findings(draft, options, [listed.paper for listed in papers if listed.chosen])
    return Listing(tuple(papers), (*doubts, *findings), graph)


def contribution_of(paper: Paper) -> str:
    """The main contribution that an abstract states, in its words; empty if none is certain."""
    return next((contribution.own for contribution in find_contributions(paper)), "")
