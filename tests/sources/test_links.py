"""Links are asked of a real server on loopback; an outage decides nothing, and a file of others opens no local door."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from citeplug.settings.environment import Settings, read_settings
from citeplug.sources.links import PRIVATE, UNKNOWN_HOST, LinkAnswer, ask_links, is_public
from tests.harness.arxiv_server import FastClock
from tests.harness.loopback import Loopback, LoopbackHandler


class WebServer(Loopback[int]):
    """Answers `/STATUS` so, `/to?URL` by a redirect, `/no-head` by 405 to HEAD, and `/drip` never."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []


class _Handler(LoopbackHandler):
    server_state: WebServer

    def do_HEAD(self) -> None:
        state = self.server_state
        state.asked.append(f"{self.command} {self.path}")
        path, _, query = self.path.partition("?")
        status = 302 if path == "/to" else 200
        if path == "/no-head":
            status = 404 if self.command == "HEAD" else 200
        elif path[1:].isdigit():
            status = int(path[1:])
        self.send_response(status)
        if path == "/to":
            self.send_header("Location", query)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD  # noqa: N815


@pytest.fixture
def web() -> Iterator[tuple[WebServer, str]]:
    state = WebServer()
    handler = type("_Bound", (_Handler,), {"server_state": state})
    with state.listening(handler) as url:
        yield state, url


@pytest.fixture
def own(tmp_path: Path) -> Settings:
    return Settings(tmp_path, link_hosts=("127.0.0.1",))


def ask(settings: Settings, *urls: str, clock: FastClock | None = None) -> list[LinkAnswer]:
    answers = ask_links(urls, settings, lambda *_: None, clock=clock or FastClock())
    return [answers[url] for url in urls]


@pytest.mark.parametrize("status", [404, 410])
def test_a_page_that_is_gone_is_dead_after_both_ways_of_asking(
    web: tuple[WebServer, str], own: Settings, status: int
) -> None:
    server, url = web
    answer = ask(own, f"{url}/{status}")[0]
    assert (answer.state, str(status) in answer.reason) == ("dead", True)
    assert server.asked == [f"HEAD /{status}", f"GET /{status}"]


@pytest.mark.parametrize("status", [400, 401, 403, 429, 451, 500, 503])
def test_a_refusal_or_an_outage_is_no_verdict(web: tuple[WebServer, str], own: Settings, status: int) -> None:
    assert ask(own, f"{web[1]}/{status}")[0].state == "undecided"


def test_a_server_that_answers_head_wrongly_is_asked_by_get(web: tuple[WebServer, str], own: Settings) -> None:
    assert ask(own, f"{web[1]}/no-head")[0].state == "alive"


def test_a_redirect_is_followed_and_a_loop_is_no_verdict(web: tuple[WebServer, str], own: Settings) -> None:
    url = web[1]
    states = [answer.state for answer in ask(own, f"{url}/to?/200", f"{url}/to?/404", f"{url}/to?{url}/to?/to")]
    assert states[:2] == ["alive", "dead"]
    assert ask(own, f"{url}/to?ftp://127.0.0.1/x")[0].state == "undecided"


def test_nothing_on_this_machine_is_asked_unless_the_user_names_it(web: tuple[WebServer, str], tmp_path: Path) -> None:
    server, url = web
    port = url.rpartition(":")[2]
    hosts = ["127.0.0.1", "localhost", "127.1", "2130706433", "0", "[::1]", "[::ffff:127.0.0.1]"]
    answers = ask(Settings(tmp_path), *(f"http://{host}:{port}/404" for host in hosts))
    assert not any(answer.state == "dead" and answer.reason != UNKNOWN_HOST for answer in answers)
    assert answers[0] == LinkAnswer("undecided", PRIVATE)
    assert server.asked == []


def test_a_redirect_opens_no_local_door(web: tuple[WebServer, str], own: Settings) -> None:
    server, url = web
    inner = url.replace("127.0.0.1", "localhost")
    assert ask(own, f"{url}/to?{inner}/404")[0] == LinkAnswer("undecided", PRIVATE)
    assert all("/to" in line for line in server.asked)


@pytest.mark.parametrize(
    "address",
    "10.0.0.1 192.168.1.1 172.16.0.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 fe80::1%eth0 fd00::1"
    " ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1::".split(),
)
def test_addresses_of_local_networks_are_not_public(address: str) -> None:
    assert not is_public(address)


def test_the_addresses_of_the_internet_are_public() -> None:
    assert is_public("93.184.216.34") and is_public("2606:2800:220:1:248:1893:25c8:1946")


def test_an_unknown_host_is_dead_only_where_the_network_is_known_to_work(
    web: tuple[WebServer, str], own: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    real = socket.getaddrinfo

    def lookup(host: str, *args: object, **named: object) -> object:
        if host == "gone.example.org":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return real(host, *args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    assert ask(own, "http://gone.example.org/x")[0].state == "undecided"
    assert [a.state for a in ask(own, f"{web[1]}/200", "http://gone.example.org/x")] == ["alive", "dead"]


def test_what_was_decided_is_not_asked_again_and_what_was_not_is(web: tuple[WebServer, str], own: Settings) -> None:
    server, url = web
    clock = FastClock()
    for _ in range(2):
        ask(own, f"{url}/200", f"{url}/404", f"{url}/429", clock=clock)
    assert [line for line in server.asked if "429" not in line] == ["HEAD /200", "HEAD /404", "GET /404"]
    assert server.asked.count("HEAD /429") == 2


def test_a_host_is_asked_once_a_second(web: tuple[WebServer, str], own: Settings) -> None:
    clock = FastClock()
    start = clock.now()
    ask_links([f"{web[1]}/{number}" for number in (200, 201, 202)], own, lambda *_: None, clock=clock)
    assert clock.now() - start >= 3


def test_only_the_environment_names_hosts_of_ones_own(tmp_path: Path) -> None:
    settings = read_settings({"CITEPLUG_HOME": str(tmp_path), "CITEPLUG_LINK_HOSTS": "wiki.local, 127.0.0.1"})
    assert settings.link_hosts == ("wiki.local", "127.0.0.1")
