"""The plan of a run: the author's plans in their places, new paragraphs made from the shortlist, and topics of both."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import mean
from textwrap import shorten
from typing import TypedDict

from citeplug.bib.compare.duplicates import match_existing
from citeplug.errors import StoreBroken, StoreBusy
from citeplug.protocols import TopicSource, Vectors
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import CHOOSING, Options
from citeplug.records.paper import Paper, Shortlisted
from citeplug.records.plan import Plan
from citeplug.records.topics import Topic
from citeplug.related.draft_date import later_than
from citeplug.related.plan.from_clusters import WORDS_EACH, make_plan, with_line, without_closing
from citeplug.related.plan.lengths import Measure, fit_within, share_words
from citeplug.related.plan.planned import AuthorPlans, Resolver, known_ids, without_papers, words_of_author
from citeplug.related.plan.themes import LARGEST, similarity_of
from citeplug.related.progress import Tools
from citeplug.related.references import Verified, ids_cited
from citeplug.related.retrieve.pins import with_pins
from citeplug.related.write.extractive.section import write_lines
from citeplug.related.write.extractive.sentences import can_be_described
from citeplug.section_file.arrange import arrange, free_papers, with_papers
from citeplug.section_file.current import CurrentSection
from citeplug.text.cited_text import length

_MOST_REFERENCES = 2_000  # of a paper
_TITLE = 60  # letters of a title in a message


def plan_section(
    planned: AuthorPlans,
    verified: Verified,
    vectors: Mapping[str, Vectors],
    current: CurrentSection,
    held: Sequence[BibEntry],
    draft: Draft,
    options: Options,
    tools: Tools,
) -> tuple[Plan, tuple[Shortlisted, ...], list[Finding]]:
    """The plan of all paragraphs that are due, and the papers that were shortlisted for new ones.

    Finding `section_kept`: the section keeps its papers, where fewer were asked for, or others rank before them.

    `vectors` are those of the shortlist, unit vectors (d,) by arXiv id; `held` are the entries of the section's file.
    """
    shortlist = verified.shortlist
    wishes = without_papers(planned.wishes, verified.refused, draft, current.changed)
    anew = not current.settled or bool(current.anew)
    findings = list[Finding]()
    if planned.given is not None:
        new = without_papers(planned.given, verified.refused, draft)
    elif planned.search is None:
        new = Plan(())
    else:
        free: Sequence[Shortlisted] = shortlist
        if current.text.strip():
            # What the author cites in a paragraph of the author's own may have no id in its entry.
            matched = match_existing([item.paper for item in shortlist], (*held, *draft.entries), draft.cites)
            known = {**known_ids(held, draft), **{key: value for value, key in matched.items()}}
            free = free_papers(shortlist, current, known, planned.search.breadth, {*options.exclude, *verified.refused})
            if not anew and tools.model is not None and options.strategy in CHOOSING:
                free = []  # what the model left out is not to come in after all
            elif not anew and options.words is not None:
                free = free[: max(0, options.words - words_of_author(current)) // WORDS_EACH]
            free = with_pins(shortlist, free, planned.unspoken, current.spoken_for())
            if not anew:
                # What the draft cites and fits it has its place beside those that there is room for.
                own = ids_cited(verified.references.keys, draft)
                others = free_papers(shortlist, current, known, len(current.spoken_for()) + len(shortlist))
                free += [item for item in others if item.paper.id.value in own and item not in free]
        if not anew:
            cited = Resolver(verified.papers, draft).papers_of(
                [line for paragraph in wishes.paragraphs for line in paragraph.lines]
            )
            findings += _kept(cited, shortlist, free, current, planned.search.breadth)
            wishes, new = _come_in(current, wishes, free, draft, tools, verified)
        else:
            new = make_plan(draft, shortlist, vectors, **_known(draft, tools, verified))
            if current.text.strip():
                new = _beside(current, new, shortlist, free, draft, tools, verified)
                shortlist = tuple(free)
            if options.words is not None:
                words = max(1, options.words - words_of_author(current))
                if tools.model is not None:
                    new = share_words(new, words)
                else:
                    bound = sorted({*options.pin, *planned.unspoken})
                    new = fit_within(new, words, _measure(draft, verified, bound), bound)
    return arrange(current, wishes.paragraphs, new.paragraphs)[0], shortlist, findings


def _kept(
    cited: Sequence[Paper],
    shortlist: Sequence[Shortlisted],
    free: Sequence[Shortlisted],
    current: CurrentSection,
    breadth: int,
) -> list[Finding]:
    spoken = {paper.id.value for paper in cited} | {item.paper.id.value for item in free}
    out = spoken.union(*(gone.papers for gone in current.gone))
    left = [item.paper for item in shortlist if item.paper.id.value not in out]
    if len(cited) <= breadth and not left:
        return []
    more = f"; left out are {'; '.join(shorten(paper.title, _TITLE) for paper in left)}" if left else ""
    message = f"the section keeps its {len(cited)} papers, although you asked for {breadth}{more}"
    return [Finding("section_kept", "info", message, fix="--replan makes a new plan; --pin adds a paper")]


def _come_in(
    current: CurrentSection,
    plan: Plan,
    free: Sequence[Shortlisted],
    draft: Draft,
    tools: Tools,
    verified: Verified,
) -> tuple[Plan, Plan]:
    """The plan in the file with a line for each of the free papers, and new paragraphs for those without room there.

    A paper comes into the nearest paragraph that is as citeplug wrote it: every line that is there stays as it is.
    """
    left_alone = {block.at.id for block in current.as_written}
    by_id = {paragraph.id: paragraph for paragraph in plan.paragraphs}
    standing = {name: paragraph.lines for name, paragraph in by_id.items()}
    resolve = Resolver(verified.papers, draft).papers_of
    members = {name: resolve(by_id[name].lines) for name in by_id if name in left_alone}
    known = _known(draft, tools, verified) if free else PlanFacts()
    rest: list[Shortlisted] = []
    for item in free:
        room = [name for name, papers in members.items() if papers and len(papers) < LARGEST]
        if not room:
            rest.append(item)
            continue
        everybody = [item.paper, *(paper for name in room for paper in members[name])]
        similarity = iter(similarity_of(everybody, tools.index.vectors_of(everybody))[0][1:])
        near = max(room, key={name: mean(next(similarity) for _ in members[name]) for name in room}.__getitem__)
        by_id[near] = with_line(
            by_id[near],
            item.paper,
            known.get("reportable"),
            known.get("cited", ()),
            known.get("later", ()),
            standing[near],
        )
        members[near].append(item.paper)
    new = Plan(())
    if rest:
        vectors = tools.index.vectors_of([item.paper for item in rest])
        taken = [*current.headings, *(gone.heading for gone in current.gone)]
        new = make_plan(draft, rest, vectors, taken, **known)
        if any(line.role == "draft" for paragraph in plan.paragraphs for line in paragraph.lines):
            new = without_closing(new)
    return Plan(tuple(by_id.values())), new


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
        return make_plan(draft, items, vectors, taken, **_known(draft, tools, verified))

    def around(plan: Plan) -> Plan:
        return with_papers(plan, free, lambda rest, others: make(rest, [*headings, *others]))

    beside = around(new)
    if any(paragraph.heading in headings for paragraph in beside.paragraphs):
        beside = around(make(shortlist, headings))
    return beside


class PlanFacts(TypedDict, total=False):
    """What is known for a plan beside its papers: see `make_plan`."""

    cited: Collection[str]
    later: Collection[str]
    references: Mapping[str, Collection[str]]
    reportable: Callable[[Paper], bool]


def _known(draft: Draft, tools: Tools, verified: Verified) -> PlanFacts:
    """Which papers the draft cites, and which one another; without a model also what is newer and can be said."""
    ids = sorted(verified.papers)
    references = {} if tools.graph is None else tools.graph.references(ids, _MOST_REFERENCES)
    cited = ids_cited(verified.references.keys, draft)
    if tools.model is not None:
        return {"references": references, "cited": cited}
    return {
        "references": references,
        "cited": cited,
        "later": {paper.id.value for paper in later_than(draft, verified.papers.values())} - set(cited),
        "reportable": partial(can_be_described, draft=draft, passages=verified.passages),
    }


def _measure(draft: Draft, verified: Verified, bound: Sequence[str]) -> Measure:
    """The words that the extractive writer makes of each line; `bound` papers are cited in any case.

    Contributions are cached, so that writing a plan takes 6 ms, and a run tries five.
    """

    def measure(plan: Plan) -> list[list[int]]:
        written = write_lines(plan, draft, verified.papers, bound=bound, passages=verified.passages)
        return [[length(line.sentences) for line in lines] for lines in written]

    return measure


def known_topics(ids: Sequence[str], source: TopicSource | None) -> Mapping[str, Topic]:
    """Return the topics of papers by id; none if topics cannot be read, since a plan does not need them."""
    if source is None:
        return {}
    try:
        return source.of(ids)
    except (StoreBroken, StoreBusy):
        return {}


def topics_of_plan(plan: Plan, known: Mapping[str, Topic]) -> dict[str, Topic]:
    """Return, by paragraph id, the topic of more than half of its papers; its `papers` counts these."""
    topics: dict[str, Topic] = {}
    for paragraph in plan.paragraphs:
        cites = dict.fromkeys(cite for line in paragraph.lines for cite in line.cites)
        counts = Counter(replace(known[cite], papers=0) for cite in cites if cite in known)
        for topic, count in counts.most_common(1):
            if 2 * count > len(cites):
                topics[paragraph.id] = replace(topic, papers=count)
    return topics
