"""The section that is left in the end: stand-ins where planned papers would vanish, and findings on what is missing."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from citeplug.records.dialogue import Reply, Request
from citeplug.records.finding import Finding
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Kind, Section, SectionParagraph, Sentence
from citeplug.related.attribute.checks import LONGEST, Proposed
from citeplug.related.plan.lengths import TOLERANCE
from citeplug.related.plan.planned import Resolver
from citeplug.related.write.by_model.brief import Brief
from citeplug.related.write.by_model.paragraph import ParagraphPart, Slot, to_be_judged
from citeplug.related.write.by_model.prose import one_line, paragraph_named
from citeplug.related.write.extractive.section import WrittenLine, write_lines
from citeplug.related.write.extractive.sentences import not_written
from citeplug.text.cited_text import close_wording, length
from citeplug.text.json_text import list_of, number_of, object_of, replied_list

SYSTEM = f"""You smooth the related-work section of a research paper, the draft, before its authors read it. Its sentences have been checked against their sources, which you do not see.

Where the prose is uneven, join sentences, reorder them within their paragraph, or rephrase them: mend repetition between paragraphs, monotonous openings, "while" in every sentence, missing transitions, a fact of the draft that is told twice, a topic sentence that announces nothing. Never add: no claim, number, name, citation, praise, certainty or cause that the sentences do not have, and no reservation of theirs is lost. A claim stays with its own citation: [1] behind what is said of a paper, [@1] where its authors are part of the sentence. The draft's own person ("we") stays in the sentences on the draft. A sentence has at most {LONGEST} words of plain text; a paragraph that is longer than planned gets shorter by joining.

Answer with JSON that fits the schema: the paragraphs that you change and no others, each whole, its sentences in order. `from` are the numbers of the sentences that a sentence is made of; an empty `text` keeps one as it is. Each sentence that cites is among them once; one without citations may be left out. A paragraph that reads well already is left alone: there may be nothing to change."""

_SENTENCE = object_of(
    {
        "from": list_of({"type": "integer"}),
        "text": {"type": "string", "description": "with its handles; empty: as it is"},
    }
)
SCHEMA = object_of({"paragraphs": list_of(object_of({"id": {"type": "string"}, "sentences": list_of(_SENTENCE)}))})


def polish_request(shared: str, paragraphs: Sequence[ParagraphPart]) -> Request:
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


def read_polish(reply: Reply, paragraphs: Sequence[ParagraphPart]) -> dict[str, list[Slot] | str]:
    """The changed paragraphs by id, sentences that are not as they were not yet accepted; or why one cannot be used."""
    by_id = {part.planned.id: part for part in paragraphs}
    changed: dict[str, list[Slot] | str] = {}
    for item in replied_list(reply, "paragraphs"):
        part = by_id.get(str(item.get("id"))) if isinstance(item, dict) else None
        if part is not None and part.planned.id not in changed:
            slots = _changed(item.get("sentences"), dict(_numbered(part)))
            if isinstance(slots, str) or [s.proposed.text for s in slots] != [s.proposed.text for s in part.slots]:
                changed[part.planned.id] = slots
    return changed


def _numbered(part: ParagraphPart) -> list[tuple[int, Slot]]:
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
    handles = tuple(sorted({handle for slot in sources for handle in slot.cited}))
    return Slot(Proposed(text, quotes, kind), wanted=handles)


def with_stand_ins(brief: Brief, section: Section, lost: Collection[str]) -> tuple[Section, list[Finding]]:
    """The section with a sentence made from the abstracts for each planned line whose papers nothing cites.

    A paragraph of which nothing is left is the extractive writer's. With it the findings:
    `sentence_replaced`, though not in paragraphs (by id) that were `lost` in an outage, `plan_words`, `close_wording`,
    and those of the extractive writer.
    """
    resolver = Resolver(brief.papers, brief.draft)
    findings = [f for p in brief.plan.paragraphs for line in p.lines for f in resolver.resolve(line)[1]]
    own = {paragraph.id: _supported(paragraph.sentences) for paragraph in section.paragraphs}
    planned = brief.plan.paragraphs
    missing = [() if brief.free else _without(p, own.get(p.id, ()), resolver) for p in planned]
    written: list[list[WrittenLine]] = [[] for _ in missing]
    if any(missing):
        plan = Plan(tuple(replace(p, lines=lines) for p, lines in zip(planned, missing, strict=True)))
        written = write_lines(plan, brief.draft, brief.papers, passages=brief.passages)
    paragraphs = []
    for paragraph, lines in zip(planned, written, strict=True):
        sentences = list(own.get(paragraph.id, ()))
        for line in lines:
            findings += line.findings
            if line.sentences and paragraph.id in own and paragraph.id not in lost:
                findings.append(_replaced(paragraph.id, line, brief.language))
            sentences = _inserted(sentences, line, paragraph, resolver)
        findings += [*_length(paragraph, sentences), *close_wording(sentences)]
        paragraphs.append(SectionParagraph(paragraph.id, paragraph.heading, tuple(sentences)))
    findings += not_written((value for lines in written for line in lines for value in line.unwritten), brief.papers)
    return Section(tuple(paragraphs)), findings


def _supported(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """The sentences without a topic below which nothing is left."""
    last = max((n for n, sentence in enumerate(sentences) if sentence.cites), default=-1)
    return tuple(s for n, s in enumerate(sentences) if s.kind != "topic" or n < last)


def _without(planned: PlanParagraph, sentences: Sequence[Sentence], resolver: Resolver) -> tuple[PlanLine, ...]:
    """The lines of which nothing is said, each with the papers that nothing cites."""
    if not sentences:
        return tuple(line for line in planned.lines if line.role != "topic")
    cited = {value for sentence in sentences for value in sentence.cites}
    lines = []
    for line in planned.lines:
        left = tuple(value for value in resolver.resolve(line)[0] if value not in cited)
        cited.update(left)
        if left:
            lines.append(replace(line, cites=left, kind=None))
    return tuple(lines)


def _inserted(
    sentences: Sequence[Sentence], line: WrittenLine, planned: PlanParagraph, resolver: Resolver
) -> list[Sentence]:
    """The sentences with those of `line` in the place that the plan gives it."""
    order = [set(resolver.resolve(plan_line)[0]) for plan_line in planned.lines]

    def rank(ids: Sequence[str]) -> int:
        return next((n for n, theirs in enumerate(order) if theirs & set(ids)), len(order))

    mine = rank(line.ids)
    at = next((n for n, s in enumerate(sentences) if s.kind != "topic" and rank(s.cites) > mine), len(sentences))
    return [*sentences[:at], *line.sentences, *sentences[at:]]


def dropped(parts: Sequence[ParagraphPart]) -> Iterator[Finding]:
    """A finding on each sentence of the model's that is not in the section, with the reason."""
    for part in parts:
        for slot in part.dropped:
            if slot.proposed.text.strip():
                why = "; ".join(dict.fromkeys(doubt.reason for doubt in slot.doubts))[:300]
                yield Finding(
                    "sentence_dropped",
                    "warning",
                    f"{part.planned.id}: a sentence of the model was dropped ({why}): {slot.proposed.text[:300]}",
                    fix="write it yourself, or word its plan line differently",
                )
        if part.silent:
            yield Finding("sentence_dropped", "warning", f"{part.planned.id}: {part.silent}", fix="write it yourself")


def _replaced(paragraph: str, line: WrittenLine, language: str) -> Finding:
    return Finding(
        "sentence_replaced",
        "info",
        f"{paragraph}: the model gave no sentence on {', '.join(line.ids) or 'the draft'} that could be used; one made"
        f" from the abstract{'' if language == 'English' else ', in English,'} is there instead",
        fix="write this sentence yourself, or word its plan line differently",
    )


def _length(planned: PlanParagraph, sentences: Sequence[Sentence]) -> Iterator[Finding]:
    count = length(sentences)
    if planned.words and sentences and abs(count - planned.words) > TOLERANCE * planned.words:
        yield Finding(
            "plan_words",
            "info",
            f"{planned.id} has {count} words where its plan says {planned.words}",
            fix="change words= in the plan, or the text",
        )
