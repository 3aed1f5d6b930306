"""Plan of a section from clusters of the shortlist: paragraphs, headings, and a line for each sentence (LitLLM, section 4)."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from citeplug.bib.compare.duplicates import match_existing
from citeplug.protocols import Vectors
from citeplug.records.draft import Draft
from citeplug.records.paper import Paper, Shortlisted
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.related.plan.themes import Group, Theme, find_themes, group_by_theme, plural_form, similarity_of
from citeplug.text.nounphrases import GENERIC, NounPhrase, normal_form, noun_phrases, small_words

RELATE = "relate this work to the draft"
CONTRIBUTE = "say what the draft contributes"
MORE = "say what else this work contributes"

_LIST = "list further work"
_INTRODUCE = "introduce work on "  # of plans by earlier versions
_DESCRIBE = "describe work on "
_SAY = "say what this work contributes"
_LATER = {_LIST: "list later work", _DESCRIBE: "describe later work on ", _SAY: "say what this later work contributes"}
_PLANNED = re.compile(
    r"(?:(?:describe|introduce) (?:later )?work on|list (?:further|later) work|say what (?:else )?this (?:later )?work)(?: |$)"
)
_SHARING = 2  # papers in a sentence
WORDS_EACH = 25  # in a sentence, where nothing else is known
_MOST_OWN = 200  # headings of the draft, and titles that it cites


# The noun that says what a thing is, or the language that it is written in.
_RESOURCE = re.compile(
    r"\b(?:data ?sets?|corpus|corpora|benchmarks?(?: suite)?|repository|library|package|toolkit|toolbox|software)$"
    r"|\bin (?:Python|R|Julia|MATLAB|Java|C\+\+)$",
    re.IGNORECASE,
)


def make_plan(
    draft: Draft,
    shortlist: Sequence[Shortlisted],
    vectors: Mapping[str, Vectors],
    taken: Sequence[str] = (),
    reportable: Callable[[Paper], bool] | None = None,
    references: Mapping[str, Collection[str]] = MappingProxyType({}),
    cited: Collection[str] = (),
    later: Collection[str] = (),
) -> Plan:
    """Group `shortlist` by theme and plan a paragraph for each (the plan of LitLLM's plan-based generation).

    `vectors` are unit vectors (d,) by arXiv id; without one for every paper, words decide. `taken` are headings that
    stand in the section already. In a paragraph the papers `cited` (ids), by the draft itself, come
    before all others. Of either the best-scored comes
    first, but behind those that it cites by `references` (ids by id); without a model two that share a narrower theme
    have one line, and papers that are not `reportable` one at the end, in the nearest paragraph where they have no theme.
    Data sets and software come behind methods, and papers that are `later` (ids) than the draft behind all others.
    The last paragraph ends with a line without papers, which relates the section to `draft`. An empty shortlist gives an
    empty plan. Deterministic.
    """
    items = list({item.paper.id.value: item for item in reversed(shortlist)}.values())
    items.sort(key=lambda item: (-item.score, item.paper.id.value))
    # What the draft says of a work is no text of the work's.
    papers = [replace(p, abstract="") if p.abstract_kind == "draft" else p for p in (item.paper for item in items)]
    if not papers:
        return Plan(())
    own = _own_words(draft)
    themes = tuple(find_themes(papers, own))
    stated = frozenset(row for row, paper in enumerate(papers) if reportable is None or reportable(paper))
    groups = group_by_theme(papers, themes, vectors, taken, _cited_together(draft, papers), own)
    groups = _with_lists(groups, stated, similarity_of(papers, vectors))
    if len(groups) == 1 and not taken:
        groups = [Group(None, groups[0].rows)]
    groups.sort(key=lambda group: (group.place, -sum(items[row].score for row in group.rows) / len(group.rows)))
    resources = {row for row, paper in enumerate(papers) if _is_resource(paper.title)}
    phrases = [noun_phrases(paper, small_words(papers)) for paper in papers]
    text = " . ".join(f"{paper.title} . {paper.abstract}" for paper in papers).lower()
    paragraphs: list[PlanParagraph] = []
    for number, group in enumerate(groups, start=1):
        rows = _cited_first(group.rows, [paper.id.value for paper in papers], references)
        lines = list[PlanLine]()
        topics = [group.heading]
        by_draft = [row for row in rows if papers[row].id.value in cited]
        ordered = [*by_draft, *(row for row in rows if row not in by_draft)]
        newer = [row for row in rows if papers[row].id.value in later]
        aside = resources if group.theme is None else {*resources, *rows} - group.theme.rows | resources
        beside = [row for row in rows if row in stated and row in aside and row not in newer]
        first = [row for row in by_draft if row not in beside]
        listed = sorted((row for row in ordered if row not in stated), key=resources.__contains__)
        older = [row for row in listed if row not in newer]
        late = [row for row in listed if row in newer]
        for part in (first, [row for row in rows if row not in (*first, *beside, *newer)], beside, newer):
            # What is beside the theme opens no paragraph, and what is later stands behind what is older.
            if older and ((part is beside and beside and not lines and len(older) > 1) or (part is newer and lines)):
                lines, older = [*lines, _line(_LIST, older, papers)], []
            for pair, topic in _pairs([row for row in part if row in stated], group, themes):
                topic = topic or _topic(phrases[pair[0]], topics, text)
                topics.append(topic or "")
                lines.append(_line(_intent(topic, is_later=part is newer), pair, papers))
        if older or late:
            lines.append(_line(_LIST if older else _LATER[_LIST], [*older, *late], papers))
        if number == len(groups):
            lines.append(PlanLine(RELATE))
        paragraphs.append(PlanParagraph(f"p{number}", group.heading, tuple(lines), words=WORDS_EACH * len(lines)))
    return Plan(tuple(paragraphs))


def _intent(topic: str | None, *, is_later: bool) -> str:
    intent = _DESCRIBE if topic else _SAY
    return f"{_LATER[intent] if is_later else intent}{topic or ''}"


def _is_resource(title: str) -> bool:
    """True for the title of a data set or of software: "ShapeNet: an information-rich 3D model repository"."""
    *_, what = title.rstrip(".").split(": ")
    head = re.split(r" (?:for|of|with|to|on|in(?! \S+$)) ", what)[0]
    return _RESOURCE.search(head) is not None


def _with_lists(groups: Sequence[Group], stated: frozenset[int], similarity: NDArray[np.float64]) -> list[Group]:
    """The groups; one on no theme of which nothing can be stated joins another on none, or else the nearest.

    A paragraph that only lists works says less than a longer list behind what is said of others.
    """
    lists = [group for group in groups if group.theme is None and not stated & {*group.rows}]
    joined = [group for group in groups if group not in lists]
    for group in lists:
        homes = [other for other in joined if other.theme is None] or joined
        home = max(homes, key=lambda other: similarity[np.ix_(group.rows, other.rows)].mean(), default=Group(None, ()))
        joined = [other for other in joined if other is not home]
        joined.append(Group(home.theme, tuple(sorted([*home.rows, *group.rows]))))
    return joined


def _line(intent: str, rows: Sequence[int], papers: Sequence[Paper]) -> PlanLine:
    return PlanLine(intent, tuple(papers[row].id.value for row in rows))


def _cited_first(rows: Sequence[int], ids: Sequence[str], references: Mapping[str, Collection[str]]) -> Sequence[int]:
    """The rows in their order, but each behind those of papers that it cites; of a circle the first comes last."""
    done = dict[int, None]()

    def take(row: int, citing: frozenset[int]) -> None:
        for other in rows:
            if other not in citing and other not in done and ids[other] in references.get(ids[row], ()):
                take(other, citing | {other})
        done.setdefault(row)

    for row in rows:
        take(row, frozenset({row}))
    return list(done)


def _pairs(rows: Sequence[int], group: Group, themes: Sequence[Theme]) -> Iterator[tuple[Sequence[int], str | None]]:
    """The rows in their order, two whose titles share a theme that the others have not together, with that theme."""
    shared = [(theme, [row for row in rows if row in theme.titled]) for theme in themes]
    narrow = [(theme, both) for theme, both in shared if len(both) == _SHARING and theme.is_new([group.heading])]
    narrow.sort(key=lambda pair: (-pair[0].weight, pair[0].name))
    done = set[int]()
    for row in rows:
        theme, both = next(
            ((theme, both) for theme, both in narrow if row in both and not done & {*both}), (None, [row])
        )
        if row not in done:
            yield both, None if theme is None else theme.name
        done.update(both)


def _cited_together(draft: Draft, papers: Sequence[Paper]) -> list[frozenset[str]]:
    """The sets of papers that the draft cites at one place."""
    ids = {key: value for value, key in match_existing(papers, draft.entries, draft.cites).items()}
    together = (frozenset(ids[key] for key in cite.keys if key in ids) for cite in draft.cites)
    return [group for group in together if len(group) > 1]


def with_line(
    paragraph: PlanParagraph,
    paper: Paper,
    reportable: Callable[[Paper], bool] | None,
    cited: Collection[str] = (),
    later: Collection[str] = (),
    standing: Collection[PlanLine] = (),
) -> PlanParagraph:
    """The paragraph with a line for one more paper, before those on the draft, and for one that the draft cites before
    those on other papers; `reportable`, `cited` and `later` as in `make_plan`.

    One that is only listed joins a list which is not among the `standing` lines: these stay as they are.
    """
    can_be_said = reportable is None or reportable(paper)
    taken = [paragraph.heading, *(topic for line in paragraph.lines if (topic := topic_of(line.intent)))]
    phrases, text = noun_phrases(paper, small_words([paper])), f"{paper.title} . {paper.abstract}".lower()
    topic = _topic(phrases, taken, text) if can_be_said else None
    newer = paper.id.value in later
    intent = _intent(topic, is_later=newer) if can_be_said else _LATER[_LIST] if newer else _LIST
    line = PlanLine(intent, (paper.id.value,))
    lists = [other for other in paragraph.lines if other.intent == intent and other not in standing]
    if is_listing(intent) and lists:
        longer = replace(lists[0], cites=(*lists[0].cites, paper.id.value))
        return replace(paragraph, lines=tuple(longer if other is lists[0] else other for other in paragraph.lines))
    at = len(paragraph.lines)
    while at and paragraph.lines[at - 1].role == "draft":
        at -= 1
    if paper.id.value in cited:
        at = next(
            (n for n, other in enumerate(paragraph.lines[:at]) if other.cites and not {*other.cites} & {*cited}), at
        )
    lines = (*paragraph.lines[:at], line, *paragraph.lines[at:])
    return replace(paragraph, lines=lines, words=paragraph.words + WORDS_EACH)


def without_closing(plan: Plan) -> Plan:
    """The plan without its line on the draft."""
    paragraphs = (replace(p, lines=tuple(line for line in p.lines if line.intent != RELATE)) for p in plan.paragraphs)
    return Plan(tuple(paragraphs))


def _own_words(draft: Draft) -> list[str]:
    """Texts of the draft that name its themes: its title and headings, and the titles that it cites."""
    cited = {key for cite in draft.cites for key in cite.keys}
    titles = [entry.fields.get("title", "") for entry in draft.entries if entry.key in cited]
    return [draft.title, draft.abstract, *(section.title for section in draft.sections), *titles][:_MOST_OWN]


def is_planners(intent: str) -> bool:
    """True for a plan line in this planner's own words, which asks for nothing in particular."""
    return _PLANNED.match(intent) is not None


def topic_of(intent: str) -> str | None:
    """What a line describes work on, in this planner's own words."""
    return next((intent.removeprefix(of) for of in (_DESCRIBE, _LATER[_DESCRIBE]) if intent.startswith(of)), None)


def is_later(intent: str) -> bool:
    """True for a line of this planner's on work that is later than the draft."""
    return intent.startswith(tuple(_LATER.values()))


def is_listing(intent: str) -> bool:
    """True for a line of this planner's that cites works together."""
    return intent.startswith((_LIST, _LATER[_LIST], _INTRODUCE))


def _topic(phrases: Mapping[str, NounPhrase], taken: Sequence[str], text: str) -> str | None:
    """Topic of one paper, in the plural where `text`, in small letters, has it; none of `taken` in another form.

    A part of one that is taken, such as the heading, tells the paper from no other of the paragraph: it comes last.
    """
    known = {normal_form(topic) for topic in filter(None, taken)}
    names = f" {' . '.join(known)} "
    ranked = sorted(phrases.keys() - known, key=lambda key: (f" {key} " in names, -_told_by(key, phrases[key]), key))
    if not ranked:
        return None
    display = phrases[ranked[0]].display
    return plural_form({display: 1}, text) or display


def _told_by(key: str, phrase: NounPhrase) -> float:
    score = phrase.weight + 0.9 * min(len(key.split()), 3) + (2.0 if phrase.in_title else 0.0)
    return score - (4.0 if key in GENERIC else 0.0)
