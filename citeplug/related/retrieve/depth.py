"""Depth (Citegeist, section 3.1): the passages of full texts that are nearest to the draft."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from citeplug.corpus.fulltext.passages import placed_passages
from citeplug.protocols import NearPassages
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import Candidate, Paper
from citeplug.records.passage import PaperText, Passage
from citeplug.related.limits import limits_in_text
from citeplug.related.progress import Progress, Tools
from citeplug.related.references import Verified
from citeplug.related.retrieve.longlist import Longlist, Penalty, choose, select_longlist
from citeplug.related.retrieve.queries import queries_from_draft
from citeplug.related.retrieve.stages import Candidates

_COMPARED = 24  # passages of a paper, by words, or four for each that is taken
# With a half, relevant papers lose .011 of mean average precision at depth 2; with this, nothing: benchmarks/depth.py.
WEIGHT = 0.2
_CORE = 8  # papers whose limits a model is told
_LIMITS = (re.compile(r"\blimit", re.I), re.compile(r"\b(?:discussion|conclu|future)", re.I))  # headings
_NAMED = 12  # papers in a command that fetches their texts
_FEWEST = 3  # papers with texts whose scores can be compared


def read_longlist(
    longlist: Longlist, candidates: Candidates, draft: Draft, options: Options, tools: Tools, progress: Progress
) -> Longlist:
    """The longlist in the order that the papers' full texts give it; unchanged at depth 0, or without texts.

    A paper's score is the mean over its abstract and its passages, as published over their cosines. Otherwise the
    passages have a fifth of the weight, on the scale of the relevance of those that have texts: else a paper would gain
    or lose by having one, and what the citations say would count for less the deeper is read.
    """
    papers = longlist.papers
    if options.depth == 0 or tools.texts is None or not papers:
        return longlist
    near, _ = _nearest([paper.paper for paper in papers], draft, options, tools, progress)
    scored = _as_published(papers, near) if options.as_published else rescored(papers, near)
    if scored == papers:
        return longlist
    cited: Collection[str] = () if options.as_published else candidates.cited
    certain = [candidate.paper.id.value for candidate in scored if candidate.paper.id.value in cited]
    ordered = select_longlist(
        scored,
        candidates.vectors,
        options.breadth,
        options.diversity,
        cited=certain,
        as_published=options.as_published,
    )
    return replace(longlist, papers=ordered)


def with_passages(
    verified: Verified, draft: Draft, options: Options, tools: Tools, progress: Progress
) -> tuple[Verified, list[Finding]]:
    """The papers that may be cited, with the passages that may be quoted; `full_text_missing` for those without.

    At depth 0 a model is given what the first papers say of their limits, as far as their texts are on this machine.
    """
    if tools.texts is None or not verified.papers:
        return verified, []
    if options.depth == 0:
        core = [item.paper.id.value for item in verified.shortlist[:_CORE]] if tools.model is not None else []
        limits = {value: on_limits(text) for value, text in tools.texts.newest(core).items()}
        return replace(verified, passages={value: (passage,) for value, passage in limits.items() if passage}), []
    near, findings = _nearest(list(verified.papers.values()), draft, options, tools, progress)
    passages = {value: tuple(passage for passage, _ in pairs) for value, pairs in near.items()}
    without = [paper for value, paper in verified.papers.items() if value not in passages]
    return replace(verified, passages=passages), [*findings, *_missing(without, len(verified.papers))]


def on_limits(text: PaperText) -> Passage | None:
    """The passage with the first sentence that states a limit of the paper, or else the one in which it is likely to:
    the last of the section on them, of the discussion or conclusion.

    A MiniLM embedding of "this is a limitation" is no nearer to such passages than to others.
    """
    placed = placed_passages(text)
    for section, start, _ in limits_in_text(text):
        for at, passage in placed:
            if at == section and passage.start <= start < passage.end:
                return passage
    for heading in _LIMITS:
        passages = [
            passage
            for at, passage in placed
            if heading.search(text.sections[at].title) and passage.start < text.sections[at].captions
        ]
        if passages:
            return passages[-1]
    return None


def rescored(papers: Sequence[Candidate], near: Mapping[str, Sequence[tuple[Passage, float]]]) -> list[Candidate]:
    """The candidates with the weighted mean of their relevance and of their passages' cosines, on one scale."""
    mean_cosines = {value: float(np.mean([cosine for _, cosine in pairs])) for value, pairs in near.items()}
    with_text = [paper for paper in papers if paper.paper.id.value in mean_cosines]
    if len(with_text) < _FEWEST:
        return list(papers)
    cosines = np.array([mean_cosines[candidate.paper.id.value] for candidate in with_text])
    relevance = np.array([candidate.relevance for candidate in with_text])
    standard = (cosines - cosines.mean()) / (cosines.std() + 1e-9)
    same_scale = np.clip(relevance.mean() + relevance.std() * standard, 0, 1)
    by_id = {
        candidate.paper.id.value: round(float((1 - WEIGHT) * old + WEIGHT * new), 6)
        for candidate, old, new in zip(with_text, relevance, same_scale, strict=True)
    }
    return [replace(paper, relevance=by_id.get(paper.paper.id.value, paper.relevance)) for paper in papers]


def _as_published(papers: Sequence[Candidate], near: Mapping[str, Sequence[tuple[Passage, float]]]) -> list[Candidate]:
    def mean(candidate: Candidate) -> float:
        cosines = [cosine for _, cosine in near.get(candidate.paper.id.value, ())]
        return float(np.mean([candidate.similarity, *cosines]))

    return [replace(paper, similarity=mean(paper)) for paper in papers]


def _nearest(
    papers: Sequence[Paper], draft: Draft, options: Options, tools: Tools, progress: Progress
) -> tuple[dict[str, list[tuple[Passage, float]]], list[Finding]]:
    """The `depth` passages of each paper that Eq. 1 chooses, and their cosines to the draft, by arXiv id."""
    assert tools.texts is not None
    with progress.stage("full texts"):
        # A watcher in a hurry does not wait for arXiv.
        findings = tools.texts.get(papers, progress.report) if tools.seconds is None else []
        near = tools.texts.passages(
            [paper.id.value for paper in papers],
            [queries_from_draft(draft)[0].text],
            max(_COMPARED, 4 * options.depth),
            tools.seconds,
            lambda done, total: progress.report("embed passages", done, total),
        )
    return {value: nearest(near_passages, options) for value, near_passages in near.items()}, findings


def nearest(near: NearPassages, options: Options) -> list[tuple[Passage, float]]:
    """The passages that Eq. 1 chooses, best first, with their cosines to the nearest of the queries."""
    cosines = np.asarray(near.cosines.max(axis=1), np.float64)
    penalty: Penalty = "min" if options.as_published else "max"
    rows = choose(cosines, near.vectors, options.depth, options.diversity, penalty)
    return [(near.passages[row], float(cosines[row])) for row in rows]


def _missing(without: Sequence[Paper], papers: int) -> list[Finding]:
    """One finding on the papers of a section whose texts are not here."""
    if not without:
        return []
    message = f"{len(without)} of {papers} papers have no full text on this machine: their abstracts are used"
    ids = [paper.id.value for paper in without if paper.id.on_arxiv]
    if not ids:
        fix = "add files of yours with 'citeplug library add', then 'citeplug fetch --library'"
    elif len(ids) <= _NAMED:
        fix = f"get them with 'citeplug fetch {' '.join(ids)} --online'"
    else:
        fix = "get them with 'citeplug fetch --shortlist MAIN.tex --online'"
    return [Finding("full_text_missing", "warning", message, fix=fix)]
