"""Recall, precision, specificity, breadth, depth and relevancy, 0 to 100 (Meta Knowledge, section 4.2, Table 1)."""

import hashlib
from collections.abc import Iterator, Mapping
from functools import partial

from citeplug.evaluate.gold import Gold
from citeplug.evaluate.judge.question import (
    LONGEST_SECTION,
    RULES,
    Question,
    fields,
    on_scale,
    orders,
    schema_of,
    show,
)
from citeplug.evaluate.runs import RunLine
from citeplug.records.dialogue import Reply, Request

MOST = 100
# The definitions of the paper, in its words.
METRICS = {
    "recall": "the coverage of key, highly relevant information contained in the retrieved documents",
    "precision": "the ratio of relevant documents against irrelevant ones",
    "specificity": "how precisely focused the final answer is on the query at hand, with clear and direct information"
    " that addresses the question",
    "breadth": "the coverage of all relevant aspects or areas related to the question, providing a complete overview",
    "depth": "the extent to which the final answer provides a thorough understanding through detailed analysis and"
    " insights into the subject",
    "relevancy": "how well-tailored the final answer is to the needs and interests of the audience or context, focusing"
    " on providing directly applicable and essential information while omitting extraneous details that do not"
    " contribute to addressing the specific question",
}
_DEFINED = "\n".join(f"- {name}: {text}" for name, text in METRICS.items())
SYSTEM = f"""Several scientists answered one question, each from documents that were retrieved for it. Compare them, and rate each on six metrics, from 0 to 100:
{_DEFINED}
Recall and precision are of what was retrieved, the others of the answer. Justify the ratings of each scientist in a sentence before you give them.

{RULES}"""


def ask_metrics(gold: Gold, arms: Mapping[str, RunLine], *, as_published: bool = False) -> Iterator[Question]:
    """Ask about all arms in one request, as published always in the order given.

    Else the first place goes round by the hash of the query's id, and the question is asked again in the opposite
    order. An item is a metric and an arm, parted by a slash.
    """
    question = str(gold.inputs.get("question") or gold.title)
    given = list(arms)
    if not as_published:
        start = int.from_bytes(hashlib.sha256(gold.query_id.encode("utf-8", "surrogatepass")).digest()) % len(given)
        given = [*given[start:], *given[:start]]
    for order in orders(as_published):
        placed = given if order == "first" else given[::-1]
        texts = {"the question": question}
        for number, arm in enumerate(placed, 1):
            line = arms[arm]
            texts[f"retrieved for scientist {number}"] = "\n\n".join(_retrieved(line)) or "nothing"
            texts[f"answer of scientist {number}"] = "the question was refused" if line.refused else line.text
        names = {f"scientist{number}": arm for number, arm in enumerate(placed, 1)}
        places = {f"{metric}/{arm}": place for place, arm in enumerate(placed) for metric in METRICS}
        schema = schema_of(dict.fromkeys(names, _SCHEMA))
        tokens, label = 300 * len(placed), f"{len(placed)} answers"
        prompt = show(texts, LONGEST_SECTION)
        request = Request("judge", SYSTEM, prompt, schema=schema, max_tokens=tokens, label=label)
        yield Question(gold.query_id, "metrics", order, places, request, partial(_ratings, names))


_SCHEMA = schema_of(
    {"justification": {"type": "string"}}
    | {name: {"type": "integer", "description": f"0 to {MOST}"} for name in METRICS}
)


def _retrieved(line: RunLine) -> tuple[str, ...]:
    """What the arm was given to answer from; what it quotes where the run does not say."""
    return line.context or tuple(quote.text for quotes in line.quotes for quote in quotes)


def _ratings(names: Mapping[str, str], reply: Reply) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for name, arm in names.items():
        rated = fields(reply).get(name)
        if isinstance(rated, dict):
            values = {f"{metric}/{arm}": on_scale(rated.get(metric), MOST) for metric in METRICS}
            found |= {item: value for item, value in values.items() if value is not None}
    return found
