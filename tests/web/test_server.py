"""The life of the server of the review page."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from uvicorn.server import ServerState

from citeplug.web.server import _Prompt, serve
from tests.web.browser import PATIENCE, Browser


@contextmanager
def serving(wait: float = 0.0) -> Iterator[Browser]:
    """A browser at a server whose every page is made in `wait` seconds."""
    address: list[str] = []
    ready, done = threading.Event(), threading.Event()

    def tell(one_time: str) -> None:
        address.append(one_time)
        ready.set()

    def page(request: Request) -> Response:
        time.sleep(wait)
        return PlainTextResponse("x")

    app = Starlette(routes=[Route("/", page)])
    served = threading.Thread(target=lambda: serve(lambda _: app, idle=PATIENCE, ready=tell, end=done.is_set))
    served.start()
    try:
        assert ready.wait(PATIENCE)
        browser = Browser(address[0])
        parts = urlsplit(browser.address)
        reply = browser.ask("GET", f"{parts.path}?{parts.query}")
        browser.cookie = reply.headers["set-cookie"].partition(";")[0]
        yield browser
    finally:
        done.set()
        served.join(PATIENCE)


def until_closed(browser: Browser, sent: bytes, drip: bytes) -> None:
    """Send, then a little now and then, until the server closes the connection. Fails if it does not."""
    name, _, port = browser.host.partition(":")
    with socket.create_connection((name, int(port)), timeout=0.05) as raw:
        raw.sendall(sent)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                raw.sendall(drip)
                if not raw.recv(4096):
                    return
            except TimeoutError:
                continue
            except OSError:
                return
    pytest.fail("the connection is still open")


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nX-Never: ",
        b"POST / HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nCookie: COOKIE\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 99999\r\n\r\n",
    ],
    ids=["nothing", "half a header", "a header without its body"],
)
@pytest.mark.parametrize("drip", [b"", b"x"], ids=["silent", "dripping"])
def test_a_request_that_never_ends_is_hung_up_on(sent: bytes, drip: bytes) -> None:
    with serving() as browser:
        sent = sent.replace(b"HOST", browser.host.encode()).replace(b"COOKIE", browser.cookie.encode())
        with pytest.MonkeyPatch.context() as patch:
            # For this request alone: on a busy machine another one may take as long.
            patch.setattr("citeplug.web.server._WHOLE_REQUEST", 0.5)
            until_closed(browser, sent, drip)
        assert browser.ask("GET", "/").status == 200


def test_the_clock_of_a_request_begins_anew_with_its_first_byte_and_each_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """An upload takes longer than a part of it may, and a browser connects before it has anything to ask."""
    monkeypatch.setattr("citeplug.web.server._PART", 8)
    ends: list[float] = []

    async def play() -> None:
        config = uvicorn.Config(PlainTextResponse("x"), http=_Prompt, log_config=None)
        config.load()
        made: list[_Prompt] = []

        def protocol() -> _Prompt:
            made.append(_Prompt(config=config, server_state=ServerState(), app_state={}))
            return made[-1]

        listening = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
        _, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
        came = 0
        for sent in (b"", b"G", b"ET / HT", b"TP/1.1", b"\r\n"):
            writer.write(sent)
            came += len(sent)
            while not made or made[0]._limit is None or made[0]._came < came:
                await asyncio.sleep(0)
            ends.append(made[0]._limit.when())
        writer.close()
        listening.close()

    asyncio.run(play())
    connected, first, same, second, still = ends
    assert connected < first == same < second == still


def test_a_page_that_takes_longer_than_its_request_may_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeplug.web.server._WHOLE_REQUEST", 2.0)
    with serving(wait=2.5) as browser:
        assert browser.ask("GET", "/").status == 200


def test_two_hundred_requests_at_once_are_answered() -> None:
    with serving(wait=0.1) as browser, ThreadPoolExecutor(200) as pool:
        replies = list(pool.map(lambda _: browser.ask("GET", "/").status, range(200)))
    assert replies == [200] * 200


def test_a_server_that_is_busy_is_not_idle() -> None:
    looks: list[bool] = []

    def busy() -> bool:
        looks.append(len(looks) < 4)
        return looks[-1]

    served = threading.Thread(
        target=lambda: serve(lambda known: PlainTextResponse("x"), idle=0, ready=lambda address: None, busy=busy)
    )
    served.start()
    served.join(PATIENCE)
    assert not served.is_alive() and looks == [True] * 4 + [False]
