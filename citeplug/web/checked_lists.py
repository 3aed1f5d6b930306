"""Lists of references that are dropped on the page without a draft: checked as `citeplug check` does, and corrected."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from citeplug.bib.fixed import FixResult
from citeplug.project.author_files import read_or_none
from citeplug.project.kept_zips import FOLDER
from citeplug.records.finding import Finding
from citeplug.records.report import BibReport
from citeplug.records.work import Service
from citeplug.settings.environment import Settings
from citeplug.web.assets import templates
from citeplug.web.audit_file import check_as_html, check_values
from citeplug.web.audit_pages import lines_around
from citeplug.web.dropped import LIST_KINDS, keep_files
from citeplug.web.frame import saved, services_in
from citeplug.web.guard import FORM, Secrets
from citeplug.web.runs import WAIT, Run, Runs, events_of

_MOST = 20  # of one server
_PAGE = "/check"


@dataclass(slots=True)
class CheckedList:
    """Files that were sent, and the run that checks them; the corrections `fixed` are not written anywhere."""

    paths: Sequence[Path]
    camera_ready: bool = False
    runs: Runs = field(default_factory=Runs)
    report: BibReport | None = None
    fixed: FixResult | None = None

    @property
    def names(self) -> str:
        return ", ".join(path.name for path in self.paths)

    def begin(self, settings: Settings, services: Sequence[Service]) -> None:
        """Begin the check, in place of the one before."""
        checking = partial(self._check, settings=settings, services=services)
        self.runs.begin(f"Checking {self.names}", _PAGE, checking, WAIT)

    def _check(self, run: Run, **asked: Any) -> tuple[str, Sequence[Finding]]:
        self.report, self.fixed = run.in_process(
            "check_lists", paths=self.paths, camera_ready=self.camera_ready, **asked
        )
        return "", ()

    def corrected(self) -> list[tuple[int, str, int]]:
        """The files that have corrections: number, name and how many."""
        if self.fixed is None:
            return []
        made = self.fixed.fixed
        return [
            (number, file.file.path.name, sum(one.file == file.file.path for one in made))
            for number, file in enumerate(self.fixed.files)
            if file.changed
        ]


class CheckedLists:
    """The handlers; `settings` are the user's settings, by which arXiv is asked only where the form says so."""

    def __init__(self, settings: Settings) -> None:
        self._chosen = settings
        self._lists: dict[str, CheckedList] = {}
        self._templates = templates()

    @property
    def is_on(self) -> bool:
        """True while a list is checked."""
        return any(checked.runs.is_on for checked in self._lists.values())

    def close(self) -> None:
        """Stop the checks that are on."""
        for checked in self._lists.values():
            checked.runs.close()

    def routes(self, known: Secrets) -> list[Route]:
        """The addresses of every list; `known` has the token of their forms."""
        pages: Mapping[tuple[str, str], Callable[[Request, CheckedList], Response]] = {
            ("GET", _PAGE): partial(self._show, known),
            ("POST", _PAGE): self._again,
            ("GET", "/draft"): partial(self._draft, known),
            ("GET", "/run"): lambda request, checked: _to(request),
            ("GET", "/run/events"): _events,
            ("POST", "/run/cancel"): _cancel,
            ("POST", "/run/dismiss"): lambda request, checked: RedirectResponse("/open", 303),
            ("GET", "/report.html"): _report,
            ("GET", "/{number:int}.bib"): _corrected,
        }
        return [
            Route("/lists/{name}" + path, self._of_list(page), methods=[method])
            for (method, path), page in pages.items()
        ]

    def begin(self, request: Request) -> Response:
        """Check the files that were sent. Raises UsageError if there are none, or of another kind."""
        form = request.scope[FORM]
        folder = self._chosen.home / FOLDER / f"sent-{secrets.token_hex(8)}"
        checked = CheckedList(keep_files(form.files, folder, LIST_KINDS), form.get("camera") == "yes")
        name = secrets.token_hex(6)
        self._lists[name] = checked
        for old in list(self._lists)[:-_MOST]:
            self._lists.pop(old).runs.close()
        checked.begin(*self._asked(request))
        return RedirectResponse(f"/lists/{name}{_PAGE}", 303)

    def _asked(self, request: Request) -> tuple[Settings, tuple[Service, ...]]:
        """The settings of a check, and the services beside arXiv: these are asked only where the form says so."""
        form = request.scope[FORM]
        offline = self._chosen.offline or not form.get("online")
        return replace(self._chosen, offline=offline), () if offline else services_in(form)

    def _again(self, request: Request, checked: CheckedList) -> Response:
        if not checked.runs.is_on:
            checked.begin(*self._asked(request))
        return _to(request)

    def _of_list(self, page: Callable[[Request, CheckedList], Response]) -> Callable[[Request], Response]:
        """The handler of a page; of a list that is gone it leads to where one is dropped."""

        def answer(request: Request) -> Response:
            checked = self._lists.get(request.path_params["name"])
            return RedirectResponse("/open", 303) if checked is None else page(request, checked)

        return answer

    def _show(self, known: Secrets, request: Request, checked: CheckedList) -> Response:
        """The report, or how far the check is."""
        report = checked.report
        values: Mapping[str, Any] = check_values(report, checked.paths) if report else {}
        more = {"corrected": checked.corrected(), "report": report, "may_send": not self._chosen.offline}
        return self._page("checked.html", known, request, checked, **more, **values)

    def _draft(self, known: Secrets, request: Request, checked: CheckedList) -> Response:
        """A file that was sent, with one of its lines marked."""
        named = [path for path in checked.paths if request.query_params.get("file") in (path.name, str(path))]
        if not named:
            return _to(request)
        lines = lines_around(read_or_none(named[0]) or "", request)
        return self._page("draft.html", known, request, checked, file=named[0].name, back=_PAGE, **lines)

    def _page(self, name: str, known: Secrets, request: Request, checked: CheckedList, **values: Any) -> Response:
        run = checked.runs.last
        page = self._templates.get_template(name).render(
            base=_base(request),
            title=checked.names,
            token=known.form,
            at="",
            page=_PAGE.strip("/"),
            run=run,
            error=None,
            said="",
            stamp="",
            lost=[],
            **values,
        )
        return HTMLResponse(page, 409 if run is not None and run.error else 200)


def _base(request: Request) -> str:
    return f"/lists/{request.path_params['name']}"


def _to(request: Request) -> Response:
    return RedirectResponse(_base(request) + _PAGE, 303)


def _events(request: Request, checked: CheckedList) -> Response:
    return StreamingResponse(events_of(checked.runs, _base(request)), media_type="text/event-stream")


def _cancel(request: Request, checked: CheckedList) -> Response:
    checked.runs.cancel()
    return _to(request)


def _report(request: Request, checked: CheckedList) -> Response:
    """The report as one file, as `citeplug check --format html` prints it."""
    if checked.report is None:
        return _to(request)
    page = check_as_html(checked.report, checked.paths)
    return saved(f"{checked.paths[0].stem}-check.html", page, "text/html")


def _corrected(request: Request, checked: CheckedList) -> Response:
    """A .bib file with its certain corrections, and no other byte changed."""
    number = request.path_params["number"]
    files = checked.fixed.files if checked.fixed is not None else ()
    if number >= len(files):
        return _to(request)
    path = files[number].file.path
    data = files[number].file.encoded(files[number].after)
    return saved(path.name, data, "text/plain")
