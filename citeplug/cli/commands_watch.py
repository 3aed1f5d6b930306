"""`citeplug watch`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeplug.cli import options
from citeplug.cli.console import announce_query, ending_on_request
from citeplug.cli.run_options import UpkeepOptions, of_upkeep

if TYPE_CHECKING:
    from citeplug.llm.allowance import Allowance
    from citeplug.settings.environment import Settings


@click.command(epilog="Example: citeplug watch paper/ --offline")
@click.argument("folder", metavar="[DIR|MAIN.tex]", required=False, type=click.Path(path_type=Path))
@of_upkeep
@click.option("--out", type=click.Path(path_type=Path), help="Where the section lies; default: where it was written.")
@click.option("--bib", type=click.Path(path_type=Path), help="Where the entries lie; default: where they were written.")
@click.option("--poll", is_flag=True, help="Look at the files every second; for network drives that report no changes.")
@click.option("--once", is_flag=True, help="Update the section once, and end.")
@click.option("--news", is_flag=True, help="Report new papers for the draft, once a day at most (see citeplug news).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document a line for each event.")
@options.verbosity
def watch(
    folder: Path | None,
    upkeep: UpkeepOptions,
    out: Path | None,
    bib: Path | None,
    poll: bool,
    once: bool,
    news: bool,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Keep the section current while you write, until Ctrl-C.

    The draft in DIR (default: the current folder) is read again when you save it. If something changed that the
    section depends on, the section is made again; your own words in it stay. No language model is asked, and a section
    that one wrote is only reported as due, unless [watch] in your config.toml allows it (docs/models.md).
    """
    from citeplug.cli.watch_report import teller
    from citeplug.corpus.stores import open_corpus
    from citeplug.sync.watch.context import WatchContext
    from citeplug.sync.watch.loop import Watcher, only_watcher

    chosen = upkeep.settings(folder)
    allowed = _allowed(chosen)
    with open_corpus(chosen) as corpus:
        overrides = upkeep.overrides(model=allowed is not None)
        context = WatchContext(overrides, chosen, corpus, lambda event: show(event), announce_query, allowed)
        watcher = Watcher(folder, context, out=out, bib=bib, poll=poll, news=news)
        show = teller(lambda: watcher.project.root, verbose - quiet, as_json)
        with ending_on_request():
            if once:
                raise SystemExit(watcher.once())
            with only_watcher(chosen.home, watcher.project.root):
                try:
                    watcher.run()
                finally:
                    watcher.stop()


def _allowed(chosen: "Settings") -> "Allowance | None":
    """Return the language model that the user's config.toml lets a watcher use; None without it."""
    from citeplug.settings.user_toml import read_preferences

    if not read_preferences(chosen.home).watch.language_model:
        return None
    from citeplug.cli.sending import announce_model
    from citeplug.llm.allowance import allowance

    return allowance(chosen, announce_model)
