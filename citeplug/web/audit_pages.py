"""The audit in the review page: made when it is first looked at, and again on request; what to do about a finding."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from citeplug.audit.inputs import audit_inputs
from citeplug.bib.cite import is_generated
from citeplug.bib.compare.duplicates import match_existing
from citeplug.errors import ChangedMeanwhile, CiteplugError, UsageError
from citeplug.latex.project import read_draft
from citeplug.project.author_files import read_or_none
from citeplug.records.audit import Audit
from citeplug.records.finding import Finding
from citeplug.records.rules import RULES
from citeplug.records.work import Service
from citeplug.text.scanning import newline_of
from citeplug.web.audit_file import audit_values, path_in
from citeplug.web.frame import PageFrame, services_in
from citeplug.web.guard import FORM
from citeplug.web.runs import Run

_AROUND = 150  # lines shown on each side of one


def lines_around(text: str, request: Request) -> dict[str, Any]:
    """The number of the line that is asked for, and the numbered lines of a text that are shown with it."""
    typed = request.query_params.get("line", "")
    number = int(typed) if typed.isdecimal() and len(typed) < 9 else 1
    return {
        "number": number,
        "lines": list(enumerate(text.splitlines(), 1))[max(number - _AROUND, 0) : number + _AROUND],
    }


class AuditPages:
    """The handlers; `pages` renders them. The last audit stays until the next one."""

    def __init__(self, pages: PageFrame) -> None:
        self._pages = pages
        self._audited: tuple[dict[str, Any], Mapping[str, object]] | None = None  # and what it was made of
        self._ignored: set[tuple[str, str, str]] = set()  # code, file and line's text

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/audit": self.audit, "/draft": self.draft}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        act, review = self._pages.act, self._pages.review
        return {
            "/audit": self.make_audit,
            "/audit/choose": act("choose", self._same(lambda f: review.choose(f["id"], f["choice"])), "/audit"),
            "/audit/cite": act("cite", self._same(lambda f: review.cite(f["id"])), "/audit"),
            "/audit/ignore": act("ignore", self._ignore, "/audit"),
        }

    def audit(self, request: Request, error: CiteplugError | None = None) -> Response:
        pages = self._pages
        waiting = None if self._audited else pages.wait_for("Auditing the draft", "/audit", request, self._audit)
        if waiting is not None:
            return waiting
        may_send = pages.review.may_send
        if self._audited is None:  # another run is on
            return pages.render("audit.html", request, error, audit=None, changed=[], may_send=may_send)
        values, inputs = self._audited
        return pages.render(
            "audit.html",
            request,
            error,
            changed=self._changed(inputs),
            may_send=may_send,
            **{**values, "acts": True},
            **self._choices([work.paper for name in ("missing", "perhaps", "newer") for work in values[name]]),
        )

    def _choices(self, papers: Sequence[Any]) -> dict[str, Any]:
        """What the author has decided since on the papers that are offered, and on the findings."""
        review = self._pages.review
        try:
            draft = read_draft(review.project.root)
        except CiteplugError:
            return {"chosen": {}, "keys": {}, "can_cite": False, "ignored": self._ignored}
        keys = match_existing(papers, draft.entries, draft.cites)
        can_cite = any(path.is_file() and not is_generated(path) for path in draft.bib_files)
        return {"chosen": review.choices(), "keys": keys, "can_cite": can_cite, "ignored": self._ignored}

    def _lines(self) -> Callable[[Path, int | None], str]:
        """The text of a line as it is now; empty in what citeplug wrote, where no comment may be put."""
        where = self._pages.review.project.where
        files = [file for file in self._files().values() if file not in (where.tex, where.bib)]
        lines = {file: (read_or_none(file) or "").splitlines() for file in files}

        def line_of(file: Path, number: int | None) -> str:
            known = lines.get(file, [])
            return known[number - 1].strip() if number and 0 < number <= len(known) else ""

        return line_of

    def draft(self, request: Request) -> Response:
        """A file of the draft as it is on the disk, with one of its lines marked."""
        files = self._files()
        name = request.query_params.get("file", "")
        if name not in files:
            raise UsageError("the draft has no such file", "open the audit again")
        text = read_or_none(files[name], self._pages.review.project.encoding) or ""
        return self._pages.render("draft.html", request, None, file=name, back="/audit", **lines_around(text, request))

    def _files(self) -> dict[str, Path]:
        """The files of the draft by the names that the page has for them."""
        draft = read_draft(self._pages.review.project.root)
        folder = draft.root.parent
        paths = [*(folder / name for name in draft.files), *draft.bib_files]
        return {path_in(path, folder): path for path in paths}

    def _same(self, action: Callable[[Mapping[str, str]], object]) -> Callable[[Mapping[str, str]], object]:
        """The action; an audit that is up to date stays so, as what was decided is shown in it."""

        def act(form: Mapping[str, str]) -> None:
            is_current = self._audited is not None and not self._changed(self._audited[1])
            action(form)
            if self._audited is not None and is_current:
                review = self._pages.review
                self._audited = self._audited[0], audit_inputs(review.project.root, review.chosen)

        return act

    def _ignore(self, form: Mapping[str, str]) -> None:
        """Put the comment above the line that a finding is on by which it is ignored there."""
        code, name, was, number = form["code"], form["file"], form["was"], form["line"]
        file = self._files().get(name)
        if file is None or code not in RULES or not number.isdecimal() or len(number) > 8:
            raise UsageError("there is no such finding", "open the audit again")
        mark = (code, name, was)

        def change(text: str) -> str:
            lines = text.splitlines(keepends=True)
            same = [at for at, line in enumerate(lines) if line.strip() == was]
            if not same:
                raise ChangedMeanwhile(f"{name} has changed, so nothing was put into it", "audit again")
            at = min(same, key=lambda at: abs(at + 1 - int(number)))
            return "".join([*lines[:at], f"% citeplug: ignore {code}{newline_of(text)}", *lines[at:]])

        self._pages.review.change_file("ignore", file, change, on_undo=lambda: self._ignored.discard(mark))
        self._ignored.add(mark)

    def _changed(self, before: Mapping[str, object]) -> list[str]:
        """What is not as it was when the audit was made; a draft that cannot be read has changed."""
        review = self._pages.review
        try:
            now = audit_inputs(review.project.root, review.chosen)
        except CiteplugError:
            return ["the draft"]
        return [name for name, value in now.items() if value != before[name]]

    def make_audit(self, request: Request) -> Response:
        form = request.scope[FORM]
        online = bool(form.get("online")) and self._pages.review.may_send
        services = services_in(form) if online else ()
        return self._pages.begin("Auditing the draft", "/audit", partial(self._audit, online=online, services=services))

    def _audit(
        self, run: Run, *, online: bool = False, services: Sequence[Service] = ()
    ) -> tuple[str, Sequence[Finding]]:
        review = self._pages.review
        root = review.project.root
        inputs = audit_inputs(root, review.chosen)  # before it is made: what changes meanwhile counts as changed
        settings = review.online if online else review.chosen
        audit: Audit = run.in_process("audit", root=root, settings=settings, online=online, services=services)
        self._audited = {**audit_values(audit), "line_of": self._lines()}, inputs
        self._ignored.clear()
        return "", ()
