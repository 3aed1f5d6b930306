"""The pages of questions: the conversation, the passage behind a citation, and a sentence put into the draft."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from citeplug.ask.answer_passages import passage_of
from citeplug.ask.draft_paragraphs import paragraph_named, paragraphs_of
from citeplug.ask.markdown import place_of
from citeplug.ask.refusal import looked_through
from citeplug.ask.run import LONGEST_QUESTION, checked_question
from citeplug.corpus.fulltext.paper_pdf import with_pdf
from citeplug.errors import CiteplugError
from citeplug.records.answer import Answer
from citeplug.web.asking import (
    Asking,
    citation_numbered,
    own_bib_files,
    sentence_numbered,
    turn_numbered,
)
from citeplug.web.frame import PageFrame
from citeplug.web.guard import FORM

_MEANING = {
    "quoted": "verbatim from its source",
    "supported": "checked: nothing speaks against it",
    "weak": "weak: nobody has compared it with its sources",
    "conflict": "conflict: another source gives another answer",
}


class AskPages:
    """The handlers; `pages` renders them."""

    def __init__(self, pages: PageFrame, asking: Asking) -> None:
        self._pages = pages
        self._asking = asking
        pages.templates.globals |= {
            "place_of": place_of,
            "looked_through": looked_through,
            "meaning": _meaning,
            "titles": _titles,
        }

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/ask": self.conversation, "/ask/insert": self.insertion}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/ask": self.ask, "/ask/new": self.begin, "/ask/insert": self.insert}

    def conversation(self, request: Request, error: CiteplugError | None = None) -> Response:
        project = self._pages.review.project
        turns = self._asking.conversation(project).turns
        query: Any = request.query_params
        passage = None
        if "citation" in query:
            answer = turn_numbered(turns, query.get("turn", ""))
            citation = citation_numbered(answer, query.get("sentence", ""), query["citation"])
            passage = passage_of(citation, answer, self._pages.review.chosen)
        return self._pages.render(
            "ask.html",
            request,
            error,
            project=project,
            turns=turns,
            shown=(query.get("turn"), query.get("sentence"), query.get("citation")),
            passage=passage,
            has_pdf=passage is not None and bool(with_pdf([passage.citation.paper], self._pages.review.chosen)),
            offer=self._asking.offer(),
            pending=self._asking.pending,
            longest=LONGEST_QUESTION,
            question=request.scope.get(FORM, {}).get("question", "") if error else "",
        )

    def ask(self, request: Request) -> Response:
        form = request.scope[FORM]
        checked_question(form["question"])
        work = partial(
            self._asking.ask,
            project=self._pages.review.project,
            question=form["question"],
            by_model=form.get("by") == "model",
            consent=form.get("consent", ""),
        )
        return self._pages.begin("Your question", "/ask", work)

    def begin(self, request: Request) -> Response:
        self._asking.begin(self._pages.review.project)
        return self._pages.go("/ask", done=self._pages.once("new"))

    def insertion(self, request: Request, error: CiteplugError | None = None) -> Response:
        """The choice of a paragraph for a sentence, and with one the lines that would change."""
        project = self._pages.review.project
        given: Mapping[str, str] = request.scope.get(FORM, request.query_params)
        turn, number = given.get("turn", ""), given.get("sentence", "")
        answer = turn_numbered(self._asking.conversation(project).turns, turn)
        sentence = sentence_numbered(answer, number)
        bibs = {path.name: path for path in own_bib_files(project)}
        bib = bibs.get(given.get("bib", ""), next(iter(bibs.values())))
        preview = None
        if given.get("paragraph") and error is None:
            paragraph = paragraph_named(project, given["paragraph"])
            preview = self._asking.insert(answer, sentence, paragraph, bib, dry_run=True)
        return self._pages.render(
            "insert.html",
            request,
            error,
            project=project,
            turn=turn,
            number=number,
            sentence=sentence,
            paragraphs=paragraphs_of(project),
            paragraph=given.get("paragraph", ""),
            bibs=list(bibs),
            bib=bib.name,
            preview=preview,
        )

    def insert(self, request: Request) -> Response:
        form = request.scope[FORM]
        project = self._pages.review.project
        answer = turn_numbered(self._asking.conversation(project).turns, form["turn"])
        sentence = sentence_numbered(answer, form["sentence"], form["words"])
        paragraph = paragraph_named(project, form["paragraph"])
        bibs = {path.name: path for path in own_bib_files(project)}
        bib = bibs.get(form.get("bib", ""), next(iter(bibs.values())))
        insert = partial(self._asking.insert, answer, sentence, paragraph, bib, dry_run=False)
        self._pages.review.insert(insert)
        fragment = f"#turn-{int(form['turn'])}"
        return self._pages.go("/ask", fragment, done=self._pages.once("insert"), turn=form["turn"])


def _titles(answer: Answer) -> dict[str, str]:
    return {text.id: text.title for text in answer.looked_through}


def _meaning(status: str, doubt: str = "") -> str:
    """The status of a sentence of an answer in words."""
    if doubt and status in ("weak", "conflict"):
        return f"{status}: {doubt}"
    return _MEANING[status]
