"""Summaries of the papers in the light of the draft (Citegeist, section 3.1): material for plan and prose, never a source.

A paper is summarised alone, so that whatever its text tells the model to do reaches no other. A sentence of a summary
that a check in code refuses is left out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from citeplug.errors import CiteplugError
from citeplug.protocols import LanguageModel, ask_all
from citeplug.records.dialogue import Reply, Request
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Paper
from citeplug.records.passage import Passage
from citeplug.related.attribute.claims import SUSPECTED, unsourced
from citeplug.related.attribute.evidence import Doubt
from citeplug.related.attribute.plainness import first_person, plainness
from citeplug.related.write.by_model.brief import Brief
from citeplug.related.write.by_model.prose import shared_part
from citeplug.text.cited_text import words
from citeplug.text.json_text import list_of, object_of, replied_object
from citeplug.text.material import WARNING, Material, bounded, draft_material, fenced, material_of
from citeplug.text.quotation import SHORTEST

_MOST = 3  # sentences
SYSTEM = f"""You summarize one research paper for the authors of another, the draft, who will write about it in their related-work section.

{WARNING}

Write one to {_MOST} sentences in English: first what the paper does, then what it finds and what it leaves open, as far as that matters to the draft. Say only what its text says, with its numbers, names, denials and reservations; leave out what does not matter to the draft. Write of "the paper" or its methods, never of the draft, in plain text without citations, names of authors, LaTeX or mark-up.
Answer with JSON that fits the schema."""
SCHEMA = object_of({"summary": list_of({"type": "string", "description": "one sentence"})})
_OF_THE_DRAFT = re.compile(r"\b(?:the|this|your|present) (?:draft|manuscript)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """Summaries as far as they hold, by arXiv id.

    Findings: `summary_dropped`, `model_unavailable`, `budget_reached`.
    """

    summaries: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


NOTHING = Told()


def summarise(brief: Brief, model: LanguageModel) -> Told:
    """Summaries of the papers of `brief`, a request each, all at once, if it wants them."""
    if not brief.summaries:
        return NOTHING
    papers = {value: _material(paper, brief.passages.get(value, ())) for value, paper in brief.papers.items()}
    materials = {
        value: material
        for value, material in papers.items()
        if sum(len(words(text)) for text in material.texts) >= 2 * SHORTEST
    }
    # They depend on the draft alone, not on its voice: an answer is kept longer.
    shared = shared_part(draft_material(brief.draft.title, brief.draft.abstract))
    replies = ask_all(model, [_request(material, shared) for material in materials.values()])
    summaries: dict[str, str] = {}
    refused = 0
    trouble: CiteplugError | None = None
    for (value, material), reply in zip(materials.items(), replies, strict=True):
        if isinstance(reply, CiteplugError):
            trouble = trouble or reply
            continue
        summary, doubts = read_summary(reply, material)
        refused += bool(doubts)
        if summary:
            summaries[value] = summary
    findings = []
    if trouble is not None:
        findings.append(model_unavailable(trouble, f"{len(materials) - len(summaries)} papers have no summary"))
    if refused:
        message = f"of {len(materials)} summaries by the model {refused} said nothing, or something that the paper does not say"
        findings.append(Finding("summary_dropped", "info", message))
    return Told(summaries, tuple(findings))


def _material(paper: Paper, passages: Sequence[Passage]) -> Material:
    return material_of(1, bounded(paper), passages=passages)


def _request(material: Material, shared: str) -> Request:
    return Request("summaries", SYSTEM, f"The paper:\n{fenced([material])}", shared, SCHEMA, 400, label=material.title)


def read_summary(reply: Reply, material: Material) -> tuple[str, tuple[str, ...]]:
    """The sentences of an answer that every check in code lets pass, and the reasons against the others."""
    items = replied_object(reply).get("summary")
    sentences: list[str] = []
    refused: list[str] = []
    for item in items if isinstance(items, list) else []:
        sentence = " ".join(item[:2_000].split()) if isinstance(item, str) else ""
        doubt = next(_doubts(sentence, material), None) if sentence else None
        if doubt is not None:
            refused.append(f"“{sentence[:200]}”: {doubt.reason}")
        elif sentence:
            sentences.append(sentence)
    if not sentences and not refused:
        refused.append("there was no summary")
    return " ".join(dict.fromkeys(sentences[:_MOST])), tuple(refused)


def _doubts(sentence: str, material: Material) -> Iterator[Doubt]:
    if _OF_THE_DRAFT.search(sentence) or first_person(sentence):
        yield Doubt("voice", "write of the paper, neither of the draft nor as its authors")
    yield from plainness(sentence)
    doubts = unsourced(sentence, (material.title, *material.texts), "", "English")
    yield from (doubt for doubt in doubts if doubt.code not in SUSPECTED)
