"""Prose by a language model that follows a plan (LitLLM, section 4).

    plan -> prose, a request a paragraph, all at once -> checks in code -> judge
         -> repairs, a request a paragraph, all at once -> checks -> polish of the whole section -> checks
         -> judge of what changed

What is still refused is dropped and reported; a planned paper that would vanish with it is given the sentence that
the extractive writer makes of its abstract.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from citeplug.errors import CiteplugError
from citeplug.protocols import LanguageModel, ask_all
from citeplug.records.dialogue import Reply, Request
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.section import Section, SectionParagraph, Sentence
from citeplug.related.attribute.checks import DRAFT, SentenceDemands, check_sentence
from citeplug.related.attribute.evidence import Doubt
from citeplug.related.attribute.judge import judge_section, settle
from citeplug.related.write.by_model.brief import Brief, Composed, Cut, Materials, divide, lay_out, rounds_of
from citeplug.related.write.by_model.finish import dropped, polish_request, read_polish, with_stand_ins
from citeplug.related.write.by_model.paragraph import ParagraphPart, Slot, joined, standing, text_so_far
from citeplug.related.write.by_model.prose import prose_request, read_prose
from citeplug.related.write.by_model.summaries import NOTHING, Told, summarise
from citeplug.text.cited_text import bare

_REPEATED = Doubt("repeated", "this sentence is in the section already: say something else")


def follow(brief: Brief, model: LanguageModel, cut: Cut) -> Composed:
    """Follow the plan of `brief`; papers are summarised first where that is asked for although it takes a round trip."""
    return write_prose(brief, model, cut, summarise(brief, model))


def write_prose(brief: Brief, model: LanguageModel, cut: Cut = "paragraph", told: Told = NOTHING) -> Composed:
    """Write the plan of `brief` with `model`; each paragraph cites the known papers of its lines and no others.

    `cut` is what one request asks for. Never raises on account of the model, save Cancelled: an outage is a finding.
    Findings, beside those of the extractive writer and of `settle`: `sentence_replaced`, `sentence_dropped`,
    `polish_refused`, `plan_words`, `model_unavailable`, `budget_reached`, `summary_dropped`.
    """
    writer = ModelWriter(brief, lay_out(brief, told.summaries), model)
    parts = divide(brief, writer.desk, cut)
    told = writer.write(rounds_of(parts, in_turn=cut == "sequence"), told)
    writer.judge([part.slots for part in parts])
    writer.repair(parts)
    paragraphs = joined(parts)
    polished = writer.polish(paragraphs)
    writer.judge([*(part.slots for part in paragraphs), *polished.values()])
    return writer.finish(writer.choose(paragraphs, polished), told)


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

    def write(self, rounds: Sequence[Sequence[ParagraphPart]], told: Told) -> Told:
        """Ask for the parts of each round at once; beside the first, for the summaries that are asked for again."""
        parts = [part for parts_of_round in rounds for part in parts_of_round]
        for number, parts_of_round in enumerate(rounds):
            requests = [self._request(part, part.task(text_so_far(part, parts))) for part in parts_of_round]
            again = list(told.again.values()) if number == 0 else []
            replies = self._ask([*requests, *again])
            told = told.with_replies(replies[len(requests) :]) if again else told
            for part, reply in zip(parts_of_round, replies, strict=False):
                self._read(part, reply, parts)
        return told

    def repair(self, parts: Sequence[ParagraphPart]) -> None:
        """Ask once more for what was refused, each paragraph by itself, all at once; drop what is refused again."""
        for part in parts:
            for slot in part.slots:
                self._refuse_if_refuted(slot)
            part.make_room_for_the_missing()
        due = [part for part in parts if part.is_due]
        if self.trouble is None:
            requests = [self._request(part, part.repairs(), ", asked again") for part in due]
            for part, reply in zip(due, self._ask(requests), strict=True):
                self._read(part, reply, parts)
        for part in parts:
            part.drop_refused()

    def polish(self, paragraphs: Sequence[ParagraphPart]) -> dict[str, list[Slot]]:
        """The paragraphs that the model smoothed, by id, every check run again; one that fails keeps its text."""
        judged = any(slot.judged for part in paragraphs for slot in part.slots)
        if not self.brief.polish or self.trouble is not None or not judged:
            return {}
        (reply,) = self._ask([polish_request(self.desk.shared, paragraphs)])
        read = read_polish(reply, paragraphs) if isinstance(reply, Reply) else {}
        changed: dict[str, list[Slot]] = {}
        for part in paragraphs:
            slots = read.get(part.planned.id)
            if isinstance(slots, list):
                self._check(slots, part, [other for other in paragraphs if other is not part])
                slots = next((doubt.reason for slot in slots for doubt in slot.doubts), slots)
            if isinstance(slots, str):
                self.findings.append(_unpolished(part, slots))
            elif slots is not None:
                changed[part.planned.id] = slots
        return changed

    def judge(self, paragraphs: Sequence[Sequence[Slot]]) -> None:
        """Let the judge compare the sentences that have no verdict with their sources, all in one request."""
        due = [slots for slots in map(standing, paragraphs) if not all(slot.judged for slot in slots)]
        if not due or self.unjudged:
            return
        seen: set[int] = set()
        section = Section(tuple(SectionParagraph("", "", _each_once(slots, seen)) for slots in due))
        done = judge_section(section, self.brief.papers, self.desk.materials[DRAFT], self.model, self.brief.passages)
        self.findings += done.findings
        self.unjudged = any(finding.code in ("model_unavailable", "budget_reached") for finding in done.findings)
        for slots, paragraph in zip(due, done.section.paragraphs, strict=True):
            for slot, sentence in zip(slots, paragraph.sentences, strict=True):
                slot.accepted = sentence if sentence.by_model else slot.accepted

    def choose(self, paragraphs: Sequence[ParagraphPart], polished: Mapping[str, list[Slot]]) -> list[ParagraphPart]:
        """Each paragraph as it was polished where a judge finds all of that borne out, else as it was before."""
        paragraphs_chosen: list[ParagraphPart] = []
        for part in paragraphs:
            slots = polished.get(part.planned.id)
            false = next((slot.refuted or "no judge has compared it" for slot in slots or () if not slot.entailed), "")
            if false:
                self.findings.append(_unpolished(part, false))
            paragraphs_chosen.append(part if slots is None or false else replace(part, slots=slots))
        return paragraphs_chosen

    def finish(self, paragraphs: Sequence[ParagraphPart], told: Told) -> Composed:
        """The section as it is in the end, without what is not borne out, and what is to be said of it."""
        written = Section(
            tuple(SectionParagraph(p.planned.id, p.planned.heading, _sentences(p.slots)) for p in paragraphs)
        )
        settled, doubts = settle(written, self.brief.language)
        section, missing = with_stand_ins(self.brief, settled, {p.planned.id for p in paragraphs if p.lost})
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

    def _request(self, part: ParagraphPart, task: Sequence[str], again: str = "") -> Request:
        papers = [self.desk.materials[handle] for handle in part.needed]
        label = f"{part.planned.heading or 'the section'}{again}"
        return prose_request(self.desk.shared, task, papers, label, len(part.planned.lines))

    def _read(self, part: ParagraphPart, reply: Reply | CiteplugError, parts: Sequence[ParagraphPart]) -> None:
        """Take an answer into its part, and check it."""
        if isinstance(reply, CiteplugError):
            part.lost = not part.slots
            return
        answered = read_prose(reply)
        if not answered:
            self.refusals["silent"] += 1
        part.take(answered, "the model refused to answer" if reply.stop == "refusal" else "no sentence could be read")
        self._check(part.slots, part, parts)

    def _check(self, slots: Sequence[Slot], part: ParagraphPart, parts: Sequence[ParagraphPart]) -> None:
        """Accept or refuse the sentences that were not looked at yet."""
        texts = {slot.accepted.text for other in parts for slot in other.slots if slot.accepted is not None}
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
            slot.doubts = (Doubt("judged", f"the sources do not bear it out: {slot.refuted}"),)
            slot.accepted = None
            self.refusals["judged"] += 1


def _sentences(slots: Sequence[Slot]) -> tuple[Sentence, ...]:
    return tuple(slot.accepted for slot in standing(slots) if slot.accepted is not None)


def _each_once(slots: Sequence[Slot], seen: set[int]) -> tuple[Sentence, ...]:
    """The sentences; those of slots that were `seen` (by identity) as if the author's, which are shown and not judged."""
    sentences = []
    for slot, sentence in zip(slots, _sentences(slots), strict=True):
        sentences.append(replace(sentence, by_model=id(slot) not in seen))
        seen.add(id(slot))
    return tuple(sentences)


def _unpolished(part: ParagraphPart, why: str) -> Finding:
    message = f"{part.planned.id} keeps its text as it was before it was polished: {why[:300]}"
    return Finding("polish_refused", "info", message)
