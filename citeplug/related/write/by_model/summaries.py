"""Summaries of the papers in the light of the draft (Citegeist, section 3.1): material for the writer, never a source.

A paper is summarised alone, so that whatever its abstract tells the model to do reaches no other. A sentence of a
summary that a check in code refuses is asked for once more, together with the prose, which does not wait for it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from citeplug.errors import CiteplugError
from citeplug.protocols import LanguageModel, ask_all
from citeplug.records.dialogue import Reply, Request
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Paper
from citeplug.related.attribute.claims import unsourced
from citeplug.related.attribute.evidence import Doubt
from citeplug.related.attribute.plainness import first_person, plainness
from citeplug.related.write.by_model.brief import Brief
from citeplug.related.write.by_model.prose import one_line, shared_part
from citeplug.text.cited_text import words
from citeplug.text.json_text import list_of, object_of, replied_object
from citeplug.text.material import WARNING, bounded, draft_material, fenced, material_of
from citeplug.text.quotation import SHORTEST

_MOST = 3  # sentences
SYSTEM = f"""You summarize one research paper for the authors of another, the draft, who will write about it in their related-work section.

{WARNING}

Write one to {_MOST} sentences in English: first what the paper does, then what it finds and what it leaves open, as far as that matters to the draft. Say only what its abstract says, with its numbers, names, denials and reservations; leave out what does not matter to the draft. Write of "the paper" or its methods, never of the draft, in plain text without citations, names of authors, LaTeX or mark-up.
Answer with JSON that fits the schema."""
SCHEMA = object_of({"summary": list_of({"type": "string", "description": "one sentence"})})
_OF_THE_DRAFT = re.compile(r"\b(?:the|this|your|present) (?:draft|manuscript)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """The papers that were to be summarised, and their summaries as far as they hold, by arXiv id.

    `again` are requests for summaries of which a sentence was refused; `trouble` is the first error of the model.
    """

    papers: Mapping[str, Paper] = field(default_factory=dict)
    summaries: Mapping[str, str] = field(default_factory=dict)
    again: Mapping[str, Request] = field(default_factory=dict)
    trouble: CiteplugError | None = None

    def with_replies(self, replies: Sequence[Reply | CiteplugError]) -> "Told":
        """With the answers to `again`, each in the place of the first answer unless less of it holds."""
        summaries = dict(self.summaries)
        refused: dict[str, Request] = {}
        for (value, request), reply in zip(self.again.items(), replies, strict=True):
            summary, doubts = read_summary(reply, self.papers[value]) if isinstance(reply, Reply) else ("", ("",))
            if len(summary) >= len(summaries.get(value, "")):
                summaries[value] = summary
            if doubts or not summaries.get(value):
                refused[value] = request
        return replace(self, summaries={v: text for v, text in summaries.items() if text}, again=refused)

    @property
    def findings(self) -> list[Finding]:
        """Findings `summary_dropped`, `model_unavailable`, `budget_reached`, once nothing is asked again."""
        findings = []
        if self.trouble is not None:
            missing = len(self.papers) - len(self.summaries)
            findings.append(model_unavailable(self.trouble, f"{missing} papers have no summary"))
        if self.again:
            message = f"of {len(self.papers)} summaries by the model {len(self.again)} said what the abstract does not, or nothing"
            findings.append(Finding("summary_dropped", "info", message))
        return findings


NOTHING = Told()


def summarise(brief: Brief, model: LanguageModel) -> Told:
    """Summaries by arXiv id where `brief` wants them although they take a round trip of their own."""
    papers = summarised(brief.papers) if brief.summaries else {}
    shared = shared_part(draft_material(brief.draft.title, brief.draft.abstract))
    return read_summaries(ask_all(model, summary_requests(papers, shared)), papers, shared)


def summarised(papers: Mapping[str, Paper]) -> dict[str, Paper]:
    """The papers that have text enough to be summarised, no longer than it is handed over."""
    return {value: bounded(paper) for value, paper in papers.items() if len(words(paper.abstract)) >= 2 * SHORTEST}


def summary_requests(papers: Mapping[str, Paper], shared: str) -> list[Request]:
    """One request for each of `papers`; `shared` is the part of the prompt that says what the draft is.

    They depend on the draft alone, not on its voice: an answer is kept longer.
    """
    return [_request(paper, shared) for paper in papers.values()]


def _request(paper: Paper, shared: str, refused: Sequence[str] = ()) -> Request:
    task = [f"The paper:\n{fenced([material_of(1, paper)])}"]
    if refused:
        task.append("You summarized it before, and some of that cannot be used. Write the whole summary again:")
        task += [f"  reason: {one_line(reason)}" for reason in refused[:6]]
    return Request("summaries", SYSTEM, "\n".join(task), shared, SCHEMA, 400, label=paper.title)


def read_summaries(replies: Sequence[Reply | CiteplugError], papers: Mapping[str, Paper], shared: str) -> Told:
    """What holds of the answers to `summary_requests`, and what is to be asked again."""
    summaries: dict[str, str] = {}
    again: dict[str, Request] = {}
    trouble: CiteplugError | None = None
    for (value, paper), reply in zip(papers.items(), replies, strict=True):
        if isinstance(reply, CiteplugError):
            trouble = trouble or reply
            continue
        summary, refused = read_summary(reply, paper)
        if summary:
            summaries[value] = summary
        if refused:
            again[value] = _request(paper, shared, refused)
    return Told(papers, summaries, again, trouble)


def read_summary(reply: Reply, paper: Paper) -> tuple[str, tuple[str, ...]]:
    """The sentences of an answer that every check in code lets pass, and the reasons against the others."""
    items = replied_object(reply).get("summary")
    sentences: list[str] = []
    refused: list[str] = []
    for item in items if isinstance(items, list) else []:
        sentence = " ".join(item[:2_000].split()) if isinstance(item, str) else ""
        doubt = next(_doubts(sentence, paper), None) if sentence else None
        if doubt is not None:
            refused.append(f"“{sentence[:200]}”: {doubt.reason}")
        elif sentence:
            sentences.append(sentence)
    if not sentences and not refused:
        refused.append("there was no summary")
    return " ".join(dict.fromkeys(sentences[:_MOST])), tuple(refused)


def _doubts(sentence: str, paper: Paper) -> Iterator[Doubt]:
    if _OF_THE_DRAFT.search(sentence) or first_person(sentence):
        yield Doubt("voice", "write of the paper, neither of the draft nor as its authors")
    yield from plainness(sentence)
    yield from unsourced(sentence, (paper.title, paper.abstract), "", "English")
