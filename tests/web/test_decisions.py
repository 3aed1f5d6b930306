"""What an author decides on in the review page stands beside the sources that it rests on."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from citeplug.corpus.stores import open_corpus, settings
from citeplug.web.writing import changes_in_words
from tests.harness.work_server import WorkServer, published
from tests.web.browser import Browser, reviewed
from tests.web.test_checked_lists import BIB, follow, with_record
from tests.web.test_pages import first, section

__all__ = ["with_record"]

LISTED = (
    BIB
    + b"""@article{lee, author={Ann Lee}, title={Trees}, journal={Leaves}, year=2015}
@misc{ng, author={Bo Ng}, title={X}, eprint={1001.0002}}
"""
)
NEW = "takes another <b>way</b> through the graph."


def test_a_changed_sentence_stands_beside_what_is_nearest_to_it_in_the_work_it_cites(
    browser: Browser, written: Path
) -> None:
    browser.open()
    said = first(written)
    page = browser.send(
        "/reword", p="p1", was=said["tex"], new=said["tex"].replace(".", ", and sings."), at="p1.1"
    ).text
    source = page.partition('<section id="source"')[2]
    assert "This sentence is yours" in source and "Nearest in what it cites" in source
    quotation = re.sub("</?mark>", "", re.findall("<blockquote>(.*?)</blockquote>", source)[0])
    with open_corpus(settings(offline=True)) as corpus:
        identifier = said["sources"][0]["arxiv_id"]
        assert quotation in corpus.papers([identifier])[identifier].abstract
    words = browser.ask(
        "GET", "/words?" + urlencode({"at": "p1.1", "new": said["tex"].replace(".", ", and <b>sings</b>.")})
    ).data
    assert b"Not in its source: " in words and b"and &lt;b&gt;sings" in words
    assert not browser.open("/words?at=p9.9&new=sings").strip()
    assert "not in what is shown below" in source and f"arXiv:{said['sources'][0]['arxiv_id']}" in source


def offered(browser: Browser, written: Path) -> dict[str, Any]:
    """Make the first sentence the author's, with another version in a note above it; the form that answers it."""
    tex = first(written)["tex"]
    command = re.findall(r"\\\w+\{[^}]*\}", tex)[0]
    own, offer = f"{command} says what I say.", f"{command} {NEW}"
    file = written.parent / "related.tex"
    text = section(written)
    file.write_text(text.replace(tex, f"% citeplug:note new: {offer}\n{own}", 1), "utf-8")
    page = browser.open("/?at=p1.1")
    assert "Suggested new version" in page and b"another &lt;b&gt;way" in browser.ask("GET", "/?at=p1.1").data
    assert "<blockquote>" in page.partition("Nearest in what it cites")[2]
    place = re.findall(r'action="/offer".*?name="place" value="(\d+)"', page, re.DOTALL)[0]
    return {"p": "p1", "place": place, "was": own, "offer": offer}


def test_a_suggested_version_is_used_or_left_and_either_is_undone(browser: Browser, written: Path) -> None:
    form = offered(browser, written)
    before = section(written)
    browser.send("/offer", answer="take", **form)
    assert form["offer"] in section(written) and form["was"] not in section(written)
    assert "note new" not in section(written)
    browser.send("/undo")
    assert section(written) == before
    browser.send("/offer", answer="leave", **form)
    assert form["was"] in section(written) and "note new" not in section(written)
    assert browser.send("/offer", answer="take", **form).status == 409


def test_a_rewritten_section_says_what_is_new_and_marks_it(browser: Browser, written: Path) -> None:
    browser.open()
    assert "No sentence changed." in browser.send("/write").text
    lines = json.loads((written.parent / ".citeplug" / "provenance.json").read_text("utf-8"))["sentences"]
    page = browser.send("/write", breadth="1", replan="yes").text
    assert "gone." in page and len(lines) > page.count('class="sentence generated')
    gone = page.partition('<div id="gone">')[2].partition("</div>")[0]
    assert gone.count("<del>") == int(re.findall(r"(\d+) (?:is|are) gone", page)[0])
    assert "<del>" not in browser.send("/undo").text
    assert page.count(" fresh") == int((re.findall(r"written. (\d+) sentence", page) or ["0"])[0])
    assert changes_in_words(1, 2) == "1 sentence is new, on green; 2 are gone."


def test_crossref_is_asked_where_the_author_says_so(
    project: Path, with_record: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with WorkServer(published("Trees")).serve() as server:
        assert isinstance(server, WorkServer)
        for name, value in {**server.environment(), "CITEPLUG_ARXIV_URL": server.url}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("CITEPLUG_ARXIV_DELAY", "0")
        with reviewed(project, offline=False) as browser:
            browser.start()
            for fields in ({}, {"online": "yes"}):
                follow(browser, "refs.bib", LISTED, **fields)
                assert bool(server.requests) == bool(fields) and not server.asked("crossref")
            follow(browser, "refs.bib", LISTED, online="crossref")
        assert server.asked("crossref")
