"""Who is let in: each refusal over a real socket."""

import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from starlette.responses import PlainTextResponse

from citeplug.web.guard import LARGEST_FORM, Guard, Secrets
from tests.e2e.conftest import DRAFT
from tests.web.browser import Browser, reviewed


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a page whose project has a draft and nothing else."""
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "main.tex").write_text(DRAFT, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CITEPLUG_HOME", str(tmp_path_factory.mktemp("home")))
        with reviewed(folder / "main.tex") as browser:
            first = browser.start()
            assert first.status == 200 and 'content="0; url=/"' in first.text
            again = browser.ask("GET", browser.address.partition(browser.host)[2], Cookie=None)
            assert again.status == 403  # the address can be used once
            browser.cookie = first.headers["set-cookie"]
            yield f"{browser.address} {first.headers['set-cookie']}"


@pytest.fixture
def client(place: str) -> Browser:
    address, cookie = place.split(" ", 1)
    client = Browser(address, cookie.partition(";")[0])
    client.go_to_project()
    client.open()
    return client


def test_the_cookie_is_for_the_browser_alone_and_for_this_site(place: str) -> None:
    said = {part.strip().lower() for part in place.split(" ", 1)[1].split(";")[1:]}
    assert {"httponly", "samesite=strict"} <= said and not any(part.startswith("domain") for part in said)


def test_only_loopback_is_listened_to(client: Browser) -> None:
    name, _, port = client.host.partition(":")
    assert name == "127.0.0.1"
    with socket.socket() as other, pytest.raises(OSError):
        other.settimeout(5)
        other.connect(("127.0.0.2", int(port)))


@pytest.mark.parametrize("cookie", [None, "", "citeplug-1=x", "session=1"])
def test_without_the_cookie_nothing_is_shown(client: Browser, cookie: str | None) -> None:
    for path in ("/", "/static/review.css", "/stamp", "/nowhere"):
        assert client.ask("GET", path, Cookie=cookie).status == 403
    name = client.cookie.partition("=")[0]
    assert client.ask("GET", "/", Cookie=f"{name}=wrong").status == 403
    assert client.ask("GET", "/", Cookie=f"{name}=wrong; {client.cookie}").status == 403


@pytest.mark.parametrize("query", ["", "?token=", "?token=wrong", "?token=%ff"])
def test_a_wrong_token_gives_no_cookie(client: Browser, query: str) -> None:
    reply = client.ask("GET", f"/start{query}", Cookie=None)
    assert reply.status == 403 and "set-cookie" not in reply.headers


@pytest.mark.parametrize("host", ["localhost:{port}", "127.0.0.1", "127.0.0.1:1", "evil.com:{port}", "[::1]:{port}"])
def test_another_name_is_refused(client: Browser, host: str) -> None:
    """A name that leads to 127.0.0.1 may be anybody's."""
    port = client.host.partition(":")[2]
    assert client.ask("GET", "/", Host=host.format(port=port)).status == 421


def test_a_request_with_two_hosts_is_refused(client: Browser) -> None:
    name, _, port = client.host.partition(":")
    with socket.create_connection((name, int(port)), timeout=60) as raw:
        lines = ("GET / HTTP/1.1", f"Host: {client.host}", "Host: evil.example", "Connection: close", "", "")
        raw.sendall("\r\n".join(lines).encode())
        assert raw.makefile("rb").readline().split()[1] in (b"400", b"421")


def undo(client: Browser, **fields: str) -> bytes:
    return urlencode({"token": client.token, "at": "", **fields}).encode()


def test_an_action_needs_this_origin(client: Browser) -> None:
    assert client.ask("POST", "/undo", undo(client)).status == 409  # let in, and there is nothing to undo
    for origin in (None, "null", "http://evil.example", f"https://{client.host}", "http://127.0.0.1:1"):
        assert client.ask("POST", "/undo", undo(client), Origin=origin).status == 403
    for site in ("cross-site", "same-site", "none"):
        assert client.ask("POST", "/undo", undo(client), Sec_Fetch_Site=site).status == 403
    assert client.ask("POST", "/undo", undo(client), Sec_Fetch_Site=None).status == 409  # an older browser


ACTIONS = "/ask /ask/new /ask/insert /run/cancel /run/dismiss /search /choose /write /write/deep /deep".split()
ACTIONS += "/move /line/move /line/cite /insert /check /run/answer /get/near /get/own /get/field /open /table".split()
SHOWN = "/ask /ask/insert /run /run/events /search /history /table /export/file".split()


@pytest.mark.parametrize("path", ACTIONS)
def test_each_action_needs_cookie_token_host_and_origin(client: Browser, path: str) -> None:
    form = undo(client, question="What?", turn="1", sentence="1", words="x", paragraph="x")
    for headers in ({"Cookie": None}, {"Origin": None}, {"Origin": "http://evil.example"}, {"Sec_Fetch_Site": "none"}):
        assert client.ask("POST", path, form, **headers).status == 403
    assert client.ask("POST", path, form, Host="evil.example").status == 421
    assert client.ask("POST", path, b"token=wrong").status == 403
    assert client.ask("POST", path, b"").status == 403


@pytest.mark.parametrize("path", SHOWN)
def test_each_page_needs_cookie_host_and_this_site(client: Browser, path: str) -> None:
    assert client.ask("GET", path, Cookie=None).status == 403
    assert client.ask("GET", path, Sec_Fetch_Site="cross-site").status == 403
    assert client.ask("GET", path, Host="localhost:1").status == 421


def test_a_page_elsewhere_cannot_ask_for_this_one(client: Browser) -> None:
    for site in ("cross-site", "same-site"):
        assert client.ask("GET", "/", Sec_Fetch_Site=site).status == 403
        reply = client.ask("GET", "/start?token=guessed", Sec_Fetch_Site=site)
        assert reply.status == 403 and "set-cookie" not in reply.headers


@pytest.mark.parametrize("token", ["", "wrong", None])
def test_an_action_needs_the_token_of_its_form(client: Browser, token: str | None) -> None:
    form = urlencode({} if token is None else {"token": token}).encode()
    assert client.ask("POST", "/undo", form).status == 403
    assert client.ask("POST", "/undo", undo(client) + b"&token=" + client.token.encode()).status == 403  # twice


def test_an_action_is_a_form_of_a_bounded_size(client: Browser) -> None:
    assert client.ask("POST", "/undo", undo(client, x="y" * LARGEST_FORM)).status == 403
    assert client.ask("POST", "/undo", undo(client, **{f"x{n}": "" for n in range(50)})).status == 403
    for kind in ("text/plain", "application/json", "multipart/form-data; boundary=x", None):
        assert client.ask("POST", "/undo", undo(client), Content_Type=kind).status == 403


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"])
def test_no_other_method_is_answered(client: Browser, method: str) -> None:
    reply = client.ask(method, "/", Origin="http://evil.example")
    assert reply.status == 405
    assert not [name for name in reply.headers if name.startswith("access-control")]


def test_every_answer_says_what_a_browser_may_do_with_it(client: Browser) -> None:
    for reply in (client.ask("GET", "/"), client.ask("GET", "/", Cookie=None), client.ask("GET", "/nowhere")):
        policy = reply.headers["content-security-policy"]
        assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["cache-control"] == "no-store"
        assert "server" not in reply.headers
        assert not [name for name in reply.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "path", ["/static/../pages.py", "/static/%2e%2e/pages.py", "/static//etc/passwd", "/static/", "/../../etc/passwd"]
)
def test_no_path_of_a_client_s_is_opened(client: Browser, path: str) -> None:
    assert client.ask("GET", path).status == 404


def test_an_action_is_not_done_by_a_link(client: Browser) -> None:
    for path in ("/undo", "/reject", "/write", "/ask/new", "/run/cancel", "/run/dismiss"):
        assert client.ask("GET", path).status == 405


def test_a_form_without_its_fields_is_an_error_that_says_so(client: Browser) -> None:
    for path in ("/reject", "/reword", "/line/save", "/choose", "/up", "/ask"):
        reply = client.ask("POST", path, undo(client))
        assert reply.status == 409 and "the form has no field" in reply.text


def test_two_servers_have_other_secrets() -> None:
    one, other = Secrets(), Secrets()
    assert len({one.token, one.cookie, one.form, other.token, other.cookie, other.form}) == 6
    answer = PlainTextResponse("x")
    assert Guard(answer, "127.0.0.1:1", one).cookie != Guard(answer, "127.0.0.1:2", one).cookie


def test_the_draft_s_name_is_no_markup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "home"))
    main = tmp_path / "<b>&'.tex"
    main.write_text(DRAFT, "utf-8")
    with reviewed(main) as browser:
        browser.start()
        page = browser.ask("GET", "/").data.decode()
    assert "<b>" not in page and "&lt;b&gt;&amp;&#39;.tex" in page
    assert urlsplit(browser.address).hostname == "127.0.0.1"
