"""The section by a language model: its brief, the strategy that writes it, and the plan it ends with.

The brief says what the draft cites papers for.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from citeplug.bib.compare.duplicates import match_existing
from citeplug.protocols import LanguageModel
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import Paper, library_id
from citeplug.records.passage import Passage
from citeplug.records.plan import Plan
from citeplug.related.plan.by_model import PlanTask, propose_plan
from citeplug.related.write.by_model import STRATEGIES
from citeplug.related.write.by_model.brief import Brief, Composed
from citeplug.related.write.by_model.voice import voice_of
from citeplug.text.language import language_of


def compose(
    plan: Plan,
    draft: Draft,
    papers: Mapping[str, Paper],
    model: LanguageModel,
    options: Options,
    *,
    authored: bool,
    whole: Plan | None = None,
    passages: Mapping[str, Sequence[Passage]] = MappingProxyType({}),
) -> Composed:
    """Write the section by the strategy that `options` names, in the draft's language.

    `authored` says that the plan is the author's; `whole` is the plan with the paragraphs that are not written now.
    `passages` of full texts, by arXiv id, may be quoted beside the abstracts.
    """
    # What is left of the section's words for these paragraphs, which the planner has shared out.
    words = sum(paragraph.words for paragraph in plan.paragraphs) if options.words is not None else None
    brief = Brief(
        plan,
        draft,
        papers,
        authored,
        voice_of(draft),
        options.summaries,
        language_of(draft),
        words,
        roles_in_draft(list(papers.values()), draft),
        _pinned(options),
        options.polish,
        whole,
        passages=passages,
    )
    return STRATEGIES[options.strategy](brief, model)


def _pinned(options: Options) -> frozenset[str]:
    """Ids of the papers that must be discussed; a key may be that of a work in the author's library."""
    return frozenset(options.pin) | {library_id(name).value for name in options.pin}


def propose(
    plan: Plan, draft: Draft, papers: Mapping[str, Paper], model: LanguageModel, options: Options
) -> tuple[Plan, list[Finding]]:
    """A plan by the model for the papers of `plan`; `plan` itself if it gives none that can be used."""
    planned = {cite for p in plan.paragraphs for line in p.lines for cite in line.cites}
    chosen = [paper for value, paper in papers.items() if value in planned]
    task = PlanTask(draft, chosen, roles_in_draft(chosen, draft), _pinned(options), voice_of(draft), options.words)
    return propose_plan(task, plan, model)


def roles_in_draft(papers: Sequence[Paper], draft: Draft) -> dict[str, str]:
    """The headings and sentences at which the draft cites papers, by arXiv id; none for what it does not cite."""
    contexts: dict[str, list[str]] = defaultdict(list)
    for cite in draft.cites:
        for key in cite.keys:
            if cite.context and len(contexts[key.lower()]) < 2:
                contexts[key.lower()].append(cite.context)
    keys = match_existing(papers, draft.entries, draft.cites)
    found = {value: " / ".join(contexts.get(key.lower(), ())) for value, key in keys.items()}
    return {value: role for value, role in found.items() if role}
