"""The comparison table in the page."""

import io
import json
import re
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.web.browser import Browser


def test_a_cell_of_the_table_leads_to_its_words_in_the_text_of_the_work(browser: Browser, written: Path) -> None:
    assert "There is no table yet" in browser.open("/table")
    page = browser.send("/table").text
    assert "related-table.tex is up to date" in page and (written.parent / "related-table.tex").is_file()
    record = json.loads((written.parent / ".citeplug" / "provenance.json").read_text("utf-8"))
    row = next(row for row in record["table"] if row["source"]["of"] == "abstract" and row["key"])
    cell = browser.open(f"/table?key={row['key']}&column={row['column']}")
    assert f"<mark>{row['text']}</mark>" in cell and 'aria-current="true"' in cell


@pytest.mark.parametrize(
    "row", [{"key": 1}, {"key": "x", "column": "Task", "text": "<b>t</b>", "source": []}, {"text": "x", "source": {}}]
)
def test_a_recorded_table_of_another_shape_is_shown_as_far_as_it_goes(
    browser: Browser, written: Path, row: dict[str, Any]
) -> None:
    path = written.parent / ".citeplug" / "provenance.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "table": [row]}), "utf-8")
    page = browser.ask("GET", "/table?key=x&column=Task")
    assert page.status == 200 and b"<b>t" not in page.data


def test_the_section_and_its_entries_are_downloaded_clean_or_with_the_plan(browser: Browser, written: Path) -> None:
    tex = browser.ask("GET", "/export/file?name=related.tex&comments=yes")
    assert tex.headers["content-disposition"].startswith("attachment") and "% citeplug:begin" in tex.text
    assert "% citeplug:" not in browser.ask("GET", "/export/file?name=related.tex").text
    assert browser.ask("GET", "/export/file?name=main.tex").status == 409, "no file is read but these two"
    with ZipFile(io.BytesIO(browser.ask("GET", "/export/file").data)) as both:
        assert both.namelist() == ["related.tex", "related.bib"] and b"% citeplug:" not in both.read("related.tex")


def test_the_export_says_what_is_unread_and_that_the_section_is_out_of_date(browser: Browser, written: Path) -> None:
    page = browser.open("/export")
    assert re.search(r"(\d+) of \1 sentences are not reviewed", page) and "Out of date" not in page
    main = written.parent / "main.tex"
    main.write_text(main.read_text("utf-8").replace(r"\title{", r"\title{Other "), "utf-8")
    assert "Out of date: title changed. " in browser.open("/export")


def test_works_have_their_titles_and_a_column_of_the_titles_words_is_left_out(browser: Browser, written: Path) -> None:
    browser.open("/table")
    browser.send("/table")
    browser.finish()
    path = written.parent / ".citeplug" / "provenance.json"
    record = json.loads(path.read_text("utf-8"))
    known = next(row for row in record["table"] if row["source"]["of"] == "abstract" and row["key"])
    title = re.findall(r'<th scope="row"><a [^>]*>([^<]+)</a>', browser.open("/table"))[-1]
    key = re.findall(r'<tr id="row-([^"]+)"', browser.open("/table"))[-1]
    record["table"] = [{**known, "key": key}, {**known, "key": key, "column": "Task", "text": title}]
    path.write_text(json.dumps(record), "utf-8")
    page = browser.open("/table")
    assert f">{known['column']}</th>" in page and ">Task</th>" not in page
    assert ">Comparison<" not in browser.open(), "one column compares nothing"
    assert key not in re.findall(r'<th scope="row">(?:<a [^>]*>)?([^<]+)', page), "the title stands there"
