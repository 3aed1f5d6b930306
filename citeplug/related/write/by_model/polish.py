"""The last request: the whole section, smoothed. What it changes is checked as if it were new; it may add nothing."""

from collections.abc import Mapping, Sequence
from typing import Any

from citeplug.records.dialogue import Reply, Request
from citeplug.records.section import Kind
from citeplug.related.attribute.checks import LONGEST, Proposed
from citeplug.related.write.by_model.outline import one_line
from citeplug.related.write.by_model.paragraph import Part, Slot, to_be_judged
from citeplug.related.write.by_model.prose import paragraph_named
from citeplug.text.cited_text import length
from citeplug.text.json_text import number_of, parse_json

SYSTEM = f"""You smooth the related-work section of a research paper, the draft, before its authors read it. Its sentences have been checked against their sources, which you do not see.

Where the prose is uneven, join sentences, reorder them within their paragraph, or rephrase them: mend repetition between paragraphs, monotonous openings, "while" in every sentence, missing transitions, a fact of the draft that is told twice, a topic sentence that announces nothing. Never add: no claim, number, name, citation, praise, certainty or cause that the sentences do not have, and no reservation of theirs is lost. A claim stays with its own citation: [1] behind what is said of a paper, [@1] where its authors are part of the sentence. The draft's own person ("we") stays in the sentences on the draft. A sentence has at most {LONGEST} words of plain text; a paragraph that is longer than planned gets shorter by joining.

Answer with JSON that fits the schema: the paragraphs that you change and no others, each whole, its sentences in order. `from` are the numbers of the sentences that a sentence is made of; an empty `text` keeps one as it is. Each sentence that cites is among them once; one without citations may be left out. A paragraph that reads well already is left alone: there may be nothing to change."""

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "paragraphs": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "sentences": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "from": {"type": "array", "items": {"type": "integer"}},
                                "text": {"type": "string", "description": "with its handles; empty: as it is"},
                            },
                            "required": ["from", "text"],
                            "additionalProperties": False,
                        },
                    },
                },
                "required": ["id", "sentences"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["paragraphs"],
    "additionalProperties": False,
}


def polish_request(shared: str, paragraphs: Sequence[Part]) -> Request:
    """Ask for the whole section once more."""
    lines = ["The section:"]
    for part in paragraphs:
        lines.append(
            f"{paragraph_named(part.planned.id, part.planned.heading)}, planned with about {part.words} words, has {length(part.accepted)}:"
        )
        lines += [
            f"  {n} ({s.accepted.kind}): {one_line(s.proposed.text, 1_000)}" for n, s in _numbered(part) if s.accepted
        ]
    count = sum(len(_numbered(part)) for part in paragraphs)
    return Request(
        "prose", SYSTEM, "\n".join(lines), shared, SCHEMA, max_tokens=1_000 + 150 * count, label="the section, polished"
    )


def read_polish(reply: Reply, paragraphs: Sequence[Part]) -> dict[str, list[Slot] | str]:
    """The changed paragraphs by id, sentences that are not as they were not yet accepted; or why one cannot be used."""
    data = reply.data if reply.data is not None else parse_json(reply.text)
    items = data.get("paragraphs") if isinstance(data, dict) else data
    by_id = {part.planned.id: part for part in paragraphs}
    found: dict[str, list[Slot] | str] = {}
    for item in items if isinstance(items, list) else []:
        part = by_id.get(str(item.get("id"))) if isinstance(item, dict) else None
        if part is not None and part.planned.id not in found:
            slots = _changed(item.get("sentences"), dict(_numbered(part)))
            if isinstance(slots, str) or [s.proposed.text for s in slots] != [s.proposed.text for s in part.slots]:
                found[part.planned.id] = slots
    return found


def _numbered(part: Part) -> list[tuple[int, Slot]]:
    return list(enumerate(part.slots, start=1))


def _changed(items: Any, before: Mapping[int, Slot]) -> list[Slot] | str:
    slots: list[Slot] = []
    used: list[int] = []
    for item in items if isinstance(items, list) else []:
        numbers = item.get("from") if isinstance(item, dict) else None
        numbers = [number_of(n) for n in numbers] if isinstance(numbers, list) else []
        sources = [before[n] for n in numbers if n in before]
        text = item.get("text") if isinstance(item, dict) else None
        if not sources or len(sources) != len(numbers) or not isinstance(text, str):
            return "it has a sentence that is made of none of the paragraph's"
        used += [n for n in numbers if n is not None]
        slots.append(_slot(" ".join(text[:5_000].split()), sources))
    if sorted(used) != sorted(set(used)) or any(slot.cited for n, slot in before.items() if n not in used):
        return "a sentence that cites is missing, or is there twice"
    if {h for s in slots for h in s.cited} != {h for s in before.values() for h in s.cited}:
        return "it does not cite the same papers"
    return slots


def _slot(text: str, sources: Sequence[Slot]) -> Slot:
    if len(sources) == 1 and text in ("", " ".join(sources[0].proposed.text.split())):
        return to_be_judged(sources[0])
    kinds = {slot.accepted.kind for slot in sources if slot.accepted is not None} - {"topic"} or {"topic"}
    kind: Kind = next(iter(kinds)) if len(kinds) == 1 else "contrast" if kinds & {"draft", "contrast"} else "paper"
    quotes = tuple(dict.fromkeys(quote for slot in sources for quote in slot.proposed.quotes))
    wanted = tuple(sorted({handle for slot in sources for handle in slot.cited}))
    return Slot(Proposed(text, quotes, kind), wanted=wanted)
