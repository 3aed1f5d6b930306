"""`citeplug evaluate`: runs measured on gold sets, and compared."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from citeplug.faces.cli import options
from citeplug.faces.cli.console import counted, print_json, say, write_utf8

if TYPE_CHECKING:
    from citeplug.evaluate.scores import Kind, Scored, Settings
    from citeplug.usecases.evaluate_run import Comparison, Evaluation

F = TypeVar("F", bound=Callable[..., Any])
_KINDS: tuple["Kind", ...] = ("retrieval", "ranking", "section", "answers")
_CUTS = (20, 50, 100)

_gold = click.option(
    "--gold",
    required=True,
    type=click.Path(path_type=Path),
    help="The gold set: JSON Lines, a query a line (also .gz, .zip, .zst).",
)
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
@_gold
def inputs(gold: Path) -> None:
    """Print the queries of a gold set without their answers, for 'citeplug search --queries' or another system.

    Each line has an inputs_digest; a run that keeps it cannot be measured on another set.
    """
    from citeplug.usecases.evaluate_run import gold_inputs

    for query in gold_inputs(gold):
        write_utf8(json.dumps(query, ensure_ascii=False) + "\n")


def _measure(kind: "Kind", gold: Path, run: Path, cuts: tuple[int, ...], as_published: bool, as_json: bool) -> None:
    from citeplug.usecases.evaluate_run import evaluate_run
    from citeplug.usecases.stores import settings as settings_of

    done = evaluate_run(settings_of(offline=True), kind, gold, run, _settings(cuts, as_published))
    if as_json:
        print_json({"as_published": as_published, **_as_json(done)})
    else:
        _show(done)


@evaluate.command(epilog="Example: citeplug evaluate retrieval --gold gold.jsonl --run run.jsonl -k 20")
@_gold
@_run
@_cuts
@_as_published
@options.as_json
def retrieval(gold: Path, run: Path, cuts: tuple[int, ...], as_published: bool, as_json: bool) -> None:
    """Measure which of the cited papers were found: precision@k, recall@k, coverage (LitLLM)."""
    _measure("retrieval", gold, run, cuts, as_published, as_json)


@evaluate.command(epilog="Example: citeplug evaluate ranking --gold gold.jsonl --run run.jsonl -k 20 -k 40")
@_gold
@_run
@_cuts
@_as_published
@options.as_json
def ranking(gold: Path, run: Path, cuts: tuple[int, ...], as_published: bool, as_json: bool) -> None:
    """Measure an order of candidates: precision@k, normalised recall@k, error modes of permutations (LitLLM)."""
    _measure("ranking", gold, run, cuts, as_published, as_json)


@evaluate.command(epilog="Example: citeplug evaluate section --gold gold.jsonl --run sections.jsonl --json")
@_gold
@_run
@_as_published
@options.as_json
def section(gold: Path, run: Path, as_published: bool, as_json: bool) -> None:
    """Measure related-work sections: what they cite, how they follow a plan, quotations, ROUGE, judged nuggets."""
    _measure("section", gold, run, (), as_published, as_json)


@evaluate.command(epilog="Example: citeplug evaluate answers --gold questions.jsonl --run answers.jsonl")
@_gold
@_run
@_as_published
@options.as_json
def answers(gold: Path, run: Path, as_published: bool, as_json: bool) -> None:
    """Measure answers to questions: accuracy, refusals, citations (TruthReader, ALCE)."""
    _measure("answers", gold, run, (), as_published, as_json)


@evaluate.command(epilog="Example: citeplug evaluate compare a.jsonl b.jsonl --gold gold.jsonl")
@click.argument("first", metavar="A", type=click.Path(path_type=Path))
@click.argument("second", metavar="B", type=click.Path(path_type=Path))
@_gold
@click.option("--kind", type=click.Choice(_KINDS), default="retrieval", show_default=True, help="What the runs are.")
@_cuts
@click.option(
    "--resamples", type=click.IntRange(100, 1_000_000), default=10_000, show_default=True, help="Of the bootstrap."
)
@click.option("--seed", type=click.IntRange(0), default=2025, show_default=True, help="Of the bootstrap.")
@_as_published
@options.as_json
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
) -> None:
    """Compare two runs: B minus A with 95 % intervals, by paired bootstrap, for all queries and for each source."""
    from citeplug.usecases.evaluate_run import compare_runs
    from citeplug.usecases.stores import settings as settings_of

    made = _settings(cuts, as_published)
    chosen = settings_of(offline=True)
    done = compare_runs(chosen, kind, gold, first, second, made, resamples=resamples, seed=seed)
    if as_json:
        print_json({"as_published": as_published, "resamples": resamples, "seed": seed, **_comparison_as_json(done)})
    else:
        _show_comparison(done)


def _settings(cuts: tuple[int, ...], as_published: bool) -> "Settings":
    from citeplug.evaluate.scores import Settings

    return Settings(tuple(sorted(set(cuts))) or _CUTS, as_published)


def _as_json(done: "Evaluation") -> dict[str, Any]:
    values: dict[str, dict[str, float]] = {}
    for measure in done.scores.measures:
        for query, value in measure.values.items():
            values.setdefault(query, {})[measure.name] = value
    return {
        "kind": done.kind,
        "gold": {"file": str(done.gold.path), "sha256": done.gold.sha256, "queries": done.queries},
        "run": {"file": str(done.run.path), "sha256": done.run.sha256, "without_digest": done.undigested},
        "empty": list(done.scores.empty),
        "sources": {source: _measures_as_json(measures) for source, measures in done.by_source.items()},
        "queries": [{"query_id": query, "values": given} for query, given in values.items()],
        "cost": done.cost,
        "versions": {name: list(given) for name, given in done.versions.items()},
    }


def _measures_as_json(measures: "Sequence[Scored]") -> list[dict[str, Any]]:
    return [{"name": each.name, "value": each.value, "queries": len(each.values)} for each in measures]


def _comparison_as_json(done: "Comparison") -> dict[str, Any]:
    return {
        "kind": done.first.kind,
        "gold": {"file": str(done.first.gold.path), "sha256": done.first.gold.sha256, "queries": done.first.queries},
        "runs": [{"file": str(each.run.path), "sha256": each.run.sha256} for each in (done.first, done.second)],
        "sources": {
            source: [{"name": name, **asdict(interval)} for name, interval in intervals.items()]
            for source, intervals in done.intervals.items()
        },
    }


def _show(done: "Evaluation") -> None:
    """Print a row for each measure, a column for all queries and one for each source."""
    sources = list(done.by_source) if len(done.by_source) > 2 else ["all"]
    found = {source: {each.name: each for each in measures} for source, measures in done.by_source.items()}
    widths = _show_heading("measure", [f"{source} ({_most(found[source])})" for source in sources])
    for measure in done.scores.measures:
        cells = [_cell(found[source], measure.name) for source in sources]
        say(f"{measure.name:30}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)))
    if done.cost is not None:
        say(f"cost: {done.cost:g}")
    for name, versions in done.versions.items():
        say(f"{name}: {', '.join(versions)}")
    _show_left_out(done)


def _show_comparison(done: "Comparison") -> None:
    say(f"B minus A, 95 % interval; * where it leaves out 0 (A: {done.first.run.path}, B: {done.second.run.path})")
    means = {
        source: [{each.name: each.value for each in run.by_source[source]} for run in (done.first, done.second)]
        for source in done.intervals
    }
    for source, intervals in done.intervals.items():
        queries = max(each.queries for each in intervals.values())
        say(f"\n{source}, {counted(queries, 'query', 'queries')}")
        say(f"{'measure':30}{'A':>9}{'B':>9}{'B - A':>9}   interval")
        for name, each in intervals.items():
            first, second = (values[name] for values in means[source])
            sure = " *" if each.low > 0 or each.high < 0 else ""
            fewer = f" ({each.queries})" if each.queries < queries else ""
            row = f"{name:30}{first:9.3f}{second:9.3f}{each.difference:+9.3f}   {each.low:+.3f} to {each.high:+.3f}"
            say(row + sure + fewer)
    _show_left_out(done.first)


def _show_heading(first: str, columns: Sequence[str]) -> list[int]:
    widths = [max(10, len(column) + 2) for column in columns]
    say(f"{first:30}" + "".join(f"{column:>{width}}" for column, width in zip(columns, widths, strict=True)))
    return widths


def _most(measures: "Mapping[str, Scored]") -> int:
    return max((len(each.values) for each in measures.values()), default=0)


def _cell(measures: "Mapping[str, Scored]", name: str) -> str:
    """The value, with the number of its queries where these are not all."""
    if name not in measures:
        return "-"
    scored = measures[name]
    fewer = f" ({len(scored.values)})" if len(scored.values) < _most(measures) else ""
    return f"{scored.value:.3f}{fewer}"


def _show_left_out(done: "Evaluation") -> None:
    if done.scores.empty:
        say(f"left out: {counted(len(done.scores.empty), 'query', 'queries')} with an empty gold set", err=True)
    if done.undigested:
        lines = counted(done.undigested, "line does", "lines do")
        say(f"warning: {lines} not say for which inputs they were made (inputs_digest)", err=True)


COMMANDS = (evaluate,)
