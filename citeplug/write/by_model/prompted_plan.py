"""Prompted plan (LitLLM, section 4): the model proposes a plan, then follows it."""

from dataclasses import replace

from citeplug.plan.by_model import plan_request, planned_ids, settle_plan
from citeplug.plan.lengths import share_words
from citeplug.ports import LanguageModel, ask_all
from citeplug.write.by_model.brief import Brief, Composed
from citeplug.write.by_model.follow_plan import follow, follow_with
from citeplug.write.by_model.summaries import read_summaries, requests_for_summaries, summarised


def prompted_plan(brief: Brief, model: LanguageModel) -> Composed:
    """Let the model plan first, then follow its plan; a plan of the author's is followed as it is.

    Plan and summaries are asked for together, as neither needs the other.
    """
    ids = [] if brief.authored else planned_ids(brief.plan, brief.papers)
    if not ids:
        return follow(brief, model, "paragraph")
    papers = {} if brief.summaries is False else summarised(brief.papers)
    requests = [
        plan_request([brief.papers[value] for value in ids], brief.shared, brief.words),
        *requests_for_summaries(brief, papers),
    ]
    reply, *others = ask_all(model, requests)
    plan, findings = settle_plan(reply, ids, brief.plan)
    plan = plan if brief.words is None else share_words(plan, brief.words)
    told, doubts = read_summaries(others, papers)
    done = follow_with(replace(brief, plan=plan), model, "paragraph", told)
    return replace(done, findings=(*findings, *doubts, *done.findings))
