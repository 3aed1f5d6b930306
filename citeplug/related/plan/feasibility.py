"""Checks of a plan before a section is written from it."""

from collections.abc import Iterator

from citeplug.records.finding import Finding
from citeplug.records.plan import Plan, PlanParagraph
from citeplug.related.plan.from_clusters import is_listing

MOST_PAPERS = 5  # in one sentence that still says something of each
FEWEST_WORDS = 6  # in a sentence
MOST_WORDS = 70


def plan_doubts(plan: Plan) -> Iterator[Finding]:
    """`plan_impossible` for a paragraph with too many papers for its sentences, or too few or too many words."""
    for paragraph in plan.paragraphs:
        why = _impossible(paragraph)
        if why:
            yield Finding(
                "plan_impossible",
                "warning",
                f"the plan of {paragraph.id} cannot be followed well: {why}",
                fix="give it more lines or other words=, or cite fewer papers in one line, or name them with passing:",
            )


def _impossible(paragraph: PlanParagraph) -> str | None:
    lines, sentences = len(paragraph.lines), paragraph.sentences
    crowded = [
        (number, len(line.cites))
        for number, line in enumerate(paragraph.lines, 1)
        if len(line.cites) > MOST_PAPERS and line.weight != "passing" and not is_listing(line.intent)
    ]
    if crowded:
        papers = sum(len(line.cites) for line in paragraph.lines)
        return f"{papers} papers in {sentences} sentences, {crowded[0][1]} of them in line {crowded[0][0]}"
    if paragraph.words and lines and not FEWEST_WORDS * lines <= paragraph.words <= MOST_WORDS * sentences:
        return f"{paragraph.words} words in {sentences} sentences"
    return None
