"""Summaries of the papers in the light of the draft (Citegeist, section 3.1): material for the writer, never a source.

A paper is summarised alone, so that whatever its abstract tells the model to do reaches no other. A sentence of a
summary that says more than the abstract is dropped; what the section says is checked against the abstract in any case.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from citeplug.attribute.claims import Evidence, doubts
from citeplug.attribute.plainness import first_person, plainness
from citeplug.errors import CiteplugError
from citeplug.ports import LanguageModel, ask_all
from citeplug.records.dialogue import Reply, Request
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Paper
from citeplug.text.cited_text import words
from citeplug.text.json_text import parse_json
from citeplug.text.material import WARNING, bounded, fenced, material_of
from citeplug.text.quotation import SHORTEST
from citeplug.write.by_model.brief import Brief
from citeplug.write.by_model.prose import shared_part

_MOST = 3  # sentences
SYSTEM = f"""You summarize one research paper for the authors of another, the draft, who will write about it in their related-work section.

{WARNING}

Write one to {_MOST} sentences in English on what the paper does and finds that matters to the draft. Say only what its abstract says, with its numbers, names, denials and reservations; leave out what does not matter to the draft. Write of "the paper" or its methods, never of the draft, in plain text without citations, names of authors, LaTeX or mark-up.
Answer with JSON that fits the schema."""
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "summary": {"type": "array", "items": {"type": "string", "description": "one sentence"}},
    },
    "required": ["summary"],
    "additionalProperties": False,
}
_OF_THE_DRAFT = re.compile(r"\b(?:the|this|your|present) (?:draft|manuscript|work)\b", re.IGNORECASE)


def summarise(brief: Brief, model: LanguageModel) -> tuple[dict[str, str], list[Finding]]:
    """Summaries by arXiv id where `brief` wants them although they take a round trip of their own."""
    papers = summarised(brief.papers) if brief.summaries else {}
    return read_summaries(ask_all(model, requests_for_summaries(brief, papers)), papers)


def requests_for_summaries(brief: Brief, papers: Mapping[str, Paper]) -> list[Request]:
    """One request for each of `papers`. They depend on the draft alone, not on its voice: an answer is kept longer."""
    return summary_requests(papers, shared_part(brief.draft.title, brief.draft.abstract))


def summarised(papers: Mapping[str, Paper]) -> dict[str, Paper]:
    """The papers that have text enough to be summarised, no longer than it is handed over."""
    return {value: bounded(paper) for value, paper in papers.items() if len(words(paper.abstract)) >= 2 * SHORTEST}


def summary_requests(papers: Mapping[str, Paper], shared: str) -> list[Request]:
    """One request for each of `papers`; `shared` is the part of the prompt that says what the draft is."""
    return [
        Request(
            "summaries",
            SYSTEM,
            f"The paper:\n{fenced([material_of(1, paper)])}",
            shared,
            SCHEMA,
            400,
            label=paper.title,
        )
        for paper in papers.values()
    ]


def read_summaries(
    replies: Sequence[Reply | CiteplugError], papers: Mapping[str, Paper]
) -> tuple[dict[str, str], list[Finding]]:
    """The summaries that hold, by arXiv id; findings `summary_dropped`, `model_unavailable`, `budget_reached`."""
    found: dict[str, str] = {}
    dropped = 0
    trouble: CiteplugError | None = None
    for (value, paper), reply in zip(papers.items(), replies, strict=True):
        if isinstance(reply, CiteplugError):
            trouble = trouble or reply
            continue
        summary = read_summary(reply, paper)
        dropped += not summary
        if summary:
            found[value] = summary
    findings = []
    if trouble is not None:
        findings.append(model_unavailable(trouble, f"{len(papers) - len(found)} papers have no summary"))
    if dropped:
        findings.append(
            Finding(
                "summary_dropped",
                "info",
                f"of {len(papers)} summaries by the model {dropped} said what the abstract does not, or nothing",
            )
        )
    return found, findings


def read_summary(reply: Reply, paper: Paper) -> str:
    """The sentences of an answer that the abstract bears out; empty if none is."""
    data = reply.data if reply.data is not None else parse_json(reply.text)
    said = data.get("summary") if isinstance(data, dict) else None
    evidence = Evidence((paper.abstract,), titles=(paper.title,))
    kept = [
        sentence
        for item in (said if isinstance(said, list) else [])
        if isinstance(item, str) and (sentence := " ".join(item[:2_000].split())) and _holds(sentence, evidence)
    ]
    return " ".join(dict.fromkeys(kept[:_MOST]))


def _holds(sentence: str, evidence: Evidence) -> bool:
    if _OF_THE_DRAFT.search(sentence) or first_person(sentence) or next(plainness(sentence), None) is not None:
        return False
    return next(doubts(sentence, evidence), None) is None
