"""An answer by a language model, from the request to sentences that passed every check."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from citeplug.ask.by_model.checks import Passages
from citeplug.ask.by_model.prompt import (
    MOST_SENTENCES,
    Item,
    ItemsAsTheyCome,
    answer_request,
    read_answer,
    repair_request,
)
from citeplug.ask.by_model.verdicts import judge_answer
from citeplug.ask.retrieval import nearest
from citeplug.errors import Cancelled, CiteplugError, ModelUnavailable
from citeplug.protocols import LanguageModel
from citeplug.records.answer import Answer, AnswerSentence, AskedPassage, AskedText, Turn
from citeplug.records.dialogue import Heard, Reply, Request
from citeplug.records.finding import Finding, model_unavailable
from citeplug.related.attribute.evidence import Doubt
from citeplug.text.cleaning import plain

_MOST = 2 * MOST_SENTENCES  # sentences that are looked at

# Called with each sentence that passed the checks in code; with None where the answer starts again.
Show = Callable[[AnswerSentence | None], None]


@dataclass(slots=True)
class _Slot:
    """A sentence as proposed, and as it passed, or why it did not."""

    item: Item
    sentence: AnswerSentence | None
    doubts: tuple[Doubt, ...]


def write_answer(
    question: str,
    history: Sequence[Turn],
    passages: Sequence[AskedPassage],
    texts: Sequence[AskedText],
    model: LanguageModel,
    show: Show = lambda _: None,
) -> Answer:
    """Answer from `passages`, in the order in which they are to be read.

    One request for the answer, one for the sentences that were refused, if any, one for the judge. An outage or an
    interruption keeps what had passed by then: unjudged sentences are `weak`. Only a second interruption is raised.
    An answer that is neither refused nor has a sentence says that nothing is known: the model could not be asked.
    """

    def answer(by: str, sentences: Sequence[AnswerSentence], *findings: Finding, refused: bool = False) -> Answer:
        return Answer(question, refused, tuple(sentences), nearest(passages), tuple(texts), by, findings)

    if not passages:
        return answer(model.name, (), refused=True)
    by_id = {text.id: text for text in texts}
    writer = _Writer(Passages(question, passages, by_id), show)
    first = answer_request(question, history, passages, by_id)
    try:
        reply = model.complete(first, writer.hear)
        writer.take(reply)
        if writer.answers == "no":
            return answer(reply.model or model.name, (), refused=True)
        if writer.refused:
            _ask_again(first, writer, model)
        judged, doubts = judge_answer(question, writer.accepted, writer.passages, model)
    except (Cancelled, KeyboardInterrupt):
        if not writer.accepted:
            raise
        return answer(model.name, writer.accepted, *writer.findings, _CUT)
    except CiteplugError as error:
        then = "what had been said is kept" if writer.accepted else "the papers' own words are shown"
        return answer(model.name, writer.accepted, *writer.findings, model_unavailable(error, then))
    sentences = writer.settled(judged)
    findings = (*writer.findings, *doubts, *_left_open(writer, sentences), *_unjudged(sentences))
    return answer(reply.model or model.name, sentences, *findings, refused=not sentences)


_CUT = Finding("answer_cut", "info", "the answer was stopped; what was written is kept, and no judge has checked it")


def _ask_again(first: Request, writer: "_Writer", model: LanguageModel) -> None:
    """Ask once for the refused sentences; those that are refused again, or for which nothing comes, are left out."""
    try:
        reply = model.complete(repair_request(first, [(slot.item, slot.doubts) for slot in writer.refused]))
    except Cancelled:
        raise
    except CiteplugError as error:
        writer.trouble = model_unavailable(error, "sentences that were refused are left out")
        return
    _, items = read_answer(reply)
    if items:
        writer.slots = [slot for slot in writer.slots if slot.sentence is not None]
    for item in items:
        writer.add(replace(item, against=0))


def _left_open(writer: "_Writer", sentences: Sequence[AnswerSentence]) -> list[Finding]:
    if writer.answers != "part" or not sentences:
        return []
    return [Finding("answer_in_part", "info", "by the model's reading, the passages answer a part of the question")]


def _unjudged(sentences: Sequence[AnswerSentence]) -> list[Finding]:
    unjudged = [s for s in sentences if s.judgement is None or s.judgement.verdict is None]
    if not unjudged:
        return []
    message = f"{len(unjudged)} of {len(sentences)} sentences: no model has compared their meaning with their passages"
    return [Finding("claims_partly_checked", "warning", message, fix="read each beside its passages")]


class _Writer:
    """The sentences of an answer while it comes: each is checked once, and shown once it has passed."""

    def __init__(self, passages: Passages, show: Show) -> None:
        self.passages = passages
        self.answers = "yes"
        self.slots: list[_Slot] = []
        self.trouble: Finding | None = None
        self._show = show
        self._reader = ItemsAsTheyCome()

    @property
    def accepted(self) -> list[AnswerSentence]:
        return [slot.sentence for slot in self.slots if slot.sentence is not None]

    @property
    def refused(self) -> list[_Slot]:
        return [slot for slot in self.slots if slot.sentence is None]

    @property
    def findings(self) -> list[Finding]:
        """A finding on each sentence that was refused for good, with the reasons."""
        findings = [] if self.trouble is None else [self.trouble]
        for slot in self.refused:
            why = "; ".join(dict.fromkeys(doubt.reason for doubt in slot.doubts))[:300]
            message = f"a sentence of the model was dropped ({why}): {plain(slot.item.text)[:300]}"
            findings.append(Finding("sentence_dropped", "warning", message))
        return findings

    def hear(self, heard: Heard) -> None:
        if heard.state == "anew":
            self._reader = ItemsAsTheyCome()
            if self.accepted:
                self._show(None)
            self.slots = []
        for item in self._reader.feed(heard.text):
            if self._reader.answers != "no":
                self.add(item)

    def take(self, reply: Reply) -> None:
        """Take what was not heard already. Raises ModelUnavailable if nothing can be read."""
        self.answers, items = read_answer(reply)
        if self.answers == "no":
            return
        for item in items:
            self.add(item)
        if not self.slots:
            why = "refused to answer" if reply.stop == "refusal" else "gave no readable answer"
            raise ModelUnavailable(f"the model {why}", "ask again, or with --llm none")

    def add(self, item: Item) -> None:
        """Check a sentence and show it if it passes; one that was there already changes nothing."""
        key = " ".join(item.text.split())
        if len(self.slots) >= _MOST or any(key == " ".join(slot.item.text.split()) for slot in self.slots):
            return
        sentence, doubts = self.passages.check(item)
        if sentence is not None and any(sentence.text == other.text for other in self.accepted):
            return
        self.slots.append(_Slot(item, sentence, doubts))
        if sentence is not None:
            self._show(sentence)

    def settled(self, judged: Sequence[AnswerSentence | None]) -> tuple[AnswerSentence, ...]:
        """The sentences that the judge leaves; those whose papers give different answers have status `conflict`."""
        left = iter(judged)
        verdicts = [next(left) if slot.sentence is not None else None for slot in self.slots]
        against: set[int] = set()
        for place, slot in enumerate(self.slots):
            other = slot.item.against - 1
            if 0 <= other < place and _differ(verdicts[place], verdicts[other]):
                against |= {place, other}
        return tuple(
            replace(sentence, status="conflict") if place in against else sentence
            for place, sentence in enumerate(verdicts)
            if sentence is not None
        )


def _differ(one: AnswerSentence | None, other: AnswerSentence | None) -> bool:
    """True if both are there, and rest on different papers."""
    papers = [{citation.paper for citation in sentence.citations} for sentence in (one, other) if sentence is not None]
    return len(papers) == 2 and papers[0].isdisjoint(papers[1])
