"""`citeplug index embed`."""

import click

from citeplug.cli import options
from citeplug.cli.console import print_json, progress, say
from citeplug.errors import Cancelled


@click.command(epilog="Example: citeplug index embed --category cs.CL --minutes 30")
@options.categories
@click.option("--count", type=click.IntRange(1), help="At most this many papers.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="Stop after this many minutes.")
@options.embedder
@options.device
@options.as_json
@options.verbosity
def embed(
    categories: tuple[str, ...],
    count: int | None,
    minutes: float | None,
    embedder: str | None,
    device: str | None,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Compute the vectors of papers that have none yet, ahead of searches.

    A search computes the vectors of its own candidates; with all vectors, it also finds papers that share no word
    with the query. The newest papers come first, those in the categories of earlier results before others. Pauses
    while other citeplug processes need the processor. It can be stopped and run again.
    """
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.corpus.vectors.background import EmbedRequest
    from citeplug.upkeep import catalogue

    level = verbose - quiet
    request = EmbedRequest(categories, count, None if minutes is None else 60 * minutes)
    try:
        with progress(level, as_json) as reporter:
            done = catalogue.embed(
                settings_of(embedder=embedder, device=device),
                request,
                lambda now, total: reporter.update("embed", now, total),
            )
    except KeyboardInterrupt:
        raise Cancelled("cancelled; vectors computed so far are kept", "run the same command again to go on") from None
    if as_json:
        print_json(
            {
                "embedded": done.embedded,
                "left": done.left,
                "seconds": round(done.seconds, 3),
                "rested": round(done.rested, 3),
                "first": list(done.first),
            }
        )
    elif level >= 0:
        rate = done.embedded / max(done.seconds - done.rested, 1e-3)
        say(f"{done.embedded:,} papers in {done.seconds:.1f} s ({rate:.0f}/s); {done.left:,} have no vector")
