"""Progress of a long run: a bar on a terminal, lines in a pipe, JSON for a program."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import click

from citeplug.cli.console import safe, say, use_colour
from citeplug.related.stage_words import stage_words

_BETWEEN_LINES = 3.0  # seconds
_UNTIL_BAR = 0.3  # seconds


@dataclass(slots=True)
class Progress:
    """Callback to which the stages report: a progress bar on a terminal, a line every few seconds in a pipe."""

    update: Callable[[str, int, int | None], None]


@contextmanager
def progress(verbosity: int, as_json: bool = False) -> Iterator[Progress]:
    """Yield a reporter `update(stage, done, total)`; `total` None means not known."""
    if os.environ.get("CITEPLUG_PROGRESS") == "json":
        yield Progress(_print_step)
        return
    if verbosity < 0 or as_json:
        yield Progress(lambda stage, done, total: None)
        return
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield Progress(Lines().update)
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True, no_color=not use_colour(sys.stderr))
    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(14), TextColumn("{task.fields[pace]}")
    # rich sends to its own stream what is printed meanwhile, which must not be so of a result that goes to a file.
    shared = sys.stdout.isatty()
    bar = Bar(*columns, TimeElapsedColumn(), console=console, transient=True, redirect_stdout=shared)
    # What is done or refused at once shows none.
    starting = threading.Timer(_UNTIL_BAR, bar.start)
    starting.daemon = True
    starting.start()
    try:
        task = bar.add_task("starting", total=None, pace="")
        speed = StageSpeed()

        def update(stage: str, done: int, total: int | None) -> None:
            now = time.monotonic()
            if speed.begins(stage, done, now):
                bar.reset(task, total=total, description=safe(stage_words(stage)))
            # Nothing to be done is no step.
            bar.update(task, completed=done, total=total or None, pace=speed.words(done, total, now))

        yield Progress(update)
    finally:
        starting.cancel()
        starting.join()
        bar.stop()


@dataclass(slots=True)
class StageSpeed:
    """How fast a stage goes on."""

    stage: str = ""
    began: float = 0.0
    first: int = 0

    def begins(self, stage: str, done: int, now: float) -> bool:
        """Return True if this stage is another than the one before, and begin it."""
        if stage == self.stage:
            return False
        self.stage, self.began, self.first = stage, now, done
        return True

    def words(self, done: int, total: int | None, now: float) -> str:
        """How much is done, and the time that the rest will take as far as it can be known."""
        if done <= self.first or now <= self.began or done == total:
            return f"{done:,} of {total:,}" if total else ""
        rate = (done - self.first) / (now - self.began)
        if total is None:
            return f"{done:,}, {rate:,.0f}/s"
        seconds = max(0, total - done) / rate
        left = f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"
        return f"{done:,} of {total:,}, about {left} left"


@dataclass(slots=True)
class Lines:
    """Progress as lines on standard error: the first at once, then one every three seconds at most."""

    clock: Callable[[], float] = time.monotonic
    speed: StageSpeed = field(default_factory=StageSpeed)
    printed: float | None = None  # time of the last line

    def update(self, stage: str, done: int, total: int | None) -> None:
        now = self.clock()
        is_new = self.speed.begins(stage, done, now)
        if self.printed is not None and now - self.printed < _BETWEEN_LINES:
            return
        self.printed = now
        words = "" if is_new else self.speed.words(done, total, now)
        say(f"{stage_words(stage)}: {words}" if words else f"{stage_words(stage)} ...", err=True)


def _print_step(stage: str, done: int, total: int | None) -> None:
    """Print progress for a program that reads it: one JSON object on a line of standard error."""
    click.echo(json.dumps({"stage": stage, "done": done, "total": total}), err=True)
