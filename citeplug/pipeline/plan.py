"""The plan of a run: the author's plans in their places, and new paragraphs made from the shortlist."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypedDict

from citeplug.bibliography.match import match_existing
from citeplug.pipeline.document_plan import words_of_author
from citeplug.pipeline.pins import with_pins
from citeplug.pipeline.planned import Planned, known_ids, without_papers
from citeplug.pipeline.progress import Tools
from citeplug.pipeline.verify import Verified
from citeplug.plan.from_clusters import make_plan
from citeplug.plan.lengths import Measure, fit_length, fit_within
from citeplug.ports import Vectors
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.outcome import Options
from citeplug.records.paper import Paper, Shortlisted
from citeplug.records.plan import Plan
from citeplug.section_file.arrange import arrange, free_papers, with_papers
from citeplug.section_file.current import CurrentSection
from citeplug.text.cited_text import length
from citeplug.write.extractive.clauses import system_names
from citeplug.write.extractive.draft_sentences import find_position
from citeplug.write.extractive.section import can_be_described, write_lines


def plan_section(
    planned: Planned,
    verified: Verified,
    vectors: Mapping[str, Vectors],
    current: CurrentSection,
    held: Sequence[BibEntry],
    draft: Draft,
    options: Options,
    tools: Tools,
) -> tuple[Plan, tuple[Shortlisted, ...]]:
    """The plan of all paragraphs that are due, and the papers that were shortlisted for new ones.

    `vectors` are those of the shortlist, unit vectors (d,) by arXiv id; `held` are the entries of the section's file.
    """
    shortlist = verified.shortlist
    if planned.given is not None:
        new = without_papers(planned.given, verified.refused, draft)
    elif planned.search is None:
        new = Plan(())
    else:
        new = make_plan(draft, shortlist, vectors, **_stated(draft, tools, verified))
        if current.text.strip():
            # What the author cites in a paragraph of the author's own may have no id in its entry.
            matched = match_existing([item.paper for item in shortlist], (*held, *draft.entries), draft.cites)
            known = {**known_ids(held, draft), **{key: value for value, key in matched.items()}}
            free = free_papers(shortlist, current, known, planned.search.breadth)
            free = with_pins(shortlist, free, planned.unspoken)
            new = _beside(current, new, shortlist, free, draft, tools, verified)
            shortlist = tuple(free)
        if options.words is not None:
            words = max(1, options.words - words_of_author(current))
            if tools.model is not None:
                new = fit_length(new, words)
            else:
                kept = sorted({*options.pin, *planned.unspoken})
                new = fit_within(new, words, _measure(draft, verified, kept), kept)
    wishes = without_papers(planned.wishes, verified.refused, draft)
    return arrange(current, wishes.paragraphs, new.paragraphs)[0], shortlist


def _beside(
    current: CurrentSection,
    new: Plan,
    shortlist: Sequence[Shortlisted],
    free: Sequence[Shortlisted],
    draft: Draft,
    tools: Tools,
    verified: Verified,
) -> Plan:
    """The new plan, with the free papers alone, and no heading that the section has already or the author deleted.

    Headings are made as if the section were empty, so that a paragraph keeps its own when another becomes the author's.
    """

    headings = [*current.headings, *(gone.heading for gone in current.gone)]

    def make(items: Sequence[Shortlisted], taken: Sequence[str]) -> Plan:
        vectors = tools.index.vectors_of([item.paper for item in items])
        return make_plan(draft, items, vectors, taken, **_stated(draft, tools, verified))

    def around(plan: Plan) -> Plan:
        return with_papers(plan, free, lambda rest, others: make(rest, [*headings, *others]))

    found = around(new)
    if any(paragraph.heading in headings for paragraph in found.paragraphs):
        found = around(make(shortlist, headings))
    return found


class Stated(TypedDict, total=False):
    """What can be said without a model: see `make_plan`."""

    reportable: Callable[[Paper], bool]
    positioned: Callable[[str], bool]


def _stated(draft: Draft, tools: Tools, verified: Verified) -> Stated:
    """Of which papers a sentence can be reported, and in which themes the draft has one; a model says more."""
    if tools.model is not None:
        return {}
    names = system_names(verified.papers.values())
    reportable = partial(can_be_described, draft=draft, passages=verified.passages, names=names)
    return {"reportable": reportable, "positioned": lambda theme: find_position(draft, theme) is not None}


def _measure(draft: Draft, verified: Verified, bound: Sequence[str]) -> Measure:
    """The words that the extractive writer makes of each line; `bound` papers are cited in any case.

    Contributions are cached, so that writing a plan takes 6 ms, and a run tries five.
    """

    def measure(plan: Plan) -> list[list[int]]:
        written = write_lines(plan, draft, verified.papers, bound=bound, passages=verified.passages)
        return [[length(line.sentences) for line in lines] for lines in written]

    return measure
