"""Answer accuracy: does an answer agree with the reference answer (TruthReader, section 5.2)?"""

from collections.abc import Iterator, Mapping

from citeplug.evaluate.gold import Gold
from citeplug.evaluate.judge.question import LONGEST_SECTION, RULES, Question, fields, orders, schema_of, show
from citeplug.evaluate.runs import RunLine
from citeplug.records.dialogue import Reply, Request

ANSWER = "the answer"
SYSTEM = f"""You are given a question, a reference answer to it, which is right, and an answer. Decide whether the answer is correct: it answers the question, as the reference does, and contradicts it nowhere. It may say more, in other words.

{RULES}"""
_SCHEMA = schema_of({"correct": {"type": "boolean"}})


def ask_correctness(gold: Gold, line: RunLine, *, as_published: bool = False) -> Iterator[Question]:
    """Ask about an answer that was given, where there is a reference; as published the reference is the first."""
    if line.refused or not line.text or not gold.answer or gold.answerable is False:
        return
    question = {"the question": str(gold.inputs.get("question") or gold.title)}
    answers = {"the reference answer": gold.answer, ANSWER: line.text}
    for order in orders(as_published):
        texts = question | (answers if order == "first" else dict(reversed(answers.items())))
        prompt, label = show(texts, LONGEST_SECTION), "correctness of the answer"
        request = Request("judge", SYSTEM, prompt, schema=_SCHEMA, max_tokens=60, label=label)
        yield Question(gold.query_id, "correctness", order, {ANSWER: list(texts).index(ANSWER)}, request, _read)


def _read(reply: Reply) -> Mapping[str, float]:
    said = fields(reply).get("correct")
    return {ANSWER: float(said)} if isinstance(said, bool) else {}
