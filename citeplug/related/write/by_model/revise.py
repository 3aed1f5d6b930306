"""The last request for prose: what was refused is written anew, and the section is smoothed as a whole."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from citeplug.records.dialogue import Reply, Request
from citeplug.records.section import Kind
from citeplug.related.attribute.checks import LONGEST, Proposed
from citeplug.related.attribute.evidence import Doubt
from citeplug.related.write.by_model.paragraph import ParagraphPart, Slot, to_be_judged
from citeplug.related.write.by_model.prose import QUOTES, one_line, paragraph_named
from citeplug.text.cited_text import length
from citeplug.text.json_text import list_of, number_of, object_of, quotes_in, replied_list
from citeplug.text.material import WARNING, Material, fenced
from citeplug.text.quotation import SHORTEST

SYSTEM = f"""You revise the related-work section of a research paper, the draft, before its authors read it. Each sentence was checked against its sources. What stands under “sentence” passed; what stands under “line” was refused or is missing, with the reasons.

{WARNING}

Write each line anew so that its reasons fall away and it fits between its neighbours: change what the reasons name and keep the rest of what it says. It may become two sentences, or a part of a neighbour. What cannot be said truly is left out.
A remark on a paragraph asks for something that the paragraph lacks. Where the texts bear it out, answer it in one specific sentence, its `from` empty; where they do not, leave the paragraph as it is.
Smooth the sentences that passed where the prose is uneven: join or split them, reorder them within their paragraph, rephrase them. Mend what paragraphs repeat, monotonous openings, paragraphs that end alike (“they do X [1]; we do Y”: say one of them in another way or place), two sentences on one paper where one would do, “while” in every sentence, missing transitions, a topic sentence that announces nothing, a contrast that says nothing. To these sentences nothing is added: no claim, number, name, citation, praise, certainty or cause that they do not have, and no reservation of theirs is lost.

A claim stays with its own citation: [1] behind what is said of a paper, [@1] where its authors are part of the sentence. The draft's own person ("we") stays in the sentences on the draft. A sentence has at most {LONGEST} words of plain text, in your own words: never eight words in a row of an abstract.
A line written anew, and a sentence that answers a remark, need quotations: for each handle in it, and for the draft under handle 0 where it speaks of the draft (not where the draft's own words are all that is known of the paper), one or more uninterrupted stretches of {SHORTEST} words or more, copied word for word from the text above. Sentences that passed keep theirs: give none.

Answer with JSON that fits the schema: the paragraphs that you change and no others, each whole, its sentences in order. `from` are the numbers of the sentences or lines that a sentence is made of; an empty `text` keeps a sentence as it is. Every sentence that cites is in a `from`; one without citations may be left out. A paragraph that reads well in the whole of the section is left alone: there may be nothing to change."""

_SENTENCE = object_of(
    {
        "from": list_of({"type": "integer"}),
        "kind": {"type": "string", "enum": list(get_args(Kind))},
        "text": {"type": "string", "description": "with its handles; empty: as it is"},
        "quotes": QUOTES,
    }
)
SCHEMA = object_of({"paragraphs": list_of(object_of({"id": {"type": "string"}, "sentences": list_of(_SENTENCE)}))})
_OTHER_PAPERS = Doubt("cites", "it does not cite the same papers")


def revise_request(shared: str, materials: Sequence[Material], parts: Sequence[ParagraphPart], smooth: bool) -> Request:
    """Ask for the section once more; `materials` are the papers that lines and remarks are about."""
    lines = [f"The papers that lines and remarks are about:\n{fenced(materials)}"] if materials else []
    lines.append("The section:" if smooth else "The section, of which no sentence that passed is changed:")
    for part, slots in numbered(parts):
        name = paragraph_named(part.planned.id, part.planned.heading)
        lines.append(f"{name}, planned with about {part.words} words; what passed has {length(part.accepted)}:")
        for number, slot in slots.items():
            lines += _described(number, slot, part)
        lines += [f"  remark: {one_line(remark, 900)}" for remark in part.remarks]
    count = sum(len(part.slots) for part in parts) if smooth else 3 * sum(part.is_due for part in parts)
    return Request(
        "prose", SYSTEM, "\n".join(lines), shared, SCHEMA, max_tokens=1_500 + 200 * count, label="the section, revised"
    )


def numbered(parts: Sequence[ParagraphPart]) -> list[tuple[ParagraphPart, dict[int, Slot]]]:
    """The slots of each paragraph by their numbers, which count from 1 through the section."""
    first, paragraphs = 1, []
    for part in parts:
        paragraphs.append((part, dict(enumerate(part.slots, start=first))))
        first += len(part.slots)
    return paragraphs


def _described(number: int, slot: Slot, part: ParagraphPart) -> Iterator[str]:
    wording = one_line(slot.proposed.text, 1_000)
    if slot.accepted is not None:
        yield f"  sentence {number} ({slot.accepted.kind}): {wording}"
        return
    handles = sorted(slot.cited & set(part.allowed)) or slot.wanted
    none = "topic, no papers" if slot.proposed.kind == "topic" else "about the draft, no papers"
    cites = f"cite {', '.join(f'[{handle}]' for handle in handles)}" if handles else none
    kind = f" ({slot.proposed.kind})" if wording else ""
    yield f"line {number}{kind}: {wording or 'a sentence is missing here'}; {cites}"
    for handle, quote in slot.proposed.quotes[:6]:
        yield f"  quoted for [{handle}]: “{one_line(quote, 400)}”"
    for doubt in slot.doubts[:6]:
        yield f"  reason: {one_line(doubt.reason, 900)}"


def read_revision(reply: Reply, parts: Sequence[ParagraphPart], smooth: bool = True) -> dict[str, list[Slot]]:
    """The revised paragraphs by id, their sentences not yet accepted; what cannot be read of them is left out.

    Unless it was to `smooth`, what it changes of sentences that passed is left out too.
    """
    by_id = {part.planned.id: (part, slots) for part, slots in numbered(parts)}
    revised: dict[str, list[Slot]] = {}
    for item in replied_list(reply, "paragraphs"):
        name = str(item.get("id")) if isinstance(item, dict) else ""
        if name in by_id and name not in revised and isinstance(item.get("sentences"), list):
            part, slots = by_id[name]
            sentences = (_read(sentence, slots, bool(part.remarks)) for sentence in item["sentences"][:60])
            revised[name] = [slot for slot in sentences if slot is not None and (smooth or _is_asked_for(slot, part))]
    return {name: _citing_the_same(slots, by_id[name][0]) for name, slots in revised.items() if slots}


def _read(item: Any, before: Mapping[int, Slot], may_add: bool) -> Slot | None:
    """A sentence of the answer; None where it is none, or made of what is not in the paragraph."""
    numbers = item.get("from") if isinstance(item, dict) else None
    text = item.get("text") if isinstance(item, dict) else None
    if not isinstance(numbers, list) or not isinstance(text, str):
        return None
    numbers = list(dict.fromkeys(number_of(number) for number in numbers))
    text = " ".join(text[:5_000].split())
    if any(number not in before for number in numbers) or not (numbers or (may_add and text)):
        return None
    origins = tuple(list(before).index(number) for number in numbers)
    sources = [before[number] for number in numbers]
    if len(sources) == 1 and text in ("", " ".join(sources[0].proposed.text.split())):
        return replace(to_be_judged(sources[0]), origins=origins) if sources[0].accepted is not None else None
    if not text:
        return None
    passed = [quote for slot in sources if slot.accepted is not None for quote in slot.proposed.quotes]
    refused = [quote for slot in sources if slot.accepted is None for quote in slot.proposed.quotes]
    quotes = tuple(dict.fromkeys((*passed, *(quotes_in(item.get("quotes"), "handle", 40) or refused))))
    return Slot(Proposed(text, quotes, _kind(item.get("kind"), sources)), origins=origins)


def _is_asked_for(slot: Slot, part: ParagraphPart) -> bool:
    """True for a sentence that is as it was, that is added, or that is made of what was refused."""
    refused = any(part.slots[origin].accepted is None for origin in slot.origins)
    return slot.accepted is not None or not slot.origins or refused


def _kind(named: Any, sources: Sequence[Slot]) -> Kind:
    """What a sentence made of sentences that passed is; another is what the model says."""
    kinds = {slot.accepted.kind for slot in sources if slot.accepted is not None}
    if not kinds or any(slot.accepted is None for slot in sources):
        return named if named in get_args(Kind) else "paper"
    kinds = kinds - {"topic"} or {"topic"}
    return next(iter(kinds)) if len(kinds) == 1 else "contrast" if kinds & {"draft", "contrast"} else "paper"


def _citing_the_same(slots: list[Slot], part: ParagraphPart) -> list[Slot]:
    """The slots, with a doubt where sentences that passed have lost or gained a paper on the way."""
    for group in _groups(slots):
        before = [part.slots[origin] for origin in {origin for slot in group for origin in slot.origins}]
        passed = {handle for slot in before if slot.accepted is not None for handle in slot.cited}
        cited = {handle for slot in group for handle in slot.cited}
        if before and (passed - cited or (cited - passed and all(slot.accepted is not None for slot in before))):
            for slot in group:
                slot.doubts, slot.accepted = (_OTHER_PAPERS,), None
    return slots


def _groups(slots: Sequence[Slot]) -> list[list[Slot]]:
    """The slots that share what they are made of, together."""
    groups: list[list[Slot]] = []
    for slot in slots:
        mine = [group for group in groups if any(set(slot.origins) & set(other.origins) for other in group)]
        groups = [group for group in groups if group not in mine]
        groups.append([*(other for group in mine for other in group), slot])
    return groups


def settled(before: Sequence[Slot], after: Sequence[Slot]) -> tuple[list[Slot], list[Slot], str]:
    """The paragraph in the end, what was refused for good, and why a sentence stays as it was before, "" if none does.

    `after` are checked and judged. What does not stand of it gives way to the sentences that passed before, and what
    was left out of it and cites stands where it was.
    """
    groups = _groups(after)
    failed = [group for group in groups if not all(_stands(slot, before) for slot in group)]
    origins = {origin for group in failed for slot in group for origin in slot.origins}
    remaining = [slot for slot in after if not any(slot in group for group in failed)]
    replaced = {origin for slot in remaining for origin in slot.origins}
    # Only an answer with the whole paragraph leaves out a sentence without citations on purpose.
    passed = {n: slot for n, slot in enumerate(before) if slot.accepted is not None}
    named = replaced | origins
    whole = not named.isdisjoint(passed) and named.issuperset(n for n, slot in passed.items() if slot.cited)
    for position, slot in passed.items():
        if position not in replaced and (slot.cited or not whole or position in origins):
            at = next(
                (n for n, other in enumerate(remaining) if min(other.origins, default=len(before)) > position),
                len(remaining),
            )
            remaining.insert(at, replace(slot, origins=(position,)))
    refused = [
        next((other for group in failed for other in group if position in other.origins), slot)
        for position, slot in enumerate(before)
        if slot.accepted is None and position not in replaced
    ]
    why = next((_why(slot) for group in failed for slot in group if _passed(slot, before) and _why(slot)), "")
    return remaining, refused, why


def _passed(slot: Slot, before: Sequence[Slot]) -> bool:
    """True if a slot is made of sentences that passed, at least in part."""
    return any(before[origin].accepted is not None for origin in slot.origins)


def _stands(slot: Slot, before: Sequence[Slot]) -> bool:
    if slot.accepted is None or (slot.refuted and _passed(slot, before)):
        return False
    # What replaces sentences that were judged is to be judged itself.
    return slot.judged or not any(before[origin].judged for origin in slot.origins)


def _why(slot: Slot) -> str:
    if slot.doubts:
        return slot.doubts[0].reason
    return slot.refuted or ("" if slot.judged else "no judge has compared it")
