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
    page = browser.open("/table")
    address, words = re.findall(r'href="(/table\?key=\w[^"#]+column=What[^"#]+)#[^"]*">([^<]+)</a>', page)[0]
    cell = browser.open(address)
    assert f"<mark>{words}</mark>" in cell and 'aria-current="true"' in cell
    assert "related-table.tex is up to date" in browser.send("/table").text
    assert (written.parent / "related-table.tex").is_file()


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


def test_the_table_has_what_works_say_and_the_columns_that_a_quarter_fills(browser: Browser, written: Path) -> None:
    page = browser.open("/table")
    columns = re.findall(r'<th scope="col">([^<]+)</th>', page)
    assert columns[:2] == ["Work", "What it does"] and "Your draft" in page
    assert ("Comparison<" in browser.open()) == (len(columns) > 2), "one column compares nothing"
    keys = re.findall(r'<tr id="row-([^"]+)"', page)
    path = written.parent / ".citeplug" / "provenance.json"
    record = json.loads(path.read_text("utf-8"))
    row = {"text": "words", "source": {"of": "title"}}
    few = [{**row, "key": keys[0], "column": "Code"}, {**row, "key": "nobody", "column": "Limit"}]
    many = [{**row, "key": key, "column": column} for key in keys for column in ("Data", "Task")]
    path.write_text(json.dumps({**record, "table": [*few, *many]}), "utf-8")
    page = browser.open("/table")
    assert ">Data</th>" in page and ">Code</th>" not in page and ">Limit</th>" not in page
    assert ">Task</th>" not in page, "what the works say of themselves has it"
