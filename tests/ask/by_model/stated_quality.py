"""A writer and a judge of stated quality, which know of each of their sentences what is true of it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from citeplug.records.answer import Answer
from citeplug.records.dialogue import Request
from citeplug.text.cited_text import words
from citeplug.text.plaintext import plain_text
from tests.ask.by_model.asked import by_stage, judged, passages_in, said, sentences_of
from tests.harness.adversaries import FALSIFIERS, reworded
from tests.harness.scripted_models import ScriptedModel

Words = tuple[str, ...]


@dataclass
class Quality:
    """Shares of what a model does right: decides that there is an answer, or none; writes a sentence; judges one."""

    answers: float = 0.97
    refuses: float = 0.9
    true: float = 0.8
    judges: float = 0.97


@dataclass
class Adept:
    """A model of a `quality` that is asked about texts; `bearing` are those that answer the present question.

    Its false sentences are of the kinds of `harness.adversaries`, or true ones with another paper's quotation or one
    that is not there. Where it should refuse and does not, it says something true beside the question.
    """

    quality: Quality = field(default_factory=Quality)
    seed: int = 1
    bearing: Sequence[str] = ()
    written: int = 0  # true sentences that answer
    _truth: dict[Words, tuple[bool, bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)

    @property
    def model(self) -> ScriptedModel:
        return by_stage(self._write, self._judge)

    def is_true(self, text: str) -> bool:
        """True if the sentence is borne out by what it cites, and answers."""
        return all(self._truth.get(tuple(words(text)), (False, False)))

    def _write(self, request: Request) -> dict[str, Any]:
        shown = passages_in(request)
        if "these sentences were refused" in request.prompt:
            return said()
        bearing = [number for number, text in shown.items() if text in self.bearing]
        if self._chance.random() >= (self.quality.answers if bearing else 1 - self.quality.refuses):
            return said(answers="no")
        number = self._chance.choice(bearing or sorted(shown))
        fit = [each for each in sentences_of(shown[number]) if 8 <= len(each.split()) <= 30 and plain_text(each)]
        chosen = self._chance.sample(fit, min(len(fit), 3))
        return said(*(self._item(each, number, shown, bool(bearing)) for each in chosen))

    def _item(self, sentence: str, number: int, shown: dict[int, str], answers: bool) -> dict[str, Any]:
        text = f"It is found that {reworded(sentence)}."
        quote = {"passage": number, "quote": sentence}
        if self._chance.random() < self.quality.true:
            self.written += answers
            return self._known(text, [quote], True, answers)
        kind = self._chance.randrange(4)
        other = self._chance.choice(sorted(shown))
        if kind == 0 and other != number:
            stretch = " ".join(shown[other].split()[:8])
            return self._known(text, [{"passage": other, "quote": stretch}], False, answers)
        if kind == 1:
            changed = sentence.split()
            changed[len(changed) // 2] = "remarkably"
            return self._known(text, [{"passage": number, "quote": " ".join(changed)}], False, answers)
        ways = [self._chance.choice(sorted(FALSIFIERS)) for _ in range(20)]
        false = next((made for way in ways if (made := FALSIFIERS[way](text, self._chance)) is not None), f"Not {text}")
        return self._known(false, [quote], False, answers)

    def _known(self, text: str, quotes: list[dict[str, Any]], true: bool, answers: bool) -> dict[str, Any]:
        self._truth[tuple(words(text))] = (true, answers)
        return {"text": text, "quotes": quotes}

    def _judge(self, request: Request) -> dict[str, Any]:
        verdicts = []
        for number, text in enumerate(judged(request), start=1):
            true, answers = self._truth.get(tuple(words(text)), (False, False))
            right = self._chance.random() < self.quality.judges
            verdict = "entailed" if true == right else "not"
            verdicts.append(
                {"sentence": number, "unsupported": "", "verdict": verdict, "answers": answers or not right}
            )
        return {"verdicts": verdicts}


@dataclass
class Counted:
    """Counts over many questions, and what TruthReader reports of them (section 5.2)."""

    shown: int = 0
    true: int = 0
    refused_rightly: int = 0
    refused_wrongly: int = 0
    answerable: int = 0
    unanswerable: int = 0

    def add(self, written: Answer, adept: Adept) -> None:
        self.shown += len(written.sentences)
        self.true += sum(adept.is_true(sentence.text) for sentence in written.sentences)
        if adept.bearing:
            self.answerable += 1
            self.refused_wrongly += written.refused
        else:
            self.unanswerable += 1
            self.refused_rightly += written.refused

    @property
    def precision(self) -> float:
        """Citation precision: of the sentences shown, those that what they cite bears out, and that answer."""
        return self.true / max(1, self.shown)

    @property
    def refusal_recall(self) -> float:
        return self.refused_rightly / max(1, self.unanswerable)

    @property
    def over_refusal(self) -> float:
        return self.refused_wrongly / max(1, self.answerable)
