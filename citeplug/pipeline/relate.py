"""The one path (Citegeist, section 3.1), top to bottom: a draft in, an `Outcome` out. Nothing is written here.

    draft -> queries -> candidates -> longlist -> shortlist -> plan -> section -> bibliography -> print

What touches disk, network or a model is passed in: the corpus as a `PaperIndex`, arXiv as a `PaperSource`.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from citeplug.bibliography.merge import EMPTY, Shelf
from citeplug.pipeline.counted_model import Metered
from citeplug.pipeline.draft_paragraphs import Desk, draft_extractively, draft_with_model
from citeplug.pipeline.plan import by_bare_ids, plan_around
from citeplug.pipeline.references import References, refer, shelve, undefined
from citeplug.pipeline.requests import check_strategy
from citeplug.pipeline.run import Report, Run, Tools
from citeplug.plan.lengths import length_doubts
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options, Outcome
from citeplug.records.paper import ArxivId, Paper, shown_id
from citeplug.records.plan import Plan, PlanParagraph
from citeplug.records.section import Section
from citeplug.section_file.cite_style import cite_style
from citeplug.section_file.cited_keys import cited_keys
from citeplug.section_file.current import NOTHING, Standing
from citeplug.section_file.merged_section import regenerate
from citeplug.write.extractive.section import in_english, write_section


def relate(
    draft: Draft,
    options: Options,
    tools: Tools,
    *,
    before: date,
    today: date,
    report: Report,
    standing: Standing = NOTHING,
    shelf: Shelf = EMPTY,
) -> Outcome:
    """Write a related-work section for `draft`, and merge it into what stands in its files.

    `before` is the cut-off for papers' first versions; `standing` is the section's file as it is, `shelf` that of its
    entries. Raises CorpusEmpty if no paper can be found, SourceUnavailable if none can be without arXiv.
    """
    run = Run(report, list(standing.findings))
    check_strategy(options)
    if tools.model is not None:
        tools = replace(tools, model=Metered(tools.model))
    held = shelf.entries
    plan, shortlist, papers = plan_around(standing, held, draft, options, tools, before=before, run=run)
    with run.stage("write"):
        section, doubts = write_section(plan, draft, papers)
    if tools.model is None:
        run.findings += in_english(draft)
    with run.stage("references", tools.lookup.source):
        references = refer(_cited(section, papers), draft, tools.lookup, today, held)
        refused = references.refused()
        dropped = frozenset({*refused, *references.left_out})
        if dropped:
            run.findings += [_refusal(check.key, arxiv_id, check.message) for arxiv_id, check in refused.items()]
            plan = _without(plan, dropped)
            papers = {value: paper for value, paper in papers.items() if value not in dropped}
            section, doubts = write_section(plan, draft, papers)
            references = _keep(references, refer(_cited(section, papers), draft, tools.lookup, today, held), refused)
    style = cite_style(draft)
    desk = Desk(standing, draft, papers, references.keys, style)
    if isinstance(tools.model, Metered):
        with run.stage("prose", tools.model):
            authored = options.plan_text is not None or options.plan is not None
            drafted = draft_with_model(plan, desk, tools.model, options, authored=authored, embed=tools.index.embed)
        doubts = list(drafted.findings)
    else:
        drafted = draft_extractively(plan, section, desk)
    with run.stage("print", tools.lookup.source):
        # Names in sentences of blocks that are left alone are printed as they were.
        at_hand = {**tools.index.papers(sorted(standing.named - papers.keys())), **papers}
        merged = regenerate(standing, drafted.made, references.keys, style, at_hand)
        keys = {**merged.keys, **references.keys}
        cited = cited_keys(f"{merged.text}\n{merged.offers}") | {key for cite in draft.cites for key in cite.keys}
        references, bib = shelve(references, shelf, cited, draft, tools.lookup, today)
        run.findings += undefined(merged.text, bib.text, draft)
        run.findings += length_doubts(merged.section, options.words)
    run.findings += [*doubts, *references.doubts(), *bib.findings, *tools.lookup.findings, *draft.findings]
    return Outcome(
        draft=draft,
        plan=by_bare_ids(merged.plan, draft),
        section=merged.section,
        tex_content=merged.text,
        bib_content=bib.text,
        keys=keys,
        papers={paper.id.value: paper for paper in _cited(merged.section, at_hand)},
        entries=references.entries,
        shortlist=tuple(shortlist),
        findings=tuple(dict.fromkeys(run.findings)),
        stages=tuple(run.stages),
        summaries=drafted.summaries,
        options=options,
        bases=merged.bases,
        entry_bases=bib.bases,
    )


def _cited(section: Section, papers: Mapping[str, Paper]) -> list[Paper]:
    cites = (c for paragraph in section.paragraphs for sentence in paragraph.sentences for c in sentence.cites)
    return [papers[cite] for cite in dict.fromkeys(cites) if cite in papers]


def _refusal(key: str, arxiv_id: str, message: str) -> Finding:
    return Finding(
        "entry_refused",
        "warning",
        f"{shown_id(arxiv_id)} ({key}) is not cited: {message}",
        fix=(
            f"look at https://arxiv.org/abs/{arxiv_id} and cite it yourself if it is right"
            if ArxivId(arxiv_id).on_arxiv
            else "correct the entry in your library's file, then run 'citeplug library add' on it again"
        ),
    )


def _without(plan: Plan, refused: frozenset[str]) -> Plan:
    """The plan without these papers; a line that spoke of nothing else goes with them."""
    paragraphs: list[PlanParagraph] = []
    for paragraph in plan.paragraphs:
        lines = [
            replace(line, cites=tuple(c for c in line.cites if c not in refused))
            for line in paragraph.lines
            if not line.cites or not refused.issuperset(line.cites)
        ]
        if any(line.cites for line in lines):
            paragraphs.append(replace(paragraph, lines=tuple(lines)))
    return Plan(tuple(paragraphs))


def _keep(before: References, after: References, refused: Mapping[str, object]) -> References:
    """`after`, with the refused entries' checks kept: the outcome tells what was refused or left out, and why."""
    gone = tuple(entry for entry in before.entries if entry.check.arxiv_id in refused)
    return replace(after, entries=after.entries + gone, left_out=before.left_out)
