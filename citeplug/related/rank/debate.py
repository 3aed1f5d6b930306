"""Debate ranking with attribution: arguments for and against each candidate, with verified quotations
(LitLLM, section 3.3 and figure 14)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citeplug.errors import Cancelled, CiteplugError
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Reply, Request
from citeplug.records.paper import Paper
from citeplug.text.json_text import number_of, parse_json
from citeplug.text.material import WARNING, draft_material, excerpt, fenced
from citeplug.text.quotation import SHORTEST, find_quote

BATCH = 5  # candidates in one request: a longlist of 30 is six requests at once
REPAIRS = 2
_SHOWN = 4_000  # characters of an abstract: quotations may come from anywhere in it
_MOST_ARGUMENTS = 10  # on one side that are read

SYSTEM = f"""You help with the literature review of a research paper, the draft. For each candidate paper give arguments for and against citing it in the draft's related-work section, then the probability, 0 to 100, that a paper with the draft's abstract cites it. Support each argument with one quotation from that candidate's own abstract: one uninterrupted stretch of {SHORTEST} words or more, copied word for word.

{WARNING}

Answer with JSON that fits the schema."""

_ARGUMENTS: Mapping[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"argument": {"type": "string"}, "quote": {"type": "string"}},
        "required": ["argument", "quote"],
        "additionalProperties": False,
    },
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "candidates": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "handle": {"type": "integer"},
                    "arguments_for": _ARGUMENTS,
                    "arguments_against": _ARGUMENTS,
                    "probability": {"type": "number", "description": "0 to 100"},
                },
                "required": ["handle", "arguments_for", "arguments_against", "probability"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["candidates"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Debate:
    """Debate of a model on one candidate. `probability` is 0 to 100 as it states it, None if it gave none.

    `unproved` counts the arguments whose quotation is not in the abstract.
    """

    probability: float | None = None
    unproved: int = 0


def rank_by_debate(
    title: str, abstract: str, papers: Sequence[Paper], model: LanguageModel, *, verified: bool = True
) -> tuple[list[int], list[Debate], CiteplugError | None]:
    """Order `papers`, given best first by some other measure; the row numbers, a debate each, and what went wrong.

    Candidates go in batches, all at once; those without a probability, or with an argument whose quotation is not in
    their abstract, are asked again at most twice, again all at once: three round trips at most. An argument that then
    has no quotation counts as absent. A candidate without a probability counts as if it had 50. Without `verified` no
    argument is asked again, LitLLM's ablation (figure 3). Raises Cancelled.
    """
    debates = [Debate() for _ in papers]
    open_rows = list(range(len(papers)))
    trouble: CiteplugError | None = None
    for turn in range(1 + REPAIRS):
        if not open_rows or trouble is not None:
            break
        batches = [open_rows[start : start + BATCH] for start in range(0, len(open_rows), BATCH)]
        requests = [
            debate_request(title, abstract, [papers[row] for row in batch], again=turn > 0) for batch in batches
        ]
        try:
            replies: Sequence[Reply | CiteplugError] = model.complete_all(requests)
        except Cancelled:
            raise
        except CiteplugError as error:
            replies = [error] * len(requests)
        for batch, reply in zip(batches, replies, strict=True):
            if isinstance(reply, Cancelled):
                raise reply
            if isinstance(reply, CiteplugError):
                trouble = reply
                continue
            for row, debate in zip(batch, read_debates(reply, [papers[row] for row in batch]), strict=True):
                debates[row] = _better(debates[row], debate)
        open_rows = [r for r in open_rows if debates[r].probability is None or (verified and debates[r].unproved)]
    chances = [50.0 if debate.probability is None else debate.probability for debate in debates]
    return sorted(range(len(papers)), key=lambda row: (-chances[row], row)), debates, trouble


def debate_request(title: str, abstract: str, papers: Sequence[Paper], *, again: bool = False) -> Request:
    shown = [excerpt(number, paper, _SHOWN) for number, paper in enumerate(papers, start=1)]
    prompt = f"The candidates:\n{fenced(shown)}"
    if again:
        prompt += "\nYour last answer had quotations that are not in the abstracts word for word: copy them exactly."
    shared = f"The draft:\n{fenced([draft_material(title, abstract)])}\n"
    return Request("ranking", SYSTEM, prompt, shared=shared, schema=SCHEMA, max_tokens=400 + 500 * len(papers))


def read_debates(reply: Reply, papers: Sequence[Paper]) -> list[Debate]:
    """A debate for each of `papers`, empty where the answer has none; of two for one candidate the first counts."""
    data = reply.data if reply.data is not None else parse_json(reply.text)
    items = data.get("candidates") if isinstance(data, dict) else data
    found: dict[int, Debate] = {}
    for item in items if isinstance(items, list) else []:
        handle = number_of(item.get("handle")) if isinstance(item, dict) else None
        if handle is None or not 1 <= handle <= len(papers) or handle in found:
            continue
        abstract = papers[handle - 1].abstract
        unproved = sum(_unproved(item.get(side), abstract) for side in ("arguments_for", "arguments_against"))
        found[handle] = Debate(_probability(item.get("probability")), unproved)
    return [found.get(handle, Debate()) for handle in range(1, len(papers) + 1)]


def _unproved(arguments: Any, abstract: str) -> int:
    """Count the arguments whose quotation is not in the abstract."""
    return sum(
        isinstance(item, dict)
        and isinstance(item.get("argument"), str)
        and isinstance(item.get("quote"), str)
        and find_quote(item["quote"], abstract) is None
        for item in (arguments if isinstance(arguments, list) else [])[:_MOST_ARGUMENTS]
    )


def _probability(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value.strip().rstrip("%")) if isinstance(value, str) else float(value)
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number <= 100 else None


def _better(old: Debate, new: Debate) -> Debate:
    """The later answer, unless it proves less than the earlier one."""
    if new.probability is None:
        return old
    if old.probability is not None and old.unproved <= new.unproved:
        return old
    return new
