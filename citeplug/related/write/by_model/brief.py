"""A section to be written with a language model, and the section written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper
from citeplug.records.passage import Passage
from citeplug.records.plan import Plan, PlanLine
from citeplug.records.section import Section
from citeplug.related.attribute.checks import DRAFT
from citeplug.related.plan.by_model import year_and_role
from citeplug.related.plan.planned import Resolver
from citeplug.related.write.by_model.paragraph import ParagraphPart
from citeplug.related.write.by_model.prose import outline, shared_part
from citeplug.text.cited_text import words
from citeplug.text.material import Material, bounded, material_of, quotable_draft
from citeplug.text.quotation import SHORTEST

Cut = Literal["paragraph", "line", "sequence", "free"]
_WORDS = 25  # of a line, where the plan gives no length


@dataclass(frozen=True, slots=True)
class Brief:
    """Order for a section. `plan` is the author's if `authored`, else the extractive planner's.

    `papers` are records by arXiv id without version; `voice` tells the model how the draft is written. `summaries`
    says whether the model summarises each paper first. `language` is
    that of the section. `words`: the length of a section whose plan is not followed as it is; None: as it needs.
    `roles` say by arXiv id what the draft cites a paper for; papers in `pinned` must be discussed.
    `polish`: it is smoothed as a whole in the end. `whole` is the plan with the paragraphs that are not to be written
    now, None if there are none. `free`: the plan's one line has all papers, and the model may leave some out.
    `passages` of full texts, by arXiv id, may be quoted beside the abstracts. `quotes` are by intent what the planner
    quotes for its lines on the draft.
    """

    plan: Plan
    draft: Draft
    papers: Mapping[str, Paper]
    authored: bool = False
    voice: str = ""
    summaries: bool = False
    language: str = "English"
    words: int | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    pinned: frozenset[str] = frozenset()
    polish: bool = True
    whole: Plan | None = None
    free: bool = False
    passages: Mapping[str, Sequence[Passage]] = field(default_factory=dict)
    quotes: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def shared(self) -> str:
        return shared_part(quotable_draft(self.draft), self.voice)

    @property
    def outlined(self) -> Plan:
        return self.whole or self.plan


@dataclass(frozen=True, slots=True)
class Composed:
    """The section, and the plan that it follows.

    `refused` counts the reasons for which sentences were refused. `summaries` are the model's, by arXiv id.
    """

    plan: Plan
    section: Section
    findings: tuple[Finding, ...]
    refused: Mapping[str, int]
    summaries: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Materials:
    """`shared` begins every prompt. `materials` are by handle, the draft's 0; `handles` by cite as the plan has it."""

    shared: str
    materials: Mapping[int, Material]
    handles: Mapping[str, int]


def lay_out(brief: Brief, summaries: Mapping[str, str]) -> Materials:
    """The materials of `brief`; papers without text to quote from get no handle. `summaries` are by arXiv id."""
    resolver = Resolver(brief.papers, brief.draft)
    cites = dict.fromkeys(cite for p in brief.outlined.paragraphs for line in p.lines for cite in line.cites)
    ids = {cite: value for cite in cites for value in resolver.resolve(PlanLine("", (cite,)))[0]}
    papers = {value: bounded(brief.papers[value]) for value in dict.fromkeys(ids.values())}
    quotable = [value for value, paper in papers.items() if _is_quotable(paper.abstract, brief.passages.get(value))]
    numbers = {value: number for number, value in enumerate(quotable, start=1)}
    materials = {
        n: replace(
            material_of(n, papers[value], summaries.get(value, ""), brief.passages.get(value, ())),
            more=year_and_role(papers[value], brief.roles),
        )
        for value, n in numbers.items()
    }
    handles = {cite: numbers[value] for cite, value in ids.items() if value in numbers}
    shared = brief.shared
    if not brief.free:
        shared += outline(brief.outlined, handles, brief.draft.abstract)
    draft = quotable_draft(brief.draft)
    return Materials(shared, {DRAFT: draft, **materials}, handles)


def _is_quotable(abstract: str, passages: Sequence[Passage] | None) -> bool:
    return bool(passages) or len(words(abstract)) >= SHORTEST


def divide(brief: Brief, desk: Materials, cut: Cut) -> list[ParagraphPart]:
    """The parts that are asked for, each with at least a line on a paper or on the draft that there is text for."""
    parts: list[ParagraphPart] = []
    quotable = len(words(brief.draft.abstract)) >= SHORTEST
    for planned in brief.plan.paragraphs:
        able = [
            line
            for line in planned.lines
            if any(cite in desk.handles for cite in line.cites)
            or line.role == "topic"
            or (line.role == "draft" and quotable)
        ]
        groups = [tuple(able)] if cut in ("paragraph", "free") else [(line,) for line in able]
        for lines in groups:
            if any(line.role != "topic" for line in lines):
                share = planned.words * len(lines) // max(1, len(able)) or _WORDS * len(lines)
                granted = " . ".join([planned.heading, *(li.intent for li in lines)]) if brief.authored else ""
                planned_part = replace(planned, lines=lines)
                parts.append(ParagraphPart(planned_part, desk.handles, share, granted, brief.free, quotes=brief.quotes))
    return parts


def rounds_of(parts: Sequence[ParagraphPart], *, in_turn: bool) -> list[list[ParagraphPart]]:
    """The parts that are asked for at once: all, or the first of each paragraph, then the second."""
    if not in_turn:
        return [list(parts)] if parts else []
    rounds: list[list[ParagraphPart]] = []
    for number, part in enumerate(parts):
        turn = sum(other.planned.id == part.planned.id for other in parts[:number])
        rounds += [[]] if turn == len(rounds) else []
        rounds[turn].append(part)
    return rounds
