"""The section that is left in the end: stand-ins where planned papers would vanish, and findings on what is missing."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from citeplug.records.finding import Finding
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section, SectionParagraph, Sentence
from citeplug.related.plan.lengths import TOLERANCE
from citeplug.related.plan.planned import Resolver
from citeplug.related.write.by_model.brief import Brief
from citeplug.related.write.by_model.paragraph import ParagraphPart
from citeplug.related.write.extractive.section import WrittenLine, write_lines
from citeplug.related.write.extractive.sentences import not_written
from citeplug.text.cited_text import close_wording, length


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
                why = ("; ".join(dict.fromkeys(doubt.reason for doubt in slot.doubts)) or slot.refuted)[:300]
                yield Finding(
                    "sentence_dropped",
                    "warning",
                    f"{part.planned.id}: a sentence of the model was dropped ({why}): {slot.proposed.text[:300]}",
                    fix="write it yourself, or rephrase its plan line",
                )
        if part.silent:
            yield Finding("sentence_dropped", "warning", f"{part.planned.id}: {part.silent}", fix="write it yourself")


def _replaced(paragraph: str, line: WrittenLine, language: str) -> Finding:
    return Finding(
        "sentence_replaced",
        "info",
        f"{paragraph}: the model gave no sentence on {', '.join(line.ids) or 'the draft'} that could be used, so one"
        f" made from the abstract{'' if language == 'English' else ', in English,'} is used instead",
        fix="write this sentence yourself, or rephrase its plan line",
    )


def _length(planned: PlanParagraph, sentences: Sequence[Sentence]) -> Iterator[Finding]:
    count = length(sentences)
    if planned.words and sentences and abs(count - planned.words) > TOLERANCE * planned.words:
        yield Finding(
            "plan_words",
            "info",
            f"{planned.id} has {count} words, but its plan says {planned.words}",
            fix="change words= in the plan, or the text",
        )
