"""`citeplug watch`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeplug.faces.cli import options
from citeplug.faces.cli.console import announce_query
from citeplug.faces.cli.ending import ending_on_request

if TYPE_CHECKING:
    from citeplug.settings.environment import Settings
    from citeplug.usecases.allowance import Allowance


@click.command(epilog="Example: citeplug watch paper/ --offline")
@click.argument("folder", metavar="[DIR|MAIN.tex]", required=False, type=click.Path(path_type=Path))
@options.offline
@options.online
@click.option("--breadth", type=click.IntRange(1, 100), help="Papers in the section; default: as it was last written.")
@click.option("--diversity", type=click.FloatRange(0, 1), help="As for 'related'; default: as it was last written.")
@options.embedder
@options.rescorer
@options.device
@click.option("--out", type=click.Path(path_type=Path), help="Where the section lies; default: where it was written.")
@click.option("--bib", type=click.Path(path_type=Path), help="Where the entries lie; default: where they were written.")
@click.option("--poll", is_flag=True, help="Look every second instead of waiting for the system's events.")
@click.option("--once", is_flag=True, help="Bring the section up to date once, and end.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document a line for each event.")
@options.verbosity
def watch(
    folder: Path | None,
    offline: bool,
    online: bool,
    breadth: int | None,
    diversity: float | None,
    embedder: str | None,
    rescorer: str | None,
    device: str | None,
    out: Path | None,
    bib: Path | None,
    poll: bool,
    once: bool,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Keep the section current while you write, until Ctrl-C.

    The draft in DIR (default: here) is read again when you save it. If something changed that the section is made from,
    the section is made anew; your own words in it stay. No language model is asked, and a section that one wrote is
    only marked as due, unless [watch] in your config.toml allows it (docs/models.md).
    """
    from citeplug.faces.cli.watch_report import teller
    from citeplug.faces.watch.alone import only_watcher
    from citeplug.faces.watch.assess import Wish
    from citeplug.faces.watch.loop import Watcher
    from citeplug.usecases.stores import open_corpus
    from citeplug.usecases.stores import settings as settings_of

    chosen = settings_of(offline=offline, online=online, embedder=embedder, rescorer=rescorer, device=device)
    allowed = _allowed(chosen)
    wish = Wish(breadth, diversity, online=online, model=allowed is not None)
    with open_corpus(chosen) as corpus:
        watcher = Watcher(
            folder,
            wish,
            chosen,
            corpus,
            lambda happening: tell(happening),
            out=out,
            bib=bib,
            poll=poll,
            announce=announce_query,
            allowed=allowed,
        )
        tell = teller(lambda: watcher.project.root, verbose - quiet, as_json)
        with ending_on_request():
            if once:
                raise SystemExit(watcher.once())
            with only_watcher(chosen.home, watcher.project.root):
                try:
                    watcher.run()
                finally:
                    watcher.stop()


def _allowed(chosen: "Settings") -> "Allowance | None":
    """The language model that the user's own settings let a watcher ask; nothing of one is loaded without them."""
    from citeplug.settings.user_toml import read_preferences

    if not read_preferences(chosen.home).watch.language_model:
        return None
    from citeplug.faces.cli.sending import announce_model
    from citeplug.usecases.allowance import allowance

    return allowance(chosen, announce_model)


COMMANDS = (watch,)
