"""What is printed for a reader: broken and coloured on a terminal, whole and plain in a pipe."""

import io
import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

import pytest

from citeplug.cli.console import say, say_finding, show_table
from citeplug.cli.progress import progress
from citeplug.records.finding import Finding

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        return _COLOUR.sub("", self.getvalue()).splitlines()


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.delenv("NO_COLOR", raising=False)


@contextmanager
def on_terminal() -> Iterator[Terminal]:
    with redirect_stdout(Terminal()) as shown:
        yield shown


def test_a_terminal_breaks_a_line_at_words_beside_what_stands_before_it() -> None:
    with on_terminal() as terminal:
        say("several words of a title that is long", lead=" 12. ")
    assert terminal.lines == [" 12. several words of a title", "     that is long"]


def test_what_follows_is_indented_as_its_beginning() -> None:
    with on_terminal() as terminal:
        say("    first words of it, and more\n  then another of its own, as long")
    assert terminal.lines == ["    first words of it, and", "    more", "  then another of its own, as", "  long"]


def test_wide_characters_are_counted_by_their_columns() -> None:
    with on_terminal() as terminal:
        say("数" * 20, lead="  ")
    widths = [sum(2 if unicodedata.east_asian_width(c) == "W" else 1 for c in line) for line in terminal.lines]
    assert widths == [30, 14]


def test_a_terminal_shows_what_matters_in_colour_unless_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal() as terminal:
        say("cited as ", ("sage", "good"))
        monkeypatch.setenv("NO_COLOR", "1")
        say("cited as ", ("sage", "good"))
    assert terminal.getvalue() == "cited as \x1b[32msage\x1b[0m\ncited as sage\n"


def test_nothing_in_a_text_steers_the_terminal() -> None:
    with on_terminal() as terminal:
        say(("a\x1b[2Jb", "title"), lead="\x1b]0;x\x07")
        show_table([("[red]c[/red]", "d\x1b[31m")])
    assert not any(sign in _COLOUR.sub("", terminal.getvalue()) for sign in "\x1b\x07")
    assert "[red]c[/red]" in terminal.getvalue()


def test_a_pipe_gets_each_line_whole_and_plain(capsys: pytest.CaptureFixture[str]) -> None:
    say(("word " * 60, "title"), lead="1. ")
    say_finding(Finding("graph_thin", "info", "few lists are known", fix="'citeplug graph fetch' gets the others"))
    say_finding(Finding("not_found", "error", "there is no such paper", fix="correct the id"))
    show_table([("p1", "x" * 200), ("p10", "y")], ("place", "text"))
    assert capsys.readouterr().out.splitlines() == [
        "1. " + "word " * 60,
        "info: few lists are known; 'citeplug graph fetch' gets the others [graph_thin]",
        "error: there is no such paper [not_found]",
        "    correct the id",
        "place  text",
        "p1     " + "x" * 200,
        "p10    y",
    ]


def test_a_result_that_is_printed_beside_a_bar_goes_to_its_own_stream(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress(0) as reporter:
        reporter.update("embed", 3, 4)
        say("a result")
    assert capsys.readouterr().out == "a result\n"
