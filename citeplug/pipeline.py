"""The one path, top to bottom: a draft in, an `Outcome` out. Nothing is written here.

    draft -> queries -> candidates -> longlist -> shortlist -> plan -> section -> bibliography -> print

What touches disk, network or a model is passed in: the corpus as a `PaperIndex`, arXiv as a `PaperSource`.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date

from citeplug.bibliography.merge import EMPTY, Shelf
from citeplug.drafting import Desk, draft_extractively, draft_with_model
from citeplug.errors import CorpusEmpty, SourceUnavailable
from citeplug.lookup import Lookup
from citeplug.metering import Metered
from citeplug.ports import LanguageModel, PaperIndex, PaperSource
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.outcome import Options, Outcome, Stage
from citeplug.records.paper import ArxivId, Candidate, Filter, Paper
from citeplug.records.review import Finding, Plan, PlanParagraph, Section, Shortlisted, source_unavailable
from citeplug.references import References, refer, shelve, undefined
from citeplug.regeneration import regenerate
from citeplug.retrieve.candidates import ask_source, retrieve_candidates
from citeplug.retrieve.longlist import select_longlist
from citeplug.retrieve.queries import queries_from_draft
from citeplug.retrieve.shortlist import admissible, select_shortlist
from citeplug.standing import NOTHING, Standing, arrange, free_papers, with_papers
from citeplug.tex.cite_style import cite_style
from citeplug.tex.cited import cited_keys
from citeplug.wishes import check_search, check_strategy, doubts_of_plan, names_shortlist, plan_from_text
from citeplug.write.extractive import write_section
from citeplug.write.plan import make_plan
from citeplug.write.voice import in_english

Report = Callable[[str, int, int | None], None]

# A section needs a few dozen good papers, not a thousand ranked ones: the first run on a large catalogue then
# embeds some 500 abstracts (a dozen seconds on two cores) in place of 1,750, and finds the same at the top.
LONG_ENOUGH = 300
SIDE_DEPTH = 40


@dataclass(slots=True)
class Run:
    """What a run gathers on its way: findings, and the time of each stage."""

    report: Report
    findings: list[Finding] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str, source: PaperSource | LanguageModel | None = None) -> Iterator[None]:
        self.report(name, 0, None)
        start, calls, cost = time.perf_counter(), _calls(source), _cost(source)
        try:
            yield
        finally:
            seconds = time.perf_counter() - start
            self.stages.append(Stage(name, round(seconds, 4), _calls(source) - calls, _cost(source) - cost))


@dataclass(frozen=True, slots=True)
class Tools:
    """What a run works with.

    `search_source` is asked by what the draft says and needs the user's consent; `lookup` asks by id only.
    `model` writes the section where the user named one. `seconds` bounds the time for embedding papers; None: no bound.
    """

    index: PaperIndex
    lookup: Lookup
    search_source: PaperSource | None = None
    model: LanguageModel | Metered | None = None
    seconds: float | None = None


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
    plan, shortlist, papers = _plan_around(standing, held, draft, options, tools, before=before, run=run)
    with run.stage("write"):
        section, doubts = write_section(plan, draft, papers)
    if tools.model is None:
        run.findings += in_english(draft)
    with run.stage("references", tools.lookup.source):
        references = refer(_cited(section, papers), draft, tools.lookup, today, held)
        refused = references.refused()
        if refused:
            run.findings += [_refusal(check.key, arxiv_id, check.message) for arxiv_id, check in refused.items()]
            plan = _without(plan, frozenset(refused))
            papers = {value: paper for value, paper in papers.items() if value not in refused}
            section, doubts = write_section(plan, draft, papers)
            references = _keep(references, refer(_cited(section, papers), draft, tools.lookup, today, held), refused)
    style = cite_style(draft)
    desk = Desk(standing, draft, papers, references.keys, style)
    if isinstance(tools.model, Metered):
        with run.stage("prose", tools.model):
            authored = options.plan_text is not None
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
    run.findings += [*doubts, *references.doubts(), *bib.findings, *tools.lookup.findings, *draft.findings]
    return Outcome(
        draft=draft,
        plan=_by_bare_ids(merged.plan, draft),
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


def _plan_around(
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
    if standing.wants_new or options.plan_text is not None:
        new, shortlist, papers = plan_section(
            draft, options, tools, before=before, planned=None, run=run, taken=standing.headings
        )
        if options.plan_text is None and standing.text.strip():
            known = {entry.key: entry.arxiv_id for entry in (*held, *draft.entries) if entry.arxiv_id}
            free = free_papers(shortlist, standing, known, options.breadth)
            new = with_papers(
                new,
                free,
                lambda rest, others: make_plan(
                    draft, rest, tools.index.vectors_of(_papers(rest)), [*standing.headings, *others]
                ),
            )
            shortlist = free
    if wishes.paragraphs:
        options = replace(options, plan_text=None, depth=0)
        wishes, more, at_hand = plan_section(draft, options, tools, before=before, planned=wishes, run=run)
        shortlist += [item for item in more if item.paper.id.value not in papers]
        papers = {**papers, **at_hand}
    plan, _ = arrange(standing, wishes.paragraphs, new.paragraphs)
    return plan, shortlist, papers


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
    taken: Sequence[str] = (),
) -> tuple[Plan, list[Shortlisted], dict[str, Paper]]:
    """The plan, the shortlist that it was made from, and the records of the papers in it.

    With `planned` nothing is searched for: the plan's own papers are the shortlist. A plan in words
    (`options.plan_text`) comes before it. `taken` are headings that stand in the section already.
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
            plan = _by_bare_ids(plan, draft)
            return plan, chosen, {**_planned_papers(plan, draft, tools), **at_hand}
        planned = plan_from_text(text, [], run.findings)
    if planned is not None:
        run.findings += doubts_of_plan(planned)
        planned = _by_bare_ids(planned, draft)
        with run.stage("fetch planned papers", tools.lookup.source):
            papers = _planned_papers(planned, draft, tools)
        return planned, [Shortlisted(paper, 1.0) for paper in papers.values()], papers

    with run.stage("queries"):
        known = tools.index.papers([entry.arxiv_id for entry in draft.entries if entry.arxiv_id])
        queries = queries_from_draft(draft, list(known.values()))
    if tools.model is not None:
        from citeplug.asking import more_queries

        with run.stage("model queries", tools.model):
            queries += more_queries(draft, tools.model, run.findings)
    where = Filter(before, options.categories)
    found: list[Paper] = []
    if tools.search_source is not None:
        with run.stage("ask arXiv", tools.search_source):
            found = _ask(queries[0].text, tools, 6 * options.breadth, before, run)
    end = None if tools.seconds is None else time.monotonic() + tools.seconds
    with run.stage("retrieve"):
        candidates = retrieve_candidates(
            queries,
            tools.index,
            where,
            # Spare candidates stand in for those that may not be cited.
            k=8 * options.breadth + 20,
            depth=max(LONG_ENOUGH, 8 * options.breadth),
            side_depth=SIDE_DEPTH,
            found=found,
            seconds=tools.seconds,
            on_progress=lambda done, total: run.report("embed", done, total),
        )
    with run.stage("shortlist", tools.lookup.source):
        candidates = _complete(admissible(candidates, draft), tools.lookup)[: 6 * options.breadth]
        if not candidates:
            raise CorpusEmpty(
                "no paper passes the filters", "add records with 'citeplug index add', or relax --before or --category"
            )
        left = None if end is None else max(0.0, end - time.monotonic())
        vectors = tools.index.vectors_of([candidate.paper for candidate in candidates], left)
        longlist = select_longlist(candidates, vectors, options.breadth, options.diversity)
        shortlist = select_shortlist(longlist, options.breadth)
    if tools.model is not None and options.rank != "hybrid":
        from citeplug.asking import shortlist_by

        with run.stage("rank", tools.model):
            shortlist = shortlist_by(options.rank, draft, longlist, options.breadth, tools.model, run.findings)
    with run.stage("plan"):
        plan = make_plan(draft, shortlist, vectors, taken)
    return plan, shortlist, {item.paper.id.value: item.paper for item in shortlist}


def _ask(text: str, tools: Tools, limit: int, before: date, run: Run) -> list[Paper]:
    assert tools.search_source is not None
    try:
        return ask_source(text, tools.search_source, limit, before)
    except SourceUnavailable as error:
        if not tools.index.records:
            raise
        run.findings.append(source_unavailable(error, "only the local catalogue was searched"))
        return []


def _complete(candidates: Sequence[Candidate], lookup: Lookup) -> list[Candidate]:
    """Fill in records without authors by id where arXiv may be asked; those that stay incomplete go."""
    missing = [candidate.paper.id for candidate in candidates if not candidate.paper.complete]
    full = lookup.records([ArxivId(i.value) for i in missing]) if missing and lookup.source is not None else {}
    by_value = {asked.value: paper for asked, paper in full.items() if paper.complete}
    filled = (replace(c, paper=by_value.get(c.paper.id.value, c.paper)) for c in candidates)
    return [candidate for candidate in filled if candidate.paper.complete]


def _by_bare_ids(plan: Plan, draft: Draft) -> Plan:
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
            continue  # a key of a work outside arXiv: the writer says what it cannot do with it
    known = dict(tools.index.papers([i.value for i in ids]))
    missing = [i for i in ids if i.value not in known or not known[i.value].complete]
    if missing and tools.lookup.source is not None:
        known.update({i.value: paper for i, paper in tools.lookup.records(missing).items()})
    return {value: paper for value, paper in known.items() if paper.complete}


def _cited(section: Section, papers: Mapping[str, Paper]) -> list[Paper]:
    cites = (c for paragraph in section.paragraphs for sentence in paragraph.sentences for c in sentence.cites)
    return [papers[cite] for cite in dict.fromkeys(cites) if cite in papers]


def _refusal(key: str, arxiv_id: str, message: str) -> Finding:
    return Finding(
        "entry_refused",
        "warning",
        f"{arxiv_id} ({key}) is not cited: {message}",
        fix=f"look at https://arxiv.org/abs/{arxiv_id} and cite it yourself if it is right",
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
    """`after`, with the refused entries' checks kept: the outcome tells what was refused, and why."""
    gone = tuple(entry for entry in before.entries if entry.check.arxiv_id in refused)
    return replace(after, entries=after.entries + gone)


def _calls(source: PaperSource | LanguageModel | None) -> int:
    return getattr(source, "requests_made", 0)


def _cost(source: PaperSource | LanguageModel | None) -> float:
    return getattr(source, "cost", 0.0)
