"""Prompted plan (LitLLM, section 4): the model proposes a plan, then follows it."""

from dataclasses import replace

from citeplug.protocols import LanguageModel, ask_all
from citeplug.related.plan.by_model import PlanTask, settle_plan
from citeplug.related.write.by_model.brief import Brief, Composed
from citeplug.related.write.by_model.follow_plan import follow, write_prose
from citeplug.related.write.by_model.prose import shared_part
from citeplug.related.write.by_model.summaries import read_summaries, summarised, summary_requests
from citeplug.text.material import draft_material


def prompted_plan(brief: Brief, model: LanguageModel) -> Composed:
    """Let the model plan first, then follow its plan; a plan of the author's is followed as it is.

    Plan and summaries are asked for together, as neither needs the other.
    """
    planned = {cite for p in brief.plan.paragraphs for line in p.lines for cite in line.cites}
    chosen = [] if brief.authored else [paper for value, paper in brief.papers.items() if value in planned]
    if not chosen:
        return follow(brief, model, "paragraph")
    task = PlanTask(brief.draft, chosen, brief.roles, brief.pinned, brief.voice, brief.words)
    papers = {} if brief.summaries is False else summarised(brief.papers)
    shared = shared_part(draft_material(brief.draft.title, brief.draft.abstract))
    reply, *others = ask_all(model, [task.request, *summary_requests(papers, shared)])
    plan, findings = settle_plan(reply, task, brief.plan)
    done = write_prose(replace(brief, plan=plan), model, told=read_summaries(others, papers, shared))
    return replace(done, findings=(*findings, *done.findings))
