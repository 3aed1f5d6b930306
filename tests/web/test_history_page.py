"""The history of a section in the review page."""

import json
import re
from pathlib import Path
from typing import Any

from tests.web.browser import Browser


def rows(page: str) -> list[tuple[str, str]]:
    """What happened, and to which sentence, the newest first; of what is alike, in one row."""
    found: list[tuple[str, str]] = []
    for tag, said, listed in re.findall(
        r'<li><small>[\d:]*</small> <span class="tag[^"]*">([^<]*)</span> '
        r"(?:<div>(.*?)(?: <small>.*?</small>)?</div>|<details[^>]*><summary>.*?</summary>\n<ol>(.*?)</ol>)",
        page,
    ):
        found += [(tag, each) for each in re.findall("<li>(.*?)</li>", listed)] if listed else [(tag, said)]
    return found


def record(main: Path) -> Any:
    return json.loads((main.parent / ".citeplug" / "provenance.json").read_text("utf-8"))


def words(sentence: Any) -> str:
    return " ".join(sentence["text"].split())


def test_what_is_done_in_the_page_is_in_the_history(browser: Browser, written: Path) -> None:
    sentences = record(written)["sentences"]
    first = words(sentences[0])
    page = browser.open("/history")
    assert [what for what, _ in rows(page)] == ["written"] * len(sentences)
    browser.send("/accept", p="p1", words=first)
    browser.send("/reject", p="p1", words=first)
    browser.send("/undo")
    text = (written.parent / "related.tex").read_text("utf-8")
    paragraph = sentences[1]["paragraph"]
    browser.send("/reword", p=paragraph, was=sentences[1]["tex"], new="<b>Mine</b> now.")
    assert (written.parent / "related.tex").read_text("utf-8") != text
    page = browser.open("/history")
    found = [(what, said) for what, said in rows(page) if what != "written"]
    assert [what for what, _ in found] == ["changed", "accepted", "rejected", "accepted"]
    assert not [said for _, said in rows(page) if "{" in said]
    assert "<cite title=" in found[1][1]


def test_what_is_pinned_and_excluded_is_in_the_history_with_its_undo(browser: Browser, written: Path) -> None:
    papers = re.findall(r'name="id" value="([^"]+)"', browser.open("/papers"))
    before = (written.parent / ".citeplug" / "provenance.json").read_bytes()
    browser.send("/choose", id=papers[0], choice="pin")
    browser.send("/choose", id=papers[1], choice="exclude")
    browser.send("/undo")
    browser.send("/choose", id=papers[0], choice="pin")  # it is: nothing happens
    found = [(what, said) for what, said in rows(browser.open("/history")) if what != "written"]
    assert [what for what, _ in found] == ["no longer pinned or excluded", "excluded", "pinned"]
    assert found[0][1] == found[1][1] and found[2][1].endswith(f" [{papers[0]}]")
    now = record(written)
    del now["history"][-3:]
    assert now == json.loads(before)


def test_a_choice_before_there_is_a_section_is_in_its_history(browser: Browser, written: Path) -> None:
    (written.parent / ".citeplug" / "provenance.json").unlink()
    (written.parent / "related.tex").unlink()
    browser.open()
    browser.send("/choose", id="1706.03762", choice="pin")
    browser.send("/write")
    found = [what for what, _ in rows(browser.open("/history"))]
    assert set(found) == {"written", "pinned"} and found[-1] == "pinned"


def test_an_older_record_is_shown_without_times(browser: Browser, written: Path) -> None:
    path = written.parent / ".citeplug" / "provenance.json"
    whole = record(written)
    del whole["history"]
    whole["sentences"][0]["status"] = "accepted"
    whole["sentences"][0]["text"] = "<script>alert(1)</script>"
    path.write_text(json.dumps(whole), "utf-8")
    page = browser.ask("GET", "/history")
    assert "Without a recorded time" in page.text and b"<script>alert" not in page.data
    assert [what for what, _ in rows(page.text)].count("accepted") == 1
    whole["history"] = [{"when": "<i>then</i>", "what": "rejected", "words": "<i>x</i>", "paragraph": "p1"}]
    path.write_text(json.dumps(whole), "utf-8")
    page = browser.ask("GET", "/history")
    assert page.status == 200 and b"<i>" not in page.data


def test_without_a_section_there_is_no_history(browser: Browser, written: Path) -> None:
    (written.parent / ".citeplug" / "provenance.json").unlink()
    (written.parent / "related.tex").unlink()
    assert "Nothing yet: it begins when" in browser.open("/history")
