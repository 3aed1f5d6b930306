"""`citeplug index update`."""

from datetime import date
from typing import TYPE_CHECKING

from citeplug.cli.console import cancellable, print_json, say, say_warning
from citeplug.cli.options import OfflineOptions, Output
from citeplug.cli.parameters import command, option, parameters
from citeplug.records.json_form import fields_of

if TYPE_CHECKING:
    from citeplug.corpus.harvest import HarvestProgress


@parameters
class UpdateParams(OfflineOptions, Output):
    since: date | None = option(
        "Start from this day (YYYY-MM-DD). Default: the day before the last finished update ended."
    )
    sets: tuple[str, ...] = option(
        "Only this arXiv set, such as cs, physics:hep-th or cs:cs:LG.", "--set", metavar="SET"
    )


@command("Example: citeplug index update --since 2026-11-01 --set cs")
def update(params: UpdateParams) -> None:
    """Bring the catalogue up to date with what arXiv added, changed or removed since the last update.

    It reads arXiv over OAI-PMH, one request every three seconds. You can stop it and run it again; it
    continues from the last day.
    """
    from citeplug.upkeep import catalogue

    printed: list[date] = []

    def show(now: "HarvestProgress") -> None:
        reporter.update("update", now.records, now.expected)
        if params.level > 0 and now.day not in printed[-1:]:
            printed.append(now.day)
            say(progress_line(now), err=True)

    with cancellable("the records added so far are kept"), params.progress() as reporter:
        done = catalogue.update(params.settings(), params.sets, params.since, show)
    if done.skipped:
        say_warning(f"{done.skipped} unusable records were skipped")
    if done.gap is not None:
        days = f"{done.gap[0]} to {done.gap[1]}"
        say_warning(f"{days} was not read; without --since the next update begins there")
    counts = {
        **fields_of(done, "added changed unchanged deleted skipped"),
    }
    if params.as_json:
        span = {"since": done.since.isoformat(), "until": done.until.isoformat()}
        print_json({**counts, "seconds": round(done.seconds, 3), **span, "sets": list(params.sets)})
    elif params.level >= 0:
        words = ", ".join(f"{count:,} {name}" for name, count in counts.items())
        say(f"{words} in {done.seconds:.1f} s; {done.since} to {done.until}")


def progress_line(now: "HarvestProgress") -> str:
    rate = now.records / max(now.seconds, 1e-3)
    left = (now.expected - now.records) / rate if rate else 0.0
    where = f"{now.day}" + (f" of {now.of_set}" if now.of_set else "")
    return f"{where}: {now.records:,} records so far, {rate:,.0f}/s, about {left / 60:.0f} min left"
