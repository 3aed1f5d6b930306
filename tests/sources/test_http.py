import gzip
import random
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.errors import SourceUnavailable, UsageError
from citeplug.sources.http import AskAgain, HttpClient, Patience, Reply, redirected, retry_after
from citeplug.sources.pace import Pace
from tests.harness.arxiv_server import ArxivServer, FastClock, Fault
from tests.harness.waiting import until


@pytest.fixture
def pace(tmp_path: Path, clock: FastClock) -> Pace:
    return Pace(tmp_path / "pace", "service", 0.0, clock)


def client(pace: Pace, clock: FastClock, patience: Patience | None = None) -> HttpClient:
    return HttpClient("The service", pace, patience=patience, clock=clock)


def content(_reply: Reply) -> None:
    """Content with everything."""


def test_a_good_reply_comes_back_whole(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    server.fail(Fault(body=b"hello", headers=(("X-Kind", "test"),)))
    reply = client(pace, clock).get(server.url, content)
    assert (reply.status, reply.body, reply.headers["x-kind"], reply.url) == (200, b"hello", "test", server.url)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 414])
def test_a_plain_refusal_is_judged_by_the_caller_and_not_tried_again(
    server: ArxivServer, pace: Pace, clock: FastClock, status: int
) -> None:
    server.fail(Fault(status, b"no"))
    assert client(pace, clock).get(server.url, content).status == status
    assert len(server.requests) == 1


def test_a_compressed_reply_is_unpacked(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    server.fail(Fault(body=gzip.compress(b"hello" * 100), headers=(("Content-Encoding", "gzip"),)))
    assert client(pace, clock).get(server.url, content).body == b"hello" * 100


def test_a_compressed_bomb_is_not_unpacked(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    server.fail_always(Fault(body=gzip.compress(b"\0" * 50_000_000), headers=(("Content-Encoding", "gzip"),)))
    with pytest.raises(SourceUnavailable, match="larger than 1 MB"):
        client(pace, clock, Patience(size=2**20)).get(server.url, content)


def test_a_damaged_compressed_reply_is_tried_again(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    server.fail(Fault(body=b"no gzip at all", headers=(("Content-Encoding", "gzip"),)))
    server.fail(Fault(body=b"hello"))
    assert client(pace, clock).get(server.url, content).body == b"hello"


def test_a_silent_server_is_not_waited_for_longer_than_agreed(
    server: ArxivServer, pace: Pace, clock: FastClock
) -> None:
    server.fail_always(Fault.slow(5))
    with pytest.raises(SourceUnavailable, match="in time"):
        client(pace, clock, Patience(tries=2, silence=0.2)).get(server.url, content)
    assert len(server.requests) == 2


def test_a_slow_answer_within_the_time_is_an_answer(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    server.fail(Fault(body=b"hello", wait=0.3))
    assert client(pace, clock, Patience(silence=5)).get(server.url, content).body == b"hello"


@pytest.mark.parametrize(
    "fault",
    [
        Fault(body=b"x" * 100_000, drip=0.02),
        Fault(body=b"x" * 100_000, drip=0.02, length=False),
        Fault(drip=0.02, drips_headers=True),
        Fault(body=b"1000;" + b"x" * 10_000, drip=0.02, length=False, headers=(("Transfer-Encoding", "chunked"),)),
        Fault(body=gzip.compress(random.Random(1).randbytes(9999)), drip=0.02, headers=(("Content-Encoding", "gzip"),)),
    ],
    ids=["body", "body of no length", "headers", "size of a chunk", "gzip"],
)
def test_a_dripping_server_is_waited_for_once_and_no_longer_than_agreed(
    server: ArxivServer, pace: Pace, clock: FastClock, fault: Fault
) -> None:
    server.fail_always(fault)
    start = time.monotonic()
    with pytest.raises(SourceUnavailable, match="still incomplete after 0 s"):
        client(pace, clock, Patience(silence=5, transfer=0.4)).get(server.url, content)
    assert time.monotonic() - start < 15
    assert len(server.requests) == 1


def test_a_dripping_proxy_is_waited_for_no_longer_either(
    server: ArxivServer, pace: Pace, clock: FastClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, server.url)
    server.fail_always(Fault(body=b"x" * 100_000, drip=0.02))
    with pytest.raises(SourceUnavailable, match="still incomplete"):
        client(pace, clock, Patience(transfer=0.4)).get("http://export.arxiv.example/api", content)


def test_a_handshake_that_does_not_end_is_bounded_too(pace: Pace, clock: FastClock) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def drip() -> None:
            line, _ = listener.accept()
            with line, suppress(OSError):
                line.sendall(b"\x16\x03\x03\x40\x00")  # the head of a long record of TLS
                while True:
                    line.sendall(b"\x02")
                    time.sleep(0.02)

        threading.Thread(target=drip, daemon=True).start()
        port = listener.getsockname()[1]
        start = time.monotonic()
        with pytest.raises(SourceUnavailable, match="still incomplete"):
            client(pace, clock, Patience(transfer=0.4)).get(f"https://127.0.0.1:{port}/api", content)
        assert time.monotonic() - start < 20


def test_an_answer_that_comes_in_time_leaves_nothing_running(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    before = set(threading.enumerate())
    for _ in range(5):
        server.fail(Fault(body=b"hello"))
        client(pace, clock).get(server.url, content)
    until(lambda: set(threading.enumerate()) <= before, "a thread goes on")


@pytest.mark.parametrize("after", [0, 1, 50])
def test_a_cut_connection_is_tried_again(server: ArxivServer, pace: Pace, clock: FastClock, after: int) -> None:
    server.fail(Fault(body=b"hello" * 100, cut=after), times=2)
    server.fail(Fault(body=b"hello"))
    assert client(pace, clock).get(server.url, content).body == b"hello"
    assert len(server.requests) == 3


def test_what_the_caller_cannot_use_is_tried_again(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    server.fail(Fault(body=b"rubbish"), times=2)
    server.fail(Fault(body=b"hello"))

    def examine(reply: Reply) -> None:
        if reply.body == b"rubbish":
            raise AskAgain("rubbish")

    assert client(pace, clock).get(server.url, examine).body == b"hello"


def test_pauses_double_and_vary(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    server.fail_always(Fault.http(503))
    with pytest.raises(SourceUnavailable, match=r"503 Service Unavailable \(4 tries\)"):
        client(pace, clock, Patience(pause=1.0)).get(server.url, content)
    assert len(clock.slept) == 3
    for slept, least in zip(clock.slept, (1.0, 2.0, 4.0), strict=True):
        assert least * 0.9 <= slept <= least * 1.6  # a little of a pause passes while the reply is read


def test_no_try_begins_after_the_time_is_up(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    server.fail_always(Fault.http(503))
    with pytest.raises(SourceUnavailable):
        client(pace, clock, Patience(tries=50, pause=1.0, total=10.0)).get(server.url, content)
    assert sum(clock.slept) < 10
    assert len(server.requests) < 6


def test_a_pause_that_the_server_asks_for_is_kept(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    server.fail(Fault.too_fast("20"))
    server.fail(Fault(body=b"hello"))
    client(pace, clock).get(server.url, content)
    assert 19 < sum(clock.slept) < 21


def test_a_pause_given_as_a_date_is_kept(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    server.fail(Fault.too_fast(format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)))
    server.fail(Fault(body=b"hello"))
    client(pace, clock).get(server.url, content)
    assert 17 < sum(clock.slept) < 21


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "120"}, 120.0),
        ({"Retry-After": " 1.5 "}, 1.5),
        ({"Retry-After": "-3"}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:30 GMT", "Date": "Wed, 21 Oct 2015 07:28:00 GMT"}, 30.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:30 -0000", "Date": "Wed, 21 Oct 2015 07:28:00 GMT"}, 30.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:30 GMT", "Date": "yesterday"}, None),
    ],
)
def test_retry_after_is_read_in_both_forms(headers: Mapping[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@given(st.text(), st.text())
def test_any_retry_after_is_read(asked: str, sent: str) -> None:
    seconds = retry_after({"Retry-After": asked, "Date": sent})
    assert seconds is None or seconds >= 0


def test_a_redirect_on_the_same_server_is_followed(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    server.fail(Fault.redirect("/elsewhere"))
    server.fail(Fault(body=b"hello"))
    asking = client(pace, clock)
    assert asking.get(server.url, content).body == b"hello"
    assert [request.path for request in server.requests] == ["/api/query", "/elsewhere"]
    assert asking.requests_made == 2


def test_a_redirect_to_another_server_is_refused(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    with ArxivServer().serve() as other:
        server.fail(Fault.redirect(other.url))
        with pytest.raises(SourceUnavailable, match="not followed"):
            client(pace, clock).get(server.url, content)
        assert other.requests == []


def test_redirects_in_a_circle_end(server: ArxivServer, pace: Pace, clock: FastClock) -> None:
    server.fail_always(Fault.redirect("/again"))
    with pytest.raises(SourceUnavailable, match="loop"):
        client(pace, clock).get(server.url, content)
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    ("url", "location", "target"),
    [
        ("http://export.arxiv.org/api?q=1", "https://export.arxiv.org/api?q=1", "https://export.arxiv.org/api?q=1"),
        ("http://export.arxiv.org/api?q=1", "/api/query?q=1", "http://export.arxiv.org/api/query?q=1"),
        ("http://export.arxiv.org:80/a", "https://export.arxiv.org:443/a", "https://export.arxiv.org:443/a"),
    ],
)
def test_a_redirect_to_the_same_host_or_its_https_is_good(url: str, location: str, target: str) -> None:
    assert redirected(url, location, 1) == target


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("https://export.arxiv.org/api", "http://export.arxiv.org/api"),
        ("https://export.arxiv.org/api", "https://arxiv.org/api"),
        ("https://export.arxiv.org/api", "https://export.arxiv.org.evil.example/api"),
        ("https://export.arxiv.org/api", "https://export.arxiv.org@evil.example/api"),
        ("https://export.arxiv.org/api", "https://export.arxiv.org:8443/api"),
        ("https://export.arxiv.org/api", "file:///etc/passwd"),
        ("http://127.0.0.1:8000/api", "https://127.0.0.1:8000/api"),
        ("https://export.arxiv.org/api", "//[broken"),
        ("https://export.arxiv.org/api", None),
    ],
)
def test_any_other_redirect_is_refused(url: str, location: str | None) -> None:
    with pytest.raises(AskAgain) as caught:
        redirected(url, location, 1)
    assert caught.value.tries == 1


def test_a_proxy_is_not_asked_for_this_machine(
    server: ArxivServer, pace: Pace, clock: FastClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    server.fail(Fault(body=b"hello"))
    assert client(pace, clock).get(server.url, content).body == b"hello"


def test_an_unknown_host_is_said_at_once(pace: Pace, clock: FastClock, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", unknown)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SourceUnavailable, match="no connection"):
        client(pace, clock).get("http://no.such.host.invalid/api", content)
    assert clock.slept == []


def test_certificates_that_are_not_there_are_named_before_anything_is_sent(
    pace: Pace, clock: FastClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "gone.pem"))
    with pytest.raises(UsageError, match="REQUESTS_CA_BUNDLE names a file that does not exist"):
        client(pace, clock).get("https://service.invalid/", content)
