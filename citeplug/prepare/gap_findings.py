"""Findings on a draft that was compared with prepared papers; each says what was found, and none is a verdict."""

from collections.abc import Iterator, Sequence

from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.gaps import Compared, Difference, LookedThrough, Statement
from citeplug.records.paper import shown_id
from citeplug.text.language import language_of

_FEW = 20  # papers; nothing near among fewer says little
_COMPARE = "read the two side by side, and say in the draft what is new beside it"


def about(
    compared: Sequence[Compared], differences: Sequence[Difference] | None, looked: LookedThrough
) -> Iterator[Finding]:
    """A finding on each question, and on each difference of two papers; all `info`."""
    for item in compared:
        question, first = item.asked, item.statements[0] if item.statements else item.nearest
        place = question.file, question.line
        if item.status in ("near", "answered") and first is not None:
            code, message = "near_statement", f"near to “{question.said}”"
            if item.status == "answered":
                code = "answered_already"
                message = f"by the model's reading, “{question.question}” is answered already"
            yield Finding(code, "info", f"{message}: {_stated(first)}{_more(item)}", *place, fix=_COMPARE)
        elif item.status in ("nothing_near", "unanswered"):
            nearest = f"; the nearest: {_stated(first)}" if first is not None else ""
            message = f"by the model's reading, none of {looked_through(looked)} answers “{question.question}”{nearest}"
            if item.status == "nothing_near":
                searched = "by comparison of sentences, nothing near to"
                message = f"{searched} “{question.said}” was found in {looked_through(looked)}{nearest}"
            fix = "prepare more papers, if these are not all that could: citeplug prepare --shortlist MAIN.tex"
            yield Finding("nothing_answers", "info", message, *place, fix=fix)
    for difference in differences or ():
        message = (
            f"by the model's reading, two papers answer “{difference.question}” differently: {difference.how}"
            f" {_stated(difference.one)}; {_stated(difference.other)}"
        )
        yield Finding("answers_differ", "info", message, fix="read both passages before you rely on either")
    if compared and looked.papers < _FEW:
        message = f"the draft was compared with {looked_through(looked)} alone, which are all that are prepared here"
        yield Finding("too_few_prepared", "info", message, fix="prepare more with 'citeplug prepare'")


def no_questions(draft: Draft, *, by_model: bool) -> Finding:
    """The finding on a draft of which no question could be made."""
    language = language_of(draft)
    reason = "" if language == "English" else f"; it seems to be in {language}: without a model only English is read"
    where = "abstract, introduction and conclusion"
    message = f"no sentence that plainly states a contribution or a result was found in {where}{reason}"
    fix = "choose another model" if by_model else "let a model ask with --llm NAME"
    return Finding("no_contribution_stated", "info", message, draft.root, fix=fix)


def looked_through(looked: LookedThrough) -> str:
    """What the draft was compared with, in words: "60 prepared papers (3 in full text, 29 questions)"."""
    papers = "prepared paper" if looked.papers == 1 else "prepared papers"
    questions = "question" if looked.questions == 1 else "questions"
    return f"{looked.papers:,} {papers} ({looked.full_texts:,} in full text, {looked.questions:,} {questions})"


def _stated(statement: Statement) -> str:
    cited = "cited" if statement.cited else "not cited"
    year = f", {statement.published.year}" if statement.published is not None else ""
    return f"{shown_id(statement.paper)}{year} ({cited}) states “{statement.quote}”"


def _more(compared: Compared) -> str:
    others = [shown_id(statement.paper) for statement in compared.statements[1:]]
    return f"; see also {', '.join(others)}" if others else ""
