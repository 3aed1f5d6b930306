"""The section by a language model: its brief, the strategy that writes it, and the plan it ends with.

The brief says what the draft cites papers for.
"""

import re
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
from citeplug.text.cited_text import words
from citeplug.text.language import language_of

_BRITISH = re.compile(
    r"\b\w+(?:isation|ise[ds]?|ising|yse[ds]?|ysing)\b|\b(?:behaviour|colour|neighbour|favour|labour|centre|modell|labell|"
    r"travell|programme|artefact|analogue|catalogue)\w*", re.IGNORECASE,
)  # fmt: skip
_AMERICAN = re.compile(
    r"\b\w+(?:ization|ize[ds]?|izing|yze[ds]?|yzing)\b|\b(?:behavior|color|neighbor|favor|labor|center|modeled|modeling|"
    r"labeled|labeling|artifact)\w*", re.IGNORECASE,
)  # fmt: skip
_NEITHER = frozenset(
    """otherwise likewise raise rise precise noise exercise promise comprise compromise advertise surprise revise devise
    supervise advise wise arise raised rising raising comprises noised promising precised premise expertise size sizes
    sized prize prizes seize exercises concise disguise praise bruise""".split()
)
_SHORT = 400  # words
_CLEAR = 2  # more words in one spelling than in the other
_TEXTUAL = ("citet", "textcite", "citeauthor", "citea", "citeasnoun", "citen")


def voice_of(draft: Draft) -> str:
    """Language, spelling, the authors' "we" and the habit of citing, a sentence each where they are clear."""
    text = " ".join([draft.title, draft.abstract, *(section.text for section in draft.sections)])[:100_000]
    language = language_of(draft)
    if language == "English":
        told = [_spelling(text), _person(text), _citing(draft)]
    else:
        told = [
            f"It is in {language}: write headings, intents and sentences in {language}; quotations stay as they are in"
            " the abstracts, word for word.",
            _person_in_german(text) if language == "German" else "",
            _citing(draft),
        ]
    return " ".join(["How the draft is written:", *filter(None, told)]) if any(told) else ""


def _spelling(text: str) -> str:
    british = len([m for m in _BRITISH.findall(text) if m.lower() not in _NEITHER])
    american = len([m for m in _AMERICAN.findall(text) if m.lower() not in _NEITHER])
    if abs(british - american) < _CLEAR:
        return ""
    return "British spelling." if british > american else "American spelling."


def _person(text: str) -> str:
    counts = Counter(words(text))
    if _often(counts["we"] + counts["our"], counts):
        return "Its authors say “we”; do so where a sentence speaks of the draft."
    return (
        "Its authors do not say “we”: write “the present work” where a sentence speaks of the draft."
        if text.strip()
        else ""
    )


def _often(count: int, counts: Counter[str]) -> bool:
    """True if the authors speak: of a draft that is an abstract so far, once is enough; later it may be a quotation's."""
    return count >= (1 if counts.total() < _SHORT else 2)


def _person_in_german(text: str) -> str:
    counts = Counter(words(text))
    if _often(counts["wir"] + counts["unsere"] + counts["unser"], counts):
        return "Its authors say „wir“; do so where a sentence speaks of the draft."
    return "Its authors do not say „wir“: write „die vorliegende Arbeit“ where a sentence speaks of the draft."


def _citing(draft: Draft) -> str:
    used: Counter[str] = Counter()
    for name, count in draft.cite_commands.items():
        used["textual" if name.rstrip("*").lower() in _TEXTUAL else "parenthetical"] += count
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
