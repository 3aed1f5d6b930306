"""The projects of one server: each beneath an address of its own, and the page that lists them."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from citeplug.errors import CiteplugError
from citeplug.settings.environment import Settings
from citeplug.web.assets import static_routes, templates
from citeplug.web.checked_lists import CheckedLists
from citeplug.web.dropped import DRAFT_KINDS, LIST_KINDS, are_lists, open_dropped
from citeplug.web.guard import FORM, Secrets
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

    def __init__(
        self,
        reviews: list[Reviewing],
        lists: CheckedLists,
        known: Secrets,
        settings: Settings,
        example: Callable[[], Path] | None = None,
    ) -> None:
        """`reviews` gets those that are opened here, `lists` what is checked; `settings` are theirs.

        `example` makes the example project, and gives its main file.
        """
        self._reviews, self._known, self._chosen, self._example = reviews, known, settings, example
        self._pages = [self._make(review) for review in reviews]
        self._templates = templates()
        self._lists = lists

    def _make(self, review: Reviewing) -> Pages:
        return Pages(review, self._known, f"/{secrets.token_hex(6)}", several=lambda: len(self._reviews) > 1)

    def application(self) -> Starlette:
        own = [
            Route("/", self.start, methods=["GET"]),
            Route("/open", self.front, methods=["GET"]),
            Route("/open", self._or_front(self.open), methods=["POST"]),
            Route("/example", self._or_front(self.open_example), methods=["POST"]),
            Route("/lists", self._or_front(self._lists.begin), methods=["POST"]),
            *self._lists.routes(self._known),
        ]
        pages = (route for pages in self._pages for route in pages.routes())
        self._application = Starlette(routes=[*own, *static_routes(), *pages])
        return self._application

    def start(self, request: Request) -> Response:
        """The list of the projects; of one alone its section."""
        return self._pages[0].go("/") if len(self._pages) == 1 else self.front(request)

    def front(self, request: Request, error: CiteplugError | None = None) -> Response:
        """The projects, and the form that opens another one."""
        page = self._templates.get_template("projects.html").render(
            projects=[_listed(pages) for pages in self._pages],
            token=self._known.form,
            kinds=",".join(DRAFT_KINDS),
            list_kinds=",".join(LIST_KINDS),
            may_send=not self._chosen.offline,
            example=self._example is not None,
            error=error,
        )
        return HTMLResponse(page, 409 if error else 200)

    def _or_front(self, make: Callable[[Request], Response]) -> Callable[[Request], Response]:
        """The handler; where it fails, the forms with the reason."""

        def answer(request: Request) -> Response:
            try:
                return make(request)
            except CiteplugError as error:
                return self.front(request, error)

        return answer

    def open(self, request: Request) -> Response:
        """Open the files of a draft that were sent, in a copy of their own; a bibliography alone is checked."""
        if are_lists(request.scope[FORM].files):
            return self._lists.begin(request)
        archive, path = open_dropped(request.scope[FORM].files, self._chosen.home)
        return self._opened(Reviewing(path, self._chosen, archive))

    def open_example(self, request: Request) -> Response:
        """Open the example, with a section that has been written."""
        main = self._example() if self._example is not None else None
        return self._opened(Reviewing(main, self._chosen)) if main is not None else self.front(request)

    def _opened(self, review: Reviewing) -> Response:
        pages = self._make(review)
        self._reviews.append(review)
        self._pages.append(pages)
        self._application.router.routes.extend(pages.routes())
        return pages.go("/")


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
