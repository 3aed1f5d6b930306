"""An answer as programs read it, from the command line and the language server."""

from dataclasses import asdict
from typing import Any

from citeplug.records.answer import Answer


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
