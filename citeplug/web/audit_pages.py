"""The audit in the review page: made when it is first looked at, and again when the author asks for it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from citeplug.audit.run import audit_inputs
from citeplug.errors import CiteplugError
from citeplug.records.audit import Audit
from citeplug.records.finding import Finding
from citeplug.web.audit_file import audit_values
from citeplug.web.frame import PageFrame
from citeplug.web.guard import FORM
from citeplug.web.runs import Run


class AuditPages:
    """The handlers; `pages` renders them. The last audit stays until the next one."""

    def __init__(self, pages: PageFrame) -> None:
        self._pages = pages
        self._audited: tuple[Audit, Mapping[str, object]] | None = None  # and what it was made of

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/audit": self.audit}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/audit": self.make_audit}

    def audit(self, request: Request) -> Response:
        pages = self._pages
        waiting = None if self._audited else pages.wait_for("Auditing the draft", "/audit", request, self._audit)
        if waiting is not None:
            return waiting
        may_send = pages.review.may_send
        if self._audited is None:  # another run is on
            return pages.render("audit.html", request, None, audit=None, changed=[], may_send=may_send)
        audit, inputs = self._audited
        values = {"changed": self._changed(inputs), "may_send": may_send, **audit_values(audit)}
        return pages.render("audit.html", request, None, **values)

    def _changed(self, before: Mapping[str, object]) -> list[str]:
        """What is not as it was when the audit was made; a draft that cannot be read has changed."""
        review = self._pages.review
        try:
            now = audit_inputs(review.project.root, review.chosen)
        except CiteplugError:
            return ["the draft"]
        return [name for name, value in now.items() if value != before[name]]

    def make_audit(self, request: Request) -> Response:
        online = request.scope[FORM].get("online") == "yes" and self._pages.review.may_send
        return self._pages.begin("Auditing the draft", "/audit", partial(self._audit, online=online))

    def _audit(self, run: Run, *, online: bool = False) -> tuple[str, Sequence[Finding]]:
        review = self._pages.review
        root = review.project.root
        inputs = audit_inputs(root, review.chosen)  # before it is made: what changes meanwhile counts as changed
        chosen = review.online if online else review.chosen
        self._audited = run.in_process("audit", root=root, chosen=chosen, online=online), inputs
        return "", ()
