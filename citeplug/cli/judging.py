"""Judging by language models, as the `evaluate` commands share it: options and output."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeplug.cli import sending
from citeplug.cli.console import counted, say, show_table
from citeplug.cli.options import Output
from citeplug.cli.parameters import option, parameters
from citeplug.errors import UsageError
from citeplug.llm.chosen_model import Wanted
from citeplug.records.json_form import fields_of

if TYPE_CHECKING:
    from citeplug.evaluate.judge.question import Measure
    from citeplug.evaluate.judge.scores import Agreement
    from citeplug.evaluate.judge_run import JudgedRuns
    from citeplug.evaluate.scores import Kind

_SOURCES: tuple["Measure", ...] = ("relevance", "relevance-rate")
_MEASURES: dict["Kind", tuple["Measure", ...]] = {
    "retrieval": _SOURCES,
    "ranking": _SOURCES,
    "section": (*_SOURCES, "quality", "rating", "organisation", "nuggets", "entailment"),
    "answers": ("correctness", "nuggets", "entailment"),
}


def measure_option(kind: "Kind") -> Any:
    """The option of what judges judge of runs of a kind."""
    return option(
        "What to judge. [default: everything that the run and the gold set allow]",
        "--measure",
        type=click.Choice(_MEASURES[kind]),
    )


@parameters
class Judged(Output):
    """Options of judging. `judges` are names of language models; without one nobody is asked."""

    judges: tuple[str, ...] = option(
        "Ask a language model to judge: SERVICE or SERVICE:MODEL, such as anthropic; give it twice for two judges.",
        "--judge",
        "--llm",
        metavar="NAME",
    )
    max_cost: float | None = option(
        "Maximum cost of all judges, in US dollars.", type=click.FloatRange(0, 1_000_000, min_open=True)
    )
    max_tokens: int | None = option("Maximum number of tokens for all judges.", between=(1, None), hidden=True)
    dry_run: bool = option("Show what the judges would be sent, and send nothing.")

    def judged(
        self, kind: "Kind", gold: Path, runs: Sequence[Path], *, cut: int, as_published: bool
    ) -> "JudgedRuns | None":
        """Have the runs judged; None without a judge. Raises UsageError for the other options without one."""
        from citeplug.corpus.stores import settings as settings_of
        from citeplug.evaluate.judge_run import judge_runs

        measures: tuple[Measure, ...] = getattr(self, "measures", ())  # those that a kind has
        if not self.judges:
            if measures or self.dry_run or self.max_cost is not None or self.max_tokens is not None:
                message = "--measure, --max-cost, --max-tokens and --dry-run go with a judge"
                raise UsageError(message, "name a language model with --judge, or leave them out")
            return None
        cost, tokens = self.max_cost, self.max_tokens
        wanted = [Wanted(name, max_cost=cost, max_tokens=tokens, rehearse=self.dry_run) for name in self.judges]
        with self.progress() as reporter:
            return judge_runs(
                settings_of(),
                kind,
                gold,
                runs,
                measures or _MEASURES[kind],
                wanted,
                sending.announce_judging,
                reporter.update,
                cut=cut,
                as_published=as_published,
            )

    def judged_as_json(self, done: "JudgedRuns | None") -> dict[str, Any]:
        """The keys of a `--json` document about the judges; none without a judge."""
        if done is None:
            return {}
        sent = (
            {"would_send": [sending.rehearsal_as_json(rehearsal) for rehearsal in done.rehearsals]}
            if self.dry_run
            else {}
        )
        return {"judged": {**judged_as_json(done), **sent}}

    def show_judged(self, done: "JudgedRuns | None") -> None:
        if done is None:
            return
        for rehearsal in done.rehearsals:
            sending.show_rehearsal(rehearsal, self.level)
        if not self.dry_run:
            say()
            show_judged(done)


def judged_as_json(done: "JudgedRuns") -> dict[str, Any]:
    from citeplug.evaluate.judge.scores import apart_from_even

    return {
        "measures": [
            {
                "name": measure.name,
                "value": measure.value,
                "queries": len(measure.values),
                "values": dict(measure.values),
            }
            | ({"apart_from_even": asdict(interval)} if (interval := apart_from_even(measure)) else {})
            for measure in done.scores
        ],
        "agreement_with_itself": [asdict(agreement) for agreement in done.itself],
        "agreement_of_judges": [asdict(agreement) for agreement in done.judges],
        "verdicts": [asdict(verdict) for verdict in done.verdicts],
        "unread": sum(verdict.value is None for verdict in done.verdicts),
        **fields_of(done, "without_text spent"),
    }


def show_judged(done: "JudgedRuns") -> None:
    """Print a row for each measure, then the judges' agreement and what they cost."""
    from citeplug.evaluate.judge.scores import apart_from_even

    rows = []
    for scored in done.scores:
        interval = apart_from_even(scored)
        beside = f"; minus one half: {interval.low:+.3f} to {interval.high:+.3f}" if interval else ""
        rows.append(
            (scored.name, f"{scored.value:.3f}", f"({counted(len(scored.values), 'query', 'queries')}{beside})")
        )
    show_table(rows)
    say("\nAgreement of each judge with itself, in swapped order:")
    for agreement in done.itself:
        say(f"  {_agreement(agreement)}{_preference(agreement)}")
    if not done.itself:
        say("  not known: nothing was asked in two orders")
    for agreement in done.judges:
        say(f"agreement of judges: {_agreement(agreement)}")
    unread = sum(verdict.value is None for verdict in done.verdicts)
    if unread:
        say(f"left out: {counted(unread, 'verdict', 'verdicts')} that could not be read", err=True)
    if done.without_text:
        say(f"left out: {counted(done.without_text, 'citation', 'citations')} without a known abstract", err=True)
    for spent in done.spent:
        cost = "price unknown" if spent.cost is None else f"${spent.cost:.4f}"
        requests = counted(spent.requests, "request", "requests")
        say(f"{spent.model}: {requests}, {spent.tokens:,} tokens, {spent.kept} answers from the cache, {cost}")


def _agreement(agreement: "Agreement") -> str:
    both = " and ".join(agreement.models)
    same = f"{agreement.same:.0%} of {agreement.items:,} the same"
    return f"{agreement.measure}, {both}: {same}, {agreement.distance:.2f} apart"


def _preference(agreement: "Agreement") -> str:
    if agreement.earlier is None:
        return ""
    low, high = agreement.earlier.low, agreement.earlier.high
    sure = "; it prefers the earlier place" if low > 0 else "; it prefers the later place" if high < 0 else ""
    return f"; earlier minus later place {agreement.earlier.difference:+.2f} ({low:+.2f} to {high:+.2f}){sure}"
