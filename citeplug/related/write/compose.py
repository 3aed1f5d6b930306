"""The section by a language model: its brief, the strategy that writes it, and the plan it ends with.

The brief says what the draft cites papers for.
"""

from collections import Counter
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
from citeplug.related.references import Verified
from citeplug.related.retrieve.cited_papers import contexts_by_key
from citeplug.related.write.by_model.brief import Brief, Composed
from citeplug.related.write.by_model.strategies import STRATEGIES
from citeplug.section_file.cite_style import is_textual
from citeplug.text.language import language_of

_SPEAKING = (
    "Where a sentence speaks of the draft, say “we” if its authors do, else “the present work” (in German „wir“ or"
    " „die vorliegende Arbeit“)."
)


def voice_of(draft: Draft) -> str:
    """How to write as the draft is written. Spelling and “we” the model sees for itself, the habit of citing it cannot."""
    if not any((draft.title, draft.abstract, *(section.text for section in draft.sections))):
        return ""
    told, language = ["Write as its authors do, in their spelling.", _SPEAKING, _citing(draft)], language_of(draft)
    if language != "English":
        told[0] = (
            f"It is in {language}: write headings, intents and sentences in {language}; quotations stay as they are in"
            " the abstracts, word for word."
        )
    return " ".join(filter(None, told))


def _citing(draft: Draft) -> str:
    used: Counter[str] = Counter()
    for name, count in draft.cite_commands.items():
        used["textual" if is_textual(name) else "parenthetical"] += count
    if used.total() < 3:
        return ""
    share = used["textual"] / used.total()
    if share >= 0.4:
        return "It often names authors in the sentence: use [@1] about as often as [1]."
    return "It seldom names authors in the sentence: prefer [1] to [@1]." if share <= 0.15 else ""


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
    plan: Plan, draft: Draft, verified: Verified, model: LanguageModel, options: Options
) -> tuple[Plan, list[Finding]]:
    """A plan by the model for the papers of `plan`; `plan` itself if it gives none that can be used."""
    planned = {cite for p in plan.paragraphs for line in p.lines for cite in line.cites}
    papers_to_plan = [paper for value, paper in verified.papers.items() if value in planned]
    roles, voice = roles_in_draft(papers_to_plan, draft), voice_of(draft)
    pinned, passages = _pinned(options), verified.passages
    task = PlanTask(draft, papers_to_plan, roles, pinned, voice, options.words, passages=passages)
    proposed, findings, _ = propose_plan(task, plan, model)
    return proposed, findings


def roles_in_draft(papers: Sequence[Paper], draft: Draft) -> dict[str, str]:
    """The headings and sentences at which the draft cites papers, by arXiv id; none for what it does not cite."""
    contexts, keys = contexts_by_key(draft), match_existing(papers, draft.entries, draft.cites)
    return {value: contexts[key.lower()] for value, key in keys.items() if key.lower() in contexts}
