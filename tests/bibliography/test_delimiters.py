"""Braces and quotes as BibTeX counts them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from citeplug.bibliography.delimiters import Delimiters, after_brace, after_quote


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
