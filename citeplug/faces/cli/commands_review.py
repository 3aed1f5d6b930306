"""`citeplug review`."""

from contextlib import nullcontext
from pathlib import Path

import click

from citeplug.errors import UsageError
from citeplug.faces.cli.console import say


@click.command(epilog="Example: citeplug review main.tex")
@click.argument("project", metavar="[MAIN.tex|DIR|PROJECT.zip]", required=False, type=click.Path(path_type=Path))
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
@click.option("--idle", type=click.FloatRange(0), default=60, metavar="MINUTES", help="End when unused so long: 60.")
def review(project: Path | None, no_browser: bool, idle: float) -> None:
    """Open a page in your browser to review a section: its plan, its text, the source of each sentence.

    The page is served on this machine alone, at an address that can be used once, and sends nothing over the network.
    What you do there is written to the project's files at once; of a zip, the page gives you the changed files. It
    needs the packages of citeplug[web].
    """
    try:
        import jinja2  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise UsageError(
            "the review page needs packages that are not installed", "pip install 'citeplug[web]'"
        ) from error
    from citeplug.faces.web.pages import Pages
    from citeplug.faces.web.reviewing import Reviewing
    from citeplug.faces.web.server import serve
    from citeplug.usecases.stores import settings as settings_of
    from citeplug.usecases.zip_project import is_archive, unpacked

    chosen = settings_of(offline=True)
    with unpacked(project, chosen.home) if project is not None and is_archive(project) else nullcontext() as found:
        archive, folder = (None, project) if found is None else found
        reviewing = Reviewing(folder, chosen, archive)

        def ready(address: str) -> None:
            say(address)
            if not no_browser:
                click.launch(address)

        say("The review page is open until you press Ctrl-C here. This address can be used once:", err=True)
        try:
            serve(lambda known: Pages(reviewing, known).application(), idle=60 * idle, ready=ready)
        except KeyboardInterrupt:
            say("ended", err=True)


COMMANDS = (review,)
