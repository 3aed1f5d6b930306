"""Answers as JSON: for programs that read one, and turns of a conversation, which are read back.

What is damaged in a turn is left out.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, get_args

from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence, AnswerStatus, AskedText, Turn
from citeplug.records.section import Judgement

_STATUSES: tuple[AnswerStatus, ...] = get_args(AnswerStatus)


def turn_as_json(turn: Turn) -> dict[str, Any]:
    """A JSON object of the turn; findings are of the moment, and not kept."""
    said = asdict(turn)
    del said["answer"]["findings"]
    return said


def read_turn(said: Any) -> Turn | None:
    """The turn of a JSON object, None if it is none."""
    try:
        return Turn(_text(said["question"]), _answer(said["answer"]))
    except (KeyError, TypeError, ValueError):
        return None


def _answer(said: Mapping[str, Any]) -> Answer:
    return Answer(
        _text(said["question"]),
        bool(said["refused"]),
        tuple(map(_sentence, said["sentences"])),
        tuple(map(_citation, said["nearest"])),
        tuple(map(_asked, said["looked_through"])),
        _text(said["model"]) if said.get("model") is not None else None,
    )


def _sentence(said: Mapping[str, Any]) -> AnswerSentence:
    status = next((name for name in _STATUSES if name == said["status"]), None)
    if status is None:
        raise ValueError(said["status"])
    judged = said.get("judgement")
    judgement = None
    if isinstance(judged, dict) and judged.get("verdict") in ("entailed", "partly", "not", None):
        judgement = Judgement(
            judged["verdict"], _text(judged["unsupported"]), judged.get("by"), _text(judged["suspicion"])
        )
    citations = tuple(map(_citation, said["citations"]))
    return AnswerSentence(_text(said["text"]), citations, float(said["attribution"]), status, judgement)


def _citation(said: Mapping[str, Any]) -> AnswerCitation:
    start, end, passage = (int(said[name]) for name in ("start", "end", "passage"))
    page = said.get("page")
    quote, section = _text(said["quote"]), _text(said["section"])
    return AnswerCitation(_text(said["paper"]), passage, start, end, quote, section, int(page) if page else None)


def _asked(said: Mapping[str, Any]) -> AskedText:
    if said["of"] not in ("abstract", "full text", "document"):
        raise ValueError(said["of"])
    version = said.get("version")
    return AskedText(
        _text(said["id"]), _text(said["title"]), said["of"], _text(said["digest"]), int(version) if version else None
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(value)
    return value


def answer_as_json(answer: Answer) -> dict[str, Any]:
    """A JSON object of an answer; its findings are for the caller to add."""
    sentences = [
        {
            "text": sentence.text,
            "citations": [asdict(each) for each in sentence.citations],
            "attribution": round(sentence.attribution, 4),
            "status": sentence.status,
            "doubt": sentence.judgement.doubt or None if sentence.judgement is not None else None,
        }
        for sentence in answer.sentences
    ]
    return {
        "question": answer.question,
        "refused": answer.refused,
        "sentences": sentences,
        "nearest": [asdict(each) for each in answer.nearest],
        "looked_through": [
            {"paper": each.id, "title": each.title, "of": each.of, "version": each.version}
            for each in answer.looked_through
        ],
        "model": answer.model,
    }
