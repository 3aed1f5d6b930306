"""Prose by a language model that follows a plan (LitLLM, section 4).

    plan -> prose, a request a paragraph, all at once -> checks in code -> judge
         -> revision of the whole section in one request: what was refused is written anew -> checks
         -> judge of what changed

What is still refused is dropped and reported; a planned paper that would vanish with it is given the sentence that
the extractive writer makes of its abstract.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from citeplug.errors import CiteplugError
from citeplug.protocols import LanguageModel, ask_all
from citeplug.records.dialogue import Reply, Request
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.section import Section, SectionParagraph, Sentence
from citeplug.related.attribute.checks import DRAFT, SentenceDemands, check_sentence
from citeplug.related.attribute.evidence import Doubt
from citeplug.related.attribute.handles import read_handles
from citeplug.related.attribute.judge import judge_section, settle
from citeplug.related.plan.lengths import TOLERANCE
from citeplug.related.write.by_model.brief import Brief, Composed, Cut, Materials, divide, lay_out, rounds_of
from citeplug.related.write.by_model.finish import dropped, with_stand_ins
from citeplug.related.write.by_model.paragraph import (
    ParagraphPart,
    Slot,
    joined,
    text_so_far,
    to_be_judged,
    with_topics,
)
from citeplug.related.write.by_model.prose import prose_request, read_prose
from citeplug.related.write.by_model.revise import read_revision, revise_request, settled
from citeplug.related.write.by_model.summaries import NOTHING, Told, summarise
from citeplug.section_file.grammar import WORDS_PER_SENTENCE
from citeplug.text.cited_text import bare, length

_REPEATED = Doubt("repeated", "this sentence is in the section already: say something else")


def follow(brief: Brief, model: LanguageModel, cut: Cut) -> Composed:
    """Follow the plan of `brief`; papers are summarised first where that is asked for although it takes a round trip."""
    return write_prose(brief, model, cut, summarise(brief, model))


def write_prose(brief: Brief, model: LanguageModel, cut: Cut = "paragraph", told: Told = NOTHING) -> Composed:
    """Write the plan of `brief` with `model`; each paragraph cites the known papers of its lines and no others.

    `cut` is what one request asks for. Never raises on account of the model, save Cancelled: an outage is a finding.
    Findings, beside those of the extractive writer and of `settle`: `sentence_replaced`, `sentence_dropped`,
    `polish_refused`, `not_positioned`, `plan_words`, `model_unavailable`, `budget_reached`, `summary_dropped`.
    """
    writer = ModelWriter(brief, lay_out(brief, told.summaries), model)
    parts = divide(brief, writer.desk, cut)
    writer.write(rounds_of(parts, in_turn=cut == "sequence"))
    paragraphs = joined(parts)
    writer.judge(paragraphs, [part.slots for part in paragraphs])
    revised = writer.revise(paragraphs)
    writer.judge(paragraphs, [revised.get(part.planned.id, part.slots) for part in paragraphs])
    writer.settle(paragraphs, revised)
    return writer.finish(paragraphs, told)


@dataclass(slots=True)
class ModelWriter:
    """`trouble` is the first error of the model, after which it is asked for no more prose; `unjudged`: the judge had one.

    `refusals` counts the reasons for which sentences were refused.
    """

    brief: Brief
    desk: Materials
    model: LanguageModel
    trouble: CiteplugError | None = None
    unjudged: bool = False
    refusals: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def write(self, rounds: Sequence[Sequence[ParagraphPart]]) -> None:
        """Ask for the parts of each round at once."""
        parts = [part for parts_of_round in rounds for part in parts_of_round]
        for parts_of_round in rounds:
            requests = [self._request(part, part.task(text_so_far(part, parts))) for part in parts_of_round]
            for part, reply in zip(parts_of_round, self._ask(requests), strict=True):
                self._read(part, reply, parts)

    def judge(self, paragraphs: Sequence[ParagraphPart], slots_of: Sequence[list[Slot]]) -> None:
        """Let the judge compare the sentences that have no verdict with their sources, all in one request.

        What it finds that a paragraph does not say of the draft is a remark on it.
        """
        due = [
            (part, slots)
            for part, slots in zip(paragraphs, map(with_topics, slots_of), strict=True)
            if not all(slot.judged or slot.accepted is None for slot in slots)
        ]
        if not due or self.unjudged:
            return
        section = Section(tuple(SectionParagraph("", "", tuple(map(_shown, slots))) for _, slots in due))
        draft = self.desk.materials[DRAFT]
        done = judge_section(section, self.brief.papers, draft, self.model, self.brief.passages, positions_too=True)
        self.findings += done.findings
        self.unjudged = any(finding.code in ("model_unavailable", "budget_reached") for finding in done.findings)
        for row, ((part, slots), paragraph) in enumerate(zip(due, done.section.paragraphs, strict=True)):
            part.position = done.positions.get(row, "")
            part.remarks = [*filter(None, [part.position]), *done.harms.get(row, ())]
            for slot, sentence in zip(slots, paragraph.sentences, strict=True):
                slot.accepted = sentence if sentence.by_model else slot.accepted

    def revise(self, paragraphs: Sequence[ParagraphPart]) -> dict[str, list[Slot]]:
        """The paragraphs that the model changes when it sees the section as a whole, by id, checked in code.

        What was refused is asked for again, and so is what a paragraph lacks; the rest is smoothed, where a judge can
        compare the outcome.
        """
        for part in paragraphs:
            for slot in part.slots:
                self._refuse_if_refuted(slot)
            part.make_room_for_the_missing()
            if len(part.accepted) < len(part.slots):
                part.slots = [to_be_judged(slot) for slot in part.slots]
            if self.brief.authored and part.accepted:
                part.remarks += _not_as_planned(part)
        due = [part for part in paragraphs if part.is_due]
        smooth = self.brief.polish and any(slot.judged for part in paragraphs for slot in part.slots)
        if self.trouble is not None or not (due or smooth):
            return {}
        handles = dict.fromkeys(handle for part in due for handle in part.needed)
        materials = [self.desk.materials[handle] for handle in handles]
        (reply,) = self._ask([revise_request(self.desk.shared, materials, paragraphs, smooth)])
        revised = read_revision(reply, paragraphs, smooth) if isinstance(reply, Reply) else {}
        for part in paragraphs:
            others = [other for other in paragraphs if other is not part]
            self._check(revised.get(part.planned.id, []), part, others)
        return revised

    def settle(self, paragraphs: Sequence[ParagraphPart], revised: Mapping[str, list[Slot]]) -> None:
        """Give each paragraph its sentences as they are in the end."""
        for part in paragraphs:
            part.slots, part.dropped, why = settled(part.slots, revised.get(part.planned.id, []))
            part.silent = "" if part.slots else part.silent
            if why:
                self.findings.append(_unrevised(part, why))
            if part.position and part.slots:
                self.findings.append(_not_positioned(part))

    def finish(self, paragraphs: Sequence[ParagraphPart], told: Told) -> Composed:
        """The section as it is in the end, without what is not borne out, and what is to be said of it."""
        written = Section(
            tuple(SectionParagraph(p.planned.id, p.planned.heading, _sentences(p.slots)) for p in paragraphs)
        )
        borne_out, doubts = settle(written, self.brief.language)
        section, missing = with_stand_ins(self.brief, borne_out, {p.planned.id for p in paragraphs if p.lost})
        if self.trouble is not None:
            doubts.append(model_unavailable(self.trouble, "sentences made from the abstracts are used"))
        texts = [bare(sentence.text) for paragraph in section.paragraphs for sentence in paragraph.sentences]
        own = [f for f in self.findings if f.code != "harms_draft" or f.message.endswith(tuple(texts))]
        findings = (*told.findings, *own, *doubts, *dropped(paragraphs), *missing)
        all_findings = tuple(dict.fromkeys(findings))
        return Composed(self.brief.plan, section, all_findings, dict(self.refusals), told.summaries)

    def _ask(self, requests: Sequence[Request]) -> list[Reply | CiteplugError]:
        if self.trouble is not None:
            return [self.trouble] * len(requests)
        replies = ask_all(self.model, requests)
        self.trouble = next((reply for reply in replies if isinstance(reply, CiteplugError)), None)
        return replies

    def _request(self, part: ParagraphPart, task: Sequence[str]) -> Request:
        papers = [self.desk.materials[handle] for handle in part.needed]
        label = part.planned.heading or "the section"
        return prose_request(self.desk.shared, task, papers, label, len(part.planned.lines))

    def _read(self, part: ParagraphPart, reply: Reply | CiteplugError, parts: Sequence[ParagraphPart]) -> None:
        """Take an answer into its part, and check it."""
        if isinstance(reply, CiteplugError):
            part.lost = True
            return
        answered = read_prose(reply)
        if not answered:
            self.refusals["silent"] += 1
        part.take(answered, "the model refused to answer" if reply.stop == "refusal" else "no sentence could be read")
        self._check(part.slots, part, parts)

    def _check(self, slots: Sequence[Slot], part: ParagraphPart, parts: Sequence[ParagraphPart]) -> None:
        """Accept or refuse the sentences that were not looked at yet."""
        others = (slot for other in parts for slot in other.slots)
        texts = {slot.accepted.text for slot in (*others, *slots) if slot.accepted is not None}
        demands = SentenceDemands(part.allowed, part.granted, any_of=True, language=self.brief.language)
        for slot in slots:
            if slot.accepted is not None or slot.doubts:
                continue
            checked = check_sentence(slot.proposed, demands, self.desk.materials)
            slot.accepted, slot.doubts = checked.sentence, checked.refusals
            if checked.sentence is not None and checked.sentence.text in texts:
                slot.accepted, slot.doubts = None, (_REPEATED,)
            texts |= {checked.sentence.text} if checked.sentence is not None else set()
            self.refusals.update({doubt.code for doubt in slot.doubts})

    def _refuse_if_refuted(self, slot: Slot) -> None:
        if slot.refuted:
            slot.doubts = (Doubt("judged", f"the sources do not support it: {slot.refuted}"),)
            slot.accepted = None
            self.refusals["judged"] += 1


def _sentences(slots: Sequence[Slot]) -> tuple[Sentence, ...]:
    return tuple(slot.accepted for slot in with_topics(slots) if slot.accepted is not None)


def _shown(slot: Slot) -> Sentence:
    """The sentence as the judge sees it; what was refused is shown beside the others, which may rest on it."""
    if slot.accepted is not None:
        return slot.accepted
    pieces = read_handles(slot.proposed.text)
    text = "".join(piece.text or (" [authors]" if piece.textual else " [a work]") for piece in pieces) or "..."
    return Sentence(text, slot.proposed.kind, (), ())


def _not_as_planned(part: ParagraphPart) -> list[str]:
    """Remarks on a paragraph of the author's plan that has another number of sentences or words than it says."""
    remarks = []
    sentences, words = len(part.slots), length(part.accepted)
    if sentences != part.planned.sentences:
        remarks.append(f"the author's plan has {part.planned.sentences} sentences here, and there are {sentences}")
    default = WORDS_PER_SENTENCE * part.planned.sentences
    if part.planned.words not in (0, default) and abs(words - part.planned.words) > TOLERANCE * part.planned.words:
        remarks.append(f"the author's plan has {part.planned.words} words here, and there are {words}")
    return remarks


def _unrevised(part: ParagraphPart, why: str) -> Finding:
    message = f"{part.planned.id} keeps some sentences as they were before the revision: {why[:300]}"
    return Finding("polish_refused", "info", message)


def _not_positioned(part: ParagraphPart) -> Finding:
    message = f"{part.planned.id} does not set the draft apart from the works it cites: {part.position[:300]}"
    return Finding("not_positioned", "info", message, fix="say it yourself, if it is true")
