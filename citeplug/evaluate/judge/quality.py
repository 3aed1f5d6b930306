"""Quality of a related-work section, 0 to 10 (Citegeist, section 4, Table 1)."""

from collections.abc import Iterator

from citeplug.evaluate.gold import Gold
from citeplug.evaluate.judge.question import LONGEST_SECTION, RULES, Question, orders, schema_of, score_of, show
from citeplug.evaluate.runs import RunLine
from citeplug.records.dialogue import Request

MOST = 10
SECTION = "the section"
SYSTEM = f"""You judge the related-work section of a draft, beside the draft's abstract.

Give a score from 0 to 10: 0 for a section that is irrelevant, unclear or wrong, 5 for one that is relevant in part, with gaps or small errors, 10 for one that is relevant, complete, clear and right. Consider how complete and how clear it is, and how relevant to the draft. Take what rests on an invalid citation for false.

{RULES}"""
_SCHEMA = schema_of({"score": {"type": "integer", "description": f"0 to {MOST}"}})


def ask_quality(gold: Gold, line: RunLine, *, as_published: bool = False) -> Iterator[Question]:
    """Ask about the section, if there is one; as published the abstract is always the first."""
    if not line.text or not gold.abstract:
        return
    shown = {"the draft's abstract": gold.abstract, SECTION: with_citations(line)}
    for order in orders(as_published):
        texts = shown if order == "first" else dict(reversed(shown.items()))
        prompt, label = show(texts, LONGEST_SECTION), "quality of the section"
        request = Request("judge", SYSTEM, prompt, schema=_SCHEMA, max_tokens=100, label=label)
        place = list(texts).index(SECTION)
        yield Question(gold.query_id, "quality", order, {SECTION: place}, request, score_of(SECTION, MOST))


def with_citations(line: RunLine) -> str:
    """The text with numbers for its citations, where these are known by sentence; else the text as it is."""
    if not line.cited:
        return line.text
    numbers = {cite: number for number, cite in enumerate(line.cited, 1)}
    return " ".join(
        f"{each.text} [{', '.join(str(numbers[cite]) for cite in each.cites)}]" if each.cites else each.text
        for each in line.sentences
    )
