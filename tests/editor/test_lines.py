"""Offsets and positions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.editor.lines import Encoding, Lined

TEXT = "a😀b\r\nÄ\x0cz\u2028y\rlast"
LETTERS = st.text(st.sampled_from("ab😀Ä\r\n\x0c\u2028{"), max_size=40)
ENCODINGS: list[Encoding] = ["utf-8", "utf-16", "utf-32"]


def test_only_the_line_ends_of_the_protocol_end_lines() -> None:
    assert Lined(TEXT).starts == [0, 5, 11]


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 5), ("utf-16", 3), ("utf-32", 2)])
def test_a_letter_beyond_the_bmp_counts_as_the_encoding_says(encoding: Encoding, character: int) -> None:
    assert Lined(TEXT).place(2, encoding) == (0, character)
    assert Lined(TEXT).offset(0, character, encoding) == 2


def test_a_position_within_a_letter_is_before_it_and_one_beyond_the_line_at_its_end() -> None:
    lined = Lined(TEXT)
    assert lined.offset(0, 2, "utf-16") == 1
    assert lined.offset(0, 99, "utf-16") == 3
    assert lined.offset(99, 0, "utf-16") == len(TEXT)


@given(LETTERS, st.sampled_from(ENCODINGS))
def test_every_offset_comes_back_from_its_position(text: str, encoding: Encoding) -> None:
    lined = Lined(text)
    for offset in range(len(text) + 1):
        if offset > 0 and text[offset - 1 : offset + 1] == "\r\n":
            continue  # no position lies within a line end
        line, character = lined.place(offset, encoding)
        assert lined.offset(line, character, encoding) == offset


@given(LETTERS, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), LETTERS), max_size=8))
def test_an_edited_text_has_the_lines_of_a_fresh_one(text: str, edits: list[tuple[int, int, str]]) -> None:
    lined = Lined(text)
    for one, other, new in edits:
        start, end = sorted((min(one, len(lined.text)), min(other, len(lined.text))))
        whole = lined.text[:start] + new + lined.text[end:]
        lined = lined.edited(start, end, new)
        assert lined.text == whole
        assert lined.starts == Lined(whole).starts
