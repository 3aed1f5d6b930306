"""The judge of an answer: a model compares each sentence with the passages it cites, and with the question."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from citeplug.ask.by_model.checks import Passages
from citeplug.ask.by_model.prompt import fence_of, show_passages
from citeplug.errors import Cancelled, CiteplugError
from citeplug.protocols import LanguageModel
from citeplug.records.answer import AnswerSentence, AnswerStatus
from citeplug.records.dialogue import Reply, Request
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.section import Judgement
from citeplug.related.attribute.judge import RUBRIC, read_verdicts
from citeplug.text.cleaning import plain
from citeplug.text.json_text import number_of, parse_json
from citeplug.text.material import WARNING

_TOKENS = 130  # of the verdicts, for each sentence

SYSTEM = f"""You check the answer to a question against the passages that it cites, as a careful referee would.

{WARNING}

Each numbered sentence names its passages. Compare it with the whole of these and the titles of their papers, and with nothing else, neither what you know nor other passages.
{RUBRIC}
Its own paper must be the one that says or does it: what a passage reports of others' work is not its paper's result. A sentence on several passages must hold for each as it is worded.
Where a suspicion is given, it is a program's guess from the words alone, wrong more often than right: look there, and decide by the meaning.
For each sentence give, in this order, its number; `unsupported`: the words that are not borne out, then what the passage says instead (empty where it is entailed); the verdict; and `answers`: false where the sentence, true or not, is beside the question: it is on the same subject and does not say what is asked, nor a part of it.
Answer with JSON that fits the schema."""

_VERDICT: Mapping[str, Any] = {
    "sentence": {"type": "integer", "description": "its number"},
    "unsupported": {"type": "string", "description": "empty where the sentence is entailed"},
    "verdict": {"type": "string", "enum": ["entailed", "partly", "not"]},
    "answers": {"type": "boolean"},
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": _VERDICT,
                "required": list(_VERDICT),
                "additionalProperties": False,
            },
        },
    },
    "required": ["verdicts"],
    "additionalProperties": False,
}


def judge_answer(
    question: str, sentences: Sequence[AnswerSentence], passages: Passages, model: LanguageModel
) -> tuple[list[AnswerSentence | None], list[Finding]]:
    """The sentences with their verdicts, None in the place of one that is not borne out or beside the question.

    `supported` or `quoted` where the passages entail it, `weak` where they bear it out in part or nothing was said of
    it. Raises Cancelled, nothing else on account of the model.
    """
    if not sentences:
        return [], []
    try:
        reply = model.complete(_request(question, sentences, passages))
    except Cancelled:
        raise
    except CiteplugError as error:
        return list(sentences), [model_unavailable(error, "the meaning of the sentences was not compared")]
    verdicts, beside = read_verdicts(reply, len(sentences)), _beside(reply)
    judged: list[AnswerSentence | None] = []
    findings: list[Finding] = []
    for number, sentence in enumerate(sentences, start=1):
        if number not in verdicts:
            judged.append(sentence)
            continue
        verdict, unsupported = verdicts[number]
        judgement = Judgement(verdict, unsupported, reply.model or model.name)
        if verdict == "not" or number in beside:
            judged.append(None)
            why = f"its passages do not support it ({unsupported or 'the judge names no part'})"
            findings.append(_dropped(sentence, why if verdict == "not" else "it is beside the question"))
        elif verdict == "partly":
            judged.append(replace(sentence, status="weak", judgement=judgement))
        else:
            status: AnswerStatus = "quoted" if sentence.status == "quoted" else "supported"
            judged.append(replace(sentence, status=status, judgement=judgement))
    return judged, findings


def _request(question: str, sentences: Sequence[AnswerSentence], passages: Passages) -> Request:
    number = fence_of(passages.passages, passages.texts)
    cited: dict[int, None] = {}
    lines = [f"The question: {plain(question)[:4_000]}", "The answer:"]
    for place, sentence in enumerate(sentences, start=1):
        numbers = dict.fromkeys(map(passages.number_of, sentence.citations))
        cited |= numbers
        printed = plain(sentence.text).replace("<", "‹").replace(">", "›")
        lines.append(f"sentence {place}, from [{', '.join(map(str, numbers))}]: {printed}")
        if sentence.judgement is not None and sentence.judgement.suspicion:
            lines.append(f"  suspicion: {plain(sentence.judgement.suspicion)}")
    shown = show_passages(passages.passages, passages.texts, number, cited)
    tokens = _TOKENS * (len(sentences) + 2)
    return Request(
        "judge", SYSTEM, "\n".join(lines), shared=shown, schema=SCHEMA, max_tokens=tokens, label="the answer"
    )


def _beside(reply: Reply) -> set[int]:
    """The numbers of the sentences that do not answer."""
    data = reply.data if reply.data is not None else parse_json(reply.text)
    items = data.get("verdicts") if isinstance(data, dict) else None
    entries = (item for item in (items if isinstance(items, list) else []) if isinstance(item, dict))
    return {number for item in entries if item.get("answers") is False and (number := number_of(item.get("sentence")))}


def _dropped(sentence: AnswerSentence, why: str) -> Finding:
    return Finding("claim_unsupported", "warning", f"a sentence was dropped, {why}: {sentence.text[:300]}")
