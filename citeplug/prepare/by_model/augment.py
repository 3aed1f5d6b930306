"""Simple questions beside a query, by a model that knows what the set answers (Meta Knowledge for RAG, 3.4 and appendix D)."""

from collections.abc import Mapping, Sequence
from typing import Any

from citeplug.errors import CiteplugError
from citeplug.prepare.augment import MOST
from citeplug.prepare.by_model.asking import ask_readable
from citeplug.prepare.by_model.checks import LINK
from citeplug.prepare.questions import near_duplicates
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Reply, Request
from citeplug.text.cleaning import plain
from citeplug.text.json_text import parse_json
from citeplug.text.material import WARNING, fence, fence_number

_FEWEST, _LONGEST = 3, 30  # words of a question
_LONGEST_QUERY = 1_000  # characters that are shown of a query
_LONGEST_SHOWN = 400  # of each sentence or question
_ROOM = 400  # tokens of an answer

SYSTEM = f"""You help a researcher to search a collection of papers. You are given the query, and a summary of what the collection knows: sentences on it, and questions that its papers answer.

{WARNING}

Write questions that the researcher should ask the collection to prepare an answer to the query, at most {MOST}, as many as are relevant. Many simple questions are better than few complex ones. Each has at most {_LONGEST - 10} words, can be understood by itself, stays with the query's subject, and asks what the collection may answer by the summary. Leave out what repeats the query. Answer with JSON that fits the schema."""

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"questions": {"type": "array", "items": {"type": "string"}}},
    "required": ["questions"],
    "additionalProperties": False,
}


def augment_request(query: str, summary: Sequence[str], answered: Sequence[str]) -> Request:
    """Ask for questions beside `query`, given a summary's sentences and questions that are `answered`."""
    asked = plain(query)[:_LONGEST_QUERY]
    known = "\n".join(plain(each)[:_LONGEST_SHOWN] for each in (*summary, *answered))
    number = fence_number([asked, known])
    prompt = f"{fence(number, 'summary of the collection', known)}\n{fence(number, 'the query', asked)}"
    return Request("queries", SYSTEM, prompt, schema=SCHEMA, max_tokens=_ROOM, label=asked)


def questions_by_model(
    query: str, summary: Sequence[str], answered: Sequence[str], model: LanguageModel
) -> list[str] | CiteplugError | None:
    """At most `MOST` questions apart from each other and from the query; an error, or None for an unreadable answer.

    Raises Cancelled.
    """

    def read(_: int, reply: Reply) -> list[str] | None:
        data = reply.data if reply.data is not None else parse_json(reply.text)
        listed = data.get("questions") if isinstance(data, dict) else None
        return _usable(query, listed) if isinstance(listed, list) else None

    (found,) = ask_readable(model, [augment_request(query, summary, answered)], read)
    return found


def _usable(query: str, listed: Sequence[Any]) -> list[str]:
    kept: list[str] = []
    for item in listed[: 4 * MOST]:
        text = plain(item[:2_000]) if isinstance(item, str) else ""
        right = _FEWEST <= len(text.split()) <= _LONGEST and LINK.search(text) is None
        if right and len(kept) < MOST and not any(near_duplicates(text, each) for each in (query, *kept)):
            kept.append(text)
    return kept
