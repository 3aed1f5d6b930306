"""Instructional permutation: the model orders all candidates at once (LitLLM, section 3.3 and table 2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citeplug.ports import LanguageModel
from citeplug.records.dialogue import Reply, Request
from citeplug.records.paper import Paper
from citeplug.text.json_text import number_of, parse_json
from citeplug.text.material import WARNING, draft_material, excerpt, fenced

SYSTEM = f"""You help with the literature review of a research paper, the draft. Order the candidate papers by how likely the draft's related-work section is to cite them, the likeliest first. Name every candidate once, by its handle.

{WARNING}

Answer with JSON that fits the schema."""

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"order": {"type": "array", "items": {"type": "integer"}, "description": "handles, best first"}},
    "required": ["order"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Permutation:
    """`order` are all row numbers of the candidates, best first.

    `missing`, `repeated` and `unknown` count what of the model's list had to be put right: LitLLM found 41 % of
    GPT-4's lists incomplete and up to 3 % with repetitions.
    """

    order: tuple[int, ...]
    missing: int = 0
    repeated: int = 0
    unknown: int = 0


def rank_by_permutation(title: str, abstract: str, papers: Sequence[Paper], model: LanguageModel) -> Permutation:
    """Order `papers`, given best first by some other measure, for a draft with this title and abstract.

    Papers that the model leaves out follow in the order given; a repeated one counts where it is first. One
    request. Raises what `model.complete` raises.
    """
    if len(papers) < 2:
        return Permutation(tuple(range(len(papers))))
    return read_order(model.complete(permutation_request(title, abstract, papers)), len(papers))


def permutation_request(title: str, abstract: str, papers: Sequence[Paper]) -> Request:
    shown = [excerpt(number, paper, 700) for number, paper in enumerate(papers, start=1)]
    shared = f"The draft:\n{fenced([draft_material(title, abstract)])}\n"
    return Request(
        "ranking",
        SYSTEM,
        f"The candidates:\n{fenced(shown)}",
        shared=shared,
        schema=SCHEMA,
        max_tokens=200 + 8 * len(papers),
    )


def read_order(reply: Reply, count: int) -> Permutation:
    """The order that a model gives for `count` candidates, made a permutation; the order given if it gives none."""
    data = reply.data if reply.data is not None else parse_json(reply.text)
    listed = data.get("order") if isinstance(data, dict) else data
    order: list[int] = []
    repeated = unknown = 0
    for item in listed if isinstance(listed, list) else []:
        handle = number_of(item)
        if handle is None or not 1 <= handle <= count:
            unknown += 1
        elif handle - 1 in order:
            repeated += 1
        else:
            order.append(handle - 1)
    missing = [row for row in range(count) if row not in set(order)]
    return Permutation((*order, *missing), len(missing), repeated, unknown)
