"""The request for sentences that follow plan lines (LitLLM, section 4, plan-based), and the reading of its answer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citeplug.attribute.checks import Proposed, Wanted
from citeplug.attribute.claims import Doubt
from citeplug.records.dialogue import Reply, Request
from citeplug.records.section import Kind
from citeplug.text.cleaning import plain
from citeplug.text.json_text import number_of, parse_json
from citeplug.text.material import WARNING, Material, draft_material, fenced
from citeplug.text.quotation import SHORTEST

SYSTEM = f"""You write sentences for the related-work section of a research paper, the draft, as a careful colleague would.

{WARNING}

For each line of the plan write exactly one sentence. A sentence
- cites the papers that its line names, all of them and no others, by their handles: [1] behind what is said of a paper, [@1] where the authors are part of the sentence ("[@1] show that ...", printed as "Smith et al."; after "one author" a singular verb). Nothing else stands in brackets; no names of authors, years, titles in full, identifiers, addresses.
- says only what its quotations say. For each handle in it give one or more quotations from that paper's own abstract, each one uninterrupted stretch of {SHORTEST} words or more, copied word for word. Every number, name, acronym and negation of the sentence stands in a quotation for the same paper, or in its title. No praise, certainty or reach beyond the quotation: no "significantly", "first", "novel", "all", "state-of-the-art" unless it says so, and its "may", "suggest" and "up to" are kept.
- is in your own words: never eight words in a row of an abstract, unless in quotation marks.
- keeps what is said of one paper apart from what is said of another.
- is plain text: no LaTeX, no math, no mark-up.
A line without papers asks for a sentence on the draft alone (about: "draft"), without handles, that says only what the draft's own abstract says, with quotations under handle 0. Say nothing of the draft in other sentences.
Sentences of a paragraph should read as connected prose: vary their openings, and do not begin each with the authors.
Answer with JSON that fits the schema."""

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "line": {"type": "integer", "description": "number of the plan line"},
                    "text": {"type": "string", "description": "the sentence, with its handles"},
                    "handles": {"type": "array", "items": {"type": "integer"}},
                    "quotes": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "handle": {"type": "integer", "description": "of a paper; 0 for the draft"},
                                "quote": {"type": "string", "description": "copied word for word from the abstract"},
                            },
                            "required": ["handle", "quote"],
                            "additionalProperties": False,
                        },
                    },
                    "about": {"type": "string", "enum": ["paper", "draft"]},
                },
                "required": ["line", "text", "handles", "quotes", "about"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["sentences"],
    "additionalProperties": False,
}
_LONGEST_INTENT = 300


@dataclass(frozen=True, slots=True)
class Task:
    """One sentence to be written: what the plan says of it, and what the last attempt was refused for.

    `wanted` names papers by the handles of the request; `words` is the length asked for. `said` is text that stands
    before it, for writing sentence by sentence.
    """

    intent: str
    wanted: Wanted
    words: int
    before: str = ""
    refused: str = ""
    doubts: tuple[Doubt, ...] = ()


def shared_part(title: str, abstract: str, voice: str = "") -> str:
    """The part of the prompt that all requests of a run have: the draft, and how it is written."""
    return f"The draft:\n{fenced([draft_material(title, abstract)])}\n{voice}".rstrip() + "\n"


def prose_request(shared: str, heading: str, tasks: Sequence[Task], papers: Sequence[Material]) -> Request:
    """Ask for one sentence for each of `tasks`; their lines are numbered from 1. `papers` are what they may cite."""
    parts = [f"The papers:\n{fenced(papers)}" if papers else "There are no papers to cite."]
    parts += filter(None, [summaries_note(papers)])
    parts.append(f"The plan of the paragraph “{_one_line(heading)}”:" if heading else "The plan:")
    parts += [_line(number, task) for number, task in enumerate(tasks, start=1)]
    again = any(task.doubts for task in tasks)
    return Request(
        "prose",
        SYSTEM,
        "\n".join(parts),
        shared=shared,
        schema=SCHEMA,
        max_tokens=600 + 500 * len(tasks),
        label=f"{_one_line(heading) or 'a sentence'}{', asked again' if again else ''}",
    )


def summaries_note(papers: Sequence[Material]) -> str:
    """Instruction on the summaries among the material; empty if there are none."""
    note = (
        "A paper's summary says what may matter to the draft; what a sentence says is quoted from the abstract alone."
    )
    return note if any(paper.summary for paper in papers) else ""


def _line(number: int, task: Task) -> str:
    cites = ", ".join(f"[{handle}]" for handle in task.wanted.handles)
    text = f"line {number}: {_one_line(task.intent) or 'say what they contribute'}; "
    if not task.wanted.handles:
        text += "about the draft, no papers"
    else:
        text += f"cite {'one or more of ' if task.wanted.any_of else ''}{cites}"
    text += f"; about {task.words} words"
    if task.before:
        text += f"\n  it follows: {_one_line(task.before, 1_500)}"
    if task.doubts:
        text += f"\n  your last attempt was: {json.dumps(_one_line(task.refused, 700), ensure_ascii=False)}"
        text += "".join(f"\n  it cannot stand: {_one_line(doubt.reason)}" for doubt in task.doubts[:6])
    return text


def _one_line(text: str, longest: int = _LONGEST_INTENT) -> str:
    """Words of a plan or a model as one bounded line that cannot be taken for a fence."""
    return plain(text).replace("<", "‹").replace(">", "›")[:longest]


def read_prose(reply: Reply, lines: int) -> dict[int, Proposed]:
    """The sentences that a model proposes, by the number of their plan line (from 1); what cannot be read is left out.

    Whatever a model may answer is read as far as it goes: prose around the JSON, a bare list, handles as texts. Of
    two sentences for one line the first counts.
    """
    data = reply.data if reply.data is not None else parse_json(reply.text)
    items = data.get("sentences") if isinstance(data, dict) else data
    found: dict[int, Proposed] = {}
    for position, item in enumerate(items if isinstance(items, list) else [], start=1):
        if not isinstance(item, dict) or not isinstance(item.get("text"), str):
            continue
        line = number_of(item.get("line"))
        line = position if line is None else line
        if 1 <= line <= lines and line not in found:
            kind: Kind = "draft" if item.get("about") == "draft" else "paper"
            found[line] = Proposed(item["text"][:5_000], _quotes(item.get("quotes")), kind)
    return found


def _quotes(items: Any) -> tuple[tuple[int, str], ...]:
    found = []
    for item in items if isinstance(items, list) else []:
        handle = number_of(item.get("handle")) if isinstance(item, dict) else None
        if handle is not None and isinstance(item.get("quote"), str):
            found.append((handle, item["quote"]))
    return tuple(found[:40])
