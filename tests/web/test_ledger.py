"""What the works of a section leave open, in the page."""

import json
from pathlib import Path
from typing import Any

import pytest

from citeplug.records.provenance import Provenance
from citeplug.web.ledger import LeftOpen, left_open
from tests.web.browser import Browser

LIMIT = {"text": "It holds for <b>trees</b> only.", "of": "abstract", "paper": "1706.02216", "section": ""}
OWN = {"text": "We treat all graphs.", "file": "main.tex", "line": 12, "section": "Introduction"}


def record_ledger(main: Path, row: Any) -> str:
    """Put a row on the first work of the section into the record; the id of the work."""
    path = main.parent / ".citeplug" / "provenance.json"
    record = json.loads(path.read_text("utf-8"))
    work: str = record["sentences"][0]["sources"][0]["arxiv_id"]
    record["ledger"] = [{"key": "x", "title": "", "arxiv_id": work, **row}]
    path.write_text(json.dumps(record), "utf-8")
    return work


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"limit": LIMIT, "draft": OWN}, (LIMIT["text"], "its abstract", OWN["text"], "main.tex:12")),
        ({"limit": LIMIT, "draft": None}, ("It holds for <b>trees</b> only.", "Your draft does not address this.")),
        ({"limit": None, "draft": OWN}, ("We treat all graphs.", "No text on this machine states this gap.")),
        ({"limit": None, "draft": None}, ("No gap stated in the texts on this machine.",)),
    ],
)  # fmt: skip
def test_the_card_of_a_work_says_what_it_leaves_open(
    browser: Browser, written: Path, row: Any, said: tuple[str, ...]
) -> None:
    record_ledger(written, row)
    page = browser.ask("GET", "/")
    assert all(each in page.text for each in said) and b"<b>trees" not in page.data
    assert "limits that these works state" not in page.text


def test_the_ledger_is_made_from_the_page_and_can_be_followed_by_an_undo(browser: Browser, written: Path) -> None:
    first = json.loads((written.parent / ".citeplug" / "provenance.json").read_text("utf-8"))["sentences"][0]
    assert "Find the limits that these works state" in browser.open()
    browser.send("/accept", p=first["paragraph"], words=" ".join(first["text"].split()))
    page = browser.send("/gaps").text
    assert "works state a limit" in page and "No gap stated" in page
    assert browser.send("/undo").status == 200
    record = json.loads((written.parent / ".citeplug" / "provenance.json").read_text("utf-8"))
    assert record["ledger"] and record["sentences"][0]["status"] == "unreviewed"


@pytest.mark.parametrize("row", [{"limit": "x", "draft": [1]}, {"limit": {"text": 3}, "draft": {"line": "x"}}])
def test_a_record_of_another_shape_is_read_as_far_as_it_goes(row: Any) -> None:
    assert left_open(Provenance(ledger=({"key": "a", **row}, {"key": 1}))) == {"a": LeftOpen()}
