"""The page of what happened to the section, by days."""

from collections.abc import Callable, Mapping
from itertools import groupby

from starlette.requests import Request
from starlette.responses import Response

from citeplug.records.provenance import Happened
from citeplug.related.section.review import Past, history_of
from citeplug.web.frame import PageFrame

_HAPPENED: Mapping[Happened, str] = {
    "generated": "written",
    "accepted": "accepted",
    "rejected": "rejected",
    "unreviewed": "to be reviewed again",
    "edited": "changed by you",
    "deleted": "deleted",
    "restored": "put back",
    "inserted": "inserted from an answer",
    "pinned": "pinned",
    "excluded": "excluded",
    "unchosen": "neither pinned nor excluded",
}


class HistoryPages:
    """The handler; `pages` renders it."""

    def __init__(self, pages: PageFrame) -> None:
        self._pages = pages

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/history": self.history}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {}

    def history(self, request: Request) -> Response:
        project = self._pages.review.project
        past = history_of(project, self._pages.review.chosen)
        days = [(day, list(events)) for day, events in groupby(past, _day)]
        return self._pages.render("history.html", request, None, project=project, days=days, happened=_HAPPENED)


def _day(past: Past) -> str:
    return "Without a recorded time" if past.when is None else f"{past.when.day} {past.when:%B %Y}"
