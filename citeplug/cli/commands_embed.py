"""`citeplug index embed`."""

import click

from citeplug.cli.console import cancellable, counted, print_json, say
from citeplug.cli.options import LocalModels, Output, setting_option
from citeplug.cli.parameters import command, option, parameters


@parameters
class EmbedParams(LocalModels, Output):
    categories: tuple[str, ...] = setting_option("categories", metavar="C")
    count: int | None = option("Maximum number of papers.", between=(1, None))
    minutes: float | None = option("Stop after this many minutes.", type=click.FloatRange(0, min_open=True))


@command("Example: citeplug index embed --category cs.CL --minutes 30")
def embed(params: EmbedParams) -> None:
    """Compute the vectors of papers that have none yet, ahead of searches.

    A search computes the vectors of its own candidates; once all vectors are there, it also finds papers that share no
    word with the query. The newest papers come first, and those in the categories of earlier results before others. It
    pauses while other citeplug processes need the processor. You can stop it and run it again.
    """
    from citeplug.corpus.vectors.background import EmbedRequest
    from citeplug.upkeep import catalogue

    request = EmbedRequest(params.categories, params.count, None if params.minutes is None else 60 * params.minutes)
    with cancellable("vectors computed so far are kept"), params.progress() as reporter:
        done = catalogue.embed(
            params.settings(),
            request,
            lambda now, total: reporter.update("embed", now, total),
        )
    if params.as_json:
        print_json(
            {
                "embedded": done.embedded,
                "left": done.left,
                "seconds": round(done.seconds, 3),
                "rested": round(done.rested, 3),
                "first": list(done.first),
            }
        )
    elif params.level >= 0:
        rate = done.embedded / max(done.seconds - done.rested, 1e-3)
        embedded = counted(done.embedded, "paper", "papers")
        say(f"{embedded} embedded in {done.seconds:.1f} s ({rate:.0f}/s); {done.left:,} left to embed")
