"""The pages of a review, and its forms: each form one action, then the page again."""

import functools
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from citeplug.errors import CiteplugError
from citeplug.faces.web.ask_pages import AskPages
from citeplug.faces.web.guard import FORM, Secrets
from citeplug.faces.web.history_pages import HistoryPages
from citeplug.faces.web.pdf_pages import PdfPages
from citeplug.faces.web.reviewing import Reviewing
from citeplug.faces.web.run_pages import RunPages
from citeplug.faces.web.runs import WAIT, Work
from citeplug.faces.web.search_pages import SearchPages
from citeplug.faces.web.typed import Typed
from citeplug.files.atomic import unexpected
from citeplug.project.author_files import read_or_none
from citeplug.records.provenance import Status
from citeplug.section_file import edit
from citeplug.text.identifiers import as_arxiv_id
from citeplug.usecases.paper_pdf import with_pdf
from citeplug.usecases.review import Piece, ReviewedParagraph, ReviewedSection, sources_of
from citeplug.usecases.status import REASONS, state_of

_MOST_SAID = 100
_HERE = Path(str(files("citeplug.faces.web")))
_STATUSES: Mapping[str, Status] = {"accept": "accepted", "reject": "rejected", "unreview": "unreviewed"}
_STATIC: Mapping[str, str] = {
    "review.css": "text/css",
    "ask.css": "text/css",
    "review.js": "text/javascript",
    "run.js": "text/javascript",
    "drag.js": "text/javascript",
    "pdf.css": "text/css",
    "pdf.js": "text/javascript",
    "pdfjs/pdf.min.mjs": "text/javascript",
    "pdfjs/pdf.worker.min.mjs": "text/javascript",
}
# What is said once after an action.
_SAID: Mapping[str, str] = {
    "accept": "The sentence is accepted.",
    "reject": "The sentence is out of the section, and will not be written again.",
    "unreview": "The sentence is unreviewed again.",
    "edit": "The sentence is changed; it is yours now.",
    "move": "The paragraph is moved.",
    "plan": "The plan is changed. The text follows when the section is written again.",
    "delete": "The paragraph is deleted.",
    "undo": "The last change is taken back.",
    "choose": "The choice is in citeplug.toml. It counts when the section is written again.",
    "fix": "The corrections are made.",
    "insert": "The sentence is in the draft, and its entry in the .bib file.",
    "new": "A new conversation begins with your next question.",
}


@dataclass(frozen=True, slots=True)
class Selected:
    """The sentence that is looked at: its name in the page (`p1.2`), its paragraph, and itself."""

    name: str
    paragraph: ReviewedParagraph
    piece: Piece


class Pages:
    """The application. Nothing that a client sends is a path or becomes one."""

    def __init__(self, review: Reviewing, known: Secrets) -> None:
        self.review = review
        self.known = known
        self._said: dict[str, str] = {}  # actions whose page has not been shown yet, by a name of each
        self.templates = Environment(
            loader=FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals |= {"arxiv": _arxiv, "sentences": sentences_of, "new_id": partial(secrets.token_hex, 4)}
        self.asking = AskPages(self, review.asking)
        self.running = RunPages(self, review.runs)
        self.searching = SearchPages(self)
        self.history = HistoryPages(self)
        self.pdf = PdfPages(self, review.asking)

    def application(self) -> Starlette:
        get: dict[str, Callable[[Request], Response]] = {
            "/": self.section,
            "/papers": self.papers,
            "/entries": self.entries,
            "/export": self.export,
            "/changed.zip": self.changed,
            "/stamp": self.stamp,
            "/favicon.ico": lambda request: Response(status_code=204),
            **{f"/static/{name}": partial(_static, name) for name in _STATIC},
            **self.asking.get,
            **self.running.get,
            **self.searching.get,
            **self.history.get,
            **self.pdf.get,
        }
        post = {
            "/accept": self._marks("accept"),
            "/reject": self._marks("reject"),
            "/unreview": self._marks("unreview"),
            "/reword": self._edits(
                "edit", lambda f: partial(edit.set_sentence, new=f["new"], at=_place(f), **_words(f))
            ),
            "/up": self._edits("move", lambda f: partial(edit.move_paragraph, name=f["p"], by=-1)),
            "/down": self._edits("move", lambda f: partial(edit.move_paragraph, name=f["p"], by=1)),
            "/move": self._edits(
                "move", lambda f: partial(edit.place_paragraph, name=f["p"], before=f.get("before") or None)
            ),
            "/delete": self._edits("delete", lambda f: partial(edit.delete_paragraph, **_words(f))),
            "/heading": self._edits("plan", lambda f: partial(edit.set_heading, heading=f["new"], **_words(f))),
            "/add": self._edits("plan", lambda f: partial(edit.add_paragraph, heading=f["heading"], line=f["line"])),
            "/line/add": self._edits("plan", lambda f: partial(edit.add_line, name=f["p"], new=f["new"])),
            "/line/save": self._edits("plan", lambda f: partial(edit.set_line, new=f["new"], **_line(f))),
            "/line/delete": self._edits("plan", lambda f: partial(edit.delete_line, **_line(f))),
            "/line/up": self._edits("plan", lambda f: partial(edit.move_line, by=-1, **_line(f))),
            "/line/down": self._edits("plan", lambda f: partial(edit.move_line, by=1, **_line(f))),
            "/line/move": self._edits("plan", lambda f: partial(edit.place_line, to=_number(f["to"]), **_line(f))),
            "/undo": self._act("undo", lambda form: self.review.undo()),
            "/write": lambda request: self.begin("The section", "/", self.review.write),
            "/write/deep": lambda request: self.begin("The section", "/", partial(self.review.write, deep=True)),
            "/deep": lambda request: self.begin("Deep Research", "/papers", self.review.research),
            "/choose": self._act("choose", lambda form: self.review.choose(form["id"], form["choice"]), "/papers"),
            "/fix": self._act("fix", lambda form: self.review.fix(), "/entries"),
            **self.asking.post,
            **self.running.post,
            **self.searching.post,
        }
        routes = [Route(path, _answering(self, made), methods=["GET"]) for path, made in get.items()]
        routes += [Route(path, _answering(self, made), methods=["POST"]) for path, made in post.items()]
        return Starlette(routes=routes)

    def section(self, request: Request, error: CiteplugError | None = None) -> Response:
        project = self.review.project
        section = self.review.section(project)
        typed = _typed(request, error)
        at = request.query_params.get("at") or request.scope.get(FORM, {}).get("at")
        selected = _selected(section, at, typed)
        recorded = selected.piece.sentence if selected else None
        in_page = typed.in_page(section, selected.piece if selected else None)
        sources = sources_of(section, recorded, self.review.chosen) if recorded else []
        return self.render(
            "section.html",
            request,
            error,
            section=section,
            selected=selected,
            plan=request.query_params.get("plan"),
            sources=sources,
            pdfs=with_pdf({each.source.arxiv_id for each in sources if each.source.arxiv_id}, self.review.chosen),
            names={
                piece.sentence.place: name
                for paragraph in section.paragraphs
                for name, piece in sentences_of(paragraph)
                if piece.sentence is not None
            },
            changed=[REASONS[each] for each in state_of(project).changed],
            project=project,
            typed=typed if in_page else Typed(),
            lost=() if in_page else typed.texts,
        )

    @staticmethod
    def piece_named(section: ReviewedSection, name: str) -> Piece | None:
        """The sentence with a name in the page."""
        named = (each for paragraph in section.paragraphs for each in sentences_of(paragraph))
        return next((piece for found, piece in named if found == name), None)

    def papers(self, request: Request, error: CiteplugError | None = None) -> Response:
        chosen = self.review.choices()
        return self.render("papers.html", request, error, listing=self.review.papers(), chosen=chosen)

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
        path = request.url.path
        page = {
            "/choose": self.papers,
            "/papers": self.papers,
            "/fix": self.entries,
            "/ask": self.asking.conversation,
            "/ask/insert": self.asking.insertion,
            "/search": self.searching.results,
            "/search/choose": self.searching.results,
        }.get(path, self.section)
        try:
            if request.method == "POST":
                return page(request, error)
        except CiteplugError:
            pass  # the page itself cannot be made: the reason of the action alone is shown
        return self.render("failed.html", request, error, readable=False)

    def begin(self, what: str, page: str, work: Work) -> Response:
        """Begin a run; the page of its result if that comes soon, else that of its progress."""
        run = self.review.runs.begin(what, page, work, WAIT)
        return RedirectResponse(page if run.ended.is_set() else "/run", 303)

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
        said = _SAID.get(self._said.pop(request.query_params.get("done", ""), ""), "")
        run = self.review.runs.last
        page = self.templates.get_template(name).render(
            token=self.known.form,
            at=values["selected"].name if values.get("selected") else "",
            root=project.root.name if project else self.review.name,
            zip_name=self.review.zip_name,
            undoable=self.review.undoable,
            stamp=self.review.stamp(project) if project else "",
            said=said,
            error=error,
            page=name.removesuffix(".html"),
            run=run,
            **{"lost": _typed(request, error).texts, **values},
        )
        if run is not None and run.state != "on" and not run.error and not run.findings:
            self.review.runs.dismiss()  # it is said once
        return HTMLResponse(page, 409 if error else 200)

    def _marks(self, what: str) -> Callable[[Request], Response]:
        status = _STATUSES[what]
        return self._act(what, lambda form: self.review.mark(what, form["p"], form["words"], status, _place(form)))

    def _edits(
        self, what: str, change: Callable[[Mapping[str, str]], Callable[[str], str]]
    ) -> Callable[[Request], Response]:
        return self._act(what, lambda form: self.review.edit(what, change(form)))

    def _act(
        self, what: str, action: Callable[[Mapping[str, str]], object], back: str = "/"
    ) -> Callable[[Request], Response]:
        def act(request: Request) -> Response:
            form = request.scope[FORM]
            action(form)
            at = form.get("at", "")
            shown = {"done": self.once(what), "at": at, "plan": form.get("p", "") if what == "plan" else ""}
            query = urlencode({name: value for name, value in shown.items() if value})
            return RedirectResponse(f"{back}?{query}" + (f"#{at}" if at.replace(".", "").isalnum() else ""), 303)

        return act


def sentences_of(paragraph: ReviewedParagraph) -> list[tuple[str, Piece]]:
    """The sentences of a paragraph, generated or not, with their names in the page, such as `p1.2`."""
    pieces = [piece for piece in paragraph.pieces if piece.kind in ("generated", "own")]
    return [(f"{paragraph.id}.{number}", piece) for number, piece in enumerate(pieces, 1)]


def _typed(request: Request, error: CiteplugError | None) -> Typed:
    return Typed(request.url.path, request.scope.get(FORM, {})) if error else Typed()


def _selected(section: ReviewedSection, at: str | None, typed: Typed) -> Selected | None:
    """The sentence that was typed anew, wherever it is now; else that of the name `at`, or the one before it.

    Without a name it is the first to be reviewed.
    """
    found = [
        Selected(name, paragraph, piece) for paragraph in section.paragraphs for name, piece in sentences_of(paragraph)
    ]
    meant = [each for each in found if each.paragraph.id == typed.fields.get("p") and typed.is_about(each.piece)]
    if meant:
        return next((each for each in meant if str(each.piece.at) == typed.fields.get("place")), meant[0])
    here, _, number = (at or "").rpartition(".")
    same = [each for each in found if each.paragraph.id == here]
    if same and number.isdecimal() and len(number) < 5:
        return same[min(max(int(number), 1), len(same)) - 1]
    waiting = (each for each in found if each.piece.sentence and each.piece.sentence.status == "unreviewed")
    return next(waiting, found[0] if found else None)


def _words(form: Mapping[str, str]) -> dict[str, Any]:
    return {"name": form["p"], "was": form["was"]}


def _line(form: Mapping[str, str]) -> dict[str, Any]:
    return {**_words(form), "number": _number(form["number"])}


def _place(form: Mapping[str, str]) -> int | None:
    return _number(form["place"]) if "place" in form else None


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def _arxiv(value: str | None) -> str | None:
    """The address of a paper at arXiv; None for another kind of id."""
    found = as_arxiv_id(value or "")
    return found and f"https://arxiv.org/abs/{found}"


def _static(name: str, request: Request) -> Response:
    return Response((_HERE / "static" / name).read_bytes(), media_type=_STATIC[name])


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
