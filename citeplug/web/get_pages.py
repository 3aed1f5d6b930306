"""How a project gets its first papers in the review page: the ways that `citeplug start` has, each a form."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime

from starlette.requests import Request
from starlette.responses import Response

from citeplug.bib.zotero_sync import read_state
from citeplug.corpus.stores import open_corpus
from citeplug.errors import CiteplugError, UnreadableInput, UsageError
from citeplug.records.finding import Finding
from citeplug.related.near_papers import MOST_SEARCHES, suggested_searches
from citeplug.text.identifiers import parse_id
from citeplug.web.dropped import keep_files
from citeplug.web.frame import PageFrame
from citeplug.web.guard import FORM
from citeplug.web.runs import Run

OWN_KINDS = (".bib", ".pdf")
_FOLDER = "dropped"  # in the user's data directory: the library names the files in it
_LONGEST = 100  # characters of a category
_LONGEST_SEARCH = 500


class GetPages:
    """The handlers; `pages` renders them."""

    def __init__(self, pages: PageFrame) -> None:
        self._pages = pages

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/get": self.ways}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/get/near": self.near, "/get/own": self.own, "/get/field": self.field, "/zotero": self.save}

    def ways(self, request: Request, error: CiteplugError | None = None) -> Response:
        review = self._pages.review
        with open_corpus(review.chosen) as corpus:
            records = corpus.records
        words: list[str] = []
        try:
            words = self._suggested()
        except UnreadableInput as why:  # without words to go by the other ways are left
            error = error or why
        return self._pages.render(
            "get.html",
            request,
            error,
            records=records,
            words=request.scope.get(FORM, {}).get("words", "").splitlines() or words,
            most_searches=MOST_SEARCHES,
            arxiv_host=self._pages.arxiv_host,
            kinds=",".join(OWN_KINDS),
            delay=review.chosen.arxiv_delay,
            last_year=str(datetime.now(UTC).year - 1),
        )

    def near(self, request: Request) -> Response:
        """Search arXiv with the words of the form, a search for each line."""
        online = self._pages.review.for_arxiv()
        lines = [line.strip()[:_LONGEST_SEARCH] for line in request.scope[FORM].get("words", "").splitlines()]
        texts = [line for line in lines if any(map(str.isalnum, line))][:MOST_SEARCHES]
        if not texts:
            raise UsageError("there is no word to search for")

        def work(run: Run) -> tuple[str, Sequence[Finding]]:
            added = run.in_process("add_near", root=self._pages.review.project.root, settings=online, texts=texts)
            return self._said(added), ()

        return self._pages.begin("Papers near the draft", "/get", work)

    def _suggested(self) -> list[str]:
        """Words to search for papers near the draft with, a line for each search. Raises UnreadableInput."""
        return suggested_searches(self._pages.review.draft())

    def own(self, request: Request) -> Response:
        """Take .bib files and PDFs into the library."""
        review = self._pages.review
        paths = keep_files(request.scope[FORM].files, review.chosen.home / _FOLDER / secrets.token_hex(8), OWN_KINDS)

        def work(run: Run) -> tuple[str, Sequence[Finding]]:
            added, problems = run.in_process("add_own", paths=paths, settings=review.chosen)
            return self._said(added), [Finding("not_added", "warning", problem) for problem in problems]

        return self._pages.begin("Your own papers", "/get", work)

    def field(self, request: Request) -> Response:
        """Get the records of a category of arXiv that were added or changed since a day."""
        online, form = self._pages.review.for_arxiv(), request.scope[FORM]
        category = form["category"].strip()[:_LONGEST]
        try:
            since = date.fromisoformat(form["since"])
        except ValueError:
            raise UsageError("the day is not a date", "give one like 2025-01-31") from None

        def work(run: Run) -> tuple[str, Sequence[Finding]]:
            return self._said(run.in_process("add_field", category=category, since=since, settings=online)), ()

        return self._pages.begin(f"Papers of {category}", "/get", work)

    def collections(self) -> list[str]:
        """The paths of Zotero's collections, as they were at the last sync."""
        return sorted(read_state(self._pages.review.chosen.home).collections.get("users/0", {}).values())

    def save(self, request: Request) -> Response:
        """Save a paper to a collection of Zotero, which asks the user."""
        form, settings = request.scope[FORM], self._pages.review.online
        value, collection = parse_id(form["id"]).value, form.get("collection") or None

        def work(run: Run) -> tuple[str, Sequence[Finding]]:
            return run.in_process("save_to_zotero", value=value, collection=collection, settings=settings), ()

        return self._pages.begin("Save to Zotero", "/papers", work)

    def _said(self, added: int) -> str:
        with open_corpus(self._pages.review.chosen) as corpus:
            records = corpus.records
        return f"{added:,} {'paper' if added == 1 else 'papers'} added; this machine has {records:,}."
