"""A plan that a model proposes before it writes (LitLLM, section 4, prompted plan): the request, and what is done without an answer."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from citeplug.errors import CiteplugError
from citeplug.protocols import LanguageModel, ask_all
from citeplug.records.dialogue import Request
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Paper, shown_id
from citeplug.records.passage import Passage
from citeplug.records.plan import Plan
from citeplug.related.limits import limits_of_own
from citeplug.related.plan.lengths import share_words
from citeplug.related.plan.read_proposal import MOST_PASSING, PlanProposal, read_proposal
from citeplug.text.json_text import list_of, object_of
from citeplug.text.material import WARNING, Material, fenced, material_of, whole_draft

SYSTEM = f"""You plan the related-work section of a research paper, the draft, for its authors, as an experienced co-author would. The section tells a reader what others did about the draft's problems, what they leave open, and what sets the draft apart.

{WARNING}

Papers. A referee looks for whole lines of work, not for single papers: place every paper that the draft competes with, builds on, is measured against, or that a reader of its field would expect here. The works nearest to the draft are discussed; others of the same line of work are named together under what they share. Leave a paper out (`left_out`, with the reason in a few words) if the draft need not answer it: it shares a word, a tool or a broad field with it and nothing else. No paragraph is there only to place papers. A paper may stand in two lines where it matters to both.

Paragraphs. Two to six, as many as the draft has contributions and questions with works of their own; the one nearest to the main contribution first, background last. A key idea of the draft has its paragraph even if one paper alone is about it. If the draft has a section on related work of its own, keep to its view of the field. A heading names a problem that the draft addresses or a contribution of it, in two to seven plain words; never the name or the topic of one cited paper, and no two headings that mean the same.

Lines, in their order, each with its `kind`:
- "topic", at most one, the first of its paragraph: the claim under which the works below belong together, or the question on which they differ. It cites nothing (no handles), tells of no single work, and is borne out by the works below it. Where nothing holds them together, leave it out.
- "paper": the works in `handles`, and in the intent what is to be said of them: what they do or find that matters to the draft, how they relate to the works before, and what they do not do where their abstract or the draft says so. Order works so that one answers another, by time, by cause, or by what each gives up for what it gains. `weight`: "core" for the one to four works nearest to the draft, one to a line, which may take two sentences or two lines; "passing" for two to {MOST_PASSING} works that are named together; "usual" for the others, one or two to a line.
- "draft", at most one, the last of its paragraph or right behind the works that it answers: what sets the draft apart from works above, one of them or all. `handles` name the works that it is about. `draft_does` quotes the draft, from its title, abstract, introduction or method, on what it does about just that, five words or more in a row, copied word for word; `left_open` quotes in the same way, from the texts of these works or from the draft, what they leave open, presuppose or do otherwise, and is empty where no text says it in so many words and what the works do says it well enough. Most paragraphs have such a line, as far as the draft has facts for it. It says a thing that these works do otherwise, not again what the draft does, and denies of no work what its abstract is silent on. A fact of the draft belongs to one line of the whole section: choose the paragraph where it counts most.
Where two works or more state what they leave open ("a limit that it states", in their abstracts, or in a passage), and the draft takes up more than one of these limits, a last paragraph with the heading "This work" and one or two lines of kind "draft" alone may close the section: each names works of the paragraphs before in `handles`, and quotes both sides. The paragraphs before then leave these points to it. Otherwise there is none.
`weight` is "usual", and both quotations are empty, wherever nothing else is said.

Intents are instructions to the writer, of 6 to 30 plain words: the point to make, in your own words with the names and terms that matter, no numbers unless they decide, nothing that the abstracts and the draft's texts do not say. `words` is the length of the paragraph: about 20 for a line of kind topic, 25 for one on a single paper, 35 for one on two or more papers or on the draft, 45 for a core one.
Answer with JSON that fits the schema."""

_INTEGER, _STRING = {"type": "integer"}, {"type": "string"}
_LINE = object_of(
    {
        "kind": {"type": "string", "enum": ["topic", "paper", "draft"]},
        "intent": _STRING,
        "handles": list_of(_INTEGER),
        "weight": {"type": "string", "enum": ["core", "usual", "passing"]},
        "draft_does": {"type": "string", "description": "quotation from the draft, for kind draft"},
        "left_open": {"type": "string", "description": "quotation from a work or from the draft, for kind draft"},
    }
)
SCHEMA = object_of(
    {
        "left_out": list_of(object_of({"handle": _INTEGER, "reason": _STRING})),
        "paragraphs": list_of(object_of({"heading": _STRING, "words": _INTEGER, "lines": list_of(_LINE)})),
    }
)
_TITLE = 80  # characters of a title in a message


@dataclass(frozen=True, slots=True)
class PlanTask:
    """Order for a plan of a section on `papers`, best first, of about `words` words; None: as it needs.

    `roles` say by arXiv id what the draft cites a paper for; `pinned` are ids of papers that must be discussed. `voice`
    tells how the draft is written. `summaries` are by arXiv id, where the papers were summarised, and so are `passages`
    of full texts.
    """

    draft: Draft
    papers: Sequence[Paper]
    roles: Mapping[str, str] = field(default_factory=dict)
    pinned: Collection[str] = ()
    voice: str = ""
    words: int | None = None
    summaries: Mapping[str, str] = field(default_factory=dict)
    passages: Mapping[str, Sequence[Passage]] = field(default_factory=dict)

    @property
    def request(self) -> Request:
        """The request; handles of papers count from 1."""
        shown = [self._material(number, paper) for number, paper in enumerate(self.papers, start=1)]
        parts = [f"The papers:\n{fenced(shown)}"]
        must = [f"[{n}]" for n, paper in enumerate(self.papers, start=1) if paper.id.value in self.pinned]
        if must:
            parts.append(f"The authors want {', '.join(must)} discussed: leave none of these out.")
        if any(paper.abstract_kind == "draft" for paper in self.papers):
            parts.append(
                "Of some papers only the draft's own words are known: an intent asks for no more than these words say,"
                " and one line is enough, however near to the draft the paper is."
            )
        if self.words is not None:
            parts.append(f"The whole section has about {self.words} words.")
        shared = f"The draft:\n{fenced([whole_draft(self.draft)])}\n{self.voice}".rstrip() + "\n"
        room = 1_500 + 170 * len(self.papers)
        return Request("plan", SYSTEM, "\n".join(parts), shared=shared, schema=SCHEMA, max_tokens=room)

    def _material(self, number: int, paper: Paper) -> Material:
        value = paper.id.value
        material = material_of(number, paper, self.summaries.get(value, ""), self.passages.get(value, ()))
        limits = [paper.abstract[start:end] for start, end in limits_of_own(paper.abstract)]
        limit = (("a limit that it states", limits[0]),) if limits and paper.abstract_kind == "abstract" else ()
        return replace(material, more=(*year_and_role(paper, self.roles), *limit))


def year_and_role(paper: Paper, roles: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What a model is told of a paper beside its text; nothing of it may be quoted."""
    role = roles.get(paper.id.value) if paper.abstract_kind != "draft" else None
    return (("year", str(paper.published.year)), *([("the draft cites it as [*] in", role)] if role else []))


def propose_plan(
    task: PlanTask, fallback: Plan, model: LanguageModel
) -> tuple[Plan, list[Finding], Mapping[str, tuple[str, ...]]]:
    """A plan by `model`, `fallback` if it gives none that can be used; with findings, and by intent what it quotes.

    Findings: `paper_left_out`, `plan_repaired`, `plan_refused`, `model_unavailable`, `budget_reached`. Raises
    Cancelled, nothing else.
    """
    if not task.papers:
        return fallback, [], {}
    (reply,) = ask_all(model, [task.request])
    if isinstance(reply, CiteplugError):
        return fallback, [model_unavailable(reply, "the plan is made without it")], {}
    proposal = read_proposal(reply, task.papers, task.draft, task.pinned, task.passages)
    if proposal is None:
        why = "the model gave no usable plan, so the plan was made without it"
        return fallback, [Finding("plan_refused", "info", why)], {}
    plan = proposal.plan if task.words is None else share_words(proposal.plan, task.words)
    return plan, [*_left_out(proposal, task.papers), *_repaired(proposal)], proposal.quotes


def _left_out(proposal: PlanProposal, papers: Sequence[Paper]) -> list[Finding]:
    findings = []
    for paper in papers:
        value = paper.id.value
        if value in proposal.left_out:
            title = paper.title if len(paper.title) <= _TITLE else f"{paper.title[:_TITLE]}..."
            reason = proposal.left_out[value] or "no reason was given"
            message = f"{shown_id(value)} ({title}) is left out of the section: {reason}"
            fix = "'citeplug papers' lists it; --pin adds it"
            findings.append(Finding("paper_left_out", "info", message, fix=fix))
    return findings


def _repaired(proposal: PlanProposal) -> list[Finding]:
    return [
        Finding("plan_repaired", "info", f"in the model's plan {repair}", fix="change the plan in related.tex")
        for repair in proposal.repairs
    ]
