"""Which paragraphs are written anew in a run, and by whom; the others stay as they were generated."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from citeplug.pipeline.counted_model import Metered
from citeplug.ports import Vectors
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.generated import Generated
from citeplug.records.outcome import Options
from citeplug.records.paper import Paper
from citeplug.records.plan import Plan, PlanParagraph
from citeplug.records.section import Section, SectionParagraph
from citeplug.section_file.cite_style import CiteStyle
from citeplug.section_file.current import Standing, arrange
from citeplug.section_file.merged_section import generated, inputs_of

# Strategies that choose the paragraphs themselves: their new paragraphs are written together or not at all.
_WHOLE = ("prompted-plan", "zero-shot")


@dataclass(frozen=True, slots=True)
class Drafted:
    """What was generated, now or before, for each paragraph that says anything."""

    made: tuple[Generated, ...]
    findings: tuple[Finding, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Desk:
    """What a writer works with. `keys` are citation keys by arXiv id or by themselves."""

    standing: Standing
    draft: Draft
    papers: Mapping[str, Paper]
    keys: Mapping[str, str]
    style: CiteStyle

    def base(self, name: str) -> Generated | None:
        """What was generated for a block, under the id that the block has now."""
        base = next((block.base for block in self.standing.blocks if block.at.id == name), None)
        return base if base is None or base.plan.id == name else replace(base, plan=replace(base.plan, id=name))

    def print(self, plan: Plan, section: Section, inputs: Mapping[str, str | None]) -> list[Generated]:
        """What is printed for the paragraphs of `plan` that say anything."""
        written = {paragraph.id: paragraph for paragraph in section.paragraphs}
        return [
            generated(paragraph, written[paragraph.id], self.keys, self.style, self.papers, inputs.get(paragraph.id))
            for paragraph in plan.paragraphs
            if paragraph.id in written and written[paragraph.id].sentences
        ]


def draft_extractively(plan: Plan, section: Section, desk: Desk) -> Drafted:
    """What the extractive writer's `section` changes: a paragraph whose inputs are the same stays as it was."""
    inputs: dict[str, str | None] = {}
    for paragraph in section.paragraphs:
        planned = next(p for p in plan.paragraphs if p.id == paragraph.id)
        closing = [sentence for sentence in paragraph.sentences if sentence.kind == "draft"]
        inputs[paragraph.id] = inputs_of([planned], closing, desk.papers, desk.keys, desk.style, ["extractive"])
    made = [_unless_same(each, desk.base(each.plan.id)) for each in desk.print(plan, section, inputs)]
    return Drafted(tuple(made))


def draft_with_model(
    plan: Plan,
    desk: Desk,
    model: Metered,
    options: Options,
    *,
    authored: bool,
    embed: Callable[[Sequence[str]], Vectors],
) -> Drafted:
    """Let the model write what is due, and ask it for nothing else.

    `authored` says that new paragraphs, too, follow a plan of the author's.
    """
    from citeplug.pipeline.compose import compose

    wished = {paragraph.id for paragraph in desk.standing.wishes.paragraphs}
    wishes = [paragraph for paragraph in plan.paragraphs if paragraph.id in wished]
    new = [paragraph for paragraph in plan.paragraphs if paragraph.id not in wished]
    whole = options.strategy in _WHOLE and not authored
    digests = {p.id: _digest([p], desk, model, options) for p in plan.paragraphs}
    if whole:
        # In an order of its own: where paragraphs stand depends on what stood there before.
        together = _digest(sorted(new, key=lambda p: [line.cites for line in p.lines]), desk, model, options)
        digests |= {p.id: together for p in new}
    same = _same(digests, desk)
    if whole and not _all_same(digests, new, desk):
        same = {name: base for name, base in same.items() if name in wished}
    elif whole:
        fresh = {block.at.id: desk.base(block.at.id) for block in desk.standing.blocks if block.state == "fresh"}
        same |= {name: base for name, base in fresh.items() if base is not None}
        new = [paragraph for paragraph in new if paragraph.id in same]

    made = list(same.values())
    findings: list[Finding] = []
    summaries: dict[str, str] = {}
    for paragraphs, follows in ((wishes, True), (new, authored)):
        due = [paragraph for paragraph in paragraphs if paragraph.id not in same]
        if not due:
            continue
        cites = {cite for paragraph in due for line in paragraph.lines for cite in line.cites}
        papers = {value: paper for value, paper in desk.papers.items() if value in cites or follows}
        chosen = replace(options, strategy="plan") if follows and options.strategy == "zero-shot" else options
        composed, said = compose(Plan(tuple(due)), desk.draft, papers, model, chosen, authored=follows, embed=embed)
        findings += [*said, *composed.findings]
        summaries |= composed.summaries
        plan_made, section = composed.plan, composed.section
        if whole and not follows:
            plan_made, section = _in_their_places(desk.standing, wishes, plan_made, section)
        cut_off = any(f.code in ("model_unavailable", "budget_reached") for f in composed.findings)
        # What stands in for a model that could not be asked is made again as soon as it can be.
        inputs = {p.id: None if cut_off else digests.get(p.id, digests[due[0].id]) for p in plan_made.paragraphs}
        made += desk.print(plan_made, section, inputs)
    return Drafted(tuple(_in_order(made, plan)), tuple(dict.fromkeys(findings)), summaries)


def _digest(paragraphs: Sequence[PlanParagraph], desk: Desk, model: Metered, options: Options) -> str:
    writer = [model.name, options.strategy, str(options.summaries), desk.draft.title, desk.draft.abstract]
    return inputs_of(paragraphs, (), desk.papers, desk.keys, desk.style, writer)


def _same(digests: Mapping[str, str], desk: Desk) -> dict[str, Generated]:
    found = ((name, desk.base(name), digest) for name, digest in digests.items())
    return {name: base for name, base, digest in found if base is not None and base.inputs == digest}


def _all_same(digests: Mapping[str, str], new: Sequence[PlanParagraph], desk: Desk) -> bool:
    """Whether all that was left alone was made together, from the same as would be now."""
    fresh = [block.base for block in desk.standing.blocks if block.state == "fresh"]
    expected = {digests[paragraph.id] for paragraph in new}
    return bool(fresh) and all(base is not None and {base.inputs} == expected for base in fresh)


def _unless_same(made: Generated, base: Generated | None) -> Generated:
    return base if base is not None and base.inputs == made.inputs and made.inputs is not None else made


def _in_their_places(
    standing: Standing, wishes: Sequence[PlanParagraph], plan: Plan, section: Section
) -> tuple[Plan, Section]:
    """Paragraphs that the model chose, under the ids of the blocks that they take the place of."""
    arranged, ids = arrange(standing, wishes, plan.paragraphs)
    by_id = {paragraph.id: paragraph for paragraph in arranged.paragraphs}
    paragraphs = [SectionParagraph(ids[p.id], p.heading, p.sentences) for p in section.paragraphs]
    return Plan(tuple(by_id[name] for name in ids.values())), Section(tuple(paragraphs))


def _in_order(made: Sequence[Generated], plan: Plan) -> list[Generated]:
    order = {paragraph.id: place for place, paragraph in enumerate(plan.paragraphs)}
    return sorted(made, key=lambda each: order.get(each.plan.id, len(order)))
