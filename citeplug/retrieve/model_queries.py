"""Search queries that a language model proposes from the draft's abstract (LitLLM, section 3.1 and figure 15)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from citeplug.errors import Cancelled, CiteplugError
from citeplug.ports import LanguageModel
from citeplug.records.dialogue import Reply, Request
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Query
from citeplug.text.cleaning import plain
from citeplug.text.json_text import parse_json
from citeplug.text.material import WARNING, draft_material, fenced
from citeplug.text.quotation import find_quote

Manner = Literal["single", "multiple", "optimized"]
MANNERS: tuple[Manner, ...] = ("single", "multiple", "optimized")

MOST = 8
LONGEST = 8  # words; LitLLM asks for 5
WEIGHT = 0.3  # of all of them together, relative to the main query's 1.0
_SAME = 0.6  # overlap of words above which two queries are the same

_ASKED: Mapping[Manner, str] = {
    "single": "Write one query that finds the papers which the draft should cite.",
    "multiple": "Write three different queries, with a variety of keywords, that find the papers which the draft should"
    " cite.",
    "optimized": "Write as many queries as the draft has facets (its problem, its method, its contribution, its"
    " application), mutually exclusive, so that together they find all the papers which the draft should cite.",
}
SYSTEM = (
    "You help with the literature review of a research paper, the draft, by framing queries for an academic search"
    " engine, as a researcher would type them: at most 5 keywords each, no operators.\n\n"
    f"{WARNING}\n\n"
    "Give with each query its facet in a word or two, the reason for it, and a quotation of five words or more, copied"
    " word for word from the draft's abstract, that justifies it. Answer with JSON that fits the schema."
)

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "queries": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "query": {"type": "string"},
                    "facet": {"type": "string"},
                    "reason": {"type": "string"},
                    "quote": {"type": "string"},
                },
                "required": ["query", "facet", "reason", "quote"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["queries"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A query with its reason. `quote` is a passage of the draft's abstract, empty if the model's is not in it."""

    query: Query
    reason: str
    quote: str


def propose_queries(draft: Draft, model: LanguageModel, manner: Manner = "optimized") -> list[Proposal]:
    """Return queries for `draft`, best first, at most `MOST`; none if the model gives none. One request.

    In the optimized manner a query without a quotation from the abstract is dropped, and so is a repetition of an
    earlier one. Raises as `model.complete` does.
    """
    return read_queries(model.complete(queries_request(draft, manner)), draft, manner)


def queries_request(draft: Draft, manner: Manner) -> Request:
    shared = f"The draft:\n{fenced([draft_material(draft.title, draft.abstract)])}\n"
    return Request("queries", SYSTEM, _ASKED[manner], shared=shared, schema=SCHEMA, max_tokens=1_500)


def read_queries(reply: Reply, draft: Draft, manner: Manner) -> list[Proposal]:
    """Read the usable queries of an answer."""
    data = reply.data if reply.data is not None else parse_json(reply.text)
    items = data.get("queries") if isinstance(data, dict) else data
    most = {"single": 1, "multiple": 3, "optimized": MOST}[manner]
    abstract = " ".join(draft.abstract.split())
    found: list[tuple[str, str, str, str]] = []
    seen: list[frozenset[str]] = []
    for item in (items if isinstance(items, list) else [])[:50]:
        given = {"query": item} if isinstance(item, str) else item
        if not isinstance(given, dict) or len(found) == most:
            continue
        text = _keywords(given.get("query"))
        place = find_quote(str(given.get("quote", "")), abstract)
        words = frozenset(text.lower().split())
        if (
            not words
            or (manner == "optimized" and place is None)
            or any(_overlap(words, other) > _SAME for other in seen)
        ):
            continue
        seen.append(words)
        quote = abstract[slice(*place)] if place else ""
        found.append((text, _short(given.get("facet"), 40) or "model", _short(given.get("reason"), 300), quote))
    share = WEIGHT / max(1, len(found))
    return [Proposal(Query(text, f"model:{facet}", share), reason, quote) for text, facet, reason, quote in found]


def _keywords(value: Any) -> str:
    """Return plain words without operators or quotation marks, at most `LONGEST`."""
    text = plain(value) if isinstance(value, str) else ""
    words = [word for word in re.findall(r"[^\W_][\w.+#/-]*", text) if word not in ("AND", "OR", "NOT")]
    return " ".join(words[:LONGEST])


def _short(value: Any, longest: int) -> str:
    return plain(value)[:longest] if isinstance(value, str) else ""


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / min(len(one), len(other))


def more_queries(draft: Draft, model: LanguageModel) -> tuple[list[Query], list[Finding]]:
    """Return the model's queries; none and a finding on an outage."""
    try:
        return [proposal.query for proposal in propose_queries(draft, model)], []
    except Cancelled:
        raise
    except CiteplugError as error:
        return [], [model_unavailable(error, "only the queries made without it are used")]
