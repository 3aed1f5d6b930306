"""The section by a language model: what is told to it, which strategy is followed, and what becomes of the plan."""

from collections.abc import Callable, Mapping, Sequence

from citeplug.metering import Metered
from citeplug.ports import LanguageModel, Vectors
from citeplug.records.draft import Draft
from citeplug.records.outcome import Options
from citeplug.records.paper import Paper
from citeplug.records.review import Finding, Plan
from citeplug.write.lines import Similarity
from citeplug.write.prompted_plan import propose_plan
from citeplug.write.prose import shared_part
from citeplug.write.strategies import STRATEGIES, Brief, Composed
from citeplug.write.voice import language_of, voice_of


def compose(
    plan: Plan,
    draft: Draft,
    papers: Mapping[str, Paper],
    model: Metered,
    options: Options,
    *,
    authored: bool,
    embed: Callable[[Sequence[str]], Vectors],
) -> tuple[Composed, list[Finding]]:
    """Write the section by the strategy that `options` names; with it what is to be said of the language.

    `authored` says that the plan is the author's. Claims can be compared with quotations in English alone, so the
    section of a draft in another language is written in English too (finding `section_in_english`). `embed` gives unit
    vectors (n, d), for the similarity that is part of attribution.
    """
    doubts: list[Finding] = []
    language = language_of(draft)
    if language != "English":
        doubts.append(
            Finding(
                "section_in_english",
                "info",
                f"the draft seems to be in {language}; claims are checked in English alone, so that is used",
                fix="translate the section when it is done",
            )
        )
    brief = Brief(plan, draft, papers, authored, voice_of(draft), _similarity(embed), options.summaries)
    return STRATEGIES[options.strategy](brief, model), doubts


def propose(plan: Plan, draft: Draft, papers: Mapping[str, Paper], model: LanguageModel, doubts: list[Finding]) -> Plan:
    """A plan by the model for the papers of `plan`; `plan` itself if it gives none that can be used."""
    proposed, found = propose_plan(plan, papers, model, shared_part(draft.title, draft.abstract, voice_of(draft)))
    doubts += found
    return proposed


def _similarity(embed: Callable[[Sequence[str]], Vectors]) -> Similarity:
    """The cosine of two texts."""

    def compare(one: str, other: str) -> float:
        vectors = embed([one, other])
        return float(vectors[0] @ vectors[1])

    return compare
