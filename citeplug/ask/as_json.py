"""An answer as programs read it, from the command line and the language server."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from citeplug.ask.staleness import is_stale
from citeplug.records.answer import Answer, AskedText


def answer_as_json(answer: Answer, now: Sequence[AskedText] | None = None) -> dict[str, Any]:
    """A JSON object. With `now`, the texts as they are today, a sentence has `stale`: a text that it cites changed."""
    sentences = []
    for sentence in answer.sentences:
        said = {
            "text": sentence.text,
            "citations": [asdict(each) for each in sentence.citations],
            "attribution": round(sentence.attribution, 4),
            "status": sentence.status,
            "doubt": sentence.judgement.doubt or None if sentence.judgement is not None else None,
        }
        sentences.append(said if now is None else {**said, "stale": is_stale(sentence, answer, now)})
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
