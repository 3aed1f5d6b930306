"""The report of a check for a reader."""

from pathlib import Path

import pytest

from citeplug.bibtex.entries import read_bib
from citeplug.cli.check_report import show_entry
from citeplug.records.entry_check import EntryCheck, Evidence
from citeplug.records.finding import Finding
from citeplug.records.report import EntryReport

TEXT = "% mine\n@misc{a,\n  author = {Ann Berg},\n  title = {Deep Trees},\n  eprint = {1001.0001},\n}\n"


def shown(folder: Path, message: str, severity: str, capsys: pytest.CaptureFixture[str]) -> str:
    file = folder / "refs.bib"
    file.write_text(TEXT, "utf-8")
    (entry,) = read_bib(TEXT, file).entries
    is_error = severity == "error"
    finding = Finding("title_differs", "error" if is_error else "warning", message, file, entry.span.line)
    fields = (Evidence("title", "Deep Trees", "Trees", "differs"),)
    check = EntryCheck("a", "1001.0001", "differs", finding.severity, "catalogue", fields, message, (finding,))
    show_entry(EntryReport("a", file, entry.span.line, entry, check, (finding,)), "warning")
    return capsys.readouterr().out


def test_a_title_that_differs_a_little_is_shown_once_with_the_line_to_edit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = shown(tmp_path, "the title differs a little from that of arXiv:1001.0001: Trees", "warning", capsys)
    assert "refs.bib:4: take the record's title, or correct the id\n" in out
    assert "arXiv:1001.0001 [title_differs]\n" in out and out.count("Trees") == 2


def test_where_the_id_is_of_another_paper_its_line_is_the_one_to_edit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = shown(tmp_path, "arXiv:1001.0001 is another paper: Trees", "error", capsys)
    assert "is another paper: Trees [title_differs]" in out
    assert "refs.bib:5: correct the id, or take the record's title\n" in out
