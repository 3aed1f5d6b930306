"""A paragraph on its way from its plan to sentences that passed, or those lines of it that are asked for together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from citeplug.records.plan import PlanLine, PlanParagraph
from citeplug.records.section import Sentence
from citeplug.related.attribute.checks import Proposed
from citeplug.related.attribute.evidence import Doubt
from citeplug.related.attribute.handles import read_handles
from citeplug.related.write.by_model.prose import Answered, describe, lengths, one_line, paragraph_named
from citeplug.text.cited_text import bare


@dataclass(slots=True)
class Slot:
    """The place of a sentence: as the model wrote it, and as accepted, or why it was not.

    `wanted` are handles that it is to cite where it is asked again and cites none that it may.
    """

    proposed: Proposed
    accepted: Sentence | None = None
    doubts: tuple[Doubt, ...] = ()
    wanted: tuple[int, ...] = ()

    @property
    def cited(self) -> set[int]:
        return {handle for piece in read_handles(self.proposed.text) for handle in piece.handles}

    @property
    def judged(self) -> bool:
        judgement = self.accepted.judgement if self.accepted is not None else None
        return judgement is not None and judgement.verdict is not None

    @property
    def entailed(self) -> bool:
        return self.judged and not self.refuted

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
    `lost` that it could not be asked. `dropped` are the sentences that were refused for good.
    """

    planned: PlanParagraph
    handles: Mapping[str, int]
    words: int
    granted: str = ""
    free: bool = False
    slots: list[Slot] = field(default_factory=list)
    silent: str = ""
    lost: bool = False
    dropped: list[Slot] = field(default_factory=list)

    @property
    def allowed(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(handle for line in self.planned.lines for handle in self._of(line)))

    @property
    def accepted(self) -> list[Sentence]:
        return [slot.accepted for slot in self.slots if slot.accepted is not None]

    @property
    def is_due(self) -> bool:
        """True if something is to be asked again."""
        return not self.lost and bool(self.silent or self._refused())

    @property
    def needed(self) -> list[int]:
        """Handles of the papers that a request shows: in repairs no others, so that what these say reaches no other sentence."""
        if not self.slots:
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
        lines += [f"line {n}: {describe(line, self.handles)}" for n, line in enumerate(self.planned.lines, start=1)]
        return [*lines, *([f"It follows on: {one_line(before, 1_500)}"] if before else [])]

    def repairs(self) -> list[str]:
        """What is asked again: the refused sentences among those that are kept, or all if none could be read."""
        if not self.slots:
            return [*self.task(), f"You were asked before, and {self.silent}."]
        lines = [
            f"You wrote paragraph {paragraph_named(self.planned.id, self.planned.heading)}. What is marked as kept stays."
            " Write each line anew so that its reasons fall away and it fits between its neighbours, under its number as"
            " `line` and with all its quotations; change what the reasons name and keep the rest of what it says. A line"
            " may become two sentences under the same number; what cannot be said truly is left out."
        ]
        for number, slot in enumerate(self.slots, start=1):
            wording = one_line(slot.proposed.text, 700)
            if slot.accepted is not None:
                lines.append(f"kept {number}: {wording}")
                continue
            handles = sorted(slot.cited & set(self.allowed)) or slot.wanted
            none = "topic, no papers" if slot.proposed.kind == "topic" else "about the draft, no papers"
            cites = f"cite {', '.join(f'[{handle}]' for handle in handles)}" if handles else none
            kind = f" ({slot.proposed.kind})" if wording else ""
            lines.append(f"line {number}{kind}: {wording or 'a sentence is missing here'}; {cites}")
            lines += [
                f"  quoted for [{handle}]: “{one_line(quote, 400)}”" for handle, quote in slot.proposed.quotes[:6]
            ]
            lines += [f"  reason: {one_line(doubt.reason, 500)}" for doubt in slot.doubts[:6]]
        return lines

    def take(self, answered: Sequence[Answered], why: str) -> None:
        """Put the sentences of an answer in the places of those that were asked again, or in their order if there are none."""
        self.silent = why if not answered and not self.slots else ""
        numbers = [n for n, slot in enumerate(self.slots, start=1) if slot.accepted is None]
        if not self.slots:
            self.slots = [Slot(answer.proposed) for answer in answered]
            return
        slots: list[Slot] = []
        for number, slot in enumerate(self.slots, start=1):
            anew = [answer for answer in answered if number in numbers and (answer.line or 0) == number]
            slots += [Slot(answer.proposed) for answer in anew] or [slot]
        self.slots = slots

    def make_room_for_the_missing(self) -> None:
        """Give each paper that neither an accepted nor a refused sentence cites a place in the order of the plan."""
        if self.free or self.lost or not self.slots:
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

    def drop_refused(self) -> None:
        self.dropped += self._refused()
        changed = bool(self.dropped)
        self.slots = [slot for slot in self.slots if slot.accepted is not None]
        if changed or not all(slot.judged for slot in self.slots):
            self.slots = [to_be_judged(slot) for slot in self.slots]

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
            silent=one.silent or part.silent,
            lost=one.lost and part.lost,
            dropped=[*one.dropped, *part.dropped],
        )
    return list(whole.values())


def standing(slots: Sequence[Slot]) -> list[Slot]:
    """The slots with accepted sentences; a topic has the sources of those below it, and goes where there are none."""
    accepted = [slot for slot in slots if slot.accepted is not None]
    standing_slots: list[Slot] = []
    for number, slot in enumerate(accepted):
        if slot.accepted is not None and slot.accepted.kind == "topic":
            below = [
                other.accepted
                for other in accepted[number + 1 :]
                if other.accepted is not None and other.accepted.cites
            ]
            if not below:
                continue
            slot.accepted = replace(slot.accepted, sources=tuple(dict.fromkeys(x for s in below for x in s.sources)))
        standing_slots.append(slot)
    return standing_slots


def text_so_far(part: ParagraphPart, parts: Sequence[ParagraphPart]) -> str:
    """What the other parts of its paragraph say so far."""
    others = (slot.accepted for other in parts if other.planned.id == part.planned.id for slot in other.slots)
    return " ".join(bare(sentence.text) for sentence in others if sentence is not None)
