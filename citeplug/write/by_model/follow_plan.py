"""Prose by a language model that follows a plan (LitLLM, section 4), with the extractive writer in place of sentences that it does not get right.

    plan lines -> one request a paragraph, all at once -> checks in code -> what failed is asked again, line by line,
    all at once, at most twice -> what still fails is said in the abstract's own words

A line that is asked again is asked alone, with its own papers and no others: whatever another abstract may have
told the model to do cannot reach it there.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from citeplug.attribute.checks import DRAFT, Wanted, check_sentence
from citeplug.attribute.claims import Doubt
from citeplug.errors import CiteplugError
from citeplug.plan.lengths import TOLERANCE
from citeplug.plan.resolve import Resolver
from citeplug.ports import LanguageModel, ask_all
from citeplug.records.dialogue import Reply, Request
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Paper
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section, SectionParagraph, Sentence
from citeplug.text.cited_text import bare, length, words
from citeplug.text.material import Material, bounded, draft_material, material_of
from citeplug.text.quotation import SHORTEST
from citeplug.write.by_model.brief import Brief, Composed
from citeplug.write.by_model.lines import Line, report_length, report_line
from citeplug.write.by_model.prose import Task, prose_request, read_prose, shared_part
from citeplug.write.by_model.summaries import summarise
from citeplug.write.extractive.section import WrittenLine, write_lines

REPAIRS = 2  # how often a sentence may be asked again
_MOST = 6  # papers in one sentence; more are listed without the model

Cut = Literal["paragraph", "line", "sequence"]


@dataclass(frozen=True, slots=True)
class Prose:
    """A written section. `refused` counts the reasons why sentences were refused, `replaced` those never accepted."""

    section: Section
    findings: tuple[Finding, ...]
    refused: Mapping[str, int]
    replaced: int


def write_prose(
    plan: Plan,
    draft: Draft,
    papers: Mapping[str, Paper],
    model: LanguageModel,
    *,
    voice: str = "",
    authored: bool = False,
    cut: Cut = "paragraph",
    summaries: Mapping[str, str] | None = None,
    language: str = "English",
) -> Prose:
    """Write `plan` with `model`; every line with known papers gets a sentence that cites exactly them.

    `papers` are records by arXiv id without version. `voice` tells the model how the draft is written. `authored`
    says that the plan's words are the author's, who may bring in names of his own. `cut` is what one request asks
    for: a paragraph, a line, or lines one after the other, each knowing what stands before it. `summaries` by arXiv id
    help to read the papers; nothing is quoted from them. `language` is that of the sentences. The model's sentences
    pass `check_sentence` or do not appear. Never raises on account of the model, save Cancelled: an outage is a
    finding. Findings, beside those of the extractive writer: `sentence_replaced`, `sentence_dropped`, `plan_words`,
    `model_unavailable`, `budget_reached`.
    """
    papers = {value: bounded(paper) for value, paper in papers.items()}
    shared = shared_part(draft.title, draft.abstract, voice)
    writer = _Writer(plan, draft, papers, model, shared, summaries or {}, language)
    for paragraph in plan.paragraphs:
        writer.add(paragraph, authored)
    writer.write(cut)
    return writer.result()


def follow(brief: Brief, model: LanguageModel, cut: Cut) -> Composed:
    """Follow the plan of `brief`; papers are summarised first where that is asked for although it takes a round trip."""
    told, doubts = summarise(brief, model)
    done = follow_with(brief, model, cut, told)
    return replace(done, findings=(*doubts, *done.findings))


def follow_with(brief: Brief, model: LanguageModel, cut: Cut, summaries: Mapping[str, str]) -> Composed:
    """Follow the plan of `brief`, with these summaries by arXiv id."""
    prose = write_prose(
        brief.plan,
        brief.draft,
        brief.papers,
        model,
        voice=brief.voice,
        authored=brief.authored,
        cut=cut,
        summaries=summaries,
        language=brief.language,
    )
    return Composed(brief.plan, prose.section, prose.findings, prose.refused, prose.replaced, summaries)


@dataclass(slots=True)
class _Writer:
    plan: Plan
    draft: Draft
    papers: Mapping[str, Paper]
    model: LanguageModel
    shared: str
    summaries: Mapping[str, str]
    language: str
    paragraphs: list[tuple[PlanParagraph, list[Line]]] = field(default_factory=list)
    stand_ins: list[list[WrittenLine]] | None = None
    trouble: CiteplugError | None = None
    refusals: Counter[str] = field(default_factory=Counter)

    def add(self, planned: PlanParagraph, authored: bool) -> None:
        resolver = Resolver(self.papers, self.draft)
        row = len(self.paragraphs)
        lines: list[Line] = []
        for column, line in enumerate(planned.lines):
            ids, unknown = resolver.resolve(line)
            granted = f"{planned.heading} . {line.intent}" if authored else ""
            asked = self._can_be_asked(line, ids)
            stand_in = partial(self._stand_in, row, column)
            lines.append(Line(line, ids, unknown, planned.heading, 0, granted, asked, stand_in))
        speaking = [line for line in lines if line.ids or not line.planned.cites]
        share = planned.words // max(1, len(speaking)) if planned.words else 25
        for each in lines:
            each.words = min(60, max(10, share))
        self.paragraphs.append((planned, lines))

    def _stand_in(self, row: int, column: int) -> WrittenLine:
        """The sentences made from the abstracts for a line, written when the first is needed."""
        if self.stand_ins is None:
            self.stand_ins = write_lines(self.plan, self.draft, self.papers)
        return self.stand_ins[row][column]

    def _can_be_asked(self, line: PlanLine, ids: Sequence[str]) -> bool:
        """True if there is text enough to quote from."""
        if not line.cites:
            return len(words(self.draft.abstract)) >= SHORTEST
        return 0 < len(ids) <= _MOST and all(len(words(self.papers[i].abstract)) >= SHORTEST for i in ids)

    def write(self, cut: Cut) -> None:
        groups = [[line for line in lines if line.asked] for _, lines in self.paragraphs]
        if cut == "sequence":
            for number in range(max(map(len, groups), default=0)):
                self._ask([[group[number]] for group in groups if number < len(group)], told=groups)
        elif cut == "line":
            self._ask([[line] for group in groups for line in group])
        else:
            self._ask([group for group in groups if group])
        for turn in range(REPAIRS):
            if turn == 0:
                self._mark_lengths()
            again = [line for group in groups for line in group if line.doubts]
            if not again or self.trouble is not None:
                break
            self._ask([[line] for line in again])

    def _ask(self, groups: Sequence[Sequence[Line]], told: Sequence[Sequence[Line]] = ()) -> None:
        if self.trouble is not None or not groups:
            return
        desks = [self._desk(group) for group in groups]
        requests = [self._request(group, desk, told) for group, desk in zip(groups, desks, strict=True)]
        for group, desk, reply in zip(groups, desks, ask_all(self.model, requests), strict=True):
            if isinstance(reply, CiteplugError):
                self.trouble = self.trouble or reply
            else:
                self._read(group, desk, reply)

    def _desk(self, group: Sequence[Line]) -> dict[int, Material]:
        """Materials of a request by handle; handles count from 1 in each request."""
        ids = dict.fromkeys(value for line in group for value in line.ids)
        desk = {
            number: material_of(number, self.papers[value], self.summaries.get(value, ""))
            for number, value in enumerate(ids, start=1)
        }
        return {DRAFT: draft_material(self.draft.title, self.draft.abstract), **desk}

    def _wanted(self, line: Line, desk: Mapping[int, Material]) -> Wanted:
        handles = {material.paper.id.value: number for number, material in desk.items() if material.paper is not None}
        return Wanted(tuple(handles[value] for value in line.ids), line.granted, language=self.language)

    def _request(self, group: Sequence[Line], desk: Mapping[int, Material], told: Sequence[Sequence[Line]]) -> Request:
        tasks = [
            Task(
                line.planned.intent,
                self._wanted(line, desk),
                line.words,
                before=_before(line, told),
                refused=line.refused,
                doubts=line.doubts,
            )
            for line in group
        ]
        return prose_request(self.shared, group[0].heading, tasks, [m for m in desk.values() if m.paper is not None])

    def _read(self, group: Sequence[Line], desk: Mapping[int, Material], reply: Reply) -> None:
        proposed = read_prose(reply, len(group))
        for number, line in enumerate(group, start=1):
            if number not in proposed:
                why = (
                    "the model refused to answer" if reply.stop == "refusal" else "there was no sentence for this line"
                )
                self._refuse(line, "", (Doubt("silent", why),))
                continue
            checked = check_sentence(proposed[number], self._wanted(line, desk), desk)
            if checked.sentence is None:
                self._refuse(line, proposed[number].text, checked.refusals)
            elif self._repeats(line, checked.sentence):
                again = Doubt("repeated", "this sentence stands in the section already: say something else")
                self._refuse(line, proposed[number].text, (again,))
            else:
                line.accept(checked.sentence)

    def _repeats(self, line: Line, sentence: Sentence) -> bool:
        others = (other for _, lines in self.paragraphs for other in lines if other is not line)
        return any(other.accepted is not None and other.accepted.text == sentence.text for other in others)

    def _refuse(self, line: Line, text: str, doubts: tuple[Doubt, ...]) -> None:
        self.refusals.update({doubt.code for doubt in doubts})
        if line.accepted is not None:
            line.doubts = ()  # only its length was asked about, and what was said before stands
        else:
            line.refused, line.doubts = text, doubts

    def _mark_lengths(self) -> None:
        """Ask once for other lengths where a paragraph that is else complete misses its words."""
        for planned, lines in self.paragraphs:
            if any(line.accepted is None for line in lines if line.asked) or not planned.words:
                continue
            said = length([s for line in lines for s in line.sentences])
            if abs(said - planned.words) <= TOLERANCE * planned.words:
                continue
            for line in lines:
                if line.accepted is None or abs(length([line.accepted]) - line.words) <= TOLERANCE * line.words:
                    continue
                line.refused = bare(line.accepted.text)
                line.doubts = (
                    Doubt(
                        "length",
                        f"it has {length([line.accepted])} words: write about {line.words}, as true to its quotations",
                    ),
                )

    def result(self) -> Prose:
        findings: list[Finding] = []
        paragraphs: list[SectionParagraph] = []
        replaced = 0
        for planned, lines in self.paragraphs:
            for line in lines:
                replaced += line.asked and line.accepted is None
                findings += report_line(planned.id, line, outage=self.trouble is not None, language=self.language)
            sentences = tuple(s for line in lines for s in line.sentences)
            findings += report_length(planned, sentences)
            paragraphs.append(SectionParagraph(planned.id, planned.heading, sentences))
        if self.trouble is not None:
            findings.append(model_unavailable(self.trouble, "sentences made from the abstracts are used"))
        return Prose(Section(tuple(paragraphs)), tuple(findings), dict(self.refusals), replaced)


def _before(line: Line, told: Sequence[Sequence[Line]]) -> str:
    """The paragraph so far, where sentences are written one after the other."""
    for group in told:
        if any(other is line for other in group):
            return " ".join(bare(other.accepted.text) for other in group if other.accepted is not None)
    return ""
