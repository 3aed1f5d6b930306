"""An answer to a question: by the model that the user chose, else in the papers' own words."""

from collections.abc import Sequence
from dataclasses import replace

from citeplug.ask.by_model import write_answer
from citeplug.ask.by_model.write import Show
from citeplug.ask.refusal import nearest, refuse
from citeplug.ask.run import AskedTexts, checked_question, doubts_about
from citeplug.protocols import LanguageModel
from citeplug.records.answer import Answer, Turn


def answer_question(
    asked: AskedTexts,
    question: str,
    history: Sequence[Turn] = (),
    model: LanguageModel | None = None,
    show: Show = lambda _: None,
) -> Answer:
    """Answer from the texts that are asked, or refuse. Without `model`, or if it fails, the texts' own words answer.

    `show` is called with each sentence of the model's once it has passed the checks in code; the judge may drop it yet.
    Raises UsageError for an empty question, KeyboardInterrupt before the first sentence.
    """
    if model is None:
        return asked.answer(question, history)
    gathered = asked.gather(question, history, model)
    texts = {text.id: text for text in gathered.texts}
    said = checked_question(question)
    written = write_answer(said, history, gathered.passages, texts, model, show)
    if written.failed:
        plain = asked.answer(question, history, gathered)
        return replace(plain, findings=(*written.findings, *plain.findings))
    if written.refused:
        answer = refuse(said, gathered.texts, gathered.passages, written.model)
    else:
        shown = nearest(gathered.passages)
        answer = asked.with_pages(Answer(said, False, written.sentences, shown, gathered.texts, written.model))
    findings = (*gathered.findings, *written.findings, *doubts_about(question, answer))
    return replace(answer, findings=findings)
