"""The projects of one server: each beneath an address of its own, and the page that lists them."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from citeplug.errors import CiteplugError
from citeplug.web.assets import static_routes, templates
from citeplug.web.guard import Secrets
from citeplug.web.pages import Pages
from citeplug.web.reviewing import Reviewing


@dataclass(frozen=True, slots=True)
class ListedProject:
    """A project in the list; `error` is why it cannot be read now, `run` the words of the run that is on."""

    address: str
    title: str
    folder: str
    to_review: int = 0
    accepted: int = 0
    written: bool = False
    run: str = ""
    error: str = ""


class Projects:
    """The application. Where a project is, is drawn by chance: no path is in an address, or comes from a client."""

    def __init__(self, reviews: Sequence[Reviewing], known: Secrets) -> None:
        several = len(reviews) > 1
        self._pages = [Pages(review, known, f"/{secrets.token_hex(6)}", several=several) for review in reviews]
        self._templates = templates()

    def application(self) -> Starlette:
        routes = [Route("/", self.start, methods=["GET"]), *static_routes()]
        return Starlette(routes=[*routes, *(route for pages in self._pages for route in pages.routes())])

    def start(self, request: Request) -> Response:
        """The list of the projects; of one alone its section."""
        if len(self._pages) == 1:
            return self._pages[0].go("/")
        listed = [_listed(pages) for pages in self._pages]
        return HTMLResponse(self._templates.get_template("projects.html").render(projects=listed))


def _listed(pages: Pages) -> ListedProject:
    review = pages.review
    run = review.runs.last
    words = run.words if run is not None and run.state == "on" else ""
    address, title, folder = f"{pages.base}/", review.title, str(review.folder)
    try:
        section = review.section(review.project)
    except CiteplugError as error:
        return ListedProject(address, title, folder, run=words, error=str(error))
    return ListedProject(
        address,
        title,
        folder,
        section.count("unreviewed"),
        section.count("accepted"),
        bool(section.written and section.paragraphs),
        words,
    )
