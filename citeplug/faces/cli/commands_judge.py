"""`citeplug evaluate judge`: what systems wrote, judged by language models."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeplug.errors import UsageError
from citeplug.faces.cli import options
from citeplug.faces.cli.console import counted, print_json, progress, say

if TYPE_CHECKING:
    from citeplug.evaluate.judge.agreement import Agreement
    from citeplug.evaluate.judge.question import Measure
    from citeplug.usecases.judge_run import JudgedRuns

_MEASURES: tuple["Measure", ...] = (
    "relevance",
    "relevance-rate",
    "quality",
    "organisation",
    "nuggets",
    "entailment",
    "correctness",
)


@click.command(epilog="Example: citeplug evaluate judge --gold gold.jsonl --run sections.jsonl --llm openai:qwen3")
@options.gold
@click.option(
    "--run",
    "runs",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path),
    help="One run; or several of answers, which are compared.",
)
@click.option(
    "--measure",
    "measures",
    type=click.Choice(_MEASURES),
    multiple=True,
    help="Of one run. [default: all that run and gold set have something for]",
)
@click.option(
    "--llm",
    "judges",
    multiple=True,
    metavar="NAME",
    help="A judge: SERVICE or SERVICE:MODEL, as anthropic or openai:gpt-4o; give it twice for two judges.",
)
@click.option("--max-cost", type=click.FloatRange(0, 1_000_000, min_open=True), help="US dollars, of all judges.")
@click.option("--max-tokens", type=click.IntRange(1), help="Tokens read and written, by all judges.")
@click.option("--dry-run", is_flag=True, help="Show what would be sent, and send nothing.")
@click.option("--as-published", is_flag=True, help="One order alone, where the publication has one.")
@options.as_json
@options.verbosity
def judge(
    runs: tuple[Path, ...],
    gold: Path,
    measures: tuple["Measure", ...],
    judges: tuple[str, ...],
    max_cost: float | None,
    max_tokens: int | None,
    dry_run: bool,
    as_published: bool,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Have language models judge what was written, each in both orders, and show how far they agree with themselves.

    Of one run: relevance of each cited abstract and quality of the section (Citegeist); relevance rate, organisation
    beside the real section and nuggets (DeepScholar-Bench); entailment of each sentence by what it cites, for citation
    precision, ALCE and claim coverage; correctness of answers (TruthReader). Of several runs: the six metrics of their
    answers (Meta Knowledge).

    Nothing is sent without --llm. Answers are kept: after an interruption the same command goes on.
    """
    from citeplug.faces.cli import sending
    from citeplug.usecases.chosen_model import Wanted
    from citeplug.usecases.judge_run import judge_runs
    from citeplug.usecases.stores import settings as settings_of

    if len(runs) > 1 and measures:
        raise UsageError("--measure is of one run; several are compared by the six metrics", "leave one of them out")
    if len(set(runs)) < len(runs):
        raise UsageError("a run is named twice", "name each run once")
    level = verbose - quiet
    wanted = [Wanted(name, max_cost=max_cost, max_tokens=max_tokens, rehearse=dry_run) for name in judges]
    with progress(level, as_json) as reporter:
        done = judge_runs(
            settings_of(),
            gold,
            runs,
            measures or _MEASURES,
            wanted,
            sending.announce_judging,
            reporter.update,
            as_published=as_published,
        )
    if as_json:
        sent = {"would_send": [sending.rehearsal_as_json(each) for each in done.rehearsals]} if dry_run else {}
        print_json({"as_published": as_published, **judged_as_json(done), **sent})
        return
    for rehearsal in done.rehearsals:
        sending.show_rehearsal(rehearsal, level)
    if not dry_run:
        show_judged(done)


def judged_as_json(done: "JudgedRuns") -> dict[str, Any]:
    return {
        "gold": {"file": str(done.gold.path), "sha256": done.gold.sha256, "queries": done.queries},
        "runs": [{"file": str(each.path), "sha256": each.sha256} for each in done.runs],
        "measures": [
            {"name": each.name, "value": each.value, "queries": len(each.values), "values": dict(each.values)}
            for each in done.scores
        ],
        "agreement_with_itself": [asdict(each) for each in done.itself],
        "agreement_of_judges": [asdict(each) for each in done.judges],
        "intervals": [{"name": name, **asdict(interval)} for name, interval in done.intervals.items()],
        "verdicts": [asdict(each) for each in done.verdicts],
        "unread": sum(each.value is None for each in done.verdicts),
        "without_text": done.without_text,
        "spent": [asdict(each) for each in done.spent],
    }


def show_judged(done: "JudgedRuns") -> None:
    """Print a row for each measure, then the agreement of the judges and what they cost."""
    for scored in done.scores:
        interval = done.intervals.get(scored.name)
        apart = "" if interval is None else f"  {interval.low:+.2f} to {interval.high:+.2f} beside the first run"
        say(f"{scored.name:50}{scored.value:9.3f}  ({counted(len(scored.values), 'query', 'queries')}){apart}")
    say("\nagreement of each judge with itself, its orders swapped:")
    for each in done.itself:
        say(f"  {_agreement(each)}{_preference(each)}")
    if not done.itself:
        say("  not known: nothing was asked in two orders")
    for each in done.judges:
        say(f"agreement of judges: {_agreement(each)}")
    unread = sum(each.value is None for each in done.verdicts)
    if unread:
        say(f"left out: {counted(unread, 'verdict', 'verdicts')} that could not be read", err=True)
    if done.without_text:
        say(f"left out: {counted(done.without_text, 'citation', 'citations')} without a known abstract", err=True)
    for spent in done.spent:
        cost = "its price is not known" if spent.cost is None else f"${spent.cost:.4f}"
        requests = counted(spent.requests, "request", "requests")
        say(f"{spent.model}: {requests}, {spent.tokens:,} tokens, {spent.kept} answers kept before, {cost}")


def _agreement(each: "Agreement") -> str:
    both = " and ".join(each.models)
    return f"{each.measure}, {both}: {each.same:.0%} of {each.items:,} the same, {each.distance:.2f} apart"


def _preference(each: "Agreement") -> str:
    if each.earlier is None:
        return ""
    low, high = each.earlier.low, each.earlier.high
    sure = "; it prefers the earlier place" if low > 0 else "; it prefers the later place" if high < 0 else ""
    return f"; earlier minus later place {each.earlier.difference:+.2f} ({low:+.2f} to {high:+.2f}){sure}"
