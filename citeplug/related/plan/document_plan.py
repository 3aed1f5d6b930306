"""A plan in the document, beside the section that was written by it."""

from dataclasses import replace

from citeplug.records.outcome import Options
from citeplug.records.plan import Plan, PlanParagraph
from citeplug.related.plan.from_clusters import WORDS_EACH
from citeplug.section_file.current import CurrentBlock, CurrentSection


def still_to_plan(plan: Plan, current: CurrentSection) -> Plan:
    """The paragraphs that the author has not taken over in the section's file.

    A block whose text or plan the author changed there follows the document: it answers to the paragraph of the
    same heading, or of the same papers.
    """
    own = [block for block in current.blocks if block.state != "fresh"]
    left: list[PlanParagraph] = []
    for paragraph in plan.paragraphs:
        answer = next((block for block in own if _answers(block, paragraph)), None)
        if answer is None:
            left.append(paragraph)
        else:
            own.remove(answer)
    return Plan(tuple(left))


def with_lengths(plan: Plan, options: Options, taken: int) -> Plan:
    """The plan with words for each paragraph: its own, else a share of what the section has left, else as usual.

    `taken` are the words of the section that are no part of the plan.
    """
    still_open = sum(paragraph.sentences for paragraph in plan.paragraphs if not paragraph.words)
    each: float = WORDS_EACH
    if options.words is not None and still_open:
        said = sum(paragraph.words for paragraph in plan.paragraphs)
        each = max(1, options.words - taken - said) / still_open
    paragraphs = (p if p.words else replace(p, words=max(1, round(each * p.sentences))) for p in plan.paragraphs)
    return Plan(tuple(paragraphs))


def words_of_author(current: CurrentSection) -> int:
    """The words, about, of the blocks that are not planned anew."""
    return sum(len(block.at.text.split()) for block in current.settled)


def _answers(block: CurrentBlock, paragraph: PlanParagraph) -> bool:
    plans = [block.at.plan, *((block.base.plan,) if block.base else ())]
    if paragraph.heading and any(plan.heading == paragraph.heading for plan in plans):
        return True
    cites = {cite for line in paragraph.lines for cite in line.cites}
    return any(cites and cites == {cite for line in plan.lines for cite in line.cites} for plan in plans)
