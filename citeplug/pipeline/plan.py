"""The plan of a section: made from the shortlist, or as the author wrote it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from citeplug.bibliography.match import match_existing
from citeplug.pipeline.document_plan import still_to_plan, with_lengths, words_of_author
from citeplug.pipeline.pins import not_planned, pinned_papers, unspoken_pins, with_pins, without_excluded
from citeplug.pipeline.requests import check_search, doubts_of_plan, names_shortlist, plan_from_text
from citeplug.pipeline.run import Run, Tools
from citeplug.pipeline.shortlist import Found, find_shortlist
from citeplug.plan.from_clusters import make_plan
from citeplug.plan.lengths import Measure, fit_length
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import ArxivId, Paper, Shortlisted, library_id
from citeplug.records.plan import Plan
from citeplug.section_file.current import Standing, arrange, free_papers, with_papers
from citeplug.text.cited_text import length
from citeplug.write.extractive.section import write_lines


def plan_around(
    standing: Standing,
    held: Sequence[BibEntry],
    draft: Draft,
    options: Options,
    tools: Tools,
    *,
    before: date,
    run: Run,
) -> tuple[Plan, list[Shortlisted], dict[str, Paper]]:
    """As `plan_section`, around what the author wrote: plans of the author's are followed in their places, and new
    paragraphs are planned only for a file that has none, or in place of those left alone."""
    new, wishes = Plan(()), standing.wishes
    shortlist: list[Shortlisted] = []
    papers: dict[str, Paper] = {}
    known = {entry.key: entry.arxiv_id for entry in (*held, *draft.entries) if entry.arxiv_id}
    unspoken = unspoken_pins(options, standing, known)
    if options.plan is not None and options.plan_text is None:
        planned = with_lengths(still_to_plan(options.plan, standing), options, words_of_author(standing))
        new, shortlist, papers = plan_section(draft, options, tools, before=before, planned=planned, run=run)
        run.findings += not_planned(options, Plan((*new.paragraphs, *wishes.paragraphs)), draft)
    elif standing.wants_new or options.plan_text is not None or unspoken:
        if not standing.wants_new:
            options = replace(options, pin=unspoken, breadth=len(unspoken) or options.breadth)
        new, shortlist, papers = plan_section(
            draft, replace(options, words=None), tools, before=before, planned=None, run=run
        )
        if options.plan_text is None and standing.text.strip():
            # What the author cites in a paragraph of the author's own may have no id in its entry.
            matched = match_existing(_papers(shortlist), (*held, *draft.entries), draft.cites)
            known = {**known, **{key: value for value, key in matched.items()}}
            free = with_pins(shortlist, free_papers(shortlist, standing, known, options.breadth), unspoken)
            new = _beside(standing, new, shortlist, free, draft, tools)
            shortlist = free
        if options.words is not None and options.plan_text is None:
            new = _fitted(new, options.words - words_of_author(standing), draft, papers, tools)
    if wishes.paragraphs:
        options = replace(options, plan_text=None, depth=0)
        wishes, more, at_hand = plan_section(draft, options, tools, before=before, planned=wishes, run=run)
        shortlist += [item for item in more if item.paper.id.value not in papers]
        papers = {**papers, **at_hand}
    plan, _ = arrange(standing, wishes.paragraphs, new.paragraphs)
    return plan, shortlist, papers


def _beside(
    standing: Standing,
    new: Plan,
    shortlist: Sequence[Shortlisted],
    free: Sequence[Shortlisted],
    draft: Draft,
    tools: Tools,
) -> Plan:
    """The new plan, with the free papers alone, and no heading that stands in the section already.

    Headings are made as if nothing stood there, so that a paragraph keeps its own when another becomes the author's.
    """

    def make(items: Sequence[Shortlisted], taken: Sequence[str]) -> Plan:
        return make_plan(draft, items, tools.index.vectors_of(_papers(items)), taken)

    def around(plan: Plan) -> Plan:
        return with_papers(plan, free, lambda rest, others: make(rest, [*standing.headings, *others]))

    found = around(new)
    if any(paragraph.heading in standing.headings for paragraph in found.paragraphs):
        found = around(make(shortlist, standing.headings))
    return found


def _fitted(plan: Plan, words: int, draft: Draft, papers: Mapping[str, Paper], tools: Tools) -> Plan:
    """The plan for so many words: as a model is told, or as the extractive writer turns out to need."""
    return fit_length(plan, max(1, words), None if tools.model is not None else _measure(draft, papers))


def _measure(draft: Draft, papers: Mapping[str, Paper]) -> Measure:
    """The words that the extractive writer makes of each line."""

    def measure(plan: Plan) -> list[list[int]]:
        return [[length(line.sentences) for line in lines] for lines in write_lines(plan, draft, papers)]

    return measure


def _papers(shortlist: Sequence[Shortlisted]) -> list[Paper]:
    return [item.paper for item in shortlist]


def plan_section(
    draft: Draft,
    options: Options,
    tools: Tools,
    *,
    before: date,
    planned: Plan | None,
    run: Run,
) -> tuple[Plan, list[Shortlisted], dict[str, Paper]]:
    """The plan, the shortlist that it was made from, and the records of the papers in it.

    With `planned` nothing is searched for: the plan's own papers are the shortlist. A plan in words
    (`options.plan_text`) comes before it.
    """
    check_search(options, with_model=tools.model is not None)
    if options.depth > 0:
        run.findings.append(
            Finding(
                "depth_unavailable",
                "warning",
                "full text cannot be read yet: the section is made from abstracts alone",
                fix="leave --depth at 0",
            )
        )
    if options.plan_text is not None:
        text = options.plan_text
        if names_shortlist(text):
            options = replace(options, plan_text=None, depth=0)
            _, chosen, at_hand = plan_section(draft, options, tools, before=before, planned=None, run=run)
            plan = plan_from_text(text, [item.paper.id.value for item in chosen], run.findings)
            run.findings += doubts_of_plan(plan)
            plan = without_excluded(by_bare_ids(plan, draft), draft, options, run)
            return plan, chosen, {**_planned_papers(plan, draft, tools), **at_hand}
        planned = plan_from_text(text, [], run.findings)
    if planned is not None:
        run.findings += doubts_of_plan(planned)
        planned = without_excluded(by_bare_ids(planned, draft), draft, options, run)
        with run.stage("fetch planned papers", tools.lookup.source):
            papers = _planned_papers(planned, draft, tools)
        return planned, [Shortlisted(paper, 1.0) for paper in papers.values()], papers

    found = choose_papers(draft, options, tools, before=before, run=run)
    papers = {item.paper.id.value: item.paper for item in found.shortlist}
    with run.stage("plan"):
        plan = make_plan(draft, found.shortlist, found.vectors)
        if options.words is not None:
            plan = _fitted(plan, options.words, draft, papers, tools)
    return plan, found.shortlist, papers


def choose_papers(draft: Draft, options: Options, tools: Tools, *, before: date, run: Run) -> Found:
    """The pinned papers, and as many others as the breadth leaves room for. Raises as `find_shortlist` does."""
    pinned = pinned_papers(draft, options, tools, run)
    if not pinned:
        return find_shortlist(draft, options, tools, before=before, run=run)
    ids = {item.paper.id.value for item in pinned}
    vectors = tools.index.vectors_of(_papers(pinned))
    if len(pinned) >= options.breadth:
        return Found(pinned, vectors)
    others = replace(options, breadth=options.breadth - len(pinned), exclude=(*options.exclude, *sorted(ids)))
    found = find_shortlist(draft, others, tools, before=before, run=run)
    return Found([*pinned, *found.shortlist], {**found.vectors, **vectors}, found.longlist)


def by_bare_ids(plan: Plan, draft: Draft) -> Plan:
    """The plan with its arXiv ids in their one form, without version; keys of the draft stay as they are."""
    keys = {entry.key for entry in draft.entries}

    def bare(name: str) -> str:
        try:
            return name if name in keys else ArxivId.parse(name).value
        except ValueError:
            return name

    paragraphs = []
    for paragraph in plan.paragraphs:
        lines = [replace(line, cites=tuple(dict.fromkeys(map(bare, line.cites)))) for line in paragraph.lines]
        paragraphs.append(replace(paragraph, lines=tuple(lines)))
    return Plan(tuple(paragraphs))


def _planned_papers(plan: Plan, draft: Draft, tools: Tools) -> dict[str, Paper]:
    """Records of the papers a plan names, by arXiv id; the draft's own keys stand for their entries' ids."""
    by_key = {entry.key: entry.arxiv_id for entry in draft.entries}
    names = dict.fromkeys(cite for paragraph in plan.paragraphs for line in paragraph.lines for cite in line.cites)
    ids: list[ArxivId] = []
    for name in names:
        try:
            ids.append(ArxivId(ArxivId.parse(by_key.get(name) or name).value))
        except ValueError:
            # A key of a work outside arXiv: the author's library may know it, else the writer says what it cannot do.
            ids.append(library_id(name))
    known = dict(tools.index.papers([i.value for i in ids]))
    missing = [i for i in ids if i.value not in known or not known[i.value].complete]
    if missing and tools.lookup.source is not None:
        known.update({i.value: paper for i, paper in tools.lookup.records(missing).items()})
    return {value: paper for value, paper in known.items() if paper.complete}
