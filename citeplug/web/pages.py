"""The pages of one project: their addresses, and those without a module of their own."""

import functools
from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from citeplug.errors import CiteplugError
from citeplug.files.atomic import unexpected
from citeplug.project.author_files import read_or_none
from citeplug.related.papers import contribution_of
from citeplug.web.ask_pages import AskPages
from citeplug.web.audit_pages import AuditPages
from citeplug.web.frame import PageFrame
from citeplug.web.guard import Secrets
from citeplug.web.history_pages import HistoryPages
from citeplug.web.pdf_pages import PdfPages
from citeplug.web.reviewing import Reviewing
from citeplug.web.run_pages import RunPages
from citeplug.web.search_pages import SearchPages
from citeplug.web.section_pages import SectionPages


class Pages(PageFrame):
    """The pages of a project. Nothing that a client sends is a path or becomes one."""

    def __init__(self, review: Reviewing, known: Secrets, base: str, *, several: bool) -> None:
        super().__init__(review, known, base, several=several)
        self.section = SectionPages(self)
        self.changed_part = self.section.section
        self.asking = AskPages(self, review.asking)
        self.running = RunPages(self, review.runs)
        self.searching = SearchPages(self)
        self.history = HistoryPages(self)
        self.audit = AuditPages(self)
        self.pdf = PdfPages(self, review.asking)

    def routes(self) -> list[Route]:
        parts = (self, self.section, self.asking, self.running, self.searching, self.history, self.audit, self.pdf)
        return [
            Route(self.base + path, _answering(self, made), methods=[method])
            for part in parts
            for method, pages in (("GET", part.get), ("POST", part.post))
            for path, made in pages.items()
        ]

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {
            "/papers": self.papers,
            "/entries": self.entries,
            "/export": self.export,
            "/changed.zip": self.changed,
            "/stamp": self.stamp,
        }

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {
            "/undo": self.act("undo", lambda form: self.review.undo()),
            "/deep": lambda request: self.begin("Deep Research", "/papers", self.review.research),
            "/choose": self.act("choose", lambda form: self.review.choose(form["id"], form["choice"]), "/papers"),
            "/fix": self.act("fix", lambda form: self.review.fix(), "/entries"),
        }

    def papers(self, request: Request, error: CiteplugError | None = None) -> Response:
        chosen = self.review.choices()
        listing = self.review.papers()
        contributions = {each.paper.id.value: contribution_of(each.paper) for each in listing.papers}
        return self.render("papers.html", request, error, listing=listing, chosen=chosen, contributions=contributions)

    def entries(self, request: Request, error: CiteplugError | None = None) -> Response:
        checked, fixed = self.review.entries()
        return self.render("entries.html", request, error, checked=checked, fixed=fixed)

    def export(self, request: Request, error: CiteplugError | None = None) -> Response:
        project = self.review.project
        return self.render(
            "export.html",
            request,
            error,
            files=[
                (path.name, read_or_none(path, project.encoding)) for path in (project.where.tex, project.where.bib)
            ],
            names=self.review.changed_files()[1] if self.review.zip_name else [],
        )

    def changed(self, request: Request) -> Response:
        data, _ = self.review.changed_files()
        return Response(
            data, media_type="application/zip", headers={"Content-Disposition": 'attachment; filename="changed.zip"'}
        )

    def stamp(self, request: Request) -> Response:
        return PlainTextResponse(self.review.stamp(self.review.project))

    def failed(self, request: Request, error: CiteplugError) -> Response:
        """The page that an action came from, with the reason why it was not done."""
        path = self.path(request)
        page = {
            "/choose": self.papers,
            "/papers": self.papers,
            "/fix": self.entries,
            "/ask": self.asking.conversation,
            "/ask/insert": self.asking.insertion,
            "/search": self.searching.results,
            "/search/choose": self.searching.results,
        }.get(path, self.section.section)
        try:
            if request.method == "POST":
                return page(request, error)
        except CiteplugError:
            pass  # the page itself cannot be made: the reason of the action alone is shown
        return self.render("failed.html", request, error, readable=False)


def _answering(pages: Pages, made: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """The handler, in a thread of its own, with expected errors shown in the page."""

    @functools.wraps(made)
    def answer(request: Request) -> Response:
        try:
            return made(request)
        except CiteplugError as error:
            return pages.failed(request, error)
        except OSError as error:
            return pages.failed(request, unexpected(error))

    return answer
