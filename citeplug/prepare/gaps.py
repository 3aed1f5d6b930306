"""What prepared papers say to the questions that a draft's own contribution answers: something near it, or nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from citeplug.corpus.stores import Report, need_models, open_corpus
from citeplug.errors import CiteplugError, CorpusEmpty, NotSent
from citeplug.prepare.asking import unreadable
from citeplug.prepare.draft_questions import questions_of_draft
from citeplug.prepare.gap_comparison import PreparedPapers, read_prepared_papers
from citeplug.prepare.gap_findings import about, no_questions
from citeplug.prepare.gap_judgement import Judged, judge_questions, questions_by_model
from citeplug.prepare.store import open_prepared
from citeplug.project.any_draft import read_any_draft, root_of
from citeplug.protocols import LanguageModel
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.gaps import Compared, Difference, DraftQuestion, Gaps
from citeplug.settings.environment import Settings

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
                "no paper is prepared on this machine, so that the draft can be compared with none",
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
    findings = list(about(compared, done.differences, papers.looked_through))
    if not questions:
        findings.append(no_questions(draft, by_model=model is not None))
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
