"""Per-cite generation (LitLLM, section 4): a sentence for each paper by itself."""

from dataclasses import replace

from citeplug.protocols import LanguageModel
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.related.plan.lengths import share_words
from citeplug.related.write.by_model.brief import Brief, Composed
from citeplug.related.write.by_model.follow_plan import follow


def per_cite(brief: Brief, model: LanguageModel) -> Composed:
    """A sentence for each paper by itself, in the order of the plan."""
    return follow(with_one_paper_a_line(brief), model, "line")


def one_paper_a_line(plan: Plan) -> Plan:
    """The plan with a sentence of its own for each paper."""
    paragraphs: list[PlanParagraph] = []
    for paragraph in plan.paragraphs:
        lines = [
            PlanLine(line.intent, (cite,) if cite else (), None if cite else line.kind)
            for line in paragraph.lines
            for cite in line.cites or ("",)
        ]
        each = paragraph.words // max(1, len(paragraph.lines))
        paragraphs.append(replace(paragraph, lines=tuple(lines), words=each * len(lines)))
    return Plan(tuple(paragraphs))


def with_one_paper_a_line(brief: Brief) -> Brief:
    plan = one_paper_a_line(brief.plan)
    return replace(brief, plan=plan if brief.words is None else share_words(plan, brief.words))
