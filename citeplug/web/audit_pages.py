"""The page of the audit: made when its form is sent, and kept until it is made again."""

from collections.abc import Callable, Mapping, Sequence

from starlette.requests import Request
from starlette.responses import Response

from citeplug.audit.run import audit_inputs
from citeplug.errors import CiteplugError
from citeplug.records.audit import Audit
from citeplug.records.finding import Finding
from citeplug.web.audit_file import audit_values
from citeplug.web.frame import PageFrame
from citeplug.web.runs import Run


class AuditPages:
    """The handlers; `pages` renders them. Nothing is sent and nothing is written."""

    def __init__(self, pages: PageFrame) -> None:
        self._pages = pages
        self._made: tuple[Audit, Mapping[str, object]] | None = None  # and what it was made of

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/audit": self.audit}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/audit": lambda request: self._pages.begin("Audit", "/audit", self._make)}

    def audit(self, request: Request) -> Response:
        if self._made is None:
            return self._pages.render("audit.html", request, None, audit=None, changed=[])
        audit, inputs = self._made
        return self._pages.render("audit.html", request, None, changed=self._changed(inputs), **audit_values(audit))

    def _changed(self, before: Mapping[str, object]) -> list[str]:
        """What is not as it was when the audit was made; a draft that cannot be read has changed."""
        review = self._pages.review
        try:
            now = audit_inputs(review.project.root, review.chosen)
        except CiteplugError:
            return ["the draft"]
        return [name for name, value in now.items() if value != before[name]]

    def _make(self, run: Run) -> tuple[str, Sequence[Finding]]:
        review = self._pages.review
        root = review.project.root
        inputs = audit_inputs(root, review.chosen)  # before it is made: what changes meanwhile counts as changed
        self._made = run.in_process("audit", root=root, chosen=review.chosen), inputs
        return "The draft is audited.", ()
