"""Plans of the author's: in the section's blocks, in the document, or in words; and the papers that they name."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from citeplug.errors import UsageError
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import ArxivId, Paper, Shortlisted, library_id
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.related.plan.from_clusters import WORDS_EACH
from citeplug.related.plan.from_words import read_plan_text
from citeplug.related.plan.read_proposal import plan_doubts
from citeplug.related.progress import Tools
from citeplug.related.retrieve.pins import not_planned, unspoken_pins
from citeplug.section_file.current import CurrentBlock, CurrentSection, cites_of


@dataclass(frozen=True, slots=True)
class Resolver:
    """`papers` are records by arXiv id without version; keys of the draft are known by its entries."""

    papers: Mapping[str, Paper]
    draft: Draft

    def resolve(self, line: PlanLine) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
        """The arXiv ids of the line's known papers, in order.

        Findings: `plan_no_source` for a key of a work outside arXiv, `plan_unknown_paper` for anything else.
        """
        ids: dict[str, None] = {}
        findings: list[Finding] = []
        for cite in line.cites:
            value = self._arxiv_id(cite)
            if value in self.papers:
                ids[value or ""] = None
            else:
                findings.append(_no_source(cite) if value == "" else _unknown(cite))
        return tuple(ids), tuple(findings)

    def papers_of(self, lines: Iterable[PlanLine]) -> list[Paper]:
        """The known papers of several lines, each once."""
        return [self.papers[value] for value in dict.fromkeys(v for line in lines for v in self.resolve(line)[0])]

    def _arxiv_id(self, cite: str) -> str | None:
        """The id that a plan line means; "" for a key without one."""
        if cite in self.papers:
            return cite
        if (own := library_id(cite).value) in self.papers:
            return own
        for entry in self.draft.entries:
            if entry.key == cite:
                return entry.arxiv_id or ""
        try:
            return ArxivId.parse(cite).value
        except ValueError:
            return None


def _no_source(cite: str) -> Finding:
    return Finding(
        "plan_no_source",
        "warning",
        f"the plan cites {cite}, which is not on arXiv: there is no abstract to write from",
        fix="write this sentence yourself, in a block with '% citeplug:keep' or outside the blocks",
    )


def _unknown(cite: str) -> Finding:
    return Finding(
        "plan_unknown_paper",
        "warning",
        f"the plan cites {cite}, which is neither a known arXiv paper nor a key of the bibliography",
        fix="correct the id in the plan line, or add the paper with 'citeplug index add'",
    )


def still_to_plan(plan: Plan, current: CurrentSection) -> Plan:
    """The paragraphs that the author has not taken over in the section's file.

    A block whose text or plan the author changed there follows the document: it answers to the paragraph of the
    same heading, or of the same papers.
    """
    own = [block for block in current.blocks if block.state != "fresh"]
    left: list[PlanParagraph] = []
    for paragraph in plan.paragraphs:
        answer = next((block for block in own if _answers(block, paragraph)), None)
        if answer is None:
            left.append(paragraph)
        else:
            own.remove(answer)
    return Plan(tuple(left))


def with_lengths(plan: Plan, options: Options, taken: int) -> Plan:
    """The plan with words for each paragraph: its own, else a share of what the section has left, else as usual.

    `taken` are the words of the section that are no part of the plan.
    """
    still_open = sum(paragraph.sentences for paragraph in plan.paragraphs if not paragraph.words)
    words_each: float = WORDS_EACH
    if options.words is not None and still_open:
        planned_words = sum(paragraph.words for paragraph in plan.paragraphs)
        words_each = max(1, options.words - taken - planned_words) / still_open
    paragraphs = (p if p.words else replace(p, words=max(1, round(words_each * p.sentences))) for p in plan.paragraphs)
    return Plan(tuple(paragraphs))


def words_of_author(current: CurrentSection) -> int:
    """The words, about, of the blocks that are not planned anew."""
    return sum(len(block.at.text.split()) for block in current.settled)


def _answers(block: CurrentBlock, paragraph: PlanParagraph) -> bool:
    plans = [block.at.plan, *((block.base.plan,) if block.base else ())]
    if paragraph.heading and any(plan.heading == paragraph.heading for plan in plans):
        return True
    cites = {cite for line in paragraph.lines for cite in line.cites}
    return any(cites and cites == {cite for line in plan.lines for cite in line.cites} for plan in plans)


@dataclass(frozen=True, slots=True)
class AuthorPlans:
    """The paragraphs of a run that the author planned, and the search that others need.

    `wishes` are the plans in the file's blocks, the author's and those of earlier runs; `given` is one in the document
    or in words, in place of one made from the shortlist. `search` are the options to look for papers with; None:
    nothing is looked for. `unspoken` are the pins of which no paragraph speaks. `by_place` is a plan in words that
    names papers by their place in the shortlist, which must be known first.
    """

    wishes: Plan
    given: Plan | None = None
    search: Options | None = None
    unspoken: tuple[str, ...] = ()
    by_place: str | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def authored(self) -> bool:
        """True if new paragraphs follow a plan of the author's."""
        return self.given is not None or self.by_place is not None


def read_planned(current: CurrentSection, held: Sequence[BibEntry], draft: Draft, options: Options) -> AuthorPlans:
    """The plans that the run follows. A file without paragraphs gets new ones, one that the author left alone in places
    gets further papers; pins of which no paragraph speaks get one. `held` are the entries of the section's own file.

    Raises UsageError for a plan in words of which nothing is understood.
    """
    own = frozenset(block.at.id for block in current.settled if not block.is_planners)
    wishes, findings = _followed(current.wishes, draft, options, own, current.changed)
    unspoken = unspoken_pins(options, current, known_ids(held, draft))
    wants_new = current.wants_new(options.pin)
    if options.plan is not None and options.plan_text is None:
        authored = with_lengths(still_to_plan(options.plan, current), options, words_of_author(current))
        authored, more = _followed(authored, draft, options)
        silent = not_planned(options, Plan((*authored.paragraphs, *wishes.paragraphs)), draft)
        return AuthorPlans(wishes, authored, findings=(*findings, *more, *silent))
    if not (wants_new or options.plan_text is not None or unspoken):
        return AuthorPlans(wishes, findings=findings)
    if not wants_new:
        options = replace(options, pin=unspoken, breadth=len(unspoken) or options.breadth)
    text = options.plan_text
    if text is None:
        return AuthorPlans(wishes, search=options, unspoken=unspoken, findings=findings)
    if any(finding.code == "plan_unknown_paper" for finding in read_plan_text(text).findings):
        return AuthorPlans(wishes, search=options, unspoken=unspoken, by_place=text, findings=findings)
    authored, more = _from_text(text, [], draft, options)
    return AuthorPlans(wishes, authored, findings=(*findings, *more))


def with_places(planned: AuthorPlans, shortlist: Sequence[Shortlisted], draft: Draft, options: Options) -> AuthorPlans:
    """`planned`, with a plan in words that names papers of `shortlist` by their place."""
    if planned.by_place is None:
        return planned
    authored, more = _from_text(planned.by_place, [item.paper.id.value for item in shortlist], draft, options)
    return replace(planned, given=authored, findings=(*planned.findings, *more))


def planned_papers(planned: AuthorPlans, draft: Draft, tools: Tools, known: Mapping[str, Paper]) -> list[Paper]:
    """Records of the papers that the author's plans name and that are not `known`, by arXiv id.

    Keys of the draft stand for their entries' ids.
    """
    plans = [planned.wishes, *((planned.given,) if planned.given is not None else ())]
    by_key = {entry.key: entry.arxiv_id for entry in draft.entries}
    names = dict.fromkeys(c for plan in plans for p in plan.paragraphs for line in p.lines for c in line.cites)
    ids: dict[str, ArxivId] = {}
    for name in names:
        try:
            arxiv_id = ArxivId(ArxivId.parse(by_key.get(name) or name).value)
        except ValueError:
            # A key of a work outside arXiv: the author's library may know it, else the writer says what it cannot do.
            arxiv_id = library_id(name)
        if arxiv_id.value not in known:
            ids[arxiv_id.value] = arxiv_id
    if not ids:
        return []
    papers = tools.papers(list(ids))
    missing = [arxiv_id for value, arxiv_id in ids.items() if value not in papers or not papers[value].complete]
    if missing and tools.lookup.source is not None:
        papers |= {arxiv_id.value: paper for arxiv_id, paper in tools.lookup.records(missing).items()}
    return [papers[value] for value in ids if value in papers and papers[value].complete]


def known_ids(held: Sequence[BibEntry], draft: Draft) -> dict[str, str]:
    """arXiv ids by citation key, of the section's own entries and of the draft's."""
    return {entry.key: entry.arxiv_id for entry in (*held, *draft.entries) if entry.arxiv_id}


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


def without_papers(plan: Plan, refused: frozenset[str], draft: Draft, lasting: Collection[str] = ()) -> Plan:
    """The plan without these papers, and without lines on papers and paragraphs that cited nothing else.

    Paragraphs `lasting`, by id, stay even so: what was written of the papers has to go from them.
    """
    if not refused:
        return plan
    by_key = {entry.key: entry.arxiv_id for entry in draft.entries}
    paragraphs = []
    for paragraph in plan.paragraphs:
        left = [tuple(c for c in line.cites if not refused & {c, by_key.get(c)}) for line in paragraph.lines]
        lines = [
            replace(line, cites=cites)
            for line, cites in zip(paragraph.lines, left, strict=True)
            if cites or not line.cites or line.role == "draft"
        ]
        if (
            paragraph.id in lasting
            or any(line.cites for line in lines)
            or not any(line.cites for line in paragraph.lines)
        ):
            paragraphs.append(replace(paragraph, lines=tuple(lines)))
    return Plan(tuple(paragraphs))


def _from_text(text: str, shortlist: list[str], draft: Draft, options: Options) -> tuple[Plan, tuple[Finding, ...]]:
    """The plan that `--plan-text` asks for. Raises UsageError if nothing of it is understood."""
    read = read_plan_text(text, shortlist)
    if not read.plan.paragraphs:
        raise UsageError(
            "nothing in --plan-text was understood",
            'write it like "5 sentences in 120 words. Cite 2004.04906 at line 1, 3."',
        )
    plan, findings = _followed(read.plan, draft, options)
    return plan, (*read.findings, *findings)


def _followed(
    plan: Plan, draft: Draft, options: Options, own: Collection[str] | None = None, lasting: Collection[str] = ()
) -> tuple[Plan, tuple[Finding, ...]]:
    """The plan as it can be followed: ids in their one form, without the papers that are not to be cited.

    Findings are on the author's `own` paragraphs, by id; None: on all. `lasting` as in `without_papers`.
    """
    mine = [paragraph for paragraph in plan.paragraphs if own is None or paragraph.id in own]
    findings = list(plan_doubts(Plan(tuple(mine))))
    excluded = frozenset(options.exclude)
    by_key = {entry.key: entry.arxiv_id for entry in draft.entries}
    cites = [cite for paragraph in by_bare_ids(Plan(tuple(mine)), draft).paragraphs for cite in cites_of(paragraph)]
    plan = by_bare_ids(plan, draft)
    findings += [_excluded(cite) for cite in cites if {cite, by_key.get(cite)} & excluded]
    return without_papers(plan, excluded, draft, lasting), tuple(findings)


def _excluded(cite: str) -> Finding:
    return Finding(
        "plan_excluded",
        "warning",
        f"the plan cites {cite}, which is excluded, so it is left out",
        fix="remove it from the plan, or stop excluding it",
    )
