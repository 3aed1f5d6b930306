"""Questions of a file, each to its own papers or texts, answered one after the other."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from citeplug.ask.retrieval import checked_question
from citeplug.ask.session import AskSession
from citeplug.ask.texts import AskedTexts, GivenText, Selection
from citeplug.corpus.stores import Report
from citeplug.errors import CorpusEmpty, UnreadableInput, UsageError
from citeplug.files.json_lines import JsonLines, read_json
from citeplug.protocols import LanguageModel
from citeplug.records.answer import Answer
from citeplug.records.finding import Finding
from citeplug.related.paper_sets import PaperSet

_MOST_TEXTS = 1_000  # of a question
FORM = 'a line is {"question_id": ..., "question": "...", "papers": [ID, ...] or "texts": [{"title": "", "text": ""}]}'


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is not answered, and why; `question_id` as far as it could be read."""

    number: int
    question_id: Any
    why: str


def answer_file(
    file: Path, default: Selection, session: AskSession, report: Report, model: LanguageModel | None = None
) -> Iterator[tuple[Any, Answer] | BadLine]:
    """The answers in the order of the lines. Lines that name no papers and no texts ask `default`. `model` writes the
    answers, if there is one. A `question_id` is given back as it is.

    Raises UnreadableInput if the file cannot be read, ModelUnavailable.
    """
    lines = JsonLines(file)
    opened: dict[Selection, AskedTexts] = {}  # the default: the same for many lines
    for number, line in lines.lines():
        question_id: Any = None
        try:
            data = _object(line)
            question_id = data.get("question_id")
            question, selection = _question(data, default)
            try:
                session.texts = opened.get(selection) or session.select(selection, report)
            except CorpusEmpty as error:
                finding = Finding("full_text_missing", "warning", str(error), fix=error.hint)
                yield question_id, Answer(question, True, (), (), (), findings=(finding,))
                continue
            if selection == default:
                opened[default] = session.texts
            answer = session.ask(question, model)
            yield question_id, replace(answer, findings=session.findings_on(answer))
        except (UsageError, UnreadableInput) as error:
            yield BadLine(number, question_id, f"{error}; {error.hint}" if error.hint else str(error))
    if lines.skipped:
        yield BadLine(0, None, f"{lines.skipped:,} lines of {file} are too long")
    if lines.truncated:
        yield BadLine(0, None, lines.truncated)


def _object(line: bytes) -> dict[str, Any]:
    try:
        data = read_json(line)
    except ValueError as error:
        raise UsageError(f"it is not JSON: {str(error)[:200]}", FORM) from None
    if not isinstance(data, dict):
        raise UsageError("it is no JSON object", FORM)
    return data


def _question(data: dict[str, Any], default: Selection) -> tuple[str, Selection]:
    """The question of a line, and what it is put to. Raises UsageError."""
    if "question_id" not in data or not isinstance(data.get("question"), str):
        raise UsageError("it has no question_id or no question", FORM)
    papers, texts = data.get("papers") or [], data.get("texts") or []
    if not isinstance(papers, list) or not all(isinstance(paper, str) for paper in papers):
        raise UsageError("its papers are no list of ids", FORM)
    if not isinstance(texts, list) or not all(_is_text(text) for text in texts):
        raise UsageError("its texts are no list of texts with titles", FORM)
    if len(papers) + len(texts) > _MOST_TEXTS:
        raise UsageError(f"it names more than {_MOST_TEXTS:,} texts", FORM)
    given_texts = tuple(GivenText(text.get("title") or "", text["text"]) for text in texts)
    own = Selection(PaperSet(tuple(papers)), texts=given_texts)
    return checked_question(data["question"]), own if papers or texts else default


def _is_text(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("text"), str) and isinstance(value.get("title") or "", str)
