"""Instructional permutation: the model orders all candidates at once (LitLLM, section 3.3 and table 2)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Reply, Request
from citeplug.records.draft import Draft
from citeplug.records.paper import Paper
from citeplug.text.json_text import number_of, parse_json
from citeplug.text.material import WARNING, excerpt, fenced, whole_draft

SYSTEM = f"""You help with the literature review of a research paper, the draft. Order the candidate papers by how much the draft's related-work section needs them, the most needed first: works that the draft competes with, builds on or is measured against; then works on the same problem; then background.

{WARNING}

Name every candidate once, by its handle: in `order`, or in `not_citable` if the draft need not answer it. That is so if it shares only a word or a broad field with the draft, or treats another problem by the same tool; a long tail of the candidates may be like that. Do not leave out a paper because a nearer one exists.
Answer with JSON that fits the schema."""

_HANDLES: Mapping[str, Any] = {"type": "array", "items": {"type": "integer"}}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "order": {**_HANDLES, "description": "handles, best first"},
        "not_citable": {**_HANDLES, "description": "handles of papers that do not belong in the section"},
    },
    "required": ["order", "not_citable"],
    "additionalProperties": False,
}
_SHOWN = 700  # characters of an abstract
_FEWEST = 5  # papers that stay, whatever the model says of them


@dataclass(frozen=True, slots=True)
class Permutation:
    """`order` are row numbers of the candidates, best first; `not_citable` those that do not belong, in none.

    `missing`, `repeated` and `unknown` count what of the model's lists had to be put right: LitLLM found 41 % of
    GPT-4's lists incomplete and up to 3 % with repetitions.
    """

    order: tuple[int, ...]
    not_citable: tuple[int, ...] = ()
    missing: int = 0
    repeated: int = 0
    unknown: int = 0


def rank_by_permutation(
    draft: Draft, papers: Sequence[Paper], model: LanguageModel, cited: Collection[int] = ()
) -> Permutation:
    """Order `papers`, given best first by some other measure, for the draft; `cited` are the rows that it cites.

    Papers of which the model says nothing follow in the order given; a repeated one counts where it is first.
    Papers that do not belong are left out of the order, save those that the draft cites, which come last in it; at
    least five papers stay. One request. Raises what `model.complete` raises.
    """
    if len(papers) < 2:
        return Permutation(tuple(range(len(papers))))
    return read_order(model.complete(permutation_request(draft, papers, cited)), len(papers), cited)


def permutation_request(draft: Draft, papers: Sequence[Paper], cited: Collection[int] = ()) -> Request:
    shown = [excerpt(number, paper, _SHOWN) for number, paper in enumerate(papers, start=1)]
    prompt = f"The candidates:\n{fenced(shown)}"
    if cited:
        prompt += f"\nThe draft cites these already: {', '.join(f'[{row + 1}]' for row in sorted(cited))}."
    shared = f"The draft:\n{fenced([whole_draft(draft)])}\n"
    return Request("ranking", SYSTEM, prompt, shared=shared, schema=SCHEMA, max_tokens=200 + 10 * len(papers))


def read_order(reply: Reply, count: int, cited: Collection[int] = ()) -> Permutation:
    """The order that a model gives for `count` candidates; the order given if it gives none."""
    data = reply.data if reply.data is not None else parse_json(reply.text)
    listed = data.get("order") if isinstance(data, dict) else data
    refused = data.get("not_citable") if isinstance(data, dict) else None
    order: list[int] = []
    out: list[int] = []
    repeated = unknown = 0
    for items, rows in ((listed, order), (refused, out)):
        for item in items if isinstance(items, list) else []:
            handle = number_of(item)
            if handle is None or not 1 <= handle <= count:
                unknown += 1
            elif handle - 1 in order or handle - 1 in out:
                repeated += 1
            else:
                rows.append(handle - 1)
    missing = [row for row in range(count) if row not in {*order, *out}]
    stay = [row for row in sorted(out) if row in cited]
    rest = [row for row in sorted(out) if row not in cited]
    few = max(0, _FEWEST - len(order) - len(missing) - len(stay))
    kept = (*order, *missing, *stay, *rest[:few])
    return Permutation(kept, tuple(rest[few:]), len(missing), repeated, unknown)
