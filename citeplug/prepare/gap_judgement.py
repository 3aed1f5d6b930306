"""What a model says of a draft and prepared papers: questions about the draft's contribution, papers that answer one, and
pairs of papers that answer it differently. What has no quotation, word for word, is dropped and counted.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from citeplug.errors import CiteplugError
from citeplug.prepare.asking import NUMBER, TEXT, ask_readable, items_of, text_of
from citeplug.prepare.checks import LINK, PAPER
from citeplug.prepare.questions import near_duplicates
from citeplug.prepare.statements import of_section, section_text, telling_sections
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Reply, Request
from citeplug.records.draft import Draft
from citeplug.records.gaps import DraftQuestion
from citeplug.records.prepared import Place
from citeplug.related.attribute.claims import unsourced
from citeplug.text.cleaning import plain
from citeplug.text.json_text import list_of, number_of, object_of
from citeplug.text.material import LONGEST_TITLE, WARNING, fence, fence_number
from citeplug.text.quotation import SHORTEST, find_quote

MOST_QUESTIONS = 8
MOST_PAPERS = 10  # that a question is compared with
_MOST_DIFFERENCES = 5
_LONGEST_QUESTION, _FEWEST = 40, 4  # words
_LONGEST_HOW = 60
_LONGEST_TEXT = 4_000  # characters of a text of a paper
_LONGEST_DRAFT = 24_000  # characters of the draft

_QUOTATION = (
    f"A quotation is one uninterrupted stretch of {SHORTEST} words or more, copied word for word from the text whose"
    " number you give with it."
)

ASKING = f"""You help the author of a research paper, the draft, to find out what is known already.

{WARNING}

{_QUOTATION}

Write questions that the draft's own contribution answers: what it proposes, shows, measures or finds, not what it reports of others, at most {MOST_QUESTIONS}, the main one first. Each
- can be asked of other papers: it names the problem, the method's kind and the setting, and none of the names that the draft coined;
- can be understood by itself, and never speaks of "the paper" or "the authors";
- comes with the quotation of the draft that answers it.
Answer with JSON that fits the schema."""

JUDGING = f"""You compare a question that the draft of a research paper answers with texts of other papers, as a careful referee would.

{WARNING}

{_QUOTATION}

`answers`: the texts that answer the question as well, in whole or in its main point, each with the quotation that does. A text on the same subject that does not answer the question is none. Mostly there are few or none.
`differences`: pairs of texts of two papers that answer the question differently, so that a reader of both would ask which holds: with a quotation of each and, in `how`, one plain sentence on what they say differently. Other data, settings or methods are no difference. Mostly there are none.
Neither is a judgement of the draft. Answer with JSON that fits the schema."""


QUESTIONS: Mapping[str, Any] = object_of(
    {"questions": list_of(object_of({"question": TEXT, "text": NUMBER, "quote": TEXT}))}
)
JUDGEMENT: Mapping[str, Any] = object_of(
    {
        "answers": list_of(object_of({"text": NUMBER, "quote": TEXT})),
        "differences": list_of(
            object_of({"one": NUMBER, "one_quote": TEXT, "other": NUMBER, "other_quote": TEXT, "how": TEXT})
        ),
    }
)


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text of a paper that a model is shown: the stretch of passage `passage` that begins at `start`."""

    paper: str
    title: str
    text: str
    passage: int = 0
    start: int = 0


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation that stands in a shown text, with its place in the paper."""

    text: ShownText
    quote: str
    place: Place


@dataclass(slots=True)
class Judged:
    """What holds of a model's judgement on one question. `dropped` counts the rest by reason.

    `no_quotation`: what is quoted is not in the text word for word; `invented`: a difference in words that the quotations
    lack; `same_paper`: a difference of a paper with itself; `repeated`, `too_long`. `refused`: an answer was dropped for
    want of its quotation.
    """

    answers: list[Quoted] = field(default_factory=list)
    differences: list[tuple[str, Quoted, Quoted]] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    refused: bool = False


def questions_by_model(
    draft: Draft, model: LanguageModel
) -> tuple[list[DraftQuestion], Counter[str]] | CiteplugError | None:
    """Questions that the draft answers, each with its quotation, and the count of the others by reason; an error, or None
    for an unreadable answer. Raises Cancelled.
    """
    sections = telling_sections(draft)
    texts = [plain(draft.abstract), *(section_text(section) for section in sections)]
    lengths = [sum(len(text) for text in texts[:at]) for at in range(len(texts))]
    shown = [text[: max(0, _LONGEST_DRAFT - before)] for text, before in zip(texts, lengths, strict=True)]

    def read(_: int, data: dict[str, Any], __: Reply) -> tuple[list[DraftQuestion], Counter[str]] | None:
        items = _objects(data, "questions", 3 * MOST_QUESTIONS)
        if items is None:
            return None
        questions: list[DraftQuestion] = []
        dropped: Counter[str] = Counter()
        for item in items:
            question = text_of(item.get("question"))
            reason = _doubt(question, questions, [draft.title, *shown])
            span = _find(text_of(item.get("quote")), item.get("text"), shown) if reason is None else None
            if span is None:
                dropped[reason or "no_quotation"] += 1
                continue
            at, start, end = span
            questions.append(of_section(question, shown[at][start:end], sections[at - 1] if at else None, draft))
        return questions, dropped

    title = plain(draft.title)[:LONGEST_TITLE]
    number = fence_number([title, *shown])
    lines = [fence(number, "the draft's title", title)]
    lines += [fence(number, f"text {at} of the draft", text) for at, text in enumerate(shown) if text]
    request = Request("queries", ASKING, "\n".join(lines), schema=QUESTIONS, max_tokens=1_500, label=title)
    (answer,) = ask_readable(model, [request], read)
    return answer


def judge_questions(
    pairs: Sequence[tuple[DraftQuestion, Sequence[ShownText]]], model: LanguageModel
) -> list[Judged | CiteplugError | None]:
    """A judgement for each question with the texts that it is compared with; an error, or None for an unreadable answer,
    in the place of one. One request for each, or two. Raises Cancelled.
    """
    requests = [_judge_request(question, texts) for question, texts in pairs]
    return ask_readable(model, requests, lambda number, data, _: _judged(data, pairs[number][1]))


def _judge_request(question: DraftQuestion, texts: Sequence[ShownText]) -> Request:
    shown = [f"{plain(text.title)[:LONGEST_TITLE]}\n{plain(_shown(text))}" for text in texts]
    asked = f"{plain(question.question)}\nthe draft says: {plain(question.said)[:_LONGEST_TEXT]}"
    number = fence_number([asked, *shown])
    lines = [fence(number, "the question", asked)]
    lines += [fence(number, f"text {at}", text) for at, text in enumerate(shown)]
    label = question.question[:LONGEST_TITLE]
    return Request("judge", JUDGING, "\n".join(lines), schema=JUDGEMENT, max_tokens=1_500, label=label)


def _judged(data: Mapping[str, Any], texts: Sequence[ShownText]) -> Judged | None:
    answers = _objects(data, "answers", 3 * MOST_PAPERS)
    differences = _objects(data, "differences", 3 * _MOST_DIFFERENCES)
    if answers is None or differences is None:
        return None
    judged = Judged()
    for item in answers:
        quoted = _quoted(item.get("quote"), item.get("text"), texts)
        if quoted is None:
            judged.dropped["no_quotation"] += 1
            judged.refused = True
        elif any(quoted.text.paper == answer.text.paper for answer in judged.answers):
            judged.dropped["repeated"] += 1
        else:
            judged.answers.append(quoted)
    for item in differences:
        _read_difference(item, texts, judged)
    return judged


def _read_difference(item: Mapping[str, Any], texts: Sequence[ShownText], judged: Judged) -> None:
    one = _quoted(item.get("one_quote"), item.get("one"), texts)
    other = _quoted(item.get("other_quote"), item.get("other"), texts)
    how = text_of(item.get("how"))
    if one is None or other is None:
        judged.dropped["no_quotation"] += 1
    elif one.text.paper == other.text.paper:
        judged.dropped["same_paper"] += 1
    elif not _FEWEST <= len(how.split()) <= _LONGEST_HOW or len(judged.differences) >= _MOST_DIFFERENCES:
        judged.dropped["too_long"] += 1
    elif LINK.search(how) or any(unsourced(how, [one.quote, other.quote, one.text.title, other.text.title])):
        judged.dropped["invented"] += 1
    else:
        judged.differences.append((how, one, other))


def _doubt(question: str, questions: Sequence[DraftQuestion], known: Sequence[str]) -> str | None:
    if not _FEWEST <= len(question.split()) <= _LONGEST_QUESTION or len(questions) >= MOST_QUESTIONS:
        return "too_long"
    if PAPER.search(question):
        return "names_the_paper"
    if LINK.search(question) or any(unsourced(question, known)):
        return "invented"
    return "repeated" if any(near_duplicates(question, other.question) for other in questions) else None


def _quoted(quote: Any, number: Any, texts: Sequence[ShownText]) -> Quoted | None:
    """The quotation in the text that was named, and in no other one: it says whose it is."""
    at = number_of(number)
    if at is None or not 0 <= at < len(texts):
        return None
    text = texts[at]
    span = find_quote(text_of(quote), _shown(text))
    if span is None:
        return None
    start, end = span
    return Quoted(text, text.text[start:end], Place(text.passage, text.start + start, text.start + end))


def _find(quote: str, number: Any, texts: Sequence[str]) -> tuple[int, int, int] | None:
    """The text that has a quotation, the named one first, and its place there."""
    named = number_of(number)
    for at in sorted(range(len(texts)), key=lambda at: (at != named, at)):
        if (span := find_quote(quote, texts[at])) is not None:
            return (at, *span)
    return None


def _shown(text: ShownText) -> str:
    return text.text[:_LONGEST_TEXT]


def _objects(data: Mapping[str, Any], name: str, most: int) -> list[dict[str, Any]] | None:
    """The first objects of a list in an answer; None where there is no list."""
    items = data.get(name)
    return [item for item in items_of(items, most) if isinstance(item, dict)] if isinstance(items, list) else None
