"""Plan of a section from clusters of the shortlist: paragraphs, headings, and a line for each sentence (LitLLM, section 4)."""

import re
from collections.abc import Mapping, Sequence

from citeplug.plan.clusters import cluster, headings
from citeplug.ports import Vectors
from citeplug.records.draft import Draft
from citeplug.records.paper import Paper, Shortlisted
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.text.nounlists import GENERIC
from citeplug.text.nounphrases import NounPhrase, noun_phrases, small_words

RELATE = "relate this work to the draft"
MORE = "say what else this work contributes"

# How many papers each sentence of a paragraph takes, by the size of the paragraph.
_SHAPES = {1: (1,), 2: (1, 1), 3: (1, 1, 1), 4: (1, 2, 1), 5: (1, 2, 1, 1)}


def make_plan(
    draft: Draft, shortlist: Sequence[Shortlisted], vectors: Mapping[str, Vectors], taken: Sequence[str] = ()
) -> Plan:
    """Cluster `shortlist` into topics and plan a paragraph for each (the plan of LitLLM's plan-based generation).

    `vectors` are unit vectors (d,) by arXiv id; without one for every paper, words decide. The best-scored
    topic comes first, and in it the best-scored paper. `taken` are headings that stand in the section already. Each paragraph ends with a line without papers,
    which relates it to `draft`. An empty shortlist gives an empty plan. Deterministic.
    """
    items = list({item.paper.id.value: item for item in reversed(shortlist)}.values())
    items.sort(key=lambda item: (-item.score, item.paper.id.value))
    papers = [item.paper for item in items]
    groups = cluster(papers, vectors)
    groups.sort(key=lambda group: -sum(items[row].score for row in group) / len(group))
    names = headings(papers, groups, taken)
    small = small_words(papers)
    phrases = [noun_phrases(paper, small) for paper in papers]
    paragraphs: list[PlanParagraph] = []
    for number, (group, heading) in enumerate(zip(groups, names, strict=True), start=1):
        lines = _lines(group, papers, phrases, heading)
        paragraphs.append(PlanParagraph(f"p{number}", heading, (*lines, PlanLine(RELATE)), words=25 * (len(lines) + 1)))
    return Plan(tuple(paragraphs))


def is_planners(intent: str) -> bool:
    """True for a plan line in this planner's own words, which asks for nothing in particular."""
    return _PLANNED.match(intent) is not None


_PLANNED = re.compile(
    r"(?:describe work on|set side by side work on|compare (?:two )?papers on|say what (?:else )?this work) "
)


def _lines(
    group: Sequence[int], papers: Sequence[Paper], phrases: Sequence[Mapping[str, NounPhrase]], heading: str
) -> list[PlanLine]:
    rest = list(group)
    lines: list[PlanLine] = []
    shape = _SHAPES.get(len(rest)) or (2,) * (len(rest) // 2) + (1,) * (len(rest) % 2)
    for size in shape:
        taken, rest = rest[:size], rest[size:]
        topics = [_topic(phrases[row], heading) for row in taken]
        lines.append(PlanLine(_intent(topics), tuple(papers[row].id.value for row in taken)))
    return lines


def _intent(topics: Sequence[str | None]) -> str:
    named = list(dict.fromkeys(topic for topic in topics if topic))
    if not named:
        return "say what this work contributes"
    if len(topics) == 1:
        return f"describe work on {named[0]}"
    if len(named) == 1:
        return f"compare two papers on {named[0]}" if len(topics) == 2 else f"compare papers on {named[0]}"
    return "set side by side work on " + ", ".join(named[:-1]) + f" and on {named[-1]}"


def _topic(found: Mapping[str, NounPhrase], heading: str) -> str | None:
    """Topic of one paper, other than the heading of its paragraph."""
    ranked = sorted(found, key=lambda key: (-_told_by(key, found[key]), key))
    fresh = (key for key in ranked if found[key].display.lower() != heading.lower())
    return next((found[key].display for key in (*fresh, *ranked)), None)


def _told_by(key: str, phrase: NounPhrase) -> float:
    score = phrase.weight + 0.9 * min(len(key.split()), 3) + (2.0 if phrase.in_title else 0.0)
    return score - (4.0 if key in GENERIC else 0.0)
