"""Relevance rate: each cited paper graded 0 to 2, over the most there is (DeepScholar-Bench, section 3.2)."""

from collections.abc import Iterator, Mapping

from citeplug.evaluate.gold import Gold
from citeplug.evaluate.judge.question import LONGEST_ABSTRACT, RULES, Question, orders, schema_of, score_of, show
from citeplug.evaluate.runs import RunLine
from citeplug.records.dialogue import Request

MOST = 2
SYSTEM = f"""You grade how relevant a document is to the related work of a paper, of which title and abstract are given, without regard to other documents.

Give a score: 0 if it is of no use for the related work, 1 if it is on the subject and touches the paper's problem in part, 2 if it belongs there.

{RULES}"""
_SCHEMA = schema_of({"score": {"type": "integer", "description": f"0 to {MOST}"}})


def ask_relevance_rate(
    gold: Gold, line: RunLine, abstracts: Mapping[str, str], *, as_published: bool = False
) -> Iterator[Question]:
    """Ask about each cited paper whose abstract is known; as published the paper is always the first."""
    for cited in line.cited:
        if not abstracts.get(cited):
            continue
        shown = {"the paper": gold.text, "the document": abstracts[cited]}
        for order in orders(as_published):
            texts = shown if order == "first" else dict(reversed(shown.items()))
            prompt, label = show(texts, LONGEST_ABSTRACT), f"relevance of {cited}"
            request = Request("judge", SYSTEM, prompt, schema=_SCHEMA, max_tokens=100, label=label)
            place = list(texts).index("the document")
            yield Question(gold.query_id, "relevance-rate", order, {cited: place}, request, score_of(cited, MOST))
