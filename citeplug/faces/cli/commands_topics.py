"""`citeplug index topics`, and what `citeplug index info` says of them."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import click

from citeplug.errors import Cancelled
from citeplug.faces.cli import options
from citeplug.faces.cli.console import print_json, progress, say

_FEW = 10  # topics shown unless more is asked for


@click.command(epilog="Example: citeplug index topics --count 100")
@click.option(
    "--count", type=click.IntRange(2, 1000), help="How many topics. [default: as the records make, up to 300]"
)
@click.option("--rebuild", is_flag=True, help="Find topics anew; with --count this is meant too.")
@click.option(
    "--embed",
    is_flag=True,
    help="Embed the records that topics are found among first, at most 15,000: some minutes, and better topics.",
)
@options.embedder
@options.as_json
@options.verbosity
def topics(
    count: int | None, rebuild: bool, embed: bool, embedder: str | None, as_json: bool, verbose: int, quiet: int
) -> None:
    """Find what the papers of the catalogue are about, and name it; 'search --topic' then looks there alone.

    Run again, it gives papers that came since their topics; the others keep theirs until --rebuild. Safe to stop.
    No network is used.
    """
    from citeplug.usecases.stores import open_corpus
    from citeplug.usecases.stores import settings as settings_of

    level = verbose - quiet
    try:
        with progress(level, as_json) as reporter, open_corpus(settings_of(embedder=embedder)) as corpus:
            anew = rebuild or embed or count is not None
            done = corpus.make_topics(count, reporter.update, anew=anew, embed=embed)
    except KeyboardInterrupt:
        raise Cancelled("cancelled; topics that there were before are as they were", "run it again to go on") from None
    if as_json:
        found = [asdict(topic) for topic in done.topics]
        facts = {"anew": done.anew, "method": done.method, "made": done.made, "assigned": done.assigned}
        print_json({**facts, "without": done.without, "topics": found, "seconds": round(done.seconds, 3)})
    elif level >= 0:
        _table([asdict(topic) for topic in done.topics], everything=True)
        made = (
            f"{len(done.topics)} topics found by {done.method}" if done.anew else f"{len(done.topics)} topics as before"
        )
        say(f"{made}; {done.assigned:,} papers were given theirs in {done.seconds:.1f} s, {done.without:,} have none")


def show(facts: Mapping[str, Any] | None, damage: str | None, *, everything: bool) -> None:
    """The lines of `citeplug index info` on topics."""
    if facts is None:
        say(f"topics      {damage or 'none yet'}; make them with 'citeplug index topics'")
        return
    count = len(facts["topics"])
    say(f"topics      {count} found by {facts['method']}, {facts['made'][:10]}; {facts['without']:,} papers have none")
    if facts["not_yet"]:
        say(f"            {facts['not_yet']:,} papers came since: 'citeplug index topics' gives them theirs")
    _table(facts["topics"], everything=everything)
    if count > _FEW and not everything:
        say(f"            and {count - _FEW} more, with -v or --json")


def _table(found: list[dict[str, Any]], *, everything: bool) -> None:
    for topic in found if everything else found[:_FEW]:
        say(f"{topic['number']:11}  {topic['name']} ({topic['papers']:,})")
