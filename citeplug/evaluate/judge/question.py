"""Questions to a judge, and verdicts: the values that it gave, each with the place that the item had."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from citeplug.records.dialogue import Reply, Request
from citeplug.text.cleaning import plain
from citeplug.text.material import WARNING, fence, fence_number

Measure = Literal[
    "relevance",
    "relevance-rate",
    "quality",
    "rating",
    "organisation",
    "nuggets",
    "entailment",
    "correctness",
    "preference",
]
Order = Literal["first", "swapped"]
LONGEST_ABSTRACT, LONGEST_SECTION, LONGEST_REPORT = 4_000, 20_000, 60_000  # characters
RULES = f"{WARNING}\n\nAnswer with JSON that fits the schema, and nothing else."


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """One request to a judge. `places` are those of the items in it, from 0; `read` gives the items' values.

    `read` leaves out each item that the reply has no value for, or none on the scale.
    """

    query_id: str
    measure: Measure
    order: Order
    places: Mapping[str, int]
    request: Request
    read: Callable[[Reply], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The value that `model` gave one item at its place in one order; None where the reply could not be read."""

    query_id: str
    measure: Measure
    item: str
    model: str
    order: Order
    place: int
    value: float | None


def verdicts_of(question: JudgeQuestion, reply: Reply, model: str) -> list[Verdict]:
    """Return one verdict for each item of the question."""
    values = question.read(reply)
    return [
        Verdict(question.query_id, question.measure, item, model, question.order, place, values.get(item))
        for item, place in question.places.items()
    ]


def show(texts: Mapping[str, str], longest: int) -> str:
    """The texts by their names, each at most `longest` characters long, between fences that none of them can hold."""
    short = {name: plain(text)[:longest] for name, text in texts.items()}
    number = fence_number(short.values())
    return "\n".join(fence(number, name, text) for name, text in short.items())


def on_scale(value: Any, most: float) -> float | None:
    """A number from 0 to `most`; None for anything else, numbers in words and out of the scale among it."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value) if 0 <= value <= most else None


def orders(as_published: bool) -> tuple[Order, ...]:
    """The orders in which a question is asked that the publication asks in one."""
    return ("first",) if as_published else ("first", "swapped")


@dataclass(frozen=True, slots=True)
class Rubric:
    """What a judge is told for one measure: instructions, the form of the answer, and the room for it and for a text."""

    measure: Measure
    system: str
    schema: Mapping[str, Any]
    max_tokens: int = 100
    longest: int = LONGEST_SECTION

    def request(self, texts: Mapping[str, str], label: str) -> Request:
        """Return the request that shows these texts, by their names."""
        prompt = show(texts, self.longest)
        return Request("judge", self.system, prompt, schema=self.schema, max_tokens=self.max_tokens, label=label)

    def ask(
        self,
        query_id: str,
        item: str,
        beside: Mapping[str, str],
        judged: Mapping[str, str],
        read: Callable[[Reply], Mapping[str, float]],
        label: str,
        *,
        opening: Mapping[str, str] = MappingProxyType({}),
        as_published: bool,
    ) -> Iterator[JudgeQuestion]:
        """Ask about one `judged` text, behind what it is compared with and, save as published, in front of it too.

        Both come behind the `opening`.
        """
        for order in orders(as_published):
            texts = {**opening, **beside, **judged} if order == "first" else {**opening, **judged, **beside}
            place = list(texts).index(next(iter(judged)))
            yield JudgeQuestion(query_id, self.measure, order, {item: place}, self.request(texts, label), read)
