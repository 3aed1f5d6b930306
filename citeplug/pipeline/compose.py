"""The section by a language model: what is told to it, which strategy is followed, and what becomes of the plan."""

from collections.abc import Mapping

from citeplug.pipeline.counted_model import Metered
from citeplug.plan.by_model import propose_plan
from citeplug.ports import LanguageModel
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import Paper
from citeplug.records.plan import Plan
from citeplug.text.language import language_of
from citeplug.write.by_model import STRATEGIES
from citeplug.write.by_model.brief import Brief, Composed
from citeplug.write.by_model.prose import shared_part
from citeplug.write.by_model.voice import voice_of


def compose(
    plan: Plan,
    draft: Draft,
    papers: Mapping[str, Paper],
    model: Metered,
    options: Options,
    *,
    authored: bool,
) -> tuple[Composed, list[Finding]]:
    """Write the section by the strategy that `options` names; with it what is to be said of the language.

    `authored` says that the plan is the author's. The section is in the draft's language; what cannot be compared with
    quotations in English is told (finding `claims_partly_checked`).
    """
    language = language_of(draft)
    doubts = [] if language == "English" else [_partly_checked(language)]
    # What is left of the section's words for these paragraphs, which the planner has shared out.
    words = sum(paragraph.words for paragraph in plan.paragraphs) if options.words is not None else None
    brief = Brief(plan, draft, papers, authored, voice_of(draft), options.summaries, language, words)
    return STRATEGIES[options.strategy](brief, model), doubts


def _partly_checked(language: str) -> Finding:
    fix = "read each sentence against its quotations in .citeplug/provenance.json"
    if language == "German":
        return Finding(
            "claims_partly_checked",
            "info",
            "the section is in German and its quotations in English: numbers, names, denials, directions (“erhöht”) and"
            " strong words were compared; what a number counts, what exactly is denied, and whether the other words"
            " mean the same was not",
            fix=fix,
        )
    return Finding(
        "claims_partly_checked",
        "warning",
        f"the section is in {language} and its quotations in English: only numbers in digits and names with capitals or"
        " digits inside were compared, and neither denials nor anything else that a sentence says",
        fix=fix,
    )


def propose(
    plan: Plan, draft: Draft, papers: Mapping[str, Paper], model: LanguageModel, words: int | None = None
) -> tuple[Plan, list[Finding]]:
    """A plan by the model for the papers of `plan`, of about `words` words; `plan` itself if it gives none that can be
    used."""
    return propose_plan(plan, papers, model, shared_part(draft.title, draft.abstract, voice_of(draft)), words)
