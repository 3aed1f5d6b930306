"""Two tabs that work on the same sentence, plan and paragraphs at the same time."""

import re
import threading
from dataclasses import replace
from pathlib import Path

from citeplug.section_file.grammar import read_related
from tests.web.browser import Browser

_EDITOR = re.compile(
    r'action="/reword">.*?name="place" value="(?P<place>\d+)">.*?name="was" value="(?P<was>.*?)">.*?<textarea id="edit"'
    r"[^>]*>(?P<new>.*?)</textarea>",
    re.DOTALL,
)
_STEPS = 8


def write(browser: Browser, name: str, problems: list[str]) -> None:
    """Add words to the first sentence as this tab sees it, to the plan, and move the paragraph, again and again.

    A page that refuses words shows them beside those of the other tab; the author then adds them to these.
    """
    try:
        page = browser.open("/?at=p1.1")
        for step in range(_STEPS):
            words = f"{name}{step}!"
            while True:
                form = _EDITOR.search(page)
                assert form is not None, page
                # A refused page has these words in its field: of what is there now it says `was`.
                typed = f"{form['was']} {words}"
                reply = browser.send("/reword", p="p1", at="p1.1", was=form["was"], place=form["place"], new=typed)
                page = reply.text
                if reply.status == 200:
                    break
                assert reply.status == 409 and typed in page and "changed meanwhile" in page, page
            assert browser.send("/line/add", p="p1", new=f"say {words}").status == 200
            assert browser.send("/down" if step % 2 else "/up", p="p1").status in (200, 409)
    except Exception as error:  # an error of a thread is the test's only when it is handed on
        problems.append(repr(error))


def test_nothing_that_two_tabs_write_into_one_sentence_is_lost(browser: Browser, written: Path) -> None:
    file = written.parent / "related.tex"
    browser.open()
    start = re.sub(r"\s+", " ", file.read_text("utf-8"))
    problems: list[str] = []
    tabs = [threading.Thread(target=write, args=(replace(browser), name, problems)) for name in "AB"]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert not problems
    text = file.read_text("utf-8")
    for words in (f"{name}{step}!" for name in "AB" for step in range(_STEPS)):
        assert text.count(f" {words}") == 2, words  # in the sentence and in the plan
        assert text.count(f"say {words}\n") == 1
    blocks = read_related(text).blocks
    assert len({block.id for block in blocks}) == len(blocks)
    assert all(block.ended and not block.torn for block in blocks)
    while browser.send("/undo").status == 200:
        pass
    assert re.sub(r"\s+", " ", file.read_text("utf-8")) == start
