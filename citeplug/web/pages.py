"""The pages of one project: their addresses, and those without a module of their own."""

import asyncio
import functools
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from itertools import groupby

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from citeplug.audit.run import audit_inputs
from citeplug.errors import CiteplugError
from citeplug.files.atomic import unexpected
from citeplug.project.author_files import read_or_none
from citeplug.records.audit import Audit
from citeplug.records.finding import Finding
from citeplug.records.json_form import fields_of
from citeplug.records.provenance import Happened
from citeplug.related.papers import contribution_of
from citeplug.related.section.review import Past, history_of
from citeplug.settings.hosts import shown
from citeplug.web.ask_pages import AskPages
from citeplug.web.audit_file import audit_values
from citeplug.web.frame import PageFrame
from citeplug.web.guard import FORM, Secrets
from citeplug.web.pdf_pages import PdfPages
from citeplug.web.reviewing import Reviewing
from citeplug.web.runs import WAIT, Run, Runs
from citeplug.web.search_pages import SearchPages
from citeplug.web.section_pages import SectionPages

_LOOKING = "Looking for papers"
_LOOK = 0.2  # seconds between two looks at a run
_HAPPENED: Mapping[Happened, str] = {
    "generated": "written",
    "accepted": "accepted",
    "rejected": "rejected",
    "unreviewed": "to be reviewed again",
    "edited": "changed by you",
    "deleted": "deleted",
    "restored": "put back",
    "inserted": "inserted from an answer",
    "pinned": "pinned",
    "excluded": "excluded",
    "unchosen": "neither pinned nor excluded",
}


class Pages(PageFrame):
    """The pages of a project. Nothing that a client sends is a path or becomes one."""

    def __init__(self, review: Reviewing, known: Secrets, base: str, *, several: bool) -> None:
        super().__init__(review, known, base, several=several)
        self.section = SectionPages(self)
        self.changed_part = self.section.section
        self.asking = AskPages(self, review.asking)
        self.searching = SearchPages(self)
        self.pdf = PdfPages(self, review.asking)
        self._audited: tuple[Audit, Mapping[str, object]] | None = None  # and what it was made of

    def routes(self) -> list[Route]:
        parts = (self, self.section, self.asking, self.searching, self.pdf)
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
            "/run": self.progress,
            "/run/events": self.events,
            "/history": self.history,
            "/audit": self.audit,
        }

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {
            "/undo": self.act("undo", lambda form: self.review.undo()),
            "/deep": self.research,
            "/choose": self.act("choose", lambda form: self.review.choose(form["id"], form["choice"]), "/papers"),
            "/fix": self.act("fix", lambda form: self.review.fix(), "/entries"),
            "/run/cancel": self.cancel,
            "/run/dismiss": self.dismiss,
            "/audit": lambda request: self.begin("Audit", "/audit", self._audit),
        }

    def papers(self, request: Request, error: CiteplugError | None = None) -> Response:
        waiting = None if self.review.papers_are_listed() else self._look_for_papers()
        if waiting is not None:
            return waiting
        chosen = self.review.choices()
        listing = self.review.papers()
        contributions = {each.paper.id.value: contribution_of(each.paper) for each in listing.papers}
        return self.render(
            "papers.html",
            request,
            error,
            listing=listing,
            chosen=chosen,
            contributions=contributions,
            arxiv_host=shown(self.review.online.arxiv_url) if self.review.may_send else None,
        )

    def _look_for_papers(self) -> Response | None:
        """Look for the draft's papers in a run; the page of its progress, or None if nothing is to be waited for.

        Abstracts that were never read before take seconds. Raises what stopped the run before.
        """
        runs = self.review.runs
        run = runs.last
        if run is None or run.what != _LOOKING or run.state == "done":
            if runs.is_on:
                return None  # of another kind: the page does not wait for it
            run = runs.begin(_LOOKING, "/papers", self.review.list_papers, WAIT)
        if run.state == "on":
            return self.go("/run")
        if run.state == "done":
            return None
        runs.dismiss()
        if run.error is not None:
            raise run.error
        return self.go("/")  # it was cancelled

    def research(self, request: Request) -> Response:
        lists = request.scope[FORM].get("lists") == "yes"
        return self.begin("Deep Research", "/papers", functools.partial(self.review.research, lists=lists))

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

    def progress(self, request: Request) -> Response:
        """The page of the run while it is on; without script it loads itself again. Then that with its result."""
        run = self.review.runs.last
        if run is None or run.state != "on":
            return self.go(run.page if run else "/")
        page = self.render("progress.html", request, None)
        return page if run.state == "on" else self.go(run.page)  # it ended meanwhile

    def events(self, request: Request) -> Response:
        """An event for each change of the run, the last one at its end."""
        return StreamingResponse(_events(self.review.runs, self.base), media_type="text/event-stream")

    def cancel(self, request: Request) -> Response:
        self.review.runs.cancel()
        return self.go("/run")

    def dismiss(self, request: Request) -> Response:
        run = self.review.runs.last
        self.review.runs.dismiss()
        return self.go(run.page if run else "/")

    def history(self, request: Request) -> Response:
        project = self.review.project
        past = history_of(project, self.review.chosen)
        days = [(day, list(events)) for day, events in groupby(past, _day)]
        return self.render("history.html", request, None, project=project, days=days, happened=_HAPPENED)

    def audit(self, request: Request) -> Response:
        if self._audited is None:
            return self.render("audit.html", request, None, audit=None, changed=[])
        audit, inputs = self._audited
        return self.render("audit.html", request, None, changed=self._changed(inputs), **audit_values(audit))

    def _changed(self, before: Mapping[str, object]) -> list[str]:
        """What is not as it was when the audit was made; a draft that cannot be read has changed."""
        review = self.review
        try:
            now = audit_inputs(review.project.root, review.chosen)
        except CiteplugError:
            return ["the draft"]
        return [name for name, value in now.items() if value != before[name]]

    def _audit(self, run: Run) -> tuple[str, Sequence[Finding]]:
        review = self.review
        root = review.project.root
        inputs = audit_inputs(root, review.chosen)  # before it is made: what changes meanwhile counts as changed
        self._audited = run.in_process("audit", root=root, chosen=review.chosen), inputs
        return "The draft is audited.", ()

    def failed(self, request: Request, error: CiteplugError) -> Response:
        """The page that an action came from, with the reason why it was not done."""
        path = self.path(request)
        page = {
            "/choose": self.papers,
            "/papers": self.papers,
            "/fix": self.entries,
            **dict.fromkeys(("/ask", "/ask/open", "/ask/add", "/ask/remove"), self.asking.conversation),
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


async def _events(runs: Runs, base: str) -> AsyncIterator[str]:
    before = None
    while True:
        run = runs.last
        now = _as_json(run, base)
        if now != before:
            yield f"data: {now}\n\n"
            before = now
        if run is None or run.state != "on":
            return
        await asyncio.sleep(_LOOK)


def _as_json(run: Run | None, base: str) -> str:
    if run is None:
        return json.dumps({"state": "none"})
    return json.dumps({**fields_of(run, "state words done total"), "page": base + run.page})


def _day(past: Past) -> str:
    return "Without a recorded time" if past.when is None else f"{past.when.day} {past.when:%B %Y}"
