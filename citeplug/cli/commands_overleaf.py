"""`citeplug overleaf clone` and `citeplug overleaf sync`."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from citeplug.cli import options
from citeplug.cli.console import announce_query, ending_on_request, print_json, say
from citeplug.cli.run_options import UpkeepOptions, of_upkeep
from citeplug.errors import AlreadyWatched


@click.group()
def overleaf() -> None:
    """Work with a project on Overleaf, or at any git remote.

    Passwords and tokens stay with git: it asks for them, and its credential helper keeps them.
    """


@overleaf.command(epilog="Example: citeplug overleaf clone https://git@git.overleaf.com/0123456789abcdef01234567 paper")
@click.argument("url", metavar="URL")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@options.as_json
@options.verbosity
def clone(url: str, folder: Path | None, as_json: bool, verbose: int, quiet: int) -> None:
    """Clone a project's repository into DIR."""
    from citeplug.sync.overleaf.clone import clone as clone_project

    where, address = clone_project(url, folder, interactive=sys.stdin.isatty())
    if as_json:
        print_json({"folder": str(where), "url": address.shown})
    elif verbose >= quiet:
        say(f"cloned {address.shown} to {where}")
        say(f"next: write there, commit, and run 'citeplug overleaf sync {where}'")


@overleaf.command(epilog="Example: citeplug overleaf sync paper --offline --insert")
@click.argument("folder", metavar="[DIR]", default=Path(), type=click.Path(path_type=Path))
@click.option("--watch", is_flag=True, help="Run until Ctrl-C, and sync when the remote or your clone has changed.")
@click.option(
    "--every",
    type=click.FloatRange(10, 86_400),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="With --watch: seconds between two looks at the remote.",
)
@click.option("--insert", is_flag=True, help="Make the draft read the section, and commit that too.")
@of_upkeep
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document a line for each event.")
@options.verbosity
def sync(
    folder: Path,
    watch: bool,
    every: float,
    insert: bool,
    upkeep: UpkeepOptions,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Pull, update the section, commit citeplug's own files, pull again, push.

    Your files are never committed, stashed or reset; your own commits are pushed with the section. A conflict in your
    files is reported before anything is changed. No language model is asked.
    """
    from citeplug.cli.watch_report import teller
    from citeplug.corpus.stores import open_corpus
    from citeplug.sync.overleaf.loop import Watching
    from citeplug.sync.overleaf.sync import Sync
    from citeplug.sync.watch.context import WatchContext

    chosen = upkeep.settings(folder)
    show = teller(lambda: folder.absolute() / "main.tex", verbose - quiet, as_json)
    with open_corpus(chosen) as corpus:
        context = WatchContext(upkeep.overrides(), chosen, corpus, show, announce_query)
        job = Sync(folder, context, insert=insert, interactive=sys.stdin.isatty())
        with ending_on_request():
            if not watch:
                raise SystemExit(job.once())
            with _the_only_one(chosen.home, job.repository.top):
                Watching(job, show, every).run()


@contextmanager
def _the_only_one(home: Path, clone: Path) -> Iterator[None]:
    from citeplug.sync.watch.loop import only_watcher

    with ExitStack() as held:
        try:
            held.enter_context(only_watcher(home, clone))
        except AlreadyWatched as error:
            raise AlreadyWatched(str(error), "stop that one first, or leave out --watch") from None
        yield
