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
    out: Path | None = option("File of the section. Default: where it was written.")
    bib: Path | None = option("File of the entries. Default: where they were written.")
    poll: bool = option("Check the files every second, for network drives that report no changes.")
    once: bool = option("Update the section once, then stop.")
    news: bool = option("Report new papers for the draft, at most once a day (see citeplug papers --new).")
    as_json: bool = option("Print one JSON document per line for each event.", "--json")


@command("Example: citeplug watch paper/ --offline", not_shown=("breadth", "diversity"))
def watch(params: WatchParams) -> None:
    """Keep the section up to date while you write, until Ctrl-C.

    The draft in DIR (default: the current folder) is read again whenever you save it. If anything changed that the
    section depends on, the section is updated; your own words in it stay. No language model is asked, and a section
    written by one is only reported as out of date, unless [watch] in your config.toml allows it (docs/models.md).
    """
    from citeplug.cli.watch_report import teller
    from citeplug.corpus.stores import open_corpus
    from citeplug.sync.watch.context import WatchContext
    from citeplug.sync.watch.loop import Watcher, only_watcher

    settings = params.settings_for(params.folder)
    allowed = _allowed(settings)
    with open_corpus(settings) as corpus:
        overrides = params.overrides(model=allowed is not None)
        context = WatchContext(overrides, settings, corpus, lambda event: show(event), announce_query, allowed)
        watcher = Watcher(params.folder, context, out=params.out, bib=params.bib, poll=params.poll, news=params.news)
        show = teller(lambda: watcher.project.root, params.level, params.as_json)
        with ending_on_request():
            if params.once:
                raise SystemExit(watcher.once())
            with only_watcher(settings.home, watcher.project.root):
                try:
                    watcher.run()
                finally:
                    watcher.stop()


def _allowed(settings: "Settings") -> "Allowance | None":
    """Return the language model that the user's config.toml lets a watcher use; None without it."""
    from citeplug.settings.user_toml import read_preferences

    if not read_preferences(settings.home).watch.language_model:
        return None
    from citeplug.cli.sending import announce_model
    from citeplug.llm.allowance import allowance

    return allowance(settings, announce_model)
