"""Writing with a language model: the strategies of LitLLM (section 4), by name."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from citeplug.protocols import LanguageModel
from citeplug.records.finding import Finding
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section
from citeplug.related.plan.by_model import PlanTask, propose_plan
from citeplug.related.plan.lengths import share_words
from citeplug.related.write.by_model.brief import Brief, Composed
from citeplug.related.write.by_model.follow_plan import follow, write_prose
from citeplug.related.write.by_model.summaries import summarise
from citeplug.text.cited_text import length

_WORDS = 25  # for each paper


def plan_based(brief: Brief, model: LanguageModel) -> Composed:
    """Follow the given plan."""
    return follow(brief, model, "paragraph")


def prompted_plan(brief: Brief, model: LanguageModel) -> Composed:
    """Let the model plan first, then follow its plan; a plan of the author's is followed as it is."""
    planned = {cite for p in brief.plan.paragraphs for line in p.lines for cite in line.cites}
    papers_to_plan = [] if brief.authored else [paper for value, paper in brief.papers.items() if value in planned]
    told = summarise(brief, model)
    if not papers_to_plan:
        return write_prose(brief, model, told=told)
    task = PlanTask(
        brief.draft,
        papers_to_plan,
        brief.roles,
        brief.pinned,
        brief.voice,
        brief.words,
        told.summaries,
        brief.passages,
    )
    plan, findings, quotes = propose_plan(task, brief.plan, model)
    done = write_prose(replace(brief, plan=plan, quotes=quotes), model, told=told)
    written = as_written(done.plan, done.section, words_asked=brief.words is not None)
    return replace(done, plan=written, findings=(*findings, *done.findings))


def as_written(plan: Plan, section: Section, *, words_asked: bool) -> Plan:
    """The plan as the section follows it: no line that nothing is left of, and the words that there are.

    Where a length was asked for, the plan keeps its words.
    """
    paragraphs = []
    for planned, written in zip(plan.paragraphs, section.paragraphs, strict=True):
        cited = {cite for sentence in written.sentences for cite in sentence.cites}
        kinds = {sentence.kind for sentence in written.sentences}
        roles = {
            "paper",
            *(["topic"] if "topic" in kinds else []),
            *(["draft"] if kinds & {"draft", "contrast"} else []),
        }
        lines = tuple(
            line for line in planned.lines if line.role in roles and (not line.cites or {*line.cites} & cited)
        )
        words = planned.words if words_asked else length(written.sentences)
        paragraphs.append(replace(planned, lines=lines or planned.lines, words=words))
    return Plan(tuple(paragraphs))


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
        words_each = paragraph.words // max(1, len(paragraph.lines))
        paragraphs.append(replace(paragraph, lines=tuple(lines), words=words_each * len(lines)))
    return Plan(tuple(paragraphs))


def with_one_paper_a_line(brief: Brief) -> Brief:
    plan = one_paper_a_line(brief.plan)
    return replace(brief, plan=plan if brief.words is None else share_words(plan, brief.words))


def sentence_by_sentence(brief: Brief, model: LanguageModel) -> Composed:
    """A sentence for each paper, one after the other, each knowing what its paragraph says so far."""
    return follow(with_one_paper_a_line(brief), model, "sequence")


def zero_shot(brief: Brief, model: LanguageModel) -> Composed:
    """The whole section at once, without a plan: the baseline. It may leave out papers; the plan is what came of it."""
    everything = PlanParagraph(
        "p1", "", (PlanLine("", tuple(brief.papers)),), brief.words or _WORDS * len(brief.papers)
    )
    done = follow(replace(brief, plan=Plan((everything,)), whole=None, authored=False, free=True), model, "free")
    paragraphs = tuple(paragraph for paragraph in done.section.paragraphs if paragraph.sentences)
    cited = {cite for paragraph in paragraphs for sentence in paragraph.sentences for cite in sentence.cites}
    left_out = tuple(
        Finding(
            "paper_not_cited", "info", f"the section does not cite {value}", fix="use --strategy plan, which cites all"
        )
        for value in brief.papers
        if value not in cited
    )
    plan = Plan(
        tuple(
            PlanParagraph(
                p.id, p.heading, lines := tuple(PlanLine("", s.cites) for s in p.sentences), _WORDS * len(lines)
            )
            for p in paragraphs
        )
    )
    section = replace(done.section, paragraphs=paragraphs)
    return replace(done, plan=plan, section=section, findings=(*done.findings, *left_out))


Strategy = Callable[[Brief, LanguageModel], Composed]

STRATEGIES: Mapping[str, Strategy] = {
    "plan": plan_based,
    "prompted-plan": prompted_plan,
    "per-cite": per_cite,
    "sentence-by-sentence": sentence_by_sentence,
    "zero-shot": zero_shot,
}
