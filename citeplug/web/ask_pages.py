"""The pages of questions: the conversation, the passage behind a citation, and a sentence put into the draft."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from citeplug.ask.added import KINDS
from citeplug.ask.cited_passages import ShownPassage, passage_of
from citeplug.ask.draft_paragraphs import paragraph_named, paragraphs_of
from citeplug.ask.insertion import Inserted, InsertionPoint, insert_sentence
from citeplug.ask.retrieval import LONGEST_QUESTION, checked_question
from citeplug.ask.shown import as_shown, looked_through, place_of, status_in_words
from citeplug.corpus.fulltext.paper_pdf import with_pdf
from citeplug.errors import CiteplugError, UsageError
from citeplug.project.any_draft import read_any_draft
from citeplug.related.section.in_print import names_of
from citeplug.text.people import named_works
from citeplug.web.asking import PageQuestions, citation_numbered, own_bib_files, sentence_numbered, turn_numbered
from citeplug.web.frame import PageFrame
from citeplug.web.guard import FORM

_MEANING = {"quoted": "in its source’s words", "supported": "checked: nothing speaks against it"}


class AskPages:
    """The handlers; `pages` renders them."""

    def __init__(self, pages: PageFrame, asking: PageQuestions) -> None:
        self._pages = pages
        self._asking = asking
        pages.templates.globals |= {
            "as_shown": as_shown,
            "place_of": place_of,
            "looked_through": looked_through,
            "meaning": lambda sentence: _MEANING.get(sentence.status) or status_in_words(sentence),
            "titles": lambda answer: {text.id: text.title for text in answer.looked_through},
        }

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/ask": self.conversation, "/ask/insert": self.insertion}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {
            "/ask": self.ask,
            "/ask/new": self.begin,
            "/ask/open": self.go_on,
            "/ask/add": self.add,
            "/ask/remove": self.remove,
            "/ask/insert": self.insert,
        }

    def conversation(self, request: Request, error: CiteplugError | None = None) -> Response:
        project = self._pages.review.project
        turns = self._asking.turns(project)
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
            has_pdf=passage is not None and self._has_pdf(passage),
            added=self._asking.additions(project).all(),
            kinds=",".join(KINDS),
            arxiv_host=self._pages.arxiv_host,
            earlier=self._asking.earlier(project),
            offer=self._asking.offer(),
            pending=self._asking.pending,
            notes=self._asking.notes,
            in_names=partial(named_works, names=names_of(read_any_draft(project.root).entries)),
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
            added_alone=form.get("of") == "added",
        )
        return self._pages.begin("Your question", "/ask", work)

    def begin(self, request: Request) -> Response:
        self._asking.begin(self._pages.review.project)
        return self._pages.go("/ask", done=self._pages.once("new"))

    def go_on(self, request: Request) -> Response:
        self._asking.go_on(self._pages.review.project, request.scope[FORM]["name"])
        return self._pages.go("/ask")

    def add(self, request: Request) -> Response:
        review, form = self._pages.review, request.scope[FORM]
        address = form.get("arxiv", "")
        if not (form.files or address.strip()):
            raise UsageError("nothing was chosen", "choose a file, or give an address or id of arXiv's")
        online = review.online if form.get("online") == "yes" and review.may_send else None
        work = partial(self._asking.add, project=review.project, files=form.files, address=address, online=online)
        return self._pages.begin("Your texts", "/ask", work)

    def remove(self, request: Request) -> Response:
        self._asking.additions(self._pages.review.project).remove(request.scope[FORM]["text"])
        return self._pages.go("/ask", done=self._pages.once("remove"))

    def _has_pdf(self, passage: ShownPassage) -> bool:
        review, paper = self._pages.review, passage.citation.paper
        return bool(self._asking.added_pdf(review.project, paper) or with_pdf([paper], review.chosen))

    def insertion(self, request: Request, error: CiteplugError | None = None) -> Response:
        """The choice of a paragraph for a sentence, and with one the lines that would change."""
        project = self._pages.review.project
        form: Mapping[str, str] = request.scope.get(FORM, request.query_params)
        turn, number, paragraph = form.get("turn", ""), form.get("sentence", ""), form.get("paragraph", "")
        answer = turn_numbered(self._asking.turns(project), turn)
        sentence = sentence_numbered(answer, number)
        bibs, bib = self._bibs(form)
        preview = self._inserted(form, dry_run=True) if paragraph and error is None else None
        return self._pages.render(
            "insert.html",
            request,
            error,
            project=project,
            turn=turn,
            number=number,
            sentence=sentence,
            passages=[passage_of(citation, answer, self._pages.review.chosen) for citation in sentence.citations],
            paragraphs=paragraphs_of(project),
            paragraph=paragraph,
            bibs=list(bibs),
            bib=bib.name,
            preview=preview,
        )

    def insert(self, request: Request) -> Response:
        form = request.scope[FORM]
        self._pages.review.insert(partial(self._inserted, form, dry_run=False))
        fragment = f"#turn-{int(form['turn'])}"
        return self._pages.go("/ask", fragment, done=self._pages.once("insert"), turn=form["turn"])

    def _bibs(self, form: Mapping[str, str]) -> tuple[dict[str, Path], Path]:
        """The .bib files by name, and the one that is chosen. Raises UsageError if there is none."""
        bibs = {path.name: path for path in own_bib_files(self._pages.review.project)}
        return bibs, bibs.get(form.get("bib", ""), next(iter(bibs.values())))

    def _inserted(self, form: Mapping[str, str], *, dry_run: bool) -> Inserted:
        """Put the sentence of a form at the end of a paragraph, and its entries into the .bib file."""
        review = self._pages.review
        answer = turn_numbered(self._asking.turns(review.project), form["turn"])
        sentence = sentence_numbered(answer, form["sentence"], form.get("words"))
        paragraph = paragraph_named(review.project, form["paragraph"])
        _, bib = self._bibs(form)
        point = InsertionPoint(paragraph.file, paragraph.line)
        return insert_sentence(answer, sentence, point, review.chosen, bib=bib, dry_run=dry_run)
