"""What all pages of one project share: its review, their addresses, how they are rendered, and how actions end."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from citeplug.errors import CiteplugError
from citeplug.records.paper import Paper, shown_id
from citeplug.records.provenance import RecordedSource
from citeplug.records.work import Service
from citeplug.related.section.accept import is_summary
from citeplug.related.section.review import ReviewedParagraph, ReviewedPiece, ReviewedSection
from citeplug.settings.hosts import shown
from citeplug.text.identifiers import as_arxiv_id
from citeplug.web.assets import templates
from citeplug.web.guard import FORM, SHOWN, Secrets
from citeplug.web.reviewing import Reviewing
from citeplug.web.runs import WAIT, Work

_DONE = "citeplug.done"
_MOST_SAID = 100
# Those that do not say how a run ended.
_SILENT = ("part.html", "near.html", "progress.html", "titles.html", "unsourced.html")
# What is said once after an action.
_SAID: Mapping[str, str] = {
    "accept": "The sentence was accepted.",
    "reject": "The sentence was removed, and will not be written again.",
    "unreview": "The sentence is to be reviewed again.",
    "edit": "The sentence was changed; it is yours now.",
    "move": "The paragraph was moved.",
    "plan": "The plan was changed. The text will follow when the section is next written.",
    "delete": "The paragraph was deleted.",
    "undo": "The last change was undone.",
    "choose": "Saved in citeplug.toml. It takes effect when the section is next written.",
    "fix": "The corrections were made.",
    "cite": "Its entry was added to your .bib file. Copy the citation from here.",
    "ignore": "Ignored, by a comment above that line.",
    "insert": "The sentence was added to the draft, and its entry to the .bib file.",
    "remove": "Removed. It will no longer be searched.",
    "new": "A new conversation begins with your next question.",
}
# The fields of each form that an author types into, and their labels.
_FIELDS: Mapping[str, Mapping[str, str]] = {
    "/reword": {"new": "The sentence"},
    "/heading": {"new": "Heading"},
    "/add": {"heading": "Heading", "line": "First plan line"},
    "/line/add": {"new": "New line"},
    "/line/save": {"new": "Plan line"},
    "/line/cite": {"paper": "Paper"},
}


@dataclass(frozen=True, slots=True)
class Typed:
    """A refused form, by its address; without one nothing was typed."""

    path: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def texts(self) -> list[tuple[str, str]]:
        """What was typed, with the labels of its fields."""
        labels = _FIELDS.get(self.path, {})
        return [(label, self.fields[name]) for name, label in labels.items() if self.fields.get(name, "").strip()]

    def of(self, path: str, **names: object) -> bool:
        """True if it is this form, with these values in its fields."""
        return self.path == path and all(self.fields.get(name) == str(value) for name, value in names.items())

    def in_page(self, section: ReviewedSection, selected: ReviewedPiece | None) -> bool:
        """True if the section's page has a field for it; `selected` is the sentence that is looked at."""
        if self.path == "/add":
            return bool(section.paragraphs)
        if self.path == "/reword":
            # A generated sentence with other words is another one: that which was meant is gone.
            return selected is not None and (selected.sentence is None or self.is_about(selected))
        named = [
            paragraph for paragraph in section.paragraphs if paragraph.id == self.fields.get("p") and paragraph.is_whole
        ]
        return bool(named) and (self.path not in ("/line/save", "/line/cite") or self._has_line(named[0]))

    def is_about(self, piece: ReviewedPiece) -> bool:
        """True for the new words of a sentence whose words are still as they were."""
        return self.path == "/reword" and piece.tex.split() == self.fields.get("was", "").split()

    def _has_line(self, paragraph: ReviewedParagraph) -> bool:
        return self.fields.get("number", "") in map(str, range(1, len(paragraph.lines) + 1))


class PageFrame:
    """What the pages of a project stand in.

    The address of each begins with `base`; `several` says whether other projects have pages beside them. Handlers name
    addresses as they are after `base`, and lead to one with `go`; in templates they stand behind `{{ base }}`.
    `changed_part` answers a script that acted on the section it shows.
    """

    changed_part: Callable[[Request], Response]

    def __init__(self, review: Reviewing, known: Secrets, base: str, *, several: Callable[[], bool]) -> None:
        self.review = review
        self.known = known
        self.base = base
        self._said: dict[str, str] = {}  # actions whose page has not been shown yet, by a name of each
        self.templates = templates()
        self.templates.globals |= {
            "arxiv": _arxiv,
            "shown_id": shown_id,
            "base": base,
            "new_id": partial(secrets.token_hex, 4),
            "several": several,
            "text_of": _text_of,
        }
        self.templates.tests["is_record"] = lambda name: ".citeplug/" in name

    @property
    def arxiv_host(self) -> str | None:
        """The host that forms name where they send something to arXiv; None if nothing may be sent."""
        review = self.review
        return urlsplit(shown(review.chosen.arxiv_url)).netloc if review.may_send else None

    def begin(self, what: str, page: str, work: Work) -> Response:
        """Begin a run; the page of its result if that comes soon, else that of its progress."""
        run = self.review.runs.begin(what, page, work, WAIT)
        return self.go(page if run.ended.is_set() else "/run")

    def wait_for(self, what: str, page: str, request: Request, work: Work) -> Response | None:
        """Make in a run what a page shows; the page of its progress, or None if nothing is to be waited for.

        What was never read before takes seconds. Raises what stopped the run before.
        """
        runs = self.review.runs
        run = runs.last
        if run is None or run.what != what or run.state == "done":
            if runs.is_on:
                return None  # of another kind: the page does not wait for it
            done = request.query_params.get("done", "")  # what is said once waits for the page
            run = runs.begin(what, page + (f"?{urlencode({'done': done})}" if done else ""), work, WAIT)
        if run.state == "on":
            return self.go("/run")
        if run.state == "done":
            return None
        runs.dismiss()
        if run.error is not None:
            raise run.error
        return self.go("/")  # it was cancelled

    def go(self, address: str, fragment: str = "", **query: str) -> Response:
        """Lead the browser to an address of the project, with those of the query that are not empty."""
        encoded = urlencode({name: value for name, value in query.items() if value})
        before = "&" if "?" in address else "?"
        return RedirectResponse(self.base + address + (before + encoded if encoded else "") + fragment, 303)

    def path(self, request: Request) -> str:
        """The address of a request, after `base`."""
        return request.url.path.removeprefix(self.base)

    def typed(self, request: Request, error: CiteplugError | None) -> Typed:
        """What was typed into the form that is refused with `error`."""
        return Typed(self.path(request), request.scope.get(FORM, {})) if error else Typed()

    def once(self, what: str) -> str:
        """A name for what was done: the page that is asked for with it in `done` says it, once."""
        name = secrets.token_hex(8)
        self._said[name] = what
        for old in list(self._said)[:-_MOST_SAID]:
            self._said.pop(old, None)
        return name

    def render(
        self, name: str, request: Request, error: CiteplugError | None, *, readable: bool = True, **values: Any
    ) -> Response:
        project = (values.get("project") or self.review.project) if readable else None
        page_name = "section" if name == "parts.html" else name.removesuffix(".html")
        done = self._said.pop(request.query_params.get("done", ""), "") or request.scope.get(_DONE, "")
        run = self.review.runs.last
        page = self.templates.get_template(name).render(
            token=self.known.form,
            at=values["selected"].name if values.get("selected") else "",
            root=project.root.name if project else self.review.name,
            title=self.review.title,
            zip_name=self.review.zip_name,
            undoable=self.review.undoable,
            said=_SAID.get(done, ""),
            error=error,
            page=page_name,
            run=run,
            **{"lost": self.typed(request, error).texts, "stamp": "", **values},
        )
        if run is not None and run.state != "on" and name not in _SILENT:
            run.told = True
            if run.is_of(page_name) and not run.error and not run.findings:
                self.review.runs.dismiss()  # it is said once
        return HTMLResponse(page, 409 if error else 200)

    def act(
        self, what: str, action: Callable[[Mapping[str, str]], object], back: str = "/"
    ) -> Callable[[Request], Response]:
        """A handler that does an action, and leads back to its page, which says what was done.

        A script is answered at once with what has changed in the section that it shows.
        """

        def act(request: Request) -> Response:
            form = request.scope[FORM]
            action(form)
            if back == "/" and SHOWN in request.headers:
                request.scope[_DONE] = what
                return self.changed_part(request)
            at = form.get("at", "")
            fragment = f"#{at}" if at.replace(".", "").isalnum() else ""
            plan = _left_open(form) if what == "plan" else ""
            return self.go(back, fragment, done=self.once(what), at=at, plan=plan)

        return act


def services_in(form: Mapping[str, str]) -> tuple[Service, ...]:
    """The services beside arXiv that a form on checking asks, which says what they get."""
    return ("crossref",) if form.get("online") == "crossref" else ()


def saved(name: str, content: str | bytes, kind: str) -> Response:
    """A file that the browser saves under this name."""
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(content, media_type=kind, headers=headers)


def _left_open(form: Mapping[str, str]) -> str:
    """The part of the plan that a change leaves open: the line whose papers changed, or the paragraph."""
    paragraph, line = form.get("p", ""), form.get("number")
    if "paper" in form:
        return f"{paragraph}.{line or ''}"
    return paragraph if line is None else ""


def _text_of(source: RecordedSource, paper: Paper | None) -> str:
    """What the text is that a source's words are from; a summary by others stands in place of some abstracts."""
    if source.of == "abstract" and paper is not None and not paper.id.on_arxiv:
        return paper.quoted_text.removeprefix("the ")
    return "summary" if is_summary(source, paper) else source.of


def _arxiv(value: str | None) -> str | None:
    """The address of a paper at arXiv; None for another kind of id."""
    identifier = as_arxiv_id(value or "")
    return identifier and f"https://arxiv.org/abs/{identifier}"
