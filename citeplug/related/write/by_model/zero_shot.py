"""A section in one request without a plan: LitLLM's zero-shot baseline, held to the same promises."""

from dataclasses import replace

from citeplug.protocols import LanguageModel
from citeplug.records.finding import Finding
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.related.write.by_model.brief import Brief, Composed
from citeplug.related.write.by_model.follow_plan import follow

_WORDS = 25  # for each paper


def zero_shot(brief: Brief, model: LanguageModel) -> Composed:
    """The whole section at once, without a plan: the baseline. It may leave out papers; the plan is what came of it."""
    everything = PlanParagraph(
        "p1", "", (PlanLine("", tuple(brief.papers)),), brief.words or _WORDS * len(brief.papers)
    )
    done = follow(replace(brief, plan=Plan((everything,)), whole=None, authored=False, free=True), model, "free")
    kept = tuple(paragraph for paragraph in done.section.paragraphs if paragraph.sentences)
    cited = {cite for paragraph in kept for sentence in paragraph.sentences for cite in sentence.cites}
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
            for p in kept
        )
    )
    section = replace(done.section, paragraphs=kept)
    return replace(done, plan=plan, section=section, findings=(*done.findings, *left_out))
