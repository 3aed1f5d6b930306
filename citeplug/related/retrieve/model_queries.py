"""Search queries that a language model proposes from the draft (LitLLM, section 3.1 and figure 15)."""

import re
from dataclasses import replace
from typing import Any

from citeplug.errors import Cancelled, CiteplugError
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Reply, Request
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Query
from citeplug.related.retrieve.longlist import OWN_QUERIES
from citeplug.related.retrieve.queries import cited_entries
from citeplug.text.cleaning import plain
from citeplug.text.compare import entry_title
from citeplug.text.json_text import list_of, object_of, replied_list
from citeplug.text.material import WARNING, fenced, whole_draft
from citeplug.text.tex_text import decode_tex

MOST = 12
LONGEST = 10  # words; LitLLM asks for 5
WEIGHT = 0.3  # of all of them together, relative to the main query's 1.0
_MOST_CITED, _LONGEST_TITLE = 60, 120  # titles of what the draft cites, and characters of one
_SAME = 0.6  # overlap of words above which two queries are the same

_SINGLE = (
    "Write one query, for the works that the draft must answer: what it competes with, builds on, or is measured"
    " against. It looks for works that the draft does not cite already."
)
_SEVERAL = (
    "Write {count} queries. Find the draft's contributions first, the two to five things that it claims to do or to"
    " show, with the key idea behind each. For every one of them write two queries or three: for works that attempt the"
    " same, for those whose idea it takes up, for those that it is measured against. Then up to three for neighbouring"
    " literature, which the draft need not name: the same problem in another setting or under another name, surveys."
    " Each query looks for works that the others do not find."
)
_FEW = 5  # a model that may write more chooses how many
SYSTEM = (
    "You help with the literature review of a research paper, the draft, by framing queries for an academic search"
    " engine that compares them with titles and abstracts.\n\n"
    f"{WARNING}\n\n"
    "A query has 2 to 8 keywords as their authors would use them in a title or an abstract, no operators, no names of"
    " people. Use the words of the field and not those that the draft coined. The name or title of a method, data set"
    " or work that the draft names is a query of its own. Give with each query its facet, the contribution that it is"
    " for in two to five words (the same words for the same contribution), and in one short sentence the reason why"
    " such works belong in the draft. Answer with JSON that fits the schema."
)

_STRING = {"type": "string"}
SCHEMA = object_of({"queries": list_of(object_of({"query": _STRING, "facet": _STRING, "reason": _STRING}))})


def propose_queries(draft: Draft, model: LanguageModel, most: int = MOST) -> list[Query]:
    """Return queries for `draft`, best first, at most `most`; none if the model gives none. One request.

    One is LitLLM's single query, more are its multiple ones. A repetition of an earlier query is dropped. Raises as
    `model.complete` does.
    """
    return read_queries(model.complete(queries_request(draft, most)), most)


def queries_request(draft: Draft, most: int = MOST) -> Request:
    titles = [plain(decode_tex(entry_title(entry)))[:_LONGEST_TITLE] for entry in cited_entries(draft)[:_MOST_CITED]]
    own = whole_draft(draft)
    if any(titles):
        own = replace(own, more=(*own.more, ("titles of what it cites already", "; ".join(filter(None, titles)))))
    shared = f"The draft:\n{fenced([own])}\n"
    count = str(most) if most <= _FEW else f"{_FEW} to {most}"
    asked = _SINGLE if most == 1 else _SEVERAL.format(count=count)
    return Request("queries", SYSTEM, asked, shared=shared, schema=SCHEMA, max_tokens=1_200)


def read_queries(reply: Reply, most: int = MOST) -> list[Query]:
    """Read the usable queries of an answer, at most `most`."""
    proposals: list[tuple[str, str]] = []
    seen: list[frozenset[str]] = []
    for item in replied_list(reply, "queries")[:50]:
        fields = {"query": item} if isinstance(item, str) else item
        if not isinstance(fields, dict) or len(proposals) == most:
            continue
        text = _keywords(fields.get("query"))
        words = frozenset(text.lower().split())
        if not words or any(_overlap(words, other) > _SAME for other in seen):
            continue
        seen.append(words)
        facet = fields.get("facet")
        proposals.append((text, (plain(facet)[:40] if isinstance(facet, str) else "") or "model"))
    share = WEIGHT / max(1, len(proposals))
    return [Query(text, f"{OWN_QUERIES}{facet}", share) for text, facet in proposals]


def _keywords(value: Any) -> str:
    """Return plain words without operators or quotation marks, at most `LONGEST`."""
    text = plain(value) if isinstance(value, str) else ""
    words = [word for word in re.findall(r"[^\W_][\w.+#/-]*", text) if word not in ("AND", "OR", "NOT")]
    return " ".join(words[:LONGEST])


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / min(len(one), len(other))


def more_queries(draft: Draft, model: LanguageModel, most: int = MOST) -> tuple[list[Query], list[Finding]]:
    """Return the model's queries; none and a finding on an outage."""
    try:
        return propose_queries(draft, model, most), []
    except Cancelled:
        raise
    except CiteplugError as error:
        return [], [model_unavailable(error, "only the queries made without it are used")]
