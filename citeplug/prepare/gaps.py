"""What prepared papers say to the questions that a draft's own contribution answers: something near it, or nothing."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from citeplug.corpus.stores import Report, need_models, open_corpus
from citeplug.errors import CiteplugError, CorpusEmpty, NotSent
from citeplug.prepare.asking import unreadable
from citeplug.prepare.gap_comparison import PreparedPapers, read_prepared_papers
from citeplug.prepare.gap_judgement import Judged, judge_questions, questions_by_model
from citeplug.prepare.statements import questions_of_draft
from citeplug.prepare.store import open_prepared
from citeplug.project.any_draft import read_any_draft, root_of
from citeplug.protocols import LanguageModel
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.gaps import Compared, Difference, DraftQuestion, Gaps, LookedThrough, Statement
from citeplug.records.paper import shown_id
from citeplug.settings.environment import Settings
from citeplug.text.language import language_of

_FEW = 20  # papers; nothing near among fewer says little
_COMPARE = "read the two side by side, and say in the draft what is new beside it"
_UNREADABLE = "an answer of the model could not be read"


@dataclass(slots=True)
class _ByModel:
    """What a model added: `differences`, None until it compared papers; `dropped` by reason; what ended its asking."""

    differences: tuple[Difference, ...] | None = None
    dropped: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    trouble: CiteplugError | None = None


def find_gaps(main: Path, settings: Settings, report: Report, model: LanguageModel | None = None) -> Gaps:
    """Compare what a draft contributes with all prepared papers, those with the draft's own title left out.

    Without a model, its sentences are compared with what the papers state. A `model` asks the questions and judges the
    papers nearest to each; where it fails, what needs no model is done; a rehearsal lists what would be asked of these
    questions that need no model. Nothing is written but vectors.

    Raises CorpusEmpty if nothing is prepared, UnreadableInput for the draft, ModelUnavailable without an embedder.
    """
    root = root_of(main)
    draft = read_any_draft(root)
    need_models(settings)
    done = _ByModel()
    with open_prepared(settings.home) as store, open_corpus(settings) as corpus:
        papers = read_prepared_papers(store, corpus, draft, settings) if store is not None else None
        if papers is None or not papers.papers:
            raise CorpusEmpty(
                "no papers are prepared on this machine, so there is nothing to compare the draft with",
                f"prepare some first: citeplug prepare --shortlist {main}",
            )
        questions = _questions(draft, model, done)
        compared: list[Compared] = []
        for number, question in enumerate(questions):
            report("compare statements", number, len(questions))
            compared.append(papers.compare(question))
        if model is not None and (done.trouble is None or isinstance(done.trouble, NotSent)) and questions:
            report("judge", 0, None)
            compared = _judge(compared, papers, model, done)
    findings = list(_findings(compared, done.differences, papers.looked_through))
    if not questions:
        findings.append(_no_questions(draft, by_model=model is not None))
    return Gaps(
        root,
        papers.looked_through,
        tuple(compared),
        done.differences,
        dict(done.dropped),
        (*findings, *done.findings),
        done.trouble,
    )


def _questions(draft: Draft, model: LanguageModel | None, done: _ByModel) -> Sequence[DraftQuestion]:
    """The questions that the draft answers: by the model, else from what it states."""
    if model is None:
        return questions_of_draft(draft)
    answer = questions_by_model(draft, model)
    if isinstance(answer, tuple):
        questions, dropped = answer
        done.dropped.update(dropped)
        return questions
    if answer is None:
        done.findings.append(
            unreadable(
                "an answer of the model could not be read: the questions about the draft are those that need no model"
            )
        )
    else:
        done.trouble = answer
        if not isinstance(answer, NotSent):
            done.findings.append(model_unavailable(answer, "only what needs no model was done"))
    return questions_of_draft(draft)


def _judge(
    compared: Sequence[Compared], papers: PreparedPapers, model: LanguageModel, done: _ByModel
) -> list[Compared]:
    """What the model judges of each question; where it does not, what was found without it."""
    judgements = judge_questions([(item.asked, papers.shown(item.asked)) for item in compared], model)
    differences: list[Difference] = []
    results: list[Compared] = []
    for item, judgement in zip(compared, judgements, strict=True):
        if isinstance(judgement, Judged):
            done.dropped.update(judgement.dropped)
            results.append(_by_judgement(item, judgement, papers))
            differences += (
                Difference(item.asked.question, how, papers.statement(one), papers.statement(other))
                for how, one, other in judgement.differences
            )
        else:
            results.append(item)
            done.trouble = done.trouble or judgement
    if done.trouble is not None and not isinstance(done.trouble, NotSent):
        done.findings.append(model_unavailable(done.trouble, "what it did not judge was compared without it"))
    if without := judgements.count(None):
        done.findings.append(unreadable(f"{_UNREADABLE}: of {without} questions there is what needs no model"))
    if any(isinstance(judgement, Judged) for judgement in judgements):
        done.differences = tuple(differences)
    return results


def _by_judgement(item: Compared, judged: Judged, papers: PreparedPapers) -> Compared:
    if judged.answers:
        statements = tuple(papers.statement(quoted) for quoted in judged.answers)
        return Compared(item.asked, "answered", statements)
    nearest = item.statements[0] if item.statements else item.nearest
    # An answer that was refused is no sign that there is none.
    return Compared(item.asked, "not_compared" if judged.refused else "unanswered", (), nearest)


def _findings(
    compared: Sequence[Compared], differences: Sequence[Difference] | None, looked: LookedThrough
) -> Iterator[Finding]:
    """A finding on each question, and on each difference of two papers; all `info`."""
    for item in compared:
        question, first = item.asked, item.statements[0] if item.statements else item.nearest
        place = question.file, question.line
        if item.status in ("near", "answered") and first is not None:
            code = "near_statement"
            message = f"near to “{question.said}”"
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
        message = f"the draft was compared only with {looked_through(looked)}, which are all that are prepared here"
        yield Finding("too_few_prepared", "info", message, fix="prepare more with 'citeplug prepare'")


def _no_questions(draft: Draft, *, by_model: bool) -> Finding:
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
