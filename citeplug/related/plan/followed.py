"""Comparison of a section with the plans that its author changed: their lengths, and the order of their citations."""

import re
from collections.abc import Iterator, Mapping

from citeplug.records.finding import Finding
from citeplug.records.plan import PlanParagraph
from citeplug.related.plan.lengths import TOLERANCE
from citeplug.section_file.cite_style import CITED, keys_in_order
from citeplug.section_file.current import CurrentSection
from citeplug.section_file.grammar import WORDS_PER_SENTENCE, RelatedBlock, read_related
from citeplug.section_file.units import split_units

_NUMBERS = re.compile(r"\b(sentences|words)[ \t]*=[ \t]*(\d{1,6})")
_HEADING = re.compile(r"\\(?:(?:sub)*(?:section|paragraph)|label)\b")


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
                f"the citations of {block.id} are in another order than in its plan: sentences of yours stay in place",
                fix="move the sentences, or the plan lines",
            )


def _length(block: RelatedBlock) -> Iterator[Finding]:
    units = [u.key for u in split_units(block.text) if u.kind == "text" and not _HEADING.match(u.key)]
    words = [word for key in units for word in CITED.sub(" ", key).split() if re.search(r"\w", word)]
    said = {"sentences": len(units), "words": len(words)}
    asked = {name: int(number) for name, number in _NUMBERS.findall(block.directives[0])}
    wrong = [
        f"{said[name]} {name} where its plan says {number}"
        for name, number in asked.items()
        if abs(said[name] - number) > (TOLERANCE * number if name == "words" else 0)
    ]
    if wrong:
        yield Finding(
            "plan_words",
            "info",
            f"{block.id} has {' and '.join(wrong)}",
            fix="give the plan as many lines as it is to have sentences, or change sentences= and words=",
        )


def _in_order(plan: PlanParagraph, cited: list[str], keys: Mapping[str, str]) -> bool:
    """Return True if the papers that the text cites come first in it in the order of the plan lines."""
    places: list[int] = []
    seen: set[str] = set()
    for line in plan.lines:
        new = {keys.get(cite, cite) for cite in line.cites} - seen
        found = [cited.index(key) for key in new if key in cited]
        places += [min(found)] if found else []
        seen |= new
    return places == sorted(places)
