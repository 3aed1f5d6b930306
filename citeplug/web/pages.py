"""The pages of one project: their addresses, and those without a module of their own."""

import functools
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from itertools import groupby

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from citeplug.bib.compare.verify import NOT_HELD
from citeplug.errors import CiteplugError, UsageError
from citeplug.files.atomic import unexpected
from citeplug.project.any_draft import read_any_draft
from citeplug.records.entry_check import Verdict
from citeplug.records.provenance import Happened
from citeplug.records.report import RANK
from citeplug.related.papers import ListedPaper, gist_of
from citeplug.related.section.in_print import in_names, names_of
from citeplug.related.section.review import Past, ReviewedSection, history_of
from citeplug.web.ask_pages import AskPages
from citeplug.web.assets import word_changes
from citeplug.web.audit_file import OUTAGE, path_in, title_of
from citeplug.web.audit_pages import AuditPages
from citeplug.web.export_pages import ExportPages
from citeplug.web.filters import filters, shown_reason
from citeplug.web.frame import PageFrame, services_in
from citeplug.web.get_pages import GetPages
from citeplug.web.guard import FORM, Secrets
from citeplug.web.pdf_pages import PdfPages
from citeplug.web.reviewing import Reviewing
from citeplug.web.runs import events_of
from citeplug.web.search_pages import SearchPages
from citeplug.web.section_pages import SectionPages
from citeplug.web.section_prose import prose_of
from citeplug.web.table_pages import TablePages

_GROUPS = {
    "pin": "Pinned",
    "new": "Not cited yet",
    "section": "New in the section",
    "near": "Farther from the draft",
    "cited": "Cited already",
    "exclude": "Excluded",
}
# As the worst comes first.
_VERDICTS: tuple[Verdict, ...] = ("not_found", "possibly_withdrawn", "differs", "unchecked", "not_arxiv", "verified")
_MEANINGS: Mapping[Verdict, str] = {
    "not_found": "No such work was found.",
    "possibly_withdrawn": "arXiv marks these as withdrawn.",
    "differs": "Struck words are only in your entry, green ones only in the record.",
    "unchecked": "No record on this machine to compare with.",
    "not_arxiv": "They name no work on arXiv, so there is no record to compare them with.",
    "verified": "They match their records.",
}
_HAPPENED: Mapping[Happened, str] = {
    "generated": "written",
    "accepted": "accepted",
    "rejected": "rejected",
    "unreviewed": "back to review",
    "edited": "changed",
    "deleted": "deleted",
    "restored": "restored",
    "inserted": "inserted from an answer",
    "pinned": "pinned",
    "excluded": "excluded",
    "unchosen": "no longer pinned or excluded",
}
_LIKE = 0.4  # of an edited sentence and what it was


class Pages(PageFrame):
    """The pages of a project. Nothing that a client sends is a path or becomes one."""

    def __init__(self, review: Reviewing, known: Secrets, base: str, *, several: Callable[[], bool]) -> None:
        super().__init__(review, known, base, several=several)
        self.section = SectionPages(self)
        self.changed_part = self.section.section
        self.asking = AskPages(self, review.asking)
        self.searching = SearchPages(self)
        self.getting = GetPages(self)
        self.pdf = PdfPages(self, review.asking)
        self.auditing = AuditPages(self)
        self.comparing = TablePages(self)
        self.exporting = ExportPages(self)

    def routes(self) -> list[Route]:
        parts = (
            self, self.section, self.asking, self.searching, self.pdf, self.getting, self.auditing, self.comparing,
            self.exporting,
        )  # fmt: skip
        return [
            Route(self.base + path, _answering(self, made), methods=[method])
            for part in parts
            for method, pages in (("GET", part.get), ("POST", part.post))
            for path, made in pages.items()
        ]

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {
            "/papers": self.papers,
            "/entries": self.entries,
            "/stamp": self.stamp,
            "/run": self.progress,
            "/run/events": self.events,
            "/history": self.history,
        }

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {
            "/undo": self.act("undo", lambda form: self.review.undo()),
            "/deep": self.research,
            "/choose": self.choose,
            "/fix": self.act("fix", self._fix, "/entries"),
            "/check": self.check,
            "/gaps": lambda request: self.begin("Limits of the works", "/", self.review.find_gaps),
            "/run/cancel": self.cancel,
            "/run/dismiss": self.dismiss,
            "/run/answer": self.answer,
        }

    def papers(self, request: Request, error: CiteplugError | None = None) -> Response:
        if not self.review.is_searchable():
            return self.getting.ways(request, error) if error else self.go("/get")
        is_listed, listing_them = self.review.papers.is_made(), self.review.papers.make
        waiting = None if is_listed else self.wait_for("Looking for papers", "/papers", request, listing_them)
        if waiting is not None:
            return waiting
        choices, in_section = self.review.choices(), self.review.in_section()
        listing = self.review.papers.papers()
        if listing.preliminary:
            self._refine()
        listed = {item.paper.id.value: item for item in listing.papers}
        # What the author pinned or excluded, and no search of this draft found.
        for paper in self.review.papers_named([name for name in choices if name not in listed]):
            of_paper = ListedPaper(paper, None, (), False, None, None, False, paper.complete, True, True)
            listed[paper.id.value] = of_paper
        groups: dict[str, list[ListedPaper]] = {heading: [] for heading in _GROUPS.values()}
        kinds = {}
        for name, item in listed.items():
            new = "section" if name in in_section else "new" if item.chosen else "near"
            kinds[name] = _GROUPS[choices.get(name) or ("cited" if item.cited else new)]
        years = {
            name: (kind, listed[name].year)
            for name, kind in sorted(kinds.items(), key=lambda pair: list(groups).index(pair[1]))
        }
        rows, ids = filters(years, asked := request.scope.get(FORM, request.query_params))
        for name, item in listed.items():
            if name in ids:
                groups[kinds[name]].append(item)
        return self.render(
            "papers.html",
            request,
            error,
            listing=listing,
            chosen=choices,
            in_section=in_section,
            contributions={
                name: gist_of(item.paper) if item.paper.has_abstract else "" for name, item in listed.items()
            },
            in_names=partial(in_names, names=names_of(read_any_draft(self.review.project.root).entries)),
            groups=list(groups.items()),
            filters=rows,
            asked={name: asked.get(name, "") for name in ("show", "year")},
            reason_of=shown_reason,
            ledger=self.review.ledger(),
            arxiv_host=self.arxiv_host,
            zotero=self.getting.collections(),
        )

    def choose(self, request: Request) -> Response:
        """Pin or exclude a paper; back to the list that it was in, which has words where they were searched for."""
        form = request.scope[FORM]
        self.review.choose(form["id"], form["choice"])
        asked = {name: form.get(name, "") for name in ("q", "show", "year")}
        return self.go("/search" if asked["q"] else "/papers", done=self.once("choose"), **asked)

    def _refine(self) -> None:
        """Begin the run that refines the list which is shown, unless it was stopped, or another one is on."""
        runs, what = self.review.runs, "Refining the list"
        last = runs.last
        if last is None or last.state == "done" or (last.what != what and not runs.is_on):
            runs.begin(what, "/papers", self.review.papers.refine, 0, gives_way=True)

    def research(self, request: Request) -> Response:
        lists = request.scope[FORM].get("lists") == "yes"
        return self.begin("Following citations", "/papers", functools.partial(self.review.research, lists=lists))

    def entries(self, request: Request, error: CiteplugError | None = None) -> Response:
        checking = self.review.check_entries
        is_checked = self.review.entries_are_checked()
        waiting = None if is_checked else self.wait_for("Checking the entries", "/entries", request, checking)
        if waiting is not None:
            return waiting
        checked, fixed = self.review.entries()
        entries = [entry for entry in checked.entries if not entry.left_out]
        entries.sort(key=lambda entry: (-RANK[entry.severity], _VERDICTS.index(entry.check.verdict)))
        counts = checked.verdicts
        by_verdict = [(name, [entry for entry in entries if entry.check.verdict == name]) for name in _VERDICTS]
        grouped = [(name, group) for name, group in by_verdict if group]
        verdict = request.query_params.get("verdict", "")
        return self.render(
            "entries.html",
            request,
            error,
            entries=entries,
            grouped=grouped,
            fixed=fixed,
            fixable=list(dict.fromkeys(change.key for change in fixed.fixed)),
            counts=[(name, counts[name]) for name, _ in grouped],
            arxiv_host=self.arxiv_host,
            outages=[finding for finding in checked.findings if finding.code == OUTAGE],
            verdict=verdict if verdict in _VERDICTS else "",
            meanings=_MEANINGS,
            not_held=NOT_HELD,
            total=counts.total(),
            title_of=title_of,
            path_of=partial(path_in, folder=self.review.project.root.parent),
            names=names_of([entry.entry for entry in entries if entry.entry]),
        )

    def _fix(self, form: Mapping[str, str]) -> None:
        self.review.fix(form.get("key", ""), by_record=form.get("record") == "yes")

    def check(self, request: Request) -> Response:
        """Check the entries once more, and ask arXiv and the services that the form says."""
        settings, services = self.review.for_arxiv(), services_in(request.scope[FORM])
        checking = partial(self.review.check_entries, settings=settings, services=services)
        return self.begin("Checking the entries online", "/entries", checking)

    def stamp(self, request: Request) -> Response:
        return PlainTextResponse(self.review.stamp(self.review.project))

    def progress(self, request: Request) -> Response:
        """The page of the run while it is on; without script it loads itself again. Then that with its result."""
        run = self.review.runs.last
        if run is None or run.state != "on":
            return self.go(run.page if run else "/")
        page = self.render("progress.html", request, None)
        return page if run.state == "on" else self.go(run.page)  # it ended meanwhile

    def events(self, request: Request) -> Response:
        """An event for each change of the run, the last one at its end."""
        return StreamingResponse(events_of(self.review.runs, self.base), media_type="text/event-stream")

    def cancel(self, request: Request) -> Response:
        self.review.runs.cancel()
        return self.go("/run")

    def answer(self, request: Request) -> Response:
        run = self.review.runs.last
        if run is None:
            raise UsageError("nothing is asked any more", "look at the page again")
        run.answer(request.scope[FORM].get("send") == "yes")
        return self.go("/run")

    def dismiss(self, request: Request) -> Response:
        run = self.review.runs.last
        self.review.runs.dismiss()
        return self.go(run.page if run else "/")

    def history(self, request: Request) -> Response:
        project = self.review.project
        past = history_of(project, self.review.chosen)
        section = self.review.section(project)
        days = [
            (day, [(what, by, list(alike)) for (what, by), alike in groupby(events, lambda past: (past.what, past.by))])
            for day, events in groupby(past, _day)
        ]
        return self.render(
            "history.html",
            request,
            None,
            project=project,
            days=days,
            happened=_HAPPENED,
            changes_of=partial(_changes_of, section),
            of_papers=("pinned", "excluded", "unchosen"),
            cited_prose=partial(prose_of, section=section),
        )

    def failed(self, request: Request, error: CiteplugError) -> Response:
        """The page that an action came from, with the reason why it was not done."""
        path = self.path(request)
        words = request.scope.get(FORM, {}).get("q")
        page = {
            "/choose": self.searching.results if words else self.papers,
            **dict.fromkeys(("/papers", "/zotero"), self.papers),
            "/fix": self.entries,
            **dict.fromkeys(("/ask", "/ask/open", "/ask/add", "/ask/remove"), self.asking.conversation),
            "/ask/insert": self.asking.insertion,
            **dict.fromkeys(("/get/near", "/get/own", "/get/field"), self.getting.ways),
            "/search": self.searching.results,
            "/table": self.comparing.table,
            **dict.fromkeys(("/audit/choose", "/audit/cite", "/audit/ignore"), self.auditing.audit),
        }.get(path, self.section.section)
        try:
            if request.method == "POST":
                return page(request, error)
        except CiteplugError:
            pass  # the page itself cannot be made: the reason of the action alone is shown
        return self.render("failed.html", request, error, readable=False)


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


def _day(past: Past) -> str:
    if past.when is None:
        return "Without a recorded time"
    when = past.when.astimezone() if past.when.tzinfo else past.when  # the author's own clock
    return f"{when.day} {when:%B %Y}"


def _changes_of(section: ReviewedSection, past: Past) -> list[tuple[str, str]]:
    """The words of a sentence that the author changed, in parts: `del` as they were, `ins` as they are, or the same.

    All are `del` if no sentence is like it now.
    """
    own = [piece.shown for paragraph in section.paragraphs for piece in paragraph.pieces if piece.kind == "own"]
    return word_changes(past.words, next(iter(get_close_matches(past.words, own, 1, _LIKE)), ""))
