"""Advice of findings, as a reader outside a terminal gets it."""

import pytest

from citeplug.records.finding import advice


@pytest.mark.parametrize(
    "fix", [None, "if you want older papers only: --before 2019-01-01", "'citeplug papers' lists it"]
)
def test_advice_on_the_command_line_is_left_to_the_terminal(fix: str | None) -> None:
    assert advice(fix) == ""


def test_advice_on_the_text_is_for_every_reader() -> None:
    assert advice("add the file") == "add the file"
    assert advice("write it yourself; or name a language model with --llm") == "write it yourself"
    assert advice("write the whole title (citeplug fix does it)") == "write the whole title"
