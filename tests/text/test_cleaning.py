import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.cleaning import plain


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        (None, ""),
        ("", ""),
        ("  On\n  sums\t of  squares ", "On sums of squares"),
        ("Schrödinger's \\emph{cat} $x^2$", "Schrödinger's \\emph{cat} $x^2$"),
        ("red \x1b[31mtext\x1b[0m", "red text"),
        ("a title \x1b]0;evil\x07here", "a title here"),
        ("C1 \x9b31mtoo", "C1 too"),
        ("bell\x07 and null\x00", "bell and null"),
        ("run \u202ebackwards\u202c", "run backwards"),
        ("lone \ud800 surrogate", "lone surrogate"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("line\u2028separator", "line separator"),
    ],
)
def test_text_becomes_one_plain_line(given_text: str | None, expected: str) -> None:
    assert plain(given_text) == expected


@given(st.text())
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    cleaned = plain(text)
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in cleaned)
    assert cleaned == " ".join(cleaned.split())
    assert plain(cleaned) == cleaned
