"""Several projects in one server: each beneath an address of its own, by the same rules."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.web.browser import PATIENCE, Browser, Slow, reviewed

_ADDRESS = re.compile(r'(?:href|action|formaction|src|data-file|data-page|content)="(/[^"]*|[^"]*url=[^"]*)"')


@pytest.fixture
def other(written_once: Path, tmp_path: Path) -> Path:
    """The main file of another project with a section."""
    return Path(shutil.copytree(written_once, tmp_path / "<b>other")) / "main.tex"


@pytest.fixture
def browser(written: Path, other: Path) -> Iterator[Browser]:
    """A browser that has opened the list of two projects."""
    with reviewed(written, beside=[other]) as browser:
        browser.start()
        yield browser


def bases(browser: Browser) -> list[str]:
    return re.findall(r'<h2><a href="(/[^"]*)/">', browser.open())


def each(browser: Browser) -> list[Browser]:
    """Browsers that have opened the one project and the other."""
    found = [replace(browser, base=base) for base in bases(browser)]
    for one in found:
        one.open()
    return found


def sentences(main: Path) -> Any:
    return json.loads((main.parent / ".citeplug" / "provenance.json").read_text("utf-8"))["sentences"]


def accept_first(browser: Browser, main: Path) -> int:
    return browser.send("/accept", p="p1", words=" ".join(sentences(main)[0]["text"].split())).status


def test_the_first_page_lists_the_projects_and_an_address_has_no_path(browser: Browser) -> None:
    reply = browser.ask("GET", "/")
    assert "a paper/main.tex" in reply.text and "to review, 0 accepted" in reply.text
    assert b"&lt;b&gt;other/main.tex" in reply.data and b"<b>other" not in reply.data
    assert len(bases(browser)) == 2 and all(re.fullmatch(r"/[0-9a-f]{12}", base) for base in bases(browser))
    for one in each(browser):
        assert "All projects" in one.open() and 'id="text-p1"' in one.open()


def test_what_is_done_in_one_project_is_not_done_in_the_other(browser: Browser, written: Path, other: Path) -> None:
    one, two = each(browser)
    untouched = (other.parent / "related.tex").read_bytes()
    assert accept_first(one, written) == 200
    assert [sentences(main)[0]["status"] for main in (written, other)] == ["accepted", "unreviewed"]
    assert "1 accepted" in browser.open() and two.send("/undo").status == 409
    assert two.send("/down", p="p1").status == 200 and one.send("/undo").status == 200
    assert sentences(written)[0]["status"] == "unreviewed"
    assert two.send("/undo").status == 200 and (other.parent / "related.tex").read_bytes() == untouched


def test_each_address_of_a_page_is_one_of_its_project(browser: Browser) -> None:
    for one in each(browser):
        pages = ["/", "/?at=p1.1", "/papers", "/search?q=graph", "/ask", "/entries", "/history", "/export"]
        one.open("/papers")  # the first time in a run
        one.open("/entries")
        for path in pages:
            raw = replace(one, base="").ask("GET", one.base + path)
            found = [address for address in _ADDRESS.findall(raw.data.decode()) if not address.startswith("/static/")]
            assert len(found) > 5, path
            assert [address for address in found if not address.startswith(f"{one.base}/")] == ["/"], path  # the list
            assert f'data-base="{one.base}"' in raw.text
        for path in ("/run", "/run/events", "/stamp"):
            assert "/" not in one.ask("GET", path).headers.get("location", "/").removeprefix("/")


def test_two_projects_are_written_at_the_same_time(browser: Browser, written: Path, other: Path) -> None:
    found = each(browser)
    for one in found:
        assert one.send("/line/add", p="p1", new="describe DropEdge [1907.10903]").status == 200
    for one in found:
        one.ask("POST", "/write", urlencode({"token": one.token, "at": ""}).encode())
    for one, main in zip(found, (written, other), strict=True):
        assert one.finish().status == 200
        assert "1907.10903" in json.dumps(sentences(main))


def test_a_run_is_shown_in_the_list_and_in_its_project_alone(browser: Browser) -> None:
    one, two = each(browser)
    slow = Slow()
    browser.runs.begin("Deep Research", "/papers", slow, 0)
    assert slow.there.wait(PATIENCE)
    assert "Deep Research: ranking the papers" in browser.open()
    assert "Deep Research: ranking" in one.open() and "Deep Research: ranking" not in two.open()
    slow.go_on.set()


def test_a_project_that_cannot_be_read_is_listed_with_the_reason(browser: Browser, other: Path) -> None:
    one, two = each(browser)
    (other.parent / "citeplug.toml").write_text("[[[", "utf-8")
    assert "Cannot be read" in browser.open() and "citeplug.toml" in browser.open()
    assert 'id="text-p1"' in one.open() and two.ask("GET", "/").status == 409


def test_the_rules_hold_in_each_project(browser: Browser) -> None:
    for one in each(browser):
        form = urlencode({"token": one.token}).encode()
        for headers in ({"Cookie": None}, {"Sec_Fetch_Site": "cross-site"}):
            assert one.ask("GET", "/", **headers).status == 403
            assert one.ask("POST", "/undo", form, **headers).status == 403
        assert one.ask("POST", "/undo", form, Origin="http://evil.example").status == 403
        assert one.ask("POST", "/undo", b"token=wrong").status == 403
        assert one.ask("GET", "/", Host="evil.example").status == 421
        assert one.ask("GET", "/undo").status == 405
        assert "default-src 'self'" in one.ask("GET", "/").headers["content-security-policy"]


def test_the_list_needs_cookie_host_and_this_site(browser: Browser) -> None:
    assert browser.ask("GET", "/", Cookie=None).status == 403
    assert browser.ask("GET", "/", Sec_Fetch_Site="cross-site").status == 403
    assert browser.ask("GET", "/", Host="localhost:1").status == 421
    assert browser.ask("POST", "/", b"token=x").status == 403


@pytest.mark.parametrize("path", ["/000000000000/", "/papers", "/../", "/%2e%2e/", "/main.tex", "//etc/passwd"])
def test_no_other_address_is_a_project(browser: Browser, path: str) -> None:
    assert browser.ask("GET", path).status == 404
