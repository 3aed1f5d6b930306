"""A plan for a section of a given length: which sentences there are, and how many words each paragraph may take.

Every paper of the plan stays in it. A shorter section says less of each, two or three papers in a sentence; a longer
one has a second and a third sentence on a paper.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from citeplug.plan.from_clusters import MORE, theme_of
from citeplug.records.finding import Finding
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section
from citeplug.text.cited_text import length

TOLERANCE = 0.15  # of the words asked for
WORDS_EACH = 25  # in a sentence, where nothing else is known
CLOSE_ENOUGH = 0.05  # of the words asked for
_MOST_TOGETHER = 3  # papers in a sentence that says something of each; more are only listed
_MOST_LISTED = 5
_MOST_ON_ONE = 3  # sentences on one paper
_WORDS_A_STEP = 10  # by which the next plan is about longer
_MOST_TRIES = 6

# The words that a writer makes of each line of each paragraph of a plan.
Measure = Callable[[Plan], Sequence[Sequence[int]]]


def fit_length(plan: Plan, words: int, measure: Measure | None = None) -> Plan:
    """The plan, changed so that its section has about `words` words, citations left out.

    `measure` is the writer's own measure; without one every sentence counts `WORDS_EACH`, the length that a model is
    asked for. The nearest length that there is comes out, which may be far off: an abstract says only so
    much, and every paper has to be cited.
    """
    if not plan.paragraphs:
        return plan
    ladder, step = _ladder(plan)
    lengths: dict[int, Sequence[Sequence[int]]] = {}
    low, high = 0, len(ladder) - 1
    for _ in range(_MOST_TRIES):
        lengths[step] = _estimate(ladder[step]) if measure is None else measure(ladder[step])
        off = _sum(lengths[step]) - words
        if abs(off) <= CLOSE_ENOUGH * words:
            break
        low, high = (low, step - 1) if off > 0 else (step + 1, high)
        if low > high:
            break
        step = min(high, max(low, step - round(off / _WORDS_A_STEP)))

    def total(step: int) -> int:
        return _sum(lengths[step])

    steps = sorted(lengths, key=lambda step: abs(total(step) - words))[:2]
    best: Plan | None = None
    missed = 0
    for step in steps:
        spoken, each = _spoken(ladder[step], lengths[step])
        fitted = _with_words(spoken, words, each)
        off = abs((total(step) if measure is None else _sum(measure(fitted))) - words)
        if best is None or off < missed:
            best, missed = fitted, off
        if missed <= CLOSE_ENOUGH * words:
            break
    return plan if best is None else best


def length_doubts(section: Section, words: int | None) -> list[Finding]:
    """`section_length` for a section that is more than 15 % shorter or longer than was asked for."""
    said = sum(length(paragraph.sentences) for paragraph in section.paragraphs)
    if words is None or not said or abs(said - words) <= TOLERANCE * words:
        return []
    papers = len({cite for paragraph in section.paragraphs for s in paragraph.sentences for cite in s.cites})
    about = max(1, round(words / said * papers))
    fix = f"ask for about {about} papers with --breadth (it has {papers})"
    if said < words:
        fix += ", or name a language model with --llm, which can say more of each"
    message = f"the section has {said} words where {words} were asked for: its papers give no other length"
    return [Finding("section_length", "info", message, fix=fix)]


def share_words(plan: Plan, words: int) -> Plan:
    """The plan with its lines as they are, and `words` words for all of it."""
    return _with_words(plan, words, [paragraph.words for paragraph in plan.paragraphs])


def _spoken(plan: Plan, lengths: Sequence[Sequence[int]]) -> tuple[Plan, list[int]]:
    """The plan without further sentences on papers of which the writer has nothing more to say; words by paragraph."""
    paragraphs = []
    for paragraph, words in zip(plan.paragraphs, lengths, strict=True):
        pairs = zip(paragraph.lines, words, strict=True)
        lines = tuple(line for line, count in pairs if count or line.intent != MORE)
        paragraphs.append(replace(paragraph, lines=lines))
    return Plan(tuple(paragraphs)), [sum(words) for words in lengths]


def _sum(lengths: Sequence[Sequence[int]]) -> int:
    return sum(map(sum, lengths))


def _with_words(plan: Plan, words: int, lengths: Sequence[int]) -> Plan:
    whole = sum(lengths) or 1
    return Plan(
        tuple(
            replace(paragraph, words=max(1, round(words * length / whole)))
            for paragraph, length in zip(plan.paragraphs, lengths, strict=True)
        )
    )


def _estimate(plan: Plan) -> list[list[int]]:
    return [[WORDS_EACH * line.sentences for line in paragraph.lines] for paragraph in plan.paragraphs]


def _ladder(plan: Plan) -> tuple[list[Plan], int]:
    """Plans with the same papers, from the shortest to the longest, and the place of the given one."""
    shorter = [_as_usual(each) for each in _shorten(plan)]
    longer = [_as_usual(each) for each in _lengthen(plan)]
    return [*reversed(shorter), plan, *longer], len(shorter)


def _as_usual(plan: Plan) -> Plan:
    return Plan(tuple(replace(p, words=WORDS_EACH * p.sentences) for p in plan.paragraphs))


def _shorten(plan: Plan) -> Iterator[Plan]:
    """One sentence less each time: papers are put together, then the sentences on the draft go, then papers are listed."""
    for most in (_MOST_TOGETHER, None, _MOST_LISTED):
        while True:
            shorter = _without_closing(plan) if most is None else _joined(plan, most)
            if shorter is None:
                break
            plan = shorter
            yield plan


def _joined(plan: Plan, most: int) -> Plan | None:
    """The plan with two neighbouring lines made one, where the least is lost; None if nothing can be joined."""
    places = [
        (len(one.cites) + len(other.cites), -row, column)
        for row, paragraph in enumerate(plan.paragraphs)
        for column, (one, other) in enumerate(zip(paragraph.lines, paragraph.lines[1:], strict=False))
        if one.role == other.role == "paper" and len(one.cites) + len(other.cites) <= most
    ]
    if not places:
        return None
    _, row, column = min(places)
    paragraph = plan.paragraphs[-row]
    one, other = paragraph.lines[column : column + 2]
    joined = PlanLine(one.intent, (*one.cites, *other.cites), weight=one.weight if one.weight == other.weight else None)
    lines = (*paragraph.lines[:column], joined, *paragraph.lines[column + 2 :])
    return _exchanged(plan, -row, replace(paragraph, lines=lines))


def _without_closing(plan: Plan) -> Plan | None:
    """The plan without its last line on the draft, or else the last topic; their papers have lines of their own."""
    for role in ("draft", "topic"):
        for row in range(len(plan.paragraphs) - 1, -1, -1):
            lines = plan.paragraphs[row].lines
            for column in range(len(lines) - 1, -1, -1):
                rest = (*lines[:column], *lines[column + 1 :])
                cited = {cite for line in rest if line.role == "paper" for cite in line.cites}
                if lines[column].role == role and cited and cited.issuperset(lines[column].cites):
                    return _exchanged(plan, row, replace(plan.paragraphs[row], lines=rest))
    return None


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
            if line.role == "paper" and len(line.cites) > 1 and theme_of(line.intent) is None:
                rest = [PlanLine(line.intent, (cite,)) for cite in line.cites]
                lines = (*paragraph.lines[:column], *rest, *paragraph.lines[column + 1 :])
                return _exchanged(plan, row, replace(paragraph, lines=lines))
    return None


def _with_more(plan: Plan, most: int) -> Plan | None:
    for row, paragraph in enumerate(plan.paragraphs):
        for column, line in enumerate(paragraph.lines):
            own = [n for n, li in enumerate(paragraph.lines) if li.cites == line.cites and li.role == "paper"]
            said = sum(paragraph.lines[number].sentences for number in own)
            if line.role == "paper" and len(line.cites) == 1 and column == own[-1] and said < most:
                more = PlanLine(MORE, line.cites)
                lines = (*paragraph.lines[: column + 1], more, *paragraph.lines[column + 1 :])
                return _exchanged(plan, row, replace(paragraph, lines=lines))
    return None


def _exchanged(plan: Plan, row: int, paragraph: PlanParagraph) -> Plan:
    return Plan((*plan.paragraphs[:row], paragraph, *plan.paragraphs[row + 1 :]))
