"""Papers that a section could discuss: those that it would, those next to them, and the author's word on each."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Literal

from citeplug.bib.compare.duplicates import match_existing
from citeplug.corpus.stores import Announce, Report, open_corpus
from citeplug.project.any_draft import STANDARD_INPUT, read_any_draft, read_text_draft, root_of
from citeplug.project.provenance import read_provenance
from citeplug.project.section_targets import generated_files, named_targets
from citeplug.project.targets import targets
from citeplug.protocols import CitationSource, LanguageModel
from citeplug.records.debate import Debate
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import GraphUse, Options
from citeplug.records.paper import ArxivId, Candidate, Links, Paper, Reason, Shortlisted
from citeplug.records.work import OwnEntry
from citeplug.related.draft_date import date_findings
from citeplug.related.options import check_options, options_for_run
from citeplug.related.progress import Progress, Tools
from citeplug.related.rank import proved
from citeplug.related.ranking import rank_papers
from citeplug.related.reasons import CatalogueWords, explain
from citeplug.related.retrieve.candidates import WHOLE
from citeplug.related.retrieve.cited_papers import works_of_draft
from citeplug.related.retrieve.fit import SURELY
from citeplug.related.retrieve.stages import PaperRanking, compares_first_alone
from citeplug.related.section.in_print import names_of
from citeplug.related.tools import Job, open_tools
from citeplug.related.write.extractive.contributions import find_contributions
from citeplug.settings.environment import Settings
from citeplug.text.compare import entry_title, entry_year
from citeplug.text.sentences import split_sentences
from citeplug.text.tex_text import decode_tex
from citeplug.text.withdrawn import possibly_withdrawn

Order = Literal["relevance", "year", "citations"]
_CITERS = 100_000  # of one paper that are counted
_MENTIONS = 2_000  # sentences about one paper that are counted
_RELATED = re.compile(r"related|literature|prior work|previous work|background|state of the art", re.IGNORECASE)
_OF_ITSELF = re.compile(r"\b(?:we|our|this (?:paper|work|article|study))\b", re.IGNORECASE)
_CITED = 200  # titles of citations that papers are compared with, what is cited most often first


@dataclass(frozen=True, slots=True)
class ListedPaper:
    """One paper. `score` is 0 to 1, its relevance to the draft beside the others; None for one that was not looked for.

    `found_by` are the ways of `Candidate`; `chosen`: the section would discuss it; `choice` is the author's; `key` that
    of the draft's own entry, which the text cites if `cited`; `sound`: its record is whole, and says nothing of a
    withdrawal; `fits`: near enough to the draft for a section to discuss it, whatever else was found; `surely`: so near
    that hardly one such paper does not belong. `debate` is a model's on whether to cite it, None without one.
    `citations` counts the papers of the citation graph that cite it; None where none is known. `entry_year` is the year
    in the draft's own entry, `own` the entry of the author's library, if it has one.
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
    citations: int | None = None
    entry_year: int | None = None
    own: OwnEntry | None = None

    @property
    def year(self) -> int | None:
        """The year by which the draft cites it, or that of its first version on arXiv; None if neither is known."""
        first = self.paper.published.year
        return self.entry_year or (first if first > 1 else None)


def list_papers(
    draft: Draft,
    options: Options,
    tools: Tools,
    *,
    before: date,
    progress: Progress,
    most: int | None = None,
    missing: bool = False,
    apart: bool = False,
    own: Draft | None = None,
) -> tuple[list[ListedPaper], list[Finding], GraphUse | None]:
    """The papers among which the section chooses, in its order, then what is excluded. Raises as `rank_papers`.

    With `most` at most so many, for which the search is followed further, and nothing that is excluded. `missing`: only
    those that the draft does not cite; `apart`: these, and behind them all that it cites. `own` is the draft without
    its section, where `draft` has that: reasons name what the author cites. With them come findings, and how citations
    counted.
    """
    check_options(options, with_model=tools.model is not None)
    tools = replace(tools, works=works_of_draft(draft, tools.lookup.index.own_texts()))
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
    if missing or apart:
        listed_apart = [paper for paper in papers if apart and paper.id.value in cited]
        papers = [*[paper for paper in papers if paper.id.value not in cited][:most], *listed_apart]
    else:
        papers = papers[:most]
    years = {entry.key: entry_year(entry) for entry in draft.entries}
    links = {item.paper.id.value: item.links for item in items}
    debates = {item.paper.id.value: item.debate for item in items}
    ways = {candidate.paper.id.value: candidate.found_by for candidate in (*ranking.longlist, *ranking.spare)}
    with progress.stage("reasons"):
        # Of all that was found, so that a paper has the same reasons in a longer list; a text that is the draft's own
        # shares its words with the draft in any case.
        known = [item.paper for item in items if item.paper.abstract_kind != "draft"]
        reasons = _reasons(known, ranking, _cited_titles(own or draft), keys, tools)
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
            entry_year=years.get(keys.get(value, "")),
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
    papers: Sequence[Paper], ranking: PaperRanking, titles: Mapping[str, str], keys: Mapping[str, str], tools: Tools
) -> dict[str, tuple[Reason, ...]]:
    if not papers or not ranking.queries:
        return {}
    vectors = tools.index.embed([*(query.text for query in ranking.queries), *titles.values()])
    query_vectors = list(zip(ranking.queries, vectors, strict=False))
    cited = list(zip(titles, vectors[len(query_vectors) :], strict=True))
    catalogue = CatalogueWords(tools.index.records, tools.index.records_with)
    return explain(papers, ranking.vectors, query_vectors, catalogue, cited, keys)


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


def _measure(listed: ListedPaper, sort: Order) -> int:
    """What a paper is sorted by, the largest first; an unknown number of citations is none."""
    return listed.paper.published.toordinal() if sort == "year" else listed.citations or 0


@dataclass(frozen=True, slots=True)
class Listing:
    """Papers for a draft, findings, and the part that citations had; None without a graph.

    `entries` are the draft's own. `preliminary`: only the first candidates by words were compared with the draft by
    meaning.
    """

    papers: tuple[ListedPaper, ...]
    findings: tuple[Finding, ...]
    graph: GraphUse | None = None
    preliminary: bool = False
    entries: Sequence[BibEntry] = ()

    @property
    def names(self) -> dict[str, str]:
        """The works of the draft's bibliography, by key; made anew each time."""
        return names_of(self.entries)


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
    apart: bool = False,
    text: bytes | None = None,
    sort: Order = "relevance",
) -> Listing:
    """Read the draft and look for its papers, as `citeplug related` does; `most` to `apart` are as for `list_papers`.

    The papers that the section would discuss are sorted among themselves, and so are the others behind them. `text`,
    if given, is the draft in place of the job's, as if it were in the current folder.

    A paper that is not debated now has the debate that is recorded of it. Raises as `write_related` does.
    """
    debates: Mapping[str, Debate] = {}
    if text is not None:
        draft = read_text_draft(text, STANDARD_INPUT.absolute())
    else:
        root = root_of(job.main)
        where = targets(root, job.out or named_targets(root).out, job.bib)
        draft = read_any_draft(root, skip=generated_files(where))
        debates = read_provenance(where.provenance).debates
    options, doubts = options_for_run(
        job.options,
        job.given or {},
        draft,
        with_model=model is not None,
        open_corpus=partial(open_corpus, settings),
    )
    with open_tools(settings, online, announce, model, further=job.further) as tools:
        before = options.before or date.today()
        progress = Progress(report)
        papers, findings, graph = list_papers(
            draft, options, tools, before=before, progress=progress, most=most, missing=missing, apart=apart
        )
        preliminary = compares_first_alone(options, tools) and tools.index.records > WHOLE
        values = [item.paper.id.value for item in papers]
        citers = {} if tools.graph is None else tools.graph.citers(values, _CITERS)
        own = tools.lookup.own_entries(values)
    papers = [
        replace(item, citations=len(citers.get(value, ())) or None, own=own.get(value))
        for item, value in zip(papers, values, strict=True)
    ]
    if sort != "relevance":
        papers.sort(key=lambda item: (not item.chosen, -_measure(item, sort)))
    papers = [
        replace(listed, debate=proved(debates[value], listed.paper.abstract))
        if listed.debate is None and (value := listed.paper.id.value) in debates
        else listed
        for listed in papers
    ]
    doubts += date_findings(draft, options, [listed.paper for listed in papers if listed.chosen])
    return Listing(tuple(papers), (*doubts, *findings), graph, preliminary, draft.entries)


def contribution_of(paper: Paper) -> str:
    """The main contribution that an abstract states, in its words; empty if none is certain."""
    return next((contribution.own for contribution in find_contributions(paper)), "")


def gist_of(paper: Paper) -> str:
    """The contribution of a paper; else the first sentence of its abstract that speaks of the paper, or the first."""
    sentences = [paper.abstract[start:end] for start, end in split_sentences(paper.abstract)]
    own = (sentence for sentence in sentences if _OF_ITSELF.search(sentence))
    return contribution_of(paper) or next(own, sentences[0] if sentences else "")
