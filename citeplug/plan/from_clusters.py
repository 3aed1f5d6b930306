"""Plan of a section from clusters of the shortlist: paragraphs, headings, and a line for each sentence (LitLLM, section 4)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from citeplug.plan.clusters import Themes, cluster, with_headings
from citeplug.ports import Vectors
from citeplug.records.draft import Draft
from citeplug.records.paper import Paper, Shortlisted
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.text.nounlists import GENERIC
from citeplug.text.nounphrases import NounPhrase, noun_phrases, small_words

RELATE = "relate this work to the draft"
MORE = "say what else this work contributes"

_LIST = "list further work"
_WORDS_EACH = 25  # in a sentence

_MOST_OWN = 200  # headings of the draft, and titles that it cites


def make_plan(
    draft: Draft,
    shortlist: Sequence[Shortlisted],
    vectors: Mapping[str, Vectors],
    taken: Sequence[str] = (),
    reportable: Callable[[Paper], bool] | None = None,
) -> Plan:
    """Cluster `shortlist` into topics and plan a paragraph for each (the plan of LitLLM's plan-based generation).

    `vectors` are unit vectors (d,) by arXiv id; without one for every paper, words decide. The best-scored
    topic comes first, and in it the best-scored paper. `taken` are headings that stand in the section already. Every
    paper has a line, but those of a paragraph that are not `reportable` share one at its end; its intent names the theme
    that some of them have in common. The last paragraph ends with a line without
    papers, which relates the section to `draft`. An empty shortlist gives an empty plan. Deterministic.
    """
    items = list({item.paper.id.value: item for item in reversed(shortlist)}.values())
    items.sort(key=lambda item: (-item.score, item.paper.id.value))
    papers = [item.paper for item in items]
    if not papers:
        return Plan(())
    own = _own_words(draft)
    stated = {row for row in range(len(papers)) if reportable is None or reportable(papers[row])}
    named = with_headings(papers, cluster(papers, vectors), vectors, taken, own)
    named.sort(key=lambda each: (each[0] != "", -sum(items[row].score for row in each[1]) / len(each[1])))
    phrases = [noun_phrases(paper, small_words(papers)) for paper in papers]
    themes = Themes(papers, own)
    paragraphs: list[PlanParagraph] = []
    for number, (heading, group) in enumerate(named, start=1):
        spoken, others = ([row for row in group if (row in stated) == said] for said in (True, False))
        lines = [PlanLine(_intent(_topic(phrases[row], heading)), (papers[row].id.value,)) for row in spoken]
        if others:
            lines.append(PlanLine(_listing(themes.common(others)), tuple(papers[row].id.value for row in others)))
        if number == len(named):
            lines.append(PlanLine(RELATE))
        paragraphs.append(PlanParagraph(f"p{number}", heading, tuple(lines), words=_WORDS_EACH * len(lines)))
    return Plan(tuple(paragraphs))


def with_line(paragraph: PlanParagraph, paper: Paper, reportable: Callable[[Paper], bool] | None) -> PlanParagraph:
    """The paragraph with a line for one more paper, before those on the draft; `reportable` as in `make_plan`."""
    said = reportable is None or reportable(paper)
    topic = _topic(noun_phrases(paper, small_words([paper])), paragraph.heading) if said else None
    line = PlanLine(_intent(topic) if said else _LIST, (paper.id.value,))
    at = len(paragraph.lines)
    while at and paragraph.lines[at - 1].role == "draft":
        at -= 1
    lines = (*paragraph.lines[:at], line, *paragraph.lines[at:])
    return replace(paragraph, lines=lines, words=paragraph.words + _WORDS_EACH)


def without_closing(plan: Plan) -> Plan:
    """The plan without its line on the draft."""
    kept = (replace(p, lines=tuple(line for line in p.lines if line.intent != RELATE)) for p in plan.paragraphs)
    return Plan(tuple(kept))


def _own_words(draft: Draft) -> list[str]:
    """Texts of the draft that name its themes: its title and headings, and the titles that it cites."""
    cited = {key for cite in draft.cites for key in cite.keys}
    titles = [entry.fields.get("title", "") for entry in draft.entries if entry.key in cited]
    return [draft.title, draft.abstract, *(section.title for section in draft.sections), *titles][:_MOST_OWN]


def is_planners(intent: str) -> bool:
    """True for a plan line in this planner's own words, which asks for nothing in particular."""
    return _PLANNED.match(intent) is not None


_PLANNED = re.compile(r"(?:describe work on|list further work|say what (?:else )?this work)(?: |$)")


def theme_of(intent: str) -> str | None:
    """The theme of a line that lists further work; None for any other line, or for one without a theme."""
    return intent.removeprefix(f"{_LIST} on ") if intent.startswith(f"{_LIST} on ") else None


def is_listing(intent: str) -> bool:
    """True for a line of this planner's that lists further work, on a theme or on none."""
    return intent == _LIST or theme_of(intent) is not None


def _listing(theme: str | None) -> str:
    return f"{_LIST} on {theme}" if theme else _LIST


def _intent(topic: str | None) -> str:
    return f"describe work on {topic}" if topic else "say what this work contributes"


def _topic(found: Mapping[str, NounPhrase], heading: str) -> str | None:
    """Topic of one paper, other than the heading of its paragraph."""
    ranked = sorted(found, key=lambda key: (-_told_by(key, found[key]), key))
    fresh = (key for key in ranked if found[key].display.lower() != heading.lower())
    return next((found[key].display for key in (*fresh, *ranked)), None)


def _told_by(key: str, phrase: NounPhrase) -> float:
    score = phrase.weight + 0.9 * min(len(key.split()), 3) + (2.0 if phrase.in_title else 0.0)
    return score - (4.0 if key in GENERIC else 0.0)
