"""Questions to papers, and answers in the papers' words, which are stale when the texts have changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from citeplug.records.finding import Finding
from citeplug.records.section import Judgement

SUMMARY = "summary"
AnswerStatus = Literal["quoted", "supported", "weak", "conflict"]


@dataclass(frozen=True, slots=True)
class AskedText:
    """A text that is asked. `id`: an arXiv id without version, `lib:KEY`, or the name of a file that was given.

    `of`: the abstract alone, the full text of `version`, or a file of the user's. `digest` is the SHA-256 of the text.
    """

    id: str
    title: str
    of: Literal["abstract", "full text", "document"]
    digest: str
    version: int | None = None


@dataclass(frozen=True, slots=True)
class AskedPassage:
    """A passage of an asked text. `number` counts the text's passages from 1; an abstract, or a `summary` by others in
    its place, is 0.

    `score`: larger is nearer to the question, comparable within one question alone.
    """

    text_id: str
    number: int
    text: str
    section: str = ""
    page: int | None = None
    score: float = 0.0
    summary: bool = False

    def cited(self, start: int, end: int) -> "AnswerCitation":
        """The citation of the span from `start` to `end`, code points, half-open."""
        section = SUMMARY if self.summary else self.section
        return AnswerCitation(self.text_id, self.number, start, end, self.text[start:end], section, self.page)


@dataclass(frozen=True, slots=True)
class AnswerCitation:
    """`quote` is the span `start` to `end` (code points, half-open) of passage `passage` of the text `paper`.

    `section` is `SUMMARY` for one that is in a summary by others, in place of the abstract.
    """

    paper: str
    passage: int
    start: int
    end: int
    quote: str
    section: str = ""
    page: int | None = None

    @property
    def by_authors(self) -> bool:
        """True if the words are those of the text's authors."""
        return not (self.passage == 0 and self.section == SUMMARY)


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence of an answer, plain text.

    `attribution`: 0 to 1, TruthReader's: ROUGE-1 precision against the passages it cites. `status`: `quoted`, a
    source's sentence verbatim; `supported`, the checks and the judge found nothing against it, or a row of a table with
    its place; `weak`, not compared or borne out in part; `conflict`, its sources give another answer than those of
    another sentence, or contradict it.
    """

    text: str
    citations: tuple[AnswerCitation, ...]
    attribution: float
    status: AnswerStatus
    judgement: Judgement | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """`refused`: nothing found bears an answer out, and `sentences` is empty. `nearest` are the sentences nearest
    to the question, or passages, best first; `looked_through` all texts that were asked. `model` wrote it; None: the
    papers' words.
    """

    question: str
    refused: bool
    sentences: tuple[AnswerSentence, ...]
    nearest: tuple[AnswerCitation, ...]
    looked_through: tuple[AskedText, ...]
    model: str | None = None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a conversation and what was answered."""

    question: str
    answer: Answer


def is_stale(sentence: AnswerSentence, answer: Answer, now: Sequence[AskedText]) -> bool:
    """True if a text that the sentence cites has changed since `answer`, or is not among the asked texts any more."""
    then = {text.id: text.digest for text in answer.looked_through}
    current = {text.id: text.digest for text in now}
    return any(then.get(citation.paper) != current.get(citation.paper) for citation in sentence.citations)
