"""The page of a run, and its stages as server-sent events."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from citeplug.web.frame import PageFrame
from citeplug.web.runs import Run, Runs

_LOOK = 0.2  # seconds between two looks at a run


class RunPages:
    """The handlers; `pages` renders them."""

    def __init__(self, pages: PageFrame, runs: Runs) -> None:
        self._pages = pages
        self._runs = runs

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/run": self.progress, "/run/events": self.events}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/run/cancel": self.cancel, "/run/dismiss": self.dismiss}

    def progress(self, request: Request) -> Response:
        """The page of the run while it is on; without script it loads itself again. Then that with its result."""
        run = self._runs.last
        if run is None or run.state != "on":
            return self._pages.go(run.page if run else "/")
        page = self._pages.render("progress.html", request, None)
        return page if run.state == "on" else self._pages.go(run.page)  # it ended meanwhile

    def events(self, request: Request) -> Response:
        """An event for each change of the run, the last one at its end."""
        return StreamingResponse(_events(self._runs, self._pages.base), media_type="text/event-stream")

    def cancel(self, request: Request) -> Response:
        self._runs.cancel()
        return self._pages.go("/run")

    def dismiss(self, request: Request) -> Response:
        run = self._runs.last
        self._runs.dismiss()
        return self._pages.go(run.page if run else "/")


async def _events(runs: Runs, base: str) -> AsyncIterator[str]:
    before = None
    while True:
        run = runs.last
        now = _as_json(run, base)
        if now != before:
            yield f"data: {now}\n\n"
            before = now
        if run is None or run.state != "on":
            return
        await asyncio.sleep(_LOOK)


def _as_json(run: Run | None, base: str) -> str:
    if run is None:
        return json.dumps({"state": "none"})
    return json.dumps(
        {"state": run.state, "words": run.words, "done": run.done, "total": run.total, "page": base + run.page}
    )
