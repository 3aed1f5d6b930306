"""A list of references that is dropped on the page without a draft: checked as `citeplug check` does, and corrected."""

import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from citeplug.bib.check import check_bibliography
from citeplug.bib.fix_bibliography import fix_bibliography
from citeplug.bib.fixed import FixRequest, FixResult
from citeplug.errors import CiteplugError
from citeplug.files.atomic import unexpected
from citeplug.project.kept_zips import FOLDER
from citeplug.records.report import BibReport
from citeplug.related.stage_words import stage_words
from citeplug.settings.environment import Settings
from citeplug.web.assets import templates
from citeplug.web.audit_file import check_as_html, check_values
from citeplug.web.dropped import LIST_KINDS, keep_files
from citeplug.web.guard import FORM

_MOST = 20  # of one server


@dataclass(slots=True)
class CheckedList:
    """A check that is on until there is a `report` or an `error`; `fixed` are the corrections, not written anywhere."""

    paths: Sequence[Path]
    stage: str = "beginning"
    report: BibReport | None = None
    fixed: FixResult | None = None
    error: CiteplugError | None = None
    ended: threading.Event = field(default_factory=threading.Event)


class CheckedLists:
    """The handlers; `chosen` are the user's settings, by which arXiv is asked only where the form says so."""

    def __init__(self, chosen: Settings) -> None:
        self._chosen = chosen
        self._lists: dict[str, CheckedList] = {}
        self._templates = templates()

    def routes(self) -> list[Route]:
        return [
            Route("/lists/{name}", self.show, methods=["GET"]),
            Route("/lists/{name}/report.html", self.report, methods=["GET"]),
            Route("/lists/{name}/{number:int}.bib", self.corrected, methods=["GET"]),
        ]

    def begin(self, request: Request) -> Response:
        """Check the files that were sent. Raises UsageError if there are none, or of another kind."""
        form = request.scope[FORM]
        folder = self._chosen.home / FOLDER / f"sent-{secrets.token_hex(8)}"
        checked = CheckedList(keep_files(form.files, folder, LIST_KINDS))
        name = secrets.token_hex(6)
        self._lists = dict([*self._lists.items(), (name, checked)][-_MOST:])
        chosen = replace(self._chosen, offline=self._chosen.offline or form.get("online") != "yes")
        camera_ready = form.get("camera") == "yes"
        threading.Thread(target=_check, args=(checked, chosen, camera_ready), name="check", daemon=True).start()
        checked.ended.wait(2)
        return RedirectResponse(f"/lists/{name}", 303)

    def show(self, request: Request) -> Response:
        """The report, or how far the check is."""
        checked = self._lists.get(name := request.path_params["name"])
        if checked is None:
            return RedirectResponse("/open", 303)
        report, fixed = checked.report, checked.fixed
        page = self._templates.get_template("checked.html").render(
            base=f"/lists/{name}",
            names=", ".join(path.name for path in checked.paths),
            ended=checked.ended.is_set(),
            stage=stage_words(checked.stage),
            error=checked.error,
            corrected=[
                (number, file.file.path.name, sum(one.file == file.file.path for one in fixed.fixed))
                for number, file in enumerate(fixed.files)
                if file.changed
            ]
            if fixed
            else [],
            report=report,
            **(check_values(report, checked.paths) if report else {}),
        )
        return HTMLResponse(page, 409 if report is None and checked.error else 200)

    def report(self, request: Request) -> Response:
        """The report as one file, as `citeplug check --format html` prints it."""
        checked = self._lists.get(request.path_params["name"])
        if checked is None or checked.report is None:
            return RedirectResponse("/open", 303)
        page = check_as_html(checked.report, checked.paths)
        return HTMLResponse(page, headers=_saved_as(f"{checked.paths[0].stem}-check.html"))

    def corrected(self, request: Request) -> Response:
        """A .bib file with its certain corrections, and no other byte changed."""
        checked, number = self._lists.get(request.path_params["name"]), request.path_params["number"]
        files = checked.fixed.files if checked is not None and checked.fixed is not None else ()
        if number >= len(files):
            return RedirectResponse("/open", 303)
        path = files[number].file.path
        return Response(
            files[number].file.encoded(files[number].after), media_type="text/plain", headers=_saved_as(path.name)
        )


def _saved_as(name: str) -> dict[str, str]:
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}


def _check(checked: CheckedList, chosen: Settings, camera_ready: bool) -> None:
    def report(stage: str, _done: int, _total: int | None) -> None:
        checked.stage = stage

    try:
        checked.report = check_bibliography(checked.paths, chosen, report=report, camera_ready=camera_ready)
        own = [path for path in checked.paths if path.suffix.lower() == ".bib"]
        request = FixRequest(published=camera_ready, camera_ready=camera_ready)
        checked.fixed = fix_bibliography(own, chosen, request, report=report) if own else None
    except CiteplugError as error:
        checked.error = error
    except OSError as error:
        checked.error = unexpected(error)
    finally:
        checked.ended.set()
