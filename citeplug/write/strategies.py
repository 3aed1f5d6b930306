"""The ways of writing with a language model, by the names under which LitLLM (section 4) and this project know them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from citeplug.ports import LanguageModel
from citeplug.records.dialogue import Request
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section
from citeplug.write.lengths import share_words
from citeplug.write.lines import Similarity
from citeplug.write.prompted_plan import plan_request, planned_ids, settle_plan
from citeplug.write.prose import shared_part
from citeplug.write.section import Cut, write_prose
from citeplug.write.summaries import read_summaries, summarised, summary_requests
from citeplug.write.together import ask_all
from citeplug.write.zero_shot import write_zero_shot


@dataclass(frozen=True, slots=True)
class Brief:
    """What is to be written. `plan` is the author's if `authored`, else the extractive planner's.

    `papers` are records by arXiv id without version; `voice` tells the model how the draft is written. `summaries`
    says whether the model summarises each paper first; None: where that takes no round trip of its own. `language` is
    that of the section. `words`: the length of a section whose plan is not followed as it is; None: as it needs.
    """

    plan: Plan
    draft: Draft
    papers: Mapping[str, Paper]
    authored: bool = False
    voice: str = ""
    similarity: Similarity | None = None
    summaries: bool | None = None
    language: str = "English"
    words: int | None = None

    @property
    def shared(self) -> str:
        return shared_part(self.draft.title, self.draft.abstract, self.voice)


@dataclass(frozen=True, slots=True)
class Composed:
    """The section, and the plan that it follows.

    `refused` counts the reasons for which sentences were refused; `replaced` are the sentences that in the end were
    made from the abstract, or dropped. `summaries` are the model's, by arXiv id.
    """

    plan: Plan
    section: Section
    findings: tuple[Finding, ...]
    refused: Mapping[str, int]
    replaced: int
    summaries: Mapping[str, str] = field(default_factory=dict)


Strategy = Callable[[Brief, LanguageModel], Composed]


def plan_based(brief: Brief, model: LanguageModel) -> Composed:
    """Follow the given plan, a request for each paragraph."""
    return _follow(brief, model, "paragraph")


def prompted_plan(brief: Brief, model: LanguageModel) -> Composed:
    """Let the model plan first, then follow its plan; a plan of the author's is followed as it is.

    Plan and summaries are asked for together, as neither needs the other.
    """
    ids = [] if brief.authored else planned_ids(brief.plan, brief.papers)
    if not ids:
        return _follow(brief, model, "paragraph")
    papers = {} if brief.summaries is False else summarised(brief.papers)
    requests = [
        plan_request([brief.papers[value] for value in ids], brief.shared, brief.words),
        *_summaries(brief, papers),
    ]
    reply, *others = ask_all(model, requests)
    plan, findings = settle_plan(reply, ids, brief.plan)
    plan = plan if brief.words is None else share_words(plan, brief.words)
    told, doubts = read_summaries(others, papers)
    done = _write(replace(brief, plan=plan), model, "paragraph", told)
    return replace(done, findings=(*findings, *doubts, *done.findings))


def per_cite(brief: Brief, model: LanguageModel) -> Composed:
    """A sentence for each paper by itself, in the order of the plan."""
    return _follow(_one_paper_a_line(brief), model, "line")


def sentence_by_sentence(brief: Brief, model: LanguageModel) -> Composed:
    """A sentence for each paper, one after the other, each knowing what its paragraph says so far."""
    return _follow(_one_paper_a_line(brief), model, "sequence")


def zero_shot(brief: Brief, model: LanguageModel) -> Composed:
    """The whole section at once, without a plan: the baseline. It may leave out papers."""
    told, doubts = _told(brief, model)
    plan, section, findings, refused, dropped = write_zero_shot(
        brief.draft, brief.papers, model, brief.voice, told, brief.language, brief.words
    )
    return Composed(plan, section, (*doubts, *findings), refused, dropped, told)


STRATEGIES: Mapping[str, Strategy] = {
    "plan": plan_based,
    "prompted-plan": prompted_plan,
    "per-cite": per_cite,
    "sentence-by-sentence": sentence_by_sentence,
    "zero-shot": zero_shot,
}


def one_paper_a_line(plan: Plan) -> Plan:
    """The plan with a sentence of its own for each paper."""
    paragraphs: list[PlanParagraph] = []
    for paragraph in plan.paragraphs:
        lines = [
            PlanLine(line.intent, (cite,) if cite else ()) for line in paragraph.lines for cite in line.cites or ("",)
        ]
        each = paragraph.words // max(1, len(paragraph.lines))
        paragraphs.append(replace(paragraph, lines=tuple(lines), words=each * len(lines)))
    return Plan(tuple(paragraphs))


def _one_paper_a_line(brief: Brief) -> Brief:
    plan = one_paper_a_line(brief.plan)
    return replace(brief, plan=plan if brief.words is None else share_words(plan, brief.words))


def _follow(brief: Brief, model: LanguageModel, cut: Cut) -> Composed:
    told, doubts = _told(brief, model)
    done = _write(brief, model, cut, told)
    return replace(done, findings=(*doubts, *done.findings))


def _told(brief: Brief, model: LanguageModel) -> tuple[dict[str, str], list[Finding]]:
    """Summaries asked for by themselves, where they are wanted although they take a round trip."""
    papers = summarised(brief.papers) if brief.summaries else {}
    return read_summaries(ask_all(model, _summaries(brief, papers)), papers)


def _summaries(brief: Brief, papers: Mapping[str, Paper]) -> list[Request]:
    # The draft alone, without its voice: what they say, and whether an answer is kept, depends on nothing else.
    return summary_requests(papers, shared_part(brief.draft.title, brief.draft.abstract))


def _write(brief: Brief, model: LanguageModel, cut: Cut, told: Mapping[str, str]) -> Composed:
    prose = write_prose(
        brief.plan,
        brief.draft,
        brief.papers,
        model,
        voice=brief.voice,
        authored=brief.authored,
        cut=cut,
        similarity=brief.similarity,
        summaries=told,
        language=brief.language,
    )
    return Composed(brief.plan, prose.section, prose.findings, prose.refused, prose.replaced, told)
