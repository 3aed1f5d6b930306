"""Passages to ask about, and models that answer by a script."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from citeplug.ask.by_model.write import write_answer
from citeplug.errors import CiteplugError
from citeplug.records.answer import Answer, AnswerSentence, AskedPassage, AskedText, Turn
from citeplug.records.dialogue import Request
from citeplug.text.sentences import split_sentences
from tests.harness.scripted_models import ScriptedModel

FLASH = (
    "Attention is slow because of its reads and writes to memory. FlashAttention computes exact attention in tiles, so"
    " that the score matrix is never written to slow memory. Training of GPT-2 is 3 times faster than the baseline."
)
PAGED = (
    "PagedAttention keeps the cache of keys and values in pages that need not lie beside each other. It reduces the"
    " waste of memory to under 4 percent in our experiments. Throughput may rise by a factor of two."
)
SPARSE = "Sparse attention computes a subset of the scores. Training of GPT-2 is 2 times slower than the baseline."
TEXTS = {
    name: AskedText(name, title, "abstract", name)
    for name, title in (
        ("2205.14135", "FlashAttention: Fast and Memory-Efficient Exact Attention"),
        ("2309.06180", "Efficient Memory Management for Large Language Model Serving"),
        ("1904.10509", "Generating Long Sequences with Sparse Transformers"),
    )
}
PASSAGES = tuple(
    AskedPassage(name, 0, text, score=1.0) for name, text in zip(TEXTS, (FLASH, PAGED, SPARSE), strict=True)
)
QUESTION = "How is it avoided to write the score matrix to memory?"

TILES: dict[str, Any] = {
    "text": "FlashAttention computes attention tile by tile, so that the matrix of scores is not kept in slow memory.",
    "quotes": [{"passage": 1, "quote": "computes exact attention in tiles, so that the score matrix is never written"}],
}
PAGES: dict[str, Any] = {
    "text": "PagedAttention stores keys and values in pages that can lie apart.",
    "quotes": [{"passage": 2, "quote": "keeps the cache of keys and values in pages"}],
}
Reply = dict[str, Any] | str


def said(*items: dict[str, Any], answers: str = "yes") -> dict[str, Any]:
    return {"answers": answers, "sentences": [{"against": 0, **item} for item in items]}


def verdicts(*given: str | tuple[str, bool]) -> dict[str, Any]:
    """Verdicts in order; with False, the sentence is beside the question."""
    pairs = [each if isinstance(each, tuple) else (each, True) for each in given]
    return {
        "verdicts": [
            {
                "sentence": n,
                "unsupported": "" if verdict == "entailed" else "a part",
                "verdict": verdict,
                "answers": fits,
            }
            for n, (verdict, fits) in enumerate(pairs, start=1)
        ]
    }


def model(*replies: Reply, **more: Any) -> ScriptedModel:
    """A model that gives these answers, one after the other."""
    left = list(replies)
    return ScriptedModel(lambda _, __: left.pop(0), **more)


def by_stage(prose: Callable[[Request], Reply], judge: Callable[[Request], Reply], **more: Any) -> ScriptedModel:
    return ScriptedModel(lambda _, request: (judge if request.stage == "judge" else prose)(request), **more)


def entails_all(request: Request) -> Reply:
    return verdicts(*(["entailed"] * len(judged(request))))


def judged(request: Request) -> list[str]:
    """The sentences that a judge is shown."""
    return re.findall(r"^sentence \d+, from \[[\d, ]+\]: (.*)$", request.prompt, re.M)


def passages_in(request: Request) -> dict[int, str]:
    """The texts of the passages that a model is shown, by their numbers."""
    pattern = r"<material (\w{16}): passage \[(\d+)\], paper \d+>\n(.*?)\n</material \1>"
    found = re.findall(pattern, request.shared, re.S)
    return {int(number): text.splitlines()[-1].partition(": ")[2] for _, number, text in found}


def write(
    asked: ScriptedModel,
    question: str = QUESTION,
    *,
    history: Sequence[Turn] = (),
    passages: Sequence[AskedPassage] = PASSAGES,
    shown: list[AnswerSentence | None] | None = None,
) -> Answer:
    return write_answer(
        question, history, passages, [*TEXTS.values()], asked, (shown if shown is not None else []).append
    )


def sentences_of(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


def codes(written: Answer) -> list[str]:
    return [finding.code for finding in written.findings]


def as_text(reply: dict[str, Any]) -> str:
    return json.dumps(reply)


def failing(error: CiteplugError, after: int, *replies: Reply) -> ScriptedModel:
    return model(*replies, fail_after=after, error=error)
