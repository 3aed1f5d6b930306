"""Summary by a model of what a set of papers knows, from their prepared questions (Meta Knowledge for RAG, section 3.3).

The paper prints no prompt for it. Here each sentence names the questions that it rests on, and is dropped where these lack one
of its numbers, names or links.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from citeplug.errors import CiteplugError
from citeplug.prepare.by_model.asking import ask_readable
from citeplug.prepare.by_model.checks import LINK
from citeplug.prepare.questions import stems
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Reply, Request
from citeplug.records.prepared import FoundPair, ModelSummary, SummarySentence
from citeplug.related.attribute.claims import unsourced
from citeplug.text.cleaning import plain
from citeplug.text.json_text import number_of, parse_json
from citeplug.text.material import LONGEST_TITLE, WARNING, fence, fence_number

MOST_SHOWN = 60  # questions of a set
MOST_SENTENCES = 8
_MOST_SOURCES = 8  # questions of one sentence
_LONGEST = 50  # words of a sentence
_FEWEST = 4
_LONGEST_SHOWN = 600  # characters of a question or an answer
_ROOM = 1_500  # tokens of an answer

SYSTEM = f"""You summarise what a set of research papers knows, for somebody who will ask these papers questions.

{WARNING}

You are given questions that the papers answer, numbered, each with its answer. Write at most {MOST_SENTENCES} sentences in plain words, the concepts that most papers share first, then what single papers add: problems, methods, data, findings, limits. Each sentence
- says only what the questions and answers that it names say, with no number, name or link that these lack;
- can be understood by itself, and does not speak of "the papers" or "the questions";
- has at most {_LONGEST - 10} words, and comes with the numbers of the questions that it rests on.
Answer with JSON that fits the schema."""

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "questions": {"type": "array", "items": {"type": "integer"}},
                },
                "required": ["text", "questions"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["sentences"],
    "additionalProperties": False,
}


def summary_request(shown: Sequence[FoundPair], label: str = "") -> Request:
    """Ask for the summary of a set by questions that stand for it."""
    texts = [f"question: {_short(each.pair.question)}\nanswer: {_short(each.pair.answer)}" for each in shown]
    number = fence_number(texts)
    lines = [fence(number, f"question {at}", text) for at, text in enumerate(texts, start=1)]
    return Request("summaries", SYSTEM, "\n".join(lines), schema=SCHEMA, max_tokens=_ROOM, label=label[:LONGEST_TITLE])


def largest_request() -> Request:
    """A request that no summary's exceeds: what it costs is the bound for one."""
    return Request(
        "summaries", SYSTEM, "word " * (MOST_SHOWN * 2 * _LONGEST_SHOWN // 5), schema=SCHEMA, max_tokens=_ROOM
    )


def shown_digest(shown: Sequence[FoundPair]) -> str:
    """SHA-256 of the questions that a model is shown, with their answers, quotations and papers."""
    said = hashlib.sha256()
    for each in shown:
        for part in (each.paper, each.pair.question, each.pair.answer, each.pair.quote):
            said.update(part.encode("utf-8", "replace") + b"\0")
    return said.hexdigest()


def summaries_by_model(
    sets: Sequence[tuple[str, Sequence[FoundPair]]], model: LanguageModel
) -> list[ModelSummary | CiteplugError | None]:
    """A summary for each named set of questions; an error, or None for an answer that cannot be read, in the place of one.

    One request for each, or two. Raises Cancelled.
    """

    def read(number: int, reply: Reply) -> ModelSummary | None:
        (name, shown), checked = sets[number], _read(reply, sets[number][1])
        if checked is None:
            return None
        sentences, dropped = checked
        return ModelSummary(name, reply.model or model.name, shown_digest(shown), sentences, dict(dropped))

    return ask_readable(model, [summary_request(shown, name) for name, shown in sets], read)


def _read(reply: Reply, shown: Sequence[FoundPair]) -> tuple[tuple[SummarySentence, ...], Counter[str]] | None:
    """The sentences that their questions bear out, and the count of the others by reason; None for no answer.

    `no_question`: it names none that was shown, or shares no word with one that it names.
    """
    data = reply.data if reply.data is not None else parse_json(reply.text)
    if not isinstance(data, dict) or not isinstance(data.get("sentences"), list):
        return None
    kept: list[SummarySentence] = []
    dropped: Counter[str] = Counter()
    for item in data["sentences"][: 3 * MOST_SENTENCES]:
        text, sources = _sentence(item, shown)
        reason = _doubt(text, sources)
        if reason is None and any(stems(text) == stems(each.text) for each in kept):
            reason = "repeated"
        if reason is None and len(kept) >= MOST_SENTENCES:
            reason = "too_long"
        if reason is not None:
            dropped[reason] += 1
        else:
            kept.append(SummarySentence(text, sources))
    return tuple(kept), dropped


def _sentence(item: Any, shown: Sequence[FoundPair]) -> tuple[str, tuple[FoundPair, ...]]:
    if not isinstance(item, dict):
        return "", ()
    text, listed = item.get("text"), item.get("questions")
    numbers = [number_of(each) for each in (listed if isinstance(listed, list) else [])[: 2 * _MOST_SOURCES]]
    named = dict.fromkeys(number for number in numbers if number is not None and 1 <= number <= len(shown))
    said = plain(text[:2_000]) if isinstance(text, str) else ""
    mine = stems(said)
    # A question that shares no word with the sentence was named at random.
    sources = [shown[number - 1] for number in named if mine & stems(_said(shown[number - 1]))]
    return said, tuple(sources[:_MOST_SOURCES])


def _doubt(text: str, sources: Sequence[FoundPair]) -> str | None:
    if not _FEWEST <= len(text.split()) <= _LONGEST:
        return "too_long"
    if not sources:
        return "no_question"
    given = [f"{_said(each)} {each.title}" for each in sources]
    if LINK.search(text) or any(unsourced(text, given, papers=len({each.paper for each in sources}))):
        return "invented"
    return None


def _said(found: FoundPair) -> str:
    return f"{found.pair.question} {found.pair.answer} {found.pair.quote}"


def _short(text: str) -> str:
    return plain(text)[:_LONGEST_SHOWN]
