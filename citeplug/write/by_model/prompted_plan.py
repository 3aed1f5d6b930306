"""Prompted plan (LitLLM, section 4): the model proposes a plan, then follows it."""

from dataclasses import replace

from citeplug.plan.by_model import plan_request, planned_ids, settle_plan
from citeplug.plan.lengths import share_words
from citeplug.ports import LanguageModel, ask_all
from citeplug.write.by_model.brief import Brief, Composed
from citeplug.write.by_model.follow_plan import follow, write_prose
from citeplug.write.by_model.prose import shared_part
from citeplug.write.by_model.summaries import read_summaries, summarised, summary_requests


def prompted_plan(brief: Brief, model: LanguageModel) -> Composed:
    """Let the model plan first, then follow its plan; a plan of the author's is followed as it is.

    Plan and summaries are asked for together, as neither needs the other.
    """
    ids = [] if brief.authored else planned_ids(brief.plan, brief.papers)
    if not ids:
        return follow(brief, model, "paragraph")
    papers = {} if brief.summaries is False else summarised(brief.papers)
    shared = shared_part(brief.draft.title, brief.draft.abstract)
    requests = [plan_request([brief.papers[value] for value in ids], brief.shared, brief.words)]
    reply, *others = ask_all(model, [*requests, *summary_requests(papers, shared)])
    plan, findings = settle_plan(reply, ids, brief.plan)
    plan = plan if brief.words is None else share_words(plan, brief.words)
    done = write_prose(replace(brief, plan=plan), model, told=read_summaries(others, papers, shared))
    return replace(done, findings=(*findings, *done.findings))
