"""Runs of the review page: shown while they are on, in any tab, without script, and to be cancelled."""

import json
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from citeplug.corpus.stores import settings
from citeplug.errors import UsageError
from citeplug.records.finding import Finding
from citeplug.related.papers import ListedPaper, Listing
from citeplug.related.progress import Report
from citeplug.web.guard import Secrets
from citeplug.web.pages import Pages
from citeplug.web.paper_list import PaperList, refined_in_words
from citeplug.web.reviewing import Reviewing
from citeplug.web.runs import Run, Runs
from tests.harness.papers import paper
from tests.harness.waiting import until
from tests.web.browser import PATIENCE, Browser, Slow


@pytest.fixture
def slow(browser: Browser) -> Slow:
    browser.open()
    work = Slow()
    browser.runs.begin("The section", "/", work, 0)
    assert work.there.wait(PATIENCE)
    return work


def events(browser: Browser) -> list[Any]:
    """All events to the end of the run."""
    reply = browser.ask("GET", "/run/events")
    assert reply.headers["content-type"].startswith("text/event-stream")
    return [json.loads(line.removeprefix("data: ")) for line in reply.data.decode().split("\n\n") if line]


def test_a_reload_in_the_middle_shows_the_run_on_each_page(browser: Browser, slow: Slow) -> None:
    for path in ("/", "/ask", "/export", "/run"):
        page = browser.open(path)
        assert "The section: ranking the papers" in page and 'value="3" max="20"' in page and "Cancel" in page
        assert ('http-equiv="refresh"' in page) == (path == "/run")
    slow.go_on.set()
    reply = browser.finish()
    assert "The section is written." in reply.text
    assert b"Take &lt;b&gt;care&lt;/b&gt;. <small>Look.</small>" in reply.data
    assert "<b>care" not in browser.open("/ask")  # it is about the section
    assert "<b>care" in browser.open()  # until it is dismissed
    assert "<b>care" not in browser.send("/run/dismiss").text
    assert "The section is written." not in browser.open()


def test_another_page_says_once_that_a_run_has_ended(browser: Browser, slow: Slow) -> None:
    slow.go_on.set()
    assert browser.runs.last is not None and browser.runs.last.ended.wait(PATIENCE)
    assert 'The section: done. <a href="/">' in browser.open("/ask")
    assert "The section: done" not in browser.open("/ask")
    assert "The section is written." in browser.open()


def test_its_stages_come_as_events_to_its_end(browser: Browser, slow: Slow) -> None:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.extend(events(browser)))
    thread.start()
    slow.go_on.set()
    thread.join(PATIENCE)
    assert found[-1]["state"] == "done" and found[-1]["page"] == "/"
    assert all(each["words"].startswith("The section") for each in found)
    assert [each["state"] for each in events(browser)] == ["done"]  # for one who comes late
    browser.send("/run/dismiss")
    assert events(browser) == [{"state": "none"}]


def test_a_run_says_how_long_it_takes_by_the_last_one_of_its_kind() -> None:
    runs = Runs()
    first = runs.begin("Looking", "/", lambda run: (time.sleep(1.2) or "", ()), PATIENCE)  # type: ignore[func-returns-value]
    assert first.usual == 0
    assert runs.begin("Looking", "/", lambda run: (run.left, ()), PATIENCE).said == "about 1 s left"
    assert runs.begin("Another", "/", lambda run: (run.left, ()), PATIENCE).said == ""
    runs.close(lambda: None)


def test_a_cancelled_run_changes_nothing(browser: Browser, slow: Slow) -> None:
    reply = browser.ask("POST", "/run/cancel", f"token={browser.token}&at=".encode())
    assert reply.status == 303 and "stopping" in browser.open("/run")
    slow.go_on.set()
    assert "The section: stopped, nothing was changed" in browser.finish().text


def test_a_run_waits_for_the_author_s_answer_to_what_would_be_sent(browser: Browser) -> None:
    browser.open()
    answers: list[bool] = []

    def work(run: Run) -> tuple[str, Sequence[Finding]]:
        answers.append(run.ask("citeplug is about to send <b>this</b>. It costs about $0.30.").result(PATIENCE))
        return "", ()

    for answer in ("yes", "no"):
        run = browser.runs.begin("The section", "/", work, 0)
        until(lambda run=run: run.question, "nothing is asked", PATIENCE)  # type: ignore[misc]
        data = browser.ask("GET", "/export").data
        assert b"about to send &lt;b&gt;this&lt;/b&gt;. It costs about $0.30." in data and b'value="no"' in data
        browser.send("/run/answer", send=answer)
        assert run.ended.wait(PATIENCE)
    assert answers == [True, False]
    assert browser.send("/run/answer", send="yes").status == 409


def test_one_run_at_a_time(browser: Browser, slow: Slow) -> None:
    reply = browser.send("/write")
    assert reply.status == 409 and "not finished yet" in reply.text
    assert browser.send("/ask", question="What is attention?").status == 409
    assert browser.runs.is_on
    with pytest.raises(UsageError):
        browser.runs.begin("Another", "/", slow, 0)
    slow.go_on.set()
    browser.finish()
    assert not browser.runs.is_on
    assert browser.send("/write").status == 200


def test_a_sentence_is_accepted_while_a_run_is_on(browser: Browser, slow: Slow, written: Path) -> None:
    sentences = json.loads((written.parent / ".citeplug" / "provenance.json").read_text("utf-8"))["sentences"]
    reply = browser.send("/accept", p="p1", words=" ".join(sentences[0]["text"].split()))
    assert "The sentence was accepted." in reply.text and "ranking the papers" in reply.text
    slow.go_on.set()


def test_a_run_that_fails_says_why(browser: Browser) -> None:
    def broken(run: Run) -> tuple[str, Sequence[Finding]]:
        raise UsageError("there is <no> way", "try another")

    def defect(run: Run) -> tuple[str, Sequence[Finding]]:
        raise ZeroDivisionError

    browser.open()
    for work, words in ((broken, b"there is &lt;no&gt; way"), (defect, b"by a defect of citeplug")):
        browser.runs.begin("Your question", "/ask", work, PATIENCE)
        assert words in browser.ask("GET", "/ask").data
        browser.send("/run/dismiss")


def test_a_cancelled_writing_leaves_the_section_or_ends_it(browser: Browser, written: Path) -> None:
    browser.open()
    section = (written.parent / "related.tex").read_bytes()
    browser.ask("POST", "/write", f"token={browser.token}&at=".encode())
    browser.ask("POST", "/run/cancel", f"token={browser.token}&at=".encode())
    browser.finish()
    assert (written.parent / "related.tex").read_bytes() == section  # the same plan gives the same section


def test_the_list_of_papers_shows_its_progress_while_it_is_made(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.web.frame.WAIT", 0)
    reply = browser.ask("GET", "/papers")
    assert (reply.status, reply.headers["location"]) == (303, "/run")
    assert 'name="choice" value="pin"' in browser.finish().text
    assert browser.ask("GET", "/papers").status == 200


def test_a_cancelled_list_of_papers_leads_to_the_section_and_can_be_asked_for_again(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(root: Path, chosen: object, report: Report, given: object) -> None:
        while True:
            report("embed", 0, None)
            time.sleep(0.01)

    browser.open()
    with monkeypatch.context() as patched:
        patched.setattr("citeplug.web.frame.WAIT", 0)
        patched.setattr("citeplug.web.paper_list.papers", endless)
        browser.ask("GET", "/papers")
        browser.ask("POST", "/run/cancel", f"token={browser.token}&at=".encode())
        assert browser.ask("GET", browser.finish().headers["location"]).status == 200
    assert 'name="choice" value="pin"' in browser.open("/papers")


def test_a_list_of_papers_that_fails_says_why_and_is_not_begun_again_by_itself(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(root: Path, chosen: object, report: Report, given: object) -> None:
        raise UsageError("there is <no> way", "take another one")

    monkeypatch.setattr("citeplug.web.paper_list.papers", failing)
    assert b"there is &lt;no&gt; way" in browser.ask("GET", "/papers").data
    assert browser.runs.last is None


def test_the_first_list_of_a_large_catalogue_is_refined_and_the_page_says_what_changed(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.related.papers.WHOLE", 0)  # the demo's papers as if they were many
    assert "Refining the list" in browser.open("/papers")
    assert browser.runs.last is not None and browser.runs.last.ended.wait(PATIENCE)
    assert "The list is refined: nothing changed." in browser.open("/papers")
    assert "Refining" not in browser.open("/papers")


def test_a_list_that_cannot_be_refined_stays_and_is_not_tried_again_by_itself(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.related.papers.WHOLE", 0)

    def failing(run: Run) -> tuple[str, Sequence[Finding]]:
        raise UsageError("there is no way")

    monkeypatch.setattr(PaperList, "refine", lambda self, run: failing(run))
    browser.open("/papers")
    assert browser.runs.last is not None and browser.runs.last.ended.wait(PATIENCE)
    failed = browser.runs.last
    page = browser.open("/papers")
    assert "there is no way" in page and 'name="choice" value="pin"' in page and browser.runs.last is failed


def test_a_refinement_gives_way_to_whatever_the_author_begins(browser: Browser) -> None:
    browser.open()
    work = Slow()
    refinement = browser.runs.begin("Refining the list", "/papers", work, 0, gives_way=True)
    assert work.there.wait(PATIENCE) and not browser.runs.is_on
    browser.ask("POST", "/write", f"token={browser.token}&at=".encode())
    work.go_on.set()
    assert "The section is written." in browser.finish().text
    assert refinement.state == "stopped"


def test_a_refined_list_says_how_many_papers_are_new() -> None:
    def listing(names: str) -> Listing:
        papers = (paper(f"2001.0000{name}", f"Title {name}") for name in names)
        return Listing(tuple(ListedPaper(p, 1.0, (), True, None, None, False, True, True, True) for p in papers), ())

    assert refined_in_words(listing("1234"), listing("1234")) == "The list is refined: nothing changed."
    assert refined_in_words(listing("1234"), listing("1324")) == "The list is refined."
    assert refined_in_words(listing("12345"), listing("45612")) == "The list is refined, with 1 new."


def test_deep_research_lists_papers_and_says_what_it_lacks(browser: Browser) -> None:
    browser.open("/papers")
    reply = browser.send("/deep")
    assert "Citations were not followed: the reference lists of 0 of" in reply.text
    assert 'name="choice" value="pin"' in reply.text


def test_what_the_author_writes_during_a_run_is_not_overwritten(browser: Browser, written: Path) -> None:
    browser.open()
    section = written.parent / "related.tex"
    browser.send("/line/add", p="p1", new="describe DropEdge [1907.10903]")
    browser.ask("POST", "/write", f"token={browser.token}&at=".encode())
    text = section.read_text("utf-8")
    section.write_text(text.replace("% citeplug:end p1", "My own words meanwhile.\n% citeplug:end p1"), "utf-8")
    browser.finish()
    assert "My own words meanwhile." in section.read_text("utf-8")


def test_a_run_that_ends_while_its_page_is_made_leads_to_its_result(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = Pages(Reviewing(written, settings(offline=True)), Secrets(), "/x", several=lambda: False)
    run = pages.review.runs.last = Run("The section", "/", said="The section is written.")
    render = pages.render

    def late(*given: Any, **values: Any) -> Response:
        run.state = "done"
        return render(*given, **values)

    monkeypatch.setattr(pages, "render", late)
    headers = [(b"host", b"127.0.0.1")]
    scope = {"type": "http", "method": "GET", "path": "/x/run", "query_string": b"", "headers": headers}
    reply = pages.progress(Request(scope))
    assert (reply.status_code, reply.headers["location"]) == (303, "/x/")
    assert pages.review.runs.last is run  # the page of its result says how it ended
