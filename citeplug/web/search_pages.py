"""A search for papers from the review page: in the catalogue and the library, and at arXiv when its form is sent."""

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from citeplug.bib.compare.duplicates import match_existing
from citeplug.errors import CiteplugError, UsageError
from citeplug.records.finding import Finding
from citeplug.records.paper import Candidate
from citeplug.related.papers import gist_of
from citeplug.text.asked_words import words_of_question
from citeplug.text.compare import entry_year
from citeplug.web.filters import filters
from citeplug.web.frame import PageFrame
from citeplug.web.guard import FORM
from citeplug.web.runs import Run
from citeplug.web.tasks import Results, search

_LONGEST = 500  # characters of the words
_STATES = {"pin": "Pinned", "exclude": "Excluded"}


class SearchPages:
    """The handlers; `pages` renders them. What arXiv gave last stays until other words are sent to it."""

    def __init__(self, pages: PageFrame) -> None:
        self._pages = pages
        self._online: tuple[str, Sequence[Candidate], frozenset[str]] = ("", (), frozenset())

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/search": self.results}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/search": self.search_arxiv}

    def results(self, request: Request, error: CiteplugError | None = None) -> Response:
        review = self._pages.review
        fields: Mapping[str, str] = request.scope.get(FORM, request.query_params)
        words = " ".join(fields.get("q", "").split())[:_LONGEST]
        nothing: Results = ((), frozenset(), ())
        papers, _, findings = search(words, review.chosen, lambda *_: None, online=False) if words else nothing
        here = {candidate.paper.id.value for candidate in papers}
        draft, in_section = review.draft(), review.in_section()
        of_words, online, only_there = self._online
        online = online if of_words == words else ()
        results = [*papers, *(paper for paper in online if paper.paper.id.value not in here)]
        keys = match_existing([candidate.paper for candidate in results], draft.entries, draft.cites)
        cited = {key for cite in draft.cites for key in cite.keys}
        choices = review.choices()
        of_entries = {entry.key: entry_year(entry) for entry in draft.entries}
        facts: dict[str, tuple[str, int | None]] = {}
        for candidate in results:
            value, year = candidate.paper.id.value, candidate.paper.published.year
            new = "New in the section" if value in in_section else "Not cited yet"
            state = "Cited already" if keys.get(value) in cited else new
            state = _STATES.get(choices.get(value, ""), state)
            facts[value] = state, of_entries.get(keys.get(value, "")) or (year if year > 1 else None)
        rows, ids = filters(facts, {"q": words, **{name: fields.get(name, "") for name in ("show", "year")}})
        return self._pages.render(
            "search.html",
            request,
            error,
            words=words,
            found=[candidate for candidate in results if candidate.paper.id.value in ids],
            number=len(results),
            filters=rows,
            asked={name: fields.get(name, "") for name in ("show", "year")},
            reason_of=words_of_question,
            keys=keys,
            in_section=in_section,
            years=of_entries,
            cited=cited,
            only_there=only_there - here,
            findings=findings,
            chosen=choices,
            contribution_of=gist_of,
            arxiv_host=self._pages.arxiv_host,
        )

    def search_arxiv(self, request: Request) -> Response:
        """Send the words to arXiv, which the form that was sent says."""
        settings = self._pages.review.for_arxiv()
        words = " ".join(request.scope[FORM]["q"].split())[:_LONGEST]
        if not any(letter.isalnum() for letter in words):
            raise UsageError("there is no word to search for")

        def work(run: Run) -> tuple[str, Sequence[Finding]]:
            papers, only_there, findings = run.in_process("search_arxiv", words=words, settings=settings)
            self._online = (words, papers, only_there)
            if any(finding.code == "source_unavailable" for finding in findings):
                return f"Found on this machine: {len(papers)}. arXiv could not be queried.", findings
            here = len(papers) - len(only_there)
            return f"Found on this machine: {here}; only at arXiv: {len(only_there)}.", findings

        return self._pages.begin("Search at arXiv", f"/search?{urlencode({'q': words})}", work)
