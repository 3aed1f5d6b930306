"""Questions of a file, each to its own papers or texts, answered one after the other."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from citeplug.ask.answer_question import answer_question
from citeplug.ask.refusal import refuse
from citeplug.ask.run import AskedTexts, AskStores, GivenText, Wanted, checked_question, open_stores, take_texts
from citeplug.corpus.stores import Report
from citeplug.errors import CorpusEmpty, UnreadableInput, UsageError
from citeplug.files.json_lines import JsonLines, read_json
from citeplug.protocols import LanguageModel
from citeplug.records.answer import Answer
from citeplug.records.finding import Finding
from citeplug.related.paper_sets import PaperSet
from citeplug.settings.environment import Settings

_MOST_TEXTS = 1_000  # of a question
FORM = 'a line is {"question_id": ..., "question": "...", "papers": [ID, ...] or "texts": [{"title": "", "text": ""}]}'


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the file; its `question_id` is given back as it is."""

    question_id: Any
    question: str
    wanted: Wanted


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is not answered, and why; `question_id` as far as it could be read."""

    number: int
    question_id: Any
    why: str


def answer_file(
    file: Path, otherwise: Wanted, chosen: Settings, report: Report, model: LanguageModel | None = None
) -> Iterator[tuple[Any, Answer] | BadLine]:
    """The answers in the order of the lines. Lines that name no papers and no texts ask `otherwise`. `model`
    writes the answers.

    Raises UnreadableInput if the file cannot be read, ModelUnavailable.
    """
    lines = JsonLines(file)
    with open_stores(chosen) as stores:
        kept: dict[Wanted, AskedTexts] = {}  # of the command line: the same for many lines
        for number, line in lines.lines():
            question_id: Any = None
            try:
                said = _object(line)
                question_id = said.get("question_id")
                asked = _asked(said, otherwise)
                yield asked.question_id, _answer(asked, otherwise, kept, stores, report, model)
            except (UsageError, UnreadableInput) as error:
                yield BadLine(number, question_id, f"{error}; {error.hint}" if error.hint else str(error))
    if lines.skipped:
        yield BadLine(0, None, f"{lines.skipped:,} lines of {file} are too long")
    if lines.truncated:
        yield BadLine(0, None, lines.truncated)


def _answer(
    asked: Asked,
    otherwise: Wanted,
    kept: dict[Wanted, AskedTexts],
    stores: AskStores,
    report: Report,
    model: LanguageModel | None,
) -> Answer:
    """The answer, with findings on texts that were not asked; a refusal if none was."""
    question = checked_question(asked.question)
    try:
        texts = kept.get(asked.wanted) or take_texts(asked.wanted, stores, report)
    except CorpusEmpty as error:
        finding = Finding("full_text_missing", "warning", str(error), fix=error.hint)
        return refuse(question, (), (), findings=[finding])
    if asked.wanted == otherwise:
        kept[otherwise] = texts
    answer = answer_question(texts, question, model=model)
    return replace(answer, findings=(*texts.findings, *answer.findings))


def _object(line: bytes) -> dict[str, Any]:
    try:
        said = read_json(line)
    except ValueError as error:
        raise UsageError(f"it is not JSON: {str(error)[:200]}", FORM) from None
    if not isinstance(said, dict):
        raise UsageError("it is no JSON object", FORM)
    return said


def _asked(said: dict[str, Any], otherwise: Wanted) -> Asked:
    if "question_id" not in said or not isinstance(said.get("question"), str):
        raise UsageError("it has no question_id or no question", FORM)
    papers, texts = said.get("papers") or [], said.get("texts") or []
    if not isinstance(papers, list) or not all(isinstance(each, str) for each in papers):
        raise UsageError("its papers are no list of ids", FORM)
    if not isinstance(texts, list) or not all(_is_text(each) for each in texts):
        raise UsageError("its texts are no list of texts with titles", FORM)
    if len(papers) + len(texts) > _MOST_TEXTS:
        raise UsageError(f"it names more than {_MOST_TEXTS:,} texts", FORM)
    given = tuple(GivenText(each.get("title") or "", each["text"]) for each in texts)
    named = Wanted(PaperSet(tuple(papers)), texts=given, augment=otherwise.augment)
    wanted = named if papers or texts else otherwise
    return Asked(said["question_id"], said["question"], wanted)


def _is_text(said: Any) -> bool:
    return isinstance(said, dict) and isinstance(said.get("text"), str) and isinstance(said.get("title") or "", str)
