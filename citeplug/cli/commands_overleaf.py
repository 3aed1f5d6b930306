"""`citeplug overleaf serve`, `citeplug overleaf clone` and `citeplug overleaf sync`."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from citeplug.cli.console import announce_query, ending_on_request, print_json, say, say_next
from citeplug.cli.help_groups import WholeGroup
from citeplug.cli.options import Output, Params, UpkeepOptions, Verbosity
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.errors import AlreadyWatched

PORT = 23120  # the extension knows it too


@click.group(cls=WholeGroup)
def overleaf() -> None:
    """Work with a project on Overleaf, in its own page or by git.

    `serve` is for the browser extension. `clone` and `sync` work with any git remote: passwords and tokens stay with
    git, which asks for them and keeps them in its credential helper.
    """


@parameters
class OverleafServeParams(Params):
    port: int = option("Port on this machine.", between=(1024, 65535), default=PORT)
    pair: bool = option("Let in another browser: print a code for it.")
    forget: bool = option("Forget the browsers let in before, and print a code.")


@command("Example: citeplug overleaf serve", group=overleaf)
def serve(params: OverleafServeParams) -> None:
    """Serve the browser extension, which works in Overleaf's page, until Ctrl-C.

    It listens on this machine only. The first time it prints a code, which you type into the extension's panel once;
    nobody else is answered. The text of your project goes to this machine and no further, unless you choose in
    the panel to ask arXiv or a language model.
    """
    import asyncio

    from citeplug.editor.companion import companion
    from citeplug.editor.pairing import Pairing

    settings = params.settings()
    pairing = Pairing(settings.home, forget=params.forget, pair=params.pair)

    async def run() -> None:
        async with await companion(
            settings, pairing, params.port, lambda origin: say(f"paired with {origin}", err=True)
        ):
            if pairing.code is not None:
                port = "" if params.port == PORT else f"{params.port}-"
                say(f"code: {port}{pairing.code}")
                say("type it into citeplug's panel in your browser; it can be used once", err=True)
            say(f"serving the extension at 127.0.0.1:{params.port}, until Ctrl-C", err=True)
            await asyncio.get_running_loop().create_future()

    with ending_on_request():
        asyncio.run(run())


@parameters
class OverleafCloneParams(Output):
    url: str = argument("URL")
    folder: Path | None = argument("[DIR]")


@command("Example: citeplug overleaf clone https://git@git.overleaf.com/0123456789abcdef01234567 paper", group=overleaf)
def clone(params: OverleafCloneParams) -> None:
    """Clone a project's repository into DIR."""
    from citeplug.sync.overleaf.clone import clone as clone_project

    where, address = clone_project(params.url, params.folder, interactive=sys.stdin.isatty())
    if params.as_json:
        print_json({"folder": str(where), "url": address.shown})
    elif params.verbose >= params.quiet:
        say(f"cloned {address.shown} to {where}")
        say_next(f"citeplug overleaf sync {where}", "brings the section in, once you have committed your work")


@parameters
class OverleafSyncParams(UpkeepOptions, Verbosity):
    folder: Path = argument("[DIR]", default=Path())
    watch: bool = option("Run until Ctrl-C, and sync when the remote or your clone has changed.")
    every: float = option(
        "With --watch: seconds between checks of the remote.", between=(10, 86_400), default=30, metavar="SECONDS"
    )
    insert: bool = option("Add the \\input line to the draft, and commit that too.")
    as_json: bool = option("Print one JSON document per line for each event.", "--json")


@command("Example: citeplug overleaf sync paper --offline --insert", group=overleaf, not_shown=("breadth", "diversity"))
def sync(params: OverleafSyncParams) -> None:
    """Pull, update the section, commit citeplug's own files, pull again, push.

    Your files are never committed, stashed or reset; your own commits are pushed with the section. A conflict in your
    files is reported before anything is changed. No language model is asked.
    """
    from citeplug.cli.watch_report import teller
    from citeplug.corpus.stores import open_corpus
    from citeplug.sync.overleaf.loop import Watching
    from citeplug.sync.overleaf.sync import Sync
    from citeplug.sync.watch.context import WatchContext

    settings = params.settings_for(params.folder)
    show = teller(lambda: params.folder.absolute() / "main.tex", params.level, params.as_json)
    with open_corpus(settings) as corpus:
        context = WatchContext(params.overrides(), settings, corpus, show, announce_query)
        job = Sync(params.folder, context, insert=params.insert, interactive=sys.stdin.isatty())
        with ending_on_request():
            if not params.watch:
                raise SystemExit(job.once())
            with _the_only_one(settings.home, job.repository.top):
                Watching(job, show, params.every).run()


@contextmanager
def _the_only_one(home: Path, clone: Path) -> Iterator[None]:
    from citeplug.sync.watch.loop import only_watcher

    with ExitStack() as held:
        try:
            held.enter_context(only_watcher(home, clone))
        except AlreadyWatched as error:
            raise AlreadyWatched(str(error), "stop that one first, or leave out --watch") from None
        yield
