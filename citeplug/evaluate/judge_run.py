"""Judging of runs by language models: only by those that are named, within one budget, what was answered kept."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from citeplug.corpus.stores import Report
from citeplug.errors import BudgetReached, CiteplugError, NotSent, UnreadableInput, UsageError
from citeplug.evaluate.evaluate_run import known_texts, numbered_lines
from citeplug.evaluate.gold import Gold, read_gold
from citeplug.evaluate.judge.published import (
    ask_correctness,
    ask_entailment,
    ask_nuggets,
    ask_organisation,
    ask_preference,
    ask_quality,
    ask_rating,
    ask_relevance,
    ask_relevance_rate,
)
from citeplug.evaluate.judge.question import JudgeQuestion, Measure, Verdict, verdicts_of
from citeplug.evaluate.judge.scores import (
    Agreement,
    JudgedRun,
    agreement_of_judges,
    agreement_with_itself,
    judged_scores,
)
from citeplug.evaluate.measures.citations import CitedSentence
from citeplug.evaluate.runs import RunLine, read_run
from citeplug.evaluate.scores import Kind, Scored
from citeplug.llm.chosen_model import Notice, Wanted, language_model
from citeplug.llm.dry_run import Rehearsal
from citeplug.llm.guarded import CarefulModel
from citeplug.protocols import LanguageModel, ask_all
from citeplug.settings.environment import Settings as Environment

_AT_ONCE = 32  # questions between two reports, and all that is lost where a run is killed


@dataclass(frozen=True, slots=True)
class JudgeSpending:
    """Use of one judge. `kept` answers of earlier runs cost nothing; `cost` is in US dollars, None: not known."""

    model: str
    requests: int
    kept: int
    tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class JudgedRuns:
    """Scores of a run by judges, or of two beside each other.

    `without_text` counts cited papers that were not judged since no abstract of them is known.
    """

    scores: tuple[Scored, ...]
    itself: tuple[Agreement, ...]
    judges: tuple[Agreement, ...]
    verdicts: tuple[Verdict, ...]
    without_text: int
    spent: tuple[JudgeSpending, ...]
    rehearsals: tuple[Rehearsal, ...] = ()


def judge_runs(
    environment: Environment,
    kind: Kind,
    gold_file: Path,
    run_files: Sequence[Path],
    measures: Sequence[Measure],
    judges: Sequence[Wanted],
    announce: Callable[[Notice], None],
    report: Report,
    *,
    cut: int,
    as_published: bool,
) -> JudgedRuns:
    """Judge a run by `measures`, or which of two is preferred.

    Of results the first `cut` are judged. Raises UnreadableInput as `evaluate_run` and where nothing can be judged,
    UsageError for a judge that is no model, and what a judge that fails raises: answers before that are kept, and cost
    nothing the next time.
    """
    gold = read_gold(*numbered_lines(gold_file))
    runs = [read_run(*numbered_lines(file), gold) for file in run_files]
    first, *others = runs
    one = {} if others else {query: _citing(line, kind, cut) for query, line in first.items()}
    texts = _texts(environment, gold, one)
    if others:
        questions = [asked for query in gold for asked in ask_preference(query, *(run[query.query_id] for run in runs))]
    else:
        questions = _questions(gold, one, texts, measures, as_published=as_published)
    if not questions:
        raise UnreadableInput(
            f"nothing of {', '.join(map(str, run_files))} can be judged by {gold_file}",
            "the documentation's page on evaluation says what judges need",
        )
    verdicts: list[Verdict] = []
    spent: list[JudgeSpending] = []
    rehearsals: list[Rehearsal] = []
    for judge in judges:
        with language_model(_within(judge, spent), environment, announce) as model:
            if model is None:
                raise UsageError("a judge is a language model, and 'none' is named", "name one with --judge")
            if model.name in {verdict.model for verdict in verdicts}:
                raise UsageError(f"{model.name} is named twice", "name each judge once: it would agree with itself")
            verdicts += _ask(questions, model, report)
            if isinstance(model, Rehearsal):
                rehearsals.append(model)
            else:
                spent.append(_spent(model))
    scores = tuple(judged_scores(verdicts, JudgedRun(gold, one, texts, as_published)))
    return JudgedRuns(
        scores,
        tuple(agreement_with_itself(verdicts)),
        tuple(agreement_of_judges(verdicts)),
        tuple(verdicts),
        sum(not texts[query].get(cited) for query, line in one.items() for cited in line.cited),
        tuple(spent),
        tuple(rehearsals),
    )


def _citing(line: RunLine, kind: Kind, cut: int) -> RunLine:
    """The line; of results as if they were what it cites."""
    if kind not in ("retrieval", "ranking"):
        return line
    return replace(line, sentences=(CitedSentence("", tuple(dict.fromkeys(line.results))[:cut]),))


def _questions(
    gold: Sequence[Gold],
    run: Mapping[str, RunLine],
    texts: Mapping[str, Mapping[str, str]],
    measures: Sequence[Measure],
    *,
    as_published: bool,
) -> list[JudgeQuestion]:
    questions: list[JudgeQuestion] = []
    for query in gold:
        line, known = run[query.query_id], texts[query.query_id]
        by_measure = {
            "relevance": ask_relevance(query, line, known, as_published=as_published),
            "relevance-rate": ask_relevance_rate(query, line, known, as_published=as_published),
            "quality": ask_quality(query, line, as_published=as_published),
            "rating": ask_rating(query, line, as_published=as_published),
            "organisation": ask_organisation(query, line, as_published=as_published),
            "nuggets": ask_nuggets(query, line, as_published=as_published),
            "entailment": ask_entailment(query, line, known, as_published=as_published),
            "correctness": ask_correctness(query, line, as_published=as_published),
        }
        questions += [
            question
            for measure, asked_of_measure in by_measure.items()
            if measure in measures
            for question in asked_of_measure
        ]
    return questions


def _texts(environment: Environment, gold: Sequence[Gold], run: Mapping[str, RunLine]) -> dict[str, Mapping[str, str]]:
    """Of each query the texts by id that the gold set gives, and the abstracts of the catalogue."""
    known = known_texts(environment, gold, run)
    return {query.query_id: {**(known.abstracts if known else {}), **query.texts} for query in gold}


def _ask(questions: Sequence[JudgeQuestion], model: LanguageModel, report: Report) -> Iterator[Verdict]:
    """Raise the first error of a judge once what came with it is kept."""
    for start in range(0, len(questions), _AT_ONCE):
        report(f"judged by {model.name}", start, len(questions))
        some = questions[start : start + _AT_ONCE]
        replies = ask_all(model, [question.request for question in some])
        errors = [reply for reply in replies if isinstance(reply, CiteplugError) and not isinstance(reply, NotSent)]
        if errors:
            advice = "what was answered is kept: the same command goes on from there"
            errors[0].hint = f"{errors[0].hint}; {advice}" if errors[0].hint else advice
            raise errors[0]
        for question, reply in zip(some, replies, strict=True):
            if not isinstance(reply, CiteplugError):
                yield from verdicts_of(question, reply, model.name)


def _within(wanted: Wanted, spent: Sequence[JudgeSpending]) -> Wanted:
    """The choice with what the judges before it have left of the budget."""
    cost, tokens = wanted.max_cost, wanted.max_tokens
    cost = None if cost is None else cost - sum(spending.cost or 0.0 for spending in spent)
    tokens = None if tokens is None else tokens - sum(spending.tokens for spending in spent)
    if (cost is not None and cost <= 0) or (tokens is not None and tokens <= 0):
        raise BudgetReached("the budget is used up before the last judge", "raise it; what was answered is kept")
    return replace(wanted, max_cost=cost, max_tokens=tokens)


def _spent(model: CarefulModel) -> JudgeSpending:
    from_cache = sum(spent.kept for spent in model.spent.values())
    tokens = sum(spent.tokens_in + spent.tokens_out for spent in model.spent.values())
    return JudgeSpending(model.name, model.requests_made, from_cache, tokens, model.cost if model.priced else None)
