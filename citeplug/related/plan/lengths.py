"""A plan for a section of a given length: which sentences there are, and how many words each paragraph may take.

A language model comes near any length. Whole sentences of abstracts have the length that they have: for them
the words are an upper bound, for which the least papers are left out.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from citeplug.records.finding import Finding
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section
from citeplug.related.plan.from_clusters import MORE, is_listing
from citeplug.section_file.cite_style import CITED, keys_in_order
from citeplug.section_file.current import CurrentSection
from citeplug.section_file.grammar import WORDS_PER_SENTENCE, RelatedBlock, read_related
from citeplug.section_file.units import split_units
from citeplug.text.cited_text import length

TOLERANCE = 0.15  # of the words asked for
_MOST_ON_ONE = 3  # sentences on one paper
# The words that a writer makes of each line of each paragraph of a plan.
Measure = Callable[[Plan], Sequence[Sequence[int]]]

_NUMBERS = re.compile(r"\b(sentences|words)[ \t]*=[ \t]*(\d{1,6})")
_HEADING = re.compile(r"\\(?:(?:sub)*(?:section|paragraph)|label)\b")


def fit_within(plan: Plan, words: int, measure: Measure, bound: Collection[str] = ()) -> Plan:
    """The longest plan whose section has at most `words` words by the writer's own `measure`, citations left out.

    Papers that are not `bound`, ids as the plan has them, are left out from the end of the longest paragraph, and the
    line on the draft if a single paper is left; a sentence on one paper stays in any case.
    """
    if not plan.paragraphs:
        return plan
    ladder = [*reversed([*_leave_out(plan, bound)]), plan, *_lengthen(plan)]
    step = bisect_right(ladder, words, key=lambda rung: sum(map(sum, measure(rung)))) - 1
    best = ladder[max(0, step)]
    lengths = measure(best)
    return _with_words(_spoken(best, lengths), words, [sum(counts) for counts in lengths])


def left_out_for_length(plan: Plan, shortlist: Sequence[str], words: int) -> list[Finding]:
    """`papers_left_out` for papers, arXiv ids of a shortlist, that `fit_within` left out of the plan."""
    planned = {cite for paragraph in plan.paragraphs for line in paragraph.lines for cite in line.cites}
    left = [value for value in shortlist if value not in planned]
    if not left:
        return []
    message = f"left out to stay within {words} words: {', '.join(left)}"
    return [
        Finding("papers_left_out", "info", message, fix="ask for more words, or use --pin for a paper that you want")
    ]


def length_doubts(section: Section, words: int | None, *, at_most: bool) -> list[Finding]:
    """`section_length` for a section that is more than 15 % shorter or longer than was asked for.

    `at_most`: the words are an upper bound.
    """
    count = sum(length(paragraph.sentences) for paragraph in section.paragraphs)
    if words is None or not count or abs(count - words) <= (0 if at_most and count > words else TOLERANCE * words):
        return []
    papers = len({cite for paragraph in section.paragraphs for s in paragraph.sentences for cite in s.cites})
    about = max(1, round(words / count * papers))
    fix = f"ask for about {about} papers with --breadth (it has {papers})"
    if count < words:
        fix += ", or name a language model with --llm, which can say more about each"
    bound = "at most " if at_most else ""
    message = (
        f"the section has {count} words, not the {bound}{words} that were asked for: its papers allow no other length"
    )
    return [Finding("section_length", "info", message, fix=fix)]


def share_words(plan: Plan, words: int) -> Plan:
    """The plan with its lines as they are, and `words` words for all of it."""
    return _with_words(plan, words, [paragraph.words for paragraph in plan.paragraphs])


def _spoken(plan: Plan, lengths: Sequence[Sequence[int]]) -> Plan:
    """The plan without further sentences on papers of which the writer has nothing more to say."""
    paragraphs = []
    for paragraph, words in zip(plan.paragraphs, lengths, strict=True):
        pairs = zip(paragraph.lines, words, strict=True)
        lines = tuple(line for line, count in pairs if count or line.intent != MORE)
        paragraphs.append(replace(paragraph, lines=lines))
    return Plan(tuple(paragraphs))


def _with_words(plan: Plan, words: int, lengths: Sequence[int]) -> Plan:
    whole = sum(lengths) or 1
    return Plan(
        tuple(
            replace(paragraph, words=max(1, round(words * length / whole)))
            for paragraph, length in zip(plan.paragraphs, lengths, strict=True)
        )
    )


def _leave_out(plan: Plan, bound: Collection[str]) -> Iterator[Plan]:
    """One line less each time, the least first."""
    while True:
        lines = [(row, column) for row, p in enumerate(plan.paragraphs) for column in range(len(p.lines))]
        papers = [at for at in lines if plan.paragraphs[at[0]].lines[at[1]].cites]
        free = [(row, column) for row, column in papers if not {*plan.paragraphs[row].lines[column].cites} & {*bound}]
        if len(papers) > 1 and free:
            row, column = max(free, key=lambda at: (len(plan.paragraphs[at[0]].lines), at))
        elif others := [at for at in lines if at not in papers]:
            row, column = others[-1]
        else:
            return
        left = plan.paragraphs[row].lines
        plan = _exchanged(plan, row, replace(plan.paragraphs[row], lines=(*left[:column], *left[column + 1 :])))
        plan = Plan(tuple(paragraph for paragraph in plan.paragraphs if paragraph.lines))
        if not plan.paragraphs:
            return
        yield plan


def _lengthen(plan: Plan) -> Iterator[Plan]:
    """One sentence more each time: papers that share one get their own, then each gets a second and a third."""
    while (longer := _split(plan)) is not None:
        plan = longer
        yield plan
    for most in range(2, _MOST_ON_ONE + 1):
        while (longer := _with_more(plan, most)) is not None:
            plan = longer
            yield plan


def _split(plan: Plan) -> Plan | None:
    for row, paragraph in enumerate(plan.paragraphs):
        for column, line in enumerate(paragraph.lines):
            if line.role == "paper" and len(line.cites) > 1 and not is_listing(line.intent):
                rest = [PlanLine(line.intent, (cite,)) for cite in line.cites]
                lines = (*paragraph.lines[:column], *rest, *paragraph.lines[column + 1 :])
                return _exchanged(plan, row, replace(paragraph, lines=lines))
    return None


def _with_more(plan: Plan, most: int) -> Plan | None:
    for row, paragraph in enumerate(plan.paragraphs):
        for column, line in enumerate(paragraph.lines):
            own = [n for n, li in enumerate(paragraph.lines) if li.cites == line.cites and li.role == "paper"]
            sentences = sum(paragraph.lines[number].sentences for number in own)
            if line.role == "paper" and len(line.cites) == 1 and column == own[-1] and sentences < most:
                more = PlanLine(MORE, line.cites)
                lines = (*paragraph.lines[: column + 1], more, *paragraph.lines[column + 1 :])
                return _exchanged(plan, row, replace(paragraph, lines=lines))
    return None


def _exchanged(plan: Plan, row: int, paragraph: PlanParagraph) -> Plan:
    return Plan((*plan.paragraphs[:row], paragraph, *plan.paragraphs[row + 1 :]))


def plan_not_followed(current: CurrentSection, text: str, keys: Mapping[str, str]) -> Iterator[Finding]:
    """What the section's `text` does not do of the author's plans: `plan_words` and `plan_order`.

    `keys` are the citation keys by arXiv id. Plans and numbers that citeplug wrote are not compared.
    """
    before = {block.at.id: block for block in current.settled if not block.is_planners and block.wish is not None}
    for block in read_related(text).blocks:
        was = before.get(block.id)
        if was is None or not block.text.strip():
            continue
        planners = was.base.directives[:1] if was.base is not None else ()
        if block.directives[:1] != planners and block.plan.words != WORDS_PER_SENTENCE * block.plan.sentences:
            yield from _length(block)
        if not _in_order(block.plan, keys_in_order(block.text), keys):
            yield Finding(
                "plan_order",
                "info",
                f"the citations of {block.id} are in a different order than in its plan: your sentences stay where they are",
                fix="move the sentences, or the plan lines",
            )


def _length(block: RelatedBlock) -> Iterator[Finding]:
    units = [u.key for u in split_units(block.text) if u.kind == "text" and not _HEADING.match(u.key)]
    words = [word for key in units for word in CITED.sub(" ", key).split() if re.search(r"\w", word)]
    counts = {"sentences": len(units), "words": len(words)}
    planned = {name: int(number) for name, number in _NUMBERS.findall(block.directives[0])}
    wrong = [
        f"{counts[name]} {name}, but its plan says {number}"
        for name, number in planned.items()
        if abs(counts[name] - number) > (TOLERANCE * number if name == "words" else 0)
    ]
    if wrong:
        yield Finding(
            "plan_words",
            "info",
            f"{block.id} has {' and '.join(wrong)}",
            fix="give the plan one line per sentence, or change sentences= and words=",
        )


def _in_order(plan: PlanParagraph, cited: list[str], keys: Mapping[str, str]) -> bool:
    """Return True if the papers that the text cites come first in it in the order of the plan lines."""
    places: list[int] = []
    seen: set[str] = set()
    for line in plan.lines:
        new = {keys.get(cite, cite) for cite in line.cites} - seen
        places_of_line = [cited.index(key) for key in new if key in cited]
        places += [min(places_of_line)] if places_of_line else []
        seen |= new
    return places == sorted(places)
