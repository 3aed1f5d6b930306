"""The text report of an audit, on terminals of any size."""

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from citeplug.audit.compare_citations import finding_of
from citeplug.cli.audit_report import show_audit, worst_of
from citeplug.cli.console import Part
from citeplug.records.audit import Audit, Balance, CitationDoubt, CitedPassage, MissingWork
from citeplug.records.finding import Finding
from citeplug.records.paper import ArxivId, Paper, Reason
from citeplug.records.report import BibReport

MAIN = Path("/paper/main.tex")
NOTHING = Balance(0, None, None, 0, ())
LONG = "words that go on and on " * 12
HOSTILE = "\x1b[31mred\x07 ::error::<b>x</b> " + "long" * 60
ERRORS = (
    "undefined_key",
    "not_found",
    "id_differs",
    "title_differs",
    "authors_differ",
    "duplicate_key",
    "year_differs",
)
WARNINGS = ("uncited_name", "possibly_withdrawn", "raw_special", "draft_too_large", "bib_outside_project")


def everything_wrong() -> Audit:
    found = [Finding(code, "error", f"{HOSTILE} {LONG}", MAIN, n) for n, code in enumerate(ERRORS)]
    found += [Finding(code, "warning", f"{code} {LONG}", MAIN, n) for code in WARNINGS for n in range(2)]
    found += [Finding("uncited_claim", "info", f"{n} {LONG}", MAIN, n) for n in range(9)]
    found += [Finding("newer_than_draft", "info", LONG, MAIN, 1, None, LONG)]
    passage = CitedPassage("key", LONG, HOSTILE + LONG)
    doubts = [CitationDoubt("source_differs", f"{n} {LONG}", LONG, passage, MAIN, n, passage) for n in range(5)]
    paper = Paper(ArxivId("1901.00001"), HOSTILE + LONG, "", (LONG,), date(2019, 1, 1), date(2019, 1, 1), ())
    missing = [MissingWork(paper, (Reason("words", LONG, "abstract"),), MAIN, n, LONG) for n in range(5)]
    balance = Balance(
        60, (1990, 2010, 2020), (LONG, 9), 40, tuple((MAIN, n) for n in range(20)), ((LONG, 5),) * 3, ("k" * 90,) * 9, 9
    )
    report = BibReport((), (*found, *map(finding_of, doubts)), ignored=3, known=4)
    looked = tuple(f"part {n} of what there is to look at" for n in range(5))
    return Audit(report, tuple(missing), balance, looked, looked[:2], tuple(doubts))


@pytest.mark.parametrize(("columns", "rows"), [(80, 40), (80, 24), (100, 30), (200, 60), (40, 30)])
def test_a_draft_that_has_everything_wrong_fits_the_terminal(
    columns: int, rows: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(rows))
    show_audit(everything_wrong(), whole=False)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= min(40, rows - 1)
    assert max(map(len, lines)) <= columns
    assert " ".join(lines[:2]).replace("    ", "").startswith("References: 7 errors and 10 warnings;")
    assert any("[undefined_key]" in line for line in lines[1:6])
    text = " ".join(" ".join(lines).split())
    assert re.search(r"Not shown \d+ findings.*\(--all shows them\)", text)
    assert re.search(r"Checked part 0 of what there is to look at;? part 1", text)
    assert re.search(r"Not checked part 0 of what there is to look at;? part 1 of what there is to look at", text)
    assert "\x1b" not in text and "\x07" not in text


def test_papers_that_are_all_newer_are_called_that_and_come_last(capsys: pytest.CaptureFixture[str]) -> None:
    paper = Paper(ArxivId("1901.00001"), "A Title", "", ("A. Author",), date(2019, 1, 1), date(2019, 1, 1), ())
    report = BibReport((), (Finding("uncited_claim", "info", "a claim", MAIN, 1),))
    older, newer = MissingWork(paper, (), MAIN, 1), MissingWork(paper, (), MAIN, 1, newer=True)
    show_audit(Audit(report, (newer, newer), NOTHING, (), ()), whole=True)
    text = capsys.readouterr().out
    assert text.startswith("References: no errors, no warnings; 2 papers newer than your draft\n")
    assert text.index("a claim") < text.index("\nPapers newer than your draft\n")
    assert "· newer than your draft" not in text
    show_audit(Audit(report, (older, newer), NOTHING, (), ()), whole=True)
    text = capsys.readouterr().out
    assert text.startswith("2 papers that you may have missed, 1 newer than your draft; references: no")
    assert text.index("\nPapers that you may have missed\n") < text.index("a claim")
    assert text.count("· newer than your draft") == 1


def test_what_is_not_shown_is_counted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    show_audit(everything_wrong(), whole=False)
    lines = capsys.readouterr().out.splitlines()
    more = " ".join(lines).partition("Not shown ")[2].partition("(--all")[0]
    counts = {name: int(number) for number, name in re.findall(r"(\d+) (findings|citations|works?)", more)}
    codes = [line for line in lines if re.search(r" \[(?!source_differs)[a-z_]+\]$", line)]
    claims = 8 if any("9 x" in line for line in lines) else 0
    assert counts["findings"] == 7 + 10 + 9 - len(codes) - claims
    titles = sum(re.match(r"  \d\. ", line) is not None for line in lines)
    assert counts.get("works", counts.get("work")) == 5 - titles


def test_all_of_it_is_shown_whole(capsys: pytest.CaptureFixture[str]) -> None:
    show_audit(everything_wrong(), whole=True)
    out = capsys.readouterr().out
    assert "Not shown" not in out and out.count("[uncited_claim]") == 9 and out.count("[source_differs]") == 5
    assert out.count("Where:") == 5


def test_a_severity_keeps_its_colour_where_its_line_breaks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[tuple[Part, ...]] = []
    monkeypatch.setattr("citeplug.cli.audit_report.say", lambda *parts: told.append(parts))
    monkeypatch.setenv("COLUMNS", "40")
    message = "an error: in its words, on many words of a warning: that is none " + LONG
    show_audit(
        Audit(BibReport((), (Finding("undefined_key", "error", message, MAIN, 7),)), (), NOTHING, (), ()), whole=False
    )
    styled = [part for parts in told for part in parts if isinstance(part, tuple)]
    assert styled.count(("error:", "error")) == 1 and ("[undefined_key]", "code") in styled
    assert not any(kind == "warning" for _, kind in styled)


def test_an_outage_is_no_warning_on_a_reference(capsys: pytest.CaptureFixture[str]) -> None:
    outage = Finding("source_unavailable", "warning", "arXiv cannot be reached")
    audit = Audit(BibReport((), (outage,), outage=True), (), NOTHING, (), (outage.message,))
    show_audit(audit, whole=False)
    out = capsys.readouterr().out
    assert out.startswith("References: no errors, no warnings\n") and worst_of(audit) == "none"
    assert out.count("arXiv cannot be reached") == 1 and "Not checked  arXiv cannot be reached" in out


def test_the_report_ends_with_one_next_step(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.cli.audit_report.get_terminal_size", lambda _: (0, 0))  # no terminal
    wrong = everything_wrong()
    for audit, step in (
        (wrong, "next: citeplug papers --missing    lists "),
        (replace(wrong, missing=(), perhaps=()), "next: citeplug audit --all    shows the rest"),
    ):
        show_audit(audit, whole=False)
        assert capsys.readouterr().out.splitlines()[-1].startswith(step)
