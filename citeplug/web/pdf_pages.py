"""The PDF of a cited paper beside the words quoted from it. A client names a sentence or a paper, never a file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from citeplug.ask.shown import place_of
from citeplug.corpus.fulltext.paper_pdf import pdf_of
from citeplug.errors import UsageError
from citeplug.related.section.shown_sources import sources_of
from citeplug.web.asking import PageQuestions, citation_numbered, turn_numbered
from citeplug.web.frame import PageFrame
from citeplug.web.section_pages import piece_named


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    """A quotation: from which paper, on which page (from 1, None: not known); `back` leads to where it is quoted."""

    paper: str
    title: str
    page: int | None
    place: str
    quote: str
    back: str


class PdfPages:
    """The handlers; `pages` renders them."""

    def __init__(self, pages: PageFrame, asking: PageQuestions) -> None:
        self._pages = pages
        self._asking = asking

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/pdf": self.shown, "/pdf/file": self.file}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {}

    def shown(self, request: Request) -> Response:
        """The PDF beside the quotation of a source of a sentence, or of a citation of an answer."""
        query = request.query_params
        quoted = self._of_answer(query) if "citation" in query else self._of_section(query)
        return self._pages.render("pdf.html", request, None, quoted=quoted, from_answer="citation" in query)

    def file(self, request: Request) -> Response:
        """The PDF of a paper by its id, or of one that was added to what is asked by its name."""
        review, paper = self._pages.review, request.query_params.get("paper", "")
        added = self._asking.added_pdf(review.project, paper)
        data = pdf_of(paper, review.chosen) if added is None else added.read_bytes()
        return Response(
            data, media_type="application/pdf", headers={"Content-Disposition": 'inline; filename="paper.pdf"'}
        )

    def _of_section(self, query: Mapping[str, str]) -> QuotedPassage:
        review = self._pages.review
        section = review.section(review.project)
        at, number = query.get("at", ""), query.get("source", "")
        piece = piece_named(section, at)
        sources = sources_of(section, piece, review.chosen) if piece else []
        shown = next((source for n, source in enumerate(sources, 1) if str(n) == number), None)
        paper = shown.source.arxiv_id if shown else None
        if shown is None or paper is None:
            raise UsageError("this sentence has no such source any more", "go back to the section")
        title = shown.paper.title if shown.paper else paper
        back = f"/?{urlencode({'at': at})}#{at}"
        return QuotedPassage(paper, title, shown.source.page, shown.named, shown.source.quote, back)

    def _of_answer(self, query: Mapping[str, str]) -> QuotedPassage:
        turn, sentence, number = (query.get(name, "") for name in ("turn", "sentence", "citation"))
        answer = turn_numbered(self._asking.turns(self._pages.review.project), turn)
        citation = citation_numbered(answer, sentence, number)
        asked = next((text for text in answer.looked_through if text.id == citation.paper), None)
        back = f"/ask?{urlencode({'turn': turn, 'sentence': sentence, 'citation': number})}#passage"
        title = asked.title if asked else citation.paper
        return QuotedPassage(citation.paper, title, citation.page, place_of(citation), citation.quote, back)
