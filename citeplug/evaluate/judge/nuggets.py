"""Nuggets that a section has: support, partial support or none (DeepScholar-Bench, after TREC RAG's AutoNuggetizer)."""

from collections.abc import Iterator, Mapping, Sequence

from citeplug.evaluate.gold import Gold
from citeplug.evaluate.judge.question import LONGEST_SECTION, RULES, Question, fields, orders, schema_of, show
from citeplug.evaluate.measures.nugget_coverage import Support
from citeplug.evaluate.runs import RunLine
from citeplug.records.dialogue import Reply, Request
from citeplug.text.json_text import number_of

AT_ONCE = 10  # nuggets of a request, as published
VALUES: Mapping[Support, float] = {"not_support": 0.0, "partial_support": 0.5, "support": 1.0}
SYSTEM = f"""You are given a passage on the related work of a paper, and numbered nuggets, which are facts. Label each nugget by the passage alone: "support" where the passage states all of it, "partial_support" where it states a part, "not_support" where it states none of it. Give each nugget one label, by its number.

{RULES}"""
_LABEL = schema_of({"nugget": {"type": "integer"}, "label": {"type": "string", "enum": list(VALUES)}})
_SCHEMA = schema_of({"labels": {"type": "array", "items": _LABEL}})


def ask_nuggets(gold: Gold, line: RunLine, *, as_published: bool = False) -> Iterator[Question]:
    """Ask about the nuggets, ten at a time, in their order and, save as published, in the opposite one.

    An item is the place of a nugget in the gold line, from 1. A label with another number, and labels that contradict
    each other, are none.
    """
    if not line.text:
        return
    items = list(range(1, len(gold.nuggets) + 1))
    for order in orders(as_published):
        placed = items if order == "first" else items[::-1]
        for start in range(0, len(placed), AT_ONCE):
            yield _question(gold, line, order == "swapped", placed[start : start + AT_ONCE])


def _question(gold: Gold, line: RunLine, swapped: bool, items: Sequence[int]) -> Question:
    nuggets = {f"nugget {number}": gold.nuggets[item - 1].text for number, item in enumerate(items, 1)}
    texts = {"the passage": line.text, "the paper's title": gold.title} | nuggets
    tokens, label = 60 + 40 * len(items), f"{len(items)} nuggets"
    prompt = show(texts, LONGEST_SECTION)
    request = Request("judge", SYSTEM, prompt, schema=_SCHEMA, max_tokens=tokens, label=label)
    places = {str(item): place for place, item in enumerate(items)}
    return Question(
        gold.query_id,
        "nuggets",
        "swapped" if swapped else "first",
        places,
        request,
        lambda reply: {str(items[number - 1]): value for number, value in read_labels(reply, len(items)).items()},
    )


def read_labels(reply: Reply, nuggets: int) -> dict[int, float]:
    """Values by the number in the request, from 1."""
    labels = fields(reply).get("labels")
    found: dict[int, float] = {}
    contradicted: set[int] = set()
    for each in labels if isinstance(labels, list) else []:
        number = number_of(each.get("nugget")) if isinstance(each, dict) else None
        value = next((VALUES[name] for name in VALUES if number is not None and each.get("label") == name), None)
        if number is None or value is None or not 1 <= number <= nuggets:
            continue
        if found.setdefault(number, value) != value:
            contradicted.add(number)
    return {number: value for number, value in found.items() if number not in contradicted}
