"""New papers for the draft, looked for by the watcher: after a change of the catalogue, reported once a day at most."""

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, timedelta

from citeplug.errors import CiteplugError
from citeplug.project.find_project import Project
from citeplug.project.last_run import End, Finished, Journal
from citeplug.records.news import NewPaper, News
from citeplug.records.paper import shown_id
from citeplug.related.news import find_news, last_run
from citeplug.sync.watch.assess import CATALOGUE
from citeplug.sync.watch.context import WatchContext, WatchEvent

STAGE = "news"
_SINCE, _DAY = "since", "day"
_NAMED = 3


class NewsDesk:
    """The news of one project. `today` is the user's day.

    What is new is what came after the last look, at first after the section was made: with a changed catalogue the
    watcher makes the section again, and that run is no reason to pass over what is new.
    """

    def __init__(
        self,
        project: Project,
        context: WatchContext,
        today: Callable[[], date] = date.today,
    ) -> None:
        self._project = project
        self._context = context
        self._today = today
        self._journal = Journal(context.settings.home, project.root)
        last = self._journal.last(STAGE)
        self._seen = "" if last is None else last.inputs.get(CATALOGUE, "")
        self._since = datetime.now().astimezone()
        self._reported: date | None = None
        # A damaged journal, or a record that cannot be read: what comes from now on is new.
        with suppress(ValueError, CiteplugError):
            recorded = "" if last is None else last.inputs.get(_SINCE, "")
            self._since = (
                datetime.fromisoformat(recorded).astimezone() if recorded else last_run(project) or self._since
            )
            if last is not None and last.end == "written":
                self._reported = date.fromisoformat(last.inputs.get(_DAY, ""))
        self._looking: threading.Thread | None = None

    def is_due(self) -> bool:
        """Return True once for each change of the catalogue, if nothing was reported today."""
        try:
            change = str(self._context.corpus.last_change)
        except CiteplugError:
            return False
        if change == self._seen or self._reported == self._today():
            return False
        # Whatever comes of it, the same catalogue is looked through once.
        self._seen = change
        return True

    def begin(self, done: Callable[[WatchEvent | None], None]) -> None:
        """Begin to look, in a thread, if that is due; it calls `done` with what is new, None for nothing."""
        if (self._looking is None or not self._looking.is_alive()) and self.is_due():
            self._looking = threading.Thread(target=lambda: done(self.look()), name="citeplug-news", daemon=True)
            self._looking.start()

    def look(self) -> WatchEvent | None:
        """Look for new papers, and return what to report; a draft or catalogue that cannot be read has no news."""
        try:
            news = find_news(
                self._project,
                self._context.settings,
                since=self._since,
                online=self._context.overrides.online,
                report=lambda *_: None,
                announce=self._context.announce,
                held=self._context.corpus,
                today=self._today(),
            )
            if news.papers:
                self._reported = self._today()
            if news.last is not None:
                self._since = max(self._since, news.last + timedelta(microseconds=1))
            end: End = "written" if news.papers else "unchanged"
            self._journal.finish(
                STAGE,
                Finished(
                    {CATALOGUE: self._seen, _SINCE: self._since.isoformat(), _DAY: self._today().isoformat()}, end
                ),
            )
        except (CiteplugError, OSError):
            return None
        return _event(news) if news.papers else None


def _event(news: News) -> WatchEvent:
    named = "; ".join(map(_named, news.papers[:_NAMED]))
    more = f"; and {len(news.papers) - _NAMED} more" if len(news.papers) > _NAMED else ""
    papers = "new papers" if len(news.papers) > 1 else "new paper"
    return WatchEvent(
        "news", f"{len(news.papers)} {papers} for this draft: {named}{more}", hint=f"see {_command(news)}"
    )


def _named(new: NewPaper) -> str:
    mark = "concurrent work: " if new.claim is not None and new.claim.concurrent else ""
    return f"{mark}{new.paper.title} ({shown_id(new.paper.id.value)})"


def _command(news: News) -> str:
    return f"'citeplug papers {news.root.name} --new --since {news.since.astimezone():%Y-%m-%d}'"
