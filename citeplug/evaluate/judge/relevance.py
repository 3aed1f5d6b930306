"""Relevance of each cited abstract to the draft's, 0 to 10 (Citegeist, section 4, Table 1)."""

from collections.abc import Iterator, Mapping

from citeplug.evaluate.gold import Gold
from citeplug.evaluate.judge.question import LONGEST_ABSTRACT, RULES, Question, orders, schema_of, score_of, show
from citeplug.evaluate.runs import RunLine
from citeplug.records.dialogue import Request

MOST = 10
SYSTEM = f"""You judge how relevant a cited paper is to a draft, from the abstracts of both.

Give a score from 0 (unrelated) to 10 (the same problem, closely aligned). Consider whether they work on the same problem or area, use similar methods, come to related findings, and whether one builds on the other, extends it or differs from it.

{RULES}"""
_SCHEMA = schema_of({"score": {"type": "integer", "description": f"0 to {MOST}"}})


def ask_relevance(
    gold: Gold, line: RunLine, abstracts: Mapping[str, str], *, as_published: bool = False
) -> Iterator[Question]:
    """Ask about each cited paper whose abstract is known; as published the draft's abstract is always the first."""
    for cited in line.cited if gold.abstract else ():
        if not abstracts.get(cited):
            continue
        shown = {"the draft": gold.abstract, "the cited paper": abstracts[cited]}
        for order in orders(as_published):
            texts = shown if order == "first" else dict(reversed(shown.items()))
            prompt, label = show(texts, LONGEST_ABSTRACT), f"relevance of {cited}"
            request = Request("judge", SYSTEM, prompt, schema=_SCHEMA, max_tokens=100, label=label)
            place = list(texts).index("the cited paper")
            yield Question(gold.query_id, "relevance", order, {cited: place}, request, score_of(cited, MOST))
