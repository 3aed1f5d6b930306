"""`citeplug watch`."""

from pathlib import Path
from typing import TYPE_CHECKING

from citeplug.cli.console import announce_query, ending_on_request
from citeplug.cli.options import UpkeepOptions, Verbosity
from citeplug.cli.parameters import argument, command, option, parameters

if TYPE_CHECKING:
    from citeplug.llm.allowance import Allowance
    from citeplug.settings.environment import Settings


@parameters
class WatchParams(UpkeepOptions, Verbosity):
    folder: Path | None = argument("[DIR|MAIN.tex]")
    out: Path | None = option("Where the section lies; default: where it was written.")
    bib: Path | None = option("Where the entries lie; default: where they were written.")
    poll: bool = option("Look at the files every second; for network drives that report no changes.")
    once: bool = option("Update the section once, and end.")
    news: bool = option("Report new papers for the draft, once a day at most (see citeplug papers --new).")
    as_json: bool = option("Print one JSON document a line for each event.", "--json")


@command("Example: citeplug watch paper/ --offline", not_shown=("breadth", "diversity"))
def watch(params: WatchParams) -> None:
    """Keep the section current while you write, until Ctrl-C.

    The draft in DIR (default: the current folder) is read again when you save it. If something changed that the
    section depends on, the section is made again; your own words in it stay. No language model is asked, and a section
    that one wrote is only reported as due, unless [watch] in your config.toml allows it (docs/models.md).
    """
    from citeplug.cli.watch_report import teller
    from citeplug.corpus.stores import open_corpus
    from citeplug.sync.watch.context import WatchContext
    from citeplug.sync.watch.loop import Watcher, only_watcher

    chosen = params.settings_for(params.folder)
    allowed = _allowed(chosen)
    with open_corpus(chosen) as corpus:
        overrides = params.overrides(model=allowed is not None)
        context = WatchContext(overrides, chosen, corpus, lambda event: show(event), announce_query, allowed)
        watcher = Watcher(params.folder, context, out=params.out, bib=params.bib, poll=params.poll, news=params.news)
        show = teller(lambda: watcher.project.root, params.level, params.as_json)
        with ending_on_request():
            if params.once:
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
