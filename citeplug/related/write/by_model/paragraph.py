"""A paragraph on its way from its plan to sentences that passed, or those lines of it that are asked for together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from citeplug.records.plan import PlanLine, PlanParagraph
from citeplug.records.section import Sentence
from citeplug.related.attribute.checks import Proposed
from citeplug.related.attribute.evidence import Doubt
from citeplug.related.attribute.handles import read_handles
from citeplug.related.write.by_model.prose import describe, lengths, one_line, paragraph_named
from citeplug.text.cited_text import bare


@dataclass(slots=True)
class Slot:
    """The place of a sentence: as the model wrote it, and as accepted, or why it was not.

    `wanted` are handles that it is to cite where it is asked again and cites none that it may. `origins` are the
    positions in the paragraph, before it was revised, of what it is made of.
    """

    proposed: Proposed
    accepted: Sentence | None = None
    doubts: tuple[Doubt, ...] = ()
    wanted: tuple[int, ...] = ()
    origins: tuple[int, ...] = ()

    @property
    def cited(self) -> set[int]:
        return {handle for piece in read_handles(self.proposed.text) for handle in piece.handles}

    @property
    def judged(self) -> bool:
        judgement = self.accepted.judgement if self.accepted is not None else None
        return judgement is not None and judgement.verdict is not None

    @property
    def refuted(self) -> str:
        """The part that a judge found not borne out; empty if there is none."""
        judgement = self.accepted.judgement if self.accepted is not None else None
        if judgement is None or judgement.verdict not in ("partly", "not"):
            return ""
        return judgement.unsupported or "what it says is not there"


@dataclass(slots=True)
class ParagraphPart:
    """`planned` with the lines that one request asks for; `handles` are by cite, of papers with text to quote from.

    `granted` are the author's words. `free`: the model may leave out papers. `silent` says why nothing could be read,
    `lost` that it could not be queried. `remarks` are what the paragraph lacks as a whole, `position` what the judge
    says that it does not say of the draft. `quotes` are by intent what the planner quotes. `dropped` are the sentences
    that were refused for good.
    """

    planned: PlanParagraph
    handles: Mapping[str, int]
    words: int
    granted: str = ""
    free: bool = False
    slots: list[Slot] = field(default_factory=list)
    silent: str = ""
    lost: bool = False
    remarks: list[str] = field(default_factory=list)
    position: str = ""
    quotes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    dropped: list[Slot] = field(default_factory=list)

    @property
    def allowed(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(handle for line in self.planned.lines for handle in self._of(line)))

    @property
    def accepted(self) -> list[Sentence]:
        return [slot.accepted for slot in self.slots if slot.accepted is not None]

    @property
    def is_due(self) -> bool:
        """True if something is to be written anew, or added."""
        return not self.lost and bool(self._refused() or self.remarks)

    @property
    def needed(self) -> list[int]:
        """Handles of the papers that a request shows: all at first and with a remark, else those of what was refused."""
        if not self.slots or self.remarks:
            return list(self.allowed)
        handles = {
            h for s in self._refused() for h in (*s.wanted, *s.cited, *(handle for handle, _ in s.proposed.quotes))
        }
        return [handle for handle in self.allowed if handle in handles]

    def task(self, before: str = "") -> list[str]:
        """What is asked for at first; `before` is the paragraph so far, where it is written sentence by sentence."""
        if self.free:
            return [
                "There is no plan: write the related-work section as one paragraph that cites every paper,"
                f" {lengths(self.words)}."
            ]
        lines = [f"Write paragraph {paragraph_named(self.planned.id, self.planned.heading)}, {lengths(self.words)}:"]
        if self.granted:
            lines.append(
                f"The plan is the authors' own: {self.planned.sentences} sentences, in the order of its lines."
            )
        for number, line in enumerate(self.planned.lines, start=1):
            lines.append(f"line {number}: {describe(line, self.handles)}")
            lines += [f"  planned on: “{one_line(quote, 400)}”" for quote in self.quotes.get(line.intent, ())]
        return [*lines, *([f"It follows on: {one_line(before, 1_500)}"] if before else [])]

    def take(self, sentences: Sequence[Proposed], why: str) -> None:
        """Take the sentences of an answer; `why` says what it means that there are none."""
        self.silent = "" if sentences else why
        self.slots = [Slot(proposed) for proposed in sentences]

    def make_room_for_the_missing(self) -> None:
        """Give each paper that neither an accepted nor a refused sentence cites a place in the order of the plan."""
        if self.lost or (self.free and self.slots):
            return
        for number, line in enumerate(self.planned.lines):
            cited = {handle for slot in self.slots for handle in (*slot.cited, *slot.wanted)}
            left = tuple(handle for handle in self._of(line) if handle not in cited)
            if not left:
                continue
            doubt = Doubt("silent", f"no sentence does this yet: {describe(line, self.handles)}")
            stray = [s for s in self._refused() if s.cited and not s.wanted and not s.cited & set(self.allowed)]
            if stray:
                stray[0].wanted = left
                continue
            at = next((n for n, slot in enumerate(self.slots) if self._rank(slot) > number), len(self.slots))
            self.slots.insert(at, Slot(Proposed(""), doubts=(doubt,), wanted=left))

    def _of(self, line: PlanLine) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.handles[cite] for cite in line.cites if cite in self.handles))

    def _refused(self) -> list[Slot]:
        return [slot for slot in self.slots if slot.accepted is None]

    def _rank(self, slot: Slot) -> int:
        """The first line that names a paper of the sentence's; a topic comes before all lines, the draft behind them."""
        if slot.proposed.kind == "topic":
            return -1
        lines = self.planned.lines
        return next((n for n, line in enumerate(lines) if slot.cited & set(self._of(line))), len(lines))


def to_be_judged(slot: Slot) -> Slot:
    """A topic sentence without its verdict, as the sentences below it are others; any other slot as it is."""
    if slot.accepted is None or slot.accepted.kind != "topic" or slot.accepted.judgement is None:
        return slot
    return replace(slot, accepted=replace(slot.accepted, judgement=replace(slot.accepted.judgement, verdict=None)))


def joined(parts: Sequence[ParagraphPart]) -> list[ParagraphPart]:
    """The parts of each paragraph as one, in order."""
    whole: dict[str, ParagraphPart] = {}
    for part in parts:
        one = whole.get(part.planned.id)
        if one is None:
            whole[part.planned.id] = part
            continue
        whole[part.planned.id] = replace(
            one,
            planned=replace(one.planned, lines=(*one.planned.lines, *part.planned.lines)),
            words=one.words + part.words,
            slots=[*one.slots, *part.slots],
            silent=one.silent and part.silent,
            lost=one.lost and part.lost,
            dropped=[*one.dropped, *part.dropped],
        )
    return list(whole.values())


def with_topics(slots: Sequence[Slot]) -> list[Slot]:
    """The slots; a topic has the sources of those below it, and goes where there are none."""
    left: list[Slot] = []
    for number, slot in enumerate(slots):
        if slot.accepted is not None and slot.accepted.kind == "topic":
            below = [s.accepted for s in slots[number + 1 :] if s.accepted is not None and s.accepted.cites]
            if not below:
                continue
            slot.accepted = replace(slot.accepted, sources=tuple(dict.fromkeys(x for s in below for x in s.sources)))
        left.append(slot)
    return left


def text_so_far(part: ParagraphPart, parts: Sequence[ParagraphPart]) -> str:
    """What the other parts of its paragraph say so far."""
    others = (slot.accepted for other in parts if other.planned.id == part.planned.id for slot in other.slots)
    return " ".join(bare(sentence.text) for sentence in others if sentence is not None)
