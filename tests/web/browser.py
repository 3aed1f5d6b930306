"""A client of the review page over a real socket, which sends what a browser would, or what it would not."""

import http.client
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from citeplug.corpus.stores import settings
from citeplug.demo import run_demo
from citeplug.project.zips import Archive
from citeplug.records.finding import Finding
from citeplug.web.checked_lists import CheckedLists
from citeplug.web.projects import Projects
from citeplug.web.reviewing import Reviewing
from citeplug.web.runs import Run, Runs
from citeplug.web.server import serve
from tests.harness.waiting import until

PATIENCE = 120  # seconds, on a machine that does much else


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def text(self) -> str:
        return unescape(self.data.decode())


@dataclass
class Browser:
    """`address` is that of the server with its one-time token; `cookie` is what it gave for it.

    `runs` are those of the project. Its addresses begin with `base`: they are asked for, and stand in a reply, without
    it, once the page was opened.
    """

    address: str
    cookie: str = ""
    token: str = ""
    runs: Runs = field(default_factory=Runs)
    base: str = ""

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str | None) -> Reply:
        """Send a request with a browser's headers; one given as None is left out."""
        usual: dict[str, str | None] = {"Host": self.host, "Cookie": self.cookie or None}
        usual["Sec-Fetch-Site"] = "same-origin"
        if method == "POST":
            usual |= {"Origin": f"http://{self.host}", "Content-Type": "application/x-www-form-urlencoded"}
        usual |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        try:
            connection.putrequest(method, self._whole(path), skip_host=True, skip_accept_encoding=True)
            for name, value in usual.items():
                if value is not None:
                    connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            reply = connection.getresponse()
            found = {name.lower(): value.replace(self._own, "/") for name, value in reply.getheaders()}
            return Reply(reply.status, found, reply.read().replace(self._own.encode(), b"/"))
        finally:
            connection.close()

    def start(self) -> Reply:
        parts = urlsplit(self.address)
        reply = self.ask("GET", f"{parts.path}?{parts.query}", Sec_Fetch_Site="none")
        self.cookie = reply.headers.get("set-cookie", "").partition(";")[0]
        self.go_to_project()
        return reply

    def go_to_project(self) -> None:
        """Find the addresses of the one project."""
        self.base = self.ask("GET", "/").headers.get("location", "").removesuffix("/")

    @property
    def _own(self) -> str:
        return f"{self.base}/"

    def _whole(self, path: str) -> str:
        return path if path.startswith(("/start?", "/static/", "/open", "/example", "/lists")) else self.base + path

    def open(self, path: str = "/") -> str:
        """Open a page, after the end of a run that it begins."""
        reply = self.ask("GET", path)
        if reply.status == 303 and reply.headers["location"] == "/run":
            reply = self.finish()
        assert reply.status == 200, reply.text
        if found := re.search(r'name="token" value="([^"]+)"', reply.data.decode()):
            self.token = found[1]
        return reply.text

    def send(self, path: str, **fields: object) -> Reply:
        """Send a form of this page, and follow where it leads, to the end of a run that it begins."""
        form = {"token": self.token, "at": "", **fields}
        return self._follow(self.ask("POST", path, urlencode(form).encode()))

    def upload(self, path: str, *files: tuple[str, bytes], **fields: str) -> Reply:
        """Send a form with files of this page, as `send` does."""
        parts = [(f'name="{name}"', text.encode()) for name, text in {"token": self.token, **fields}.items()]
        parts += [(f'name="files"; filename="{name}"', data) for name, data in files]
        body = b"".join(b"--b\r\nContent-Disposition: form-data; %s\r\n\r\n%s\r\n" % (n.encode(), d) for n, d in parts)
        kind = "multipart/form-data; boundary=b"
        return self._follow(self.ask("POST", path, body + b"--b--\r\n", Content_Type=kind))

    def _follow(self, reply: Reply) -> Reply:
        if reply.status == 303 and reply.headers["location"] == "/run":
            return self.finish()
        if reply.status == 303:
            location = reply.headers["location"].partition("#")[0]
            if opened := re.match(r"(/[0-9a-f]{12})/", location):  # another project than this one
                self.base, location = opened[1], location.removeprefix(opened[1])
            return self.ask("GET", location)
        return reply

    def finish(self) -> Reply:
        """Wait for the end of the run, as a browser without script does; the page of its result."""

        def end() -> str:
            reply = self.ask("GET", "/run")
            assert reply.status == 303 or 'http-equiv="refresh"' in reply.text
            return reply.headers["location"] if reply.status == 303 else ""

        return self.ask("GET", until(end, "the run does not end", PATIENCE))


class Slow:
    """Work that has come to a stage, and goes on when it is let."""

    def __init__(self) -> None:
        self.there, self.go_on = threading.Event(), threading.Event()

    def __call__(self, run: Run) -> tuple[str, Sequence[Finding]]:
        run.report("rank", 3, 20)
        self.there.set()
        assert self.go_on.wait(PATIENCE)
        run.report("print", 0, None)
        return "The section is written.", [Finding("x", "warning", "take <b>care</b>", fix="look")]


@contextmanager
def reviewed(
    main: Path, archive: Archive | None = None, *, offline: bool = True, beside: Sequence[Path] = ()
) -> Iterator[Browser]:
    """The page of a project, or of the folder of an archive, and a browser that has not been there.

    Of the projects `beside` it the same server has pages, too.
    """
    reviews = [Reviewing(main, settings(offline=offline), archive)]
    reviews += [Reviewing(other, settings(offline=offline)) for other in beside]
    lists = CheckedLists(settings(offline=offline))
    address: list[str] = []
    there, ended = threading.Event(), threading.Event()

    def ready(found: str) -> None:
        address.append(found)
        there.set()

    def example() -> Path:
        return run_demo(settings().home / "example", report=lambda stage, done, total: None).main

    thread = threading.Thread(
        target=lambda: serve(
            lambda known: Projects(reviews, lists, known, settings(offline=offline), example).application(),
            idle=10 * PATIENCE,
            ready=ready,
            end=ended.is_set,
        )
    )
    thread.start()
    try:
        assert there.wait(PATIENCE)
        yield Browser(address[0], runs=reviews[0].runs)
    finally:
        ended.set()
        thread.join(PATIENCE)
        lists.close()
        for review in reviews:
            review.close()
