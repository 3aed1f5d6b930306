"""The one path (Citegeist, section 3.1), top to bottom: a draft in, an `Outcome` out. Nothing is written here.

    draft -> queries -> candidates -> longlist -> depth -> ranking -> shortlist -> verification
          -> plan -> section -> attribution -> print -> bibliography

What touches disk, network or a model is passed in: the corpus as a `PaperIndex`, arXiv as a `PaperSource`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial

from citeplug.bib.write.merge import EMPTY, Shelf
from citeplug.records.debate import Debate
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import GraphUse, Options, Outcome
from citeplug.records.paper import Query, Shortlisted
from citeplug.records.plan import Plan
from citeplug.records.section import Section
from citeplug.related.attribute.attribution import attribute, mark_older, self_harm, with_pinpoints
from citeplug.related.options import check_options
from citeplug.related.plan.lengths import left_out_for_length, length_doubts, plan_not_followed
from citeplug.related.plan.planned import AuthorPlans, by_bare_ids, planned_papers, read_planned, with_places
from citeplug.related.plan_section import plan_section
from citeplug.related.progress import Progress, Tools
from citeplug.related.ranking import rank_papers
from citeplug.related.references import (
    Verified,
    ids_cited,
    refer_beside,
    shelve,
    undefined,
    verify_planned,
    verify_shortlist,
)
from citeplug.related.retrieve.cited_papers import works_of_draft
from citeplug.related.retrieve.cited_works import only_named
from citeplug.related.retrieve.depth import with_passages
from citeplug.related.retrieve.stages import PaperRanking
from citeplug.related.write.standing import WritingInputs
from citeplug.related.write.write_paragraphs import write_paragraphs
from citeplug.section_file.cite_style import cite_style, cited_keys
from citeplug.section_file.current import NOTHING, CurrentSection
from citeplug.section_file.merged_section import regenerate
from citeplug.text.language import language_of


@dataclass(frozen=True)
class RunInputs:
    """What a run starts from. `before` is the cut-off for papers' first versions; `progress` is told of each stage.

    `current` is the section's file as it is, `shelf` that of its entries.
    """

    draft: Draft
    options: Options
    tools: Tools
    before: date
    today: date
    progress: Progress
    current: CurrentSection = NOTHING
    shelf: Shelf = EMPTY

    @cached_property
    def held(self) -> Sequence[BibEntry]:
        """The entries of the section's own file."""
        return self.shelf.entries


@dataclass(frozen=True, slots=True)
class Planning:
    """A plan, the papers shortlisted for its new paragraphs, and all papers that may be cited, verified.

    `left_out` are papers that belong to the shortlist by their score and fit the draft too little to be discussed.
    """

    plan: Plan
    shortlist: tuple[Shortlisted, ...]
    planned: AuthorPlans
    verified: Verified
    findings: tuple[Finding, ...]
    graph: GraphUse | None = None
    left_out: tuple[Shortlisted, ...] = ()
    queries: tuple[Query, ...] = ()
    debates: Mapping[str, Debate] = field(default_factory=dict)


def relate(run: RunInputs) -> Outcome:
    """Write a related-work section for the draft, and merge it into its files.

    Raises CorpusEmpty if no paper can be found, SourceUnavailable if that needs arXiv, which does not answer.
    """
    run = _with_works(run)
    draft, options, tools, current, progress = run.draft, run.options, run.tools, run.current, run.progress
    planning = _plan(run)
    verified = planning.verified

    # section
    work = _writing(planning, run)
    with progress.stage("write" if tools.model is None else "prose", tools.model):
        written = write_paragraphs(planning.plan, work, tools.model, options, authored=planning.planned.authored)

        # attribution
        section, attribution = attribute(written.section, work.papers, tools.index.embed, written.language)
        section = with_pinpoints(section, enabled=work.pinpoint)

    # print
    with progress.stage("print", tools.lookup.source):
        # Names in sentences of blocks that are left alone are printed as they were.
        at_hand = {**tools.papers(sorted(current.named - work.papers.keys())), **work.papers}
        merged = regenerate(current, written.printed(section, work), work.keys, work.style, at_hand)

        # bibliography
        cites = [c for p in merged.section.paragraphs for sentence in p.sentences for c in sentence.cites]
        cited = cited_keys(f"{merged.text}\n{merged.offers}") | {key for cite in draft.cites for key in cite.keys}
        in_order = verified.references.in_order_of(cites)
        references, bib = shelve(in_order, run.shelf, cited, draft, tools.lookup, run.today)

    quoted, older = mark_older(merged.section, at_hand, tools.texts)
    findings = [
        *current.findings,
        *planning.findings,
        *undefined(merged.text, bib.text, draft),
        *length_doubts(merged.section, options.words, at_most=tools.model is None),
        *written.findings,
        *plan_not_followed(current, merged.text, {**merged.keys, **work.keys}),
        *attribution,
        *(_nothing_pinpointed(merged.section) if options.pinpoint else ()),
        *older,
        *self_harm(section, draft, work.papers),
        *only_named(merged.section, at_hand, ids_cited(work.keys, draft), tools),
        *references.doubts(),
        *bib.findings,
        *tools.lookup.findings,
        *draft.findings,
    ]
    return Outcome(
        draft=draft,
        plan=by_bare_ids(merged.plan, draft),
        section=quoted,
        tex_content=merged.text,
        bib_content=bib.text,
        keys={**merged.keys, **{value: key for value, key in work.keys.items() if key in cited}},
        papers={cite: at_hand[cite] for cite in cites if cite in at_hand},
        entries=references.entries,
        shortlist=planning.shortlist,
        findings=tuple(dict.fromkeys(findings)),
        stages=tuple(progress.stages),
        summaries=written.summaries,
        options=options,
        bases=merged.bases,
        entry_bases=bib.bases,
        model=None if tools.model is None else tools.model.name,
        graph=planning.graph,
        dense=tools.dense,
        left_out=planning.left_out,
        debates=planning.debates,
        queries=planning.queries,
    )


def plan_papers(run: RunInputs) -> Planning:
    """The path as far as the plan. Raises as `rank_papers` does."""
    return _plan(_with_works(run))


def _plan(run: RunInputs) -> Planning:
    check_options(run.options, with_model=run.tools.model is not None)
    planned = read_planned(run.current, run.held, run.draft, run.options)
    # queries -> candidates -> longlist -> depth -> ranking
    ranking = _rank(planned, run)
    # shortlist -> verification
    verified, planned, missing = verify_papers(ranking, planned, run)
    # plan
    return make_plan(ranking, verified, planned, missing, run)


def _with_works(run: RunInputs) -> RunInputs:
    """The run with what the draft itself, and files of the author's library, say of the works that it cites."""
    works = works_of_draft(run.draft, run.tools.lookup.index.own_texts())
    return replace(run, tools=replace(run.tools, works=works))


def _rank(planned: AuthorPlans, run: RunInputs) -> PaperRanking:
    """The ranking that the plan is made from; an empty one where the author's plans leave nothing to search for."""
    if planned.search is None:
        return PaperRanking([], 0, 0, {})
    return rank_papers(run.draft, planned.search, run.tools, before=run.before, progress=run.progress)


def verify_papers(
    ranking: PaperRanking, planned: AuthorPlans, run: RunInputs
) -> tuple[Verified, AuthorPlans, list[Finding]]:
    """Shortlist -> verification, of the author's planned papers too, then what their full texts say.

    A paper that is refused gives way to the next. With the papers come the author's plans with those papers in their
    places, and findings on full texts that are missing.
    """
    draft, options, tools = run.draft, run.options, run.tools
    with run.progress.stage("references", tools.lookup.source):
        refer = partial(refer_beside, draft=draft, lookup=tools.lookup, today=run.today, held=run.held)
        verified = verify_shortlist(ranking.papers[: ranking.fitting], ranking.wanted, refer)
        planned = with_places(planned, verified.shortlist, draft, options)
        verified = verify_planned(verified, planned_papers(planned, draft, tools, verified.papers), refer)
    verified, missing = with_passages(verified, draft, options, tools, run.progress)
    return verified, planned, missing


def make_plan(
    ranking: PaperRanking, verified: Verified, planned: AuthorPlans, missing: Sequence[Finding], run: RunInputs
) -> Planning:
    """The author's plans in their places, and new paragraphs made from the shortlist. `missing` are findings so far."""
    draft, options, tools, held = run.draft, run.options, run.tools, run.held
    with run.progress.stage("plan"):
        plan, shortlist, kept_findings = plan_section(
            planned, verified, ranking.vectors, run.current, held, draft, options, tools
        )
    findings = [*missing, *planned.findings, *ranking.findings, *verified.findings(), *kept_findings]
    if options.words is not None and planned.given is None and tools.model is None:
        findings += left_out_for_length(plan, [item.paper.id.value for item in shortlist], options.words)
    room = max(0, planned.search.breadth - len(shortlist)) if planned.search is not None else 0
    unfit, queries = ranking.unfit[:room], tuple(ranking.queries)
    debates = {item.paper.id.value: item.debate for item in ranking.papers if item.debate is not None}
    return Planning(plan, shortlist, planned, verified, tuple(findings), ranking.graph, unfit, queries, debates)


def _writing(planning: Planning, run: RunInputs) -> WritingInputs:
    """What the writer works with: the file as it is, the papers that may be cited, and the keys to cite them by."""
    verified = planning.verified
    return WritingInputs(
        run.current,
        run.draft,
        verified.papers,
        verified.references.keys,
        cite_style(run.draft),
        frozenset(item.paper.id.value for item in verified.shortlist),
        verified.passages,
        # The abbreviations are English.
        pinpoint=run.options.pinpoint and language_of(run.draft) == "English",
    )


def _nothing_pinpointed(section: Section) -> list[Finding]:
    if any(sentence.pinpoint for paragraph in section.paragraphs for sentence in paragraph.sentences):
        return []
    message = "no citation could name a section or page: no sentence on a single work comes from its full text"
    fix = "get full texts with 'citeplug fetch', and use --depth; --pinpoint is for English drafts"
    return [Finding("nothing_pinpointed", "info", message, fix=fix)]
