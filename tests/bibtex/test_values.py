"""Braces and quotes as BibTeX counts them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from citeplug.bibtex.values import Delimiters

# As simple as can be, and quadratic where nothing is closed.


def after_brace(text: str, start: int) -> int | None:
    """The position behind the partner of the brace at `start`; None if it has none."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end()
    return None


def after_quote(text: str, start: int) -> int | None:
    """The position behind the quote that closes the one at `start`; None if a brace in between has no partner."""
    depth = 0
    for match in re.compile(r"[{}\"]").finditer(text, start + 1):
        if match[0] == '"' and depth == 0:
            return match.end()
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth < 0:
            return None
    return None


def test_a_brace_has_its_partner_and_a_backslash_hides_none() -> None:
    assert after_brace(r"{a {b} \} c}", 0) == 9
    assert after_brace("{a {b} c", 0) is None


def test_a_quote_ends_outside_of_braces() -> None:
    assert after_quote('"a {"} b" c', 0) == 9
    assert after_quote('"a } b"', 0) is None
    assert Delimiters('"a } b"').brace_too_many(0) == 3
    assert Delimiters('"a" }').brace_too_many(0) is None


@given(st.text('{}"a', max_size=40))
def test_a_whole_text_answers_as_each_place_by_itself(text: str) -> None:
    known = Delimiters(text)
    for match in re.finditer(r"[{\"]", text):
        start = match.start()
        if match[0] == "{":
            assert known.after_brace(start) == after_brace(text, start)
        else:
            assert known.after_quote(start) == after_quote(text, start)
