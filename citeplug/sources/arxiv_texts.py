"""Sources and PDFs of papers from arXiv, at the pace of its API (arxiv-api.md, Manners)."""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, urlsplit

from citeplug.errors import SourceUnavailable
from citeplug.records.paper import ArxivId
from citeplug.settings.environment import ARXIV_DELAY, Settings, way_online
from citeplug.sources.arxiv import service_name
from citeplug.sources.http import AskAgain, HttpClient, Patience, Reply
from citeplug.sources.pace import Clock, Pace
from citeplug.sources.unpack import MOST_BYTES

_PATIENCE = Patience(total=240.0, silence=30.0, transfer=180.0, size=MOST_BYTES, pause=3.0)
_NONE = (400, 404, 410)


@dataclass(frozen=True, slots=True)
class Received:
    """What arXiv sent for a paper; `version` as its name or address says, None if they do not."""

    data: bytes
    version: int | None


class ArxivTexts:
    """arXiv's e-prints and PDFs. One request at a time, and not too soon after the last one to the API or to these.

    With `settings.offline` every call raises SourceUnavailable at once.
    """

    def __init__(self, settings: Settings, *, patience: Patience | None = None, clock: Clock | None = None) -> None:
        self._settings = settings
        self._urls = {"eprint": settings.eprint_url.rstrip("/"), "pdf": settings.pdf_url.rstrip("/")}
        self._clients = {
            kind: HttpClient(
                "arXiv", _pace(settings, url, clock or Clock()), patience=patience or _PATIENCE, clock=clock
            )
            for kind, url in self._urls.items()
        }

    def get(self, kind: Literal["eprint", "pdf"], paper: ArxivId) -> Received | None:
        """The source or the PDF of a paper; None if arXiv has none. Raises SourceUnavailable on an outage."""
        if self._settings.offline:
            raise SourceUnavailable("arXiv was not queried: citeplug is offline", way_online())
        reply = self._clients[kind].get(f"{self._urls[kind]}/{quote(str(paper))}", _examine)
        if reply.status in _NONE:
            return None
        return Received(reply.body, paper.version or _version(reply, paper))


def _examine(reply: Reply) -> None:
    if reply.status in _NONE:
        return
    if reply.status != 200:
        raise AskAgain(f"it answered {reply.status}", tries=1)
    if not reply.body:
        raise AskAgain("it sent nothing")


def _version(reply: Reply, paper: ArxivId) -> int | None:
    number = re.escape(paper.value.rpartition("/")[2])
    for text in (reply.headers.get("Content-Disposition") or "", urlsplit(reply.url).path):
        if match := re.search(rf"{number}v([1-9]\d{{0,3}})", text):
            return int(match[1])
    return None


def _pace(settings: Settings, url: str, clock: Clock) -> Pace:
    """The turns of arXiv's API for its other addresses too; mirrors of them share the pace of the API's."""
    service, delay = service_name(settings.arxiv_url), settings.arxiv_delay
    if service_name(url) == "arxiv.org":
        service, delay = "arxiv.org", max(delay, ARXIV_DELAY)
    return Pace(settings.home / "pace", service, delay, clock)
