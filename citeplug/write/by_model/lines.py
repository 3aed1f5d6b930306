"""A plan line on its way to its sentence, and the findings on it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from citeplug.attribute.claims import Doubt
from citeplug.plan.lengths import TOLERANCE
from citeplug.records.finding import Finding
from citeplug.records.plan import PlanLine, PlanParagraph
from citeplug.records.section import Sentence
from citeplug.text.cited_text import bare, length
from citeplug.write.extractive.section import WrittenLine


@dataclass(slots=True)
class Line:
    """One plan line: the last refusal, and the sentence that passed. `words` is the length asked for.

    `ids` are the arXiv ids of its papers that are known, `unknown` the findings on the others. `granted` are the
    author's words, `asked`: the model is asked for it. `stand_in` gives the sentences made from the abstracts, which
    take its place where the model gave none.
    """

    planned: PlanLine
    ids: tuple[str, ...]
    unknown: tuple[Finding, ...]
    heading: str
    words: int
    granted: str
    asked: bool
    stand_in: Callable[[], WrittenLine]
    accepted: Sentence | None = None
    refused: str = ""
    doubts: tuple[Doubt, ...] = ()

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return (self.accepted,) if self.accepted is not None else self.stand_in().sentences

    def accept(self, sentence: Sentence) -> None:
        """Take a sentence that passed, unless the one before has the better length."""
        self.doubts = ()
        if self.accepted is None or self._off(sentence) < self._off(self.accepted):
            self.accepted = sentence

    def _off(self, sentence: Sentence) -> int:
        return abs(length([sentence]) - self.words)


def report_line(paragraph: str, line: Line, *, outage: bool, language: str = "English") -> Iterator[Finding]:
    """Findings on a line's sentence; after an `outage` none on a sentence that was not asked for again."""
    if line.accepted is None:
        yield from line.stand_in().findings
        if line.asked and not outage:
            yield _not_kept(paragraph, line, language)
        return
    yield from line.unknown
    if line.accepted.quoted:
        yield Finding(
            "close_wording",
            "info",
            f"eight or more words in a row are the source's: {bare(line.accepted.text)[:160]}",
            fix="say it in your own words, or leave it in quotation marks",
        )


def report_length(planned: PlanParagraph, sentences: Sequence[Sentence]) -> Iterator[Finding]:
    """Finding on a paragraph that is too short or too long for its plan."""
    said = length(sentences)
    if planned.words and sentences and abs(said - planned.words) > TOLERANCE * planned.words:
        yield Finding(
            "plan_words",
            "info",
            f"{planned.id} has {said} words where its plan says {planned.words}",
            fix="change words= in the plan, or the text",
        )


def _not_kept(paragraph: str, line: Line, language: str) -> Finding:
    about = ", ".join(line.ids) or "the draft"
    why = "; ".join(dict.fromkeys(doubt.reason for doubt in line.doubts))[:300]
    if line.stand_in().sentences:
        return Finding(
            "sentence_replaced",
            "info",
            f"{paragraph}: the model's sentence on {about} was refused ({why}); one made from the abstract"
            f"{'' if language == 'English' else ', in English,'} is used",
            fix="write this sentence yourself, or word its plan line differently",
        )
    return Finding(
        "sentence_dropped",
        "warning",
        f"{paragraph}: the model's sentence on {about} was refused ({why}), and nothing could be put in its place",
        fix="write this sentence yourself",
    )
