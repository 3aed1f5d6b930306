"""A search for papers in the review page, by its forms alone."""

import re
from pathlib import Path

import pytest

from citeplug.bib.collect_library import add
from citeplug.corpus.stores import settings
from citeplug.settings.project_toml import read_configuration
from tests.harness.arxiv_server import ArxivServer, Fault, paper
from tests.harness.pdf_files import paper_pdf
from tests.web.browser import Browser, reviewed


def test_a_paper_is_found_on_this_machine_and_pinned(browser: Browser, written: Path) -> None:
    assert 'role="search"' in browser.open("/papers")
    page = browser.open("/search?q=graph+attention+networks")
    found = re.findall(r'name="id" value="([^"]+)"', page)
    assert len(found) > 3 and "Graph Attention Networks" in page
    assert 'in the section as <span class="key">' in page
    reply = browser.send("/choose", id=found[0], choice="pin", q="graph attention networks")
    assert ">Pinned</button>" in reply.text and "Graph Attention Networks" in reply.text
    assert read_configuration(written.parent).values["pin"] == (found[0],)
    assert browser.send("/choose", id="../x", choice="pin", q="graph").status == 409


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
            assert server.asked_queries() == [] and "This sends the words “attention elsewhere” to 127.0.0.1:" in page
            assert new.title not in page
            said = browser.send("/search", q="attention elsewhere").text
            assert server.asked_queries()
            data = browser.ask("GET", "/search?q=attention+elsewhere").data
            assert b"Attention &lt;b&gt;elsewhere" in data and b"on arXiv; not on this machine" in data
            assert "only at arXiv: 1." in said and data.count(b"not on this machine") == 1
            assert browser.send("/search", q="?").status == 409


def test_an_outage_is_not_said_to_be_a_search_at_arxiv(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ArxivServer().serve() as server:
        monkeypatch.setenv("CITEPLUG_ARXIV_URL", server.url)
        monkeypatch.setenv("CITEPLUG_ARXIV_DELAY", "0")
        server.fail_always(Fault.http(404))
        with reviewed(written, offline=False) as browser:
            browser.start()
            browser.open("/search")
            text = browser.send("/search", q="graph attention").text
            assert "arXiv could not be queried." in text and "on arXiv;" not in text and "only at arXiv" not in text


def test_offline_arxiv_is_not_offered_and_not_asked(browser: Browser) -> None:
    assert "Search arXiv too" not in browser.open("/search?q=attention")
    reply = browser.send("/search", q="attention")
    assert reply.status == 409 and "offline" in reply.text


def test_a_work_of_the_library_is_pinned_excluded_and_cited(written: Path, own_home: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    entries = [
        "@book{smith1998, author={Smith, Jo}, title={Zwischenraum convolutions of graphs}, year={1998}, "
        "abstract={We study zwischenraum convolutions on graphs and learn a neural network of them.}}",
        "@book{title1999, author={Low, Ann}, title={Zwischenraum without an abstract}, year={1999}}",
    ]
    (own / "own.bib").write_text("\n".join(entries), "utf-8")
    (own / "scan.pdf").write_bytes(paper_pdf("Zwischenraum lost and found", [("Introduction", "A text. " * 40)]))
    add(settings(offline=True), [own], lambda *_: None)
    with reviewed(written) as browser:
        browser.start()
        page = browser.open("/search?q=zwischenraum")
        assert set(re.findall(r'name="id" value="(lib:[^"]+)"', page)) == {"lib:smith1998", "lib:title1999"}
        assert "It cannot be cited" in page and "No abstract is known" in page
        reply = browser.send("/choose", id="lib:smith1998", choice="pin", q="zwischenraum")
        assert ">Pinned</button>" in reply.text
        assert read_configuration(written.parent).values["pin"] == ("lib:smith1998",)
        browser.send("/write")
        assert "Zwischenraum convolutions" in (written.parent / "related.bib").read_text("utf-8")
        assert re.search(r"cite\w*\{[^}]*smith1998", (written.parent / "related.tex").read_text("utf-8"))
        assert "smith1998" in browser.open("/history")
        browser.send("/choose", id="lib:smith1998", choice="exclude")
        assert read_configuration(written.parent).values["exclude"] == ("lib:smith1998",)
        browser.send("/undo")
        assert read_configuration(written.parent).values["pin"] == ("lib:smith1998",)
        (written.parent / "citeplug.toml").write_text('[related]\npin = ["smith1998"]\n', "utf-8")  # by its key
        assert ">Pinned</button>" in browser.open("/search?q=zwischenraum")
        browser.send("/choose", id="lib:smith1998", choice="none")
        assert read_configuration(written.parent).values["pin"] == ()
        for odd in ("lib:", "lib:a\nb", "smith1998"):
            assert browser.send("/choose", id=odd, choice="pin").status == 409
