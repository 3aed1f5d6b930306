"""A search for papers in the review page, by its forms alone."""

import re
from pathlib import Path

import pytest

from citeplug.settings.project_toml import read_configuration
from tests.arxiv_server import ArxivServer, paper
from tests.faces.web.browser import Browser, reviewed


def test_a_paper_is_found_on_this_machine_and_pinned(browser: Browser, written: Path) -> None:
    assert 'role="search"' in browser.open("/papers")
    page = browser.open("/search?q=graph+attention+networks")
    found = re.findall(r'name="id" value="([^"]+)"', page)
    assert len(found) > 3 and "Graph Attention Networks" in page
    reply = browser.send("/search/choose", id=found[0], choice="pin", q="graph attention networks")
    assert "pinned" in reply.text and "Graph Attention Networks" in reply.text
    assert read_configuration(written.parent).values["pin"] == (found[0],)
    assert browser.send("/search/choose", id="../x", choice="pin", q="graph").status == 409


def test_odd_words_find_nothing_and_are_no_markup(browser: Browser) -> None:
    assert "Nothing was found" not in browser.open("/search")
    assert "Nothing was found" in browser.open("/search?q=%3F%21")
    data = browser.ask("GET", "/search?q=%3Cscript%3Ealert(1)%3C/script%3E%22").data
    assert b"<script>alert" not in data
    assert browser.ask("GET", "/search?q=" + "x" * 5000).status == 200


def test_arxiv_is_asked_only_by_the_form_that_says_so(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = paper("2101.00001", "Attention <b>elsewhere</b> on graphs", "Attention on graphs elsewhere.")
    with ArxivServer(new).serve() as server:
        monkeypatch.setenv("CITEPLUG_ARXIV_URL", server.url)
        monkeypatch.setenv("CITEPLUG_ARXIV_DELAY", "0")
        with reviewed(written, offline=False) as browser:
            browser.start()
            page = browser.open("/search?q=attention+elsewhere")
            assert server.asked_queries() == [] and "This sends the words “attention elsewhere” to http:" in page
            assert new.title not in page
            browser.send("/search", q="attention elsewhere")
            browser.finish()
            assert server.asked_queries()
            data = browser.ask("GET", "/search?q=attention+elsewhere").data
            assert b"Attention &lt;b&gt;elsewhere" in data and b"at arXiv; not on this machine" in data
            assert browser.send("/search", q="?").status == 409


def test_offline_arxiv_is_not_offered_and_not_asked(browser: Browser) -> None:
    assert "Search arXiv too" not in browser.open("/search?q=attention")
    reply = browser.send("/search", q="attention")
    assert reply.status == 409 and "offline" in reply.text
