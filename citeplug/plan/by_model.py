"""A plan that a model proposes before it writes (LitLLM, section 4, prompted plan), put right in code."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citeplug.attribute.plainness import plainness
from citeplug.errors import CiteplugError
from citeplug.plan.feasibility import FEWEST_WORDS, MOST_WORDS
from citeplug.plan.from_clusters import RELATE
from citeplug.plan.lengths import share_words
from citeplug.ports import LanguageModel, ask_all
from citeplug.records.dialogue import Reply, Request
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Paper
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.text.cleaning import plain
from citeplug.text.json_text import number_of, parse_json
from citeplug.text.material import WARNING, excerpt, fenced

SYSTEM = f"""You plan the related-work section of a research paper, the draft, as a careful colleague would.

{WARNING}

Group the papers into paragraphs by what they are about. Give each paragraph a short heading in plain words, a number of words for the whole paragraph (about 25 for each sentence), and its sentences in order: for each its intent in a few words (what it says or sets side by side) and the handles of the papers that it cites. Place every paper exactly once, one or two in a sentence, at most three. Let each paragraph end with a sentence without papers that relates it to the draft.
Answer with JSON that fits the schema."""

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "paragraphs": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "heading": {"type": "string"},
                    "words": {"type": "integer"},
                    "lines": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "intent": {"type": "string"},
                                "handles": {"type": "array", "items": {"type": "integer"}},
                            },
                            "required": ["intent", "handles"],
                            "additionalProperties": False,
                        },
                    },
                },
                "required": ["heading", "words", "lines"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["paragraphs"],
    "additionalProperties": False,
}
_MOST_PAPERS = 3  # in a sentence
_MOST_LINES = 10
_SHOWN = 900  # characters of an abstract: enough to tell what a paper is about
_LONGEST_HEADING, _LONGEST_INTENT = 80, 160


@dataclass(slots=True)
class _Repairs:
    repeated: int = 0
    unknown: int = 0
    missing: int = 0
    reworded: int = 0

    def __str__(self) -> str:
        named = (
            (self.missing, "left out"), (self.repeated, "placed twice"), (self.unknown, "not of the shortlist"),
            (self.reworded, "headings or intents that were not plain words"),
        )  # fmt: skip
        return ", ".join(f"{count} {what}" for count, what in named if count)


def propose_plan(
    fallback: Plan, papers: Mapping[str, Paper], model: LanguageModel, shared: str, words: int | None = None
) -> tuple[Plan, list[Finding]]:
    """A plan by `model`, for about `words` words, that places every paper of `fallback` exactly once; `fallback` if it
    gives none.

    `papers` are records by arXiv id, `shared` the part of the prompt that says what the draft is. Findings:
    `plan_repaired`, `plan_refused`, `model_unavailable`, `budget_reached`. Raises Cancelled, nothing else.
    """
    ids = planned_ids(fallback, papers)
    if not ids:
        return fallback, []
    (reply,) = ask_all(model, [plan_request([papers[value] for value in ids], shared, words)])
    plan, findings = settle_plan(reply, ids, fallback)
    return (plan if words is None else share_words(plan, words)), findings


def planned_ids(fallback: Plan, papers: Mapping[str, Paper]) -> list[str]:
    """The papers to be placed, in the order of their handles."""
    return list(dict.fromkeys(c for p in fallback.paragraphs for line in p.lines for c in line.cites if c in papers))


def settle_plan(reply: Reply | CiteplugError, ids: Sequence[str], fallback: Plan) -> tuple[Plan, list[Finding]]:
    """The plan to follow after an answer, or after none, to the request for a plan for `ids`."""
    if isinstance(reply, CiteplugError):
        return fallback, [model_unavailable(reply, "the plan is made without it")]
    plan, repairs = read_plan(reply, ids, fallback)
    if plan is None:
        return fallback, [
            Finding("plan_refused", "info", "the model gave no plan that can be used: it was made without the model")
        ]
    if str(repairs):
        return plan, [Finding("plan_repaired", "info", f"the model's plan was put right: {repairs}")]
    return plan, []


def plan_request(papers: Sequence[Paper], shared: str, words: int | None = None) -> Request:
    """Ask for a plan for `papers`, whose handles count from 1, of a section of about `words` words."""
    cut = [excerpt(number, paper, _SHOWN) for number, paper in enumerate(papers, start=1)]
    wish = "" if words is None else f"\nThe whole section has about {words} words."
    return Request(
        "plan",
        SYSTEM,
        f"The papers:\n{fenced(cut)}{wish}",
        shared=shared,
        schema=SCHEMA,
        max_tokens=800 + 120 * len(papers),
    )


def read_plan(reply: Reply, ids: Sequence[str], fallback: Plan) -> tuple[Plan | None, _Repairs]:
    """The plan of an answer, every one of `ids` placed once; None if it places fewer than half of them."""
    data = reply.data if reply.data is not None else parse_json(reply.text)
    items = data.get("paragraphs") if isinstance(data, dict) else data
    repairs = _Repairs()
    placed: set[str] = set()
    paragraphs: list[PlanParagraph] = []
    for item in items if isinstance(items, list) else []:
        lines = list(_lines(item, ids, placed, repairs))[:_MOST_LINES] if isinstance(item, dict) else []
        if any(line.cites for line in lines):
            heading = _worded(item.get("heading"), _LONGEST_HEADING, repairs)
            paragraphs.append(PlanParagraph(f"p{len(paragraphs) + 1}", heading, tuple(lines), _words(item, lines)))
    placed = {cite for p in paragraphs for line in p.lines for cite in line.cites}
    if 2 * len(placed) < len(ids):
        return None, repairs
    missing = [value for value in ids if value not in placed]
    repairs.missing = len(missing)
    for value in missing:
        _place(value, paragraphs, fallback)
    return Plan(tuple(paragraphs)), repairs


def _lines(item: Mapping[str, Any], ids: Sequence[str], placed: set[str], repairs: _Repairs) -> Iterator[PlanLine]:
    found = item.get("lines")
    for line in found if isinstance(found, list) else []:
        if not isinstance(line, dict):
            continue
        intent = _worded(line.get("intent"), _LONGEST_INTENT, repairs)
        handles = line.get("handles")
        asked = [number_of(handle) for handle in handles] if isinstance(handles, list) else []
        cites: list[str] = []
        for handle in asked:
            if handle is None or not 1 <= handle <= len(ids):
                repairs.unknown += 1
            elif ids[handle - 1] in placed:
                repairs.repeated += 1
            else:
                placed.add(ids[handle - 1])
                cites.append(ids[handle - 1])
        for start in range(0, len(cites), _MOST_PAPERS):
            yield PlanLine(intent, tuple(cites[start : start + _MOST_PAPERS]))
        if not asked:
            yield PlanLine(intent or RELATE)


def _worded(text: Any, longest: int, repairs: _Repairs) -> str:
    """Plain words for a heading or an intent; empty if they are not."""
    said = plain(text)[: 4 * longest] if isinstance(text, str) else ""
    bare = re.sub(r"[.:;,\s]+$", "", said)
    if bare and (len(bare) > longest or next(plainness(bare), None) is not None or re.search(r"[\[\]%]", bare)):
        repairs.reworded += 1
        return ""
    return bare


def _words(item: Mapping[str, Any], lines: Sequence[PlanLine]) -> int:
    words = number_of(item.get("words"))
    if words is None or not FEWEST_WORDS <= words / len(lines) <= MOST_WORDS:
        return 25 * len(lines)
    return words


def _place(value: str, paragraphs: list[PlanParagraph], fallback: Plan) -> None:
    """Give the paper a sentence beside those that the extractive planner puts it with, before the closing one."""
    mates = {
        c
        for p in fallback.paragraphs
        if any(value in line.cites for line in p.lines)
        for li in p.lines
        for c in li.cites
    }
    shared = [len(mates & {c for line in p.lines for c in line.cites}) for p in paragraphs]
    at = max(range(len(paragraphs)), key=lambda index: (shared[index], index))
    paragraph = paragraphs[at]
    lines = list(paragraph.lines)
    lines.insert(len(lines) if lines[-1].cites else len(lines) - 1, PlanLine("", (value,)))
    paragraphs[at] = PlanParagraph(paragraph.id, paragraph.heading, tuple(lines), paragraph.words + 25)
