"""`citeplug evaluate`: runs measured on gold sets, and compared."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from citeplug.cli.console import counted, print_json, print_json_line, say, write_utf8
from citeplug.cli.evaluate_report import (
    comparison_as_json,
    evaluation_as_json,
    mine_as_json,
    show_comparison,
    show_evaluation,
    show_mine,
)
from citeplug.cli.help_groups import WholeGroup
from citeplug.cli.judging import Judged, measure_option
from citeplug.cli.options import Output, Params, Verbosity
from citeplug.cli.parameters import argument, command, option, parameters

if TYPE_CHECKING:
    from citeplug.evaluate.scores import Kind, MeasureSettings

_CUTS = (20, 50, 100)


@click.group(cls=WholeGroup)
def evaluate() -> None:
    """Measure what citeplug or another system finds and writes."""


@parameters
class GoldSet(Params):
    gold: Path = option("The gold set: JSON Lines, one query per line (also .gz, .zip, .zst).", required=True)


@parameters
class Cuts(Params):
    cuts: tuple[int, ...] = option(
        "Number of first results that count. [default: 20, 50 and 100]", "-k", between=(1, 10_000)
    )


@parameters
class AsPublished(Params):
    as_published: bool = option("Compute the measures exactly as published, including their errors.")

    def measured(self, cuts: tuple[int, ...] = ()) -> "MeasureSettings":
        from citeplug.evaluate.scores import MeasureSettings

        return MeasureSettings(tuple(sorted(set(cuts))) or _CUTS, self.as_published)


@parameters
class RunParams(GoldSet, AsPublished, Judged):
    """A run that is measured on a gold set."""

    run: Path = option("The run: JSON Lines, one query per line.", required=True)


@command("Example: citeplug evaluate inputs --gold gold.jsonl > queries.jsonl", group=evaluate)
def inputs(params: GoldSet) -> None:
    """Print the queries of a gold set without their answers, for 'citeplug search --queries' or another system.

    Each line has an inputs_digest; a run that keeps it cannot be measured on another set.
    """
    from citeplug.evaluate.evaluate_run import gold_inputs

    for query in gold_inputs(params.gold):
        print_json_line(query)


@parameters
class SplitParams(GoldSet):
    half: Literal["tuning", "held"] = argument()


@command("Example: citeplug evaluate split held --gold gold.jsonl > held.jsonl", group=evaluate)
def split(params: SplitParams) -> None:
    """Print the half of a gold set that settings may be chosen on, or the one that is held back.

    The hashes of the queries' ids decide: a query is in the same half in every set.
    """
    from citeplug.evaluate.evaluate_run import gold_half

    for line in gold_half(params.gold, held=params.half == "held"):
        write_utf8(line.decode("utf-8").rstrip() + "\n")


def _measure(kind: "Kind", params: RunParams, cuts: tuple[int, ...] = ()) -> None:
    from citeplug.corpus.stores import settings
    from citeplug.evaluate.evaluate_run import evaluate_run

    measured = params.measured(cuts)
    done = evaluate_run(settings(offline=True), kind, params.gold, params.run, measured, judged=bool(params.judges))
    judged = params.judged(kind, params.gold, [params.run], cut=measured.cuts[0], as_published=params.as_published)
    if params.as_json:
        shown = {**evaluation_as_json(done), **params.judged_as_json(judged)}
        print_json({"as_published": params.as_published, **shown})
    else:
        show_evaluation(done)
        params.show_judged(judged)


@parameters
class RetrievalParams(Cuts, RunParams):
    measures: tuple[str, ...] = measure_option("retrieval")


@command("Example: citeplug evaluate retrieval --gold gold.jsonl --run run.jsonl -k 20", group=evaluate)
def retrieval(params: RetrievalParams) -> None:
    """Measure which of the cited papers were found: precision@k, recall@k, coverage (LitLLM).

    Judges rate the first results, up to the smallest -k.
    """
    _measure("retrieval", params, params.cuts)


@parameters
class RankingParams(Cuts, RunParams):
    measures: tuple[str, ...] = measure_option("ranking")


@command("Example: citeplug evaluate ranking --gold gold.jsonl --run run.jsonl -k 20 -k 40", group=evaluate)
def ranking(params: RankingParams) -> None:
    """Measure a ranking of candidates: precision@k, normalised recall@k, error modes of permutations (LitLLM).

    Judges rate the first results, up to the smallest -k.
    """
    _measure("ranking", params, params.cuts)


@parameters
class SectionParams(RunParams):
    measures: tuple[str, ...] = measure_option("section")


@command("Example: citeplug evaluate section --gold gold.jsonl --run sections.jsonl --judge anthropic", group=evaluate)
def section(params: SectionParams) -> None:
    """Measure related-work sections: what they cite, how they follow a plan, quotations, ROUGE.

    Judges, each in both orders: relevance of each cited abstract and quality of the section (Citegeist); its rating
    beside the real section (LitLLM); relevance rate, organisation beside the real section and nuggets
    (DeepScholar-Bench); entailment of each sentence by what it cites, for citation precision, ALCE and claim coverage.
    Nothing is sent without --judge. Answers are kept: after an interruption the same command continues.
    """
    _measure("section", params)


@parameters
class AnswersParams(RunParams):
    measures: tuple[str, ...] = measure_option("answers")


@command("Example: citeplug evaluate answers --gold questions.jsonl --run answers.jsonl", group=evaluate)
def answers(params: AnswersParams) -> None:
    """Measure answers to questions: refusals, citations and, by judges, accuracy (TruthReader, ALCE)."""
    _measure("answers", params)


@parameters
class CompareParams(GoldSet, Cuts, AsPublished, Judged):
    first: Path = argument("A")
    second: Path = argument("B")
    kind: Literal["retrieval", "ranking", "section", "answers"] = option("Kind of the runs.", default="retrieval")
    resamples: int = option("Number of bootstrap samples.", between=(100, 1_000_000), default=10_000)
    seed: int = option("Seed of the bootstrap.", between=(0, None), default=2025)


@command(
    "Example: citeplug evaluate compare a.jsonl b.jsonl --gold gold.jsonl",
    group=evaluate,
    not_shown=("resamples", "seed"),
)
def compare(params: CompareParams) -> None:
    """Compare two runs: B minus A with 95 % intervals, by paired bootstrap, for all queries and for each source.

    Judges say of each query whose section or answer they prefer, in both orders. Nothing is sent without --judge.
    """
    from citeplug.corpus.stores import settings
    from citeplug.evaluate.evaluate_run import compare_runs

    measured = params.measured(params.cuts)
    drawn = {"resamples": params.resamples, "seed": params.seed}
    files = (params.gold, params.first, params.second)
    done = compare_runs(
        settings(offline=True),
        params.kind,
        *files,
        measured,
        resamples=params.resamples,
        seed=params.seed,
        judged=bool(params.judges),
    )
    judged = params.judged(params.kind, params.gold, files[1:], cut=measured.cuts[0], as_published=params.as_published)
    if params.as_json:
        shown = {**comparison_as_json(done), **params.judged_as_json(judged)}
        print_json({"as_published": params.as_published, **drawn, **shown})
    else:
        show_comparison(done)
        params.show_judged(judged)


@parameters
class RollingParams(Verbosity):
    month: str = option("The month of the papers, as in arXiv's ids.", required=True, metavar="YYMM")
    most: int = option("Maximum number of papers.", between=(1, None), default=500)
    least: int = option("Only papers that cite at least this many.", between=(1, None), default=1)


@command("Example: citeplug evaluate rolling --month 2508 > gold.jsonl", group=evaluate)
def rolling(params: RollingParams) -> None:
    """Print a gold set: papers of a month in your catalogue, and what they cite that was published before.

    The citations are those of 'citeplug graph'. A paper whose full text you have fetched has its related work, too, as
    the section to compare with. Nothing is sent anywhere.
    """
    from citeplug.corpus.stores import settings
    from citeplug.evaluate.rolling_gold import make_rolling_gold

    done = make_rolling_gold(settings(offline=True), params.month, params.most, params.least)
    for line in done.lines:
        print_json_line(line)
    if params.verbose >= params.quiet:
        known = f"of {counted(done.posted, 'paper', 'papers')} of the month {done.listed:,} have a known list"
        say(f"{known}; {counted(len(done.lines), 'query', 'queries')}", err=True)


@parameters
class MineParams(Cuts, Output):
    folder: Path = argument("DIR")


@command("Example: citeplug evaluate mine ~/papers", group=evaluate)
def mine(params: MineParams) -> None:
    """Try the search on your own earlier papers: how many of the papers you cited would it have found?

    For each LaTeX document below DIR that has a title, an abstract and citations, it searches what your catalogue has
    from before that paper, without the paper itself. Nothing is sent anywhere.
    """
    from citeplug.corpus.stores import settings
    from citeplug.evaluate.evaluate_mine import evaluate_mine

    cuts = tuple(sorted(set(params.cuts))) or _CUTS
    with params.progress() as reporter:
        done = evaluate_mine(settings(offline=True), params.folder, cuts, reporter.update)
    if params.as_json:
        print_json(mine_as_json(done))
    else:
        show_mine(done, params.level)
