"""Papers that came into the catalogue since a draft's last run, and that its reading list would have."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np

from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import Announce, Report, open_corpus
from citeplug.errors import UsageError
from citeplug.prepare.statements import NEAR, claims_of_draft, own_sentences
from citeplug.project.any_draft import read_any_draft
from citeplug.project.find_project import Project
from citeplug.project.provenance import read_provenance
from citeplug.project.section_targets import generated_files
from citeplug.records.draft import Draft
from citeplug.records.news import NewPaper, News, SameClaim
from citeplug.records.outcome import Options
from citeplug.records.paper import Filter, Paper
from citeplug.related.options import options_for_run
from citeplug.related.papers import list_papers
from citeplug.related.progress import Progress
from citeplug.related.retrieve.candidates import search
from citeplug.related.retrieve.cited_papers import cited_papers
from citeplug.related.tools import open_tools
from citeplug.settings.environment import Settings
from citeplug.text.compare import compare_titles
from citeplug.text.withdrawn import possibly_withdrawn

MOST = 20  # papers of the reading list
# Cosine of the abstracts from which two papers with near sentences are on the same matter. Of 6,145 papers of NeurIPS
# and ICML as drafts 108 pairs of one year pass: in 51 of 100 one cites the other, as far as lists are known (6 of 100
# where sentences alone are near), and none of 20,000 pairs of one category does: benchmarks/results.md.
SAME_MATTER = 0.77
_NEAREST = 30  # papers whose sentences are compared with one of the draft's
_WITHIN = 50_000  # new records to which a search is restricted
_YEAR = timedelta(365)


def last_run(project: Project) -> datetime | None:
    """Return when the section was last made, with a time zone; None if that is not recorded."""
    record = project.where.provenance
    made_on = read_provenance(record).made_on
    try:
        day = date.fromisoformat(made_on or "")
        saved = datetime.fromtimestamp(record.stat().st_mtime).astimezone()
    except (ValueError, OSError):
        return None
    # The record has the day alone, so that equal runs leave equal files; its file may have come later, from git.
    return saved if saved.date() == day else datetime.combine(day, time()).astimezone()


def find_news(
    project: Project,
    settings: Settings,
    *,
    since: datetime | None,
    online: bool,
    report: Report,
    overrides: Mapping[str, Any] | None = None,
    most: int = MOST,
    announce: Announce | None = None,
    held: Corpus | None = None,
    today: date | None = None,
) -> News:
    """Look for papers that came at `since` or later, else since the last run, and that the reading list would have.

    The reading list has `most` papers of `citeplug papers --missing`; with them come papers whose abstract states what
    the draft contributes. `held` is an open corpus. Raises UsageError where no run is recorded, and as `list_for_draft`
    does.
    """
    since = since or last_run(project)
    if since is None:
        raise UsageError("no run on this draft is recorded", "name a day: --since 2026-01-31")
    today = today or date.today()
    draft = read_any_draft(project.root, skip=generated_files(project.where))
    with (
        open_corpus(settings) if held is None else nullcontext(held) as corpus,
        open_tools(settings, online, announce=announce, held=corpus) as tools,
    ):
        options, doubts = options_for_run(
            Options(), overrides or {}, draft, with_model=False, open_corpus=lambda: nullcontext(corpus)
        )
        arrivals = corpus.arrived_since(since)
        if not arrivals.ids:
            return News(project.root, since, 0, (), arrivals.last, tuple(doubts))
        came = frozenset(arrivals.ids)
        before = options.before or today + timedelta(1)
        listed, findings_of_list, _ = list_papers(
            draft, options, tools, before=before, progress=Progress(report), most=most, missing=True
        )
        new = {item.paper.id.value: item for item in listed if item.paper.id.value in came and item.sound}
        report("compare contributions", 0, None)
        claims = _same_claims(
            draft, corpus, came, Filter(before, exclude=frozenset(options.exclude), first_day=options.first_day), today
        )
    papers = [
        NewPaper(paper, new[value].reasons if value in new else (), claim) for value, (paper, claim) in claims.items()
    ]
    papers += [NewPaper(item.paper, item.reasons) for value, item in new.items() if value not in claims]
    papers = [paper for paper in papers if compare_titles(draft.title, paper.paper.title) != "same"]
    findings = (*doubts, *findings_of_list)
    return News(project.root, since, len(came), tuple(papers), arrivals.last, findings)


def _same_claims(
    draft: Draft, corpus: Corpus, came: frozenset[str], where: Filter, today: date
) -> dict[str, tuple[Paper, SameClaim]]:
    """New papers on the draft's matter that state what it contributes, the nearest first, with the two sentences."""
    cited = {paper.id.value for paper in cited_papers(draft, corpus, corpus).values()}
    where = replace(where, among=came if len(came) <= _WITHIN else None)
    best: dict[str, tuple[Paper, SameClaim]] = {}
    own = corpus.embed([f"{draft.title}. {draft.abstract}"])[0]
    for claim in claims_of_draft(draft):
        nearest = [candidate.paper for candidate in search(claim, corpus, where, _NEAREST)]
        new = [paper for paper in nearest if paper.id.value in came - cited and not possibly_withdrawn(paper)]
        vectors = corpus.vectors_of(new)
        papers = [
            candidate
            for candidate in new
            if candidate.id.value in vectors and vectors[candidate.id.value] @ own >= SAME_MATTER
        ]
        for paper, quote, cosine in _near_sentences(claim, papers, corpus):
            value = paper.id.value
            if value not in best or cosine > best[value][1].cosine:
                best[value] = paper, SameClaim(claim, quote, cosine, paper.published >= today - _YEAR)
    return dict(sorted(best.items(), key=lambda item: (-item[1][1].cosine, item[0])))


def _near_sentences(claim: str, papers: Sequence[Paper], corpus: Corpus) -> list[tuple[Paper, str, float]]:
    """Sentences of abstracts that are near one of the draft's."""
    stated = [(paper, paper.abstract[start:end]) for paper in papers for start, end in own_sentences(paper.abstract)]
    if not stated:
        return []
    vectors = corpus.embed([claim, *(text for _, text in stated)])
    cosines = np.round(vectors[1:] @ vectors[0], 6).tolist()
    return [(*sentence, cosine) for sentence, cosine in zip(stated, cosines, strict=True) if cosine >= NEAR]
