"""`citeplug review`."""

import contextlib
import math
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeplug.cli.console import say
from citeplug.cli.options import Params
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.errors import CiteplugError, UnreadableInput, UsageError
from citeplug.settings.environment import Settings

if TYPE_CHECKING:
    from citeplug.web.reviewing import Reviewing


class _Minutes(click.FloatRange):
    """A number above 0. `FloatRange` alone takes "nan", which no time is longer than."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds: float = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is not a number of minutes.", param, ctx)
        return seconds


@parameters
class ReviewParams(Params):
    projects: tuple[Path, ...] = argument("[MAIN.tex|DIR|PROJECT.zip]...")
    no_browser: bool = option("Print the address, but do not open a browser.")
    idle: float = option("Stop after being unused for this long.", type=_Minutes(), default=60, metavar="MINUTES")


@command("Example: citeplug review main.tex", not_shown=("idle",))
def review(params: ReviewParams) -> None:
    """Review a section in your browser, beside its sources.

    The page is served on this machine only, at an address that works once; with several projects, it starts with a list
    of them. It sends nothing over the network except what one of its forms names, when you send that form. What you do
    there is written to the project's files at once; for a zip, the page gives you the changed files, and the same zip
    opens with them again. It needs the packages of citeplug[web].
    """
    if not all(map(find_spec, ("jinja2", "python_multipart", "starlette", "uvicorn"))):
        raise UsageError("the review page needs packages that are not installed", "pip install 'citeplug[web]'")
    from citeplug.web.checked_lists import CheckedLists
    from citeplug.web.projects import Projects
    from citeplug.web.server import page_to_open, serve

    settings = params.settings()
    reviews, lists = _open(params.projects, settings), CheckedLists(settings)
    opened: list[Path] = []

    def example() -> Path:
        from citeplug.demo import run_demo

        return run_demo(settings.home / "example", report=lambda stage, done, total: None).main

    def ready(address: str) -> None:
        say(address)
        if not params.no_browser:
            opened.append(page_to_open(address, settings.home / "review"))
            click.launch(str(opened[0]))

    for reviewing in reviews:
        if reviewing.archive and (names := _changed(reviewing)):
            say(f"continuing the last review of {reviewing.archive.path}; changed files: {names}", err=True)
    say("The review page is open until you press Ctrl-C here. This address works once:", err=True)
    try:
        serve(
            lambda known: Projects(reviews, lists, known, settings, example).application(),
            idle=60 * params.idle,
            ready=ready,
            busy=lambda: lists.is_on or any(reviewing.runs.is_on for reviewing in reviews),
        )
    except KeyboardInterrupt:
        say("The review page is closed.", err=True)
    finally:
        lists.close()
        for reviewing in reviews:
            reviewing.close()
        for page in opened:
            page.unlink(missing_ok=True)
        for reviewing in reviews:
            if reviewing.archive and (names := _changed(reviewing)):
                say(
                    f"{reviewing.archive.path} is unchanged. The changed files are kept in {reviewing.path}: {names}",
                    err=True,
                )
                say(f"'citeplug review {reviewing.archive.path}' continues there; Export gives you the files", err=True)


def _open(projects: Sequence[Path], settings: Settings) -> "list[Reviewing]":
    """The projects, each once however often it is named; of no project that of the current folder."""
    from citeplug.latex.roots import roots_in
    from citeplug.project.kept_zips import open_kept
    from citeplug.related.zip_project import is_archive
    from citeplug.web.reviewing import Reviewing

    reviews: dict[Path, Reviewing] = {}
    for project in projects or (None,):
        archive, folder = open_kept(project, settings.home) if project and is_archive(project) else (None, project)
        try:
            review = Reviewing(folder, settings, archive)
        except UnreadableInput:
            if project is None and not roots_in(Path.cwd()):
                return []  # the page opens one
            raise
        reviews.setdefault(review.project.root.resolve(), review)
    return list(reviews.values())


def _changed(review: "Reviewing") -> str:
    """The names of the files that are not as in the zip under review."""
    with contextlib.suppress(CiteplugError):
        return ", ".join(review.changed_files()[1])
    return "its files"
