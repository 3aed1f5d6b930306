"""`citeplug evaluate`: runs measured on gold sets, and compared."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeplug.cli import options
from citeplug.cli.console import counted, print_json, print_json_line, progress, say, write_utf8
from citeplug.cli.evaluate_report import (
    arms_as_json,
    comparison_as_json,
    controls_as_json,
    evaluation_as_json,
    mine_as_json,
    show_comparison,
    show_controls,
    show_evaluation,
    show_mine,
    show_prepare,
)
from citeplug.cli.judging import Judging, judging
from citeplug.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeplug.evaluate.evaluate_run import Evaluation
    from citeplug.evaluate.graph_controls import Control
    from citeplug.evaluate.scores import Kind, MeasureSettings

_KINDS: tuple["Kind", ...] = ("retrieval", "ranking", "section", "answers", "prepare")
_CUTS = (20, 50, 100)

_run = click.option(
    "--run", required=True, type=click.Path(path_type=Path), help="The run: JSON Lines, a query a line."
)
_cuts = click.option(
    "-k", "cuts", type=click.IntRange(1, 10_000), multiple=True, help="Where results are cut. [default: 20, 50 and 100]"
)
_as_published = click.option(
    "--as-published", is_flag=True, help="Measures in the form that gave the published numbers, slips included."
)


@click.group()
def evaluate() -> None:
    """Measure what citeplug, or another system, finds and writes, as the published systems were measured."""


@evaluate.command(epilog="Example: citeplug evaluate inputs --gold gold.jsonl > queries.jsonl")
@options.gold
def inputs(gold: Path) -> None:
    """Print the queries of a gold set without their answers, for 'citeplug search --queries' or another system.

    Each line has an inputs_digest; a run that keeps it cannot be measured on another set.
    """
    from citeplug.evaluate.evaluate_run import gold_inputs

    for query in gold_inputs(gold):
        print_json_line(query)


@evaluate.command(epilog="Example: citeplug evaluate split held --gold gold.jsonl > held.jsonl")
@click.argument("half", type=click.Choice(["tuning", "held"]))
@options.gold
def split(half: str, gold: Path) -> None:
    """Print the half of a gold set that settings may be chosen on, or the one that is held back.

    The hashes of the queries' ids decide: a query is of the same half in every set.
    """
    from citeplug.evaluate.evaluate_run import gold_half

    for line in gold_half(gold, held=half == "held"):
        write_utf8(line.decode("utf-8").rstrip() + "\n")


def _measure(
    kind: "Kind",
    gold: Path,
    run: Path,
    judged_by: Judging,
    as_published: bool,
    as_json: bool,
    cuts: tuple[int, ...] = (),
) -> None:
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.evaluate.evaluate_run import evaluate_run

    made = _settings(cuts, as_published)
    done = evaluate_run(settings_of(offline=True), kind, gold, run, made, judged=bool(judged_by.judges))
    controls = _controls(gold, [done], made, judged_by.level, as_json)
    judged = judged_by.of(kind, gold, [run], cut=made.cuts[0], as_published=as_published, as_json=as_json)
    if as_json:
        more = {**controls_as_json(controls), **judged_by.as_json(judged)}
        print_json({"as_published": as_published, **evaluation_as_json(done), **more})
    else:
        show_evaluation(done)
        show_controls(controls)
        judged_by.show(judged)


def _controls(
    gold: Path, runs: "Sequence[Evaluation]", made: "MeasureSettings", level: int, as_json: bool
) -> "list[Control] | None":
    """The controls of those of the runs that are results and were found by citations."""
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.evaluate.graph_controls import graph_controls

    found = [run for run in runs if run.kind == "retrieval"]
    with progress(level, as_json) as reporter:
        return graph_controls(settings_of(offline=True), gold, found, made, reporter.update)


@evaluate.command(epilog="Example: citeplug evaluate retrieval --gold gold.jsonl --run run.jsonl -k 20")
@options.gold
@_run
@_cuts
@_as_published
@judging("retrieval")
@options.as_json
def retrieval(
    gold: Path, run: Path, cuts: tuple[int, ...], as_published: bool, judged_by: Judging, as_json: bool
) -> None:
    """Measure which of the cited papers were found: precision@k, recall@k, coverage (LitLLM).

    Judges rate the first results, as far as the smallest -k.
    """
    _measure("retrieval", gold, run, judged_by, as_published, as_json, cuts)


@evaluate.command(epilog="Example: citeplug evaluate ranking --gold gold.jsonl --run run.jsonl -k 20 -k 40")
@options.gold
@_run
@_cuts
@_as_published
@judging("ranking")
@options.as_json
def ranking(
    gold: Path, run: Path, cuts: tuple[int, ...], as_published: bool, judged_by: Judging, as_json: bool
) -> None:
    """Measure an order of candidates: precision@k, normalised recall@k, error modes of permutations (LitLLM).

    Judges rate the first results, as far as the smallest -k.
    """
    _measure("ranking", gold, run, judged_by, as_published, as_json, cuts)


@evaluate.command(epilog="Example: citeplug evaluate section --gold gold.jsonl --run sections.jsonl --judge anthropic")
@options.gold
@_run
@_as_published
@judging("section")
@options.as_json
def section(gold: Path, run: Path, as_published: bool, judged_by: Judging, as_json: bool) -> None:
    """Measure related-work sections: what they cite, how they follow a plan, quotations, ROUGE.

    Judges, each in both orders: relevance of each cited abstract and quality of the section (Citegeist); relevance
    rate, organisation beside the real section and nuggets (DeepScholar-Bench); entailment of each sentence by what it
    cites, for citation precision, ALCE and claim coverage. Nothing is sent without --judge. Answers are kept: after an
    interruption the same command goes on.
    """
    _measure("section", gold, run, judged_by, as_published, as_json)


@evaluate.command(epilog="Example: citeplug evaluate answers --gold questions.jsonl --run answers.jsonl")
@options.gold
@_run
@_as_published
@judging("answers")
@options.as_json
def answers(gold: Path, run: Path, as_published: bool, judged_by: Judging, as_json: bool) -> None:
    """Measure answers to questions: refusals, citations, and by judges accuracy (TruthReader, ALCE)."""
    _measure("answers", gold, run, judged_by, as_published, as_json)


@evaluate.command(epilog="Example: citeplug evaluate prepare --gold q.jsonl --run chunks.jsonl --run questions.jsonl")
@options.gold
@click.option(
    "--run",
    "runs",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path),
    help="An arm: JSON Lines, a query a line; repeat it for each.",
)
@click.option("-k", "cuts", type=click.IntRange(1, 10_000), multiple=True, help="Where results are cut. [default: 10]")
@_as_published
@judging("prepare")
@options.as_json
def prepare(
    gold: Path,
    runs: tuple[Path, ...],
    cuts: tuple[int, ...],
    as_published: bool,
    judged_by: Judging,
    as_json: bool,
) -> None:
    """Compare arms that answer from what they retrieved: recall, and by judges six metrics (Meta Knowledge).

    The intervals are of each arm minus the first. 'python -m benchmarks.prepared_arms' makes the four of the paper.
    """
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.evaluate.evaluate_run import evaluate_run

    if len(set(runs)) < len(runs):
        raise UsageError("a run is named twice", "name each run once")
    chosen, made, sure = settings_of(offline=True), _settings(cuts or (10,), as_published), bool(judged_by.judges)
    done = [evaluate_run(chosen, "prepare", gold, each, made, judged=sure) for each in runs]
    judged = judged_by.of("prepare", gold, runs, cut=made.cuts[0], as_published=as_published, as_json=as_json)
    if as_json:
        print_json({"as_published": as_published, **arms_as_json(done), **judged_by.as_json(judged)})
    else:
        show_prepare(done)
        judged_by.show(judged)


@evaluate.command(epilog="Example: citeplug evaluate compare a.jsonl b.jsonl --gold gold.jsonl")
@click.argument("first", metavar="A", type=click.Path(path_type=Path))
@click.argument("second", metavar="B", type=click.Path(path_type=Path))
@options.gold
@click.option("--kind", type=click.Choice(_KINDS), default="retrieval", show_default=True, help="What the runs are.")
@_cuts
@click.option(
    "--resamples", type=click.IntRange(100, 1_000_000), default=10_000, show_default=True, help="Of the bootstrap."
)
@click.option("--seed", type=click.IntRange(0), default=2025, show_default=True, help="Of the bootstrap.")
@_as_published
@options.as_json
@options.verbosity
def compare(
    first: Path,
    second: Path,
    gold: Path,
    kind: "Kind",
    cuts: tuple[int, ...],
    resamples: int,
    seed: int,
    as_published: bool,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Compare two runs: B minus A with 95 % intervals, by paired bootstrap, for all queries and for each source.

    A run of 'citeplug search --deep' is compared with a search without citations and one by popularity, too.
    """
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.evaluate.evaluate_run import compare_runs

    made = _settings(cuts, as_published)
    chosen = settings_of(offline=True)
    done = compare_runs(chosen, kind, gold, first, second, made, resamples=resamples, seed=seed)
    controls = _controls(gold, [done.first, done.second], made, verbose - quiet, as_json)
    if as_json:
        drawn = {"resamples": resamples, "seed": seed}
        shown = {**comparison_as_json(done), **controls_as_json(controls)}
        print_json({"as_published": as_published, **drawn, **shown})
    else:
        show_comparison(done)
        show_controls(controls)


@evaluate.command(epilog="Example: citeplug evaluate rolling --month 2508 > gold.jsonl")
@click.option("--month", required=True, metavar="YYMM", help="The month of the papers, as arXiv's ids have it.")
@click.option("--most", type=click.IntRange(1), default=500, show_default=True, help="Maximum number of papers.")
@click.option(
    "--least", type=click.IntRange(1), default=1, show_default=True, help="Only papers that cite as many, or more."
)
@options.verbosity
def rolling(month: str, most: int, least: int, verbose: int, quiet: int) -> None:
    """Print a gold set: papers of a month in your catalogue, and what they cite that was published before.

    The citations are those of 'citeplug graph'. Nothing is sent anywhere.
    """
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.evaluate.rolling_gold import make_rolling_gold

    done = make_rolling_gold(settings_of(offline=True), month, most, least)
    for line in done.lines:
        print_json_line(line)
    if verbose >= quiet:
        known = f"of {counted(done.posted, 'paper', 'papers')} of the month {done.listed:,} have a known list"
        say(f"{known}; {counted(len(done.lines), 'query', 'queries')}", err=True)


@evaluate.command(epilog="Example: citeplug evaluate mine ~/papers")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@_cuts
@options.as_json
@options.verbosity
def mine(folder: Path, cuts: tuple[int, ...], as_json: bool, verbose: int, quiet: int) -> None:
    """Try the search on your own earlier papers: what of the papers that you cited would it have found?

    Each LaTeX document below DIR with title, abstract and citations is asked, with what in your catalogue was published
    before it; the paper itself is hidden. Nothing is sent anywhere.
    """
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.evaluate.evaluate_mine import evaluate_mine

    level = verbose - quiet
    with progress(level, as_json) as reporter:
        done = evaluate_mine(settings_of(offline=True), folder, tuple(sorted(set(cuts))) or _CUTS, reporter.update)
    if as_json:
        print_json(mine_as_json(done))
    else:
        show_mine(done, level)


def _settings(cuts: tuple[int, ...], as_published: bool) -> "MeasureSettings":
    from citeplug.evaluate.scores import MeasureSettings

    return MeasureSettings(tuple(sorted(set(cuts))) or _CUTS, as_published)
