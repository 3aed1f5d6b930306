"""The page of the audit: made when its form is sent, and kept until it is made again."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from citeplug.faces.web.audit_file import audit_values
from citeplug.faces.web.runs import Run
from citeplug.records.audit import Audit
from citeplug.records.finding import Finding
from citeplug.usecases.audit import audit_draft

if TYPE_CHECKING:
    from citeplug.faces.web.pages import Pages


class AuditPages:
    """The handlers; `pages` renders them. Nothing is sent and nothing is written."""

    def __init__(self, pages: "Pages") -> None:
        self._pages = pages
        self._made: Audit | None = None

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/audit": self.audit}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/audit": lambda request: self._pages.begin("Audit", "/audit", self._make)}

    def audit(self, request: Request) -> Response:
        values = {"audit": None} if self._made is None else audit_values(self._made)
        return self._pages.render("audit.html", request, None, **values)

    def _make(self, run: Run) -> tuple[str, Sequence[Finding]]:
        review = self._pages.review
        self._made = audit_draft(review.project.root, review.chosen, online=False, report=run.report)
        return "The draft is audited.", ()
